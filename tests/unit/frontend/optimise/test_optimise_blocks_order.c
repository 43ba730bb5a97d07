/* tests/unit/frontend/optimise/test_optimise_blocks_order.c -- the order of loads, and loops. */
#include "tests/unit/frontend/optimise/optimise_rig.h"

Test(optimise, a_load_issues_before_what_waits_for_another)
{
	MADE("mov.u32 %r1, %tid.x;\nld.shared.u32 %r2, [%r1];\nmul.hi.u32 %r3, %r2, %r1;\nld.shared.u32 %r4, "
	     "[%r1+4];\nmul.hi.u32 %r5, %r3, %r4;\nst.shared.u32 [tile], %r5;",
		"MOV_B32 LD LD MUL_HI_U32 MUL_HI_U32 ST EXIT");
}

/* The second load may read what the store wrote, unless its bytes are others by the same register. */
Test(optimise, a_load_passes_a_store_only_where_it_cannot_concern_it)
{
#define PAIR(second) \
	"mov.u32 %r1, %tid.x;\nmov.u32 %r9, %laneid;\nmov.u64 %rd9, %clock64;\nld.shared.u32 %r2, [%r1];\n" \
	"st.shared.u32 [%r1], %r2;\n" second "\nadd.u32 %r5, %r2, %r4;\nst.shared.u32 [tile], %r5;"
	MADE(PAIR("ld.shared.u32 %r4, [%r9];"), "MOV_B32 MOV_B32 MOV_SREG LD ST LD ADD_B32 ST EXIT");
	MADE(PAIR("ld.shared.u32 %r4, [%r1+4];"), "MOV_B32 MOV_SREG LD LD ST ADD_B32 ST EXIT");
	MADE(PAIR("ld.shared.u16 %r4, [%r1+2];"), "MOV_B32 MOV_SREG LD ST LD ADD_B32 ST EXIT");
	MADE(PAIR("ld.volatile.shared.u32 %r4, [%r1+4];"), "MOV_B32 MOV_SREG LD ST LD ADD_B32 ST EXIT");
	MADE(PAIR("cvt.u64.u32 %rd1, %r9;\nshl.b64 %rd2, %rd1, 33;\nld.global.u32 %r4, [%rd2];"),
		"MOV_B32 MOV_B32 MOV_SREG LD CVT_U64_U32 SHL_B64 STEP LD ST ADD_B32 ST EXIT");
	MADE(PAIR("ld.u32 %r4, [%rd9];"), "MOV_B32 MOV_SREG LD ST LD ADD_B32 ST EXIT");
}

Test(optimise, nothing_passes_a_barrier_that_it_concerns_or_a_clock)
{
	MADE("mov.u32 %r1, %tid.x;\nld.shared.u32 %r2, [%r1];\nst.shared.u32 [tile], %r2;\nbar.sync 0;\n"
	     "ld.shared.u32 %r3, [%r1+8];\nst.shared.u32 [tile+4], %r3;",
		"MOV_B32 LD ST BAR_SYNC LD ST EXIT");
	MADE("mov.u32 %r1, %tid.x;\nld.shared.u32 %r2, [%r1];\nadd.u32 %r2, %r2, 1;\nmov.u32 %r3, %clock;\n"
	     "ld.shared.u32 %r4, [%r1+8];\nadd.u32 %r5, %r2, %r3;\nadd.u32 %r5, %r4, %r5;\nst.shared.u32 "
	     "[tile], %r5;",
		"MOV_B32 LD ADD_B32 MOV_SREG LD ADD3_B32 ST EXIT");
}

/* %r2 is a multiple of 16, which the accesses make themselves. */
#define ALIGNED(loads) \
	"mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\n" loads \
	"mul.hi.u32 %r7, %r3, %r4;\nmul.hi.u32 %r8, %r5, %r6;\nmul.hi.u32 %r9, %r7, %r8;\nst.shared.u32 " \
	"[tile], %r9;"

Test(optimise, neighbouring_loads_from_shared_memory_become_one)
{
	const char *all =
		ALIGNED("ld.shared.u32 %r3, [%r2+4];\nld.shared.u32 %r4, [%r2];\nld.shared.u32 %r5, "
			"[%r2+12];\nld.shared.u32 %r6, [%r2+8];\n");

	MADE(all, "MOV_B32 LD MUL_HI_U32 MUL_HI_U32 MUL_HI_U32 ST EXIT");
	lower(all, PTX_SCHEDULED, 75);
	cr_expect_eq(UOPS[1].vector, 4);
	cr_expect_eq(UOPS[1].imm, 0);
	cr_expect_eq(UOPS[2].src[0], UOPS[1].dst[1]);
	cr_expect_eq(UOPS[2].src[1], UOPS[1].dst[0]);
	done();
	MADE(ALIGNED("ld.shared.u32 %r3, [%r2+4];\nld.shared.u32 %r4, [%r2+8];\nld.shared.u32 %r5, "
		     "[%r2+16];\n"
		     "ld.shared.u32 %r6, [%r2+20];\n"),
		"MOV_B32 LD LD LD MUL_HI_U32 MUL_HI_U32 MUL_HI_U32 ST EXIT");
}

/* How many loads from .const memory there are for the chip, of what the lane's index names. */
static uint32_t constant_loads(const char *offsets, uint32_t sm)
{
	char body[512];
	uint32_t n = 0;

	snprintf(body, sizeof body,
		"mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd1, %%r1, 16;\nmov.u64 %%rd2, table;\n"
		"add.s64 %%rd3, %%rd2, %%rd1;\nld.const.f32 %%f1, [%%rd3+%.1s];\nld.const.f32 %%f2, "
		"[%%rd3+%s];\n"
		"add.f32 %%f3, %%f1, %%f2;\nst.shared.f32 [tile], %%f3;",
		offsets, offsets + 2);
	lower(body, PTX_SCHEDULED, sm);
	for (uint32_t i = 0; i < k->uop_count; i++)
		n += k->uops[i].code == UOP_LD && k->uops[i].space == SPACE_CONST;
	done();
	return n;
}

Test(optimise, two_neighbouring_constants_are_loaded_at_once)
{
	cr_expect_eq(constant_loads("0,4", 90), 1);
	cr_expect_eq(constant_loads("8,12", 90), 1);
	cr_expect_eq(constant_loads("4,8", 90), 2, "8 bytes begin at a multiple of 8");
	cr_expect_eq(constant_loads("0,8", 90), 2);
	cr_expect_eq(constant_loads("0,4", 75), 1);
}

Test(optimise, loads_stay_apart_without_alignment_or_with_a_store_or_barrier_between)
{
	MADE(ALIGNED("add.u32 %r2, %r2, %r1;\nld.shared.u32 %r3, [%r2];\nld.shared.u32 %r4, [%r2+4];\n"
		     "mov.u32 %r5, %r3;\nmov.u32 %r6, %r3;\n"),
		"MOV_B32 MAD_LO_B32 LD LD MUL_HI_U32 MUL_HI_U32 MUL_HI_U32 ST EXIT");
	MADE(ALIGNED("ld.shared.u32 %r3, [%r2];\nbar.sync 0;\nld.shared.u32 %r4, [%r2+4];\nmov.u32 %r5, "
		     "%r3;\nmov.u32 "
		     "%r6, %r3;\n"),
		"MOV_B32 LD BAR_SYNC LD MUL_HI_U32 MUL_HI_U32 MUL_HI_U32 ST EXIT");
	MADE(ALIGNED("ld.shared.u32 %r3, [%r2];\nst.shared.u32 [%r1], %r3;\nld.shared.u32 %r4, "
		     "[%r2+4];\nmov.u32 %r5, "
		     "%r3;\nmov.u32 %r6, %r3;\n"),
		"MOV_B32 LD ST LD MUL_HI_U32 MUL_HI_U32 MUL_HI_U32 ST EXIT");
}

Test(optimise, a_register_with_several_values_in_a_block_does_not_hold_up_loads)
{
	MADE("mov.u32 %r1, %tid.x;\nld.shared.u32 %r2, [%r1];\nmul.hi.u32 %r3, %r2, %r1;\nld.shared.u32 %r2, "
	     "[%r1+64];\nmul.hi.u32 %r3, %r3, %r2;\nst.shared.u32 [tile], %r3;",
		"MOV_B32 LD LD MUL_HI_U32 MUL_HI_U32 ST EXIT");
}

Test(optimise, a_value_that_a_guarded_write_may_leave_keeps_its_register)
{
	lower("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 3;\nmov.u32 %r2, %r1;\n@%p1 mul.hi.u32 %r2, %r1, "
	      "%r1;\n"
	      "st.shared.u32 [tile], %r2;\nmul.hi.u32 %r2, %r1, 7;\nst.shared.u32 [tile+4], %r2;",
		PTX_SCHEDULED, 75);
	const struct uop *store = NULL, *guarded = NULL;
	for (uint32_t i = 0; i < k->uop_count; i++) {
		guarded = k->uops[i].flags & UOP_GUARDED ? &k->uops[i] : guarded;
		store = k->uops[i].code == UOP_ST && !store ? &k->uops[i] : store;
	}
	cr_assert(guarded && store);
	cr_expect_eq(guarded->dst[0], store->src[1]);
	done();
}

#define COUNTED(step, test, pragma, more) \
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nL:\n" pragma \
	"ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r2, " \
	"%r2, " step ";\n" more test "@%p1 bra L;\nst.shared.f32 [tile], %f1;"

static uint32_t loads_of(const char *body)
{
	uint32_t loads = 0;

	lower(body, PTX_SCHEDULED, 75);
	for (uint32_t i = 0; i < k->uop_count; i++)
		loads += k->uops[i].code == UOP_LD;
	done();
	return loads;
}

/* Four rounds, two, and the loop itself. */
Test(optimise, a_loop_that_counts_is_unrolled)
{
	cr_expect_eq(loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "")), 7);
	cr_expect_eq(loads_of(COUNTED("-3", "setp.gt.s32 %p1, %r2, %r1;\n", "", "")), 7);
	cr_expect_eq(loads_of(COUNTED("-1", "setp.ne.s32 %p1, %r2, 0;\n", "", "")), 7);
	cr_expect_eq(loads_of(COUNTED("2", "setp.gt.u32 %p1, %r1, %r2;\n", "", "")), 7);
}

/* Out of an inner loop to the end of the outer one, which stands before it: as clang lays out loops in loops.
 */
#define INNER(pragma) \
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmov.u32 %r4, 9;\nbra.uni " \
	"L;\n" \
	"NEXT:\nadd.s32 %r4, %r4, -1;\nbar.sync 0;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra OUT;\nL:\n" pragma \
	"ld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r2, %r2, " \
	"-1;\n" \
	"setp.eq.s32 %p1, %r2, 0;\n@%p1 bra NEXT;\nbra.uni L;\nOUT:\nst.shared.f32 [tile], %f1;"

Test(optimise, a_loop_that_goes_on_by_a_jump_goes_on_by_a_branch)
{
	cr_expect_eq(loads_of(INNER("")), 7, "and is unrolled");
	MADE(INNER(".pragma \"nounroll\";\n"),
		"MOV_B64 STEP MOV_B32 MOV_B32 NOP NOP LD ADD_B64 STEP ADD_B32 SETP_S32 ADD_F32 @BRA NOP "
		"ADD_B32 BAR_SYNC SETP_S32 @BRA ST EXIT");
}

/* As ptxas of CUDA 13 was asked: a loop is unrolled if its branch is taken where the predicate is true, and
 * would not be turned around. */
Test(optimise, a_loop_that_goes_on_where_its_predicate_is_false_is_not_unrolled)
{
#define BACK(compare, branch) \
	"ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nsetp.gt.u32 %p2, %r2, " \
	"9;\n@%p2 bra X;\n" \
	"L:\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r2, %r2, " \
	"-1;\n" \
	"setp." compare ".s32 %p1, %r2, 0;\n" branch "X:\nbar.sync 0;\nM:\nst.shared.f32 [tile], %f1;"
	cr_expect_eq(loads_of(BACK("ne", "@%p1 bra L;\n")), 7);
	cr_expect_eq(loads_of(BACK("eq", "@!%p1 bra L;\n")), 1);
	cr_expect_eq(loads_of(BACK("eq", "@%p1 bra X;\nbra L;\n")), 1, "X comes next");
	cr_expect_eq(loads_of(BACK("eq", "@%p1 bra M;\nbra L;\n")), 7);
	cr_expect_eq(loads_of(BACK("ne", "@!%p1 bra M;\nbra L;\n")), 1);
}

Test(optimise, a_loop_that_does_not_count_or_may_not_be_unrolled_stays)
{
	cr_expect_eq(
		loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", ".pragma \"nounroll\";\n", "")), 1);
	cr_expect_eq(loads_of(COUNTED("1", "setp.gt.s32 %p1, %r2, %r1;\n", "", "")), 1);
	cr_expect_eq(loads_of(COUNTED("%r1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "")), 1);
	cr_expect_eq(loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "add.s32 %r1, %r1, 1;\n")), 1);
	cr_expect_eq(loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "bar.sync 0;\n")), 1);
	cr_expect_eq(loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "mov.u32 %r3, %clock;\n")), 1);
	cr_expect_eq(
		loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", "@%p1 add.f32 %f1, %f1, %f1;\n")),
		1);
	cr_expect_eq(loads_of(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "",
			     "shfl.sync.down.b32 %r3, %r2, 1, 31, -1;\n")),
		1);
}

Test(optimise, the_counters_of_an_unrolled_loop_take_one_step)
{
	uint32_t offsets[7] = { 0 }, n = 0;

	lower(COUNTED("1", "setp.lt.s32 %p1, %r2, %r1;\n", "", ""), PTX_SCHEDULED, 75);
	for (uint32_t i = 0; i < k->uop_count; i++)
		if (k->uops[i].code == UOP_LD)
			offsets[n++] = (uint32_t)k->uops[i].imm;
	done();
	cr_expect_arr_eq(offsets, ((uint32_t[]){ 0, 4, 8, 12, 0, 4, 0 }), sizeof offsets);
}

static uint32_t count_in(uint32_t from, uint32_t to, uint16_t code)
{
	uint32_t n = 0;

	for (uint32_t i = from; i < to; i++)
		n += UOPS[i].code == code;
	return n;
}

static uint32_t first_of(uint16_t code)
{
	uint32_t i = 0;

	while (i < k->uop_count - 1 && UOPS[i].code != code)
		i++;
	return i;
}

/* ptxas for sm_75 and sm_90: of the 18 instructions nine stay in the loop; two divisions by one divisor make
 * one reciprocal, those of signed and unsigned numbers two. */
Test(optimise, a_reciprocal_is_made_once_and_before_the_loop)
{
	static const struct {
		const char *name;
		uint16_t code, reciprocal;
		uint32_t steps;
	} divisions[] = { { "div.u32", UOP_DIV_U32, UOP_RECIPROCAL_U32, 9 },
		{ "rem.u32", UOP_REM_U32, UOP_RECIPROCAL_U32, 8 },
		{ "div.s32", UOP_DIV_S32, UOP_RECIPROCAL_S32, 13 },
		{ "rem.s32", UOP_REM_S32, UOP_RECIPROCAL_S32, 11 } };
	static const char *const divisors[] = { "%r1", "%r2" }; /* a parameter, and what was loaded before */

	for (size_t i = 0; i < 2 * sizeof divisions / sizeof *divisions; i++) {
		char body[512];
		uint32_t at;

		snprintf(body, sizeof body,
			"ld.param.u32 %%r1, [n];\nld.shared.u32 %%r2, [tile];\nmov.u32 %%r3, 1000000;\n"
			"L: .pragma \"nounroll\";\n%s %%r3, %%r3, %s;\nadd.u32 %%r3, %%r3, 5;\n"
			"setp.gt.u32 %%p1, %%r3, 1000;\n@%%p1 bra L;\nst.shared.u32 [tile], %%r3;",
			divisions[i / 2].name, divisors[i % 2]);
		lower(body, PTX_SCHEDULED, 75);
		at = first_of(divisions[i / 2].code);
		cr_expect_lt(first_of(divisions[i / 2].reciprocal), UOPS[first_of(UOP_BRA)].target - 1,
			"%s by %s", divisions[i / 2].name, divisors[i % 2]);
		cr_expect_eq(1 + count_in(at, first_of(UOP_BRA), UOP_STEP), divisions[i / 2].steps,
			"%s by %s", divisions[i / 2].name, divisors[i % 2]);
		done();
	}
}

Test(optimise, a_reciprocal_is_shared_while_the_divisor_stays)
{
#define TWO "ld.shared.u32 %r1, [tile];\nld.shared.u32 %r2, [tile+4];\nld.shared.u32 %r3, [tile+8];\n"
#define SUM "add.u32 %r4, %r4, %r5;\nst.shared.u32 [tile], %r4;"

	lower(TWO "div.u32 %r4, %r1, %r3;\nrem.u32 %r5, %r2, %r3;\n" SUM, PTX_SCHEDULED, 75);
	cr_expect_eq(count_in(0, k->uop_count - 1, UOP_RECIPROCAL_U32), 1);
	done();
	lower(TWO "div.u32 %r4, %r1, %r3;\ndiv.s32 %r5, %r2, %r3;\n" SUM, PTX_SCHEDULED, 75);
	cr_expect_eq(count_in(0, k->uop_count - 1, UOP_RECIPROCAL_U32), 1);
	cr_expect_eq(count_in(0, k->uop_count - 1, UOP_RECIPROCAL_S32), 1);
	done();
	lower(TWO "setp.eq.u32 %p1, %r1, 3;\n@%p1 mov.u32 %r3, 5;\ndiv.u32 %r4, %r1, %r3;\n@%p1 mov.u32 %r3, "
		  "%r2;\n"
		  "div.u32 %r5, %r2, %r3;\n" SUM,
		PTX_SCHEDULED, 75);
	cr_expect_eq(count_in(0, k->uop_count - 1, UOP_RECIPROCAL_U32), 2, "it was written between");
	done();
	lower(TWO "div.u32 %r4, %r1, %r3;\nrem.u32 %r5, %r2, %r3;\n" SUM, PTX_SCHEDULED, 60);
	cr_expect_eq(count_in(0, k->uop_count - 1, UOP_RECIPROCAL_U32), 0, "not known of Pascal");
	done();
}

/* The loop of sdk/scalarprod, unrolled by four, reads eight words; the pointers that it walks from are
 * parameters, which are the same for all lanes and take no registers of the threads. ptxas for sm_90 has all
 * eight loads in front; with the pointers counted there were two. */
Test(optimise, registers_of_the_warp_leave_room_for_loads)
{
	FILE *file = fopen("benchmarks/sdk/scalarprod/kernel.ptx", "r");
	struct ptx_lowering how = { .timed_code = PTX_SCHEDULED, .sm = 90 };
	struct diag_list diags;
	char text[16384];
	size_t size;
	uint32_t at;

	cr_assert(file);
	size = fread(text, 1, sizeof text, file);
	fclose(file);
	cr_assert_lt(size, sizeof text);
	diag_init(&diags);
	module = ptx_parse(text, size, "kernel.ptx", &diags);
	cr_assert(module);
	image = ptx_lower_as(&module, 1, &how, &diags);
	cr_assert(image);
	k = &image->kernels[0];
	at = count_in(0, first_of(UOP_FMA_F32), UOP_LD);
	cr_expect_geq(at, 5, "%u loads", at);
	diag_fini(&diags);
	done();
}
