#!/bin/sh
# tests/host/device/driver_api.sh BUILD -- driver_api.c, narrow_addresses.c and refused.c built against our
# own cuda.h and run on our own libcuda.so.1.
. tests/lib.sh
compile driver_api tests/host/device/driver_api.c
expect "the driver API" env LOCKSTEP_OUT="$out/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" \
	"$out/driver_api"
compile narrow_addresses tests/host/modules/narrow_addresses.c
answers 0 '^7 words -3 -5000000000 2.5 12$' env LOCKSTEP_OUT="" LOCKSTEP_QUIET=1 \
	LD_LIBRARY_PATH="$build/lib" "$out/narrow_addresses"
expect "an assertion in a module with 32-bit addresses" \
	grep -q '^words:17: words: block: \[0,0,0\], thread: \[0,0,0\] Assertion `a>0` failed.$' "$out/log"
compile refused tests/host/modules/refused_instruction.c
env LOCKSTEP_OUT="$out/refused.out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$out/refused" 2>"$out/said" &&
	ok || not_ok "a module with an instruction that is not simulated"
grep -q "kernel reaches .* cannot be launched: .*:4:[0-9]*: 'multimem.st.relaxed.sys.global.u32' accesses the memory of several GPUs at once" \
	"$out/said" && ok || { not_ok "why a kernel is refused"; cat "$out/said"; }
finish
