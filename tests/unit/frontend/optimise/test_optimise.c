/* tests/unit/frontend/optimise/test_optimise.c -- what is left of short programs once frontend/optimise has
 * made of them what a chip would issue: operands, addresses, constants. */
#include "tests/unit/frontend/optimise/optimise_rig.h"

Test(optimise, code_as_written_stays_as_it_is)
{
	lower("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %r1;\nmov.u32 %r3, %r2;", PTX_AS_WRITTEN, 75);
	cr_expect_eq(k->uop_count, 4);
	cr_expect_eq(k->launch_value_count, 0);
	done();
}

Test(optimise, parameters_and_sizes_of_the_cta_are_operands)
{
	MADE("ld.param.u32 %r1, [n];\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nadd.s32 %r4, %r3, %r1;\n"
	     "mul.hi.u32 %r5, %r4, %r2;\nst.shared.u32 [tile], %r5;",
		"MOV_B32 ADD_B32 MUL_HI_U32 ST EXIT");
}

Test(optimise, an_operation_takes_one_constant)
{
	MADE("ld.param.u32 %r1, [n];\nmul.hi.u32 %r2, %r1, 77;\nst.shared.u32 [tile], %r2;",
		"MOV_B32 MUL_HI_U32 ST EXIT");
}

/* Loads of a known place in .const memory disappear, also behind a copy of the symbol's address; not those
 * of another width than their register's, nor what lies outside the symbol or is indexed. */
Test(optimise, constants_at_a_known_address_are_operands)
{
	MADE("mov.u32 %r1, %tid.x;\nld.const.u32 %r2, [table+4];\nmov.u64 %rd1, table;\n"
	     "ld.const.u32 %r3, [%rd1+12];\nadd.s32 %r4, %r1, %r2;\nadd.s32 %r5, %r4, %r3;\n"
	     "st.shared.u32 [tile], %r5;",
		"MOV_B32 ADD_B32 ADD_B32 ST EXIT");
	MADE("ld.const.u64 %rd1, [table+8];\nst.shared.u64 [tile], %rd1;", "MOV_B64 STEP ST EXIT");
	MADE("mov.u32 %r5, %tid.x;\nld.const.v2.u32 {%r1, %r2}, [table+8];\nadd.s32 %r3, %r5, %r1;\n"
	     "add.s32 %r4, %r3, %r2;\nst.shared.u32 [tile], %r4;",
		"MOV_B32 ADD_B32 ADD_B32 ST EXIT");
	MADE("ld.const.u8 %r1, [table+4];\nst.shared.u32 [tile], %r1;", "LD ST EXIT");
	MADE("ld.const.u32 %r1, [table+16];\nst.shared.u32 [tile], %r1;", "LD ST EXIT");
	MADE("ld.const.u32 %r1, [table+-4];\nst.shared.u32 [tile], %r1;", "LD ST EXIT");
	lower("ld.const.u32 %r1, [table+4];\nst.shared.u32 [tile], %r1;", PTX_SCHEDULED, 20);
	cr_assert_eq(k->launch_value_count, 1);
	cr_expect_eq(k->launch_values[0].kind, PTX_LAUNCH_CONSTANT);
	cr_expect_eq(k->launch_values[0].which, 4);
	cr_expect_str_eq(image->symbols[k->launch_values[0].symbol].name, "table");
	done();
}

/* Numbers that are computed from numbers; what has no place in 32 bits is converted when it runs. */
Test(optimise, numbers_are_computed)
{
	MADE("cvt.rzi.s32.f32 %r1, 0f41100000;\nshr.u32 %r2, %r1, 31;\nadd.s32 %r3, %r1, %r2;\n"
	     "shr.s32 %r4, %r3, 1;\nmov.u32 %r5, %tid.x;\nmad.lo.s32 %r6, %r4, 64, %r5;\n"
	     "st.shared.u32 [tile], %r6;",
		"MOV_B32 ADD_B32 ST EXIT");
	MADE("cvt.rzi.s32.f32 %r1, 0f4F000000;\nst.shared.u32 [tile], %r1;", "CVT_S32_F32_RZ ST EXIT");
	MADE("cvt.rzi.s32.f32 %r1, 0f7FC00000;\nst.shared.u32 [tile], %r1;", "CVT_S32_F32_RZ ST EXIT");
}

/* One lane adds for all where the word and the number are the same for all; from Volta on. */
Test(optimise, one_lane_adds_for_a_warp)
{
	MADE("mov.u32 %r1, 1;\nred.shared.add.u32 [tile], 1;", "STEP STEP STEP STEP STEP ATOM EXIT");
	MADE("ld.param.u32 %r1, [n];\nred.shared.add.u32 [tile], %r1;",
		"MOV_B32 STEP STEP STEP STEP STEP STEP ATOM EXIT");
	MADE("atom.shared.add.u32 %r1, [tile], 1;\nst.shared.u32 [tile+8], %r1;",
		"STEP STEP STEP STEP STEP ATOM STEP STEP STEP STEP STEP ST EXIT");
	MADE("mov.u32 %r1, %tid.x;\nred.shared.add.u32 [tile], %r1;", "MOV_B32 ATOM EXIT");
	MADE("mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nred.shared.add.u32 [%r2], 1;",
		"MOV_B32 SHL_B32 ATOM EXIT");
	MADE("red.shared.max.u32 [tile], 1;\nred.shared.add.f32 [tile+4], 0f3F800000;", "ATOM ATOM EXIT");
	cr_expect_str_eq(made_for("red.shared.add.u32 [tile], 1;", 60), "ATOM EXIT");
}

/* 16 instructions and 20 for sm_75, of which loads and stores of the operands are not counted here. */
Test(optimise, a_divisor_that_is_a_number_takes_fewer_instructions)
{
	lower("mov.u32 %r1, %tid.x;\nrem.s32 %r2, %r1, 7;\nst.shared.u32 [tile], %r2;", PTX_SCHEDULED, 75);
	cr_expect_eq(k->uop_count, 20);
	done();
	lower("mov.u32 %r1, %tid.x;\nmov.u32 %r3, %ctaid.x;\nrem.s32 %r2, %r1, %r3;\nst.shared.u32 [tile], "
	      "%r2;",
		PTX_SCHEDULED, 75);
	cr_expect_eq(k->uop_count, 27);
	done();
}

Test(optimise, memory_instructions_take_their_address_from_a_register)
{
	MADE("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nld.global.u32 %r1, [%rd2];\n"
	     "st.global.u32 [%rd2+4], %r1;",
		"MOV_B64 STEP LD ST EXIT");
}

Test(optimise, an_index_becomes_one_multiply_add)
{
	MADE("ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\n"
	     "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r1;",
		"MOV_B32 MOV_B32 MAD_WIDE_U32 ST EXIT");
	cr_expect_str_eq(
		made_for("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ncvt.s64.s32 %rd3, %r1;\n"
			 "shl.b64 %rd4, %rd3, 3;\nadd.s64 %rd5, %rd1, %rd4;\nst.global.u32 [%rd5], %r1;",
			70),
		"MOV_B32 MOV_B32 MAD_WIDE_S32 ST EXIT");
}

/* The factor of a product that is added to a parameter is in a register, once for all that come past it; a
 * product by one is a sum, and a shift that adds has its count in the instruction. */
Test(optimise, factors_beside_a_constant_are_kept_in_registers)
{
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 12;\n"
	     "add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nmov.u32 %r2, %ctaid.x;\n"
	     "mul.wide.u32 %rd4, %r2, 12;\nadd.s64 %rd5, %rd1, %rd4;\nst.global.u32 [%rd5], %r1;",
		"MOV_B32 MOV_B32 MOV_B32 MAD_WIDE_U32 MAD_WIDE_U32 ST ST EXIT");
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd2, %r1;\n"
	     "add.s64 %rd3, %rd1, %rd2;\nst.global.u8 [%rd3], %r1;",
		"MOV_B32 MAD_WIDE_U32 STEP ST EXIT");
	MADE("ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r3, %r2, 8, %r1;\n"
	     "st.shared.u32 [tile], %r3;",
		"MOV_B32 MAD_LO_B32 ST EXIT");
}

/* Parameters that are read by their address are operands; not what lies outside of them. */
Test(optimise, parameters_at_a_known_address_are_operands)
{
	MADE("mov.u64 %rd1, p;\nld.param.u64 %rd2, [%rd1];\nmov.u32 %r1, %tid.x;\nst.global.u32 [%rd2], %r1;",
		"MOV_B64 STEP MOV_B32 ST EXIT");
	MADE("mov.u64 %rd1, p;\nld.param.u32 %r1, [%rd1+4096];\nst.shared.u32 [tile], %r1;",
		"MOV_B64 STEP LD_PARAM ST EXIT");
}

Test(optimise, constants_added_to_an_address_become_its_offset)
{
	lower("mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 16;\nsub.s32 %r3, %r2, 4;\nld.shared.u32 %r4, "
	      "[%r3+8];\n"
	      "st.shared.u32 [%r1], %r4;",
		PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 5);
	cr_expect_eq(UOPS[1].code, UOP_LD);
	cr_expect_eq(UOPS[1].imm, 20);
	cr_expect_eq(UOPS[1].line, UOPS[0].line + 3);
	done();
}

/* %r2 is the value of %r1 in the round before. */
Test(optimise, a_copy_that_outlives_what_it_copies_stays)
{
	MADE("mov.u32 %r9, 0;\nloop:\nsetp.eq.u32 %p1, %r9, 0;\n@%p1 bra first;\nst.shared.u32 [tile], %r2;\n"
	     "first:\nld.volatile.shared.u32 %r1, [tile+4];\nmov.u32 %r2, %r1;\nadd.u32 %r9, %r9, 1;\n"
	     "setp.lt.u32 %p2, %r9, 9;\n@%p2 bra loop;",
		"MOV_B32 SETP_U32 ADD_B32 @ST LD SETP_U32 MOV_B32 @BRA EXIT");
}

Test(optimise, what_nobody_reads_goes_and_what_others_see_stays)
{
	MADE("mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, 1;\nld.shared.u32 %r3, [tile];\n"
	     "ld.volatile.shared.u32 %r4, [tile];\natom.shared.add.u32 %r5, [tile], 1;\nbar.sync 0;",
		"LD STEP STEP STEP STEP STEP ATOM BAR_SYNC EXIT");
}

Test(optimise, a_jump_to_what_comes_next_goes)
{
	MADE("bra.uni there;\nthere:\nmov.u32 %r1, %tid.x;\nst.shared.u32 [tile], %r1;", "MOV_B32 ST EXIT");
}

Test(optimise, wide_addresses_of_shared_memory_become_narrow)
{
	MADE("mov.u32 %r1, %tid.x;\ncvt.s64.s32 %rd1, %r1;\nshl.b64 %rd2, %rd1, 2;\nmov.u64 %rd3, tile;\n"
	     "add.s64 %rd4, %rd3, %rd2;\nst.shared.u32 [%rd4], %r1;",
		"MOV_B32 ST EXIT"); /* which scales the index */
}

Test(optimise, what_is_cut_in_the_end_is_computed_narrow)
{
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd2, %r1;\nsub.s64 %rd3, %rd2, "
	     "%rd1;\n"
	     "cvt.u32.u64 %r2, %rd3;\nst.shared.u32 [tile], %r2;",
		"MOV_B32 SUB_B32 ST EXIT");
}

Test(optimise, an_upper_half_that_is_read_stays)
{
	MADE("mov.u64 %rd1, %clock64;\nadd.s64 %rd2, %rd1, 5;\nshr.u64 %rd3, %rd2, 32;\nst.shared.u64 "
	     "[tile], %rd3;",
		"MOV_SREG ADD_B64 STEP SHR_U64 STEP ST EXIT");
}

Test(optimise, a_branch_around_a_jump_is_turned_around)
{
	MADE("mov.u32 %r1, %tid.x;\nloop:\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 "
	     "bra "
	     "out;\nbra.uni loop;\nout:\nst.shared.u32 [tile], %r1;",
		"MOV_B32 NOP NOP BAR_SYNC ADD_B32 SETP_U32 @BRA NOP ST EXIT");
}

Test(optimise, a_branch_to_an_exit_exits)
{
	MADE("mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra out;\nbar.sync 0;\nout:",
		"MOV_B32 SETP_U32 @EXIT BAR_SYNC EXIT");
}

Test(optimise, a_loop_keeps_the_branch_that_leaves_it)
{
	MADE("mov.u32 %r1, %tid.x;\nloop:\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 "
	     "bra "
	     "out;\nbar.sync 1;\nbra.uni loop;\nout:",
		"MOV_B32 BAR_SYNC ADD_B32 SETP_U32 @BRA BAR_SYNC BRA EXIT");
}

/* The end of the loop, which stands before it, goes behind it; a branch is turned around where the block that
 * it led to comes next. */
Test(optimise, a_block_stands_where_the_jump_to_it_stood)
{
	MADE("mov.u32 %r1, %ctaid.x;\nbra.uni in;\nnext:\nadd.u32 %r1, %r1, 1;\nsetp.gt.u32 %p1, %r1, 9;\n"
	     "@%p1 bra out;\nin:\nbar.sync 0;\nsetp.eq.u32 %p2, %r1, 7;\n@%p2 bra next;\nbar.sync 1;\n"
	     "bra.uni next;\nout:\nst.shared.u32 [tile], %r1;",
		"MOV_B32 BAR_SYNC SETP_U32 @BRA BAR_SYNC ADD_B32 SETP_U32 @BRA ST EXIT");
}

/* The other way of a branch stays where it is if something else runs into the place where both meet. */
Test(optimise, two_ways_that_meet_stay_in_their_order)
{
	MADE("mov.u32 %r1, %ctaid.x;\nsetp.gt.u32 %p1, %r1, 9;\n@%p1 bra other;\nbar.sync 1;\nbra.uni meet;\n"
	     "other:\nbar.sync 2;\nmeet:\nbar.sync 3;",
		"MOV_B32 SETP_U32 @BRA BAR_SYNC BRA BAR_SYNC BAR_SYNC EXIT");
}

Test(optimise, logic_behind_a_comparison_becomes_part_of_it)
{
#define LOGIC(operation) \
	"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r3, %ctaid.x;\nsetp.gt.s32 %p1, %r1, %r3;\n" \
	"setp.lt.s32 %p2, %r2, %r3;\n" operation "\n@%p3 st.shared.u32 [tile], %r1;"
	MADE(LOGIC("xor.pred %p3, %p1, %p2;"), "MOV_B32 MOV_B32 MOV_B32 SETP_S32 SETP_S32 @ST EXIT");
	lower(LOGIC("not.pred %p4, %p2;\nand.pred %p3, %p1, %p4;"), PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 8);
	cr_expect_eq(UOPS[4].code, UOP_SETP_S32);
	cr_expect_eq(UOPS[4].compare, CMP_GEU, "the negation turns the comparison around");
	cr_expect_eq(UOPS[4].combine, BOOL_AND);
	cr_expect_eq(UOPS[4].src[2], UOPS[3].dst[0]);
	done();
	/* not what others read as well, nor operands that change between */
	MADE(LOGIC("or.pred %p3, %p1, %p2;\n@%p1 st.shared.u32 [tile+4], %r2;\n@%p2 st.shared.u32 [tile+8], "
		   "%r2;"),
		"MOV_B32 MOV_B32 MOV_B32 SETP_S32 SETP_S32 @ST OR_PRED @ST @ST EXIT");
}

Test(optimise, sums_and_logic_have_three_operands_from_maxwell_on)
{
#define TERMS "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r3, %ctaid.x;\n"
	const char *sum = TERMS "sub.u32 %r4, %r1, %r2;\nsub.u32 %r9, %r3, %r4;" STORED;
	const char *logic = TERMS "not.b32 %r4, %r1;\nand.b32 %r5, %r4, %r2;\nor.b32 %r9, %r5, %r3;" STORED;

	cr_expect_str_eq(made_for(sum, 35), "MOV_B32 MOV_B32 MOV_B32 SUB_B32 SUB_B32 ST EXIT");
	lower(sum, PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 7);
	cr_expect_eq(UOPS[3].code, UOP_ADD3_B32);
	cr_expect_eq(UOPS[3].imm, 1, "r3 - (r1 - r2) = -r1 + r2 + r3");
	done();
	lower(logic, PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 7);
	cr_expect_eq(UOPS[3].code, UOP_LOP3_B32);
	cr_expect_eq(UOPS[3].imm, (uint8_t)((~0xf0 & 0xcc) | 0xaa));
	done();
	/* not what is read twice, nor four operands */
	MADE(TERMS "add.u32 %r4, %r1, %r2;\nadd.u32 %r9, %r4, %r3;\nst.shared.u32 [tile+4], %r4;" STORED,
		"MOV_B32 MOV_B32 MOV_B32 ADD_B32 ADD_B32 ST ST EXIT");
	MADE(TERMS "mov.u32 %r8, %ctaid.y;\nxor.b32 %r4, %r1, %r2;\nxor.b32 %r5, %r4, %r3;\nxor.b32 %r9, "
		   "%r5, %r8;" STORED,
		"MOV_B32 MOV_B32 MOV_B32 MOV_B32 LOP3_B32 XOR_B32 ST EXIT");
}

/* Two places of an array that are 1024 bytes apart, also behind another sum; the sum of 32 bits wraps as
 * registers do. */
Test(optimise, addresses_that_differ_by_a_constant_share_a_register)
{
	lower("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmul.lo.u32 %r8, %r2, 20;\nmad.lo.u32 %r3, %r1, "
	      "4, 16;\n"
	      "mad.lo.u32 %r4, %r1, 4, 1040;\nadd.u32 %r5, %r3, %r8;\nadd.u32 %r6, %r8, %r4;\n"
	      "ld.shared.u32 %r7, [%r5];\nst.shared.u32 [%r6], %r7;\nst.shared.u32 [%r4+-4], %r7;\n"
	      "st.shared.u32 [%r3], %r7;",
		PTX_SCHEDULED, 75);
	cr_assert_eq(k->uop_count, 10);
	cr_expect_eq(UOPS[4].code, UOP_LD);
	for (uint32_t i = 5; i < 8; i++)
		cr_expect_eq(UOPS[i].code, UOP_ST);
	cr_expect_eq(UOPS[5].src[0], UOPS[4].src[0]);
	cr_expect_eq(UOPS[5].imm - UOPS[4].imm, 1024);
	cr_expect_eq(UOPS[6].src[0], UOPS[7].src[0]);
	cr_expect_eq(UOPS[6].imm - UOPS[7].imm, 1020);
	done();
	/* a factor that is widened takes its number along */
	MADE("ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 1;\nmul.wide.s32 %rd2, %r1, "
	     "4;\n"
	     "mul.wide.s32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd2;\nadd.s64 %rd5, %rd1, %rd3;\n"
	     "st.global.u32 [%rd4], %r1;\nst.global.u32 [%rd5], %r1;",
		"MOV_B32 MOV_B32 ADD_B32 MAD_WIDE_S32 MAD_WIDE_S32 ST ST EXIT");
}
