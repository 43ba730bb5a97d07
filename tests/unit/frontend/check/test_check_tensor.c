/* tests/unit/frontend/check/test_check_tensor.c -- matrix instructions, cp.async and mbarrier: what is
 * taken, the words of what is not, and what is read but refused by name when it is to be executed. Verdicts
 * are those of ptxas 13.0 for sm_90. */
#include "frontend/tables/matrix.h"
#include "tests/unit/frontend/parse_rig.h"

TestSuite(check_tensor, .init = set_up, .fini = tear_down);

static const char *registers(char *text, const char *prefix, unsigned count)
{
	int used = sprintf(text, "{");

	for (unsigned i = 0; i < count; i++)
		used += sprintf(text + used, "%s%%%s%u", i ? "," : "", prefix, i);
	sprintf(text + used, "}");
	return text;
}

static const char *prefix_of(unsigned type)
{
	return type == PTX_F64 ? "g" : type == PTX_F32 ? "f" : "r";
}

/* mma or wmma.mma of a product, with `more` registers in one of its fragments. */
static void product_text(char *text, const struct matrix_product *p, unsigned type, unsigned acc,
	const char *layouts, int more_a, int more_d)
{
	char a[200], b[200], c[200], d[200], types[64];
	const char *op = p->family == MATRIX_B1 ? ".xor.popc" : "";
	unsigned n = matrix_registers(p, FRAGMENT_C, acc);

	registers(a, prefix_of(type == PTX_F64 ? type : PTX_B32), p->a + (unsigned)more_a);
	registers(b, prefix_of(type == PTX_F64 ? type : PTX_B32), p->b);
	registers(c, prefix_of(acc), n);
	registers(d, prefix_of(acc), n + (unsigned)more_d);
	if (p->opcode == PTX_WMMA && type == PTX_F16)
		sprintf(types, "%s.%s", ptx_type_name(acc), ptx_type_name(acc));
	else
		sprintf(types, "%s.%s.%s.%s", ptx_type_name(acc), ptx_type_name(type), ptx_type_name(type),
			ptx_type_name(acc));
	sprintf(text,
		".visible .entry k() { .reg .b32 %%r<32>; .reg .f32 %%f<32>; .reg .f64 %%g<32>;\n"
		"%s.sync.aligned.%s.%s.%s%s %s, %s, %s, %s;\nret; }\n",
		p->opcode == PTX_MMA ? "mma" : "wmma.mma", layouts, ptx_modifier_name(p->shape), types, op, d,
		a, b, c);
}

static unsigned type_of(const struct matrix_product *p)
{
	static const uint8_t types[] = { PTX_F16, PTX_BF16, PTX_TF32, PTX_F64, PTX_E5M2, PTX_E3M2, PTX_E2M1,
		PTX_S8, PTX_U4, PTX_B1 };

	return types[p->family];
}

static unsigned accumulator_of(const struct matrix_product *p)
{
	return p->accumulators & ACC_S32 ? PTX_S32 : p->accumulators & ACC_F64 ? PTX_F64 : PTX_F32;
}

Test(check_tensor, every_product_of_the_table_is_taken_with_as_many_registers)
{
	static const char *const layouts[] = { "row.col", "row.row", "col.row", "col.col" };
	char text[2000];

	for (const struct matrix_product *p = matrix_products; p->opcode != PTX_OPCODE_COUNT; p++)
		for (unsigned n = 0; n < 4; n++)
			for (int extra = 0; extra < 3; extra++) {
				bool good = !extra && (!n || p->any_layout);

				if (p->family == MATRIX_F8F6F4 || p->family == MATRIX_FP4)
					continue; /* they need a kind */

				product_text(text, p, type_of(p), accumulator_of(p), layouts[n], extra == 1,
					extra == 2);
				if (good) {
					accept_module(text);
				} else {
					char whole[3000];

					snprintf(whole, sizeof whole, HEADER "%s", text);
					cr_assert_null(parse(whole), "%s", text);
				}
			}
}

static void refuse(const char *insn, const char *message)
{
	char text[4096], *rendered;

	snprintf(text, sizeof text,
		HEADER ".visible .entry k() { .reg .pred %%p<4>; .reg .b32 %%r<32>; .reg .u32 %%u<8>; .reg "
		       ".f32 %%f<32>; "
		       ".reg .b64 %%d<8>; .reg .f64 %%g<8>;\n.shared .align 16 .b8 tile[64];\n.global .align "
		       "16 .b8 gv[64];\n%s\nret; }\n",
		insn);
	parse(text);
	rendered = diag_render(&diags, DIAG_ERROR);
	cr_expect_null(module, "%s is taken", insn);
	cr_expect(strstr(rendered, message), "%s: got\n%s", insn, rendered);
	free(rendered);
}

#define D4  "{%f0,%f1,%f2,%f3}"
#define R8  "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}"
#define F16 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

Test(check_tensor, each_mistake_in_a_matrix_instruction_has_its_message)
{
	/* clang-format off */
	static const char *const cases[][2] = {
		{ F16 " " D4 ", {%r0,%r1,%r2}, {%r4,%r5}, " D4 ";",
			"fragment A of '" F16 "' takes 4 registers in braces" },
		{ F16 " {%f0,%f1}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, " D4 ";",
			"fragment D of '" F16 "' takes 4 registers" },
		{ F16 " " D4 ", {%r0,%r1,%r2,%f3}, {%r4,%r5}, " D4 ";",
			"'%f3' is a .f32 register and does not suit fragment A" },
		{ F16 " " D4 ", {%r0,%r1,%r2,%f3}, {%r4,%r5}, " D4 ";", "^ .b32 .f16x2" },
		{ F16 " " D4 ", {%r0,%r1,%r2,1}, {%r4,%r5}, " D4 ";",
			"fragment A of '" F16 "' consists of registers" },
		{ F16 " " D4 ", {%r0,%r1,%r2,%r3}, {%r4,%r5};", "takes 4 operands, not 3" },
		{ "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 "
			D4 ", {%r0,%r1,%r2,%r3}, {%r4,%r5}, " D4 ";",
			"takes A by rows and B by columns only" },
		{ "mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32 " D4 ", {%r0}, {%r4}, " D4 ";",
			"^ .m8n8k4 .m16n8k8 .m16n8k16" },
		{ "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 "
			"{%r6,%r7}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, " D4 ";",
			"has types of D and C that do not suit A and B" },
		{ "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 "
			D4 ", {%r0,%r1,%r2,%r3}, {%r4,%r5}, " D4 ";",
			"cannot have '.satfinite': it is for integers" },
		{ "mma.sync.m16n8k16.row.col.f32.f16.f16.f32 " D4 ", {%r0,%r1,%r2,%r3}, {%r4,%r5}, " D4 ";",
			"needs '.sync' and '.aligned'" },
		{ "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};",
			"needs an operation on bits" },
		{ "mma.sync.aligned.m8n8k16.row.col.s32.s8.s4.s32 {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};",
			"types of A and B that do not go together" },
		{ "mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " D4 ", {%r0}, {%r4}, " D4 ", %r5, 0;",
			"^ .m16n8k16 .m16n8k32" },
		{ "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4 ", {%r0,%r1}, {%r4,%r5}, " D4
			", %r6, 4;", "is a constant below 4" },
		{ "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 " D4
			", {%r0,%r1,%r2,%r3}, {%r0,%r1,%r2,%r3}, " D4 ", %r6, 2;", "is a constant below 2" },
		{ "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4 ", {%r0,%r1}, {%r4,%r5}, " D4
			", %d1, 0;", "does not suit the metadata" },
		{ "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4 ", {%r0,%r1}, {%r4,%r5}, " D4 ";",
			"takes 6 operands, not 4" },
		{ "mma.sp.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " D4
			", {%r0,%r1}, {%r4,%r5}, " D4 ", %r6, 0;", "says twice" },
		{ "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 "
			R8 ", {%r0,%r1}, {%r2,%r3}, " R8 ";",
			"types of A and B that do not go together" },
		{ "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f32 " R8 ", " R8 ", " R8 ", " R8 ";",
			"(.f16 matrices: of D and C)" },
		{ "wmma.load.a.sync.aligned.row.m16n16k16.local.f16 " R8 ", [%d0];",
			"cannot have this state space" },
		{ "wmma.load.a.sync.aligned.m16n16k16.f16 " R8 ", [%d0];", "needs the layout in memory" },
		{ "wmma.load.d.sync.aligned.row.m16n16k16.f16 " R8 ", [%d0];", "does not tell which matrix" },
		{ "wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%d0];",
			"has a layout that does not exist for this type" },
		{ "wmma.load.a.sync.aligned.row.m16n16k16.f16 " R8 ", [%d0], %d1;",
			"'%d1' is a .b64 register" },
		{ "ldmatrix.sync.aligned.m8n8.shared.b16 {%r0}, [tile];", "needs a number of matrices" },
		{ "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [tile];",
			"the destination of 'ldmatrix.sync.aligned.m8n8.x2.shared.b16' takes 2 registers" },
		{ "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [gv];", "cannot have this state space" },
		{ "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0,%r1}, [tile];",
			"^ .target sm_100 and .version 8.6, or later" },
		{ "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [gv];", "'gv' is in .global" },
		{ "movmatrix.sync.aligned.m8n8.b16 %r0, %r1;", "^ movmatrix.sync.aligned.m8n8.trans.b16" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		refuse(cases[i][0], cases[i][1]);
}

Test(check_tensor, each_mistake_in_a_copy_or_mbarrier_has_its_message)
{
	/* clang-format off */
	static const char *const cases[][2] = {
		{ "cp.async.shared.global [%r1], [%d1], 4;", "lacks a modifier" },
		{ "cp.async.ca.shared [%r1], [%d1], 4;", "copies from .global to .shared" },
		{ "cp.async.ca.shared.global [%r1], [%d1], 2;", "copies 4, 8 or 16 bytes" },
		{ "cp.async.ca.shared.global [%r1], [%d1], 4, 8;",
			"reads at most the 4 bytes that it copies" },
		{ "cp.async.ca.shared.global [gv], [%d1], 4;", "'gv' is in .global" },
		{ "cp.async.ca.shared.global [%r1], [tile], 4;", "'tile' is in .shared" },
		{ "cp.async.ca.shared.global [%r1], [%d1], 16, %d2;", "'%d2' is a .b64 register" },
		{ "cp.async.ca.shared.global.L2::cache_hint [%r1], [%d1], 16;",
			"takes at least 4 operands, not 3" },
		{ "cp.async.ca.shared.global.L1::evict_last [%r1], [%d1], 16;",
			"does not take '.L1::evict_last'" },
		{ "cp.async.wait_group %r1;", "needs an integer constant here" },
		{ "cp.async.commit_group 1;", "takes 0 operands, not 1" },
		{ "cp.async.mbarrier.arrive.shared.b32 [%r1];", "has another type" },
		{ "mbarrier.shared.b64 [%r1];", "needs one operation" },
		{ "mbarrier.init.shared.b64 [%r1];", "takes 2 operands, not 1" },
		{ "mbarrier.init.global.b64 [%d1], 1;", "cannot have this state space" },
		{ "mbarrier.init.b64 [%r1], 1;", "'%r1' is too narrow for a generic address" },
		{ "mbarrier.arrive.shared.b64 %r2, [%r1];", "'%r2' is a .b32 register" },
		{ "mbarrier.arrive.noComplete.shared.b64 %d2, [%r1];", "takes 3 operands, not 2" },
		{ "mbarrier.arrive.release.shared.b64 %d2, [%r1];", "needs an order and a scope" },
		{ "mbarrier.arrive.acquire.cta.shared.b64 %d2, [%r1];", "does not take '.acquire'" },
		{ "mbarrier.arrive.shared::cluster.b64 %d2, [%r1];", "returns no state" },
		{ "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 2;", "a phase's parity is 0 or 1" },
		{ "mbarrier.test_wait.shared.b64 %p1, [%r1], %d1, 5;", "takes 3 operands, not 4" },
		{ "mbarrier.pending_count.shared.b64 %r1, %d1;", "takes no state space" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		refuse(cases[i][0], cases[i][1]);
}

Test(check_tensor, older_targets_and_versions_do_not_have_everything)
{
	static const char *const old[][2] = {
		{ ".version 6.4\n.target sm_75\n",
			"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 "
			"{%r0,%r1}, {%r0,%r1}, {%r2}, {%r3,%r4};" },
		{ ".version 7.0\n.target sm_75\n",
			"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
			"{%r0,%r1}, {%r0,%r1,%r2,%r3}, {%r2,%r4}, {%r3,%r4};" },
		{ ".version 8.4\n.target sm_80\n",
			"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
			"{%r0,%r1}, {%r0,%r1}, {%r2,%r4}, {%r3,%r4}, %r5, 0;" },
		{ ".version 7.0\n.target sm_80\n", "cp.async.ca.shared.global [%r1], [%d1], 16, %p1;" },
		{ ".version 7.4\n.target sm_75\n", "cp.async.wait_all;" },
		{ ".version 8.0\n.target sm_80\n", "mbarrier.try_wait.shared.b64 %p1, [%r1], %d1;" },
		{ ".version 8.0\n.target sm_80\n", "mbarrier.arrive.shared.b64 %d1, [%r1], 2;" },
		{ ".version 7.8\n.target sm_80\n", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};" },
	};
	char text[2000];

	for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
		snprintf(text, sizeof text,
			"%s.address_size 64\n.visible .entry k() { .reg .pred %%p<4>; .reg .b32 %%r<8>; .reg "
			".b64 %%d<8>;\n%s\nret; }\n",
			old[i][0], old[i][1]);
		cr_assert_null(parse(text), "%s", old[i][1]);
		char *rendered = diag_render(&diags, DIAG_ERROR);

		cr_assert(strstr(rendered, "newer than the module's"), "%s", rendered);
		free(rendered);
	}
}
