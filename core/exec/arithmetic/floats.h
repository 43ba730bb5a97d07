/* core/exec/arithmetic/floats.h -- what floating-point operations share: bits, flushing, saturation, NaNs,
 * rounding modes.
 *
 * NaN results. Which NaN a host instruction returns depends on the order of its operands, which the compiler
 * chooses anew at every vector level. So results are made the same everywhere, and as an H200 gives them
 * (tests/ptx/conformance/h200.txt). An f32 (or f16) result that is NaN is 0x7fffffff (0x7fff), also of abs
 * and neg. An f64 result that is NaN is one of its sources that are, made quiet: the last one, but of div the
 * first, and of fma the second before the third before the first; 0xfff8000000000000 if no source is NaN. abs
 * and neg of f64 leave the sign of a NaN. A conversion from f64 keeps the sign and the leading bits. */
#ifndef CORE_EXEC_ARITHMETIC_FLOATS_H
#define CORE_EXEC_ARITHMETIC_FLOATS_H

#include "core/exec/arithmetic/formats.h"
#include "core/exec/lanes.h"
#include <fenv.h>

#define NAN_F32   UINT32_C(0x7fffffff)
#define NAN_F64   UINT64_C(0xfff8000000000000)
#define QUIET_F64 UINT64_C(0x0008000000000000)

static inline float canonical_f32(float value)
{
	return f32_bits(value != value ? NAN_F32 : bits_f32(value));
}

/* Subnormals to zero, the sign stays. */
static inline float flush_f32(float value)
{
	uint32_t bits = bits_f32(value);

	return f32_bits(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

/* To [0, 1]; NaN and -0 become +0. */
static inline float saturate_f32(float value)
{
	return value > 0 ? (value < 1 ? value : 1) : 0;
}

static inline double saturate_f64(double value)
{
	return value > 0 ? (value < 1 ? value : 1) : 0;
}

static inline void flush_row(float *out, const ROW_F32 *row)
{
	const ROW_F32 *a = ALIGNED(row);
	float *d = ALIGNED(out);

	LANES d[l] = flush_f32(a[l]);
}

/* A source row, flushed into `copy` if the operation flushes. */
static inline const ROW_F32 *source_f32(const struct exec *x, const struct uop *u, unsigned n, float *copy)
{
	const ROW_F32 *row = source_row(x, u->src[n]);

	if (!(u->mods & MOD_FTZ))
		return row;
	flush_row(copy, row);
	return copy;
}

/* The rounded result of an f32 operation becomes what the register gets. */
static inline void finish_f32(float *out, unsigned mods)
{
	float *d = ALIGNED(out);

	LANES d[l] = canonical_f32(d[l]);
	if (mods & MOD_FTZ)
		flush_row(d, d);
	if (mods & MOD_SAT)
		LANES d[l] = saturate_f32(d[l]);
}

/* An f64 NaN result for which no source is to be asked (conversions): quiet. */
static inline double quiet_f64(double value)
{
	return f64_bits(bits_f64(value) | (value != value ? QUIET_F64 : 0));
}

static inline void finish_f64(double *out, unsigned mods)
{
	double *d = ALIGNED(out);

	LANES d[l] = quiet_f64(d[l]);
	if (mods & MOD_SAT)
		LANES d[l] = saturate_f64(d[l]);
}

/* Between these two the host rounds as `round` says. The arrays that the loop in between reads and writes
 * must be handed to both: the compiler does not know that arithmetic depends on the mode, but it knows that
 * these calls may read and write those arrays, and so keeps the loop where it is. */
static inline void round_enter(unsigned round, const void *a, const void *b, const void *c, void *out)
{
	static const int modes[] = {
		[ROUND_RN] = FE_TONEAREST,
		[ROUND_RZ] = FE_TOWARDZERO,
		[ROUND_RM] = FE_DOWNWARD,
		[ROUND_RP] = FE_UPWARD,
	};

	if (__builtin_expect(round == ROUND_RN, 1))
		return;
	fesetround(modes[round & 3]);
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(out) : "memory");
}

static inline void round_leave(unsigned round, void *out)
{
	if (__builtin_expect(round == ROUND_RN, 1))
		return;
	__asm__ volatile("" : : "r"(out) : "memory");
	fesetround(FE_TONEAREST);
}

#endif
