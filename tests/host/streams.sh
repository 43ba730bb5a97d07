#!/bin/sh
# tests/host/streams.sh BUILD -- streams.c and its parts built against our own cuda.h and run on our own libcuda.so.1: with one and
# with two copy engines, with and without timing, with kernels one at a time.
set -u
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror ${SANITIZE:-} -Ihost -o "$work/streams" tests/host/streams.c tests/host/streams_*.c -L"$build/lib" \
	-Wl,-rpath-link,"$build/lib" -lcuda -lpthread || exit 1

# run LABEL ENGINES environment...
run() {
	label=$1; engines=$2; shift 2
	if env LOCKSTEP_OUT="$work/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$@" "$work/streams" "$engines" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1)); echo "not ok: streams, $label"; tail -n 20 "$work/log"
	fi
}
run "one copy engine" 1 LOCKSTEP_CONFIG=configs/gtx480.yaml
run "two copy engines" 2 LOCKSTEP_SET=gpu.copy_engines=2
run "values only" 1 LOCKSTEP_FUNCTIONAL=1
run "values only, two copy engines" 2 LOCKSTEP_FUNCTIONAL=1 LOCKSTEP_SET=gpu.copy_engines=2

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
