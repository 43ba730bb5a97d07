/* core/exec/arithmetic/halves.h -- rows of f16 and bf16, one number or two a lane: to rows of doubles and
 * back. */
#ifndef CORE_EXEC_ARITHMETIC_HALVES_H
#define CORE_EXEC_ARITHMETIC_HALVES_H

#include "core/exec/arithmetic/floats.h"

struct halves {
	struct format format;
	unsigned count; /* numbers in a lane: 1 or 2, the first one in the low half */
};

static inline struct halves halves_of(const struct uop *u)
{
	return (struct halves){ format_of(u->type), u->type == PTX_F16X2 || u->type == PTX_BF16X2 ? 2 : 1 };
}

/* Subnormals to zero, the sign stays. */
static inline uint32_t flush_half(uint32_t bits, struct format f, bool flush)
{
	return flush && !((bits & 0x7fff) >> f.mantissa) ? bits & 0x8000 : bits;
}

/* Number e of every lane of source n. */
static inline void take_halves(const struct exec *x, const struct uop *u, unsigned n, unsigned e, double *out)
{
	struct format f = format_of(u->type);
	bool flush = u->mods & MOD_FTZ;
	uint32_t bits[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U32, n);

	LANES bits[l] = flush_half(a_row[l] >> 16 * e & 0xffff, f, flush);
	if (f.mantissa == 10)
		LANES out[l] = value_of_f16(bits[l]);
	else
		LANES out[l] = value_of_bf16(bits[l]);
}

/* Results, rounded once, into half e of out. FTZ: flushed by the value that is not rounded yet.
 * SAT: clamped to [0, 1], NaN to 0; RELU: not below 0, -0 too becomes 0, NaN stays. */
static inline void give_halves(const struct uop *u, unsigned e, double *value, uint32_t *out)
{
	struct format f = format_of(u->type);
	double least = u->mods & MOD_FTZ ? f.unit * (double)(1u << f.mantissa) : 0;
	uint32_t bits[WARP_SIZE] ROW_ALIGNED;

	LANES value[l] = __builtin_fabs(value[l]) < least ? __builtin_copysign(0, value[l]) : value[l];
	if (u->mods & MOD_SAT)
		LANES value[l] = saturate_f64(value[l]);
	if (f.mantissa == 10)
		LANES bits[l] = nearest_f16(value[l]);
	else if (u->round != ROUND_RN)
		LANES bits[l] = format_encode(value[l], f, u->round, false);
	else
		LANES bits[l] = nearest_bf16(value[l]);
	if (u->mods & MOD_RELU)
		LANES bits[l] = bits[l] & 0x8000 ? 0 : bits[l];
	if (e)
		LANES out[l] |= bits[l] << 16;
	else
		LANES out[l] = bits[l];
}

#endif
