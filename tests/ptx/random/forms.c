/* tests/ptx/random/forms.c -- what the instructions that random programs are made of compute. */
#include "random.h"
#include "halves.h"
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what forms.def uses ---- */

#define ROUNDED(mode, expression) \
	({ \
		int before_ = fegetround(); \
		fesetround(mode); \
		__typeof__(expression) rounded_ = (expression); \
		__asm__ volatile("" : "+m"(rounded_)); \
		fesetround(before_); \
		rounded_; \
	})

static int32_t clamp32(int64_t v)
{
	return (int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

static uint32_t count_ones(uint64_t v)
{
	uint32_t n = 0;

	for (; v; v >>= 1)
		n += v & 1;
	return n;
}

static uint32_t highest(uint64_t v)
{
	uint32_t n = UINT32_MAX;

	for (; v; v >>= 1)
		n++;
	return n;
}

static uint64_t reverse(uint64_t v)
{
	uint64_t r = 0;

	for (int i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

/* Of 64 bits the compiler's code takes position and length whole. */
static uint32_t field_number(uint32_t v, uint32_t width)
{
	return width == 32 ? v & 255 : v < 255 ? v : 255;
}

/* bfe: bit by bit. */
static uint64_t extract(uint64_t v, uint32_t width, uint32_t position, uint32_t length, bool is_signed)
{
	uint32_t last, pos = field_number(position, width), len = field_number(length, width);
	uint64_t sign, result = 0;

	last = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
	sign = is_signed && len ? v >> last & 1 : 0;
	for (uint32_t i = 0; i < width; i++)
		result |= (i < len && pos + i < width ? v >> (pos + i) & 1 : sign) << i;
	return result;
}

static uint64_t insert(uint64_t a, uint64_t b, uint32_t width, uint32_t position, uint32_t length)
{
	uint32_t pos = field_number(position, width), len = field_number(length, width);

	for (uint32_t i = 0; i < len && pos + i < width; i++)
		b = (b & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
	return b;
}

static uint32_t dot4(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int32_t sum = 0;

	for (int i = 0; i < 32; i += 8)
		sum += (a_signed ? (int8_t)(a >> i) : (int32_t)(uint8_t)(a >> i)) *
			(b_signed ? (int8_t)(b >> i) : (int32_t)(uint8_t)(b >> i));
	return (uint32_t)sum;
}

static uint32_t dot2(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int64_t sum = 0;

	for (int i = 0; i < 2; i++)
		sum += (int64_t)(a_signed ? (int16_t)(a >> 16 * i) : (int32_t)(uint16_t)(a >> 16 * i)) *
			(b_signed ? (int8_t)(b >> 8 * i) : (int32_t)(uint8_t)(b >> 8 * i));
	return (uint32_t)sum;
}

static uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t result = 0;

	for (int i = 0; i < 4; i++) {
		uint8_t byte = (uint8_t)(bytes >> 8 * (c >> 4 * i & 7));

		if (c >> 4 * i & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= (uint32_t)byte << 8 * i;
	}
	return result;
}

static float flush(float v)
{
	return fpclassify(v) == FP_SUBNORMAL ? copysignf(0, v) : v;
}

static float saturate(float v)
{
	return v > 1 ? 1 : v > 0 ? v : 0;
}

static float smaller(float a, float b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

static double larger64(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a > b || (a == b && signbit(b)) ? a : b;
}

static int64_t to_integer(double v, int mode, int64_t low, int64_t high, int64_t nan)
{
	if (isnan(v))
		return nan;
	v = ROUNDED(mode, rint(v));
	return v < (double)low ? low : v > (double)high ? high : (int64_t)v;
}

/* bmsk, szext, fns */
static uint32_t mask_of(uint32_t from, uint32_t width)
{
	uint32_t mask = 0;

	for (uint64_t i = from; i < 32 && i < (uint64_t)from + width; i++)
		mask |= UINT32_C(1) << i;
	return mask;
}

static uint32_t extend(uint32_t v, uint32_t width, bool is_signed)
{
	if (width >= 32)
		return v;
	v &= mask_of(0, width);
	return is_signed && width && v >> (width - 1) & 1 ? v | ~mask_of(0, width) : v;
}

static uint32_t find_nth(uint32_t v, uint32_t base, int32_t offset)
{
	if (offset == INT32_MIN)
		return 0;
	if (!offset)
		return v >> base & 1 ? base : UINT32_MAX;
	for (int32_t at = (int32_t)base, left = offset; at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
		left -= v >> at & 1 ? offset < 0 ? -1 : 1 : 0;
		if (!left)
			return (uint32_t)at;
	}
	return UINT32_MAX;
}

/* prmt's modes: the byte that byte i comes from. */
enum { F4E, B4E, RC8, ECL, ECR, RC16 };

static uint32_t permute_mode(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t n = c & 3, result = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t from = mode == F4E ? n + i
			: mode == B4E       ? (n - i) & 7
			: mode == RC8       ? n
			: mode == ECL       ? (i > n ? i : n)
			: mode == ECR       ? (i < n ? i : n)
					    : (n & 1) * 2 + (i & 1);

		result |= (uint32_t)(uint8_t)(bytes >> 8 * from) << 8 * i;
	}
	return result;
}

/* One of four functions for both 16-bit halves. */
enum { PAIR_ADD, PAIR_MIN, PAIR_MAX };

static uint32_t pairs(uint32_t a, uint32_t b, int what, bool is_signed, bool relu)
{
	uint32_t result = 0;

	for (int at = 0; at < 32; at += 16) {
		int32_t x = is_signed ? (int16_t)(a >> at) : (int32_t)(a >> at & 0xffff);
		int32_t y = is_signed ? (int16_t)(b >> at) : (int32_t)(b >> at & 0xffff);
		int32_t d = what == PAIR_ADD ? x + y : (what == PAIR_MIN) == (x < y) ? x : y;

		d = relu && d < 0 ? 0 : d;
		result |= (uint32_t)(d & 0xffff) << at;
	}
	return result;
}

/* The video instructions: four bytes at once. */
static uint32_t differences(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (int at = 0; at < 32; at += 8)
		sum += (uint32_t)abs((int)(a >> at & 255) - (int)(b >> at & 255));
	return sum;
}

static uint32_t average_bytes(uint32_t a, uint32_t b)
{
	uint32_t result = 0;

	for (int at = 0; at < 32; at += 8)
		result |= ((a >> at & 255) + (b >> at & 255) + 1) / 2 << at;
	return result;
}

static uint32_t add_bytes_saturated(uint32_t a, uint32_t b)
{
	uint32_t result = 0;

	for (int at = 0; at < 32; at += 8) {
		int d = (int8_t)(a >> at) + (int8_t)(b >> at);

		result |= (uint32_t)((d > 127 ? 127 : d < -128 ? -128 : d) & 255) << at;
	}
	return result;
}

uint32_t table_word(uint32_t index)
{
	return index * 0x9e3779b9u + 0x12345678u;
}

/* ---- forms ---- */

#define FORM_NAME_(line) form_##line
#define FORM_NAME(line)  FORM_NAME_(line)
#define FORM(text, kinds, expression) \
	static void FORM_NAME(__LINE__)(union value * to, const union value *from) \
	{ \
		union value a = from[0], b = from[1], c = from[2], e = from[3], d = { .U = 0 }; \
		(void)a, (void)b, (void)c, (void)e; \
		expression; \
		*to = d; \
	}
#include "forms.def"
#undef FORM

const struct form forms[] = {
#define FORM(text, kinds, expression) { text, kinds, FORM_NAME(__LINE__) },
#include "forms.def"
#undef FORM
};
const uint32_t form_count = sizeof(forms) / sizeof(*forms);
