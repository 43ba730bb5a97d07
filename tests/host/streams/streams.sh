#!/bin/sh
# tests/host/streams/streams.sh BUILD -- streams*.c built against our own cuda.h and run on our own
# libcuda.so.1: with one and with two copy engines, with and without timing; programs that end without
# waiting; the same statistics from the same program. Under the sanitizers nothing twice.
. tests/lib.sh

here=tests/host/streams
compile streams $here/streams.c $here/streams_copies.c $here/streams_calls.c $here/streams_random.c
compile streams_leave $here/streams_leave.c $here/streams_random.c

# run LABEL STATUS PROGRAM ARGUMENT environment...
run() {
	label=$1 status=$2 program=$3 argument=$4
	shift 4
	env LOCKSTEP_OUT="$out/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$@" "$out/$program" \
		"$argument" \
		>"$out/log" 2>&1
	got=$?
	if [ "$got" = "$status" ]; then ok; else
		not_ok "$label: status $got, not $status"
		log_tail 20
	fi
}

# with the limiter this is done once more, and without timing
if ! left_out; then
	run "one copy engine" 0 streams 1 LOCKSTEP_CONFIG=configs/gtx480.yaml
	run "two copy engines" 0 streams 2 LOCKSTEP_SET=gpu.copy_engines=2
fi
run "under a limiter that follows kernels" 0 streams 2 LOCKSTEP_SET="gpu.copy_engines=2
sm.limiter.policy=dwtcs
sm.limiter.dwtcs.period=50
sm.limiter.dwtcs.mpki=0
sm.limiter.dwtcs.detect=1
sm.limiter.dwtcs.sample=1"
left_out || run "values only" 0 streams 1 LOCKSTEP_FUNCTIONAL=1
run "values only, two copy engines" 0 streams 2 LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_SET=gpu.copy_engines=2

# what is queued at the end still runs, and is counted
kernels() { grep -c ",$1," "$out/out/launches.csv"; }
run "the end of main" 0 streams_leave leave
expect "three kernels after the end of main" [ "$(kernels done)" = 3 ]
run "the end in a function" 3 streams_leave call
expect "of four kernels one before the end in a function" [ "$(kernels done)" = 1 ]
run "the end after a fault" 0 streams_leave fault
expect "the fault at the end" [ "$(kernels fault)" -ge 1 ]

# the same program, the same statistics; kernels one at a time give the same values
run "random operations" 0 streams_leave alike
cp "$out/out/stats.txt" "$out/first"
if ! left_out; then
	run "random operations again" 0 streams_leave alike
	expect "the same statistics twice" cmp "$out/first" "$out/out/stats.txt"
fi
run "random operations, kernels one at a time" 0 streams_leave alike LOCKSTEP_SET=gpu.max_kernels=1

finish
