/* core/exec/arithmetic/exec_half.c -- arithmetic on f16 and bf16, alone or packed in pairs.
 *
 * Sums and products of two halves are exact in double, or need so many of its bits that rounding them a
 * second time does no harm (53 bits are more than twice 11 and two more: Figueroa, "When is double rounding
 * innocuous?", 1995). The fused operation is rounded to odd first. */
#include "core/exec/arithmetic/halves.h"

/* What tensor copies put in place of elements out of bounds; the sign does not count. The ISA names this NaN
 * without giving its bits: these are what has been read back from devices. */
#define OUT_OF_BOUNDS 0x7ff7u

static void clear_out_of_bounds(const struct exec *x, const struct uop *u, unsigned e, double *r)
{
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);

	LANES
	{
		uint32_t a = a_row[l] >> 16 * e & 0x7fff, b = b_row[l] >> 16 * e & 0x7fff;

		r[l] = (a == OUT_OF_BOUNDS) | (b == OUT_OF_BOUNDS) ? 0 : r[l];
	}
}

/* .xorsign takes the signs as they stand in the sources: those of NaNs count too. A NaN result has none. */
static void extreme(const struct exec *x, const struct uop *u, unsigned e, double *r, const double *a,
	const double *b, bool is_max)
{
	bool nan_wins = u->mods & MOD_HI, xorsign = u->mods & MOD_XORSIGN;
	uint64_t magnitude = u->mods & MOD_ABS ? INT64_MAX : UINT64_MAX;
	SOURCE(left, U32, 0);
	SOURCE(right, U32, 1);

	LANES
	{
		double p = f64_bits(bits_f64(a[l]) & magnitude), q = f64_bits(bits_f64(b[l]) & magnitude);
		uint64_t sign =
			xorsign ? (uint64_t)((left_row[l] ^ right_row[l]) >> (15 + 16 * e) & 1) << 63 : 0;

		r[l] = f64_bits(bits_f64(is_max ? max_f64(p, q, nan_wins) : min_f64(p, q, nan_wins)) | sign);
	}
}

/* a + b for the rounding that follows: a sum of 0 of numbers with different signs is -0 where it is
 * downwards. */
static inline double sum_to_odd(const struct uop *u, double a, double b)
{
	double sum = add_to_odd(a, b);
	uint64_t sign = (bits_f64(a) | bits_f64(b)) >> 63;

	return sum == 0 && u->round == ROUND_RM && sign ? -0.0 : sum;
}

/* expression: of a, b, c in lane l, into r; finish: what else happens to r. */
#define HALF(id, sources, expression, finish) \
	EXEC(id) \
	{ \
		uint32_t out[WARP_SIZE] ROW_ALIGNED; \
		double a[WARP_SIZE] ROW_ALIGNED, b[WARP_SIZE] ROW_ALIGNED; \
		double c[WARP_SIZE] ROW_ALIGNED __attribute__((unused)), r[WARP_SIZE] ROW_ALIGNED; \
		for (unsigned e = 0; e < halves_of(u).count; e++) { \
			take_halves(x, u, 0, e, a); \
			take_halves(x, u, 1, e, b); \
			if (sources > 2) \
				take_halves(x, u, 2, e, c); \
			LANES r[l] = (expression); \
			finish; \
			give_halves(u, e, r, out); \
		} \
		PUT(destination_row(x, u->dst[0]), out); \
	}

HALF(ADD_HALF, 2, a[l] + b[l], )
HALF(SUB_HALF, 2, a[l] - b[l], )
HALF(MUL_HALF, 2, a[l] * b[l], )
HALF(FMA_HALF, 3, sum_to_odd(u, a[l] * b[l], c[l]), if (u->mods & MOD_HI) clear_out_of_bounds(x, u, e, r))
HALF(FMS_HALF, 3, sum_to_odd(u, a[l] * b[l], -c[l]), )
HALF(FNMA_HALF, 3, sum_to_odd(u, -a[l] * b[l], c[l]), )
HALF(MIN_HALF, 2, a[l], extreme(x, u, e, r, a, b, false))
HALF(MAX_HALF, 2, a[l], extreme(x, u, e, r, a, b, true))

/* abs and neg touch the sign bits alone, but a NaN becomes the canonical one. */
static inline uint32_t flush_row_halves(uint32_t bits, struct halves h, bool flush)
{
	uint32_t high = h.count > 1 ? flush_half(bits >> 16, h.format, flush) << 16 : 0;

	return flush_half(bits & 0xffff, h.format, flush) | high;
}

static inline uint32_t canonical_halves(uint32_t bits, struct halves h)
{
	struct format f = h.format;
	uint32_t low = (bits & 0x7fff) > f.infinity ? f.nan : bits & 0xffff;
	uint32_t high = (bits >> 16 & 0x7fff) > f.infinity ? f.nan : bits >> 16;

	return low | (h.count > 1 ? high << 16 : 0);
}

#define HALF_SIGN(id, expression) \
	EXEC(id) \
	{ \
		struct halves h = halves_of(u); \
		uint32_t sign = h.count > 1 ? 0x80008000 : 0x8000; \
		bool flush = u->mods & MOD_FTZ; \
		SOURCE(a, U32, 0); \
		COMPUTE(true, U32, uint32_t a = flush_row_halves(a_row[l], h, flush), \
			canonical_halves(expression, h)) \
	}

HALF_SIGN(ABS_HALF, a & ~sign)
HALF_SIGN(NEG_HALF, a ^ sign)
