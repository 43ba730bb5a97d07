#!/bin/sh
# tests/host/streams/graphs.sh BUILD -- graphs.c built against our own cuda.h and run, with timing and
# without; the same statistics from the same graphs; graph_updates.c: what instantiated graphs may take over
# from others.
. tests/lib.sh
compile graphs tests/host/streams/graphs.c
compile updates tests/host/streams/graph_updates.c
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" LOCKSTEP_OUT="$out/out"

expect "timed" "$out/graphs" timed
cp "$out/out/stats.txt" "$out/first"
expect "timed again" "$out/graphs" timed
expect "the same statistics twice" cmp "$out/first" "$out/out/stats.txt"
expect "every queue of size 1" env LOCKSTEP_CONFIG=tests/configs/torture.yaml "$out/graphs"
expect "values only" env LOCKSTEP_FUNCTIONAL=1 "$out/graphs"
expect "updates of instantiated graphs" env LOCKSTEP_FUNCTIONAL=1 "$out/updates"
finish
