#!/bin/sh
# tests/host/streams/many_threads.sh BUILD -- programs whose threads all queue work: the same statistics in
# every run, however the host schedules them; a sentence at the top where that cannot be.
. tests/lib.sh
compile several tests/host/streams/many_threads.c
several() { timeout 1200 "$lockstep" run -q -o "$out/run" -- "$out/several" tests/host/streams/waits_without_calls.ptx "$@"; }

runs="1 2 3"
! sanitized || full || runs="1 3"
for case in plain barrier handed; do
	for run in $runs; do
		answers 0 PASS env LOCKSTEP_PATIENCE=600 timeout 1200 "$lockstep" run -q -o "$out/run" -- \
			"$out/several" tests/host/streams/waits_without_calls.ptx $case
		cp "$out/run/stats.txt" "$out/$case$run"
	done
	[ "$runs" = "1 3" ] || expect "$case: the same statistics" cmp "$out/${case}1" "$out/${case}2"
	expect "$case: the same statistics again" cmp "$out/${case}1" "$out/${case}3"
	expect "$case: 64 kernels" [ "$(total run gpu.kernels)" = 64 ]
	expect "$case: one note" [ "$(grep -c '^# note: ' "$out/${case}1")" = 1 ]
	expect "$case: the note" grep -q '^# note: several threads .* same in every run if' "$out/${case}1"
done

# a thread that sleeps for longer than the others wait; threads that wait for each other without sleeping
LOCKSTEP_PATIENCE=0.05
export LOCKSTEP_PATIENCE
for case in late spinning; do
	answers 0 '^lockstep: statistics may differ from run to run: simulated time did not' several $case
	expect "$case: it is said once" [ "$(grep -c 'may differ' "$out/log")" = 1 ]
	expect "$case: it is at the top" grep -q '^# note: statistics may differ' "$out/run/stats.txt"
	expect "$case: it is in JSON" grep -q '"notes": \[.*"statistics may differ' "$out/run/stats.json"
done
finish
