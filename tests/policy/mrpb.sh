#!/bin/sh
# tests/policy/mrpb.sh BUILD -- MRPB under every signature, drain policy, greedy and flush, and its bypass
# rule with and without it: six benchmarks verify their results, what enters leaves, each wait and each choice
# has one name, and two host threads count the same as one. Each combination has an L1, sizes and a latency by
# turns; each third runs with every queue of size 1.
. tests/lib.sh
sample 7
always_parallel

# one FOLDER PROGRAM options...
one() {
	to=$1 program=$2
	shift 2
	passes "$to" --set observe.instances=never "$@" -- "$build/bench/$program" $(size_of "$program")
}

sums() {
	conserves "$1" && awk '
		/^ *mrpb: *$/ { here = 1 } here && /flush: / { flush = $2 == "true"; here = 0 }
		/Begin Simulation Statistics/ { total = /total/; next } total { v[$1] = $2 }
		function s(name) { if (!(name in v)) same("no such statistic: " name, 0, 1);
			return v[name] + 0 }
		function same(what, a, b) { if (a != b) { print "  " what ": " a " and " b; bad = 1 } }
		END {
			b = "sm.request_buffer."; m = b "mrpb."; p = "sm.stall_bypass."
			if (b "entered" in v) {
				same("all by the buffer", s("sm.line_requests"),
					s(b "entered") + s(b "passed"))
				same("by the drain policy or a flush", s(b "left"), s(m "selected::total"))
				same("waits by cause", s(b "full_cycles"), s(m "wait_cycles::total"))
				same("queue length of each", s(b "entered"), s(m "queue_length::samples"))
				same("occupancy for each", s(b "entered"), s(m "occupancy::samples"))
				if (flush) {
					same("what is no read passes", s(b "passed"),
						s("sm.l1d.stores") + s("sm.l1d.atomics") + \
						s("sm.l1d.written"))
				} else {
					same("nothing passes", s(b "passed"), 0)
					same("nothing flushes",
						s(m "selected::full_queue") + s(m "selected::write"), 0)
				}
			}
			if (p "asked" in v) {
				same("bypassed", s("sm.l1d.bypassed"), s(p "after"))
				same("by cause", s(p "after") + s(p "refused_twice"),
					s(p "stalls.sent::total"))
			}
			exit bad
		}' "$out/$1/config.yaml" "$out/$1/stats.txt"
}

# combination options...: every third of the six, with FULL=1 all, and one also with two host threads
combination() {
	turn || return 0
	spread=$(echo "$six" | cut -d ' ' -f $((turns % 6 + 1)))
	number=$turns
	for program in $six; do
		number=$((number + 1))
		full || [ $((number % 3)) = 0 ] || [ "$program" = "$spread" ] || continue
		if ! one 1 "$program" "$@"; then
			not_ok "$program $*"
			log_tail
			continue
		fi
		expect "$program $*" sums 1
		[ "$program" = "$spread" ] || continue
		expect "$program $* with 2 threads runs" one 2 "$program" "$@" --threads 2
		expect "$program $*: the same with 2 threads" same_statistics "$out/1/stats.txt" \
			"$out/2/stats.txt"
	done
}

for signature in warp cta cta_warp; do for drain in fixed round_robin longest_first; do for greedy in false \
	true; do for flush in true false; do
	m=sm.request_buffer.mrpb
	set -- --set sm.lsu_replay=false --set sm.request_buffer.policy=mrpb --set $m.signature=$signature \
		--set $m.drain=$drain --set $m.greedy=$greedy --set $m.flush=$flush
	case $((turns % 3)) in
	0) set -- "$@" -c tests/configs/torture.yaml --set $m.latency=3 --set $m.entries=1 ;;
	1) set -- "$@" --set sm.l1d.index=linear --set sm.l1d.sets=2 --set sm.l1d.ways=2 \
		--set sm.stall_bypass.policy=stalls ;;
	2) set -- "$@" --set $m.entries=0 --set $m.latency=18 --set sm.l1d.mshrs=2 \
		--set sm.stall_bypass.policy=stalls --set sm.stall_bypass.stalls.on=all ;;
	esac
	combination "$@"
done; done; done; done
for on in associativity all; do
	combination --set sm.stall_bypass.policy=stalls --set sm.stall_bypass.stalls.on=$on \
		--set sm.l1d.index=linear --set sm.l1d.sets=2 --set sm.l1d.ways=2
	combination -c tests/configs/torture.yaml --set sm.stall_bypass.policy=stalls \
		--set sm.stall_bypass.stalls.on=$on
done

finish
