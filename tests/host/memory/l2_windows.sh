#!/bin/sh
# tests/host/memory/l2_windows.sh BUILD -- l2_windows.c built against our own cuda.h: what access policy
# windows keep in the part of an L2 of 256 KB that is set aside, also by way of a recording; a chip without
# such a part; the same statistics by 1 and 2 threads.
. tests/lib.sh
compile windows tests/host/memory/l2_windows.c
machine="-c ga100 --set gpu.sms=4 --set gpu.partitions=4 --set l2.sets=32"

# check WAY HITS: so many of the 256 lines of the second reading were found to persist
check() {
	answers 0 PASS "$lockstep" run -q $machine -o "$out/run" -- "$out/windows" "$1"
	hits=$(total run l2.persisting.hits)
	case $2 in
	all) expect "$1: all lines persist, hits: $hits" [ "$hits" -ge 256 ] ;;
	*) expect "$1: $2 hits, not $hits" [ "$hits" = "$2" ] ;;
	esac
	misses=$(total run l2.misses)
}
check none 0
lost=$misses
for way in stream capture node launch; do
	check $way all
	expect "$way: fewer misses, $misses of $lost" [ "$misses" -le $((lost - 200)) ]
done
check no-limit 0
check reset 0
check normal 0
expect "after reset and normal nothing is kept: $misses of $lost" [ "$misses" -ge "$lost" ]

answers 0 PASS "$lockstep" record -q $machine -o "$out/windows.recording" -- "$out/windows" stream
expect "replay" "$lockstep" replay -q $machine -o "$out/replay" "$out/windows.recording"
expect "a recording has the window" [ "$(total replay l2.persisting.hits)" -ge 256 ]
answers 0 PASS "$lockstep" record -q $machine -o "$out/windows.recording" -- "$out/windows" reset
expect "replay" "$lockstep" replay -q $machine -o "$out/replay" "$out/windows.recording"
expect "a recording has the reset" [ "$(total replay l2.persisting.hits)" = 0 ]

for threads in 1 2; do
	answers 0 PASS "$lockstep" run -q $machine --threads $threads -o "$out/by$threads" -- \
		"$out/windows" stream
	grep -v '^#\|host\|seconds' "$out/by$threads/stats.txt" >"$out/of$threads"
done
expect "1 and 2 threads" cmp "$out/of1" "$out/of2"
answers 0 PASS "$lockstep" run -q -c gtx480 -o "$out/run" -- "$out/windows" stream
expect "a chip without: no such statistics" sh -c "! grep -q persisting '$out/run/stats.txt'"
finish
