#!/bin/sh
# tests/host/modules/constants.sh BUILD -- constants.c built against our own cuda.h: what kernels read from
# .const memory that changes between launches, as the PTX stands and with constants as operands.
. tests/lib.sh
compile constants tests/host/modules/constants.c
export LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" LOCKSTEP_OUT=""

for code in ptx scheduled; do
	expect "$code" env LOCKSTEP_SET="frontend.timed_code=$code" "$out/constants"
	expect "$code, values only" env LOCKSTEP_SET="frontend.timed_code=$code" LOCKSTEP_FUNCTIONAL=1 "$out/constants"
done
finish
