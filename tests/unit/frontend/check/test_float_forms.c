/* tests/unit/frontend/check/test_float_forms.c -- floating-point forms of ISA 9.0: those that exist become
 * the right micro-operation with the right modifiers; those that the vendor's assembler refuses are
 * refused. */
#include "frontend/ptx.h"
#include "frontend/module.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS \
	".reg .pred p, q, c; .reg .b8 y, y1; .reg .b16 h, h1, h2, h3; .reg .f16 fh, fh1; .reg .f16x2 fx;\n" \
	".reg .b32 w, w1, w2, w3; .reg .f32 f, f1, f2, f3; .reg .b64 x, x1, x2, x3; .reg .f64 d, d1; .reg " \
	".u32 u;\n" \
	".reg .s16 s16;\n"

#define OLD_REGISTERS \
	".reg .pred p, q, c; .reg .b16 h, h1; .reg .b32 w, w1, w2; .reg .f32 f, f1, f2, f3; .reg .b64 x, " \
	"x1;\n" \
	".reg .f64 d, d1; .reg .u32 u;\n"

static const char modern[] = ".version 9.0\n.target sm_100a\n.address_size 64\n";
static struct diag_list diags;
static struct ptx_module *module;
static struct ptx_image *image;

/* The kernel of one instruction; NULL: it was refused. */
static struct ptx_kernel *compile(const char *header, const char *instruction)
{
	char whole[2048];

	diag_init(&diags);
	snprintf(whole, sizeof whole, "%s.entry k()\n{\n%s%s\nret;\n}\n", header,
		header == modern ? REGISTERS : OLD_REGISTERS, instruction);
	module = ptx_parse(whole, strlen(whole), "a.ptx", &diags);
	image = module ? ptx_lower(module, &diags) : NULL;
	return image ? &image->kernels[0] : NULL;
}

static void clean(void)
{
	ptx_image_free(image);
	ptx_module_free(module);
	diag_fini(&diags);
	image = NULL;
	module = NULL;
}

/* The last micro-operation before the end. */
static void expect(const char *instruction, unsigned code, unsigned mods, unsigned round)
{
	struct ptx_kernel *k = compile(modern, instruction);

	if (!k)
		diag_print(&diags, stderr);
	cr_assert(k, "%s is refused", instruction);
	cr_assert_geq(k->uop_count, 2);
	const struct uop *u = &k->uops[k->uop_count - 2];

	cr_expect(u->code == code && u->mods == mods && u->round == round, "%s: %s, mods %u, round %u",
		instruction, uop_name(u->code), u->mods, u->round);
	clean();
}

static void refuse(const char *instruction)
{
	cr_expect_null(compile(modern, instruction), "%s", instruction);
	clean();
}

Test(float_forms, arithmetic_of_halves_is_lowered_with_its_modifiers)
{
	expect("add.f16 h, h1, h2;", UOP_ADD_HALF, 0, 0);
	expect("sub.rn.ftz.sat.f16x2 w, w1, w2;", UOP_SUB_HALF, MOD_FTZ | MOD_SAT, 0);
	expect("mul.rn.bf16x2 w, w1, w2;", UOP_MUL_HALF, 0, 0);
	expect("add.f16 fh, fh1, h;", UOP_ADD_HALF, 0, 0);
	expect("fma.rn.ftz.relu.f16 h, h1, h2, h3;", UOP_FMA_HALF, MOD_FTZ | MOD_RELU, 0);
	expect("fma.rn.oob.relu.bf16x2 w, w1, w2, w3;", UOP_FMA_HALF, MOD_HI | MOD_RELU, 0);
	expect("fma.rz.bf16 h, h1, h2, h3;", UOP_FMA_HALF, 0, ROUND_RZ); /* ptxas 13 takes it */
	expect("fma.rm.relu.bf16x2 w, w1, w2, w3;", UOP_FMA_HALF, MOD_RELU, ROUND_RM);
	expect("min.NaN.xorsign.abs.bf16 h, h1, h2;", UOP_MIN_HALF, MOD_HI | MOD_XORSIGN | MOD_ABS, 0);
	expect("max.ftz.f16x2 w, w1, w2;", UOP_MAX_HALF, MOD_FTZ, 0);
	expect("abs.ftz.f16 h, h1;", UOP_ABS_HALF, MOD_FTZ, 0);
	expect("neg.bf16x2 w, w1;", UOP_NEG_HALF, 0, 0);
	expect("ex2.approx.ftz.bf16x2 w, w1;", UOP_EX2_HALF, MOD_FTZ, 0);
	expect("tanh.approx.f16 h, h1;", UOP_TANH_HALF, 0, 0);
	expect("setp.ltu.and.f16x2 p|q, w, w1, !c;", UOP_SETP_HALF, MOD_NEGATE_C, 0);
	expect("set.eq.ftz.u16.f16 h, h1, h2;", UOP_SET_HALF, MOD_FTZ, 0);
	expect("set.gtu.bf16.f32 h, f1, f2;", UOP_SET_F32, 0, 0);
	refuse("add.rz.f16 h, h1, h2;");
	refuse("add.ftz.bf16 h, h1, h2;");
	refuse("mul.sat.bf16x2 w, w1, w2;");
	refuse("add.f16 h, h1, 1.0;");
	refuse("add.f16 h, s16, h1;");
	refuse("add.bf16 fh, h, h1;");
	refuse("mad.rn.f16 h, h1, h2, h3;");
	refuse("fma.rn.sat.relu.f16 h, h1, h2, h3;");
	refuse("fma.rn.ftz.oob.f16 h, h1, h2, h3;");
	refuse("fma.f16 h, h1, h2, h3;");
	refuse("min.abs.f16 h, h1, h2;");
	refuse("min.f16 h, h1, h2, h3;");
	refuse("abs.ftz.bf16 h, h1;");
	refuse("ex2.approx.bf16 h, h1;");
	refuse("ex2.approx.ftz.f16 h, h1;");
	refuse("tanh.approx.ftz.f32 f, f1;");
	refuse("setp.eq.f16 p|q, h, h1;");
	refuse("setp.eq.ftz.bf16 p, h, h1;");
	refuse("set.eq.f32.f16 f, h, h1;");
	refuse("set.eq.f16x2.bf16x2 w, w1, w2;");
	refuse("set.eq.u16.f32 h, f1, f2;");
	refuse("selp.f16 h, h1, h2, p;");
}

static void expect_true_value(const char *instruction, int64_t value)
{
	struct ptx_kernel *k = compile(modern, instruction);

	cr_assert(k, "%s is refused", instruction);
	cr_expect_eq(k->uops[0].imm, value, "%s", instruction);
	clean();
}

Test(float_forms, set_writes_ones_or_one)
{
	expect_true_value("set.eq.u32.f16 w, h, h1;", 0xffffffff);
	expect_true_value("set.eq.s16.bf16 h, h1, h2;", 0xffff);
	expect_true_value("set.eq.s32.f16x2 w, w1, w2;", 0xffff);
	expect_true_value("set.eq.f16x2.f16x2 w, w1, w2;", 0x3c00);
	expect_true_value("set.eq.bf16.f16 h, h1, h2;", 0x3f80);
	expect_true_value("set.eq.f16.s16 h, h1, h2;", 0x3c00);
	expect_true_value("set.eq.f32.b64 f, x, x1;", 0x3f800000);
}

Test(float_forms, f32_beyond_two_operands_of_one_type)
{
	expect("fma.rm.ftz.f32x2 x, x1, x2, x3;", UOP_FMA_F32X2, MOD_FTZ, ROUND_RM);
	expect("add.rz.f32x2 x, x1, x2;", UOP_ADD_F32X2, 0, ROUND_RZ);
	expect("sub.rp.sat.f32.bf16 f, h, f1;", UOP_SUB_F32, MOD_SAT, ROUND_RP);
	expect("fma.rn.f32.f16 f, h, h1, 1.0;", UOP_FMA_F32, 0, 0);
	expect("min.ftz.NaN.xorsign.abs.f32 f, f1, f2;", UOP_MIN_ABS_F32,
		MOD_FTZ | MOD_HI | MOD_ABS | MOD_XORSIGN, 0);
	expect("max.f32 f, f1, f2, f3;", UOP_MAX3_F32, 0, 0);
	expect("max.NaN.abs.f32 f, f1, f2, f3;", UOP_MAX3_F32, MOD_HI | MOD_ABS, 0);
	expect("rsqrt.approx.f64 d, d1;", UOP_RSQRT_APPROX_F64, 0, 0);
	refuse("add.sat.f32x2 x, x1, x2;");
	refuse("add.f32x2 d, d1, x;");
	refuse("add.ftz.f32.f16 f, h, f1;");
	refuse("add.f32.f64 f, d, f1;");
	refuse("add.f32.f16 f, 1.0, f1;");
	refuse("min.xorsign.abs.f32 f, f1, f2, f3;");
	refuse("min.abs.f32 f, f1, f2;");
	refuse("div.rn.sat.f32 f, f1, f2;");
	refuse("rcp.approx.f64 d, d1;");
}

/* ptxas makes one FMNMX3 of it. */
Test(float_forms, the_minimum_of_three_is_one_operation)
{
	struct ptx_kernel *k = compile(modern, "min.ftz.abs.f32 f, f1, f2, f3;");

	cr_assert(k);
	cr_expect_eq(k->uop_count, 2);
	cr_expect(k->uops[0].code == UOP_MIN3_F32 && k->uops[0].mods == (MOD_FTZ | MOD_ABS));
	clean();
}

static void expect_format(
	const char *instruction, unsigned type, unsigned from, unsigned mods, unsigned round)
{
	struct ptx_kernel *k = compile(modern, instruction);

	if (!k)
		diag_print(&diags, stderr);
	cr_assert(k, "%s is refused", instruction);
	const struct uop *u = &k->uops[k->uop_count - 2];

	cr_expect(u->code == UOP_CVT_FORMAT && u->type == type && u->compare == from && u->mods == mods &&
			u->round == round,
		"%s: %s, type %u, from %u, mods %u, round %u", instruction, uop_name(u->code), u->type,
		u->compare, u->mods, u->round);
	clean();
}

Test(float_forms, conversions_are_lowered_with_their_rounding)
{
	expect_format("cvt.rn.bf16.f32 h, f;", PTX_BF16, PTX_F32, 0, ROUND_RN);
	expect_format(
		"cvt.rz.relu.satfinite.f16.f32 h, f;", PTX_F16, PTX_F32, MOD_RELU | MOD_SATFINITE, ROUND_RZ);
	expect_format("cvt.rm.sat.f16.f64 h, d;", PTX_F16, PTX_F64, MOD_SAT, ROUND_RM);
	expect_format("cvt.rp.bf16.u64 h, x;", PTX_BF16, PTX_U64, 0, ROUND_RP);
	expect_format("cvt.rn.f16.s16 h, h1;", PTX_F16, PTX_S32, 0, ROUND_RN);
	expect_format("cvt.f16.bf16 h, h1;", PTX_F16, PTX_BF16, 0, ROUND_RN);
	expect_format("cvt.ftz.f32.bf16 f, h1;", PTX_F32, PTX_BF16, MOD_FTZ, ROUND_RN);
	expect_format("cvt.rna.satfinite.tf32.f32 w, f1;", PTX_TF32, PTX_F32, MOD_SATFINITE, ROUND_RNA);
	expect_format("cvt.rz.relu.f16x2.f32 w, f1, 1.0;", PTX_F16X2, PTX_F32, MOD_RELU, ROUND_RZ);
	expect_format("cvt.rs.bf16x2.f32 w, f1, f2, w1;", PTX_BF16X2, PTX_F32, 0, ROUND_RS);
	expect_format("cvt.rn.satfinite.e4m3x2.f32 h, f1, f2;", PTX_E4M3X2, PTX_F32, MOD_SATFINITE, ROUND_RN);
	expect_format("cvt.rn.satfinite.relu.e5m2x2.f16x2 h, w;", PTX_E5M2X2, PTX_F16X2,
		MOD_SATFINITE | MOD_RELU, 0);
	expect_format("cvt.rn.satfinite.e2m1x2.f32 y, f1, f2;", PTX_E2M1X2, PTX_F32, MOD_SATFINITE, 0);
	expect_format("cvt.rn.relu.f16x2.e3m2x2 w, h;", PTX_F16X2, PTX_E3M2X2, MOD_RELU, 0);
	expect_format(
		"cvt.rp.satfinite.ue8m0x2.bf16x2 h, w;", PTX_UE8M0X2, PTX_BF16X2, MOD_SATFINITE, ROUND_RP);
	expect_format("cvt.rn.bf16x2.ue8m0x2 w, h;", PTX_BF16X2, PTX_UE8M0X2, 0, 0);
	expect("cvt.rn.f16x2.f32 x, f1, f2;", UOP_CVT_U64_U32, 0, 0);
	expect("cvt.rn.f16.f32 x, f1;", UOP_CVT_U64_U32, 0, 0);
	expect("cvt.pack.sat.u8.s32.b32 w, w1, -1, w2;", UOP_CVT_PACK, 0, 0);
	expect("cvt.pack.sat.s16.s32 w, w1, w2;", UOP_CVT_PACK, 0, 0);
	expect("cvt.rzi.u8.bf16 y, h;", UOP_CVT_INT_F32, 0, ROUND_RZ);
	refuse("cvt.rzi.u8.bf16 h, h1;");
	refuse("cvt.f16x2.f32 w, f1, f2;");
	refuse("cvt.rn.e4m3x2.f32 h, f1, f2;");
	refuse("cvt.rn.satfinite.e4m3x2.f32 w, f1, f2;");
	refuse("cvt.rm.relu.f16.f32 h, f1;");
	refuse("cvt.rn.ftz.satfinite.f16.f32 h, f1;");
	refuse("cvt.rna.relu.tf32.f32 w, f1;");
	refuse("cvt.rn.f16x2.f16x2 w, w1;");
	refuse("cvt.rn.ue8m0x2.f32 h, f1, f2;");
	refuse("cvt.rs.f16.f32 h, f1;");
	refuse("cvt.rs.f16x2.f32 w, f1, f2, 3;");
	refuse("cvt.rs.satfinite.e4m3x4.f32 w, {f, f1, f2, f3}, w1;");
	refuse("cvt.rn.bf16.f32 w, f1;");
	refuse("cvt.rn.satfinite.e2m1x2.f32 h, f1, f2;");
	refuse("cvt.ftz.s32.s16 w, h;");
	refuse("cvt.s32.f32 w, f1;");
	refuse("cvt.pack.sat.u8.s32 w, w1, w2;");
	refuse("cvt.pack.u16.s32 w, w1, w2;");
	refuse("cvt.pack.sat.u8.s32.b32 w, f, w1, w2;");
}

Test(float_forms, atomics_of_halves_need_noftz_and_a_vector_that_fits)
{
	expect("atom.global.add.noftz.f16 h, [x], h1;", UOP_ATOM, 0, 0);
	expect("red.shared.add.noftz.bf16x2 [x], w;", UOP_ATOM, 0, 0);
	expect("atom.global.max.noftz.v8.bf16 {h,_,h2,h3,h,h,h,h1}, [x], {h,h1,h2,h3,h,h1,h2,h3};", UOP_ATOM,
		0, 0);
	expect("red.add.v4.f32 [x], {f,f1,f2,f3};", UOP_ATOM, 0, 0);
	expect("atom.cas.b16 h, [x], h1, h2;", UOP_ATOM, 0, 0);
	refuse("atom.global.add.f16 h, [x], h1;");
	refuse("atom.global.min.noftz.f16 h, [x], h1;");
	refuse("atom.add.noftz.f32 f, [x], f1;");
	refuse("atom.shared.add.noftz.v2.f16 {h,h1}, [x], {h,h1};");
	refuse("atom.global.max.v2.f32 {f,f1}, [x], {f,f1};");
	refuse("atom.global.add.noftz.v8.f16x2 {w,w,w,w,w,w,w,w}, [x], {w,w,w,w,w,w,w,w};");
}

Test(float_forms, eight_elements_go_into_the_extras)
{
	struct ptx_kernel *k = compile(
		modern, "atom.global.add.noftz.v8.f16 {h,h1,h2,h3,h,h1,h2,h3}, [x], {h3,h2,h1,h,h,h,h,h};");

	cr_assert(k);
	cr_expect(k->uops[0].vector == 8 && k->uops[0].extra_sources == 5 && k->uops[0].extra_dests == 4 &&
		k->uops[0].bytes == 2 && k->uops[0].compare == ATOM_ADD && k->uops[0].type == PTX_F16);
	clean();
}

static void expect_old(const char *version, const char *instruction, unsigned code, unsigned mods)
{
	char header[64];
	struct ptx_kernel *k;

	snprintf(header, sizeof header, ".version %s\n.target sm_13\n", version);
	k = compile(header, instruction);
	cr_expect_eq(k != NULL, code != UOP_NOP, "%s %s", version, instruction);
	if (k)
		cr_expect(k->uops[0].code == code && k->uops[0].mods == mods, "%s %s: %s %u", version,
			instruction, uop_name(k->uops[0].code), k->uops[0].mods);
	clean();
}

Test(float_forms, of_the_first_versions)
{
	expect_old("1.3", "div.f32 f, f1, f2;", UOP_DIV_APPROX_F32, MOD_FTZ);
	expect_old("1.3", "rcp.f32 f, f1;", UOP_RCP_APPROX_F32, MOD_FTZ);
	expect_old("1.3", "sqrt.f32 f, f1;", UOP_SQRT_APPROX_F32, MOD_FTZ);
	expect_old("1.3", "sin.f32 f, f1;", UOP_SIN_APPROX_F32, MOD_FTZ);
	expect_old("1.3", "div.f64 d, d1, d1;", UOP_DIV_F64, 0);
	expect_old("1.3", "mad.f32 f, f1, f2, f3;", UOP_FMA_F32, MOD_FTZ);
	expect_old("1.3", "mad.f64 d, d1, d1, d1;", UOP_FMA_F64, 0);
	expect_old("1.4", "add.f32 f, f1, f2;", UOP_ADD_F32, MOD_FTZ);
	expect_old("1.4", "cvt.rn.f32.f64 f, d;", UOP_CVT_F32_F64, 0);
	expect_old("1.4", "cvt.rzi.s32.f32 w, f;", UOP_CVT_S32_F32_RZ, MOD_FTZ);
	expect_old("1.5", "cvt.rn.f32.f64 f, d;", UOP_CVT_F32_F64, MOD_FTZ);
	expect_old("1.4", "div.f32 f, f1, f2;", UOP_NOP, 0);
	expect_old("1.3", "cvt.s32.f32 w, f;", UOP_NOP, 0);
	expect_old("1.3", "fma.f64 d, d1, d1, d1;", UOP_NOP, 0);
}
