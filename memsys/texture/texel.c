/* memsys/texture/texel.c -- texels: bytes in memory to what a fetch returns, and components back to bytes. */
#include "memsys/texture/texture.h"
#include <string.h>

float half_to_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;

	if (exponent == 31)
		return bits_float(sign | 0x7f800000 | fraction << 13);
	if (!exponent) /* zero and subnormals: fraction * 2^-24 */
		return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
	return bits_float(sign | (exponent + 112) << 23 | fraction << 13);
}

/* Linear light of an sRGB byte, IEC 61966-2-1. The power 2.4 is a square and two fifths, and fifth roots come
 * from Newton's method: no library's rounding is in it. */
static float srgb_to_linear(uint8_t byte)
{
	double c = byte / 255.0, base = (c + 0.055) / 1.055, square = base * base, root = 1;

	if (c <= 0.04045)
		return (float)(c / 12.92);
	for (int i = 0; i < 60; i++)
		root = (4 * root + square / (root * root * root * root)) / 5;
	return (float)(square * root);
}

bool texture_reads_floats(const struct texture *t, const struct texture_sampler *s)
{
	return t->format.type == TEXEL_FLOAT || (!s->is_raw && t->format.bytes < 4);
}

static uint32_t channel_word(struct texel_format f, const uint8_t *at)
{
	uint16_t two;
	uint32_t four;

	switch (f.bytes) {
	case 1:
		return f.type == TEXEL_SIGNED ? (uint32_t)(int8_t)*at : *at;
	case 2:
		memcpy(&two, at, 2);
		return f.type == TEXEL_SIGNED ? (uint32_t)(int16_t)two : two;
	default:
		memcpy(&four, at, 4);
		return four;
	}
}

/* 0..255 to 0..1, -128..127 to -1..1 (the smallest as the second smallest). */
static float as_fraction(struct texel_format f, uint32_t word)
{
	float most = f.bytes == 1 ? 255.0f : 65535.0f, value;

	if (f.type == TEXEL_UNSIGNED)
		return (float)word / most;
	value = (float)(int32_t)word / (float)((f.bytes == 1 ? 127 : 32767));
	return value < -1 ? -1 : value;
}

void texel_decode(
	const struct texture *t, const struct texture_sampler *s, const uint8_t *texel, uint32_t value[4])
{
	struct texel_format f = t->format;
	bool is_float = texture_reads_floats(t, s);

	value[0] = value[1] = value[2] = value[3] = 0;
	for (unsigned c = 0; c < f.channels; c++) {
		uint32_t word = channel_word(f, texel + c * f.bytes);

		if (f.type == TEXEL_FLOAT)
			value[c] = f.bytes == 2 ? float_bits(half_to_float((uint16_t)word)) : word;
		else if (!is_float)
			value[c] = word;
		else if (s->is_srgb && c < 3 && f.bytes == 1 && f.type == TEXEL_UNSIGNED)
			value[c] = float_bits(srgb_to_linear((uint8_t)word));
		else
			value[c] = float_bits(as_fraction(f, word));
	}
}

uint16_t float_to_half(float value)
{
	uint32_t bits, sign, magnitude, shift, half, rest, middle;

	memcpy(&bits, &value, sizeof(bits));
	sign = bits >> 16 & 0x8000;
	magnitude = bits & 0x7fffffff;
	if (magnitude > 0x7f800000)
		return 0x7fff;
	if (magnitude >= 0x477ff000) /* 65520 and above round to infinity */
		return (uint16_t)(sign | 0x7c00);
	if (magnitude >= 0x38800000) { /* normal: 2^-14 and above */
		half = (magnitude - 0x38000000) >> 13;
		rest = magnitude & 0x1fff;
		middle = 0x1000;
	} else {
		if (magnitude < 0x33000000) /* below half of the smallest subnormal */
			return (uint16_t)sign;
		shift = 126 - (magnitude >> 23);
		bits = (magnitude & 0x7fffff) | 0x800000;
		half = bits >> shift;
		rest = bits & ((1u << shift) - 1);
		middle = 1u << (shift - 1);
	}
	half += rest > middle || (rest == middle && (half & 1));
	return (uint16_t)(sign | half);
}

static uint32_t saturate_texel(struct texel_format f, uint32_t value)
{
	unsigned bits = 8u * f.bytes;

	if (f.bytes == 4)
		return value;
	if (f.type == TEXEL_SIGNED) {
		int32_t most = (1 << (bits - 1)) - 1, v = (int32_t)value;

		return (uint32_t)(v > most ? most : v < -most - 1 ? -most - 1 : v);
	}
	return value >> bits ? (1u << bits) - 1 : value;
}

unsigned surface_pack(struct texel_format f, const uint32_t component[4], uint8_t texel[16])
{
	for (unsigned c = 0; c < f.channels; c++) {
		uint32_t word = component[c];
		float value;

		if (f.type != TEXEL_FLOAT) {
			word = saturate_texel(f, word);
		} else if (f.bytes == 2) {
			memcpy(&value, &word, sizeof(value));
			word = float_to_half(value);
		}
		memcpy(texel + c * f.bytes, &word, f.bytes); /* little-endian, as the device */
	}
	return texel_bytes(f);
}
