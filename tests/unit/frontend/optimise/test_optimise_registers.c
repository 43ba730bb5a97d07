/* tests/unit/frontend/optimise/test_optimise_registers.c -- values beyond the registers, registers that are
 * taken later, signs. */
#include "tests/unit/frontend/optimise/optimise_rig.h"

/* Twenty values that are live at once. */
static void lower_twenty(const char *head, const char *before, uint32_t sm)
{
	static char text[8192];
	struct ptx_lowering how = { .timed_code = PTX_SCHEDULED, .sm = sm };
	struct diag_list diags;
	size_t n;

	n = (size_t)snprintf(text, sizeof text,
		"%s\n.address_size 64\n.visible .entry k()\n.maxnreg 16\n{\n"
		".reg .b32 %%r<50>;\n.shared .align 4 .b8 tile[256];\n%s\nmov.u32 %%r40, %%tid.x;\n",
		head, before);
	for (int i = 0; i < 20; i++)
		n += (size_t)snprintf(
			text + n, sizeof text - n, "ld.volatile.shared.u32 %%r%d, [tile+%d];\n", i, 4 * i);
	for (int i = 0; i < 20; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "mul.hi.u32 %%r40, %%r40, %%r%d;\n", i);
	snprintf(text + n, sizeof text - n, "st.shared.u32 [tile], %%r40;\nret;\n}\n");
	diag_init(&diags);
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	cr_assert(module);
	image = ptx_lower_as(&module, 1, &how, &diags);
	cr_assert(image);
	k = &image->kernels[0];
	diag_fini(&diags);
}

static uint32_t count_spills(unsigned code)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->uop_count; i++)
		n += k->uops[i].code == code && k->uops[i].flags & UOP_SPILL;
	return n;
}

Test(optimise, values_beyond_the_registers_lie_in_local_memory)
{
	uint32_t loads, stores;

	lower_twenty(".version 6.4\n.target sm_75", "", 75);
	loads = count_spills(UOP_LD);
	stores = count_spills(UOP_ST);
	cr_expect_leq(k->pressure, 14);
	cr_expect_geq(loads, 6);
	cr_expect_eq(loads, stores, "each value is read once");
	cr_expect_eq(k->local_bytes % 16, 0);
	cr_expect_geq(k->local_bytes, 4 * stores);
	done();
}

/* Warps that take more registers have room for all. */
Test(optimise, registers_that_are_taken_later_count)
{
	lower_twenty(".version 8.0\n.target sm_90a", "setmaxnreg.inc.sync.aligned.u32 40;", 90);
	cr_expect_eq(count_spills(UOP_LD), 0);
	done();
	lower_twenty(".version 8.0\n.target sm_90a", "setmaxnreg.dec.sync.aligned.u32 40;", 90);
	cr_expect_geq(count_spills(UOP_LD), 6);
	done();
}

/* %tid.x / 32, as C says it. */
Test(optimise, what_cannot_be_negative_has_no_sign)
{
	MADE("mov.u32 %r1, %tid.x;\nshr.s32 %r2, %r1, 31;\nshr.u32 %r3, %r2, 27;\nadd.s32 %r4, %r1, %r3;\n"
	     "shr.s32 %r9, %r4, 5;" STORED,
		"MOV_B32 SHR_S32 ST EXIT");
	MADE("ld.shared.u32 %r1, [tile];\nshr.s32 %r2, %r1, 31;\nshr.u32 %r3, %r2, 27;\nadd.s32 %r4, %r1, "
	     "%r3;\n"
	     "shr.s32 %r9, %r4, 5;" STORED,
		"LD SHR_S32 SHR_ADD_U32 SHR_S32 ST EXIT");
}

Test(optimise, a_negated_predicate_is_read_negated)
{
	lower("mov.u32 %r1, %tid.x;\nsetp.gt.s32 %p1, %r1, 9;\nnot.pred %p2, %p1;\nselp.b32 %r2, 1, 2, %p2;\n"
	      "@!%p2 st.shared.u32 [tile], %r2;\n@%p1 st.shared.u32 [tile+4], %r2;",
		PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 7);
	cr_expect_eq(UOPS[2].code, UOP_SELP_B32);
	cr_expect(UOPS[2].mods & MOD_NEGATE_C);
	cr_expect_eq(UOPS[3].flags & UOP_GUARD_NEGATED, 0);
	cr_expect_eq(UOPS[4].flags & UOP_GUARD_NEGATED, 0);
	done();
}

Test(optimise, what_was_computed_before_is_not_computed_again)
{
	MADE("mov.u32 %r1, %tid.x;\nxor.b32 %r2, %r1, 77;\nmul.hi.u32 %r3, %r2, %r1;\nst.shared.u32 [tile], "
	     "%r3;\n"
	     "xor.b32 %r4, %r1, 77;\nmul.hi.u32 %r5, %r4, %r1;\nst.shared.u32 [tile+4], %r5;",
		"MOV_B32 XOR_B32 MUL_HI_U32 ST ST EXIT");
	MADE("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %clock;\nst.shared.u32 [tile], %r2;\nmov.u32 %r3, %clock;\n"
	     "st.shared.u32 [tile+4], %r3;",
		"MOV_SREG ST MOV_SREG ST EXIT");
	MADE("ld.shared.u32 %r1, [tile];\nst.shared.u32 [tile+4], %r1;\nld.shared.u32 %r2, [tile];\n"
	     "st.shared.u32 [tile+8], %r2;",
		"LD LD ST ST EXIT");
}

/* A value that one way alone computes is computed on the other. */
Test(optimise, what_another_way_computed_is_computed)
{
	MADE("mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 bra A;\nbar.sync 0;\nxor.b32 %r2, %r1, "
	     "77;\n"
	     "st.shared.u32 [tile], %r2;\nA:\nxor.b32 %r3, %r1, 77;\nst.shared.u32 [tile+4], %r3;",
		"MOV_B32 SETP_U32 NOP NOP @BRA BAR_SYNC XOR_B32 ST NOP XOR_B32 ST EXIT");
}

Test(optimise, an_offset_moves_out_of_a_multiply_add_into_the_accesses)
{
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, "
	     "8;\n"
	     "add.s64 %rd4, %rd3, %rd2;\nadd.s64 %rd5, %rd1, %rd2;\nld.global.u32 %r2, [%rd4];\n"
	     "st.global.u32 [%rd5], %r2;",
		"MOV_B32 MOV_B32 MAD_WIDE_U32 LD ST EXIT");
}

/* Two values that no compiler knows, and a third. */
#define THREE "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r3, %ctaid.x;\n"

Test(optimise, a_shift_to_the_right_is_part_of_a_sum_from_maxwell_on)
{
	const char *body = THREE "shr.s32 %r4, %r1, 5;\nadd.s32 %r5, %r4, %r2;\nst.shared.u32 [tile], %r5;";

	cr_expect_str_eq(made_for(body, 35), "MOV_B32 MOV_B32 SHR_S32 ADD_B32 ST EXIT");
	cr_expect_str_eq(made_for(body, 52), "MOV_B32 MOV_B32 SHR_ADD_S32 ST EXIT");
	/* read twice, it stays */
	MADE(THREE "shr.u32 %r4, %r1, 5;\nadd.s32 %r5, %r4, %r2;\nst.shared.u32 [tile], %r5;\n"
		   "st.shared.u32 [tile+4], %r4;",
		"MOV_B32 MOV_B32 SHR_U32 ADD_B32 ST ST EXIT");
}

Test(optimise, a_shift_to_the_left_is_part_of_every_sum_that_reads_it)
{
	MADE(THREE "shl.b32 %r4, %r1, 9;\nadd.s32 %r5, %r4, %r2;\nadd.s32 %r6, %r4, %r3;\n"
		   "st.shared.u32 [tile], %r5;\nst.shared.u32 [tile+4], %r6;",
		"MOV_B32 MOV_B32 MOV_B32 MAD_LO_B32 MAD_LO_B32 ST ST EXIT");
	MADE(THREE "shl.b32 %r4, %r1, 9;\nadd.s32 %r5, %r4, %r2;\nadd.s32 %r6, %r4, %r3;\n"
		   "st.shared.u32 [tile], %r5;\nst.shared.u32 [tile+4], %r6;\nst.shared.u32 [tile+8], %r4;",
		"MOV_B32 MOV_B32 MOV_B32 SHL_B32 ADD_B32 ADD_B32 ST ST ST EXIT");
}

Test(optimise, a_test_of_bits_is_one_instruction_from_maxwell_on)
{
	const char *body =
		THREE "and.b32 %r4, %r1, 3;\nsetp.ne.s32 %p1, %r4, 0;\n@%p1 st.shared.u32 [tile], %r2;";

	cr_expect_str_eq(made_for(body, 35), "MOV_B32 MOV_B32 AND_B32 SETP_S32 @ST EXIT");
	cr_expect_str_eq(made_for(body, 75), "MOV_B32 MOV_B32 SETP_AND_B32 @ST EXIT");
}

/* From Volta to Ada; behind the change of what was shifted the shift is needed. */
Test(optimise, accesses_to_shared_memory_scale_their_address)
{
#define SCALED(shift) \
	THREE "shl.b32 %r4, %r1, " shift ";\nmov.u32 %r5, tile;\nadd.s32 %r6, %r5, %r4;\n" \
	      "ld.shared.u32 %r7, [%r6+8];\nst.shared.u32 [%r6+1024], %r7;"
	cr_expect_str_eq(made_for(SCALED("2"), 61), "MOV_B32 SHL_B32 LD ST EXIT");
	cr_expect_str_eq(made_for(SCALED("2"), 90), "MOV_B32 SHL_B32 STEP STEP STEP LD ST EXIT");
	MADE(SCALED("5"), "MOV_B32 SHL_B32 LD ST EXIT");
	MADE(SCALED("2"), "MOV_B32 LD ST EXIT");
	lower(SCALED("3"), PTX_SCHEDULED, 75);
	cr_expect_eq(UOPS[1].code, UOP_LD);
	cr_expect_eq(UOPS[1].scale, 3);
	cr_expect_eq(UOPS[1].imm, 8);
	cr_expect_eq(UOPS[2].scale, 3);
	done();
	MADE("mov.u32 %r1, %tid.x;\nmov.u32 %r9, 0;\nLOOP:\nshl.b32 %r4, %r1, 2;\nadd.s32 %r1, %r1, %r9;\n"
	     "st.shared.u32 [%r4], %r9;\nadd.s32 %r9, %r9, 3;\nsetp.ne.u32 %p1, %r1, 7;\n@%p1 bra LOOP;",
		"MOV_B32 MOV_B32 SHL_B32 ADD_B32 ST ADD_B32 SETP_U32 @BRA EXIT");
}

/* Hopper loads once, before loops, what others have as operands; Ampere and Hopper a descriptor of global
 * memory, and Hopper makes the address of its shared memory. */
Test(optimise, hopper_has_no_operands_in_the_constant_bank)
{
	const char *body = "ld.param.u32 %r1, [n];\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nadd.s32 "
			   "%r4, %r3, %r1;\n"
			   "mul.hi.u32 %r5, %r4, %r2;\nadd.s32 %r6, %r5, %r1;\nst.shared.u32 [tile], %r6;";

	MADE_FOR(75, body, "MOV_B32 ADD_B32 MUL_HI_U32 ADD_B32 ST EXIT");
	MADE_FOR(90, body, "MOV_B32 STEP ADD_B32 STEP MUL_HI_U32 ADD_B32 STEP STEP STEP ST EXIT");
	MADE_FOR(90,
		"ld.param.u32 %r1, [n];\nmov.u32 %r2, %ntid.x;\nmul.hi.u32 %r3, %r1, %r2;\nst.shared.u32 "
		"[tile], %r3;",
		"STEP STEP MUL_HI_U32 STEP STEP STEP ST EXIT");
	/* two words of .const memory are neighbours */
	body = "mov.u32 %r1, %tid.x;\nld.const.u32 %r2, [table];\nld.const.u32 %r3, [table+4];\nld.const.u32 "
	       "%r4, [table+8];\n"
	       "mul.hi.u32 %r5, %r1, %r2;\nmul.hi.u32 %r6, %r5, %r3;\nmul.hi.u32 %r7, %r6, "
	       "%r4;\nst.shared.u32 [tile], %r7;";
	MADE_FOR(90, body, "MOV_B32 STEP MUL_HI_U32 MUL_HI_U32 STEP MUL_HI_U32 STEP STEP STEP ST EXIT");
	body = "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.s32 %rd2, %r1, 4;\nadd.s64 %rd3, "
	       "%rd1, %rd2;\n"
	       "st.global.u32 [%rd3], %r1;";
	MADE_FOR(75, body, "MOV_B32 MOV_B32 MAD_WIDE_S32 ST EXIT");
	MADE_FOR(80, body, "MOV_B32 MOV_B32 MAD_WIDE_S32 STEP ST EXIT");
	MADE_FOR(90, body, "MOV_B32 LD_PARAM MAD_WIDE_S32 STEP ST EXIT");
}

Test(optimise, hopper_loads_constants_outside_of_loops)
{
	const char *body = "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nL:\nld.param.u32 %r3, [n];\n"
			   "mul.lo.s32 %r1, %r1, %r3;\nst.volatile.global.u32 [%rd1], %r1;\n"
			   "setp.ne.s32 %p1, %r1, %r3;\n@%p1 bra L;";
	uint32_t loads = 0, at = 0;

	lower(body, PTX_SCHEDULED, 90);
	for (uint32_t i = 0; i < k->uop_count; i++)
		if (k->uops[i].code == UOP_BRA)
			at = k->uops[i].target;
	cr_assert_gt(at, 0);
	for (uint32_t i = 0; i < at; i++)
		loads += k->uops[i].code == UOP_LD_PARAM || k->uops[i].code == UOP_STEP;
	cr_expect_eq(loads, 4); /* the stack pointer, p, n, the descriptor */
	for (uint32_t i = at; i < k->uop_count; i++)
		cr_expect(k->uops[i].code != UOP_LD_PARAM && k->uops[i].code != UOP_STEP);
	done();
}

/* No barrier register is cleared on Ampere. */
Test(optimise, lanes_gather_in_two_instructions_from_ampere_on)
{
	const char *body =
		"mov.u32 %r1, %tid.x;\nsetp.gt.s32 %p1, %r1, 7;\n@%p1 bra E;\n"
		"bar.warp.sync 7;\nbar.warp.sync 7;\nbar.warp.sync 7;\nbar.warp.sync 7;\nbar.warp.sync 7;\n"
		"bar.warp.sync 7;\nbar.warp.sync 7;\nbar.warp.sync 7;\nbar.warp.sync 7;\nE:\n"
		"st.shared.u32 [tile], %r1;";
	uint32_t nops[2] = { 0 };

	for (uint32_t n = 0; n < 2; n++) {
		lower(body, PTX_SCHEDULED, n ? 80 : 75);
		for (uint32_t i = 0; i < k->uop_count; i++)
			nops[n] += k->uops[i].code == UOP_NOP;
		done();
	}
	cr_expect_eq(nops[0], 3);
	cr_expect_eq(nops[1], 2);
}

/* A 64-bit shift and a sum are LEA and LEA.HI.X; one that several sums read stays. */
Test(optimise, wide_shifts_are_parts_of_sums)
{
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ncvt.s64.s32 %rd2, %r1;\nshl.b64 %rd3, %rd2, 2;\n"
	     "add.s64 %rd4, %rd1, %rd3;\nst.global.u32 [%rd4], %r1;",
		"MOV_B32 CVT_S64_S32 MAD_LO_B64 STEP ST EXIT");
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ncvt.s64.s32 %rd2, %r1;\nshl.b64 %rd3, %rd2, 2;\n"
	     "ld.shared.u64 %rd6, [tile];\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd6, %rd3;\n"
	     "st.global.u32 [%rd4], %r1;\nst.global.u32 [%rd5], %r1;",
		"MOV_B32 LD CVT_S64_S32 SHL_B64 STEP ADD_B64 STEP ST ADD_B64 STEP ST EXIT");
}

/* What counts in a loop that is not unrolled is multiplied where it is added. */
Test(optimise, a_product_of_a_counter_is_part_of_the_sum)
{
	MADE("ld.param.u64 %rd1, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nL:\nmul.wide.s32 %rd2, "
	     "%r1, 4;\n"
	     "add.s64 %rd3, %rd1, %rd2;\nst.volatile.global.u32 [%rd3], %r1;\nadd.s32 %r1, %r1, %r9;\n"
	     "setp.lt.s32 %p1, %r1, 77;\n@%p1 bra L;",
		"MOV_B32 MOV_B32 MAD_WIDE_S32 ST ADD_B32 SETP_S32 @BRA EXIT");
}

/* An address that is the same for all lanes comes from the uniform datapath in two moves, where an access has
 * a descriptor. */
Test(optimise, addresses_of_a_warp_are_moved_from_ampere_on)
{
	const char *body = "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\ncvt.s64.s32 %rd2, %r1;\nadd.s64 "
			   "%rd3, %rd1, %rd2;\n"
			   "mov.u32 %r2, %tid.x;\nst.global.u8 [%rd3], %r2;\nshl.b64 %rd4, %rd2, 2;\nadd.s64 "
			   "%rd5, %rd3, %rd4;\n"
			   "add.s64 %rd6, %rd5, %rd4;\nst.global.u8 [%rd6], %r2;\nst.global.u8 [%rd5], %r2;";
	uint32_t steps[2] = { 0 };

	for (uint32_t n = 0; n < 2; n++) {
		lower(body, PTX_SCHEDULED, n ? 80 : 75);
		for (uint32_t i = 0; i < k->uop_count; i++)
			steps[n] += k->uops[i].code == UOP_STEP;
		done();
	}
	cr_expect_eq(steps[1] - steps[0], 1 + 2 * 2); /* the descriptor; two of the three are sums by
							 themselves */
}

/* What ptxas of CUDA 13 loads again, and what not (redundant_loads.c) */
Test(optimise, a_block_loads_an_address_once_until_something_may_have_changed_it)
{
#define TWICE(between) \
	"mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nld.shared.f32 %f1, [%r2];\n" between \
	"\nld.shared.f32 %f2, [%r2];\nadd.f32 %f3, %f1, %f2;\nst.shared.f32 [%r2+512], %f3;"
	static const struct {
		const char *body;
		int loads;
	} cases[] = { { TWICE(""), 1 }, { TWICE("st.shared.u32 [%r2+4], %r1;"), 2 },
		{ TWICE("ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], %r1;"), 1 },
		{ TWICE("bar.sync 0;"), 2 }, { TWICE("membar.cta;"), 2 },
		{ TWICE("shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\nld.param.u64 %rd1, [p];\nst.global.u32 "
			"[%rd1], %r3;"),
			1 },
		{ TWICE("atom.shared.add.u32 %r3, [%r2+8], 1;"), 2 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *names = made_for(cases[i].body, 75);
		int loads = 0;

		for (const char *at = names; (at = strstr(at, "LD")); at += 2)
			loads += at[2] == ' ';
		cr_expect_eq(loads, cases[i].loads, "case %zu: %s", i, names);
	}
}
