#!/bin/sh
# tests/host/streams/values_in_memory.sh BUILD -- values_in_memory.c: streams that wait for values in memory
# and write them; a wait that nobody can fulfil ends with a sentence.
. tests/lib.sh
compile values tests/host/streams/values_in_memory.c
LOCKSTEP_PATIENCE=0.05
export LOCKSTEP_PATIENCE

values() { timeout 1200 "$lockstep" run -q -o "" "$@"; }
answers 0 PASS values -- "$out/values" values
answers 0 PASS values --functional -- "$out/values" values
answers 0 PASS values -- "$out/values" host
answers 0 PASS values -- "$out/values" hangs
expect "the hang is told" grep -q 'hang: stream .* waits for a value at 0x2.*, which is 0; nothing' "$out/log"
answers 0 PASS values -- "$out/values" graph
expect "a graph that hangs is told" grep -q 'hang: a graph waits for a value at 0x2.*, which is 0; nothing' "$out/log"
answers 0 PASS values -- "$out/values" leaves
expect "so is the end" grep -q 'the program has ended while a stream waits for a value at 0x2' "$out/log"
finish
