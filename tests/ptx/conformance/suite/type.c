/* tests/ptx/conformance/suite/type.c -- operand types: names, widths, and what their bits mean. */
#include <math.h>
#include <string.h>
#include "suite.h"

static const struct {
	const char *name;
	unsigned bits;
	bool is_signed;
} types[TYPE_COUNT] = {
	[PRED] = { "pred", 1, false },
	[U8] = { "u8", 8, false },
	[S8] = { "s8", 8, true },
	[B8] = { "b8", 8, false },
	[U16] = { "u16", 16, false },
	[S16] = { "s16", 16, true },
	[B16] = { "b16", 16, false },
	[F16] = { "f16", 16, true },
	[BF16] = { "bf16", 16, true },
	[U32] = { "u32", 32, false },
	[S32] = { "s32", 32, true },
	[B32] = { "b32", 32, false },
	[F32] = { "f32", 32, true },
	[TF32] = { "tf32", 32, true },
	[F16X2] = { "f16x2", 32, false },
	[BF16X2] = { "bf16x2", 32, false },
	[U16X2] = { "u16x2", 32, false },
	[S16X2] = { "s16x2", 32, true },
	[COUNT] = { "u32", 32, false },
	[U64] = { "u64", 64, false },
	[S64] = { "s64", 64, true },
	[B64] = { "b64", 64, false },
	[F64] = { "f64", 64, true },
	[F32X2] = { "f32x2", 64, false },
};

const char *type_name(enum type type)
{
	return types[type].name;
}

unsigned type_bits(enum type type)
{
	return types[type].bits;
}

bool type_is_signed(enum type type)
{
	return types[type].is_signed;
}

uint64_t type_mask(enum type type)
{
	return zero_extend(~0ull, types[type].bits);
}

uint64_t zero_extend(uint64_t word, unsigned bits)
{
	return word << (64 - bits) >> (64 - bits);
}

int64_t sign_extend(uint64_t word, unsigned bits)
{
	return (int64_t)(word << (64 - bits)) >> (64 - bits);
}

__int128 number_of(enum type type, uint64_t word)
{
	unsigned bits = types[type].bits;

	return types[type].is_signed ? (__int128)sign_extend(word, bits) : (__int128)zero_extend(word, bits);
}

float f32_of(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof value);
	return value;
}

double f64_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

uint64_t bits_of_f32(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

uint64_t bits_of_f64(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static double half_value(uint64_t bits)
{
	int exponent = bits >> 10 & 31;
	double fraction = bits & 1023, value;

	if (exponent == 31)
		value = fraction ? NAN : INFINITY;
	else
		value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
	return bits >> 15 & 1 ? -value : value;
}

double value_of(enum type type, uint64_t bits)
{
	switch (type) {
	case F16:
		return half_value(bits);
	case BF16:
		return f32_of(bits << 16);
	case F64:
		return f64_of(bits);
	default:
		return f32_of(bits);
	}
}

bool is_nan(enum type type, uint64_t bits)
{
	switch (type) {
	case F16:
	case BF16:
	case F32:
	case TF32:
	case F64:
		return isnan(value_of(type, bits));
	default:
		return false;
	}
}

static uint64_t half_bits(double value)
{
	uint64_t sign = signbit(value) ? 0x8000 : 0;
	int exponent = 0;
	double magnitude = fabs(value);

	if (magnitude >= 65536)
		return sign | 0x7c00;
	frexp(magnitude, &exponent);
	if (magnitude == 0 || exponent < -13) /* below 2^-14 */
		return sign | (uint64_t)ldexp(magnitude, 24);
	return sign |
		(((uint64_t)(exponent + 14) << 10) + (uint64_t)(ldexp(magnitude, 11 - exponent) - 1024));
}

uint64_t round_to(enum type type, double value)
{
	int digits = type == F16 ? 10 : 7, least = type == F16 ? -14 : -126, exponent = 0;

	if (isnan(value))
		return 0x7fff;
	if (value == 0 || isinf(value))
		return type == F16 ? half_bits(value) : bits_of_f32((float)value) >> 16;
	frexp(value, &exponent);
	exponent = exponent - 1 < least ? least : exponent - 1;
	value = ldexp(rint(ldexp(value, digits - exponent)), exponent - digits);
	return type == F16 ? half_bits(value) : bits_of_f32((float)value) >> 16;
}
