/* core/exec/arithmetic/exec_video.c -- video instructions: exact arithmetic on parts of registers, then
 * saturation, then a second operation or a merge with c. Intermediate results are kept wide enough to be
 * exact; what the machine has 34 bits for fits into 64, and vshl and vmad take 128. */
#include "core/exec/lanes.h"
#include "frontend/tables/video.h"

typedef __int128 wide;

/* The imm of a scalar operation, taken apart. */
struct scalar {
	unsigned a_part, b_part, d_part, shift;
	bool a_signed, b_signed, d_signed, sat, clamp, negate_product, negate_c, plus_one;
	enum video_second second;
	enum uop_compare compare;
};

static inline bool bit(const struct uop *u, unsigned n)
{
	return u->imm >> n & 1;
}

static inline struct scalar scalar_of(const struct uop *u)
{
	return (struct scalar){
		.a_part = u->imm >> VIDEO_A_PART & 7,
		.b_part = u->imm >> VIDEO_B_PART & 7,
		.d_part = u->imm >> VIDEO_D_PART & 7,
		.shift = u->imm >> VIDEO_SHIFT & 15,
		.a_signed = bit(u, VIDEO_A_SIGNED),
		.b_signed = bit(u, VIDEO_B_SIGNED),
		.d_signed = bit(u, VIDEO_D_SIGNED),
		.sat = bit(u, VIDEO_SAT),
		.clamp = bit(u, VIDEO_CLAMP),
		.negate_product = bit(u, VIDEO_NEGATE_PRODUCT),
		.negate_c = bit(u, VIDEO_NEGATE_C),
		.plus_one = bit(u, VIDEO_PLUS_ONE),
		.second = u->imm >> VIDEO_SECOND & 3,
		.compare = u->compare,
	};
}

static inline unsigned part_shift(unsigned part)
{
	return part >= VIDEO_H0 ? 16 * (part - VIDEO_H0) : part ? 8 * (part - VIDEO_B0) : 0;
}

static inline unsigned part_bits(unsigned part)
{
	return part >= VIDEO_H0 ? 16 : part ? 8 : 32;
}

static inline int64_t extract_field(uint32_t word, unsigned shift, unsigned bits, bool is_signed)
{
	uint64_t top = (uint64_t)(word >> shift) << (64 - bits);

	return is_signed ? (int64_t)top >> (64 - bits) : (int64_t)(top >> (64 - bits));
}

static inline int64_t select_part(uint32_t word, unsigned part, bool is_signed)
{
	return extract_field(word, part_shift(part), part_bits(part), is_signed);
}

static inline wide clamp_to(wide value, unsigned bits, bool is_signed)
{
	int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;

	return value > most ? most : value < least ? least : value;
}

static inline bool compare_scalars(enum uop_compare how, int64_t a, int64_t b)
{
	switch (how) {
	case CMP_EQ:
		return a == b;
	case CMP_NE:
		return a != b;
	case CMP_LT:
		return a < b;
	case CMP_LE:
		return a <= b;
	case CMP_GT:
		return a > b;
	default:
		return a >= b;
	}
}

/* What follows the operation itself: saturation, then a second operation with c or a merge into it. */
static inline uint32_t apply_secondary(const struct scalar *s, wide value, uint32_t c)
{
	int64_t third = s->d_signed ? (int64_t)(int32_t)c : (int64_t)c;
	unsigned bits = part_bits(s->d_part), shift = part_shift(s->d_part);
	uint32_t mask = bits == 32 ? UINT32_MAX : ((UINT32_C(1) << bits) - 1) << shift;

	if (s->sat)
		value = clamp_to(value, bits, s->d_signed);
	if (s->second == VIDEO_ADD)
		value += third;
	else if (s->second == VIDEO_MIN)
		value = value < third ? value : third;
	else if (s->second == VIDEO_MAX)
		value = value > third ? value : third;
	return bits == 32 ? (uint32_t)value : (c & ~mask) | ((uint32_t)value << shift & mask);
}

/* Shift counts are unsigned. */
static inline unsigned shift_count(const struct scalar *s, int64_t b)
{
	return s->clamp ? (b < 32 ? (unsigned)b : 32) : (unsigned)b & 31;
}

/* a * b + c, one of them negated or one more added; then shifted, then saturated by the sign of the sum.
 * Negated is what is complemented, and gets its one in the sum; the complement of c is taken in 32 bits. */
static inline uint32_t multiply_add(const struct scalar *s, int64_t a, int64_t b, uint32_t c)
{
	bool is_signed = s->a_signed || s->b_signed || s->negate_product || s->negate_c;
	wide sum = (wide)a * b;

	if (s->negate_product)
		sum = ~sum;
	if (s->negate_c)
		c = ~c;
	sum += is_signed ? (wide)(int32_t)c : (wide)c;
	sum += s->plus_one || s->negate_product || s->negate_c;
	sum >>= s->shift;
	return (uint32_t)(s->sat ? clamp_to(sum, 32, is_signed) : sum);
}

#define SCALAR_WITH(id, expression) \
	EXEC(id) \
	{ \
		const struct scalar s = scalar_of(u); \
		SOURCE(a, U32, 0); \
		SOURCE(b, U32, 1); \
		SOURCE(c, U32, 2); \
\
		COMPUTE(false, U32, int64_t a = select_part(a_row[l], s.a_part, s.a_signed); \
			int64_t b = select_part(b_row[l], s.b_part, s.b_signed); \
			OPERAND(c, U32), expression) \
	}
#define SCALAR(id, expression) SCALAR_WITH(id, apply_secondary(&s, expression, c))

SCALAR(VADD, a + b)
SCALAR(VSUB, a - b)
SCALAR(VABSDIFF, a > b ? a - b : b - a)
SCALAR(VMIN, a < b ? a : b)
SCALAR(VMAX, a > b ? a : b)
SCALAR(VSHL, (wide)a *((wide)1 << shift_count(&s, b)))
SCALAR(VSHR, a >> shift_count(&s, b))
SCALAR(VSET, compare_scalars(s.compare, a, b))
SCALAR_WITH(VMAD, multiply_add(&s, a, b, c))

/* The imm of an operation on lanes. */
struct simd {
	unsigned mask, a_lane[4], b_lane[4];
	bool a_signed, b_signed, d_signed, sat, sums;
	enum uop_compare compare;
};

static inline struct simd simd_of(const struct uop *u)
{
	struct simd s = { .mask = u->imm >> VIDEO_MASK & 15,
		.a_signed = bit(u, VIDEO_A_SIGNED),
		.b_signed = bit(u, VIDEO_B_SIGNED),
		.d_signed = bit(u, VIDEO_D_SIGNED),
		.sat = bit(u, VIDEO_SAT),
		.sums = (u->imm >> VIDEO_SECOND & 3) == VIDEO_ADD,
		.compare = u->compare };

	for (unsigned n = 0; n < 4; n++) {
		s.a_lane[n] = u->imm >> (VIDEO_A_LANES + 3 * n) & 7;
		s.b_lane[n] = u->imm >> (VIDEO_B_LANES + 3 * n) & 7;
	}
	return s;
}

/* Lane `index` of {b, a}. */
static inline int64_t lane_value(uint32_t a, uint32_t b, unsigned index, unsigned bits, bool is_signed)
{
	unsigned per_word = 32 / bits;

	return extract_field(index < per_word ? a : b, index % per_word * bits, bits, is_signed);
}

typedef int64_t lane_operation(const struct simd *s, int64_t a, int64_t b);

/* The lanes of one word: the result's lanes merged with those of c, or their sum added to c. */
static inline uint32_t each_lane(
	const struct simd *s, unsigned bits, uint32_t a, uint32_t b, uint32_t c, lane_operation *operation)
{
	uint32_t field_mask = (UINT32_C(1) << bits) - 1, d = c;

	for (unsigned n = 0; n < 32 / bits; n++) {
		int64_t t = operation(s, lane_value(a, b, s->a_lane[n], bits, s->a_signed),
			lane_value(a, b, s->b_lane[n], bits, s->b_signed));

		if (!(s->mask >> n & 1))
			continue;
		if (s->sums) {
			d += (uint32_t)t;
			continue;
		}
		if (s->sat)
			t = (int64_t)clamp_to(t, bits, s->d_signed);
		d = (d & ~(field_mask << n * bits)) | ((uint32_t)t & field_mask) << n * bits;
	}
	return d;
}

#define LANES_OF(id, bits, operation) \
	EXEC(id) \
	{ \
		const struct simd s = simd_of(u); \
		SOURCE(a, U32, 0); \
		SOURCE(b, U32, 1); \
		SOURCE(c, U32, 2); \
\
		COMPUTE(false, U32, OPERAND(a, U32); OPERAND(b, U32); \
			OPERAND(c, U32), each_lane(&s, bits, a, b, c, operation)) \
	}
#define SIMD(name, expression) \
	static inline int64_t lane_##name(const struct simd *s, int64_t a, int64_t b) \
	{ \
		(void)s; \
		return expression; \
	} \
	LANES_OF(name##_2, 16, lane_##name) \
	LANES_OF(name##_4, 8, lane_##name)

SIMD(VADD, a + b)
SIMD(VSUB, a - b)
SIMD(VAVRG, (a + b + (a + b >= 0)) >> 1) /* halves go away from zero */
SIMD(VABSDIFF, a > b ? a - b : b - a)
SIMD(VMIN, a < b ? a : b)
SIMD(VMAX, a > b ? a : b)
SIMD(VSET, compare_scalars(s->compare, a, b))
