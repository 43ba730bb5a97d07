#!/bin/sh
# tests/policy/dwtcs.sh BUILD -- dynamic warp throttling via cores sampling on whole programs, with periods so
# short that small inputs come to be searched and throttled: verified results, the same instructions as
# without it, sums that must hold, the same statistics for any number of host threads. Three programs, under the
# sanitizers one; with FULL=1 six.
. tests/lib.sh
dwtcs="--set sm.limiter.policy=dwtcs --set sm.limiter.dwtcs.period=200 --set sm.limiter.dwtcs.mpki=1"

# one DIR LABEL options... -- program: verified, with every DRAM command
one() {
	dir=$1 label=$2
	shift 2
	verify "$label" "$dir" --set dram.check=true "$@"
}

# what must be so in every run, and is added to the tally of all runs; same: instructions of a run without
# limits
sums() {
	totals "$out/$1/stats.txt" | awk -v same="$2" -v tally="$out/tally" '{ v[$1] = $2 }
		function d(name) { return v["sm.limiter.dwtcs." name] }
		function wrong(what) { print "  " what; bad = 1 }
		END {
			if (d("detections") != d("searches") + d("reuses"))
				wrong("each detection is searched for or known")
			if (d("rounds") < d("searches")) wrong("a search without a round")
			if (d("chosen::samples") != d("detections") - d("cut_off") - d("without_result"))
				wrong("each detection ends in a number, or is counted")
			if (d("above") > d("periods") ||
				d("period_mpki::samples") > d("periods")) wrong("periods")
			sum = d("phase_cycles::detecting") + d("phase_cycles::sampling") + \
				d("phase_cycles::throttled")
			work = v["gpu.cycles"] - v["gpu.launch_cycles"]
			if (sum > v["gpu.cycles"] || sum < work - v["gpu.kernels"])
				wrong("phases: " sum " of " v["gpu.cycles"] " cycles")
			if (same != "" && same != v["gpu.thread_instructions"]) wrong("instructions")
			printf "%s %s %s %s\n", d("searches"), d("reuses"), d("rounds") - d("searches"),
				d("phase_cycles::throttled") >>tally
			exit bad
		}'
}

programs=$six
# bfs, and with it two that change with the slot; under the sanitizers one that does
changing() { echo $six $six | cut -d ' ' -f "$((1 + (SLOT * $1) % 6))-$(((SLOT * $1) % 6 + $1))"; }
full || programs="rodinia/bfs $(changing 2 | sed 's,rodinia/bfs,,')"
! sanitized || full || programs=$(changing 1)
for program in $programs; do
	command="$build/bench/$program $(size_of "$program")"
	one plain "$program" -- $command || continue
	instructions=$(total plain gpu.thread_instructions)
	while read -r options; do
		one run "$program, $options" $options $dwtcs -- $command &&
			expect "$label: sums" sums run "$instructions" &&
				expect "$label: conservation" conserves run
	done <<END
-c configs/gtx480.yaml
-c configs/gtx480-papers.yaml --set sm.limiter.dwtcs.counts=warp_instructions
-c tests/configs/torture.yaml
-c configs/dwtcs-gtx480.yaml --set sm.bypass.policy=stream --set sm.bypass.stream.period=100 \
	--set sm.bypass.stream.miss_rate=20
--set gpu.sms=1
--set gpu.sms=4 --set sm.limiter.dwtcs.remembered=0
--set gpu.sms=30 --set sm.limiter.dwtcs.detect=1 --set sm.limiter.dwtcs.sample=1
--set sm.schedulers=1 --set sm.limiter.dwtcs.period=50
--set sm.scheduler.policy=two_level --set sm.limiter.dwtcs.period=10 --set sm.limiter.dwtcs.mpki=0
END
	# what is cut off is executed without timing: its instructions are not among those with timing
	one run "$program, cut" --max-cycles 1500 $dwtcs -- $command &&
		expect "$label: sums" sums run ""
	one run "$program, warm-up" --warmup-ctas 2 --max-ctas 5 $dwtcs -- $command &&
		expect "$label: sums" sums run ""
	always_parallel
	for threads in 1 2 4; do
		one "threads$threads" "$program, $threads threads" --threads $threads \
			--set gpu.sms=48 $dwtcs \
			-- $command
	done
	for threads in 2 4; do
		expect "$program: the same statistics with $threads threads" \
			same_statistics "$out/threads1/stats.txt" "$out/threads$threads/stats.txt"
	done
done
# the runs of bfs saw all that there is
case $programs in *bfs*) ;; *) finish ;; esac
expect "searches, reuses, further rounds and cycles throttled have all happened" awk '
	{ for (i = 1; i <= 4; i++) sum[i] += $i }
	END { print sum[1], sum[2], sum[3], sum[4];
		exit !(sum[1] && sum[2] && sum[3] && sum[4]) }' "$out/tally"

finish
