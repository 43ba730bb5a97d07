#!/bin/sh
# tests/policy/cross.sh BUILD -- six benchmarks and the micro-benchmarks under every scheduler x limiter x CTA dispatch policy that `lockstep list` names: verified results, and
# the instruction counts of the first of these runs, exactly. On two SMs, so that several CTAs share one. Under the sanitizers a sample: one of 13.
set -u
build=${1:?usage: tests/policy/cross.sh BUILD}
lockstep=$build/bin/lockstep
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
passed=0 failed=0 number=0
step=1
[ -z "${SANITIZE:-}" ] || step=13

not_ok() { failed=$((failed + 1)); echo "not ok $*"; }

size_of() {
	case $1 in
	*/vectoradd) echo 20011 ;; */gemm) echo 72 ;; */atax) echo 260 130 ;; */reduction) echo 40009 ;; */bfs) echo 2000 ;; */histogram) echo 40009 ;; micro) echo banks divergence ;;
	esac
}

# the policies of one parameter, as options
policies() {
	"$lockstep" list policies | awk -v key="($1)" '/^[^ ]/ { here = index($0, key) } here && /^  / { print $1 }'
}
schedulers=$(policies sm.scheduler.policy)
limiters=$(policies sm.limiter.policy)
dispatchers=$(policies gpu.dispatch.policy)

# what a run counted: fields... -- of the whole run
counts() {
	awk -v want="$*" '/Begin Simulation Statistics/ { total = /total/ } total { v[$1] = $2 }
		END { n = split(want, name, " "); for (i = 1; i <= n; i++) printf "%s=%s ", name[i], name[i] in v ? v[name[i]] : "missing" }' "$out/run/stats.txt"
}

# one PROGRAM options...: runs it; what must be equal in all runs goes to $got
one() {
	program=$1; shift
	rm -rf "$out/run"
	"$lockstep" run -q -o "$out/run" --set gpu.sms=2 --set observe.instances=never "$@" -- "$build/bench/$program" $(size_of "$program") >"$out/log" 2>&1 &&
		grep -q PASS "$out/log" || return 1
	got=$(counts gpu.kernels gpu.ctas gpu.thread_instructions gpu.warp_instructions)
}

# compare PROGRAM options...: against the first run of the program
compare() {
	if ! one "$@"; then not_ok "$*"; tail -n 3 "$out/log"; return; fi
	if [ -z "$want" ]; then want=$got; fi
	case $got in *missing*) not_ok "$*: no such statistic: $got"; return ;; esac
	counts gpu.cycles >>"$out/cycles"; echo >>"$out/cycles"
	if [ "$got" = "$want" ]; then passed=$((passed + 1)); else not_ok "$*: $got, but $want in the first run"; fi
}

# combination options...: if its turn has come
combination() {
	number=$((number + 1))
	[ $((number % step)) != 0 ] && [ -n "$want" ] || compare "$program" "$@"
}

for program in sdk/vectoradd polybench/gemm polybench/atax sdk/reduction rodinia/bfs sdk/histogram micro; do
	want=""
	: >"$out/cycles"
	for s in $schedulers; do for l in $limiters; do for d in ${dispatchers:-default}; do
		policy="--set sm.scheduler.policy=$s --set sm.limiter.policy=$l"
		[ "$d" = default ] || policy="$policy --set gpu.dispatch.policy=$d"
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
	[ "$times" -gt 1 ] && passed=$((passed + 1)) || not_ok "$program: the policies make no difference to its time"
	echo "ok $program: $(wc -l <"$out/cycles") runs of $times different times: ${want:-nothing was run}"
done
[ -n "$schedulers" ] && [ -n "$limiters" ] && passed=$((passed + 1)) || not_ok "lockstep list names no schedulers or limiters"
[ -n "$dispatchers" ] || echo "note: lockstep list has no dispatch policies"
[ $step = 1 ] || echo "note: under the sanitizers, one of $step combinations was run"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
