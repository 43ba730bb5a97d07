/* core/exec/arithmetic/exec_matrix.c -- the products of tensor cores, D = A * B + C, by a whole warp.
 *
 * Fragments are gathered into matrices, multiplied, and the result is spread over the lanes again
 * (layout: frontend/tables/matrix.h). Floating point (docs/design/deviations-chip.md): products of f16, bf16,
 * tf32 and 8-bit floats are exact in double; C and the products are added in double in the order of rising k,
 * and the sum is rounded once, to nearest even. f64: a chain of fused multiply-adds in the same order.
 * Integers: exact sums, which wrap or are clamped at the end. Scales of blocks multiply the elements first.
 * Of a sparse A only what is stored is multiplied, so that an infinity or NaN in B that meets a missing
 * element does not count. */
#include "core/exec/access.h"
#include "core/exec/arithmetic/sparsity.h"
#include "frontend/tables/matrix.h"
#include <math.h>

#define MOST_A      1024 /* elements of A or B */
#define MOST_C      256  /* of C or D */
#define MOST_STORED 64   /* of a row of a sparse A */
#define QUADS       4

/* The operands of an MMA: rows in extra[], A, B, C, D one after the other. */
struct operands {
	unsigned m, n, k, flags;
	const uint16_t *a, *b, *c, *d;
};

static inline struct operands operands_of(const struct exec *x, const struct uop *u, unsigned a, unsigned b)
{
	const uint16_t *extra = x->extra + u->extra;

	return (struct operands){ matrix_m(u->imm), matrix_n(u->imm), matrix_k(u->imm), matrix_flags(u->imm),
		extra, extra + a, extra + a + b, extra + u->extra_sources };
}

/* Registers of A and B whose elements are so many to a register. */
static inline unsigned tiles(unsigned rows, unsigned k, unsigned per_register)
{
	return rows / 8 * (k / (4 * per_register));
}

/* One fragment of A (by_k: out[row * k + k'], rows: m) or B (out[k' * rows + column], rows: n), expression of
 * `word` and the element's number e in it. */
#define GATHER(out, row_list, rows, k, per_register, is_b, expression) \
	do { \
		unsigned across_ = (rows) / 8, along_ = (k) / (4 * (per_register)); \
		for (unsigned r_ = 0; r_ < across_ * along_; r_++) { \
			const ROW_U32 *row_ = source_row(x, (row_list)[r_]); \
			unsigned line_ = 8 * ((is_b) ? r_ / along_ : r_ % across_); \
			unsigned first_ = 4 * (per_register) * ((is_b) ? r_ % along_ : r_ / across_); \
			for (unsigned l = 0; l < WARP_SIZE; l++) \
				for (unsigned e = 0; e < (per_register); e++) { \
					unsigned at_ = first_ + l % 4 * (per_register) + e, word = row_[l]; \
					(out)[(is_b) ? at_ * (rows) + line_ + l / 4 \
						     : (line_ + l / 4) * (k) + at_] = (expression); \
				} \
		} \
	} while (0)

static void gather_fours(
	const struct exec *x, const uint16_t *list, unsigned rows, unsigned k, bool is_b, double *out)
{
	GATHER(out, list, rows, k, 8u, is_b, value_e2m1(word >> 4 * e));
}

static void gather_values(const struct exec *x, const uint16_t *list, enum ptx_type type, unsigned rows,
	unsigned k, bool is_b, double *out)
{
	switch (type) {
	case PTX_F16:
		GATHER(out, list, rows, k, 2u, is_b, value_f16(word >> 16 * e & 0xffff));
		break;
	case PTX_BF16:
		GATHER(out, list, rows, k, 2u, is_b, value_bf16(word >> 16 * e & 0xffff));
		break;
	case PTX_TF32:
		GATHER(out, list, rows, k, 1u, is_b, value_tf32(word));
		break;
	default:
		GATHER(out, list, rows, k, 4u, is_b, element_value(type, word >> 8 * e & 0xff));
		break;
	}
}

static void gather_integers(const struct exec *x, const uint16_t *list, enum ptx_type type, unsigned rows,
	unsigned k, bool is_b, int32_t *out)
{
	if (type == PTX_S8 || type == PTX_U8)
		GATHER(out, list, rows, k, 4u, is_b, element_integer(type, word >> 8 * e & 0xff));
	else
		GATHER(out, list, rows, k, 8u, is_b, element_integer(type, word >> 4 * e & 15));
}

/* Where element e of an accumulator's 8 x 8 tile lies that lane l holds. */
static inline unsigned tile_location(const struct operands *o, unsigned tile, unsigned lane, unsigned e)
{
	unsigned down = o->m / 8, row = tile % down * 8 + lane / 4,
		 column = tile / down * 8 + lane % 4 * 2 + e;

	return row * o->n + column;
}

static void gather_accumulator(const struct exec *x, const struct operands *o, bool is_half, double *c)
{
	for (unsigned t = 0; t < o->m * o->n / 64; t++)
		for (unsigned e = 0; e < 2; e++) {
			const ROW_U32 *row = source_row(x, o->c[is_half ? t : 2 * t + e]);

			for (unsigned l = 0; l < WARP_SIZE; l++)
				c[tile_location(o, t, l, e)] = is_half ? value_f16(row[l] >> 16 * e & 0xffff)
								       : (double)f32_bits(row[l]);
		}
}

static void scatter_accumulator(const struct exec *x, const struct operands *o, bool is_half, const double *d)
{
	for (unsigned t = 0; t < o->m * o->n / 64; t++)
		for (unsigned e = 0; e < 2; e++) {
			uint16_t to = o->d[is_half ? t : 2 * t + e];
			ROW_U32 *row = to == UOP_NONE ? NULL : destination_row(x, to);

			for (unsigned l = 0; row && l < WARP_SIZE; l++) {
				double value = d[tile_location(o, t, l, e)];

				if (!is_half)
					row[l] = round_f32(value);
				else if (e)
					row[l] |= round_f16(value) << 16;
				else
					row[l] = round_f16(value);
			}
		}
}

/* d = a * b + d, rows of n <= 32; sums in the order of rising k. */
static inline void multiply(unsigned m, unsigned n, unsigned k, const double *a, const double *b, double *d)
{
	for (unsigned row = 0; row < m; row++)
		for (unsigned i = 0; i < k; i++) {
			double factor = a[row * k + i];

			for (unsigned column = 0; column < n; column++)
				d[row * n + column] += factor * b[i * n + column];
		}
}

/* The rows behind C: metadata, then scales. */
static const uint16_t *rows_behind(const struct exec *x, const struct uop *u)
{
	unsigned flags = matrix_flags(u->imm);
	unsigned count = (flags & MATRIX_SPARSE ? 1 : 0) + (flags >> MATRIX_SCALES & 7 ? SCALE_SOURCES : 0);

	return x->extra + u->extra + u->extra_sources - count;
}

/* bits: that an element of A takes in its register. */
static void find_sparsity(const struct exec *x, const struct uop *u, unsigned bits, unsigned stored,
	uint16_t at[16][MOST_STORED])
{
	sparse_places(source_row(x, rows_behind(x, u)[0]), bits, stored,
		matrix_flags(u->imm) >> MATRIX_SELECTOR & 3, at);
}

static inline uint32_t first_lane(const struct exec *x, uint16_t row)
{
	return ((const ROW_U32 *)source_row(x, row))[0];
}

/* Multiplies blocks of A and B by their scales, exactly. A's rows have `stored` elements, B's columns k. */
static void scale_blocks(
	const struct exec *x, const struct uop *u, unsigned stored, unsigned k, double *a, double *b)
{
	unsigned flags = matrix_flags(u->imm), scales = flags >> MATRIX_SCALES & 7;
	const uint16_t *rows = rows_behind(x, u) + (flags & MATRIX_SPARSE ? 1 : 0);
	const ROW_U32 *scale_a = source_row(x, rows[SCALE_A]), *scale_b = source_row(x, rows[SCALE_B]);
	uint32_t byte_a = first_lane(x, rows[SCALE_BYTE_A]), byte_b = first_lane(x, rows[SCALE_BYTE_B]);
	uint32_t thread_a = first_lane(x, rows[SCALE_THREAD_A]),
		 thread_b = first_lane(x, rows[SCALE_THREAD_B]);

	for (unsigned row = 0; row < 16; row++)
		for (unsigned i = 0; i < stored; i++) {
			uint32_t word = scale_a[matrix_scale_lane_a(row, thread_a & 1)];
			unsigned byte = (byte_a + i * scales / stored) & 3;

			a[row * stored + i] *= value_scale(flags & MATRIX_UE4M3, word >> 8 * byte);
		}
	for (unsigned i = 0; i < k; i++)
		for (unsigned column = 0; column < 8; column++) {
			uint32_t word = scale_b[matrix_scale_lane_b(column, thread_b & 3)];
			unsigned byte = (byte_b + i * scales / k) & 3;

			b[i * 8 + column] *= value_scale(flags & MATRIX_UE4M3, word >> 8 * byte);
		}
}

/* The same as multiply() for a sparse A of 16 rows, k elements stored of each. */
static void multiply_sparse(
	unsigned n, unsigned k, const double *a, const double *b, double *d, uint16_t at[16][MOST_STORED])
{
	for (unsigned row = 0; row < 16; row++)
		for (unsigned i = 0; i < k; i++)
			for (unsigned column = 0; column < n; column++)
				d[row * n + column] += a[row * k + i] * b[at[row][i] * n + column];
}

/* mma.m8n8k4: quad q is lanes 4q to 4q + 3 and those 16 above. The element e of a lane in A, B (4 x 8) and D.
 */
static inline unsigned quad_lane(unsigned quad, unsigned i)
{
	return 4 * quad + i % 4 + (i & 4 ? 16 : 0);
}

static inline unsigned quad_a(const struct operands *o, unsigned i, unsigned e)
{
	unsigned high = i & 4;

	return o->flags & MATRIX_A_BY_COLUMNS ? (e + high) * 4 + i % 4 : (i % 4 + high) * 4 + e;
}

static inline unsigned quad_b(const struct operands *o, unsigned i, unsigned e)
{
	unsigned high = i & 4;

	return o->flags & MATRIX_B_BY_ROWS ? i % 4 * 8 + e + high : e * 8 + i % 4 + high;
}

static inline unsigned quad_c(bool is_half, unsigned i, unsigned e)
{
	unsigned high = i & 4, lane = i % 4;

	if (is_half)
		return (lane + high) * 8 + e;
	return ((lane & 1) + (e & 2) + high) * 8 + (e & 4) + (lane & 2) + (e & 1);
}

static inline uint32_t register_half(const struct exec *x, const uint16_t *list, unsigned lane, unsigned e)
{
	return ((const ROW_U32 *)source_row(x, list[e / 2]))[lane] >> 16 * (e & 1) & 0xffff;
}

static void gather_quad(const struct exec *x, const struct operands *o, unsigned quad, bool is_half,
	double *a, double *b, double *c)
{
	for (unsigned i = 0; i < 8; i++) {
		unsigned lane = quad_lane(quad, i);

		for (unsigned e = 0; e < 4; e++) {
			a[quad_a(o, i, e)] = value_f16(register_half(x, o->a, lane, e));
			b[quad_b(o, i, e)] = value_f16(register_half(x, o->b, lane, e));
		}
		for (unsigned e = 0; e < 8; e++)
			c[quad_c(is_half, i, e)] = is_half
				? value_f16(register_half(x, o->c, lane, e))
				: (double)f32_bits(((const ROW_U32 *)source_row(x, o->c[e]))[lane]);
	}
}

static void scatter_quad(
	const struct exec *x, const struct operands *o, unsigned quad, bool is_half, const double *d)
{
	for (unsigned i = 0; i < 8; i++)
		for (unsigned e = 0; e < 8; e++) {
			uint16_t to = o->d[is_half ? e / 2 : e];
			double value = d[quad_c(is_half, i, e)];
			ROW_U32 *location;

			if (to == UOP_NONE)
				continue;
			location = (ROW_U32 *)destination_row(x, to) + quad_lane(quad, i);
			if (!is_half)
				*location = round_f32(value);
			else
				*location = e & 1 ? *location | round_f16(value) << 16 : round_f16(value);
		}
}

static void multiply_quads(const struct exec *x, const struct uop *u, const struct operands *o)
{
	double a[QUADS][32], b[QUADS][32], d[QUADS][64];

	for (unsigned q = 0; q < QUADS; q++) {
		gather_quad(x, o, q, u->reg_bytes == PTX_F16, a[q], b[q], d[q]);
		multiply(8, 8, 4, a[q], b[q], d[q]);
	}
	for (unsigned q = 0; q < QUADS; q++)
		scatter_quad(x, o, q, u->combine == PTX_F16, d[q]);
}

EXEC(MMA_FLOAT)
{
	unsigned flags = matrix_flags(u->imm);
	unsigned bits = flags & MATRIX_FOUR_BITS            ? 4
		: u->type == PTX_TF32                       ? 32
		: u->type == PTX_F16 || u->type == PTX_BF16 ? 16
							    : 8;
	unsigned m = matrix_m(u->imm), n = matrix_n(u->imm), k = matrix_k(u->imm);
	bool is_quads = flags & MATRIX_QUADS, is_sparse = flags & MATRIX_SPARSE;
	unsigned stored = is_sparse ? k / 2 : k;
	struct operands o = operands_of(
		x, u, is_quads ? 2 : tiles(m, stored, 32 / bits), is_quads ? 2 : tiles(n, k, 32 / bits));
	double a[MOST_A], b[MOST_A], d[MOST_C];
	uint16_t at[16][MOST_STORED];

	if (!is_whole_warp(x, u, active))
		return;
	if (is_quads) {
		multiply_quads(x, u, &o);
		return;
	}
	if (flags & MATRIX_FOUR_BITS) {
		gather_fours(x, o.a, m, stored, false, a);
		gather_fours(x, o.b, n, k, true, b);
	} else {
		gather_values(x, o.a, u->type, m, stored, false, a);
		gather_values(x, o.b, u->compare, n, k, true, b);
	}
	if (flags >> MATRIX_SCALES & 7)
		scale_blocks(x, u, stored, k, a, b);
	gather_accumulator(x, &o, u->reg_bytes == PTX_F16, d);
	if (is_sparse) {
		find_sparsity(x, u, bits, stored, at);
		multiply_sparse(n, stored, a, b, d, at);
	} else {
		multiply(m, n, k, a, b, d);
	}
	scatter_accumulator(x, &o, u->combine == PTX_F16, d);
}

static inline int32_t finish_integer(int64_t sum, bool clamps)
{
	if (clamps)
		return (int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
	return (int32_t)(uint32_t)(uint64_t)sum;
}

static void gather_sums(const struct exec *x, const struct operands *o, int64_t *c)
{
	for (unsigned r = 0; r < o->m * o->n / 32; r++) {
		const ROW_S32 *row = source_row(x, o->c[r]);

		for (unsigned l = 0; l < WARP_SIZE; l++)
			c[tile_location(o, r / 2, l, r & 1)] = row[l];
	}
}

static void scatter_sums(const struct exec *x, const struct operands *o, const int64_t *d, bool clamps)
{
	for (unsigned r = 0; r < o->m * o->n / 32; r++) {
		ROW_S32 *row = o->d[r] == UOP_NONE ? NULL : destination_row(x, o->d[r]);

		for (unsigned l = 0; row && l < WARP_SIZE; l++)
			row[l] = finish_integer(d[tile_location(o, r / 2, l, r & 1)], clamps);
	}
}

EXEC(MMA_INT)
{
	unsigned m = matrix_m(u->imm), n = matrix_n(u->imm), k = matrix_k(u->imm);
	unsigned per_register = u->type == PTX_S8 || u->type == PTX_U8 ? 4 : 8;
	bool is_sparse = matrix_flags(u->imm) & MATRIX_SPARSE;
	unsigned stored = is_sparse ? k / 2 : k;
	struct operands o = operands_of(x, u, tiles(m, stored, per_register), tiles(n, k, per_register));
	int32_t a[MOST_A], b[MOST_A];
	int64_t d[MOST_C];
	uint16_t at[16][MOST_STORED];

	if (!is_whole_warp(x, u, active))
		return;
	gather_integers(x, o.a, u->type, m, stored, false, a);
	gather_integers(x, o.b, u->compare, n, k, true, b);
	gather_sums(x, &o, d);
	if (is_sparse)
		find_sparsity(x, u, 32 / per_register, stored, at);
	for (unsigned row = 0; row < m; row++)
		for (unsigned i = 0; i < stored; i++) {
			const int32_t *factors = b + (is_sparse ? at[row][i] : i) * n;

			for (unsigned column = 0; column < n; column++)
				d[row * n + column] += a[row * stored + i] * factors[column];
		}
	scatter_sums(x, &o, d, u->mods & MOD_SAT);
}

/* Elements are whole words here: k / 32 of them. */
EXEC(MMA_BIT)
{
	unsigned m = matrix_m(u->imm), n = matrix_n(u->imm), k = matrix_k(u->imm) / 32;
	struct operands o = operands_of(x, u, tiles(m, k, 1), tiles(n, k, 1));
	uint32_t a[16 * 8], b[8 * 8];
	int64_t d[MOST_C];

	if (!is_whole_warp(x, u, active))
		return;
	GATHER(a, o.a, m, k, 1u, false, word + 0 * e);
	GATHER(b, o.b, n, k, 1u, true, word + 0 * e);
	gather_sums(x, &o, d);
	for (unsigned row = 0; row < m; row++)
		for (unsigned i = 0; i < k; i++)
			for (unsigned column = 0; column < n; column++) {
				uint32_t p = a[row * k + i], q = b[i * n + column];

				d[row * n + column] +=
					__builtin_popcount(o.flags & MATRIX_AND ? p & q : p ^ q);
			}
	scatter_sums(x, &o, d, false);
}

static void multiply_f64(
	const struct operands *o, unsigned round, const double *a, const double *b, double *d)
{
	round_enter(round, a, b, d, d);
	for (unsigned row = 0; row < o->m; row++)
		for (unsigned i = 0; i < o->k; i++)
			for (unsigned column = 0; column < o->n; column++)
				d[row * o->n + column] =
					fma(a[row * o->k + i], b[i * o->n + column], d[row * o->n + column]);
	round_leave(round, d);
}

EXEC(MMA_F64)
{
	unsigned m = matrix_m(u->imm), n = matrix_n(u->imm), k = matrix_k(u->imm);
	struct operands o = operands_of(x, u, tiles(m, k, 1), tiles(n, k, 1));
	double a[MOST_A], b[MOST_A], d[MOST_C];

	if (!is_whole_warp(x, u, active))
		return;
	for (unsigned r = 0; r < tiles(m, k, 1); r++)
		for (unsigned l = 0; l < WARP_SIZE; l++)
			a[(r % (m / 8) * 8 + l / 4) * k + r / (m / 8) * 4 + l % 4] =
				((const ROW_F64 *)source_row(x, o.a[r]))[l];
	for (unsigned r = 0; r < tiles(n, k, 1); r++)
		for (unsigned l = 0; l < WARP_SIZE; l++)
			b[(r * 4 % k + l % 4) * n + r * 4 / k * 8 + l / 4] =
				((const ROW_F64 *)source_row(x, o.b[r]))[l];
	for (unsigned r = 0; r < m * n / 32; r++)
		for (unsigned l = 0; l < WARP_SIZE; l++)
			d[tile_location(&o, r / 2, l, r & 1)] = ((const ROW_F64 *)source_row(x, o.c[r]))[l];
	multiply_f64(&o, u->round, a, b, d);
	for (unsigned r = 0; r < m * n / 32; r++)
		for (unsigned l = 0; o.d[r] != UOP_NONE && l < WARP_SIZE; l++)
			((ROW_F64 *)destination_row(x, o.d[r]))[l] =
				quiet_f64(d[tile_location(&o, r / 2, l, r & 1)]);
}
