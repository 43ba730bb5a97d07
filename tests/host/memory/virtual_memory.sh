#!/bin/sh
# tests/host/memory/virtual_memory.sh BUILD -- virtual.c: virtual memory management, with time and without;
# what kernels do to addresses that are not mapped, or may not be accessed, is a fault with its address.
. tests/lib.sh
compile virtual tests/host/memory/virtual_memory.c

answers 0 PASS "$lockstep" run -q --functional -o "" -- "$out/virtual"
answers 0 PASS "$lockstep" run -q -o "$out/timed" -- "$out/virtual"
grep -v '^#' "$out/timed/stats.txt" >"$out/expected"
answers 0 PASS "$lockstep" run -q -o "$out/timed" -- "$out/virtual"
expect "the same statistics again" sh -c "grep -v '^#' '$out/timed/stats.txt' | cmp - '$out/expected'"
answers 86 '1 finding: memory 1, race 0, init 0, sync 0, leak 0' \
	"$lockstep" run -q --sanitize=all -o "$out/sanitized" -- "$out/virtual"
expect "it is the cuMemFree" grep -q 'cuMemFree of 0x3' "$out/sanitized/sanitize.txt"
answers 74 'there is no recording: the program maps virtual memory' \
	"$lockstep" record -q -o "$out/virtual.recording" -- "$out/virtual"
for case in unmapped closed beyond; do
	"$lockstep" run -q --functional -o "" -- "$out/virtual" "$case" >"$out/log" 2>&1
	expect "$case: the program knows" grep -q '^PASS$' "$out/log"
	expect "$case: the fault says the address" grep -q 'device fault: .*0x300000' "$out/log"
done
finish
