#!/bin/sh
# tests/cli/functional.sh BUILD -- time in runs without timing: events take none, which is said, or with
# functional.clock=peak what the instructions take at the chip's peak rate.
. tests/lib.sh
compile launches tests/host/launches/many_launches.c
run() {
	to=$1
	shift
	"$lockstep" run -o "$out/$to" "$@" >"$out/log" 2>&1
}
atax=$build/bench/polybench/atax
said='^lockstep: the program read times of events, which are 0 without timing: .*functional.clock=peak'
milliseconds() { sed -n 's/.*kernel time \([0-9.]*\) ms.*/\1/p' "$out/log"; }

expect "a program that reads times of events" run none -f -- "$atax" 130 70
expect "they are 0" [ "$(milliseconds)" = 0.000000 ]
expect "that is said" [ "$(grep -c "$said" "$out/log")" = 1 ]
expect "with timing it is not" sh -c '"$1" run -o "" -- "$2" 130 70 >"$3" 2>&1 && ! grep -q "times of events" "$3"' - \
	"$lockstep" "$atax" "$out/log"
expect "nor of a program that reads none" sh -c '"$1" run -f -o "" -- "$2" 5 >"$3" 2>&1 && ! grep -q "times of events" "$3"' - \
	"$lockstep" "$out/launches" "$out/log"

# 15 SMs, each with 2 schedulers of one warp instruction a cycle, at 700 MHz; each kernel takes whole cycles
expect "the same with a clock" run peak -f --set functional.clock=peak -- "$atax" 130 70
expect "nothing is said then" sh -c '! grep -q "times of events" "$1"' - "$out/log"
want=$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "thread_instructions") c = i; next }
	{ cycles += int(($c + 959) / 960) } END { printf "%.6f", cycles / 700e3 }' "$out/peak/launches.csv")
expect "the time is that of the instructions at the peak rate: $(milliseconds) ms, $want" awk -v a="$(milliseconds)" \
	-v b="$want" 'BEGIN { d = a - b; exit !(b > 0 && d < 0.000005 && d > -0.000005) }'
for file in none peak; do
	grep -v -e '^#' -e '^stream.*busy' "$out/$file/stats.txt" >"$out/$file.stats"
done
expect "nothing else changes" cmp "$out/none.stats" "$out/peak.stats"
expect "in a run with timing the clock changes nothing" run timed -- "$atax" 130 70
run set --set functional.clock=peak -- "$atax" 130 70
grep -v '^#' "$out/timed/stats.txt" >"$out/timed.stats"
grep -v '^#' "$out/set/stats.txt" >"$out/set.stats"
expect "not one statistic" cmp "$out/timed.stats" "$out/set.stats"
refuses "functional.clock = fast: expected one of none, peak" "$lockstep" run -f -o "" --set functional.clock=fast -- "$atax" 8 8


# functional.order: CTAs one after the other, or in turns, whose order the seed gives and a repetition repeats
compile order tests/host/launches/order_of_turns.c
order() { "$lockstep" run -q -f -o "" "$@" -- "$out/order" 30 4 2>&1; }
in_turns="--set functional.order=interleaved"
order >"$out/sequential"
expect "CTA 0 ends first: few see others" grep -qE '^[0-9] of 120 saw|^[1-3][0-9] of 120 saw' "$out/sequential"
for seed in 1 2 3; do
	order $in_turns --seed $seed >"$out/seed$seed"
	expect "seed $seed: most see others" grep -qE '^(9[0-9]|1[0-2][0-9]) of 120 saw' "$out/seed$seed"
	order $in_turns --seed $seed >"$out/again"
	expect "seed $seed: again the same" cmp "$out/seed$seed" "$out/again"
	order --seed $seed >"$out/again"
	expect "seed $seed: it does not matter without" cmp "$out/sequential" "$out/again"
done
expect "each seed its order" [ "$(cat "$out"/seed? | sort -u | wc -l)" = 3 ]
timed() { "$lockstep" run -q -o "" "$@" -- "$out/order" 30 4 2>&1; }
expect "with timing it changes nothing" [ "$(timed)" = "$(timed $in_turns)" ]
for workload in polybench/gemm sdk/reduction rodinia/bfs parboil/histo; do
	answers 0 PASS "$lockstep" run -q -f -o "" $in_turns -- "$build/bench/$workload" --size tiny
done
answers 0 PASS "$lockstep" run -q -f -c h200 -o "" $in_turns -- "$build/bench/ai/gemm-cluster" --size tiny
refuses "functional.order = random: expected one of sequential, interleaved" order --set functional.order=random
finish
