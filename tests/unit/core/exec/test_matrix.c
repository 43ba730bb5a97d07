/* tests/unit/core/exec/test_matrix.c -- matrix products against sums written down directly, with the lane of
 * each element as the PTX ISA's formulas give it; roundings, infinities, saturation; ldmatrix and its kin;
 * what is a fault; what takes how long. */
#include "frontend/tables/matrix.h"
#include "frontend/tables/opcode.h"
#include "tests/unit/core/exec_rig.h"
#include "tests/unit/core/launch_rig.h"
#include "tests/unit/core/matrix_rig.h"
#include "sim/stats/stat.h"
#include <math.h>

/* ---- the ISA's formulas: where element i of a lane's fragment lies (g = lane / 4, t = lane % 4) ---- */

struct place {
	unsigned row, column;
};

/* A of 16 rows (or 8): elements of one register stand side by side; `each` of them. */
static struct place isa_a(unsigned m, unsigned each, unsigned lane, unsigned i)
{
	unsigned g = lane / 4, t = lane % 4;

	if (m == 8)
		return (struct place){ g, t * each + i };
	if (each == 1) /* f64, tf32: odd elements 8 rows down, each pair 4 columns on */
		return (struct place){ i % 2 ? g + 8 : g, t + i / 2 * 4 };
	if (each == 2)
		return (struct place){ i < 2 || (4 <= i && i < 6) ? g : g + 8,
			t * 2 + (i & 1) + (i < 4 ? 0 : 8) };
	if (each == 4)
		return (struct place){ i < 4 || (8 <= i && i < 12) ? g : g + 8,
			t * 4 + (i & 3) + (i < 8 ? 0 : 16) };
	if (each == 8)
		return (struct place){ i < 8 || (16 <= i && i < 24) ? g : g + 8,
			t * 8 + (i & 7) + (i < 16 ? 0 : 32) };
	return (struct place){ i < 32 || (64 <= i && i < 96) ? g : g + 8,
		t * 32 + (i & 31) + (i < 64 ? 0 : 128) };
}

static struct place isa_b(unsigned each, unsigned lane, unsigned i)
{
	unsigned g = lane / 4, t = lane % 4;

	return (struct place){ t * each + i % each + i / each * 4 * each, g };
}

static struct place isa_c(unsigned m, unsigned lane, unsigned i)
{
	unsigned g = lane / 4, t = lane % 4;

	return (struct place){ m == 8 || i < 2 ? g : g + 8, t * 2 + (i & 1) };
}

/* ---- a bench for one MMA micro-operation ---- */

struct bench {
	struct rig rig;
	uint16_t list[64];
	struct uop u;
	const struct matrix_product *p;
	unsigned bits, each, wide; /* of an element; elements in a register; rows of a register */
	double a[16][256], b[256][8], c[16][8], d[16][8];
};

static unsigned code_of(const struct matrix_product *p)
{
	return p->family == MATRIX_F64                                 ? UOP_MMA_F64
		: p->family == MATRIX_B1                               ? UOP_MMA_BIT
		: p->family == MATRIX_INT8 || p->family == MATRIX_INT4 ? UOP_MMA_INT
								       : UOP_MMA_FLOAT;
}

static void bench_init(
	struct bench *b, const struct matrix_product *p, unsigned a_type, unsigned b_type, unsigned acc)
{
	unsigned counts[4] = { p->a, p->b, matrix_registers(p, FRAGMENT_C, acc),
		matrix_registers(p, FRAGMENT_C, acc) };
	unsigned n = 0, row = 0;

	memset(b, 0, sizeof(*b));
	rig_init(&b->rig);
	b->p = p;
	b->bits = element_bits(a_type);
	b->wide = b->bits == 64 ? 2 : 1;
	b->each = 32 * b->wide / b->bits;
	b->u = U(MMA_FLOAT, .code = (uint16_t)code_of(p), .type = (uint8_t)a_type, .compare = (uint8_t)b_type,
		.combine = (uint8_t)acc, .reg_bytes = (uint8_t)acc, .imm = matrix_pack(p->m, p->n, p->k, 0));
	for (unsigned f = 0; f < 4; f++)
		for (unsigned i = 0; i < counts[f]; i++, row += b->wide)
			b->list[n++] = (uint16_t)row;
	cr_assert_leq(row, 64);
	b->u.extra_sources = (uint8_t)(n - counts[3]);
	b->u.extra_dests = (uint8_t)counts[3];
	b->rig.x.extra = b->list;
}

static void put_element(
	struct bench *b, unsigned first, unsigned bits, unsigned lane, unsigned i, uint64_t value)
{
	unsigned each = bits == 64 ? 1 : 32 / bits, row = b->list[first + i / each];

	if (bits >= 32)
		rig_set(&b->rig, row, bits / 8, lane, value);
	else
		b->rig.registers[row][lane] |= (uint32_t)value << i % each * bits;
}

/* Spreads a, b, c over the lanes. */
static void bench_load(struct bench *b)
{
	const struct matrix_product *p = b->p;
	unsigned c_bits = ptx_type_bits(b->u.reg_bytes), a_count = p->a * b->each, b_count = p->b * b->each;

	memset(b->rig.registers, 0, sizeof(b->rig.registers));
	for (unsigned lane = 0; lane < 32; lane++) {
		for (unsigned i = 0; i < a_count; i++) {
			struct place at = isa_a(p->m, b->each, lane, i);

			put_element(b, 0, b->bits, lane, i, encode(b->u.type, b->a[at.row][at.column]));
		}
		for (unsigned i = 0; i < b_count; i++) {
			struct place at = isa_b(b->each, lane, i);

			put_element(b, p->a, b->bits, lane, i, encode(b->u.compare, b->b[at.row][at.column]));
		}
		for (unsigned i = 0; i < p->m * p->n / 32u; i++) {
			struct place at = isa_c(p->m, lane, i);

			put_element(b, p->a + p->b, c_bits, lane, i,
				encode(b->u.reg_bytes, b->c[at.row][at.column]));
		}
	}
}

static uint64_t result_bits(const struct bench *b, unsigned lane, unsigned i)
{
	unsigned bits = ptx_type_bits(b->u.combine), first = b->u.extra_sources,
		 row = b->list[first + (bits == 16 ? i / 2 : i)];

	return bits == 16 ? b->rig.registers[row][lane] >> i % 2 * 16 & 0xffff
			  : rig_get(&b->rig, row, bits / 8, lane);
}

static void bench_expect(struct bench *b, const char *what)
{
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned i = 0; i < b->p->m * b->p->n / 32u; i++) {
			struct place at = isa_c(b->p->m, lane, i);
			uint64_t want = encode(b->u.combine, b->d[at.row][at.column]);

			if (b->u.combine == PTX_S32)
				want &= UINT32_MAX;
			cr_assert_eq(result_bits(b, lane, i), want,
				"%s m%un%uk%u lane %u element %u: %llx, not %llx", what, b->p->m, b->p->n,
				b->p->k, lane, i, (unsigned long long)result_bits(b, lane, i),
				(unsigned long long)want);
		}
}

/* Small integers whose sums every accumulator holds exactly. */
static void fill_small(struct bench *b, uint64_t *state)
{
	bool is_unsigned_a = b->u.type == PTX_U8 || b->u.type == PTX_U4,
	     is_unsigned_b = b->u.compare == PTX_U8 || b->u.compare == PTX_U4;
	bool is_bit = b->u.type == PTX_B1;

	for (unsigned row = 0; row < b->p->m; row++)
		for (unsigned i = 0; i < b->p->k; i++)
			b->a[row][i] = is_bit ? pick(state, 0, 1) : pick(state, is_unsigned_a ? 0 : -4, 7);
	for (unsigned i = 0; i < b->p->k; i++)
		for (unsigned column = 0; column < 8; column++)
			b->b[i][column] = is_bit ? pick(state, 0, 1) : pick(state, is_unsigned_b ? 0 : -4, 7);
	for (unsigned row = 0; row < b->p->m; row++)
		for (unsigned column = 0; column < 8; column++)
			b->c[row][column] = pick(state, -100, 100);
}

static void multiply(struct bench *b, bool is_and)
{
	for (unsigned row = 0; row < b->p->m; row++)
		for (unsigned column = 0; column < 8; column++) {
			double sum = b->c[row][column];

			for (unsigned i = 0; i < b->p->k; i++) {
				double p = b->a[row][i], q = b->b[i][column];

				sum += b->u.type != PTX_B1 || is_and ? p * q : p != q;
			}
			b->d[row][column] = sum;
		}
}

static void try_product(const struct matrix_product *p, unsigned a, unsigned bt, unsigned acc, bool is_and)
{
	static struct bench b;
	uint64_t state = 77 + p->k + a;

	for_each_level(table)
	{
		bench_init(&b, p, a, bt, acc);
		if (is_and)
			b.u.imm = matrix_pack(p->m, p->n, p->k, MATRIX_AND);
		for (unsigned round = 0; round < 4; round++) {
			fill_small(&b, &state);
			multiply(&b, is_and);
			bench_load(&b);
			rig_run(&b.rig, table, &b.u, UINT32_MAX);
			bench_expect(&b, ptx_type_name(a));
		}
	}
}

static void try_types(const struct matrix_product *p, unsigned acc)
{
	static const uint8_t types[] = { PTX_F16, PTX_BF16, PTX_TF32, PTX_F64, PTX_S8, PTX_U8, PTX_S4, PTX_U4,
		PTX_B1, PTX_E4M3, PTX_E5M2 };

	for (size_t a = 0; a < sizeof(types); a++)
		for (size_t b = 0; b < sizeof(types); b++)
			if (matrix_family_of(types[a]) == p->family &&
				matrix_family_of(types[b]) == p->family) {
				try_product(p, types[a], types[b], acc, false);
				if (types[a] == PTX_B1)
					try_product(p, types[a], types[b], acc, true);
			}
}

Test(matrix, every_mma_shape_multiplies_what_the_isa_says_lies_where)
{
	unsigned count = 0;

	for (const struct matrix_product *p = matrix_products; p->opcode != PTX_OPCODE_COUNT; p++) {
		if (p->family == MATRIX_F8F6F4 || p->family == MATRIX_FP4)
			continue; /* they need a kind */
		if (p->opcode != PTX_MMA || (p->shape == PTX_MOD_M8N8K4 && p->family == MATRIX_F16))
			continue;
		count++;
		if (p->accumulators & ACC_16_16)
			try_types(p, PTX_F16);
		if (p->accumulators & ACC_32_32)
			try_types(p, PTX_F32);
		if (p->accumulators & ACC_S32)
			try_types(p, PTX_S32);
		if (p->accumulators & ACC_F64)
			try_types(p, PTX_F64);
	}
	cr_assert_eq(count, 21);
}

/* mma.m8n8k4 on f16: quads. The ISA's formulas; eight lanes of quad q. */
static struct place quad_a(unsigned lane, unsigned i, bool by_columns)
{
	unsigned high = lane < 16 ? 0 : 4;

	return by_columns ? (struct place){ i % 4 + high, lane % 4 } : (struct place){ lane % 4 + high, i };
}

static struct place quad_b(unsigned lane, unsigned i, bool by_rows)
{
	unsigned high = lane < 16 ? 0 : 4;

	return by_rows ? (struct place){ lane % 4, i + high } : (struct place){ i, lane % 4 + high };
}

static struct place quad_c(unsigned lane, unsigned i, bool is_half)
{
	unsigned high = lane < 16 ? 0 : 4;

	if (is_half)
		return (struct place){ lane % 4 + high, i };
	return (struct place){ (lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1) };
}

static void try_quads(const exec_function *table, unsigned flags, unsigned c_type, unsigned d_type)
{
	static struct rig r;
	static double a[4][8][8], b[4][8][8], c[4][8][8];
	unsigned c_count = c_type == PTX_F16 ? 4 : 8, d_count = d_type == PTX_F16 ? 4 : 8;
	uint16_t list[32];
	uint64_t state = 5 + flags;
	struct uop u = U(MMA_FLOAT, .type = PTX_F16, .compare = PTX_F16, .combine = (uint8_t)d_type,
		.reg_bytes = (uint8_t)c_type, .imm = matrix_pack(8, 8, 4, flags | MATRIX_QUADS),
		.extra_sources = (uint8_t)(4 + c_count), .extra_dests = (uint8_t)d_count);

	rig_init(&r);
	for (unsigned i = 0; i < 32; i++)
		list[i] = (uint16_t)i;
	r.x.extra = list;
	for (unsigned q = 0; q < 4; q++)
		for (unsigned row = 0; row < 8; row++)
			for (unsigned column = 0; column < 8; column++) {
				a[q][row][column] = pick(&state, -8, 8);
				b[q][row][column] = pick(&state, -8, 8);
				c[q][row][column] = pick(&state, -100, 100);
			}
	for (unsigned lane = 0; lane < 32; lane++) {
		unsigned q = lane % 16 / 4;

		for (unsigned i = 0; i < 4; i++) {
			struct place pa = quad_a(lane, i, flags & MATRIX_A_BY_COLUMNS),
				     pb = quad_b(lane, i, flags & MATRIX_B_BY_ROWS);

			r.registers[i / 2][lane] |= (uint32_t)encode(PTX_F16, a[q][pa.row][pa.column])
				<< i % 2 * 16;
			r.registers[2 + i / 2][lane] |= (uint32_t)encode(PTX_F16, b[q][pb.row][pb.column])
				<< i % 2 * 16;
		}
		for (unsigned i = 0; i < 8; i++) {
			struct place pc = quad_c(lane, i, c_type == PTX_F16);
			uint32_t bits = (uint32_t)encode(c_type, c[q][pc.row][pc.column]);

			if (c_type == PTX_F16)
				r.registers[4 + i / 2][lane] |= bits << i % 2 * 16;
			else
				r.registers[4 + i][lane] = bits;
		}
	}
	rig_run(&r, table, &u, UINT32_MAX);
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned i = 0; i < 8; i++) {
			unsigned q = lane % 16 / 4, first = 4 + c_count;
			struct place at = quad_c(lane, i, d_type == PTX_F16);
			double sum = c[q][at.row][at.column];
			uint32_t got = d_type == PTX_F16
				? r.registers[first + i / 2][lane] >> i % 2 * 16 & 0xffff
				: r.registers[first + i][lane];

			for (unsigned k = 0; k < 4; k++)
				sum += a[q][at.row][k] * b[q][k][at.column];
			cr_assert_eq(got, encode(d_type, sum), "flags %u lane %u element %u", flags, lane, i);
		}
}

Test(matrix, m8n8k4_on_f16_computes_four_products_in_every_layout)
{
	for_each_level(table) for (unsigned layout = 0; layout < 4; layout++)
	{
		unsigned flags = (layout & 1 ? MATRIX_A_BY_COLUMNS : 0) | (layout & 2 ? MATRIX_B_BY_ROWS : 0);

		try_quads(table, flags, PTX_F16, PTX_F16);
		try_quads(table, flags, PTX_F32, PTX_F32);
		try_quads(table, flags, PTX_F16, PTX_F32);
	}
}

/* ---- numbers ---- */

/* One dot product: row 0 times column 0 of m16n8k16. */
static uint64_t dot(
	unsigned a_type, unsigned acc, const uint32_t *a, const uint32_t *b, unsigned count, uint64_t c)
{
	static struct bench n;
	uint64_t first = 0;

	for_each_level(table)
	{
		bench_init(&n, matrix_find(PTX_MMA, PTX_MOD_M16N8K16, a_type), a_type, a_type, acc);
		for (unsigned i = 0; i < count; i++) /* k = 2 t + (i & 1) + 8 (i / 8): lane t holds it */
			for (unsigned f = 0; f < 2; f++) {
				unsigned k = i, lane = k % 8 / 2, reg = f ? n.p->a + k / 8 : k / 8 * 2;

				n.rig.registers[reg][lane] |= (f ? b[i] : a[i]) << k % 2 * 16;
			}
		n.rig.registers[n.list[n.p->a + n.p->b]][0] |= (uint32_t)c;
		rig_run(&n.rig, table, &n.u, UINT32_MAX);
		if (table == rig_level(0))
			first = result_bits(&n, 0, 0);
		cr_assert_eq(result_bits(&n, 0, 0), first, "levels differ");
	}
	return first;
}

static uint32_t single(float f)
{
	uint32_t u;

	memcpy(&u, &f, 4);
	return u;
}

Test(matrix, sums_are_rounded_once)
{
	const uint32_t one = 0x3c00, tiny = 0x0001, big = 0x7bff; /* f16: 1, 2^-24, 65504 */
	uint32_t a[3] = { one, tiny, tiny }, b[3] = { one, one, one };

	/* 1 + 2^-24 + 2^-24 = 1 + 2^-23; rounding after each step would stay at 1 */
	cr_assert_eq(dot(PTX_F16, PTX_F32, a, b, 3, single(0)), single(1 + 0x1p-23f));
	/* 2^24 + 1 + 1 */
	cr_assert_eq(
		dot(PTX_F16, PTX_F32, (uint32_t[]){ one, one }, (uint32_t[]){ one, one }, 2, single(0x1p24f)),
		single(0x1p24f + 2));
	/* cancellation keeps what is small: 65504 * 65504 - 65504 * 65504 + 2^-24 * 2^-24 */
	cr_assert_eq(dot(PTX_F16, PTX_F32, (uint32_t[]){ big, big, tiny },
			     (uint32_t[]){ big, big | 0x8000, tiny }, 3, 0),
		single(0x1p-48f));
	/* ties to even in f16: 2048 + 1 = 2048, 2050 + 1 = 2052 */
	cr_assert_eq(dot(PTX_F16, PTX_F16, &one, &one, 1, encode(PTX_F16, 2048)), encode(PTX_F16, 2048));
	cr_assert_eq(dot(PTX_F16, PTX_F16, &one, &one, 1, encode(PTX_F16, 2050)), encode(PTX_F16, 2052));
	/* not twice: 2049 + 2^-24 is above the tie, though f32 would lose the last bit */
	cr_assert_eq(dot(PTX_F16, PTX_F16, (uint32_t[]){ one, tiny }, (uint32_t[]){ one, one }, 2,
			     encode(PTX_F16, 2048)),
		encode(PTX_F16, 2050));
}

Test(matrix, special_values_go_through)
{
	const uint32_t inf = 0x7c00, nan = 0x7e01, zero = 0, one = 0x3c00, big = 0x7bff, least = 0x0001,
		       half = 0x3800;

	cr_assert_eq(dot(PTX_F16, PTX_F32, &inf, &one, 1, 0), single(INFINITY));
	cr_assert_eq(dot(PTX_F16, PTX_F32, &inf, &zero, 1, 0), 0x7fffffff);
	cr_assert_eq(dot(PTX_F16, PTX_F32, &nan, &one, 1, 0), 0x7fffffff);
	cr_assert_eq(dot(PTX_F16, PTX_F16, &nan, &one, 1, 0), 0x7fff);
	cr_assert_eq(dot(PTX_F16, PTX_F16, &big, &big, 1, 0), 0x7c00);
	cr_assert_eq(dot(PTX_F16, PTX_F16, &least, &one, 1, 0), 0x0001);
	cr_assert_eq(dot(PTX_F16, PTX_F16, &least, &half, 1, 0), 0, "a tie with zero");
	cr_assert_eq(dot(PTX_F16, PTX_F16, (uint32_t[]){ least, least }, (uint32_t[]){ half, one }, 2, 0), 2,
		"1.5 units, a tie");
	cr_assert_eq(dot(PTX_F16, PTX_F16, &least, &one, 1, 0x83ff), 0x83fe, "subnormal accumulators");
	cr_assert_eq(dot(PTX_F16, PTX_F16, &least, &one, 1, 0x03ff), 0x0400, "up to the least normal number");
	cr_assert_eq(dot(PTX_BF16, PTX_F32, (uint32_t[]){ 0x7f00 }, (uint32_t[]){ 0x7f00 }, 1, 0),
		single(INFINITY));
	cr_assert_eq(dot(PTX_BF16, PTX_F32, (uint32_t[]){ 0x0001 }, (uint32_t[]){ 0x7f00 }, 1, 0),
		single(0x1p-6f), "a subnormal bf16 counts");
}

Test(matrix, integer_sums_wrap_or_are_clamped)
{
	static struct bench b;

	for_each_level(table) for (unsigned clamp = 0; clamp < 2; clamp++)
	{
		bench_init(&b, matrix_find(PTX_MMA, PTX_MOD_M8N8K16, PTX_S8), PTX_S8, PTX_U8, PTX_S32);
		for (unsigned lane = 0; lane < 32; lane++) {
			b.rig.registers[0][lane] = lane < 16 ? 0x7f7f7f7f : 0x80808080;
			b.rig.registers[1][lane] = 0xffffffff;
			b.rig.registers[2][lane] = b.rig.registers[3][lane] =
				lane < 16 ? 0x7fffff00 : 0x80000100;
		}
		b.u.mods = clamp ? MOD_SAT : 0;
		rig_run(&b.rig, table, &b.u, UINT32_MAX);
		cr_assert_eq(result_bits(&b, 0, 0), clamp ? 0x7fffffff : 0x7fffff00u + 16 * 127 * 255);
		cr_assert_eq(result_bits(&b, 31, 1), clamp ? 0x80000000 : 0x80000100u - 16 * 128 * 255);
	}
}

Test(matrix, f64_is_a_chain_of_fused_steps_in_the_rounding_asked_for)
{
	static struct bench b;
	static const double tiny = 0x1p-60;

	for_each_level(table) for (unsigned round = 0; round < 4; round++)
	{
		double want = round == ROUND_RP ? 1 + 0x1p-52 : 1;

		bench_init(&b, matrix_find(PTX_MMA, PTX_MOD_M8N8K4, PTX_F64), PTX_F64, PTX_F64, PTX_F64);
		for (unsigned row = 0; row < 8; row++)
			b.a[row][0] = tiny;
		for (unsigned column = 0; column < 8; column++) {
			b.b[0][column] = 1;
			for (unsigned row = 0; row < 8; row++) {
				b.c[row][column] = 1;
				b.d[row][column] = want;
			}
		}
		b.u.round = (uint8_t)round;
		bench_load(&b);
		rig_run(&b.rig, table, &b.u, UINT32_MAX);
		/* the other three products of a row are 0, and exact */
		bench_expect(&b, "f64");
	}
}

Test(matrix, a_part_of_a_warp_cannot_multiply)
{
	static struct bench b;

	for_each_level(table)
	{
		bench_init(&b, matrix_find(PTX_MMA, PTX_MOD_M16N8K16, PTX_F16), PTX_F16, PTX_F16, PTX_F32);
		rig_run(&b.rig, table, &b.u, 0xfffffffb);
		cr_assert(b.rig.x.faulted);
		cr_assert_eq(b.rig.fault.kind, FAULT_ILLEGAL_INSTRUCTION);
		cr_assert_eq(b.rig.fault.lane, 2);
		cr_assert(strstr(b.rig.fault.detail, "all 32 lanes"));
	}
}

/* ---- ldmatrix, stmatrix, movmatrix ---- */
