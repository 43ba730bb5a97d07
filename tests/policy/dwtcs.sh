#!/bin/sh
# tests/policy/dwtcs.sh BUILD -- dynamic warp throttling via cores sampling on whole programs, with periods so short that small inputs come to be searched and
# throttled: verified results, the same instructions as without it, sums that must hold, the same statistics for any number of host threads. Under the sanitizers
# two programs.
set -u
build=${1:?usage: tests/policy/dwtcs.sh BUILD}
lockstep=$build/bin/lockstep
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
. tests/statistics.sh
passed=0 failed=0
dwtcs="--set sm.limiter.policy=dwtcs --set sm.limiter.dwtcs.period=200 --set sm.limiter.dwtcs.mpki=1"

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); echo "not ok: $*"; }

# one DIR LABEL options... -- program: verified
one() {
	dir=$1 label=$2; shift 2
	if "$lockstep" run -q -o "$out/$dir" --set dram.check=true "$@" >"$out/log" 2>&1 && grep -q PASS "$out/log"; then ok; return 0; fi
	not_ok "$label"; tail -n 5 "$out/log"
	return 1
}

# what must be so in every run, and is added to the tally of all runs; same: instructions of a run without limits
sums() {
	awk -v same="$2" -v tally="$out/tally" '/Begin Simulation Statistics/ { t = /total/; next } t { v[$1] = $2 }
		function d(name) { return v["sm.limiter.dwtcs." name] }
		function wrong(what) { print "  " what; bad = 1 }
		END {
			if (d("detections") != d("searches") + d("reuses")) wrong("each detection is searched for or known")
			if (d("rounds") < d("searches")) wrong("a search without a round")
			if (d("chosen::samples") != d("detections") - d("cut_off") - d("without_result")) wrong("each detection ends in a number, or is counted")
			if (d("above") > d("periods") || d("period_mpki::samples") > d("periods")) wrong("periods")
			sum = d("phase_cycles::detecting") + d("phase_cycles::sampling") + d("phase_cycles::throttled")
			if (sum > v["gpu.cycles"] || sum < v["gpu.cycles"] - v["gpu.kernels"]) wrong("phases: " sum " of " v["gpu.cycles"] " cycles")
			if (same != "" && same != v["gpu.thread_instructions"]) wrong("instructions")
			printf "%s %s %s %s\n", d("searches"), d("reuses"), d("rounds") - d("searches"), d("phase_cycles::throttled") >>tally
			exit bad
		}' "$out/$1/stats.txt" >"$out/said" && ok || { not_ok "$label"; cat "$out/said"; }
}

# what goes in comes out
conserve() {
	awk -f tests/memory/conserve.awk "$out/$1/config.yaml" "$out/$1/stats.txt" >"$out/said" && ok || { not_ok "$label: conservation"; cat "$out/said"; }
}

programs="sdk/vectoradd:10007 polybench/gemm:40 polybench/atax:130_70 sdk/reduction:5003 rodinia/bfs:700 sdk/histogram:6001"
[ -z "${SANITIZE:-}" ] || programs="polybench/atax:130_70 rodinia/bfs:700"
for program in $programs; do
	command="$build/bench/${program%%:*} $(echo "${program#*:}" | tr _ ' ')"
	one plain "$program" -- $command || continue
	instructions=$(awk '/Begin Simulation Statistics/ { t = /total/ } t && $1 == "gpu.thread_instructions" { print $2 }' "$out/plain/stats.txt")
	while read -r options; do
		one run "$program, $options" $options $dwtcs -- $command && sums run "$instructions" && conserve run
	done <<END
-c configs/gtx480.yaml
-c configs/gtx480-papers.yaml --set sm.limiter.dwtcs.counts=warp_instructions
-c tests/configs/torture.yaml
-c configs/dwtcs-gtx480.yaml --set sm.bypass.policy=stream --set sm.bypass.stream.period=100 --set sm.bypass.stream.miss_rate=20
--set gpu.sms=1
--set gpu.sms=4 --set sm.limiter.dwtcs.remembered=0
--set gpu.sms=30 --set sm.limiter.dwtcs.detect=1 --set sm.limiter.dwtcs.sample=1
--set sm.schedulers=1 --set sm.limiter.dwtcs.period=50
--set sm.scheduler.policy=two_level --set sm.limiter.dwtcs.period=10 --set sm.limiter.dwtcs.mpki=0
END
	# what is cut off is executed without timing: its instructions are not among those with timing
	one run "$program, cut" --max-cycles 1500 $dwtcs -- $command && sums run ""
	one run "$program, warm-up" --warmup-ctas 2 --max-ctas 5 $dwtcs -- $command && sums run ""
	for threads in 1 2 4; do
		LOCKSTEP_CREW=tireless one "threads$threads" "$program, $threads threads" --threads $threads --set gpu.sms=48 $dwtcs -- $command
	done
	for threads in 2 4; do
		same_statistics "$out/threads1/stats.txt" "$out/threads$threads/stats.txt" && ok || not_ok "$program: other statistics with $threads threads"
	done
done
# the runs above saw all that there is
awk '{ for (i = 1; i <= 4; i++) sum[i] += $i } END { print "searches, reuses, further rounds, cycles throttled: " sum[1], sum[2], sum[3], sum[4]
	exit !(sum[1] && sum[2] && sum[3] && sum[4]) }' "$out/tally" && ok || not_ok "something never happened"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
