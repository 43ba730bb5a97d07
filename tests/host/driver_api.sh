#!/bin/sh
# tests/host/driver_api.sh BUILD -- driver_api.c and narrow_addresses.c built against our own cuda.h and run on our
# own libcuda.so.1.
. tests/lib.sh
compile driver_api tests/host/driver_api.c
expect "the driver API" env LOCKSTEP_OUT="$out/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" \
	"$out/driver_api"
compile narrow_addresses tests/host/narrow_addresses.c
expect "a module with 32-bit addresses" env LOCKSTEP_OUT="$out/narrow" LOCKSTEP_QUIET=1 \
	LD_LIBRARY_PATH="$build/lib" "$out/narrow_addresses"
finish
