#!/bin/sh
# tests/sampling.sh BUILD -- sample.error: the results of a kernel whose CTAs are timed in part are those of all of
# it, the estimate of its time is near the time, and repeats to the last digit; what cannot be sampled is timed whole.
. tests/lib.sh
size=1024
sanitized && size=800

# run NAME OPTION... -- PROGRAM...
run() {
	name=$1
	shift
	"$lockstep" run -q -o "$out/$name" "$@" >"$out/log" 2>&1
}
# The last value of a statistic of NAME
stat() { awk -v n="$2" '$1 == n { v = $2 } END { print v }' "$out/$1/stats.txt"; }
conv="$build/bench/polybench/2dconv"

run whole -- "$conv" $size
expect "all CTAs are timed without sample.error" [ -z "$(stat whole sample.kernels)" ]
expect "a sampled kernel's results are right" run sample --set sample.error=0.03 -- "$conv" $size
expect "the kernel's line has the estimate" sh -c \
	"'$lockstep' run --set sample.error=0.03 -o '' -- '$conv' $size 2>&1 | grep -q 'estimated to take [0-9]* +- [0-9]* cycles'"
expect "it is sampled" [ "$(stat sample sample.sampled_kernels)" = 1 ]
expect "a part is timed" awk "BEGIN { exit !($(stat sample sample.timed_share) < 0.9) }"
expect "its instructions are all" [ "$(stat sample sample.threads)" = "$(stat whole gpu.thread_instructions)" ]
expect "its time is within 3 % of the whole kernel's" awk "BEGIN {
	d = $(stat sample sample.cycles) / $(stat whole gpu.cycles) - 1; exit !(d < 0.03 && d > -0.03) }"
expect "the interval is around it" awk "BEGIN { exit !($(stat sample sample.cycles_low) < $(stat sample sample.cycles) &&
	$(stat sample sample.cycles_high) > $(stat sample sample.cycles)) }"

run again --threads 2 --set sample.error=0.03 -- "$conv" $size
grep -v '^# ' "$out/sample/stats.txt" >"$out/one"
grep -v '^# ' "$out/again/stats.txt" >"$out/two"
expect "two host threads give the same" cmp "$out/one" "$out/two"

run few --set sample.error=0.03 -- "$build/bench/polybench/atax" 128
run few.whole -- "$build/bench/polybench/atax" 128
expect "kernels with few CTAs are timed whole" [ "$(stat few sample.cycles)" = "$(stat few.whole gpu.cycles)" ]
expect "and none of them is sampled" [ "$(stat few sample.sampled_kernels)" = 0 ]
run limit --set sample.error=0.03 --max-ctas 5 -- "$build/bench/polybench/atax" 128
expect "a limit of timing is refused" grep -q 'sample.error = 0.03: .*gpu.timing_limit' "$out/log"
finish
