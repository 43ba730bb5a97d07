#!/bin/sh
# tests/ptx/math/run.sh BUILD -- the compiler's math library, executed: needs nvcc for the PTX.
set -u
build=${1:-build}
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null 2>&1 || { echo "skipped: no nvcc here to compile the math library with"; exit 0; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
nvcc -ptx -arch=sm_75 tests/ptx/math/math.cu -o "$out/math.ptx" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
LD_LIBRARY_PATH="$build/lib" LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" LOCKSTEP_FUNCTIONAL=1 "$build/tests/math" "$out/math.ptx" >"$out/log" 2>&1 ||
	{ cat "$out/log"; exit 1; }
echo "1 passed, 0 failed"
