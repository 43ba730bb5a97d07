#!/bin/sh
# tests/scheduled.sh BUILD -- frontend.timed_code: scheduled gives the results of ptx, bit by bit, on an old
# chip and a newer one: the conformance suite, random programs, every workload at --size tiny. Under the
# sanitizers a sixth of the programs.
. tests/lib.sh
export LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" LOCKSTEP_FUNCTIONAL=1
library="LD_LIBRARY_PATH=$build/lib"
part=1
! sanitized || full || part=6

# settings MAJOR MINOR: of that compute capability, scheduled
settings() { printf 'frontend.timed_code=scheduled\ngpu.compute_major=%s\ngpu.compute_minor=%s' "$1" "$2"; }

suite() { # NAME options...
	name=$1; shift
	env "$library" "$build/tests/conformance" --refused tests/ptx/conformance/refused.txt --exact "$@" \
		>"$out/$name" 2>>"$out/errors"
	status=$?
	[ $status = 0 ] || grep -E '^(FAILED|DIFFERS)' "$out/$name" | head -n 10
	return $status
}

expect "the suite as written" suite written --record "$out/record"
for chip in "2 0" "7 5"; do
	# shellcheck disable=SC2086
	LOCKSTEP_SET=$(settings $chip); export LOCKSTEP_SET
	! { sanitized && ! full && [ "$chip" = "2 0" ]; } || continue
	expect "the suite scheduled for $chip" suite scheduled --compare "$out/record"
	for programs in "--count $((120 / part)) --length 12" "--first 2000 --count $((24 / part)) --length 250"; do
		# shellcheck disable=SC2086
		expect "random programs for $chip: $programs" env "$library" "$build/tests/random" $programs
	done
	unset LOCKSTEP_FUNCTIONAL
	expect "timed for $chip" env "$library" "$build/tests/random" --first 5000 --count $((24 / part)) --length 60
	export LOCKSTEP_FUNCTIONAL=1
done
unset LOCKSTEP_SET

expect "matrix instructions" "$build/bin/lockstep" ptx --set frontend.timed_code=scheduled \
	--set gpu.compute_major=8 tests/ptx/tensor_sm80.ptx

# Loops that count: each with starts and bounds of its own in every lane.
sh tests/ptx/loops.sh >"$out/loops.ptx"
loop() { # KERNEL CODE
	"$build/bin/lockstep" launch -q --functional -o "" --set frontend.timed_code="$2" --set gpu.compute_major=7 \
		-g 1 -b 32 -a 'u32[4096]=iota' --print 0:4096 "$out/loops.ptx" "$1"
}
loops() {
	loop_count=0
	for kernel in $(sed -n "s/^.visible .entry \(LOOP[a-z0-9_]*\).*/\1/p" "$out/loops.ptx" | sed -n "1~${part}p"); do
		loop "$kernel" ptx >"$out/loop-ptx" && loop "$kernel" scheduled >"$out/loop-scheduled" &&
			cmp "$out/loop-ptx" "$out/loop-scheduled" || { echo "$kernel"; return 1; }
		loop_count=$((loop_count + 1))
	done
	[ $loop_count -ge 10 ]
}
expect "loops that count do the same rounds" loops

# The chips take turns. Each program compares its results with its reference.
ls "$build"/bench/polybench/* "$build"/bench/rodinia/* "$build"/bench/parboil/* "$build"/bench/sdk/* \
	"$build"/bench/ispass/* "$build"/bench/lonestar/* "$build"/bench/mars/* 2>/dev/null |
	awk -v part=$part 'NR % part == 0 { print $0, NR / part % 2 ? "2 0" : "7 5" }' >"$out/programs"
expect "there are workloads to run" [ "$(wc -l <"$out/programs")" -ge $((60 / part)) ]

one='timeout 300 "$0" run -q -f -o "" -s frontend.timed_code=scheduled -s gpu.compute_major="$2" \
	-s gpu.compute_minor="$3" -- "$1" --size tiny >/dev/null 2>&1 || echo "$1 for $2.$3"'
xargs -P 2 -L 1 sh -c "$one" "$lockstep" <"$out/programs" >"$out/wrong"
while read -r line; do not_ok "other results: $line"; done <"$out/wrong"
passed=$((passed + $(wc -l <"$out/programs") - $(wc -l <"$out/wrong")))
finish
