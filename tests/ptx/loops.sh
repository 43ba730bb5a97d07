#!/bin/sh
# tests/ptx/loops.sh -- writes PTX to standard output: loops that count by every comparison, step and width, with
# bounds at which a counter wraps round or a difference overflows. Each lane has its own start and bound. A round
# reads, computes and writes what depends on all rounds before, so that one too many or too few, or two in the
# wrong order, is seen. Kernels: LOOP(out); each thread writes 64 words. tests/scheduled.sh runs them.
#
# Bounds are given as the counter's first value and the number of rounds, from which a counter of that step meets
# its bound; where a comparison by size would go on for ever, the pair is left out.
awk '
function hex(x) { return sprintf("%.0f", x < 0 ? x + 4294967296 : x >= 4294967296 ? x - 4294967296 : x) }
function kernel(name, compare, type, step, after,  wide, w, r, op) {
	wide = type ~ /64/; w = wide ? 64 : 32; r = wide ? "%wide" : "%narrow"
	printf ".visible .entry %s(.param .u64 out)\n{\n", name
	print ".reg .pred %p<4>; .reg .b32 %narrow<9>; .reg .b64 %wide<9>; .reg .b64 %a<9>; .reg .b32 %r<19>;"
	print "mov.u32 %r1, %tid.x;\nmul.wide.u32 %a1, %r1, 8;\nmov.u64 %a2, " name "_bounds;\nadd.s64 %a2, %a2, %a1;"
	print "ld.global.s32 %narrow1, [%a2];\nld.global.s32 %narrow2, [%a2+4];"
	print "cvt." (type ~ /s/ ? "s64.s32" : "u64.u32") " %wide1, %narrow1;"
	print "cvt." (type ~ /s/ ? "s64.s32" : "u64.u32") " %wide2, %narrow2;"
	print "ld.param.u64 %a3, [out];\nmul.wide.u32 %a4, %r1, 256;\nadd.s64 %a3, %a3, %a4;\nmov.u64 %a5, %a3;"
	print "mov.u32 %r2, 1;\nmov.u32 %r3, 7;\nmov.u32 %r6, 0;"
	print "ROUND:"
	print "ld.global.u32 %r4, [%a5];\nmad.lo.u32 %r2, %r2, 5, %r4;"
	if (!after) printf "add.s%d %s1, %s1, %d;\n", w, r, r, step
	print (wide ? "cvt.u32.u64 %r5, %wide1;" : "mov.u32 %r5, %narrow1;")
	print "xor.b32 %r2, %r2, %r5;\nst.global.u32 [%a5+4], %r2;\nadd.s64 %a5, %a5, 4;\nadd.s32 %r3, %r3, 3;"
	print "mad.lo.u32 %r6, %r3, 11, %r6;"
	if (after) printf "add.s%d %s1, %s1, %d;\n", w, r, r, step
	printf "setp.%s.%s %%p1, %s1, %s2;\n", compare, type, r, r
	print (compare == "eq" ? "@!%p1" : "@%p1") " bra ROUND;"
	print "st.global.u32 [%a3], %r3;\nst.global.u32 [%a5+8], %r6;\nst.global.u32 [%a5+12], %r5;\nret;\n}"
}
# Pairs of first value and bound of 32 lanes. A comparison by size with a bound that the counter has already
# passed does one round.
function bounds(name, compare, type, step,  lane, from, rounds, base, at, list) {
	for (lane = 0; lane < 32; lane++) {
		rounds = lane % 16 == 15 ? 41 : lane % 16 + (lane >= 16) * 3 + 1
		at = int(lane / 4) % 4
		if (compare == "ne" || compare == "eq")       # may wrap round both ways, but not in 64 bits
			base = at == 0 ? 5 : at == 1 ? (type ~ /64/ ? 1000 : 4294967290) : at == 2 ? 2147483600 : -7
		else if (step > 0)                            # the last value that is tested must not wrap
			base = type ~ /s/ ? (at < 2 ? -2147483648 : at == 2 ? -3 : 2147483600 - 45 * step) : (at < 2 ? 0 : 4294967200 - 45 * step)
		else
			base = type ~ /s/ ? (at < 2 ? 2147483647 : at == 2 ? 3 : -2147483600 - 45 * step) : (at < 2 ? 4294967295 : 100 - 45 * step)
		if (type == "u64" && base < 1000 && (compare == "ne" || compare == "eq"))
			base += 1000
		from = base
		base = base + step * rounds
		if (compare != "ne" && compare != "eq" && lane % 5 == 4)
			base = step > 0 ? (type ~ /s/ ? -2147483648 : 0) : (type ~ /s/ ? 2147483647 : 4294967295)
		list = list (lane ? ", " : "") hex(from) ", " hex(base)
	}
	printf ".global .align 8 .u32 %s_bounds[64] = { %s };\n", name, list
}
# Loops of several blocks with a constant number of rounds, which are done one after the other, and others that look
# like them. Each lane takes a way of its own through a round. head: what comes before the loop; entry: where the
# loop begins; more: what else a round does; again: what comes behind it.
function fixed(name, from, step, compare, type, bound, head, more, again) {
	printf ".visible .entry %s(.param .u64 out)\n{\n", name
	print ".reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %a<9>;"
	print "mov.u32 %r1, %tid.x;\nld.param.u64 %a1, [out];\nmul.wide.u32 %a2, %r1, 256;\nadd.s64 %a1, %a1, %a2;"
	print "mov.u32 %r3, 1;\nmov.u32 %r9, 0;\nmov.u32 %r10, 0;"
	print head
	printf "mov.u32 %%r2, %s;\n", from
	print "ROUND:\nadd.s32 %r10, %r10, 1;\nsetp.gt.u32 %p8, %r10, 60;\n@%p8 bra DONE;"
	print "add.s32 %r4, %r1, %r2;\nand.b32 %r5, %r4, 3;\nsetp.eq.s32 %p1, %r5, 2;\nmad.lo.s32 %r3, %r3, 5, %r2;"
	print "@%p1 bra SKIP;\nxor.b32 %r3, %r3, %r4;\nadd.s32 %r9, %r9, 4;\nand.b32 %r6, %r9, 127;\ncvt.u64.u32 %a3, %r6;"
	print "add.s64 %a4, %a1, %a3;\nst.global.u32 [%a4+16], %r3;"
	print "SKIP:\nbar.sync 0;"
	print more
	printf "add.s32 %%r2, %%r2, %s;\n", step
	printf "setp.%s.%s %%p2, %%r2, %s;\n", compare, type, bound
	print (compare == "eq" ? "@!%p2" : "@%p2") " bra ROUND;"
	print again
	print "DONE:\nst.global.u32 [%a1], %r3;\nst.global.u32 [%a1+4], %r2;\nst.global.u32 [%a1+8], %r9;\nst.global.u32 [%a1+12], %r10;\nret;\n}"
}
BEGIN {
	print ".version 6.4\n.target sm_70\n.address_size 64"
	split("s32 u32 s64 u64", types); split("lt le ne eq gt ge", compares); split("1 3 -1 -4", steps)
	for (t = 1; t <= 4; t++) for (c = 1; c <= 6; c++) for (s = 1; s <= 4; s++) {
		if ((c <= 2 && steps[s] < 0) || (c >= 5 && steps[s] > 0)) continue
		# below 0 or above the largest value an unsigned comparison by size would go on
		name = "LOOP_" types[t] "_" compares[c] "_" s
		bounds(name, compares[c], types[t], steps[s])
		kernel(name, compares[c], types[t], steps[s], s % 2)
	}
	fixed("LOOP_fixed_1", 0, 1, "ne", "s32", 16)
	fixed("LOOP_fixed_2", 5, 3, "lt", "s32", 40)
	fixed("LOOP_fixed_3", -7, 2, "le", "s32", 8)
	fixed("LOOP_fixed_4", 31, -1, "gt", "s32", 3)
	fixed("LOOP_fixed_5", 31, -2, "ge", "u32", 4)
	fixed("LOOP_fixed_6", "4294967290", 1, "ne", "u32", 5)
	fixed("LOOP_fixed_7", 2147483640, 2, "gt", "s32", 0)
	fixed("LOOP_fixed_8", 3, 4, "eq", "u32", 43)
	fixed("LOOP_fixed_9", 0, 1, "lt", "u32", 1)
	# an exit of its own, the counter read behind its step, a round that ends the loop early
	fixed("LOOP_fixed_10", 0, 1, "lt", "u32", 20, "", "setp.gt.u32 %p3, %r3, 4000000000;\n@%p3 bra DONE;")
	fixed("LOOP_fixed_11", 0, 1, "lt", "s32", 12, "", "", "mad.lo.s32 %r3, %r3, 3, %r2;")
	# again, with the counter set anew and not
	fixed("LOOP_fixed_12", 0, 1, "lt", "s32", 6, "mov.u32 %r7, 0;\nOUTER:", "", "add.s32 %r7, %r7, 1;\nsetp.lt.u32 %p4, %r7, 4;\n@%p4 bra OUTER;")
	fixed("LOOP_fixed_13", 0, 1, "lt", "s32", 6, "mov.u32 %r7, 0;", "", "add.s32 %r7, %r7, 1;\nsetp.lt.u32 %p4, %r7, 4;\n@%p4 bra ROUND;")
	fixed("LOOP_fixed_14", 0, 1, "lt", "s32", 6, "mov.u32 %r7, 0;", "", "add.s32 %r7, %r7, 1;\nand.b32 %r8, %r1, 3;\nsetp.lt.u32 %p4, %r7, %r8;\n@%p4 bra SKIP;")
	# more steps than one, a step under a guard, a bound that changes, a start that is no constant
	fixed("LOOP_fixed_15", 0, 1, "lt", "s32", 24, "", "setp.eq.u32 %p5, %r2, 4;\n@%p5 add.s32 %r2, %r2, 2;")
	fixed("LOOP_fixed_16", 0, 1, "lt", "s32", "%r11", "mov.u32 %r11, 12;", "setp.eq.u32 %p5, %r2, 4;\n@%p5 add.s32 %r11, %r11, %r1;")
	fixed("LOOP_fixed_17", "%r1", 1, "lt", "s32", 30)
	fixed("LOOP_fixed_18", 0, 1, "lt", "s32", 9, "setp.lt.u32 %p6, %r1, 7;\nmov.u32 %r2, 3;\n@%p6 bra ROUND;")
}'
