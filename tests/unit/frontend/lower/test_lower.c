/* tests/unit/frontend/lower/test_lower.c -- from PTX text to micro-operations: the operation chosen, its
 * operands, the constant bank, layouts, and the exact words of what is refused. */
#include "frontend/lower/lower.h"
#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag_list diags;
static struct ptx_module *module;
static struct ptx_image *image;

static void set_up(void)
{
	diag_init(&diags);
}

static void tear_down(void)
{
	ptx_image_free(image);
	image = NULL;
	ptx_module_free(module);
	module = NULL;
	diag_fini(&diags);
}

TestSuite(lower, .init = set_up, .fini = tear_down);

#define HEADER ".version 3.2\n.target sm_20\n.address_size 64\n"
#define REGISTERS \
	".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<8>; .reg .f64 " \
	"%g<8>;\n"

static struct ptx_kernel *lower(const char *text)
{
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	if (!module)
		diag_print(&diags, stderr);
	cr_assert(module);
	image = ptx_lower(module, &diags);
	if (!image)
		return NULL;
	cr_assert_gt(image->kernel_count, 0);
	return &image->kernels[0];
}

/* The kernel whose body this is, between a few declarations and ret. */
static struct ptx_kernel *body(const char *text)
{
	char whole[8192];
	struct ptx_kernel *k;

	snprintf(whole, sizeof whole, "%s.visible .entry k(.param .u32 a, .param .u64 b)\n{\n%s%s\nret;\n}\n",
		HEADER, REGISTERS, text);
	k = lower(whole);
	if (!k)
		diag_print(&diags, stderr);
	cr_assert(k, "refused");
	return k;
}

static const struct uop *only(const char *text)
{
	struct ptx_kernel *k = body(text);

	cr_assert_eq(k->uop_count, 2);
	return &k->uops[0];
}

static void expect_code(const char *text, unsigned code)
{
	const struct uop *u = only(text);

	cr_expect_eq(u->code, code, "%s became %s", text, uop_name(u->code));
	ptx_image_free(image);
	ptx_module_free(module);
	image = NULL;
	module = NULL;
}

Test(lower, the_operation_follows_opcode_and_type)
{
	expect_code("add.s32 %r1, %r2, %r3;", UOP_ADD_B32);
	expect_code("add.u16 %h1, %h2, %h3;", UOP_ADD_B16);
	expect_code("sub.u64 %d1, %d2, %d3;", UOP_SUB_B64);
	expect_code("add.sat.s32 %r1, %r2, %r3;", UOP_ADD_SAT_S32);
	expect_code("mul.lo.s32 %r1, %r2, %r3;", UOP_MUL_LO_B32);
	expect_code("mul.hi.u64 %d1, %d2, %d3;", UOP_MUL_HI_U64);
	expect_code("mul.wide.s32 %d1, %r2, %r3;", UOP_MUL_WIDE_S32);
	expect_code("mul.wide.u16 %r1, %h2, %h3;", UOP_MUL_WIDE_U16);
	expect_code("mad.lo.s32 %r1, %r2, %r3, %r4;", UOP_MAD_LO_B32);
	expect_code("mad.hi.sat.s32 %r1, %r2, %r3, %r4;", UOP_MAD_HI_SAT_S32);
	expect_code("mad.wide.u32 %d1, %r2, %r3, %d4;", UOP_MAD_WIDE_U32);
	expect_code("mad24.hi.s32 %r1, %r2, %r3, %r4;", UOP_MAD24_HI_S32);
	expect_code("div.u16 %h1, %h2, %h3;", UOP_DIV_U16);
	expect_code("rem.s64 %d1, %d2, %d3;", UOP_REM_S64);
	expect_code("min.s32 %r1, %r2, %r3;", UOP_MIN_S32);
	expect_code("max.f64 %g1, %g2, %g3;", UOP_MAX_F64);
	expect_code("abs.s64 %d1, %d2;", UOP_ABS_S64);
	expect_code("neg.f32 %f1, %f2;", UOP_NEG_F32);
	expect_code("popc.b64 %r1, %d2;", UOP_POPC_B64);
	expect_code("bfe.s64 %d1, %d2, %r3, %r4;", UOP_BFE_S64);
	expect_code("shr.s16 %h1, %h2, %r3;", UOP_SHR_S16);
	expect_code("shr.b32 %r1, %r2, 3;", UOP_SHR_U32);
	expect_code("and.pred %p1, %p2, %p3;", UOP_AND_PRED);
	expect_code("not.b64 %d1, %d2;", UOP_NOT_B64);
	expect_code("fma.rn.f32 %f1, %f2, %f3, %f4;", UOP_FMA_F32);
	expect_code("mad.rn.f64 %g1, %g2, %g3, %g4;", UOP_FMA_F64);
	expect_code("div.full.f32 %f1, %f2, %f3;", UOP_DIV_FULL_F32);
	expect_code("div.approx.f32 %f1, %f2, %f3;", UOP_DIV_APPROX_F32);
	expect_code("div.rn.f32 %f1, %f2, %f3;", UOP_DIV_F32);
	expect_code("sqrt.rn.f64 %g1, %g2;", UOP_SQRT_F64);
	expect_code("rcp.approx.ftz.f64 %g1, %g2;", UOP_RCP_APPROX_F64);
	expect_code("cvt.u32.u64 %r1, %d1;", UOP_CVT_B32_B64);
	expect_code("cvt.s64.s32 %d1, %r1;", UOP_CVT_S64_S32);
	expect_code("cvt.rzi.s32.f32 %r1, %f1;", UOP_CVT_S32_F32_RZ);
	expect_code("cvt.rni.s32.f32 %r1, %f1;", UOP_CVT_INT_F32);
	expect_code("cvt.rn.f64.u64 %g1, %d1;", UOP_CVT_F64_U64);
	expect_code("cvt.rn.f32.f64 %f1, %g1;", UOP_CVT_F32_F64);
	expect_code("mov.b64 %d1, {%r1, %r2};", UOP_PACK_B64_2);
	expect_code("mov.b32 {%h1, %h2}, %r1;", UOP_UNPACK_B32_2);
	expect_code("slct.f32.f32 %f1, %f2, %f3, %f4;", UOP_SLCT_F32_B32);
	expect_code("set.gt.u32.f64 %r1, %g1, %g2;", UOP_SET_F64);
	expect_code("setp.ltu.f32 %p1, %f1, %f2;", UOP_SETP_F32);
	expect_code("vote.ballot.b32 %r1, %p1;", UOP_VOTE_BALLOT);
	expect_code("bar.sync 0;", UOP_BAR_SYNC);
	expect_code("membar.gl;", UOP_MEMBAR);
	expect_code("mov.u32 %r1, %clock;", UOP_MOV_SREG);
}

Test(lower, rounding_flushing_and_saturation_are_kept)
{
	const struct uop *u = only("add.rz.ftz.sat.f32 %f1, %f2, %f3;");

	cr_expect_eq(u->round, ROUND_RZ);
	cr_expect_eq(u->mods, MOD_FTZ | MOD_SAT);
	cr_expect_eq(u->unit, UNIT_SP);
	cr_expect_eq(u->latency_class, CLASS_FP_ADD);
}

Test(lower, machines_before_sm_20_flush_all_f32)
{
	struct ptx_kernel *k =
		lower(".version 1.3\n.target sm_13\n.entry k\n{ .reg .f32 %f<3>;\nadd.f32 %f0, %f1, %f2;\n"
		      "div.f32 %f0, %f1, %f2;\nexit;\n}\n");

	cr_assert(k);
	cr_expect_eq(k->uops[0].mods, MOD_FTZ);
	cr_expect_eq(k->uops[1].code, UOP_DIV_APPROX_F32);
}

Test(lower, equal_immediates_share_a_row)
{
	struct ptx_kernel *k = body(
		"add.s32 %r1, %r2, 7;\nadd.s32 %r3, %r1, 7;\nadd.s64 %d1, %d2, 7;\nadd.s32 %r3, %r3, -1;\n"
		"st.global.u32 [%d1], %r3;");

	cr_expect_eq(k->constant_rows, 4);
	cr_expect_eq(k->uops[0].src[1], k->uops[1].src[1]);
	cr_expect(k->uops[0].src[1] & UOP_CONSTANT);
	cr_expect_eq(k->constants[k->uops[0].src[1] & 0x7fff][31], 7);
	cr_expect_eq(((const uint64_t *)k->constants[k->uops[2].src[1] & 0x7fff])[31], 7);
	cr_expect_eq(k->constants[k->uops[3].src[1] & 0x7fff][0], 0xffffffff);
	cr_expect_eq((uintptr_t)k->constants % 64, 0);
}

Test(lower, float_immediates_have_the_width_of_the_operation)
{
	struct ptx_kernel *k = body("add.f32 %f1, %f2, 0f3F800000;\nadd.f64 %g1, %g2, "
				    "0d3FF0000000000000;\nadd.f32 %f1, %f1, 0.5;");
	double one;

	cr_expect_eq(k->constants[k->uops[0].src[1] & 0x7fff][5], 0x3f800000);
	memcpy(&one, k->constants[k->uops[1].src[1] & 0x7fff], 8);
	cr_expect_eq(one, 1.0);
	cr_expect_eq(k->constants[k->uops[2].src[1] & 0x7fff][5], 0x3f000000);
}

Test(lower, fixed_special_registers_are_preloaded)
{
	struct ptx_kernel *k = body(
		"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %laneid;\nadd.s32 %r1, %r1, %r2;\n"
		"add.s32 %r1, %r1, %r3;\nst.global.u32 [%d1], %r1;");

	cr_expect_eq(k->preload_count, 2);
	cr_expect_eq(k->uops[0].code, UOP_MOV_B32);
	cr_expect_eq(k->uops[0].src[0], k->preloads[0].row);
	cr_expect_eq(k->preloads[0].sreg, PTX_SREG_TID_X);
	cr_expect_lt(k->preloads[1].row, k->rows);
	cr_expect_eq(k->uops[0].reads, 0);
	cr_expect_eq(k->uops[0].writes, 1);
}

Test(lower, a_16_bit_read_of_a_special_register_is_cut)
{
	struct ptx_kernel *k = body("mov.u16 %h1, %tid.x;\ncvt.u32.u16 %r1, %ntid.x;");

	cr_expect_eq(k->uops[0].code, UOP_CVT_INT);
	cr_expect_eq(k->uops[0].type, PTX_U16);
}

Test(lower, parameters_lie_at_their_alignment)
{
	struct ptx_kernel *k = lower(HEADER
		".visible .entry k(.param .u8 a, .param .u16 b, .param .u64 c, .param .align 16 .b8 d[20],"
		" .param .f32 e)\n{\n" REGISTERS
		"ld.param.u64 %d1, [c];\nld.param.u32 %r1, [d+4];\nret;\n}\n");

	cr_assert(k);
	cr_expect_eq(k->param_count, 5);
	cr_expect_eq(k->params[1].offset, 2);
	cr_expect_eq(k->params[2].offset, 8);
	cr_expect_eq(k->params[3].offset, 16);
	cr_expect_eq(k->params[3].size, 20);
	cr_expect_eq(k->params[4].offset, 36);
	cr_expect_eq(k->param_bytes, 40);
	cr_expect_eq(k->uops[0].imm, 8);
	cr_expect_eq(k->uops[1].imm, 20);
	cr_expect_eq(k->uops[1].code, UOP_LD_PARAM);
	cr_expect_eq(k->uops[1].src[0], UOP_NONE);
}

Test(lower, shared_variables_lie_before_the_dynamic_ones)
{
	struct ptx_kernel *k = lower(HEADER
		".shared .align 4 .b8 unused[100];\n.shared .align 4 .b8 used[10];\n"
		".extern .shared .align 16 .b8 dynamic[];\n.visible .entry k()\n{\n" REGISTERS
		".shared .align 8 .b8 own[8];\nmov.u32 %r1, used;\nmov.u64 %d1, own;\nmov.u32 %r2, dynamic;\n"
		"st.shared.u32 [own+4], %r1;\nret;\n}\n");

	cr_assert(k);
	cr_expect_eq(k->shared_bytes, 24);
	cr_expect_eq(k->dynamic_align, 16);
	cr_expect_eq(k->constants[k->uops[0].src[0] & 0x7fff][0], 0);
	cr_expect_eq(k->constants[k->uops[1].src[0] & 0x7fff][0], 16);
	cr_expect_eq(k->constants[k->uops[2].src[0] & 0x7fff][0], 32);
	cr_expect_eq(k->uops[3].imm, 20);
	cr_expect_eq(k->uops[3].src[0], UOP_NONE);
}

Test(lower, variables_become_symbols_with_their_data)
{
	struct ptx_kernel *k = lower(HEADER
		".global .align 4 .u32 table[2][2] = {{1, 2}, {3}};\n.const .f32 half = 0.5;\n"
		".global .u64 pointer = generic(table)+4;\n.visible .entry k()\n{\n" REGISTERS
		"ld.global.u32 %r1, [table+8];\nld.const.f32 %f1, [half];\nmov.u64 %d1, table;\nret;\n}\n");
	const uint32_t *data;

	cr_assert(k);
	cr_assert_eq(image->symbol_count, 3);
	data = (const uint32_t *)(const void *)image->symbols[0].data;
	cr_expect_eq(image->symbols[0].size, 16);
	cr_expect(data[0] == 1 && data[1] == 2 && data[2] == 3 && data[3] == 0);
	cr_expect_eq(*(const uint32_t *)(const void *)ptx_image_symbol(image, "half")->data, 0x3f000000);
	cr_assert_eq(image->symbols[2].reloc_count, 1);
	cr_expect_eq(image->symbols[2].relocs[0].addend, 4);
	image->symbols[0].address = 0x1000000000;
	ptx_image_relocate(image);
	cr_expect_eq(((const uint64_t *)k->constants[k->uops[2].src[0] & 0x7fff])[7], 0x1000000000);
}

Test(lower, branches_know_their_target_and_where_threads_meet)
{
	struct ptx_kernel *k = body(
		"setp.eq.s32 %p1, %r1, 0;\n@!%p1 bra L;\nadd.s32 %r2, %r2, 1;\nL: st.global.u32 [%d1], %r2;");
	const struct uop *u = &k->uops[1];

	cr_expect_eq(u->code, UOP_BRA);
	cr_expect_eq(u->target, 3);
	cr_expect_eq(u->reconverge, 3);
	cr_expect_eq(u->flags, UOP_GUARDED | UOP_GUARD_NEGATED | UOP_ENDS_BLOCK);
	cr_expect(k->uops[3].flags & UOP_LEADER);
	cr_expect_eq(k->block_count, 3);
}

Test(lower, control_that_falls_off_the_end_exits)
{
	struct ptx_kernel *k = lower(
		HEADER ".visible .entry k()\n{\n" REGISTERS "@%p1 bra END;\nadd.s32 %r1, %r1, 1;\nEND:\n}\n");

	cr_assert(k);
	cr_expect_eq(k->uop_count, 3);
	cr_expect_eq(k->uops[2].code, UOP_EXIT);
	cr_expect_eq(k->uops[0].target, 2);
}

Test(lower, hazards_list_what_is_read_and_then_written)
{
	struct ptx_kernel *k = body("@%p1 st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4};");
	const struct uop *u = &k->uops[0];

	cr_expect_eq(u->reads, 6);
	cr_expect_eq(u->writes, 0);
	cr_expect_eq(k->hazards[u->hazards], u->src[0]);
	cr_expect_eq(k->hazards[u->hazards + 5], UOP_HAZARD_PREDICATE | u->guard);
	cr_expect_eq(u->extra_sources, 1);
	cr_expect_eq(k->hazards[u->hazards + 4], k->extra[u->extra]);
}

Test(lower, the_carry_flag_is_a_predicate)
{
	struct ptx_kernel *k = body(
		"add.cc.u32 %r1, %r2, %r3;\naddc.u32 %r4, %r5, %r6;\nst.global.v2.u32 [%d1], {%r1, %r4};");

	cr_expect_eq(k->uops[0].code, UOP_ADD_CC_B32);
	cr_expect_eq(k->uops[0].src[2], UOP_NONE);
	cr_expect_eq(k->uops[0].dst[1], k->uops[1].src[2]);
	cr_expect_eq(k->uops[1].dst[1], UOP_NONE);
	cr_expect_eq(k->predicates, 1);
}

Test(lower, signed_bytes_in_16_bit_registers_keep_the_upper_half_zero)
{
	struct ptx_kernel *k = body("ld.global.s8 %h1, [%d1];\nst.global.u16 [%d1], %h1;");

	cr_expect_eq(k->uops[0].flags & UOP_SIGN_EXTEND, UOP_SIGN_EXTEND);
	cr_expect_eq(k->uops[1].code, UOP_CVT_INT);
	cr_expect_eq(k->uops[1].type, PTX_U16);
}

static void expect_refused(const char *text, const char *messages)
{
	char whole[4096], *found;

	snprintf(whole, sizeof whole, "%s.visible .entry k()\n{\n%s%s\nret;\n}\n",
		".version 9.0\n.target sm_90\n.address_size 64\n", REGISTERS, text);
	cr_assert_null(lower(whole));
	found = diag_render(&diags, DIAG_ERROR);
	cr_expect_str_eq(found, messages, "%s", found);
	free(found);
}

Test(lower, what_cannot_be_executed_is_refused_by_name_and_place)
{
	expect_refused("suq.memory_layout.b32 %r1, [%d1];\nadd.s32 %r1, %r2, "
		       "1;\nmultimem.st.relaxed.sys.global.u32 [%d1], %r1;",
		"a.ptx:7:1: error: the layout of memory cannot be asked for: its values are not documented\n"
		"    7 | suq.memory_layout.b32 %r1, [%d1];\n"
		"      | ^\n"
		"a.ptx:9:1: error: 'multimem.st.relaxed.sys.global.u32' accesses the memory of several GPUs "
		"at once, and one GPU is simulated\n"
		"    9 | multimem.st.relaxed.sys.global.u32 [%d1], %r1;\n"
		"      | ^\n");
}

Test(lower, too_many_live_predicates_are_refused)
{
	char text[40000] =
		HEADER ".visible .entry k()\n{\n.reg .pred %q<300>; .reg .b32 %s<300>; .reg .b64 %d<2>;\n";
	size_t used = strlen(text);

	for (int i = 0; i < 300; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "setp.eq.s32 %%q%d, %%s0, %d;\n", i, i);
	for (int i = 0; i < 300; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "@%%q%d st.global.u32 [%%d0], %%s0;\n", i);
	snprintf(text + used, sizeof text - used, "ret;\n}\n");
	cr_assert_null(lower(text));
	cr_assert_eq(diags.errors, 1);
	cr_expect_str_eq(diags.items[diags.count - 1].message,
		"'k' needs 300 predicate registers at once: at most 256 can be executed");
}

/* CUDA C Programming Guide, 5.4.1: shifts, bit fields and counts of bits go at half the rate of additions
 * on 2.0; on 7.0 shifts go at the full rate and counts at a quarter of it. */
Test(lower, shifts_and_bit_fields_are_a_class_of_their_own)
{
	static const unsigned bits[] = { UOP_SHL_B32, UOP_SHR_S64, UOP_BFE_U32, UOP_BFI_B64, UOP_SHF_L_B32 };
	static const unsigned counts[] = { UOP_POPC_B32, UOP_CLZ_B32, UOP_BREV_B32, UOP_BFIND_S64 };
	static const unsigned plain[] = { UOP_ADD_B32, UOP_AND_B32, UOP_NOT_B32, UOP_PRMT_B32, UOP_LOP3_B32 };

	for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
		cr_assert_eq(uop_class_of(bits[i]), CLASS_INT_BITS, "%s", uop_name(bits[i]));
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		cr_assert_eq(uop_class_of(counts[i]), CLASS_INT_COUNT, "%s", uop_name(counts[i]));
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
		cr_assert_eq(uop_class_of(plain[i]), CLASS_INT_ADD, "%s", uop_name(plain[i]));
}
