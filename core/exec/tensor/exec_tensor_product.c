/* core/exec/tensor/exec_tensor_product.c -- tcgen05.mma: D = A * B + D in tensor memory.
 *
 * Sums are those of mma (exec_matrix.c): exact products, added in double in the order of rising k to D, which
 * is scaled first, and rounded once. Elements are multiplied by their scale factors before, which is exact,
 * too. Each lane of D takes A, where it is in tensor memory, scale factors and metadata from its own quarter
 * or half of the lanes, since a program has to put them there for each. Tables of where these stand: PTX ISA,
 * "Scale Factor A ID", "Sparsity selector"; figures that could not be read are as CUTLASS has them. */
#include "core/exec/arithmetic/formats.h"
#include "core/exec/arithmetic/matrix_formats.h"
#include "core/exec/tensor/matrix_descriptor.h"
#include "core/exec/tensor/product_shape.h"
#include "core/exec/tensor/tensor_fault.h"

#define MOST_ROWS    128
#define MOST_COLUMNS 256
#define MOST_K       128
#define MOST_STORED  64
#define A_WORDS      8 /* of a row of A */

#define OUTSIDE_SHARED "a matrix lies outside the CTA's shared memory"

/* A product under way, of one CTA and one band of its lanes. */
struct product {
	const struct tensor_operation *o;
	struct product_shape shape;
	const struct tensor_side *side;
	unsigned stored;                    /* elements of a row of A */
	uint32_t lanes[MOST_ROWS];          /* of tensor memory, by row */
	double a[MOST_STORED][MOST_ROWS];   /* by k */
	uint8_t at[MOST_STORED][MOST_ROWS]; /* of a sparse A: the k that the element meets */
	double b[MOST_COLUMNS][MOST_K];
};

/* ---- elements ---- */

static inline uint32_t half_of(const uint8_t *piece, unsigned i)
{
	return (uint32_t)piece[2 * i] | (uint32_t)piece[2 * i + 1] << 8;
}

static inline double narrow_value(unsigned type, uint32_t bits)
{
	return format_decode(bits, format_of(type));
}

/* Element i of 16 bytes. in_bytes: narrow ones each have a byte, else they are packed with what is left
 * over behind them. */
static double element_of(enum product_type type, const uint8_t *piece, unsigned i, bool in_bytes)
{
	unsigned at = i * 6;

	switch (type) {
	case PRODUCT_F16:
		return value_f16(half_of(piece, i));
	case PRODUCT_BF16:
		return value_bf16(half_of(piece, i));
	case PRODUCT_TF32:
		return value_tf32(half_of(piece, 2 * i) | half_of(piece, 2 * i + 1) << 16);
	case PRODUCT_E4M3:
		return value_e4m3(piece[i]);
	case PRODUCT_E5M2:
		return value_e5m2(piece[i]);
	case PRODUCT_U8:
		return piece[i];
	case PRODUCT_S8:
		return (int8_t)piece[i];
	case PRODUCT_E2M1:
		return narrow_value(PTX_E2M1X2,
			in_bytes ? piece[i] >> 2 & 15u : (uint32_t)piece[i / 2] >> i % 2 * 4 & 15);
	case PRODUCT_E2M1_PACKED:
		return narrow_value(PTX_E2M1X2, (uint32_t)piece[i / 2] >> i % 2 * 4 & 15);
	default:
		return narrow_value(type == PRODUCT_E2M3 ? PTX_E2M3X2 : PTX_E3M2X2,
			in_bytes ? piece[i] & 63u : half_of(piece + at / 8, 0) >> at % 8 & 63);
	}
}

static inline unsigned piece_elements(enum product_type type)
{
	return TENSOR_PIECE * 8 / product_type_bits(type);
}

/* ---- A and B in shared memory ---- */

struct operand {
	struct matrix_descriptor at;
	enum product_type type;
	bool is_across, is_negated;
	unsigned first, lines, depth; /* lines from `first` on */
	unsigned line_stride, k_stride;
};

static const char *read_operand(const struct tensor_side *side, const struct operand *m, double *to)
{
	unsigned per = piece_elements(m->type), outer = m->is_across ? m->depth : m->lines;
	unsigned pieces = (m->is_across ? m->lines : m->depth) / per;
	unsigned piece_stride = m->is_across ? m->line_stride : m->k_stride;
	unsigned outer_stride = m->is_across ? m->k_stride : m->line_stride;

	for (unsigned row = 0; row < outer; row++)
		for (unsigned n = 0; n < pieces; n++) {
			uint32_t offset = m->is_across ? matrix_across(&m->at, m->first / per + n, row)
						       : matrix_along(&m->at, m->first + row, n);
			const uint8_t *piece = matrix_piece(&m->at, side->shared, side->shared_bytes, offset);
			double *into = to + row * outer_stride + n * per * piece_stride;

			if (!piece)
				return OUTSIDE_SHARED;
			for (unsigned i = 0; i < per; i++) {
				double value = element_of(m->type, piece, i, false);

				into[i * piece_stride] = m->is_negated ? -value : value;
			}
		}
	return NULL;
}

/* Transposed matrices of 32 bits move in pairs of pieces, others do not. */
static const char *read_descriptor(uint64_t bits, enum product_type type, bool is_across, struct operand *m)
{
	const char *wrong = matrix_descriptor_read(bits, &m->at);

	m->type = type;
	m->is_across = is_across;
	if (!wrong && is_across && m->at.by_two != (type == PRODUCT_TF32))
		wrong = "transposed matrices of 32 bits, and no others, have the swizzle of 128 bytes by 32";
	return wrong;
}

/* Lines of B that a weight-stationary product leaves out, and how far the others are shifted. */
static unsigned zero_shift(const struct tensor_operation *o)
{
	return (unsigned)(o->zeros >> 56 & 63);
}

/* Whether column n of B is zero: runs of columns that are used and of zeros take turns in each band. The
 * examples of the ISA decide which count is which. */
static bool column_is_zero(const struct product *p, unsigned n)
{
	uint64_t zeros = p->o->zeros;
	unsigned band = n / (p->shape.n / p->shape.bands), within = n % (p->shape.n / p->shape.bands);
	unsigned zero_run = (unsigned)(zeros >> 40 & 255) + 1, used_run = (unsigned)(zeros >> 48 & 255) + 1;
	bool begins_zero = zeros >> (32 + band) & 1;
	unsigned first = begins_zero ? zero_run : used_run;
	unsigned place = (within + (unsigned)(zeros >> 8 * band & 255)) % (zero_run + used_run);

	return (zeros >> 39 & 1) && (place < first) == begins_zero;
}

static const char *read_b(struct product *p)
{
	const struct product_shape *s = &p->shape;
	unsigned sides = tensor_sides(p->o), each = s->n / sides;
	struct operand m;
	const char *wrong = read_descriptor(p->o->b, s->b, s->transposes_b, &m);

	m.is_negated = s->negates_b;
	m.first = zero_shift(p->o);
	m.lines = each;
	m.depth = s->k;
	m.line_stride = MOST_K;
	m.k_stride = 1;
	if (!wrong && m.first > (s->m == 32 ? 16u : 32u))
		wrong = "columns of B are shifted by 32 at most, of 32 rows by 16";
	if (!wrong && s->transposes_b && m.first % piece_elements(s->b))
		wrong = "transposed columns of B are shifted by a multiple of 16 bytes";
	for (unsigned i = 0; i < sides && !wrong; i++)
		wrong = read_operand(&p->o->sides[i], &m, p->b[i * each]);
	for (unsigned n = 0; n < s->n && !wrong && p->o->zeros; n++)
		if (column_is_zero(p, n))
			memset(p->b[n], 0, s->k * sizeof(p->b[n][0]));
	return wrong;
}

/* ---- A ---- */

static const char *read_shared_a(struct product *p)
{
	const struct product_shape *s = &p->shape;
	struct operand m;
	const char *wrong = read_descriptor(p->o->a, s->a, s->transposes_a, &m);

	m.is_negated = s->negates_a;
	m.first = 0;
	m.lines = s->rows;
	m.depth = p->stored;
	m.line_stride = 1;
	m.k_stride = MOST_ROWS;
	return wrong ? wrong : read_operand(p->side, &m, p->a[0]);
}

static const char *read_tensor_a(struct product *p)
{
	const struct product_shape *s = &p->shape;
	uint32_t column = tensor_column(p->o->a_at);
	unsigned per = piece_elements(s->a);

	if (!tensor_holds(p->side->memory, column, A_WORDS))
		return TENSOR_NOT_ALLOCATED;
	tensor_read(p->side->memory, column, A_WORDS);
	for (unsigned row = 0; row < s->rows; row++) {
		unsigned from = p->o->code.flags & TENSOR_SHIFTS_A && row + 1 < s->rows ? row + 1 : row;
		uint32_t words[A_WORDS];

		for (unsigned i = 0; i < A_WORDS; i++)
			words[i] = p->side->memory->words[column + i][p->lanes[from]];
		for (unsigned k = 0; k < p->stored; k++) {
			double value = element_of(
				s->a, (const uint8_t *)words + k / per * TENSOR_PIECE, k % per, true);

			p->a[k][row] = s->negates_a ? -value : value;
		}
	}
	return NULL;
}

/* Of a sparse A the element of B's rows that each stored one meets: four bits of metadata for each two of
 * them, or for one of 32 bits, or for two pairs of 4 bits. Those of 16 and 32 bits are spread over lanes. */
static const char *read_metadata(struct product *p)
{
	const struct product_shape *s = &p->shape;
	bool is_wide = p->o->code.kind <= TENSOR_TF32;
	unsigned per = s->a == PRODUCT_TF32   ? 1
		: s->a == PRODUCT_E2M1_PACKED ? 4
					      : 2,
		 chunks = p->stored / per;
	uint32_t column = tensor_column(p->o->metadata) + s->selector;

	if (!tensor_holds(p->side->memory, column, is_wide ? 1 : chunks / 8))
		return TENSOR_NOT_ALLOCATED;
	tensor_read(p->side->memory, column, is_wide ? 1 : chunks / 8);
	for (unsigned row = 0; row < s->rows; row++)
		for (unsigned chunk = 0; chunk < chunks; chunk++) {
			uint32_t lane = p->lanes[row], within = lane % 16, place = chunk;
			unsigned bits;

			if (is_wide) {
				lane = lane / 16 * 16 + within % 8 + chunk / 4 * 8;
				place = within / 8 * 4 + chunk % 4;
			}
			bits = p->side->memory->words[column + (is_wide ? 0 : place / 8)][lane] >>
					place % 8 * 4 &
				15;
			for (unsigned e = 0; e < per; e++) {
				unsigned index = bits >> (per == 4 ? e / 2 : e) * 2 & 3;

				index = per == 1 ? index / 2 : per == 4 ? index * 2 + e % 2 : index;
				p->at[chunk * per + e][row] = (uint8_t)(chunk * per * 2 + index);
			}
		}
	return NULL;
}

/* ---- scale factors ---- */

static double scale_value(const struct product_shape *s, uint32_t bits)
{
	return s->scales_are_e4m3 ? value_e4m3(bits & 127) : power_decode(bits);
}

/* Scale factor `which` of a row of A or column of B, which is in the quarter of that lane. */
static double scale_at(
	const struct product *p, uint32_t address, unsigned id, uint32_t lane, unsigned line, unsigned which)
{
	uint32_t column = tensor_column(address) + line / 32, byte = id + which;

	return scale_value(
		&p->shape, p->side->memory->words[column][lane / 32 * 32 + line % 32] >> 8 * byte & 255);
}

static const char *scale_a(struct product *p)
{
	const struct product_shape *s = &p->shape;
	unsigned count = p->o->code.count, each = s->k / count;
	bool is_sparse = p->o->code.flags & TENSOR_SPARSE;

	if (!tensor_holds(p->side->memory, tensor_column(p->o->scale_a), (s->rows + 31) / 32))
		return TENSOR_NOT_ALLOCATED;
	tensor_read(p->side->memory, tensor_column(p->o->scale_a), (s->rows + 31) / 32);
	for (unsigned row = 0; row < s->rows; row++)
		for (unsigned k = 0; k < p->stored; k++) {
			unsigned at = is_sparse ? p->at[k][row] : k;

			p->a[k][row] *=
				scale_at(p, p->o->scale_a, s->scale_a_id, p->lanes[row], row, at / each);
		}
	return NULL;
}

/* The columns of the band. */
static const char *scale_b(const struct product *p, double (*b)[MOST_K], unsigned columns)
{
	const struct product_shape *s = &p->shape;
	unsigned count = p->o->code.count, each = s->k / count;

	if (!tensor_holds(p->side->memory, tensor_column(p->o->scale_b), (columns + 31) / 32))
		return TENSOR_NOT_ALLOCATED;
	tensor_read(p->side->memory, tensor_column(p->o->scale_b), (columns + 31) / 32);
	for (unsigned n = 0; n < columns; n++)
		for (unsigned k = 0; k < s->k; k++)
			b[n][k] *= scale_at(p, p->o->scale_b, s->scale_b_id, p->lanes[0], n, k / each);
	return NULL;
}

/* ---- D ---- */

static inline double d_value(const struct product_shape *s, uint32_t word)
{
	return s->d == PRODUCT_TO_F32    ? (double)f32_bits(word)
		: s->d == PRODUCT_TO_F16 ? value_f16(word & 0xffff)
					 : (double)(int32_t)word;
}

static inline uint32_t d_word(const struct product_shape *s, double sum)
{
	int64_t whole;

	if (s->d != PRODUCT_TO_S32)
		return s->d == PRODUCT_TO_F32 ? round_f32(sum) : round_f16(sum);
	whole = (int64_t)sum;
	if (s->clamps)
		whole = whole > INT32_MAX ? INT32_MAX : whole < INT32_MIN ? INT32_MIN : whole;
	return (uint32_t)(uint64_t)whole;
}

/* sums += a * b, in the order of rising k: four steps at a time. */
static void add_dense(const struct product *p, const double *restrict b, double *restrict sums)
{
	unsigned rows = p->shape.rows;

	for (unsigned k = 0; k < p->stored; k += 4) {
		const double *a0 = p->a[k], *a1 = p->a[k + 1], *a2 = p->a[k + 2], *a3 = p->a[k + 3];

		for (unsigned row = 0; row < rows; row++)
			sums[row] =
				(((sums[row] + a0[row] * b[k]) + a1[row] * b[k + 1]) + a2[row] * b[k + 2]) +
				a3[row] * b[k + 3];
	}
}

static void add_sparse(const struct product *p, const double *restrict b, double *restrict sums)
{
	for (unsigned k = 0; k < p->stored; k++)
		for (unsigned row = 0; row < p->shape.rows; row++)
			sums[row] += p->a[k][row] * b[p->at[k][row]];
}

static bool keeps_lane(const struct product *p, uint32_t lane)
{
	const uint32_t *mask = p->o->mask + (p->side - p->o->sides) * 4;

	return mask[lane / 32] >> lane % 32 & 1;
}

static void multiply_column(const struct product *p, const double *b, uint32_t column)
{
	double scale = 1 / (double)(1 << p->o->code.offset), sums[MOST_ROWS] = { 0 };
	uint32_t *words = p->side->memory->words[column];

	for (unsigned row = 0; row < p->shape.rows && p->o->adds; row++)
		sums[row] = d_value(&p->shape, words[p->lanes[row]]) * scale;
	if (p->o->code.flags & TENSOR_SPARSE)
		add_sparse(p, b, sums);
	else
		add_dense(p, b, sums);
	for (unsigned row = 0; row < p->shape.rows; row++)
		if (!keeps_lane(p, p->lanes[row]))
			words[p->lanes[row]] = d_word(&p->shape, sums[row]);
}

/* One band of a CTA's lanes. */
static const char *multiply_band(struct product *p, unsigned band)
{
	const struct product_shape *s = &p->shape;
	unsigned columns = s->n / s->bands;
	double scaled[MOST_COLUMNS][MOST_K], (*b)[MOST_K] = &p->b[band * columns];
	const char *wrong = NULL;

	for (unsigned row = 0; row < s->rows; row++)
		p->lanes[row] = tensor_lane(p->o->d) + product_lane(s, row) + band * s->rows;
	if (p->o->code.flags & TENSOR_SPARSE)
		wrong = read_metadata(p);
	if (!wrong)
		wrong = p->o->code.flags & TENSOR_A_IN_TENSOR ? read_tensor_a(p) : read_shared_a(p);
	if (!wrong && p->o->code.count) {
		memcpy(scaled, b, columns * sizeof(*b));
		b = scaled;
		wrong = scale_a(p);
		wrong = wrong ? wrong : scale_b(p, b, columns);
	}
	for (unsigned n = 0; n < columns && !wrong; n++)
		multiply_column(p, b[n], tensor_column(p->o->d) + n);
	if (p->o->adds)
		tensor_read(p->side->memory, tensor_column(p->o->d), columns);
	tensor_written(p->side->memory, tensor_column(p->o->d), columns);
	return wrong;
}

/* ---- whole ---- */

/* Lanes: D begins at 0, or at 16 where it leaves half of them free, and A and the metadata with it. */
static const char *check_lanes(const struct product *p)
{
	const struct tensor_operation *o = p->o;
	uint32_t lane = tensor_lane(o->d);

	if (lane && !(lane == 16 && p->shape.is_scattered))
		return "D begins at lane 0, or at 16 where 64 rows take half of the lanes";
	if (o->code.flags & TENSOR_A_IN_TENSOR && tensor_lane(o->a_at) != lane)
		return "A in tensor memory begins at the lane of D";
	if (o->code.flags & TENSOR_SPARSE && tensor_lane(o->metadata) != lane)
		return "the metadata begin at the lane of D";
	return o->code.flags & TENSOR_SPARSE && tensor_column(o->metadata) % 2
		? "the metadata begin at an even column"
		: NULL;
}

static const char *perform_product(const struct tensor_operation *o)
{
	struct product p;
	const char *wrong = product_shape_read(o, &p.shape);

	p.o = o;
	p.stored = p.shape.k / (o->code.flags & TENSOR_SPARSE ? 2 : 1);
	wrong = wrong ? wrong : check_lanes(&p);
	for (unsigned i = 0; i < tensor_sides(o) && !wrong; i++)
		if (!tensor_holds(o->sides[i].memory, tensor_column(o->d), p.shape.n / p.shape.bands))
			wrong = TENSOR_NOT_ALLOCATED;
	wrong = wrong ? wrong : read_b(&p);
	for (unsigned i = 0; i < tensor_sides(o) && !wrong; i++) {
		p.side = &o->sides[i];
		for (unsigned band = 0; band < p.shape.bands && !wrong; band++)
			wrong = multiply_band(&p, band);
	}
	return wrong;
}

/* ---- operands ---- */

static uint32_t product_word(const struct exec *x, const struct uop *u, unsigned which, unsigned lane)
{
	uint16_t row = x->extra[u->extra + which];

	return row == UOP_NONE ? 0 : ((const ROW_U32 *)source_row(x, row))[lane];
}

static uint64_t product_wide(const struct exec *x, const struct uop *u, unsigned which, unsigned lane)
{
	uint16_t row = x->extra[u->extra + which];

	return row == UOP_NONE ? 0 : ((const ROW_U64 *)source_row(x, row))[lane];
}

/* Bits 30 and 31 of the address of scale factors are no part of it: programs keep there what goes into the
 * instruction descriptor (CUTLASS). */
#define SCALE_ADDRESS 0x3fffffffu

EXEC(TCGEN05_MMA)
{
	lane_mask adds = predicate_source(x, u, u->src[0]);

	for_each_lane (l, active) {
		struct tensor_operation o = { .perform = perform_product,
			.code = tcgen05_unpack(u->imm),
			.adds = adds >> l & 1,
			.d = product_word(x, u, TENSOR_D, l),
			.b = product_wide(x, u, TENSOR_B, l),
			.idesc = product_word(x, u, TENSOR_IDESC, l),
			.metadata = product_word(x, u, TENSOR_METADATA, l),
			.scale_a = product_word(x, u, TENSOR_SCALE_A, l) & SCALE_ADDRESS,
			.scale_b = product_word(x, u, TENSOR_SCALE_B, l) & SCALE_ADDRESS,
			.zeros = product_wide(x, u, TENSOR_ZEROS, l) };

		if (o.code.flags & TENSOR_A_IN_TENSOR)
			o.a_at = product_word(x, u, TENSOR_A, l);
		else
			o.a = product_wide(x, u, TENSOR_A, l);
		for (unsigned i = 0; i < 8; i++)
			o.mask[i] = product_word(x, u, TENSOR_MASK_AT + i, l);
		if (!tensor_find_sides(x, u, l, &o))
			return;
		tensor_ask(x, u, l, &o);
		if (x->faulted)
			return;
	}
}
