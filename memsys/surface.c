/* memsys/surface.c -- where a surface access falls, and texels made from components. */
#include "memsys/texture.h"
#include <string.h>

static int32_t clamp(int64_t value, int64_t most)
{
	return (int32_t)(value < 0 ? 0 : value > most ? most : value);
}

enum surface_outcome surface_place(const struct texture *t, const struct surface_request *q, addr *place)
{
	const struct texture_level *l = &t->levels[0];
	int64_t texel = texel_bytes(t->format), x = q->is_sample ? q->at[0] * texel : q->at[0];
	int64_t y = q->dims > 1 ? q->at[1] : 0, z = q->dims > 2 ? q->at[2] : 0;
	int64_t last_x = (int64_t)l->width * texel - q->bytes, last_y = (int64_t)l->height - 1;
	int64_t last_z = (t->is_layered || t->is_cube ? (int64_t)t->layers : (int64_t)l->depth) - 1;
	bool is_inside;

	if (q->is_layered)
		z = q->layer;
	is_inside = x >= 0 && x <= last_x && y >= 0 && y <= last_y && z >= 0 && z <= last_z;

	if (!is_inside && q->mode != SURFACE_CLAMP)
		return q->mode == SURFACE_TRAP ? SURFACE_FAULT : SURFACE_OUTSIDE;
	if (last_x < 0)
		return SURFACE_FAULT; /* wider than the whole row */
	if (x % q->bytes)
		return SURFACE_MISALIGNED;
	x = clamp(x, last_x);
	y = clamp(y, last_y);
	z = clamp(z, last_z);
	*place = l->base + (uint64_t)z * l->slice + (uint64_t)y * l->pitch + (uint64_t)x;
	return SURFACE_INSIDE;
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

static uint32_t saturate(struct texel_format f, uint32_t value)
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
			word = saturate(f, word);
		} else if (f.bytes == 2) {
			memcpy(&value, &word, sizeof(value));
			word = float_to_half(value);
		}
		memcpy(texel + c * f.bytes, &word, f.bytes); /* little-endian, as the device */
	}
	return texel_bytes(f);
}
