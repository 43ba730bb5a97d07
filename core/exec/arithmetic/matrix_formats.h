/* core/exec/arithmetic/matrix_formats.h -- the narrow numbers that tensor cores multiply, as doubles, and
 * sums rounded back. */
#ifndef CORE_EXEC_ARITHMETIC_MATRIX_FORMATS_H
#define CORE_EXEC_ARITHMETIC_MATRIX_FORMATS_H

#include "core/exec/arithmetic/floats.h"
#include "frontend/module.h"

/* A float of 5 exponent bits (bias 15) and 10 of mantissa. The factor moves the exponent, subnormals
 * included. */
static inline double value_f16(uint32_t bits)
{
	uint32_t magnitude = (bits & 0x7fff) << 13, special = (bits & 0x7c00) == 0x7c00 ? 0x70000000 : 0;
	float value = special ? f32_bits(magnitude | special) : f32_bits(magnitude) * 0x1p112f;

	return bits & 0x8000 ? -(double)value : (double)value;
}

static inline double value_bf16(uint32_t bits)
{
	return (double)f32_bits(bits << 16);
}

/* The low 13 bits of a tf32 number do not count. */
static inline double value_tf32(uint32_t bits)
{
	return (double)f32_bits(bits & 0xffffe000);
}

/* e5m2 is the upper half of an f16. */
static inline double value_e5m2(uint32_t bits)
{
	return value_f16((bits & 0xff) << 8);
}

/* 4 exponent bits (bias 7), 3 of mantissa; no infinities, NaN is all ones. */
static inline double value_e4m3(uint32_t bits)
{
	uint32_t magnitude = bits & 0x7f;
	float value = magnitude == 0x7f ? f32_bits(NAN_F32) : f32_bits(magnitude << 20) * 0x1p120f;

	return bits & 0x80 ? -(double)value : (double)value;
}

/* The floats of 4 and 6 bits have neither infinities nor NaN. */
static inline double value_e3m2(uint32_t bits)
{
	return format_decode(bits & 0x3f, format_of(PTX_E3M2X2));
}

static inline double value_e2m3(uint32_t bits)
{
	return format_decode(bits & 0x3f, format_of(PTX_E2M3X2));
}

static inline double value_e2m1(uint32_t bits)
{
	return format_decode(bits & 15, format_of(PTX_E2M1X2));
}

/* Scales of blocks: ue4m3 is e4m3 without a sign. */
static inline double value_scale(bool is_ue4m3, uint32_t bits)
{
	return is_ue4m3 ? value_e4m3(bits & 0x7f) : power_decode(bits & 0xff);
}

/* A number that has a byte to itself, where it is one of at most 8 bits: e2m1 in bits 2 to 5, the others from
 * bit 0 on (kind::f8f6f4). */
static inline double element_value(enum ptx_type type, uint32_t bits)
{
	switch (type) {
	case PTX_F16:
		return value_f16(bits);
	case PTX_BF16:
		return value_bf16(bits);
	case PTX_TF32:
		return value_tf32(bits);
	case PTX_E4M3:
		return value_e4m3(bits);
	case PTX_E3M2:
		return value_e3m2(bits);
	case PTX_E2M3:
		return value_e2m3(bits);
	case PTX_E2M1:
		return value_e2m1(bits >> 2);
	default:
		return value_e5m2(bits);
	}
}

static inline int32_t element_integer(enum ptx_type type, uint32_t bits)
{
	switch (type) {
	case PTX_S8:
		return (int8_t)bits;
	case PTX_U8:
		return (uint8_t)bits;
	case PTX_S4:
		return (int32_t)(bits << 28) >> 28;
	default:
		return (int32_t)(bits & 15);
	}
}

/* Rounded to f16, to nearest even, once. */
static inline uint32_t round_f16(double value)
{
	uint64_t bits = bits_f64(value), magnitude = bits & (UINT64_MAX >> 1);
	uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
	uint64_t rest;

	if (value != value)
		return 0x7fff;
	if (magnitude >= bits_f64(65520.0))
		return sign | 0x7c00;
	if (magnitude < bits_f64(0x1p-14)) /* in units of 2^-24; the sum rounds where units end */
		return sign | (uint32_t)(bits_f64(f64_bits(magnitude) + 0x1p28) & 0x7ff);
	rest = magnitude - bits_f64(0x1p-14);
	rest += (UINT64_C(1) << 41) - 1 + (rest >> 42 & 1);
	return sign | (0x400 + (uint32_t)(rest >> 42));
}

static inline uint32_t round_f32(double value)
{
	return bits_f32(canonical_f32((float)value));
}

#endif
