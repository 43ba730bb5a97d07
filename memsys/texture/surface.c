/* memsys/texture/surface.c -- where a surface access falls. */
#include "memsys/texture/texture.h"

static int32_t clamp_coordinate(int64_t value, int64_t most)
{
	return (int32_t)(value < 0 ? 0 : value > most ? most : value);
}

enum surface_outcome surface_location(
	const struct texture *t, const struct surface_request *q, addr *location, addr *timed)
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
	x = clamp_coordinate(x, last_x);
	y = clamp_coordinate(y, last_y);
	z = clamp_coordinate(z, last_z);
	*location = l->base + (uint64_t)z * l->slice + (uint64_t)y * l->pitch + (uint64_t)x;
	*timed = t->layout == LAYOUT_BLOCK_LINEAR
		? block_linear_address(l, (uint64_t)z, (uint64_t)y, (uint64_t)x)
		: *location;
	return SURFACE_INSIDE;
}
