#!/bin/sh
# tests/host/launches/launches_by_kernels.sh BUILD -- launches_by_kernels.c: a kernel of
# launches_by_kernels.ptx that launches kernels; what is written of parents and children, with timing and
# without.
. tests/lib.sh
compile children tests/host/launches/launches_by_kernels.c

children() { "$lockstep" run -o "" "$@"; }
column() { # FILE COLUMN: its values, on a line
	awk -F , -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ printf "%s ", $at }' "$1"
}
program="$out/children tests/host/launches/launches_by_kernels.ptx"
# shellcheck disable=SC2086
{
	answers 0 PASS children --functional -- $program
	answers 0 PASS children -- $program
	answers 0 PASS children --config configs/h200.yaml --set frontend.timed_code=scheduled -- $program
	answers 0 PASS children --sanitize=memory,race,init,sync -- $program
	answers 0 'add <<<(5),(32)>>> by kernel 1: 5 CTAs' children --functional -- $program
	answers 0 PASS "$lockstep" run -q -o "$out/run" --profile -- $program
	expect "launches.csv has the parents" [ "$(column "$out/run/launches.csv" launched_by)" = \
		" 1 1 1  5 5  8   " ]
	expect "the profile has the children's lines" grep -q 'atom.global.add' "$out/run/profile.txt"

	# the time from the call to the first CTA
	for us in 10 50; do
		answers 0 PASS "$lockstep" run -q -o "$out/run" --set gpu.launch.device=$us -- $program
		column "$out/run/launches.csv" start_ps | awk '{ print $1, $2 }' >"$out/starts"
		column "$out/run/launches.csv" cycles | awk '{ print $2 }' >"$out/cycles-$us"
	done
	expect "40 us of 700 MHz are 28000 cycles more" [ $(($(cat "$out/cycles-50") - $(cat "$out/cycles-10"))) = 28000 ]

	for mode in --functional ""; do
		answers 70 'launched by kernel launch, launch 1' children $mode -- $program fault
		answers 70 'hang: .*(kernel spin).*, launched by kernel launch, launch 1' children $mode -- $program hang
	done
	answers 86 'memory 1' "$lockstep" run --sanitize=memory -o "$out/run" -- $program fault
	expect "the finding names the parent" grep -q 'launched by kernel launch' "$out/run/sanitize.txt"
	answers 74 'there is no recording: kernel launch launches kernels' "$lockstep" record -o "$out/rec" -- $program
}
answers 1 'which only kernels of a program can call' "$lockstep" launch -o "" -g 1 -b 1 -a u32=0 -a u32=1 -a u64=0 \
	-a u64=0 -a u32=0 -a u64=0 tests/host/launches/launches_by_kernels.ptx launch
finish
