/* core/exec/arithmetic/exec_format.c -- conversions that f32, f64 and the integers among themselves do not
 * need: to and from f16, bf16, tf32 and the formats of eight bits and fewer, alone or several in a register;
 * cvt.pack.
 *
 * Every source becomes a row of doubles, exactly (64-bit integers rounded to odd), and is rounded once. */
#include "core/exec/arithmetic/floats.h"

/* How numbers of a type lie in a register. */
struct layout {
	unsigned count, bits; /* numbers, and the distance from one to the next */
};

static struct layout layout_of(unsigned type)
{
	switch ((enum ptx_type)type) {
	case PTX_F16X2:
	case PTX_BF16X2:
		return (struct layout){ 2, 16 };
	case PTX_E4M3X2:
	case PTX_E5M2X2:
	case PTX_E2M3X2:
	case PTX_E3M2X2:
	case PTX_UE8M0X2:
		return (struct layout){ 2, 8 };
	case PTX_E2M1X2:
		return (struct layout){ 2, 4 };
	case PTX_F16:
	case PTX_BF16:
		return (struct layout){ 1, 16 };
	default:
		return (struct layout){ 1, 32 };
	}
}

static inline double odd_u64(uint64_t value)
{
	return value >> 53 ? (double)(int64_t)(value >> 11 | ((value & 0x7ff) != 0)) * 2048
			   : (double)(int64_t)value;
}

static inline double odd_s64(int64_t value)
{
	return value < 0 ? -odd_u64(-(uint64_t)value) : odd_u64((uint64_t)value);
}

/* Source n, which is one number a lane. */
static void take_whole(const struct exec *x, const struct uop *u, unsigned n, double *out)
{
	float copy[WARP_SIZE] ROW_ALIGNED;
	SOURCE(word, U32, n);
	SOURCE(wide, U64, n);

	switch (u->compare) {
	case PTX_F32: {
		const ROW_F32 *a = ALIGNED(source_f32(x, u, n, copy));

		LANES out[l] = a[l];
		break;
	}
	case PTX_F64:
		LANES out[l] = f64_bits(wide_row[l]);
		break;
	case PTX_S32:
		LANES out[l] = (int32_t)word_row[l];
		break;
	case PTX_U32:
		LANES out[l] = (double)(int64_t)word_row[l];
		break;
	case PTX_S64:
		LANES out[l] = odd_s64((int64_t)wide_row[l]);
		break;
	case PTX_U64:
		LANES out[l] = odd_u64(wide_row[l]);
		break;
	default:
		bug("a conversion from type %u", u->compare);
	}
}

/* The number that goes to element e of the destination. */
static void take_element(const struct exec *x, const struct uop *u, unsigned count, unsigned e, double *out)
{
	struct layout layout = layout_of(u->compare);
	uint32_t mask = (uint32_t)((UINT64_C(1) << layout.bits) - 1);
	SOURCE(a, U32, 0);

	if (layout.bits == 32) {
		take_whole(x, u, count - 1 - e, out);
	} else if (u->compare == PTX_UE8M0X2) {
		LANES out[l] = power_decode(a_row[l] >> layout.bits * e & mask);
	} else {
		struct format f = format_of(u->compare);

		LANES out[l] = format_decode(a_row[l] >> layout.bits * e & mask, f);
	}
}

/* The random bits for element e: the low ones of a half of src[2]; as many as an f32 has more than the
 * format.
 */
static void round_by_chance(
	const struct exec *x, const struct uop *u, unsigned e, const double *value, uint32_t *out)
{
	struct format f = format_of(u->type);
	unsigned count = 23u - f.mantissa;
	SOURCE(random, U32, 2);

	LANES out[l] = format_encode_random(
		value[l], f, random_row[l] >> 16 * e & ((1u << count) - 1), count, u->mods & MOD_SATFINITE);
}

/* The NaN of format f that an f64 NaN becomes: quiet, with its sign and its leading bits. */
static inline uint32_t narrowed_nan(double value, struct format f)
{
	uint64_t bits = bits_f64(value);
	uint32_t leading = (uint32_t)(bits >> (52 - f.mantissa)) & ((1u << f.mantissa) - 1);

	return (uint32_t)(bits >> 63) << f.sign | f.infinity | 1u << (f.mantissa - 1) | leading;
}

static void put_element(const struct exec *x, const struct uop *u, unsigned e, double *value, uint32_t *out)
{
	bool satfinite = u->mods & MOD_SATFINITE;

	if (u->mods & MOD_SAT)
		LANES value[l] = saturate_f64(value[l]);
	if (u->type == PTX_UE8M0X2) {
		LANES out[l] = power_encode(value[l], u->round, satfinite);
	} else if (u->round == ROUND_RS) {
		round_by_chance(x, u, e, value, out);
	} else if (u->round == ROUND_RN && !satfinite && (u->type == PTX_F16 || u->type == PTX_F16X2)) {
		LANES out[l] = nearest_f16(value[l]);
	} else if (u->round == ROUND_RN && !satfinite && (u->type == PTX_BF16 || u->type == PTX_BF16X2)) {
		LANES out[l] = nearest_bf16(value[l]);
	} else {
		struct format f = format_of(u->type);

		LANES out[l] = format_encode(value[l], f, u->round, satfinite);
	}
	if (u->compare == PTX_F64) {
		struct format f = format_of(u->type);

		LANES out[l] = value[l] != value[l] ? narrowed_nan(value[l], f) : out[l];
	}
	if (u->mods & MOD_RELU) {
		unsigned sign = format_of(u->type).sign;

		LANES out[l] = out[l] >> sign & 1 ? 0 : out[l];
	}
}

EXEC(CVT_FORMAT)
{
	struct layout layout = layout_of(u->type);
	uint32_t out[WARP_SIZE] ROW_ALIGNED = { 0 }, bits[WARP_SIZE] ROW_ALIGNED;
	double value[WARP_SIZE] ROW_ALIGNED;

	for (unsigned e = 0; e < layout.count; e++) {
		take_element(x, u, layout.count, e, value);
		put_element(x, u, e, value, bits);
		LANES out[l] |= bits[l] << layout.bits * e;
	}
	if (u->type == PTX_TF32)
		LANES out[l] <<= 13;
	if (u->type == PTX_F32 && u->mods & MOD_FTZ)
		flush_row((float *)out, (const ROW_F32 *)out);
	PUT(destination(x, u->dst[0]), out);
}

/* cvt.pack */
struct narrow {
	unsigned bits;
	int32_t least, most;
};

static struct narrow narrow_of(unsigned type)
{
	switch ((enum ptx_type)type) {
	case PTX_U16:
		return (struct narrow){ 16, 0, 0xffff };
	case PTX_S16:
		return (struct narrow){ 16, -0x8000, 0x7fff };
	case PTX_U8:
		return (struct narrow){ 8, 0, 0xff };
	case PTX_S8:
		return (struct narrow){ 8, -0x80, 0x7f };
	case PTX_U4:
		return (struct narrow){ 4, 0, 15 };
	case PTX_S4:
		return (struct narrow){ 4, -8, 7 };
	case PTX_U2:
		return (struct narrow){ 2, 0, 3 };
	case PTX_S2:
		return (struct narrow){ 2, -2, 1 };
	default:
		bug("cvt.pack to type %u", type);
	}
}

static inline uint32_t narrowed(int32_t value, struct narrow to)
{
	int32_t clamped = value < to.least ? to.least : value > to.most ? to.most : value;

	return (uint32_t)clamped & ((1u << to.bits) - 1);
}

EXEC(CVT_PACK)
{
	struct narrow to = narrow_of(u->type);
	uint32_t out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, S32, 0);
	SOURCE(b, S32, 1);

	LANES out[l] = narrowed(b_row[l], to) | narrowed(a_row[l], to) << to.bits;
	if (u->src[2] != UOP_NONE) {
		SOURCE(c, U32, 2);

		LANES out[l] |= (uint32_t)((uint64_t)c_row[l] << 2 * to.bits);
	}
	PUT(destination(x, u->dst[0]), out);
}
