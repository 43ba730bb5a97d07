/* core/exec/arithmetic/exec_wgmma.c -- the part of one warp in a product of its warpgroup: 16 rows of D, for
 * 16 rows of A and all of B. Sums are those of mma (exec_matrix.c).
 *
 * Matrices in shared memory (PTX ISA, "Asynchronous warpgroup level matrix shared memory layout"): pieces of
 * 16 bytes, along k or, transposed, down the rows of A or columns of B. Without a swizzle eight of them, of
 * consecutive rows, stand one behind the other; with one, the pieces of a row stand side by side in 32, 64 or
 * 128 bytes, eight such rows follow one another, and the bits of an address that count the rows are added,
 * exclusive or, to those that count its pieces of 16 bytes. How the next eight rows and the next pieces along
 * k are reached, the descriptor says. Where an operand goes on behind the width of its swizzle along k, which
 * the ISA does not show, the leading offset is taken. */
#include "core/exec/access.h"
#include "core/exec/arithmetic/sparsity.h"
#include "frontend/tables/wgmma.h"

#define MOST_N        256
#define MOST_DEPTH    64 /* elements along k; words for bits */
#define PIECE         16 /* bytes */
#define SHARED_WITHIN 0x3ffffu

struct descriptor {
	uint32_t start, leading, stride; /* bytes */
	uint32_t width;                  /* of a row of the swizzle's pattern; PIECE: there is none */
	uint32_t base;                   /* where in it the pattern starts, rows of 128 bytes */
};

/* An operand in shared memory: `lines` rows of A, or columns of B, from `first` on. */
struct stored_matrix {
	struct descriptor at;
	enum ptx_type type;
	bool is_across; /* memory goes across the lines */
	unsigned first, lines, depth;
	unsigned line_stride, k_stride; /* of what is read, in elements */
};

static inline struct descriptor descriptor_of(uint64_t bits)
{
	static const uint8_t widths[] = { PIECE, 128, 64, 32 };

	return (struct descriptor){ (uint32_t)(bits & 0x3fff) << 4, (uint32_t)(bits >> 16 & 0x3fff) << 4,
		(uint32_t)(bits >> 32 & 0x3fff) << 4, widths[bits >> 62], (uint32_t)(bits >> 49 & 7) };
}

/* Where a piece stands that goes along k: the n-th of its line. */
static inline uint32_t place_along(const struct descriptor *d, unsigned line, unsigned n)
{
	uint32_t within = n * PIECE & (d->width - 1), beyond = n * PIECE / d->width;

	return line / 8 * d->stride + line % 8 * d->width + within + beyond * d->leading;
}

/* Where one stands that goes across eight lines: the n-th eight of them. */
static inline uint32_t place_across(const struct descriptor *d, unsigned n, unsigned k)
{
	if (d->width == PIECE)
		return n * d->stride + k / 8 * d->leading + k % 8 * PIECE;
	return (n * PIECE & (d->width - 1)) + n * PIECE / d->width * d->leading + k / 8 * d->stride +
		k % 8 * d->width;
}

/* The 16 bytes at an offset from the start; NULL after a fault. */
static inline const uint8_t *find_piece(
	struct exec *x, const struct uop *u, const struct descriptor *d, uint32_t offset)
{
	uint32_t address = (d->start + offset) & SHARED_WITHIN;

	address ^= (((address >> 7) - d->base) & (d->width / PIECE - 1)) << 4;
	if (__builtin_expect(address + PIECE <= x->shared_bytes, 1))
		return x->shared + address;
	fault_access(x, u, FAULT_SHARED_OUT_OF_BOUNDS, 0, address, PIECE, false);
	return NULL;
}

static inline uint32_t half_at(const uint8_t *piece, unsigned i)
{
	return (uint32_t)piece[2 * i] | (uint32_t)piece[2 * i + 1] << 8;
}

static inline uint32_t word_at(const uint8_t *piece, unsigned i)
{
	return half_at(piece, 2 * i) | half_at(piece, 2 * i + 1) << 16;
}

static inline void piece_values(enum ptx_type type, const uint8_t *piece, double *to, unsigned stride)
{
	switch (type) {
	case PTX_F16:
		for (unsigned i = 0; i < 8; i++)
			to[i * stride] = value_f16(half_at(piece, i));
		break;
	case PTX_BF16:
		for (unsigned i = 0; i < 8; i++)
			to[i * stride] = value_bf16(half_at(piece, i));
		break;
	case PTX_TF32:
		for (unsigned i = 0; i < 4; i++)
			to[i * stride] = value_tf32(word_at(piece, i));
		break;
	default:
		for (unsigned i = 0; i < PIECE; i++)
			to[i * stride] = element_value(type, piece[i]);
		break;
	}
}

/* 8-bit integers; of bits, whole words. */
static inline void piece_integers(enum ptx_type type, const uint8_t *piece, int32_t *to, unsigned stride)
{
	if (type == PTX_B1)
		for (unsigned i = 0; i < 4; i++)
			to[i * stride] = (int32_t)word_at(piece, i);
	else
		for (unsigned i = 0; i < PIECE; i++)
			to[i * stride] = type == PTX_S8 ? (int8_t)piece[i] : piece[i];
}

/* Elements of a piece. */
static inline unsigned per_piece(enum ptx_type type)
{
	return type == PTX_B1 ? 4 : PIECE * 8 / ptx_type_bits(type);
}

/* Reads the matrix into `to`; the elements of a piece follow one another along k or across lines. False after
 * a fault. */
#define READ_MATRIX(name, value, put) \
	static bool name(struct exec *x, const struct uop *u, const struct stored_matrix *m, value *to) \
	{ \
		unsigned per = per_piece(m->type), rows = m->is_across ? m->depth : m->lines; \
		unsigned pieces = (m->is_across ? m->lines : m->depth) / per; \
\
		for (unsigned row = 0; row < rows; row++) \
			for (unsigned n = 0; n < pieces; n++) { \
				uint32_t offset = m->is_across ? place_across(&m->at, m->first / 8 + n, row) \
							       : place_along(&m->at, m->first + row, n); \
				const uint8_t *piece = find_piece(x, u, &m->at, offset); \
\
				if (!piece) \
					return false; \
				if (m->is_across) \
					put(m->type, piece, \
						to + row * m->k_stride + n * per * m->line_stride, \
						m->line_stride); \
				else \
					put(m->type, piece, \
						to + row * m->line_stride + n * per * m->k_stride, \
						m->k_stride); \
			} \
		return true; \
	}

READ_MATRIX(read_values, double, piece_values)
READ_MATRIX(read_integers, int32_t, piece_integers)

/* A in registers: as mma has it. `word` and e: a register and the element's number in it. */
#define GATHER_A(to, depth, per_register, expression) \
	do { \
		for (unsigned r_ = 0; r_ < 4; r_++) { \
			const ROW_U32 *row_ = source_row(x, x->extra[u->extra + r_]); \
\
			for (unsigned l = 0; l < WARP_SIZE; l++) \
				for (unsigned e = 0; e < (per_register); e++) { \
					unsigned word = row_[l]; \
\
					(to)[(l / 4 + r_ % 2 * 8) * (depth) + \
						(r_ / 2 * 4 + l % 4) * (per_register) + e] = (expression); \
				} \
		} \
	} while (0)

static void gather_a_values(const struct exec *x, const struct uop *u, unsigned depth, double *a)
{
	if (u->type == PTX_F16)
		GATHER_A(a, depth, 2u, value_f16(word >> 16 * e & 0xffff));
	else if (u->type == PTX_BF16)
		GATHER_A(a, depth, 2u, value_bf16(word >> 16 * e & 0xffff));
	else if (u->type == PTX_TF32)
		GATHER_A(a, depth, 1u, value_tf32(word + 0 * e));
	else
		GATHER_A(a, depth, 4u, element_value(u->type, word >> 8 * e & 0xff));
}

static void gather_a_integers(const struct exec *x, const struct uop *u, unsigned depth, int32_t *a)
{
	if (u->type == PTX_B1)
		GATHER_A(a, depth, 1u, (int32_t)(word + 0 * e));
	else
		GATHER_A(a, depth, 4u, element_integer(u->type, word >> 8 * e & 0xff));
}

/* What all types share. */
struct product {
	unsigned n, stored, depth; /* stored: elements of a row of A; depth: of a column of B */
	unsigned flags;
	bool has_a, adds;            /* A is in memory; D counts */
	const uint16_t *d, *results; /* rows of D as read and as written */
	struct stored_matrix a, b;
	uint16_t at[WGMMA_ROWS][MOST_STORED]; /* of a sparse A */
};

static struct descriptor operand_descriptor(const struct exec *x, uint16_t source)
{
	return descriptor_of(((const ROW_U64 *)source_row(x, source))[0]);
}

static void set_matrices(const struct exec *x, const struct uop *u, struct product *p, unsigned warp)
{
	p->b = (struct stored_matrix){ operand_descriptor(x, u->src[1]), u->compare,
		(p->flags & WGMMA_B_BY_COLUMNS) != 0, 0, p->n, p->depth, 1, p->n };
	if (p->has_a)
		p->a = (struct stored_matrix){ operand_descriptor(x, u->src[0]), u->type,
			(p->flags & WGMMA_A_BY_ROWS) != 0, warp * WGMMA_ROWS, WGMMA_ROWS, p->stored,
			p->stored, 1 };
}

/* False after a fault. */
static bool set_product(struct exec *x, const struct uop *u, lane_mask active, struct product *p)
{
	uint32_t index = 0, warps = 4;
	unsigned unit = u->type == PTX_B1 ? 32 : 1, fragment = u->src[0] == UOP_NONE ? 4 : 0;
	const uint16_t *extra = x->extra + u->extra;

	if (!is_whole_warp(x, u, active))
		return false;
	if (x->place_of)
		x->place_of(x->warp, &index, &warps);
	if (index / 4 * 4 + 4 > warps) {
		fault_because(x, u, 0,
			"a warpgroup is four warps, the first a multiple of four; the CTA has too few");
		return false;
	}
	p->n = wgmma_n(u->imm);
	p->depth = wgmma_k(u->imm) / unit;
	p->flags = wgmma_flags(u->imm);
	p->stored = p->flags & WGMMA_SPARSE ? p->depth / 2 : p->depth;
	p->has_a = !fragment;
	p->d = extra + fragment;
	p->results = extra + u->extra_sources;
	p->adds = u->extra_sources > fragment && predicate_source(x, u, u->src[2]) & 1;
	set_matrices(x, u, p, index % 4);
	if (p->flags & WGMMA_SPARSE)
		sparse_places(source_row(x, u->src[3]), ptx_type_bits(u->type), p->stored,
			(p->flags & WGMMA_SELECTOR) != 0, p->at);
	return true;
}

/* Where element e of lane l stands that register (of 32 bits) `half` of tile `tile` holds: the half is of 8
 * rows. */
static inline unsigned sum_place(unsigned n, unsigned tile, unsigned half, unsigned lane)
{
	return (lane / 4 + 8 * half) * n + 8 * tile + lane % 4 * 2;
}

static void gather_d(const struct exec *x, const struct product *p, bool is_half, double *d)
{
	for (unsigned r = 0; r < p->n / 4; r++) {
		const ROW_U32 *low = source_row(x, p->d[is_half ? r : 2 * r]);
		const ROW_U32 *high = is_half ? low : source_row(x, p->d[2 * r + 1]);

		for (unsigned l = 0; l < WARP_SIZE; l++) {
			double *to = d + sum_place(p->n, r / 2, r % 2, l);

			to[0] = is_half ? value_f16(low[l] & 0xffff) : (double)f32_bits(low[l]);
			to[1] = is_half ? value_f16(high[l] >> 16) : (double)f32_bits(high[l]);
		}
	}
}

static void scatter_d(const struct exec *x, const struct product *p, bool is_half, const double *d)
{
	for (unsigned r = 0; r < p->n / 4; r++) {
		ROW_U32 *low = destination_row(x, p->results[is_half ? r : 2 * r]);
		ROW_U32 *high = is_half ? low : destination_row(x, p->results[2 * r + 1]);

		for (unsigned l = 0; l < WARP_SIZE; l++) {
			const double *from = d + sum_place(p->n, r / 2, r % 2, l);

			if (is_half) {
				low[l] = round_f16(from[0]) | round_f16(from[1]) << 16;
			} else {
				low[l] = round_f32(from[0]);
				high[l] = round_f32(from[1]);
			}
		}
	}
}

static void negate(double *values, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		values[i] = -values[i];
}

/* d += a * b, in the order of rising k: four steps at a time, for which a part of d stays in registers. */
static void add_products(
	const struct product *p, const double *restrict a, const double *restrict b, double *restrict d)
{
	unsigned n = p->n, depth = p->stored;
	bool is_sparse = p->flags & WGMMA_SPARSE;

	for (unsigned row = 0; row < WGMMA_ROWS; row++)
		for (unsigned i = 0; i < depth; i += 4) {
			const double *f = a + row * depth + i, *c[4];
			double *sums = d + row * n;

			for (unsigned e = 0; e < 4; e++)
				c[e] = b + (is_sparse ? p->at[row][i + e] : i + e) * n;
			for (unsigned column = 0; column < n; column++)
				sums[column] = (((sums[column] + f[0] * c[0][column]) + f[1] * c[1][column]) +
						       f[2] * c[2][column]) +
					f[3] * c[3][column];
		}
}

static void multiply_values(struct exec *x, const struct uop *u, const struct product *p)
{
	double a[WGMMA_ROWS * MOST_STORED], b[MOST_DEPTH * MOST_N], d[WGMMA_ROWS * MOST_N];

	if (p->has_a ? !read_values(x, u, &p->a, a) : (gather_a_values(x, u, p->stored, a), false))
		return;
	if (!read_values(x, u, &p->b, b))
		return;
	if (!(p->flags & WGMMA_NEGATES_A) != !(p->flags & WGMMA_NEGATES_B))
		negate(a, WGMMA_ROWS * p->stored);
	if (p->adds)
		gather_d(x, p, u->combine == PTX_F16, d);
	else
		memset(d, 0, WGMMA_ROWS * p->n * sizeof(*d));
	add_products(p, a, b, d);
	scatter_d(x, p, u->combine == PTX_F16, d);
}

static void sum_integers(const struct product *p, bool is_bits, const int32_t *restrict a,
	const int32_t *restrict b, int32_t *restrict sums)
{
	for (unsigned row = 0; row < WGMMA_ROWS; row++)
		for (unsigned i = 0; i < p->stored; i++) {
			int32_t factor = a[row * p->stored + i];
			const int32_t *factors = b + (p->flags & WGMMA_SPARSE ? p->at[row][i] : i) * p->n;

			for (unsigned column = 0; column < p->n; column++)
				sums[row * p->n + column] += is_bits
					? __builtin_popcount((uint32_t)(factor & factors[column]))
					: factor * factors[column];
		}
}

static void add_sums(const struct exec *x, const struct uop *u, const struct product *p, const int32_t *sums)
{
	for (unsigned r = 0; r < p->n / 2; r++) {
		const ROW_S32 *from = p->adds ? source_row(x, p->d[r]) : NULL;
		ROW_S32 *to = destination_row(x, p->results[r]);

		for (unsigned l = 0; l < WARP_SIZE; l++) {
			int64_t sum = sums[sum_place(p->n, r / 4, r / 2 % 2, l) + r % 2] +
				(from ? (int64_t)from[l] : 0);

			if (u->mods & MOD_SAT)
				sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
			to[l] = (int32_t)(uint32_t)(uint64_t)sum;
		}
	}
}

static void multiply_integers(struct exec *x, const struct uop *u, const struct product *p)
{
	int32_t a[WGMMA_ROWS * MOST_STORED], b[MOST_DEPTH * MOST_N], sums[WGMMA_ROWS * MOST_N];

	if (p->has_a ? !read_integers(x, u, &p->a, a) : (gather_a_integers(x, u, p->stored, a), false))
		return;
	if (!read_integers(x, u, &p->b, b))
		return;
	memset(sums, 0, WGMMA_ROWS * p->n * sizeof(*sums));
	sum_integers(p, u->type == PTX_B1, a, b, sums);
	add_sums(x, u, p, sums);
}

EXEC(WGMMA)
{
	struct product p;

	if (!set_product(x, u, active, &p))
		return;
	if (u->combine == PTX_S32)
		multiply_integers(x, u, &p);
	else
		multiply_values(x, u, &p);
}
