#!/bin/sh
# tests/host/streams/waits_without_calls.sh BUILD -- programs that wait for the device without calling it: for
# memory that it writes, for functions that streams run, by asking in a loop, with threads. Each ends, and has
# the statistics of a program that waits by a call; where it cannot, stats.txt says so.
. tests/lib.sh
compile waits tests/host/streams/waits_without_calls.c
LOCKSTEP_PATIENCE=0.05
export LOCKSTEP_PATIENCE

# waits CASE [STATUS PATTERN]: into $out/CASE
waits() {
	answers "${2:-0}" "${3:-PASS}" timeout 1200 "$lockstep" run -q -o "$out/$1" -- "$out/waits" \
		tests/host/streams/waits_without_calls.ptx "$1"
}
# the statistics without what says who made them
figures() { grep -v '^#' "$out/$1/stats.txt"; }
same_as_calling() {
	figures calling >"$out/expected"
	figures "$1" | cmp - "$out/expected"
}

waits calling
for case in spinning sleeping function function-spinning; do
	waits $case
	expect "$case: the statistics of waiting by a call" same_as_calling $case
	expect "$case: no note" sh -c '! grep -q "^# note" "$1"' - "$out/$case/stats.txt"
done

for case in function-signals talk talk-query talk-event fork leave; do waits $case; done
expect "both kernels after the end of main" [ "$(total leave gpu.kernels)" = 2 ]

# asking takes simulated time, and as much of it in every run
figures talk-query >"$out/expected"
waits talk-query
figures talk-query >"$out/again"
expect "asking twice, the same statistics" cmp "$out/again" "$out/expected"

# work that comes when the program was no longer awaited
noted() { grep -q "^# note: $2" "$out/$1/stats.txt" && grep -q "\"notes\": \\[\"$2" "$out/$1/stats.json"; }
waits then-queue
expect "the note says as if by a call" noted then-queue "the program made no call for a while"
figures then-queue >"$out/expected"
waits then-wait
figures then-wait >"$out/log"
expect "the statistics are as if by a call" cmp "$out/log" "$out/expected"
waits talk-copy
expect "the note says not repeatable" noted talk-copy "statistics may differ from run to run"
expect "it is the third line" sh -c "sed -n 3p '$out/talk-copy/stats.txt' | grep -q '^# note: '"

waits interrupted 130 'interrupted: '
expect "both kernels are there" [ "$(grep -c ',interrupted,' "$out/interrupted/launches.csv")" = 2 ]
# ThreadSanitizer has a thread of its own that might change memory
case $build in *thread*) ;; *)
	waits hangs 70 'device fault: hang'
	expect "the function is told" grep -q '^status 702$' "$out/log"
	;;
esac

# runtime API: the shape of cuda-samples' simpleCallback
gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror ${SANITIZE:-} tests/runtime/callbacks.c -o "$out/callbacks" \
	-L"$build/lib" -l:libcudart.so.13 -Wl,-rpath-link,"$build/lib" -lpthread ||
	not_ok "compile callbacks.c"
for run in 1 2 3; do
	answers 0 PASS timeout 1200 "$lockstep" run -q -o "$out/callbacks-run" -- "$out/callbacks"
	expect "threads, streams and callbacks: run $run" [ -s "$out/callbacks-run/stats.txt" ]
	cp "$out/callbacks-run/stats.txt" "$out/callbacks$run"
done
expect "the same statistics" cmp "$out/callbacks1" "$out/callbacks2"
expect "the same statistics, again" cmp "$out/callbacks1" "$out/callbacks3"
finish
