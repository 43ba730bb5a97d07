/* core/exec/exec_query.c -- what can be asked of a texture, sampler or surface. Numbers of channel types and
 * orders are those of the PTX ISA's tables. */
#include "core/exec/textures.h"

static uint32_t channel_data_type(const struct texture *t)
{
	static const uint16_t whole[2][3] = { { 0x10da, 0x10db, 0x10dc }, { 0x10d7, 0x10d8, 0x10d9 } };
	static const uint16_t fraction[2][2] = { { 0x10d2, 0x10d3 }, { 0x10d0, 0x10d1 } };
	unsigned size = t->format.bytes == 4 ? 2 : t->format.bytes - 1;

	if (t->format.type == TEXEL_FLOAT)
		return t->format.bytes == 2 ? 0x10dd : 0x10de;
	if (t->kind == TEXTURE_FETCHED && texture_reads_floats(t, &t->sampler))
		return fraction[t->format.type == TEXEL_SIGNED][size];
	return whole[t->format.type == TEXEL_SIGNED][size];
}

static uint32_t channel_order(const struct texture *t)
{
	return t->format.channels == 1 ? 0x10b0 : t->format.channels == 2 ? 0x10b2 : 0x10b5;
}

static uint32_t property(const struct texture *t, unsigned query, uint32_t level)
{
	const struct texture_level *at = &t->levels[level < t->level_count ? level : 0];

	switch ((enum uop_query)query) {
	case QUERY_WIDTH:
		return at->width;
	case QUERY_HEIGHT:
		return at->height;
	case QUERY_DEPTH:
		return at->depth;
	case QUERY_CHANNEL_DATA_TYPE:
		return channel_data_type(t);
	case QUERY_CHANNEL_ORDER:
		return channel_order(t);
	case QUERY_ARRAY_SIZE:
		return t->is_cube ? t->layers / 6 : t->layers;
	case QUERY_NORMALIZED_COORDS:
		return t->sampler.is_normalized;
	case QUERY_NUM_MIPMAP_LEVELS:
		return t->level_count;
	case QUERY_NUM_SAMPLES:
		return 1;
	case QUERY_FORCE_UNNORMALIZED_COORDS:
		return !t->sampler.is_normalized;
	case QUERY_FILTER_MODE:
		return t->sampler.filter;
	case QUERY_ADDR_MODE_0:
	case QUERY_ADDR_MODE_1:
	case QUERY_ADDR_MODE_2:
		return t->sampler.address[query - QUERY_ADDR_MODE_0];
	default:
		return 0;
	}
}

EXEC(TXQ)
{
	unsigned query = u->imm & (QUERY_OF_SURFACE - 1);
	bool is_sampler = query >= QUERY_FORCE_UNNORMALIZED_COORDS, is_surface = u->imm & QUERY_OF_SURFACE;
	const ROW_U32 *level = u->src[1] == UOP_NONE ? NULL : source_row(x, u->src[1]);
	uint32_t out[WARP_SIZE] ROW_ALIGNED = { 0 };
	struct found f = { 0 };
	SOURCE(handle, U64, 0);

	for_each_lane (l, active) {
		const struct texture *t = is_sampler ? texture_find(x->memory, handle_row[l]) : NULL;

		if (t && t->kind == TEXTURE_SAMPLER) {
			out[l] = property(t, query, 0);
			continue;
		}
		if (!find_bound(x, u, l, handle_row[l], is_surface ? TEXTURE_SURFACE : TEXTURE_FETCHED, &f))
			return;
		out[l] = property(f.texture, query, level ? level[l] : 0);
	}
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(ISTYPEP)
{
	lane_mask is = 0;
	SOURCE(handle, U64, 0);

	for_each_lane (l, active) {
		const struct texture *t = texture_find(x->memory, handle_row[l]);

		is |= t && t->kind == u->imm ? lane_bit[l] : 0;
	}
	put_predicate(x, u->dst[0], is, active);
}
