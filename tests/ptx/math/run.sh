#!/bin/sh
# tests/ptx/math/run.sh BUILD -- the compiler's math library, executed: needs nvcc for the PTX.
. tests/lib.sh
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null 2>&1 || skip_all "there is no nvcc here to compile the math library with"
expect "math.cu is compiled" nvcc -ptx -arch=sm_75 tests/ptx/math/math.cu -o "$out/math.ptx"
expect "the math library" env LD_LIBRARY_PATH="$build/lib" LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" \
	LOCKSTEP_FUNCTIONAL=1 \
	"$build/tests/math" "$out/math.ptx"
finish
