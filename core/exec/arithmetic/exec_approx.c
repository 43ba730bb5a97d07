/* core/exec/arithmetic/exec_approx.c -- the special function unit: approximations, each computed in double by
 * a polynomial of our own in a fixed order of operations, and rounded to float once. So every vector level
 * gives the same bits, and the error stays well below what the ISA allows (about half an ulp of f32). */
#include "core/exec/arithmetic/halves.h"

#define MAGIC \
	6755399441055744.0 /* 1.5 * 2^52: adding it leaves the nearest integer in the low mantissa bits */

/* 2^t, |t| < 1000: the integer part goes into the exponent, the fraction within +-1/2 into a Taylor series.
 */
static inline double exp2_of(double t)
{
	double shifted = t + MAGIC, y = (t - (shifted - MAGIC)) * 0.69314718055994530942, p;
	uint64_t exponent = bits_f64(shifted) + 1023;

	p = 1 / 39916800.0;
	p = p * y + 1 / 3628800.0;
	p = p * y + 1 / 362880.0;
	p = p * y + 1 / 40320.0;
	p = p * y + 1 / 5040.0;
	p = p * y + 1 / 720.0;
	p = p * y + 1 / 120.0;
	p = p * y + 1 / 24.0;
	p = p * y + 1 / 6.0;
	p = p * y + 0.5;
	p = p * y + 1;
	p = p * y + 1;
	return p * f64_bits(exponent << 52);
}

static inline double clamp_double(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

static inline float ex2(float a)
{
	return a != a ? a : (float)exp2_of(clamp_double(a, -300, 300));
}

/* log2 of a positive double: a = 2^e m with m in [sqrt 1/2, sqrt 2), log m = 2 artanh((m - 1) / (m + 1)). */
static inline double log2_double(double a)
{
	uint64_t bits = bits_f64(a) - UINT64_C(0x3fe6a09e667f3bcd);
	double e =
		f64_bits(((bits >> 52) ^ 0x800) | UINT64_C(0x4330000000000000)) - (4503599627370496.0 + 2048);
	double m = f64_bits((bits & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
	double s = (m - 1) / (m + 1), q = s * s, p;

	p = 1 / 19.0;
	p = p * q + 1 / 17.0;
	p = p * q + 1 / 15.0;
	p = p * q + 1 / 13.0;
	p = p * q + 1 / 11.0;
	p = p * q + 1 / 9.0;
	p = p * q + 1 / 7.0;
	p = p * q + 1 / 5.0;
	p = p * q + 1 / 3.0;
	p = p * q + 1;
	return e + s * p * 2.8853900817779268147;
}

static inline float lg2(float a)
{
	float normal = (float)log2_double(a);

	return a > 0 ? (a < __builtin_inff() ? normal : a) : a == 0 ? -__builtin_inff() : f32_bits(NAN_F32);
}

/* sin(x + quarters * pi/2): the quadrant from a multiple of pi/2 taken off in two parts. */
static inline float sine(double x, uint64_t quarters)
{
	double shifted = x * 0.63661977236758134308 + MAGIC, n = shifted - MAGIC;
	double r = (x - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a626331p-34, q = r * r, s, c;
	uint64_t quadrant = bits_f64(shifted) + quarters;

	s = -1 / 1307674368000.0;
	s = s * q + 1 / 6227020800.0;
	s = s * q - 1 / 39916800.0;
	s = s * q + 1 / 362880.0;
	s = s * q - 1 / 5040.0;
	s = s * q + 1 / 120.0;
	s = s * q - 1 / 6.0;
	s = s * q * r + r;
	c = 1 / 20922789888000.0;
	c = c * q - 1 / 87178291200.0;
	c = c * q + 1 / 479001600.0;
	c = c * q - 1 / 3628800.0;
	c = c * q + 1 / 40320.0;
	c = c * q - 1 / 720.0;
	c = c * q + 1 / 24.0;
	c = c * q - 0.5;
	c = c * q + 1;
	return (float)f64_bits(bits_f64(quadrant & 1 ? c : s) ^ (quadrant & 2) << 62);
}

/* Beyond 2^30, where the ISA promises nothing, the argument is reduced by the exact remainder first. */
static void reduce_large(double *a)
{
	LANES a[l] = __builtin_fabs(a[l]) < 0x1p30 ? a[l] : __builtin_fmod(a[l], 6.283185307179586);
}

static inline double tangent(double a)
{
	double e = exp2_of(clamp_double(a, -20, 20) * 2.8853900817779268147), t = (e - 1) / (e + 1);

	t = __builtin_fabs(a) < 0x1p-6 ? a * (1 - a * a * (1 / 3.0)) : t;
	return a != a ? a : t;
}

/* a * (1 / b), where 1 / b is lost if |b| is above 2^126. */
static inline float divide_approx(float a, float b)
{
	float magnitude = __builtin_fabsf(b);

	return magnitude > 0x1p126f && magnitude < __builtin_inff() ? a * __builtin_copysignf(0, b) : a / b;
}

#define APPROX(id, count, expression) \
	EXEC(id) \
	{ \
		float out[WARP_SIZE] ROW_ALIGNED, copy[2][WARP_SIZE] ROW_ALIGNED; \
		const ROW_F32 *a = ALIGNED(source_f32(x, u, 0, copy[0])); \
		const ROW_F32 *b __attribute__((unused)) = \
			count > 1 ? ALIGNED(source_f32(x, u, 1, copy[1])) : NULL; \
		LANES out[l] = (expression); \
		finish_f32(out, u->mods); \
		PUT(destination(x, u->dst[0]), out); \
	}

APPROX(DIV_APPROX_F32, 2, divide_approx(a[l], b[l]))
APPROX(DIV_FULL_F32, 2, a[l] / b[l])
APPROX(RCP_APPROX_F32, 1, 1 / a[l])
APPROX(SQRT_APPROX_F32, 1, __builtin_sqrtf(a[l]))
APPROX(RSQRT_APPROX_F32, 1, (float)(1 / __builtin_sqrt((double)a[l])))
APPROX(LG2_APPROX_F32, 1, lg2(a[l]))
APPROX(EX2_APPROX_F32, 1, ex2(a[l]))
APPROX(TANH_APPROX_F32, 1, (float)tangent(a[l]))

#define SINE(id, quarters, at_zero) \
	EXEC(id) \
	{ \
		float out[WARP_SIZE] ROW_ALIGNED, copy[WARP_SIZE] ROW_ALIGNED; \
		double wide[WARP_SIZE] ROW_ALIGNED; \
		const ROW_F32 *a = ALIGNED(source_f32(x, u, 0, copy)); \
		LANES wide[l] = a[l]; \
		if (COLLECT(uint64_t, lane_bit64, !(__builtin_fabs(wide[l]) < 0x1p30))) \
			reduce_large(wide); \
		LANES out[l] = sine(wide[l], quarters); \
		LANES out[l] = a[l] == 0 ? (at_zero) : out[l]; \
		finish_f32(out, u->mods); \
		PUT(destination(x, u->dst[0]), out); \
	}

SINE(SIN_APPROX_F32, 0, a[l])
SINE(COS_APPROX_F32, 1, 1)

/* Halves: the double rounded once, far within the bounds. */
#define APPROX_HALF(id, expression) \
	EXEC(id) \
	{ \
		uint32_t out[WARP_SIZE] ROW_ALIGNED; \
		double a[WARP_SIZE] ROW_ALIGNED; \
		for (unsigned e = 0; e < halves_of(u).count; e++) { \
			take_halves(x, u, 0, e, a); \
			LANES a[l] = (expression); \
			give_halves(u, e, a, out); \
		} \
		PUT(destination(x, u->dst[0]), out); \
	}

APPROX_HALF(EX2_HALF, a[l] != a[l] ? a[l] : exp2_of(clamp_double(a[l], -300, 300)))
APPROX_HALF(TANH_HALF, tangent(a[l]))

/* f64: only the high words count; subnormals are zero on both sides. */
static inline double high_word(double value)
{
	uint64_t bits = bits_f64(value) & UINT64_C(0xffffffff00000000);

	return f64_bits(bits & UINT64_C(0x7ff0000000000000) ? bits : bits & UINT64_C(0x8000000000000000));
}

static inline double high_result(double value)
{
	return value != value ? f64_bits(UINT64_C(0x7fffffff00000000)) : high_word(value);
}

EXEC1(RCP_APPROX_F64, F64, F64, high_result(1 / high_word(a)))

/* Without .ftz the whole number counts, and subnormals do. */
EXEC(RSQRT_APPROX_F64)
{
	double out[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, F64, 0);

	if (u->mods & MOD_FTZ) {
		LANES out[l] = high_result(1 / __builtin_sqrt(high_word(a_row[l])));
	} else {
		LANES out[l] = 1 / __builtin_sqrt(a_row[l]);
		LANES out[l] = f64_bits(out[l] != out[l] ? UINT64_C(0x7fffffff00000000) : bits_f64(out[l]));
	}
	PUT(destination(x, u->dst[0]), out);
}
