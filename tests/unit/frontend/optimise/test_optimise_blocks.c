/* tests/unit/frontend/optimise/test_optimise_blocks.c -- the same for blocks: guards, sequences, lanes that
 * part, the order of loads, loops. */
#include "tests/unit/frontend/optimise/optimise_rig.h"

/* What a guarded block alone reads needs no register before it, though a guarded write leaves other lanes as
 * they are. */
Test(optimise, a_value_inside_a_guarded_block_is_not_live_before_it)
{
	uint32_t rows;
#define AROUND_BLOCK(body) \
	"mov.u32 %r1, %tid.x;\nmov.u32 %r9, 0;\nloop:\nbar.sync 0;\nld.shared.u32 %r2, [%r1+4];\n" \
	"setp.gt.u32 %p1, %r2, 9;\n@%p1 bra over;\n" body "st.shared.u32 [%r1], %r5;\nover:\n" \
	"ld.shared.u32 %r6, [%r1+8];\nmul.hi.u32 %r7, %r6, %r2;\nst.shared.u32 [%r1+12], %r7;\n" \
	"add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, %r1;\n@%p2 bra loop;"
	lower(AROUND_BLOCK("add.u32 %r5, %r2, 7;\n"), PTX_SCHEDULED, 75);
	rows = k->rows;
	done();
	lower(AROUND_BLOCK("mul.hi.u32 %r3, %r2, 7;\nmul.hi.u32 %r4, %r3, 5;\nmul.hi.u32 %r8, %r4, 5;\n"
			   "xor.b32 %r5, %r8, %r3;\n"),
		PTX_SCHEDULED, 75);
	cr_expect_leq(k->rows, rows + 2);
	done();
}

Test(optimise, a_short_block_is_guarded_and_one_with_a_barrier_is_not)
{
	MADE("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra over;\nst.shared.u32 [tile], "
	     "%r1;\nover:\n"
	     "bar.sync 0;",
		"MOV_B32 SETP_U32 @ST BAR_SYNC EXIT");
	MADE("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra over;\nbar.sync 1;\nover:\nbar.sync "
	     "0;",
		"MOV_B32 SETP_U32 NOP NOP @BRA BAR_SYNC NOP BAR_SYNC EXIT");
}

/* Whether a block of so many multiply-adds, and what comes before them, is guarded for the chip. */
static bool is_guarded_for(uint32_t sm, const char *before, uint32_t sums)
{
	char body[2048];
	size_t used = (size_t)snprintf(body, sizeof body,
		"ld.param.u64 %%rd1, [p];\nld.param.u32 %%r1, [n];\nmov.u32 %%r2, %%tid.x;\nmov.f32 %%f1, "
		"0f00000000;\n"
		"mov.f32 %%f2, 0f3f000000;\nsetp.gt.u32 %%p1, %%r2, %%r1;\n@%%p1 bra M;\n%s",
		before);

	for (uint32_t i = 0; i < sums; i++)
		used += (size_t)snprintf(
			body + used, sizeof body - used, "fma.rn.f32 %%f1, %%f1, %%f2, %%f2;\n");
	snprintf(body + used, sizeof body - used, "M:\nst.shared.f32 [tile], %%f1;");
	return !strstr(made_for(body, sm), "@BRA");
}

static bool is_guarded(const char *before, uint32_t sums)
{
	return is_guarded_for(75, before, sums);
}

/* As ptxas of CUDA 13: 8 instructions, 20 if one of them loads from global memory. */
Test(optimise, how_long_a_block_is_guarded)
{
	cr_expect(is_guarded("", 8));
	cr_expect_not(is_guarded("", 9));
	cr_expect(is_guarded("ld.shared.f32 %f2, [tile];\n", 7));
	cr_expect_not(is_guarded("ld.shared.f32 %f2, [tile];\n", 8));
	cr_expect(is_guarded("ld.global.f32 %f2, [%rd1];\n", 19));
	cr_expect_not(is_guarded("ld.global.f32 %f2, [%rd1];\n", 20));
}

/* Whether a branch with two cases is guarded: multiply-adds of each, and what comes before them. */
static bool are_guarded(const char *before, uint32_t sums, const char *also, uint32_t others)
{
	char body[4096];
	size_t used = (size_t)snprintf(body, sizeof body,
		"ld.param.u64 %%rd1, [p];\nld.param.u32 %%r1, [n];\nmov.u32 %%r2, %%tid.x;\nmov.f32 %%f1, "
		"0f00000000;\nmov.f32 %%f2, 0f3f000000;\nsetp.gt.u32 %%p1, %%r2, %%r1;\n@%%p1 bra E;\n%s",
		before);

	for (uint32_t i = 0; i < sums; i++)
		used += (size_t)snprintf(
			body + used, sizeof body - used, "fma.rn.f32 %%f1, %%f1, %%f2, %%f2;\n");
	used += (size_t)snprintf(body + used, sizeof body - used, "bra M;\nE:\n%s", also);
	for (uint32_t i = 0; i < others; i++)
		used += (size_t)snprintf(
			body + used, sizeof body - used, "fma.rn.f32 %%f1, %%f1, %%f1, %%f2;\n");
	snprintf(body + used, sizeof body - used, "M:\nst.shared.f32 [tile], %%f1;");
	return !strstr(made_for(body, 75), "BRA");
}

Test(optimise, two_short_cases_are_guarded)
{
	static const char *const load = "ld.global.f32 %f1, [%rd1];\n";

	cr_expect(are_guarded("", 7, "", 8));
	cr_expect_not(are_guarded("", 8, "", 1), "with its jump it has nine");
	cr_expect_not(are_guarded("", 1, "", 9));
	cr_expect(are_guarded(load, 18, "", 2));
	cr_expect_not(are_guarded(load, 19, "", 2));
	cr_expect(are_guarded(load, 2, "", 16));
	cr_expect_not(are_guarded(load, 2, "", 17));
	cr_expect(are_guarded("", 16, load, 2));
	cr_expect_not(are_guarded("", 17, load, 2));
	cr_expect(are_guarded("", 9, load, 19));
	cr_expect(are_guarded("", 10, load, 8));
	cr_expect_not(are_guarded("", 10, load, 9));
	cr_expect(are_guarded(load, 18, "", 10));
	cr_expect_not(are_guarded(load, 18, "", 11));
	cr_expect_not(are_guarded("", 2, load, 20));
	MADE("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra E;\nst.shared.u32 [tile], %r1;\nbra "
	     "M;\nE:\n"
	     "st.shared.u32 [tile+4], %r1;\nbar.sync 0;\nM:\nst.shared.u32 [tile+8], %r1;",
		"MOV_B32 SETP_U32 @ST NOP NOP @BRA ST BAR_SYNC NOP ST EXIT");
}

/* As ptxas: six instructions where all lanes agree; a block with loads stays behind a condition that was
 * loaded, however it was computed, and the first of two cases does not. */
Test(optimise, conditions_decide_how_long_a_block_is_guarded)
{
#define IF(condition, block) \
	made_for("ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmov.f32 %f1, " \
		 "0f3f000000;\n" condition "@%p1 bra M;\n" block "M:\nst.shared.f32 [tile], %f1;", \
		80)
#define SUM2 "fma.rn.f32 %f1, %f1, %f1, %f1;\nfma.rn.f32 %f1, %f1, %f1, %f1;\n"
#define LOAD "ld.global.f32 %f1, [%rd1+8];\n"
#define SAME "setp.gt.u32 %p1, %r1, 7;\n"
#define OWN  "setp.gt.u32 %p1, %r2, %r1;\n"
#define GOT  "ld.global.u32 %r3, [%rd1];\nmad.lo.u32 %r3, %r3, %r2, 5;\nsetp.gt.u32 %p1, %r3, %r1;\n"

	cr_expect(!strstr(IF(SAME, SUM2 SUM2 SUM2), "BRA"));
	cr_expect(strstr(IF(SAME, SUM2 SUM2 SUM2 "neg.f32 %f1, %f1;\n"), "@BRA"));
	cr_expect(!strstr(IF(OWN, SUM2 SUM2 SUM2 SUM2), "BRA"));
	cr_expect(!strstr(IF(OWN, LOAD SUM2), "BRA"));
	cr_expect(!strstr(IF(SAME, LOAD SUM2 SUM2 SUM2 SUM2), "BRA"));
	cr_expect(!strstr(IF(GOT, SUM2 SUM2 SUM2 SUM2), "BRA"));
	cr_expect(strstr(IF(GOT, LOAD), "@BRA"));
	cr_expect(
		strstr(made_for("ld.param.u64 %rd1, [p];\nmov.u32 %r2, %tid.x;\nmov.f32 %f1, 0f3f000000;\n"
				"L: .pragma \"nounroll\";\nsetp.gt.u32 %p1, %r2, 7;\n@%p1 bra M;\n" LOAD
				"M: ld.global.u32 %r2, [%rd1+64];\nst.shared.f32 [tile], %f1;\nbar.sync 0;\n"
				"setp.lt.u32 %p2, %r2, 9;\n@%p2 bra L;",
			       70),
			"@LD"),
		"of the round before");
}

/* The branch leads around the second case then. */
Test(optimise, a_short_first_case_is_guarded_beside_a_long_one)
{
#define LONG "bar.sync 0;\nst.shared.u32 [tile], %r1;\n"
#define CASES(first, second) \
	"mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra E;\n" first "bra M;\nE:\n" second \
	"M:\nst.shared.u32 [tile+8], %r1;"
#define SHORT "st.shared.u32 [tile+4], %r1;\n"

	MADE_FOR(80, CASES(SHORT, LONG), "MOV_B32 SETP_U32 @ST NOP @BRA BAR_SYNC ST NOP ST EXIT");
	MADE_FOR(80, CASES(LONG, SHORT), "MOV_B32 SETP_U32 NOP @BRA BAR_SYNC ST BRA ST NOP ST EXIT");
	lower(CASES(SHORT, LONG), PTX_SCHEDULED, 80);
	cr_expect(UOPS[2].flags & UOP_GUARD_NEGATED);
	cr_expect(UOPS[4].flags & UOP_GUARD_NEGATED);
	cr_expect_eq(k->uops[UOPS[4].target].code, UOP_NOP, "behind the second case");
	done();
}

/* The same: what each counts beside the multiply-adds. */
Test(optimise, approximations_count_their_selections)
{
	static const struct {
		const char *code;
		uint32_t counts;
	} operations[] = { { "rsqrt.approx.f32", 5 }, { "rsqrt.approx.ftz.f32", 1 }, { "sqrt.approx.f32", 5 },
		{ "ex2.approx.f32", 5 }, { "lg2.approx.f32", 5 }, { "lg2.approx.ftz.f32", 1 },
		{ "sin.approx.f32", 2 }, { "rcp.approx.f32", 8 }, { "rcp.approx.ftz.f32", 1 } };
	static const struct {
		const char *code;
		uint32_t counts;
	} quotients[] = { { "div.full.ftz.f32", 7 }, { "div.approx.f32", 7 }, { "div.approx.ftz.f32", 2 } };
	char text[64];

	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
		snprintf(text, sizeof text, "%s %%f1, %%f1;\n", operations[i].code);
		cr_expect(is_guarded(text, 8 - operations[i].counts), "%s", text);
		cr_expect_not(is_guarded(text, 9 - operations[i].counts), "%s", text);
	}
	for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
		snprintf(text, sizeof text, "%s %%f1, %%f1, %%f2;\n", quotients[i].code);
		cr_expect(is_guarded(text, 8 - quotients[i].counts), "%s", text);
		cr_expect_not(is_guarded(text, 9 - quotients[i].counts), "%s", text);
	}
	cr_expect_not(is_guarded("div.full.f32 %f1, %f1, %f2;\n", 0));
}

/* sm_90 loads a parameter inside the block, once. */
Test(optimise, a_block_counts_the_parameters_that_it_loads)
{
	static const char *const one = "mad.lo.u32 %r3, %r2, %r2, %r1;\nmad.lo.u32 %r4, %r3, %r3, %r1;\n"
				       "st.shared.u32 [tile+64], %r4;\n";

	cr_expect(is_guarded_for(80, one, 5));
	cr_expect_not(is_guarded_for(80, one, 6));
	cr_expect(is_guarded_for(90, one, 4));
	cr_expect_not(is_guarded_for(90, one, 5));
}

Test(optimise, an_atomic_is_guarded_before_volta)
{
	const char *body = "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra over;\n"
			   "atom.shared.add.u32 %r2, [tile], %r1;\nover:\nbar.sync 0;";

	cr_expect_str_eq(made_for(body, 61), "MOV_B32 SETP_U32 @ATOM BAR_SYNC EXIT");
	cr_expect_str_eq(made_for(body, 70), "MOV_B32 SETP_U32 NOP NOP @BRA ATOM NOP BAR_SYNC EXIT");
}

Test(optimise, a_division_is_a_sequence_and_its_result_waits_for_all_of_it)
{
	lower("mov.u32 %r1, %tid.x;\nmov.b32 %f1, %r1;\ndiv.full.ftz.f32 %f2, %f1, %f1;\nst.shared.f32 "
	      "[tile], %f2;",
		PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 10);
	cr_expect_eq(UOPS[1].code, UOP_DIV_FULL_F32);
	cr_expect_eq(UOPS[1].unit, UNIT_SFU);
	for (uint32_t i = 2; i < 7; i++) {
		cr_expect_eq(UOPS[i].code, UOP_STEP);
		cr_expect_eq(UOPS[i].line, UOPS[1].line);
		cr_expect_eq(UOPS[i].dst[0], UOPS[1].dst[0]);
		cr_expect_eq(UOPS[i].writes, 1);
		cr_expect_eq(UOPS[i].reads, 1);
	}
	cr_expect_eq(UOPS[4].latency_class, CLASS_FP_MUL);
	done();
}

Test(optimise, sequences_depend_on_the_chip)
{
	const char *body = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, %r1;\nst.shared.u64 [tile], %rd1;";

	cr_expect_str_eq(made_for(body, 75), "MOV_B32 MUL_WIDE_U32 ST EXIT");
	cr_expect_str_eq(made_for(body, 20), "MOV_B32 MUL_WIDE_U32 STEP ST EXIT");
}

/* Products of 16 bits make those of 32 and 64 (XMAD); a shift and an addition are one instruction. */
Test(optimise, maxwell_and_pascal_multiply_in_parts)
{
#define FACTOR(by) \
	"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmul.lo.u32 %r3, %r1, " by \
	";\nadd.u32 %r9, %r3, %r2;" STORED
	cr_expect_str_eq(made_for(FACTOR("%r2"), 61), "MOV_B32 MOV_B32 MAD_LO_B32 STEP STEP ST EXIT");
	cr_expect_str_eq(made_for(FACTOR("1000"), 52), "MOV_B32 MOV_B32 MAD_LO_B32 STEP ST EXIT");
	cr_expect_str_eq(made_for(FACTOR("64"), 52), "MOV_B32 MOV_B32 MAD_LO_B32 ST EXIT");
	cr_expect_str_eq(made_for(FACTOR("%r2"), 70), "MOV_B32 MOV_B32 MAD_LO_B32 ST EXIT");
	cr_expect_str_eq(made_for(FACTOR("%r2"), 35), "MOV_B32 MOV_B32 MAD_LO_B32 ST EXIT");
	cr_expect_str_eq(
		made_for("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
			 "add.s64 %rd3, %rd1, %rd2;\nadd.s64 %rd4, %rd2, 64;\nst.global.u32 [%rd3], %r1;\n"
			 "st.global.u32 [%rd4], %r1;",
			61),
		"MOV_B32 MUL_WIDE_U32 STEP ADD_B64 STEP ST ST EXIT");
}

#define AROUND(condition) \
	"mov.u32 %r1, " condition \
	";\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra over;\nbar.sync 1;\nover:\nbar.sync 0;"

Test(optimise, lanes_that_a_branch_parts_are_gathered)
{
	cr_expect_str_eq(
		made_for(AROUND("%tid.x"), 75), "MOV_B32 SETP_U32 NOP NOP @BRA BAR_SYNC NOP BAR_SYNC EXIT");
	cr_expect_str_eq(made_for(AROUND("%tid.x"), 20), "MOV_B32 SETP_U32 NOP @BRA BAR_SYNC BAR_SYNC EXIT");
	cr_expect_str_eq(
		made_for(AROUND("%tid.x"), 60), "MOV_B32 SETP_U32 NOP @BRA BAR_SYNC NOP BAR_SYNC EXIT");
}

Test(optimise, a_branch_that_all_lanes_take_alike_parts_none)
{
	MADE(AROUND("%ctaid.x"), "MOV_B32 SETP_U32 @BRA BAR_SYNC BAR_SYNC EXIT");
}

Test(optimise, lanes_of_a_loop_are_gathered_behind_it)
{
	MADE("mov.u32 %r1, %tid.x;\nloop:\nbar.sync 1;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 "
	     "bra "
	     "loop;\nbar.sync 0;",
		"MOV_B32 NOP NOP BAR_SYNC ADD_B32 SETP_U32 @BRA NOP BAR_SYNC EXIT");
}

/* ptxas for sm_75 to sm_90: not where they only exit, but where some of them exit and others go on. */
Test(optimise, lanes_of_a_loop_are_gathered_before_some_exit)
{
#define LOOP \
	"mov.u32 %r1, %tid.x;\nL: .pragma \"nounroll\";\nadd.u32 %r1, %r1, 7;\nst.shared.u32 [tile], %r1;\n" \
	"setp.lt.u32 %p1, %r1, 900;\n@%p1 bra L;\n"

	MADE_FOR(80, LOOP, "MOV_B32 ADD_B32 ST SETP_U32 @BRA EXIT");
	MADE_FOR(80,
		LOOP "setp.gt.u32 %p2, %r1, 950;\n@%p2 bra X;\nbar.sync 0;\nst.shared.u32 [tile+4], %r1;\nX:",
		"MOV_B32 NOP ADD_B32 ST SETP_U32 @BRA NOP SETP_U32 @EXIT BAR_SYNC ST EXIT");
}
