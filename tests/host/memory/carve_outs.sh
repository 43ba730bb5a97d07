#!/bin/sh
# tests/host/memory/carve_outs.sh BUILD -- carve_outs.c built against our own cuda.h: preferences for shared
# memory reach the L1 of a V100 (128 KB in all), also by way of a recording, and no chip that has two arrays.
. tests/lib.sh
compile carve_outs tests/host/memory/carve_outs.c

# misses FOLDER: lines that the kernel's L1 missed; 512 lines are read twice
misses() { awk '$1 == "kernel.l1_misses" { print $2; exit }' "$out/$1/stats.txt"; }

check() {
	preference=$1 want=$2
	answers 0 PASS "$lockstep" run -q -c v100 -o "$out/run" -- "$out/carve_outs" "$preference"
	expect "$preference: $want misses, not $(misses run)" [ "$(misses run)" = "$want" ]
}
check none 512        # 128 KB
check l1 512
check half 512        # 64 KB: 48 are asked for, 64 there are
check carve-out 1024  # 32 KB
check shared 1024
check context 1024

answers 0 PASS "$lockstep" record -q -o "$out/carve_outs.recording" -- "$out/carve_outs" carve-out
expect "replay" "$lockstep" replay -q -c v100 -o "$out/replay" "$out/carve_outs.recording"
expect "a recording has the preference: $(misses replay) misses" [ "$(misses replay)" = 1024 ]
answers 0 PASS "$lockstep" run -q -c v100 --set sm.shared_carve_outs=none -o "$out/run" -- "$out/carve_outs" carve-out
expect "two arrays: $(misses run) misses" [ "$(misses run)" = 512 ]
finish
