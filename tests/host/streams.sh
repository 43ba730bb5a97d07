#!/bin/sh
# tests/host/streams.sh BUILD -- streams*.c built against our own cuda.h and run on our own libcuda.so.1: with one and with two copy
# engines, with and without timing; programs that end without waiting; the same statistics from the same program. Under the sanitizers nothing twice.
set -u
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# compile NAME parts...
compile() {
	name=$1; shift
	${CC:-gcc} -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror ${SANITIZE:-} -Ihost -o "$work/$name" "tests/host/$name.c" "$@" \
		tests/host/streams_random.c -L"$build/lib" -Wl,-rpath-link,"$build/lib" -lcuda -lpthread || exit 1
}
compile streams tests/host/streams_copies.c tests/host/streams_calls.c
compile streams_leave

# run LABEL STATUS PROGRAM ARGUMENT environment...
run() {
	label=$1; status=$2; program=$3; argument=$4; shift 4
	env LOCKSTEP_OUT="$work/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$@" "$work/$program" "$argument" >"$work/log" 2>&1
	got=$?
	if [ "$got" = "$status" ]; then passed=$((passed + 1)); return; fi
	failed=$((failed + 1)); echo "not ok: streams, $label: status $got, not $status"; tail -n 20 "$work/log"
}

# yes LABEL command...
yes() {
	label=$1; shift
	if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not ok: streams, $label"; cat "$work/log"; fi
}

run "one copy engine" 0 streams 1 LOCKSTEP_CONFIG=configs/gtx480.yaml
run "two copy engines" 0 streams 2 LOCKSTEP_SET=gpu.copy_engines=2
run "under a limiter that follows kernels" 0 streams 2 LOCKSTEP_SET="gpu.copy_engines=2
sm.limiter.policy=dwtcs
sm.limiter.dwtcs.period=50
sm.limiter.dwtcs.mpki=0
sm.limiter.dwtcs.detect=1
sm.limiter.dwtcs.sample=1"
[ -n "${SANITIZE:-}" ] || run "values only" 0 streams 1 LOCKSTEP_FUNCTIONAL=1
run "values only, two copy engines" 0 streams 2 LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_SET=gpu.copy_engines=2

# what is queued at the end still runs, and is counted
kernels() { grep -c "\"outcome\": \"$1\"" "$work/out/stats.json"; }
run "the end of main" 0 streams_leave leave
yes "three kernels after the end of main" [ "$(kernels done)" = 3 ]
run "the end in a function" 3 streams_leave call
yes "of four kernels one before the end in a function" [ "$(kernels done)" = 1 ]
run "the end after a fault" 0 streams_leave fault
yes "the fault at the end" [ "$(kernels fault)" -ge 1 ]

# the same program, the same statistics; kernels one at a time give the same values
run "random operations" 0 streams_leave alike
cp "$work/out/stats.txt" "$work/first"
if [ -z "${SANITIZE:-}" ]; then
	run "random operations again" 0 streams_leave alike
	yes "the same statistics twice" cmp "$work/first" "$work/out/stats.txt"
fi
run "random operations, kernels one at a time" 0 streams_leave alike LOCKSTEP_SET=gpu.max_kernels=1

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
