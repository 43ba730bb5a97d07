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
}'
