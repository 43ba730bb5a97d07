/* core/exec/arithmetic/exec_fp.c -- IEEE arithmetic, f32 and f64: exact rounding in all four modes, flushing,
 * saturation. floats.h says what happens to NaNs. */
#include "core/exec/arithmetic/floats.h"

/* One rounding. Without a fused instruction f32 goes through double: the product is exact there, and the sum,
 * rounded to odd, is rounded once more to float as if it were exact (Boldo and Melquiond). In the other modes
 * rounding twice in the same direction is rounding once. */
#ifdef __FMA__
#define FUSED_F32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define FUSED_F32(a, b, c) fma_f32(a, b, c, nearest)
static inline float fma_f32(float a, float b, float c, bool nearest)
{
	double p = (double)a * b, s = p + c, t = s - p, error = (p - (s - t)) + (c - t);
	uint64_t bits = bits_f64(s), even = ~bits & 1;
	bool inexact = (error > 0) | (error < 0), outward = (error > 0) == (s > 0);

	return (float)f64_bits(nearest & inexact ? bits + (outward ? even : -even) : bits);
}
#endif

/* .ftz flushes by the exact result: what only rounding lifts to the least normal number becomes zero, too
 * (measured on an H200). Whether a row has that number at all, and what to do by the same results rounded to
 * zero. */
#define LEAST_F32 UINT32_C(0x00800000)

static inline bool may_be_tiny(const float *out)
{
	const float *d = ALIGNED(out);

	return COLLECT(uint32_t, lane_bit, (bits_f32(d[l]) & INT32_MAX) == LEAST_F32) != 0;
}

static inline void flush_tiny(float *out, const float *below)
{
	LANES out[l] = f32_bits(
		bits_f32(out[l]) & ((bits_f32(below[l]) & INT32_MAX) < LEAST_F32 ? 0x80000000 : UINT32_MAX));
}

/* f32. The usual case, to nearest, no modifiers, goes straight to the destination; all others take the
 * steps one by one. */
#define FP32(id, count, operands, expression) \
	static void EXEC_PASTE(id##_steps, EXEC_LEVEL)( \
		struct exec * x, const struct uop *u, lane_mask active) \
	{ \
		float out[WARP_SIZE] ROW_ALIGNED, copy[count][WARP_SIZE] ROW_ALIGNED; \
		const ROW_F32 *row[3] = { NULL }; \
		bool nearest MAYBE_UNUSED = u->round == ROUND_RN; \
		for (unsigned n = 0; n < count; n++) \
			row[n] = source_f32(x, u, n, copy[n]); \
		const ROW_F32 *a_row = ALIGNED(row[0]), *b_row MAYBE_UNUSED = ALIGNED(row[1]), \
			      *c_row MAYBE_UNUSED = ALIGNED(row[2]); \
		round_enter(u->round, row[0], row[1], row[2], out); \
		LANES \
		{ \
			operands; \
			out[l] = (expression); \
		} \
		round_leave(u->round, out); \
		if (u->mods & MOD_FTZ && may_be_tiny(out)) { \
			float below[WARP_SIZE] ROW_ALIGNED; \
			nearest = false; \
			round_enter(ROUND_RZ, row[0], row[1], row[2], below); \
			LANES \
			{ \
				operands; \
				below[l] = (expression); \
			} \
			round_leave(ROUND_RZ, below); \
			flush_tiny(out, below); \
		} \
		finish_f32(out, u->mods); \
		PUT(destination_row(x, u->dst[0]), out); \
	} \
	EXEC(id) \
	{ \
		if (!((u->mods & (MOD_FTZ | MOD_SAT)) | u->round)) { \
			const bool nearest MAYBE_UNUSED = true; \
			ROW_F32 *d = destination_row(x, u->dst[0]); \
			const ROW_F32 *a_row = source_row(x, u->src[0]); \
			const ROW_F32 *b_row MAYBE_UNUSED = count > 1 ? source_row(x, u->src[1]) : a_row; \
			const ROW_F32 *c_row MAYBE_UNUSED = count > 2 ? source_row(x, u->src[2]) : a_row; \
			if (active == ALL_LANES) { \
				LANES \
				{ \
					operands; \
					d[l] = canonical_f32(expression); \
				} \
			} else { \
				float out[WARP_SIZE] ROW_ALIGNED; \
				LANES \
				{ \
					operands; \
					out[l] = canonical_f32(expression); \
				} \
				PUT(d, out); \
			} \
		} else { \
			EXEC_PASTE(id##_steps, EXEC_LEVEL)(x, u, active); \
		} \
	}

/* f64: never flushed; NaNs are seldom, so they are looked for once and mended lane by lane. */
enum nan_order { LAST_NAN, FIRST_NAN, SECOND_THIRD_FIRST };

static void mend_nans_f64(
	double *out, const ROW_F64 *const *row, unsigned count, enum nan_order order, lane_mask nans)
{
	/* from the weakest source to the strongest */
	static const uint8_t sources[][3] = {
		[LAST_NAN] = { 0, 1, 2 }, [FIRST_NAN] = { 1, 0, 2 }, [SECOND_THIRD_FIRST] = { 0, 2, 1 }
	};

	for_each_lane (l, nans) {
		uint64_t bits = NAN_F64;

		for (unsigned i = 0; i < count; i++) {
			double value = row[sources[order][i]][l];

			if (value != value)
				bits = bits_f64(value) | QUIET_F64;
		}
		out[l] = f64_bits(bits);
	}
}

#define FP64(id, count, order, operands, expression) \
	EXEC(id) \
	{ \
		double out[WARP_SIZE] ROW_ALIGNED; \
		const ROW_F64 *row[3] = { NULL }; \
		lane_mask nans; \
		for (unsigned n = 0; n < count; n++) \
			row[n] = source_row(x, u->src[n]); \
		const ROW_F64 *a_row = ALIGNED(row[0]), *b_row MAYBE_UNUSED = ALIGNED(row[1]), \
			      *c_row MAYBE_UNUSED = ALIGNED(row[2]); \
		round_enter(u->round, row[0], row[1], row[2], out); \
		LANES \
		{ \
			operands; \
			out[l] = (expression); \
		} \
		round_leave(u->round, out); \
		nans = COLLECT(uint64_t, lane_bit64, out[l] != out[l]); \
		if (nans) \
			mend_nans_f64(out, row, count, order, nans); \
		if (u->mods & MOD_SAT) \
			LANES out[l] = saturate_f64(out[l]); \
		PUT(destination_row(x, u->dst[0]), out); \
	}

#define MAYBE_UNUSED __attribute__((unused))
#define TAKE1(T)     OPERAND(a, T)
#define TAKE2(T) \
	OPERAND(a, T); \
	OPERAND(b, T)
#define TAKE3(T) \
	OPERAND(a, T); \
	OPERAND(b, T); \
	OPERAND(c, T)

/* Of magnitudes; MOD_XORSIGN: the sign of the product, unless the result is not a number. */
static inline float signed_f32(float result, float a, float b, bool xorsign)
{
	uint32_t sign = xorsign && result == result ? (bits_f32(a) ^ bits_f32(b)) & 0x80000000 : 0;

	return f32_bits(bits_f32(result) | sign);
}

FP32(ADD_F32, 2, TAKE2(F32), a + b)
FP32(SUB_F32, 2, TAKE2(F32), a - b)
FP32(MUL_F32, 2, TAKE2(F32), a *b)
FP32(FMA_F32, 3, TAKE3(F32), FUSED_F32(a, b, c))
FP32(FMS_F32, 3, TAKE3(F32), FUSED_F32(a, b, -c))
FP32(FNMA_F32, 3, TAKE3(F32), FUSED_F32(-a, b, c))
FP32(DIV_F32, 2, TAKE2(F32), a / b)
FP32(RCP_F32, 1, TAKE1(F32), 1 / a)
FP32(SQRT_F32, 1, TAKE1(F32), __builtin_sqrtf(a))
FP32(MIN_F32, 2, TAKE2(F32), min_f32(a, b, u->mods &MOD_HI))
FP32(MAX_F32, 2, TAKE2(F32), max_f32(a, b, u->mods &MOD_HI))

FP32(MIN_ABS_F32, 2, TAKE2(F32),
	signed_f32(
		min_f32(__builtin_fabsf(a), __builtin_fabsf(b), u->mods &MOD_HI), a, b, u->mods &MOD_XORSIGN))
FP32(MAX_ABS_F32, 2, TAKE2(F32),
	signed_f32(
		max_f32(__builtin_fabsf(a), __builtin_fabsf(b), u->mods &MOD_HI), a, b, u->mods &MOD_XORSIGN))

/* One of three numbers, or its magnitude where the instruction is of those. */
static inline float operand_f32(const struct uop *u, float x)
{
	return u->mods & MOD_ABS ? __builtin_fabsf(x) : x;
}

#define THREE(extreme) \
	extreme(extreme(operand_f32(u, a), operand_f32(u, b), u->mods &MOD_HI), operand_f32(u, c), \
		u->mods &MOD_HI)
FP32(MIN3_F32, 3, TAKE3(F32), THREE(min_f32))
FP32(MAX3_F32, 3, TAKE3(F32), THREE(max_f32))

FP64(ADD_F64, 2, LAST_NAN, TAKE2(F64), a + b)
FP64(SUB_F64, 2, LAST_NAN, TAKE2(F64), a - b)
FP64(MUL_F64, 2, LAST_NAN, TAKE2(F64), a *b)
FP64(FMA_F64, 3, SECOND_THIRD_FIRST, TAKE3(F64), __builtin_fma(a, b, c))
FP64(FMS_F64, 3, SECOND_THIRD_FIRST, TAKE3(F64), __builtin_fma(a, b, -c))
FP64(FNMA_F64, 3, SECOND_THIRD_FIRST, TAKE3(F64), __builtin_fma(-a, b, c))
FP64(DIV_F64, 2, FIRST_NAN, TAKE2(F64), a / b)
FP64(RCP_F64, 1, LAST_NAN, TAKE1(F64), 1 / a)
FP64(SQRT_F64, 1, LAST_NAN, TAKE1(F64), __builtin_sqrt(a))
FP64(MIN_F64, 2, LAST_NAN, TAKE2(F64), min_f64(a, b, u->mods &MOD_HI))
FP64(MAX_F64, 2, LAST_NAN, TAKE2(F64), max_f64(a, b, u->mods &MOD_HI))

/* f32x2: a pair of rows is 64 numbers, lane l's at 2l and 2l + 1. */
static inline const ROW_F32 *source_pairs(const struct exec *x, const struct uop *u, unsigned n, float *copy)
{
	const ROW_F32 *row = source_row(x, u->src[n]);

	if (!(u->mods & MOD_FTZ))
		return row;
	flush_row(copy, row);
	flush_row(copy + WARP_SIZE, row + WARP_SIZE);
	return copy;
}

#define FP32X2(id, count, operands, expression) \
	EXEC(id) \
	{ \
		float out[2 * WARP_SIZE] ROW_ALIGNED, copy[count][2 * WARP_SIZE] ROW_ALIGNED; \
		const ROW_F32 *row[3] = { NULL }; \
		bool nearest MAYBE_UNUSED = u->round == ROUND_RN; \
		for (unsigned n = 0; n < count; n++) \
			row[n] = source_pairs(x, u, n, copy[n]); \
		const ROW_F32 *a_row = ALIGNED(row[0]), *b_row = ALIGNED(row[1]), \
			      *c_row MAYBE_UNUSED = ALIGNED(row[2]); \
		round_enter(u->round, row[0], row[1], row[2], out); \
		_Pragma("GCC ivdep") for (unsigned l = 0; l < 2 * WARP_SIZE; l++) \
		{ \
			operands; \
			out[l] = (expression); \
		} \
		round_leave(u->round, out); \
		if (u->mods & MOD_FTZ && (may_be_tiny(out) || may_be_tiny(out + WARP_SIZE))) { \
			float below[2 * WARP_SIZE] ROW_ALIGNED; \
			nearest = false; \
			round_enter(ROUND_RZ, row[0], row[1], row[2], below); \
			_Pragma("GCC ivdep") for (unsigned l = 0; l < 2 * WARP_SIZE; l++) \
			{ \
				operands; \
				below[l] = (expression); \
			} \
			round_leave(ROUND_RZ, below); \
			flush_tiny(out, below); \
			flush_tiny(out + WARP_SIZE, below + WARP_SIZE); \
		} \
		finish_f32(out, u->mods); \
		finish_f32(out + WARP_SIZE, u->mods); \
		put64(destination_row(x, u->dst[0]), out, active); \
	}

FP32X2(ADD_F32X2, 2, TAKE2(F32), a + b)
FP32X2(SUB_F32X2, 2, TAKE2(F32), a - b)
FP32X2(MUL_F32X2, 2, TAKE2(F32), a *b)
FP32X2(FMA_F32X2, 3, TAKE3(F32), FUSED_F32(a, b, c))

/* Sign operations, on the bits, but for NaNs. */
#define SIGN32 UINT32_C(0x80000000)
#define SIGN64 UINT64_C(0x8000000000000000)

static inline uint32_t flush_bits(uint32_t bits, bool flush)
{
	return flush && !(bits & 0x7f800000) ? bits & SIGN32 : bits;
}

static inline uint32_t canonical_bits(uint32_t bits)
{
	return (bits & ~SIGN32) > 0x7f800000 ? NAN_F32 : bits;
}

/* A NaN keeps its sign and becomes quiet. */
static inline uint64_t signed_bits(uint64_t a, uint64_t result)
{
	return (a & ~SIGN64) > UINT64_C(0x7ff0000000000000) ? a | QUIET_F64 : result;
}

EXEC(ABS_F32)
{
	bool flush = u->mods & MOD_FTZ;
	SOURCE(a, U32, 0);

	COMPUTE(true, U32, OPERAND(a, U32), canonical_bits(flush_bits(a, flush) & ~SIGN32))
}

EXEC(NEG_F32)
{
	bool flush = u->mods & MOD_FTZ;
	SOURCE(a, U32, 0);

	COMPUTE(true, U32, OPERAND(a, U32), canonical_bits(flush_bits(a, flush) ^ SIGN32))
}

EXEC1(ABS_F64, U64, U64, signed_bits(a, a & ~SIGN64))
EXEC1(NEG_F64, U64, U64, signed_bits(a, a ^ SIGN64))
EXEC2(COPYSIGN_F32, U32, U32, (a & SIGN32) | (b & ~SIGN32))
EXEC2(COPYSIGN_F64, U64, U64, (a & SIGN64) | (b & ~SIGN64))
