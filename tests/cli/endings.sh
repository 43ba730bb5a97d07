#!/bin/sh
# tests/cli/endings.sh BUILD -- how a run ends whose program ignores faults, repeats its mistakes, or breaks
# down.
. tests/lib.sh
compile program tests/cli/endings.c
run() { "$lockstep" run -q -o "$out/run" -- "$out/program" tests/cli/ptx/endless.ptx "$@"; }

ignored='^lockstep: the program ended with 0 although kernel brief ended with a fault: exit status 70$'
answers 70 "$ignored" run fault
answers 70 "$ignored" run fault-destroy
answers 9 'device fault: ' run fault-told
expect "a program that says so is believed" sh -c '! grep -q "exit status 70" "$1"' - "$out/log"
: # no context can be made after a fault, as on hardware: the program notices
answers 2 'device fault: ' run fault-anew
expect "a program that tries to begin anew is believed" sh -c '! grep -q "exit status 70" "$1"' - "$out/log"
answers 0 '^lockstep: 301 times: kernel brief <<<(1,1,1),(4096,1,1)>>> cannot be launched' run refused
expect "the line is said once, and once with its count" [ "$(grep -c 'cannot be launched' "$out/log")" = 2 ]

none='^lockstep: the program ended with 0 although no kernel has run, and 2 launches were refused: exit status 70$'
answers 70 "$none" "$lockstep" run -q -o "$out/run" -- "$out/program" tests/host/modules/fatbin/vecadd-code.fatbin none

threads='^lockstep: several threads of the program queue work: .* if what the threads do is$'
answers 0 "$threads" run threads
expect "it is said once" [ "$(grep -c "$threads" "$out/log")" = 1 ]
run one >"$out/log" 2>&1
expect "a single thread is not told" sh -c '! grep -q "several threads" "$1"' - "$out/log"

# a sanitizer has handlers of its own for these
if ! sanitized; then
	answers 139 "^lockstep: the program ended with the signal SIGSEGV: .* in $out/run/stats.txt.part\$" run segv
	expect "the kernel is there" grep -q 'Begin .*# launches of brief$' "$out/run/stats.txt.part"
	answers 134 '^lockstep: the program ended with the signal SIGABRT: ' run abort
fi
finish
