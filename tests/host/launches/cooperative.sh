#!/bin/sh
# tests/host/launches/cooperative.sh BUILD -- cooperative.c built against our own cuda.h and run: with timing,
# with every dispatch order, with queues of size 1, and without timing.
. tests/lib.sh
compile cooperative tests/host/launches/cooperative.c
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" LOCKSTEP_OUT="$out/out"

expect "timed" "$out/cooperative"
left_out ||
	expect "kernels in turn" env LOCKSTEP_SET=gpu.dispatch.kernels=round_robin "$out/cooperative"
left_out ||
	expect "an SM after the other" env LOCKSTEP_SET=gpu.dispatch.policy=fill "$out/cooperative"
expect "every queue of size 1" env LOCKSTEP_CONFIG=tests/configs/torture.yaml "$out/cooperative"
expect "values only" env LOCKSTEP_FUNCTIONAL=1 "$out/cooperative"
finish
