#!/bin/sh
# tests/sampling.sh BUILD -- sample.error: the results of a kernel whose CTAs are timed in part are those of all of
# it, the estimate of its time is near the time, and repeats to the last digit; what cannot be sampled is timed whole.
. tests/lib.sh
# A machine of which few CTAs fill the SMs, and few lines the L2, so that samples of small kernels are enough.
size=1024 sms=4
brief=no # under the sanitizers: of five parts one, by turns; how good estimates are is left to the other build
! sanitized || full || brief=yes size="896 512" sms=2
sample 5
small="--set gpu.sms=$sms --set l2.sets=8 --set sample.least_units=5"

# run NAME OPTION... -- PROGRAM...
run() {
	name=$1
	shift
	"$lockstep" run -q $small -o "$out/$name" "$@" >"$out/log" 2>&1
}
# The last value of a statistic of NAME
stat() { awk -v n="$2" '$1 == n { v = $2 } END { print v }' "$out/$1/stats.txt"; }
# same NAME NAME: the same statistics in both
same() { same_statistics "$out/$1/stats.txt" "$out/$2/stats.txt"; }
conv="$build/bench/polybench/2dconv"

# part FUNCTION: is made if its turn has come
part() { ! turn || "$1"; }

one_kernel() {
	expect "a sampled kernel's results are right" run sample --set sample.error=0.03 -- "$conv" $size
	expect "it is sampled" [ "$(stat sample sample.sampled_kernels)" = 1 ]
	expect "the interval is within the error that was allowed" awk "BEGIN {
		exit !($(stat sample sample.cycles_high) <= 1.03 * $(stat sample sample.cycles)) }"
	expect "a part is timed" awk "BEGIN { exit !($(stat sample sample.timed_share) < 0.9) }"
	expect "the interval is around it" awk "BEGIN { c = $(stat sample sample.cycles)
		exit !($(stat sample sample.cycles_low) < c && $(stat sample sample.cycles_high) > c) }"
	if [ $brief = no ]; then
		run whole -- "$conv" $size
		expect "all CTAs are timed without sample.error" [ -z "$(stat whole sample.kernels)" ]
		expect "its instructions are all" \
			[ "$(stat sample sample.threads)" = "$(stat whole gpu.thread_instructions)" ]
		expect "its time is within 3 % of the whole kernel's" awk "BEGIN {
			d = $(stat sample sample.cycles) / $(stat whole gpu.cycles) - 1; exit !(d < 0.03 && d > -0.03) }"
		run cold --set sample.error=0.03 --set sample.warming=none -- "$conv" $size
		expect "more is timed where caches are not warmed" awk "BEGIN {
			exit !($(stat cold sample.timed_share) > $(stat sample sample.timed_share)) }"
	fi

	run again --threads 2 --set sample.error=0.03 -- "$conv" $size
	expect "two host threads give the same" same sample again

	# where a policy of the L2 decides what enters it, which excludes warming
	types="--set gpu.sms=2 --set sample.error=0.03 -c +medic"
	run types $types -- "$conv" 512
	run types.cold $types --set sample.warming=none -- "$conv" 512
	expect "a kernel is sampled beside insertion by warp types" \
		[ "$(stat types sample.sampled_kernels)" = 1 ]
	expect "caches are not warmed for it" \
		[ "$(stat types sample.cycles)" = "$(stat types.cold sample.cycles)" ]

	run few --set sample.error=0.03 -- "$build/bench/polybench/atax" 128
	run few.whole -- "$build/bench/polybench/atax" 128
	expect "kernels with few CTAs are timed whole" \
		[ "$(stat few sample.cycles)" = "$(stat few.whole gpu.cycles)" ]
	expect "and none of them is sampled" [ "$(stat few sample.sampled_kernels)" = 0 ]
	# all statistics are estimated: a section before the total, which counts what was timed
	estimates() { sed -n '/# estimates of all/,/^---------- End/p' "$out/$1/stats.txt"; }
	estimates sample >"$out/estimates"
	expect "instructions are known, whatever was timed" [ "$(awk '$1 == "gpu.thread_instructions" { print $2 }' \
		"$out/estimates")" = "$(stat sample sample.threads)" ]
	expect "cycles are those of the sample" awk -v c="$(stat sample sample.cycles)" '$1 == "gpu.cycles" { found = $2 == c &&
		/\[95 %: [0-9]* to [0-9]*\]$/ } END { exit !found }' "$out/estimates"
	expect "rates have intervals, too" grep -q '^l2.miss_rate .*(ratio) \[95 %: [0-9.]* to [0-9.]*\]$' "$out/estimates"
	expect "stats.json has them" grep -q '"l2.miss_rate": \[[0-9.]*, [0-9.]*, [0-9.]*\],$' "$out/sample/stats.json"
	answers 1 'A was timed in a sample: its statistics are estimates' \
		"$lockstep" diff "$out/sample" "$out/few.whole"
	expect "nothing is estimated where all is timed" [ -z "$(estimates few)" ]
	if [ $brief = no ]; then
		# of each that is estimated, whether the interval has what the whole run counts
		awk '/^-* Begin/ { total = /# total of/ } FILENAME == ARGV[1] && total { all[$1] = $2 }
			FILENAME == ARGV[2] && match($0, /\[95 %: .*\]$/) { split(substr($0, RSTART + 7), end, /[] ]+/); n++
				held += end[1] <= all[$1] && all[$1] <= end[3] }
			END { printf "%d of %d", held, n; exit !(n > 100 && held > 0.8 * n) }' "$out/whole/stats.txt" "$out/estimates" \
			>"$out/held" && held=yes || held=no
		expect "four of five intervals hold at least, of all statistics: $(cat "$out/held")" [ $held = yes ]
	fi
}

# --sample: the same with a clear message for what it cannot mean, and a last line
commands() {
	run sample --set sample.error=0.03 -- "$conv" $size
	answers 0 'sampling: IPC [0-9.]*, 95 % interval [0-9.]* to [0-9.]*, [0-9.]* % of the warp instructions timed, 1 of 1 ' \
		"$lockstep" run $small --sample error=3% -o "$out/option" -- "$conv" $size
	tail -n 1 "$out/log" >"$out/last"
	expect "the kernel's line has the estimate" grep -q 'estimated to take [0-9]* +- [0-9]* cycles' "$out/log"
	ipc=$(stat option sample.ipc)
	expect "that line is the last" grep -q "^lockstep: sampling: IPC $(LC_ALL=C printf %.1f "$ipc"), " "$out/last"
	expect "--sample error=3% is sample.error=0.03" same sample option
	answers 0 'sampling: IPC [0-9.]*, all timed: none of the 2 kernels' \
		"$lockstep" run --sample=error=0.03 -o "" -- "$build/bench/polybench/atax" 128
	# what is timed follows from the error that is allowed
	run rough --set sample.error=0.1 -- "$conv" $size
	expect "less is timed where more error is allowed" awk "BEGIN {
		exit !($(stat rough sample.timed_share) < 0.8 * $(stat sample sample.timed_share)) }"
	for wrong in 3% error=3 error=0 error=-3% error=3%% error= error=nan err=3%; do
		answers 2 'lockstep run: --sample.*: expected the error that is allowed, more than 0 and at most 50 %' \
			"$lockstep" run --sample $wrong -- "$conv" $size
	done
	"$lockstep" record -q -o "$out/rec" -- "$conv" $size >"$out/log" 2>&1
	answers 0 'sampling: IPC .* 1 of 1 kernels sampled' \
		"$lockstep" replay $small --sample error=3% -o "$out/replay" "$out/rec"
	expect "a replay is sampled as the program is" same sample replay
	answers 0 '^sampling: 1 sampled, the others timed whole; [0-9.]* % of all warp instructions timed' \
		"$lockstep" bench run rodinia/bfs gemm --size tiny --sample error=5% --stats sm.loads -o "$out/bench"
	expect "bench run has the estimate in its table" grep -q ' +- *timed ' "$out/log"
	expect "it has the half interval of what was sampled" grep -q '^rodinia/bfs .* [0-9.]*% *[0-9.]*% ' "$out/log"
	expect "and none of what was timed whole" grep -q '^polybench/gemm .* - *100.0% ' "$out/log"
	expect "the last line names the widest interval" \
		grep -q '^sampling: .* of rodinia/bfs, +- [0-9.]* % of its IPC$' "$out/log"
	expect "bench.csv has it beside what was asked for" \
		grep -q 'sample.ipc,.*sample.timed_share,.*,sm.loads,' "$out/bench/bench.csv"

	run limit --set sample.error=0.03 --max-ctas 5 -- "$build/bench/polybench/atax" 128
	expect "a limit of timing is refused" grep -q 'sample.error = 0.03: .*gpu.timing_limit' "$out/log"
}

# launches that repeat earlier ones: estimated, with right results, and near what all of them take
repeated_launches() {
	repeat="$build/bench/polybench/3dconv 64 64 64"
	run launches.whole -- $repeat
	expect "a program whose launches repeat has right results" \
		run launches --set sample.error=0.03 -- $repeat
	expect "most of them are not timed" awk "BEGIN { exit !($(stat launches sample.repeated_kernels) > 30) }"
	expect "and their instructions are all there" \
		[ "$(stat launches sample.threads)" = "$(stat launches.whole gpu.thread_instructions)" ]
	expect "their launches are marked" grep -q '^50,[^,]*,0,[0-9x]*,[0-9x]*,repeated,done,' "$out/launches/launches.csv"
	expect "lockstep diff reads them" sh -c "'$lockstep' diff '$out/launches' '$out/launches' >/dev/null"
	run launches.again --threads 2 --set sample.error=0.03 -- $repeat
	expect "two host threads give the same repeated launches" same launches launches.again
	run different --set sample.error=0.1 -- "$build/bench/rodinia/lud" --size tiny
	expect "of launches of three kernels only those of one repeat, whose grid is always the same" \
		[ "$(stat different sample.repeated_kernels)" = 2 ]
}

# launches that differ: what is executed without timing is timed after all if it is unlike those before
launches_that_differ() {
	expect "a program whose launches differ has right results" "$lockstep" run -q --sample error=3% -o "$out/undone" \
		-- "$build/bench/rodinia/bfs" 8192
	expect "some are timed after all" [ "$(stat undone sample.undone_kernels)" -gt 0 ]
	"$lockstep" run -q -o "$out/undone.whole" -- "$build/bench/rodinia/bfs" 8192 >"$out/log" 2>&1
	expect "all instructions are there, once" \
		[ "$(stat undone sample.threads)" = "$(stat undone.whole gpu.thread_instructions)" ]
	expect "those with timing and without, too" [ $(($(stat undone gpu.thread_instructions) + \
		$(stat undone gpu.untimed_thread_instructions))) = "$(stat undone sample.threads)" ]
	expect "and the interval has their time" awk "BEGIN { c = $(stat undone.whole gpu.cycles)
		exit !($(stat undone sample.cycles_low) <= c && c <= $(stat undone sample.cycles_high)) }"
}

entry=paces
paces() { # NAME STRIDE WORDS MORE FAULT OPTION...
	name=$1 stride=$2 words=$3 more=$4 fault=$5
	shift 5
	"$lockstep" launch tests/sampling/paces.ptx $entry --grid 4 --block 128 --arg 'u32[512]=zero' \
		--arg 'u32[16384]=random(3)' --arg u32=20000 --arg "u32=$stride" --arg "u32=$words" \
		--arg "u32=$more" --arg "u32=$fault" \
		--save "0:$out/$name.bin" --set gpu.sms=4 --set sample.error=0.05 -q -o "$out/$name" "$@"
}
# long kernels all of whose CTAs are on the machine are sampled by intervals, from a cycle on, if CTAs are equally
# fast, and their warps have come apart
long_kernels() {
	expect "a kernel with four CTAs at the same pace runs" paces even.whole 1 1024 8 0
	expect "it is shorter than sample.long_kernel" [ "$(stat even.whole sample.sampled_kernels)" = 0 ]
	expect "with another sample.long_kernel it runs, too" \
		paces even 1 1024 8 0 --set sample.long_kernel=600000
	expect "it is long then, and sampled" [ "$(stat even sample.sampled_kernels)" = 1 ]
	expect "as many cycles as that are timed, and not all" awk -v timed="$(stat even sample.timed_cycles)" \
		-v all="$(stat even.whole gpu.cycles)" 'BEGIN { exit !(timed > 600000 && timed < all) }'
	expect "and its results are the same" cmp "$out/even.bin" "$out/even.whole.bin"
	expect "the interval has its time" awk "BEGIN { c = $(stat even.whole gpu.cycles)
		exit !($(stat even sample.cycles_low) <= c && c <= $(stat even sample.cycles_high)) }"
	paces exact 1 1024 8 0 --set sample.long_kernel=600000 --set sample.error=0.04
	expect "4 % is less than such an interval has" [ "$(stat exact sample.sampled_kernels)" = 0 ]
	paces never 1 1024 8 0 --set sample.long_kernel=0
	expect "sample.long_kernel=0 excludes them" [ "$(stat never sample.sampled_kernels)" = 0 ]
}

# those whose CTAs are not equally fast, or whose warps are in step, are not; others have warps that go on to
# another loop
uneven_kernels() {
	for fragile in "CTAs at two paces:32 16384 8" "CTAs whose warps are in step:1 1024 0"; do
		# shellcheck disable=SC2086
		paces fragile ${fragile#*:} 0 --set sample.long_kernel=600000
		expect "four ${fragile%:*} are timed whole" [ "$(stat fragile sample.sampled_kernels)" = 0 ]
	done
	# a warp that does not come past the instruction at which it was: its CTA leaves its SM and comes back
	entry=phases
	paces phases.whole 1 1024 8 0
	expect "with two loops it runs, too" paces phases 1 1024 8 0 --set sample.long_kernel=600000
	entry=paces
	expect "it is sampled" [ "$(stat phases sample.sampled_kernels)" = 1 ]
	expect "and its results are the same" cmp "$out/phases.bin" "$out/phases.whole.bin"
	expect "the interval has its time" awk "BEGIN { c = $(stat phases.whole gpu.cycles)
		exit !($(stat phases sample.cycles_low) <= c && c <= $(stat phases sample.cycles_high)) }"
	answers 1 'paces.ptx:[0-9]*: device fault: .* 4 bytes at 0x10; .* (kernel paces, CTA 2,0,0, thread 77,0,0)$' \
		paces fault 1 1024 8 2000 --set sample.long_kernel=600000
}

# an L2 of two halves is warmed, too
halves() {
	volume="$build/bench/polybench/3dconv 32 128 64"
	"$lockstep" run -q -c h200 --set gpu.sms=8 --set sample.error=0.03 -o "$out/halves" -- $volume >"$out/log" 2>&1
	expect "launches are skipped on a machine whose L2 has halves" \
		[ "$(stat halves sample.repeated_kernels)" -gt 10 ]
	"$lockstep" run -q -c h200 --set gpu.sms=8 -o "$out/halves.all" -- $volume >"$out/log" 2>&1
	expect "and the interval has its time" awk "BEGIN { c = $(stat halves.all gpu.cycles)
		exit !($(stat halves sample.cycles_low) <= c && c <= $(stat halves sample.cycles_high)) }"
}

launches() {
	repeated_launches
	launches_that_differ
	halves
}

part one_kernel
part commands
part launches
part long_kernels
part uneven_kernels
[ $brief = no ] || finish

# where much is allowed for the interval is wide, a note says so, and no time is less than what was timed of it
answers 0 'note: sampling: the interval is wide (+- [0-9]* %)' "$lockstep" run --sample error=40% \
	$small -o "$out/wide" -- "$conv" $size
expect "the interval's lower end is what was timed at least" awk -v low="$(stat wide sample.cycles_low)" \
	-v timed="$(stat wide sample.timed_cycles)" 'BEGIN { exit !(timed > 0 && low >= timed) }'

# what a launch that is measured says of those skipped before it can be more than it takes itself
run corrected --set sample.error=0.03 -- "$build/bench/rodinia/gaussian" 100
expect "no launch is estimated to take less than nothing" awk '$1 == "sample.cycles" && $2 > 1e12 { bad = 1 }
	END { exit bad }' "$out/corrected/stats.txt"

# a sweep takes the estimates, with the ends of their intervals, and its report says so
cat >"$out/sampled.yaml" <<'END'
workloads: [{name: polybench/2dconv, arguments: [1024]}, {name: polybench/atax, arguments: [64, 64]}]
set: {sample.error: 0.03, gpu.sms: 2, l2.sets: 8}
report:
  - {figure: table, values: [gpu.thread_instructions, "l2.reads::low95", l2.reads, "l2.reads::high95"]}
END
expect "a sweep of samples runs" "$lockstep" sweep "$out/sampled.yaml" -o "$out/sampled.db"
answers 0 '^Of 1 run a sample was timed.*interval of their cycles is at most [0-9.]* % (polybench/2dconv)' \
	"$lockstep" report "$out/sampled.db" --print
expect "a value is between the ends of its interval" awk '$1 == "polybench/2dconv" { found = $(NF - 2) < $(NF - 1) && $(NF - 1) < $NF }
	END { exit !found }' "$out/log"
expect "what is timed whole has no interval" grep -q '^polybench/atax .* - .* -$' "$out/log"

# the same of a workload, with SMs that run in step and two host threads
long="$build/bench/polybench/corr --size small"
machine=$small small=
run intervals --set sample.long_kernel=20000 --set sample.error=0.05 -- $long
expect "a long kernel is sampled by intervals, and its results are right" \
	[ "$(stat intervals sample.sampled_kernels)" = 1 ]
run intervals.steps --set gpu.window=1 --threads 2 --set sample.long_kernel=20000 --set sample.error=0.05 -- $long
expect "SMs in step and two host threads give the same intervals" same intervals intervals.steps
run intervals.whole -- $long
expect "all of its instructions are there" \
	[ "$(stat intervals sample.threads)" = "$(stat intervals.whole gpu.thread_instructions)" ]
expect "and each CTA once" awk "BEGIN { exit !($(stat intervals gpu.ctas) + $(stat intervals gpu.untimed_ctas) == \
	$(stat intervals.whole gpu.ctas)) }"
expect "its time is within 3 % of that of all" awk "BEGIN {
	d = $(stat intervals sample.cycles) / $(stat intervals.whole gpu.cycles) - 1; exit !(d < 0.03 && d > -0.03) }"
# intervals against the time of all CTAs and launches; FULL=1: of workloads at the size repro
# processor time of the simulation, with timing and without
seconds() { sed -n 's/.*processor time: \([0-9.]*\) s.*/\1/p
	s/.*processor time [0-9.]* s with timing and \([0-9.]*\) s without$/\1/p' "$out/log" | awk '{ s += $1 } END { print s }'; }
: >"$out/table"
covers() { # PROGRAM...
	"$lockstep" run $machine --sample error=3% -o "$out/estimated" -- "$@" >"$out/log" 2>&1 || not_ok "$1: $(log_tail)"
	took=$(seconds)
	[ "$(stat estimated sample.sampled_kernels)" != 0 ] || return 0
	"$lockstep" run $machine -o "$out/all" -- "$@" >"$out/log" 2>&1 || not_ok "$1: $(log_tail)"
	awk -v name="${1##*/}" -v all="$(stat all gpu.cycles)" -v estimated="$(stat estimated sample.cycles)" \
		-v low="$(stat estimated sample.cycles_low)" -v high="$(stat estimated sample.cycles_high)" \
		-v share="$(stat estimated sample.timed_share)" -v before="$(seconds)" -v after="$took" 'BEGIN {
		printf "%s %d %d %+.2f %.2f %s %.1f %.1f\n", name, all, estimated, 100 * (estimated / all - 1),
			50 * (high - low) / estimated, low <= all && all <= high ? "holds" : "misses", 100 * share,
			(after + 0 ? before / after : 1) }' >>"$out/table"
}
if [ -n "${FULL:-}" ]; then
	machine=
	for name in $("$lockstep" bench list | awk '$1 ~ "/" && $1 !~ "^ai/" && NF == 1 { print $1 }'); do
		covers "$build/bench/$name" --size repro
	done
else
	covers "$build/bench/polybench/3dconv" 64 64 64
	covers "$build/bench/polybench/2dconv" $size
	covers "$build/bench/rodinia/gaussian" 64
	covers "$build/bench/sdk/vectoradd" 1000000
	covers "$build/bench/parboil/stencil" 128 128 32 2
fi
sum=$(awk '{ runs++; held += $6 == "holds"; error += $4 < 0 ? -$4 : $4; speed += log($8) }
	END { printf "%d runs, %d intervals hold, mean error %.2f %%, mean speed-up %.1f", runs, held,
		error / runs, exp(speed / runs) }' "$out/table")
expect "programs are sampled: $sum" [ -s "$out/table" ]
expect "the mean error is at most 3 %: $sum" awk '{ n++; e += $4 < 0 ? -$4 : $4 } END { exit !(e / n <= 3) }' "$out/table"
expect "three of four intervals hold at least: $sum" \
	awk '{ n++; h += $6 == "holds" } END { exit !(h >= 0.75 * n) }' "$out/table"
[ "$failed" = 0 ] && [ -z "${FULL:-}" ] || {
	echo "workload, cycles, estimate, error (%), half the interval (%), timed (%), times as fast:"
	cat "$out/table"
}
finished=yes
echo "$passed passed, $failed failed"
echo "sampling: $sum"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
