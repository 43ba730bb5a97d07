#!/bin/sh
# tests/policy/banked.sh BUILD -- the L1 in banks on whole programs. With one bank it is the coalescer
# `single`: every statistic of programs without shared memory, whose parameters are loaded before anything
# else, but for those of the coalescer, is the same to the last digit. With several, no cycle has more than
# one request that is no hit, and some have several hits.
. tests/lib.sh
sample 4 2
always_parallel

# under FOLDER POLICY BANKS PROGRAM
under() {
	case $4 in atax) sizes="256 256" ;; gesummv | mvt) sizes=256 ;; gemm) sizes="40 --sum register" ;; esac
	passes "$1" -c warppool-gtx480-hash --set observe.instances=never --set "sm.coalescer.policy=$2" \
		--set "sm.coalescer.banked.banks=$3" -- "$build/bench/polybench/$4" $sizes
}

# Cycles in which the L1 refuses a request have another name there; and a store leaves the list of
# instructions in flight in the cycle in which the L1 takes it, with `single` in the next.
compared() {
	statistics "$out/$1/stats.txt" | grep -v -e coalescer -e lsu_stall_cycles -e lsu_in_flight_cycles
}

one_bank() {
	compared single >"$out/single.txt"
	compared banked >"$out/banked.txt"
	[ "$(wc -l <"$out/single.txt")" -gt 1000 ] || return 1
	diff "$out/single.txt" "$out/banked.txt" | head -n 10 >"$out/diff"
	cat "$out/diff"
	[ ! -s "$out/diff" ] &&
		[ "$(total single sm.lsu_stall_cycles)" = "$(total banked sm.coalescer.refused_cycles)" ] &&
		[ "$(total banked sm.coalescer.banked.lookups_per_cycle)" = 1.000000 ]
}

# several BANKS: what every run keeps to
several() {
	totals "$out/banked/stats.txt" | awk -v banks="$1" '{ v[$1] = $2 }
		function s(name) {
			if (!(name in v)) { print "  no such statistic: " name; bad = 1 }
			return v[name] + 0
		}
		function holds(what, is) { if (!is) { print "  " what; bad = 1 } }
		END {
			b = "sm.coalescer.banked."
			holds("one request a cycle that is no hit", \
				s("sm.l1d.accesses") - s("sm.l1d.hits") <= s(b "lookup_cycles"))
			holds("hits in parallel", s("sm.coalescer.requests_per_cycle") > 1)
			holds("not more than the banks", s("sm.coalescer.requests_per_cycle") <= banks)
			holds("look-ups", s(b "lookups") >= s("sm.l1d.accesses"))
			exit bad
		}'
}

for program in atax gesummv mvt gemm; do
	turn || continue
	expect "$program with single" under single single 1 $program
	expect "$program with one bank" under banked banked 1 $program
	expect "$program: one bank is single" one_bank
	for banks in 2 8 32; do
		expect "$program with $banks banks" under banked banked $banks $program
		expect "$program with $banks banks: what goes in comes out" conserves banked
		[ $program = gemm ] || # its warps read one line at a time, or two of one bank
			expect "$program with $banks banks: sums" several $banks
	done
done
finish
