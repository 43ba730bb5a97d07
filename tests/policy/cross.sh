#!/bin/sh
# tests/policy/cross.sh BUILD -- six benchmarks and the micro-benchmarks under every scheduler x limiter x CTA
# dispatch policy that `lockstep list` names: verified results, and the instruction counts of the first of
# these runs, exactly. On two SMs, so that several CTAs share one. Each program runs
# under every sixth combination, the next program under others, so that one or two programs have each; with
# FULL=1 under all.
. tests/lib.sh
sample 10 6

schedulers=$(policies sm.scheduler.policy)
limiters=$(policies sm.limiter.policy)
dispatchers=$(policies gpu.dispatch.policy)

# what a run counted: fields... -- of the whole run
counts() {
	awk -v want="$*" '/Begin Simulation Statistics/ { total = /total/ } total { v[$1] = $2 }
		END { n = split(want, name, " "); for (i = 1; i <= n; i++) printf "%s=%s ", name[i],
			name[i] in v ? v[name[i]] : "missing" }' "$out/run/stats.txt"
}

# one PROGRAM options...: runs it; what must be equal in all runs goes to $got
one() {
	program=$1; shift
	rm -rf "$out/run"
	arguments="banks divergence"
	[ "$program" = micro ] || arguments=$(larger_size_of "$program")
	passes run --set gpu.sms=2 --set observe.instances=never "$@" -- "$build/bench/$program" $arguments ||
		return 1
	got=$(counts gpu.kernels gpu.ctas gpu.thread_instructions gpu.warp_instructions)
}

# compare PROGRAM options...: against the first run of the program
compare() {
	one "$@" || {
		not_ok "$*"
		log_tail
		return
	}
	if [ -z "$want" ]; then want=$got; fi
	case $got in *missing*) not_ok "$*: no such statistic: $got"; return ;; esac
	counts gpu.cycles >>"$out/cycles"; echo >>"$out/cycles"
	expect "$*: $got, but $want in the first run" [ "$got" = "$want" ]
}

# combination options...: if its turn has come
combination() {
	! turn && [ -n "$want" ] || compare "$program" "$@"
}

for program in $six micro; do
	want=""
	turns=$((turns + 1)) # other combinations than the program before
	: >"$out/cycles"
	for s in $schedulers; do for l in $limiters; do for d in $dispatchers; do
		policy="--set sm.scheduler.policy=$s --set sm.limiter.policy=$l --set gpu.dispatch.policy=$d"
		if [ "$l" = swl ]; then
			combination $policy --set sm.limiter.swl.warps=1
			combination $policy --set sm.limiter.swl.warps=4
		elif [ "$l" = dwtcs ]; then # so that it comes to throttle
			combination $policy --set sm.limiter.dwtcs.period=200 --set sm.limiter.dwtcs.mpki=1
		else
			combination $policy
		fi
	done; done; done
	times=$(sort -u "$out/cycles" | wc -l)
	expect "$program: the policies make a difference to its time" [ "$times" -gt 1 ]
done
expect "lockstep list names policies" [ -n "$schedulers" -a -n "$limiters" -a -n "$dispatchers" ]
finish
