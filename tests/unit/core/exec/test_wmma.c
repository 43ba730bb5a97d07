/* tests/unit/core/exec/test_wmma.c -- whole kernels that load, multiply and store fragments, against plain
 * sums: every shape, type and layout, strides constant, in registers and left out; what nvcc makes of a
 * product. */
#include "frontend/tables/matrix.h"
#include "frontend/tables/opcode.h"
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/core/matrix_rig.h"

struct wmma_case {
	unsigned opcode_shape; /* a modifier */
	const char *shape;
	unsigned type, acc;
	const char *a_layout, *b_layout, *d_layout;
	bool has_strides, by_register;
};

static const char *list_of(char *text, const char *prefix, unsigned first, unsigned count)
{
	int used = sprintf(text, "{");

	for (unsigned i = 0; i < count; i++)
		used += sprintf(text + used, "%s%%%s%u", i ? ", " : "", prefix, first + i);
	sprintf(text + used, "}");
	return text;
}

static const char *prefix_of(unsigned type)
{
	return type == PTX_F64 ? "g" : "r";
}

static const char *stride_text(char *text, const struct wmma_case *c, const char *name, unsigned value)
{
	if (!c->has_strides)
		return "";
	if (c->by_register)
		sprintf(text, ", %%%s", name);
	else
		sprintf(text, ", %u", value);
	return text;
}

/* Strides of A, B, C and D as the kernel uses them, in elements. */
struct strides {
	unsigned a, b, d;
};

static struct strides strides_of(const struct wmma_case *c, const struct matrix_product *p)
{
	unsigned a = c->a_layout[0] == 'r' ? p->k : p->m, b = c->b_layout[0] == 'r' ? p->n : p->k;
	unsigned d = c->d_layout[0] == 'r' ? p->n : p->m, sub_byte = p->family == MATRIX_INT4 ? 32 : 128;

	if (!c->has_strides)
		return (struct strides){ a, b, d };
	return (struct strides){ a + (p->family >= MATRIX_INT4 ? sub_byte : 16),
		b + (p->family >= MATRIX_INT4 ? sub_byte : 32), d + 8 };
}

static char *wmma_kernel(const struct wmma_case *c, const struct matrix_product *p)
{
	static char text[8192];
	char a[200], b[200], d[200], cc[200], sa[32], sb[32], sd[32], types[64];
	const char *ty = ptx_type_name(c->type), *acc = ptx_type_name(c->acc),
		   *op = p->family == MATRIX_B1 ? ".xor.popc" : "";
	unsigned n = matrix_registers(p, FRAGMENT_C, c->acc);
	struct strides s = strides_of(c, p);

	list_of(a, prefix_of(c->type), 0, p->a);
	list_of(b, prefix_of(c->type), 8, p->b);
	list_of(cc, prefix_of(c->acc), 16, n);
	list_of(d, prefix_of(c->acc), 24, n);
	if (c->type == PTX_F16)
		sprintf(types, "%s.%s", acc, acc);
	else
		sprintf(types, "%s.%s.%s.%s", acc, ty, ty, acc);
	sprintf(text,
		".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n{\n"
		".reg .b32 %%r<40>; .reg .b64 %%q<8>; .reg .f64 %%g<40>; .reg .u32 %%sa, %%sb, %%sd;\n"
		"ld.param.u64 %%q0, [pa]; ld.param.u64 %%q1, [pb]; ld.param.u64 %%q2, [pc]; ld.param.u64 "
		"%%q3, [pd];\n"
		"mov.u32 %%sa, %u; mov.u32 %%sb, %u; mov.u32 %%sd, %u;\n"
		"wmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%q0]%s;\n"
		"wmma.load.b.sync.aligned.%s.%s.%s %s, [%%q1]%s;\n"
		"wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%q2]%s;\n"
		"wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
		"wmma.store.d.sync.aligned.%s.%s.global.%s [%%q3], %s%s;\nret;\n}\n",
		s.a, s.b, s.d, c->a_layout, c->shape, ty, a, stride_text(sa, c, "sa", s.a), c->b_layout,
		c->shape, ty, b, stride_text(sb, c, "sb", s.b), c->d_layout, c->shape, acc, cc,
		stride_text(sd, c, "sd", s.d), op, c->a_layout, c->b_layout, c->shape, types, d, a, b, cc,
		c->d_layout, c->shape, acc, d, stride_text(sd, c, "sd", s.d));
	return text;
}

static void put_bits(uint8_t *memory, unsigned bits, unsigned index, uint64_t value)
{
	if (bits >= 8)
		memcpy(memory + (size_t)index * bits / 8, &value, bits / 8);
	else
		memory[index * bits / 8] |= (uint8_t)(value << index * bits % 8);
}

static unsigned at(const char *layout, unsigned row, unsigned column, unsigned stride)
{
	return layout[0] == 'r' ? row * stride + column : column * stride + row;
}

static void try_wmma(const struct wmma_case *c)
{
	const struct matrix_product *p = matrix_find(PTX_WMMA, c->opcode_shape, c->type);
	struct kernel_rig *r = rig_new(wmma_kernel(c, p), NULL);
	struct strides s = strides_of(c, p);
	unsigned bits = element_bits(c->type), acc_bits = ptx_type_bits(c->acc);
	uint64_t params[4], state = 99;
	static double a[32][128], b[128][32], m[32][32];

	for (unsigned i = 0; i < 4; i++)
		params[i] = rig_buffer(r, 65536);
	for (unsigned row = 0; row < p->m; row++)
		for (unsigned k = 0; k < p->k; k++) {
			a[row][k] = bits == 1
				? pick(&state, 0, 1)
				: pick(&state, c->type == PTX_U8 || c->type == PTX_U4 ? 0 : -4, 6);
			put_bits(memory_host(params[0]), bits, at(c->a_layout, row, k, s.a),
				encode(c->type, a[row][k]));
		}
	for (unsigned k = 0; k < p->k; k++)
		for (unsigned column = 0; column < p->n; column++) {
			b[k][column] = bits == 1
				? pick(&state, 0, 1)
				: pick(&state, c->type == PTX_U8 || c->type == PTX_U4 ? 0 : -4, 6);
			put_bits(memory_host(params[1]), bits, at(c->b_layout, k, column, s.b),
				encode(c->type, b[k][column]));
		}
	for (unsigned row = 0; row < p->m; row++)
		for (unsigned column = 0; column < p->n; column++) {
			m[row][column] = pick(&state, -50, 50);
			put_bits(memory_host(params[2]), acc_bits, at(c->d_layout, row, column, s.d),
				encode(c->acc, m[row][column]));
			for (unsigned k = 0; k < p->k; k++)
				m[row][column] +=
					bits == 1 ? a[row][k] != b[k][column] : a[row][k] * b[k][column];
		}
	for (unsigned functional = 0; functional < 2; functional++) {
		uint8_t *got = memory_host(params[3]), want[8];

		memset(got, 0, 65536);
		rig_launch(r, 1, 32, params, functional);
		rig_expect_done(r);
		for (unsigned row = 0; row < p->m; row++)
			for (unsigned column = 0; column < p->n; column++) {
				uint64_t value = encode(c->acc, m[row][column]);

				memcpy(want, &value, 8);
				cr_assert_arr_eq(got + at(c->d_layout, row, column, s.d) * acc_bits / 8, want,
					acc_bits / 8, "%s %s %s.%s.%s strides %d%d: element %u, %u", c->shape,
					ptx_type_name(c->type), c->a_layout, c->b_layout, c->d_layout,
					c->has_strides, c->by_register, row, column);
			}
	}
	rig_free(r);
}

Test(wmma, wmma_loads_multiplies_and_stores_every_shape_and_layout)
{
	static const struct {
		unsigned modifier;
		const char *shape;
		unsigned type, acc;
		bool any_layout;
	} cases[] = {
		{ PTX_MOD_M16N16K16, "m16n16k16", PTX_F16, PTX_F32, true },
		{ PTX_MOD_M16N16K16, "m16n16k16", PTX_F16, PTX_F16, true },
		{ PTX_MOD_M8N32K16, "m8n32k16", PTX_F16, PTX_F32, true },
		{ PTX_MOD_M32N8K16, "m32n8k16", PTX_F16, PTX_F16, true },
		{ PTX_MOD_M16N16K16, "m16n16k16", PTX_BF16, PTX_F32, true },
		{ PTX_MOD_M8N32K16, "m8n32k16", PTX_BF16, PTX_F32, true },
		{ PTX_MOD_M32N8K16, "m32n8k16", PTX_BF16, PTX_F32, true },
		{ PTX_MOD_M16N16K16, "m16n16k16", PTX_S8, PTX_S32, true },
		{ PTX_MOD_M16N16K16, "m16n16k16", PTX_U8, PTX_S32, true },
		{ PTX_MOD_M8N32K16, "m8n32k16", PTX_S8, PTX_S32, true },
		{ PTX_MOD_M32N8K16, "m32n8k16", PTX_U8, PTX_S32, true },
		{ PTX_MOD_M16N16K8, "m16n16k8", PTX_TF32, PTX_F32, true },
		{ PTX_MOD_M8N8K4, "m8n8k4", PTX_F64, PTX_F64, true },
		{ PTX_MOD_M8N8K32, "m8n8k32", PTX_S4, PTX_S32, false },
		{ PTX_MOD_M8N8K32, "m8n8k32", PTX_U4, PTX_S32, false },
		{ PTX_MOD_M8N8K128, "m8n8k128", PTX_B1, PTX_S32, false },
	};
	static const char *const layouts[] = { "row", "col" };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (unsigned n = 0; n < 8; n++)
			for (unsigned strides = 0; strides < 3; strides++) {
				struct wmma_case c = { cases[i].modifier, cases[i].shape, cases[i].type,
					cases[i].acc, layouts[n & 1], layouts[n >> 1 & 1], layouts[n >> 2],
					strides > 0, strides > 1 };

				if (cases[i].any_layout || (!(n & 1) && n & 2))
					try_wmma(&c);
			}
}

Test(wmma, a_wmma_product_from_nvcc)
{
	struct kernel_rig *r = rig_open("tests/ptx/tensor_sm80.ptx", "wmma_gemm");
	enum { M = 32, N = 48, K = 80 };
	struct {
		uint64_t a, b, c;
		int32_t n, k;
	} params = { rig_buffer(r, 2 * M * K), rig_buffer(r, 2 * N * K), rig_buffer(r, 4 * M * N), N, K };
	uint16_t *a = memory_host(params.a), *b = memory_host(params.b);
	float *c = memory_host(params.c);

	for (unsigned i = 0; i < M * K; i++)
		a[i] = (uint16_t)encode(PTX_F16, (int)(i * 13 % 17) - 8);
	for (unsigned i = 0; i < N * K; i++)
		b[i] = (uint16_t)encode(PTX_F16, (int)(i * 11 % 19) - 9);
	for (unsigned functional = 0; functional < 2; functional++) {
		memset(c, 0, 4 * M * N);
		rig_launch(r, 3, 64, &params, functional);
		rig_expect_done(r);
		for (unsigned row = 0; row < M; row++)
			for (unsigned column = 0; column < N; column++) {
				int sum = 0;

				for (unsigned i = 0; i < K; i++)
					sum += ((int)((row * K + i) * 13 % 17) - 8) *
						((int)((column * K + i) * 11 % 19) - 9);
				cr_assert_eq(c[row * N + column], 0.5f * (float)sum, "element %u, %u", row,
					column);
			}
	}
	rig_free(r);
}

/* wmma.store to a variable in shared memory and to a 32-bit register address; then every thread copies out.
 */
Test(wmma, fragments_go_to_shared_memory_and_back)
{
	struct kernel_rig *r = rig_new(
		".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<40>; .reg .f32 %f<20>; .reg .b64 %d<4>;\n"
		".shared .align 32 .b8 pad[32]; .shared .align 32 .b8 tile[1056];\n"
		"ld.param.u64 %d0, [p];\nmov.u32 %r8, tile;\n"
		"wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%d0], "
		"16;\n"
		"wmma.store.d.sync.aligned.col.m16n16k16.shared.f32 [tile+32], "
		"{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, 16;\n"
		"wmma.load.c.sync.aligned.row.m16n16k16.shared::cta.f32 "
		"{%f8,%f9,%f10,%f11,%f12,%f13,%f14,%f15}, [%r8+32];\n"
		"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d0+1024], "
		"{%f8,%f9,%f10,%f11,%f12,%f13,%f14,%f15}, 16;\nret;\n}\n",
		NULL);
	uint64_t p = rig_buffer(r, 4096);
	float *values = memory_host(p);

	for (unsigned functional = 0; functional < 2; functional++) {
		for (unsigned i = 0; i < 512; i++)
			values[i] = i < 256 ? (float)i : -1;
		rig_launch(r, 1, 32, &p, functional);
		rig_expect_done(r);
		for (unsigned i = 0; i < 256; i++)
			cr_assert_eq(
				values[256 + i], (float)(i % 16 * 16 + i / 16), "transposed, element %u", i);
	}
	rig_free(r);
}
