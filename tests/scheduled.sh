#!/bin/sh
# tests/scheduled.sh BUILD -- frontend.timed_code: scheduled gives the results of ptx, bit by bit, on an old
# chip and two newer ones: the conformance suite, random programs, every workload at --size tiny. Half of the programs; under
# the sanitizers a twelfth, and of the suite the forms that begin with m; with FULL=1 all.
. tests/lib.sh
export LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" LOCKSTEP_FUNCTIONAL=1
library="LD_LIBRARY_PATH=$build/lib"
part=1
full || part=2
! sanitized || full || part=12

# from FIRST COUNT: of so many random programs from the first on the part whose turn it is
from() { echo "--first $(($1 + SLOT % part * ($2 / part))) --count $(($2 / part))"; }

# settings MAJOR MINOR: of that compute capability, scheduled
settings() {
	printf 'frontend.timed_code=scheduled\ngpu.compute_major=%s\ngpu.compute_minor=%s\n' "$1" "$2"
	[ "$1" = 2 ] || printf sm.max_registers_per_thread=255
}

suite() { # NAME options...
	name=$1; shift
	env "$library" "$build/tests/conformance" --refused tests/ptx/conformance/refused.txt --exact "$@" \
		>"$out/$name" 2>>"$out/errors"
	status=$?
	[ $status = 0 ] || grep -E '^(FAILED|DIFFERS)' "$out/$name" | head -n 10
	return $status
}

compare="--compare $out/record"
if sanitized && ! full; then compare="--filter m*.*"; else expect "the suite as written" suite written --record "$out/record"; fi
for chip in "2 0" "7 5" "9 0"; do
	# shellcheck disable=SC2086
	LOCKSTEP_SET=$(settings $chip); export LOCKSTEP_SET
	! { sanitized && ! full && [ "$chip" != "9 0" ]; } || continue
	expect "the suite scheduled for $chip" suite scheduled $compare
	for programs in "$(from 1 120) --length 12" "$(from 2000 24) --length 250"; do
		# shellcheck disable=SC2086
		expect "random programs for $chip: $programs" env "$library" "$build/tests/random" $programs
	done
	expect "random programs for $chip with 16 registers" env "$library" "$build/tests/random" \
		$(from 7000 60) --length 60 --maxnreg 16
	unset LOCKSTEP_FUNCTIONAL
	expect "timed for $chip" env "$library" "$build/tests/random" $(from 5000 24) --length 60
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
	for kernel in $(sed -n "s/^.visible .entry \(LOOP[a-z0-9_]*\).*/\1/p" "$out/loops.ptx" | sed -n "1~$(((part + 1) / 2))p"); do
		loop "$kernel" ptx >"$out/loop-ptx" && loop "$kernel" scheduled >"$out/loop-scheduled" &&
			cmp "$out/loop-ptx" "$out/loop-scheduled" || { echo "$kernel"; return 1; }
		loop_count=$((loop_count + 1))
	done
	[ $loop_count -ge 10 ]
}
expect "loops that count do the same rounds" loops
fixed_rounds() { # KERNEL: how many rounds, each with a barrier, stand in its code
	"$build/bin/lockstep" ptx --uops -k "$1" --set frontend.timed_code=scheduled --set gpu.compute_major=7 \
		"$out/loops.ptx" | grep -c BAR_SYNC
}
expect "a constant number of rounds of several blocks" \
	[ "$(fixed_rounds LOOP_fixed_1) $(fixed_rounds LOOP_fixed_12) $(fixed_rounds LOOP_fixed_13)" = "16 6 1" ]

# Shifts and products in addresses, sums and tests.
indices() { # MAJOR CODE
	"$build/bin/lockstep" launch -q --functional -o "" --set frontend.timed_code="$2" --set gpu.compute_major="$1" \
		-g 1 -b 256 -a 'u32[4096]=iota' -a u32=19 --print 0:4096 tests/ptx/indices.ptx indices
}
indices_agree() {
	indices 7 ptx >"$out/indices" && [ "$(grep -c . "$out/indices")" -gt 500 ] || return 1
	for major in 2 5 7 9; do
		indices $major scheduled | cmp - "$out/indices" || return 1
	done
}
expect "shifts and products as parts of other instructions" indices_agree
folded=$("$build/bin/lockstep" ptx --uops --set frontend.timed_code=scheduled --set gpu.compute_major=7 \
	tests/ptx/indices.ptx | grep -cE 'SHR_ADD_|SETP_AND_|\.x4 |\.x16 |MAD_WIDE_')
expect "they are parts of others ($folded)" [ "$folded" -ge 10 ]

# Values beyond the registers of a thread go to local memory, where the chip would put them.
spills() { # REGISTERS: how many accesses to spilled registers random program 7000 has
	"$build/tests/random" --first 7000 --length 60 --maxnreg "$1" --emit "$out/spills.ptx" &&
		"$build/bin/lockstep" ptx --uops --set frontend.timed_code=scheduled --set gpu.compute_major=7 \
			--set sm.max_registers_per_thread=255 "$out/spills.ptx" 2>/dev/null | grep -c 'spill'
}
spills_by_registers() {
	few=$(LD_LIBRARY_PATH=$build/lib spills 24) || few=0
	fewer=$(LD_LIBRARY_PATH=$build/lib spills 16) || fewer=0
	[ "$fewer" -gt "$few" ] && [ "$few" -gt 0 ] && ! LD_LIBRARY_PATH=$build/lib spills 255 >/dev/null
}
sanitized || expect "spills with 16 and 24 registers, none with 255" spills_by_registers

# Parameters that are read by their address are operands, too, but those outside the kernel's fail in both.
by_address() { # OFFSET CODE
	{
		printf '.version 6.0\n.target sm_70\n.address_size 64\n'
		printf '.visible .entry k(.param .u64 out, .param .u32 x, .param .u32 y)\n{\n.reg .b32 %%r<4>;\n'
		printf '.reg .b64 %%rd<4>;\nmov.b64 %%rd2, out;\nld.param.u64 %%rd1, [%%rd2];\n'
		printf 'ld.param.u32 %%r1, [%%rd2+%s];\nst.global.u32 [%%rd1], %%r1;\nret;\n}\n' "$1"
	} >"$out/address.ptx"
	"$lockstep" launch -q --functional -o "" --set frontend.timed_code="$2" --set gpu.compute_major=7 \
		-g 1 -b 1 -a 'u32[1]=zero' -a u32=5 -a u32=7 --print 0:1 "$out/address.ptx" k 2>&1
}
parameters_by_address() {
	for at in 8 12 16 400; do
		by_address $at ptx >"$out/plain"; plain=$?
		by_address $at scheduled >"$out/ordered"; ordered=$?
		[ $plain = $ordered ] && cmp -s "$out/plain" "$out/ordered" || { echo "offset $at"; return 1; }
	done
	by_address 12 scheduled | grep -q 7 && ! by_address 400 scheduled >/dev/null
}
expect "parameters by their address" parameters_by_address

# What is computed from numbers that stand in the program is computed when it is compiled.
numbers() { # CODE
	{
		printf '.version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n'
		printf '.reg .b32 %%r<4>;\n.reg .b64 %%rd<2>;\nld.param.u64 %%rd1, [out];\nmov.u32 %%r3, %%laneid;\n'
		at=0
		for a in 0 1 7 31 32 2147483647 2147483648 4294967295; do
			for b in 0 1 5 31 32 33 2147483648 4294967295; do
				for operation in add.u32 sub.u32 mul.lo.u32 and.b32 or.b32 xor.b32 shl.b32 shr.u32 shr.s32; do
					echo "mov.u32 %r1, $a; $operation %r2, %r1, $b; st.global.u32 [%rd1+$at], %r2;"
					at=$((at + 4))
				done
				echo "mov.u32 %r1, $a; mad.lo.u32 %r2, %r1, $b, %r3; st.global.u32 [%rd1+$at], %r2;"
				at=$((at + 4))
			done
		done
		for f in 00000000 80000001 3F7FFFFF BFC00000 4EFFFFFF 4F000000 CF000000 CF000001 7F800000 7FC00000; do
			echo "cvt.rzi.s32.f32 %r2, 0f$f; st.global.u32 [%rd1+$at], %r2;"
			at=$((at + 4))
		done
		printf 'ret;\n}\n'
	} >"$out/numbers.ptx"
	"$lockstep" launch -q --functional -o "" --set frontend.timed_code="$1" --set gpu.compute_major=7 \
		-g 1 -b 1 -a 'u32[650]=zero' --print 0:650 "$out/numbers.ptx" k 2>/dev/null
}
numbers ptx >"$out/plain" && numbers scheduled >"$out/computed" && [ "$(wc -w <"$out/plain")" -ge 650 ]
expect "numbers are computed alike" cmp "$out/plain" "$out/computed"

# One lane adds for its warp: values are those of every lane in turn, and the L2 sees no two lanes on a word.
counter() { # CODE
	{
		printf '.version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n'
		printf '.reg .pred %%p;\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<4>;\nld.param.u64 %%rd1, [out];\n'
		printf 'mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 4;\nadd.s64 %%rd3, %%rd1, %%rd2;\n'
		printf 'atom.global.add.u32 %%r2, [%%rd1], 3;\nst.global.u32 [%%rd3+4], %%r2;\n'
		printf 'setp.gt.u32 %%p, %%r1, 20;\n@%%p bra END;\natom.global.add.u32 %%r3, [%%rd1], 1;\n'
		printf 'st.global.u32 [%%rd3+1024], %%r3;\nEND: ret;\n}\n'
	} >"$out/counter.ptx"
	"$lockstep" launch -q --set frontend.timed_code="$1" --set gpu.compute_major=7 -o "$out/counter-$1" \
		-g 1 -b 64 -a 'u32[400]=zero' --print 0:400 "$out/counter.ptx" k 2>/dev/null >"$out/counter-$1.txt"
}
one_lane_adds() {
	counter ptx && counter scheduled && cmp "$out/counter-ptx.txt" "$out/counter-scheduled.txt" || return 1
	awk '$1 ~ /^l2.*atomic_collisions$/ { sum[FILENAME] += $2 } END { for (f in sum) print f, sum[f] }' \
		"$out/counter-ptx/stats.txt" "$out/counter-scheduled/stats.txt" >"$out/collisions"
	grep -q 'scheduled/stats.txt 0$' "$out/collisions" && grep -q 'ptx/stats.txt [1-9]' "$out/collisions"
}
sanitized || (unset LOCKSTEP_FUNCTIONAL LOCKSTEP_OUT; one_lane_adds) && ok ||
	not_ok "one lane adds for its warp: $(cat "$out/collisions")"

# Words of .const memory as operands may keep a unit for longer; immediates do not, nor loads as they are written.
operands() { # OPERAND CODE INTERVAL: cycles of 200 additions
	{
		printf '.version 6.0\n.target sm_70\n.address_size 64\n.const .align 4 .b32 word = 3;\n'
		printf '.visible .entry k(.param .u64 out)\n{\n.reg .b32 %%r<4>;\n.reg .b64 %%rd<2>;\n'
		printf 'ld.param.u64 %%rd1, [out];\nmov.u32 %%r1, %%tid.x;\nld.const.u32 %%r2, [word];\n'
		yes "add.u32 %r1, %r1, $1; xor.b32 %r1, %r1, 85;" | head -n 200
		printf 'st.global.u32 [%%rd1], %%r1;\nret;\n}\n'
	} >"$out/operands.ptx"
	"$lockstep" launch -q --set frontend.timed_code="$2" --set sm.interval.constant_operand="$3" \
		-o "$out/operands" -g 1 -b 1024 -a 'u32[1]=zero' "$out/operands.ptx" k >/dev/null &&
		awk '$1 == "gpu.cycles" { n = $2 } END { print n }' "$out/operands/stats.txt"
}
constant_operands() {
	longer=$(($(operands %r2 scheduled 8) - $(operands %r2 scheduled 1)))
	alike=$(($(operands 7 scheduled 8) - $(operands 7 scheduled 1)))
	echo "$longer cycles more, with an immediate $alike"
	[ $longer -ge 5000 ] && [ $alike = 0 ] &&
		[ "$(operands %r2 ptx 8)" = "$(operands %r2 ptx 1)" ]
}
sanitized || (unset LOCKSTEP_FUNCTIONAL LOCKSTEP_OUT; constant_operands >"$out/longer") && ok ||
	not_ok "operands in the constant bank: $(cat "$out/longer")"

# The chips take turns; clusters need the last. Each program compares its results with its reference.
ls "$build"/bench/polybench/* "$build"/bench/rodinia/* "$build"/bench/parboil/* "$build"/bench/sdk/* \
	"$build"/bench/ispass/* "$build"/bench/lonestar/* "$build"/bench/mars/* "$build"/bench/ai/* 2>/dev/null |
	awk -v part=$part -v slot=$SLOT '(NR + slot) % part == 0 { n = int(NR / part) % 3
		print $0, /gemm-cluster$/ ? "9 0" : n == 0 ? "2 0" : n == 1 ? "7 5" : "9 0", /bench\/ai\// ? "h200" : "gtx480" }' >"$out/programs"
expect "there are workloads to run" [ "$(wc -l <"$out/programs")" -ge $((58 / part)) ]

one='timeout 1200 "$0" run -c "$4" -q -f -o "" -s frontend.timed_code=scheduled -s gpu.compute_major="$2" \
	-s gpu.compute_minor="$3" -- "$1" --size tiny >/dev/null 2>&1 || echo "$1 for $2.$3"'
xargs -P 2 -L 1 sh -c "$one" "$lockstep" <"$out/programs" >"$out/wrong"
while read -r line; do not_ok "other results: $line"; done <"$out/wrong"
passed=$((passed + $(wc -l <"$out/programs") - $(wc -l <"$out/wrong")))
# Where lanes meet an instruction gathers them (BSYNC), which takes as long as a branch: around each of the 32
# branches of this kernel both latencies are 40 cycles longer.
one_path() {
	"$lockstep" run -q -c configs/h200.yaml --set gpu.sms=1 --set sm.latency.branch="$1" -o "$out/paths" -- \
		"$build/bench/micro" --csv divergence 2>"$out/log" | awk -F, '$1 == "divergence 1 paths" { print int($3) }'
}
expect "a region of branches waits twice" [ $(($(one_path 50) - $(one_path 10))) = $((32 * 2 * 40)) ]
finish
