/* core/exec/exec_texture.c -- texture fetches, lane by lane: the arithmetic of sampling is
 * memsys/texture/texture.c's, the same for every vector level.
 *
 * What was touched is left in x->texel: up to four sets of a lane's rows of texels, for those who time the
 * access. Lanes mostly share a handle, so it is looked up when it differs from that of the lane before. */
#include "core/exec/textures.h"

struct fetch {
	const ROW_U32 *at[3], *layer, *level, *gradient[6], *offset[3];
	unsigned dims;
};

static void find_coordinate_rows(const struct exec *x, const struct uop *u, struct fetch *f)
{
	unsigned n = 0;

	*f = (struct fetch){ .dims = u->imm & TEXTURE_DIMS };
	for (unsigned i = 0; i < f->dims; i++)
		f->at[i] = extra_row(x, u, n++);
	if (u->imm & TEXTURE_LAYERED)
		f->layer = extra_row(x, u, n++);
	if (u->imm & TEXTURE_LEVEL)
		f->level = extra_row(x, u, n++);
	if (u->imm & TEXTURE_GRADIENT)
		for (unsigned i = 0; i < 2 * f->dims; i++)
			f->gradient[i] = extra_row(x, u, n++);
	if (u->imm & TEXTURE_OFFSET)
		for (unsigned i = 0; i < f->dims; i++)
			f->offset[i] = extra_row(x, u, n++);
}

static float level_of(const struct uop *u, const struct fetch *f, const struct texture *t,
	const struct texture_sampler *s, unsigned lane)
{
	float dx[3] = { 0 }, dy[3] = { 0 };

	if (f->level)
		return u->imm & TEXTURE_INTEGER ? (float)(int32_t)f->level[lane] : as_float(f->level[lane]);
	if (!f->gradient[0])
		return 0;
	for (unsigned i = 0; i < f->dims; i++) {
		dx[i] = as_float(f->gradient[i][lane]);
		dy[i] = as_float(f->gradient[f->dims + i][lane]);
	}
	return texture_gradient_level(t, s, f->dims, dx, dy);
}

static struct texel_request texel_request_of_lane(const struct uop *u, const struct fetch *f,
	const struct texture *t, const struct texture_sampler *s, unsigned lane)
{
	struct texel_request q = { .dims = (uint8_t)f->dims,
		.is_cube = u->imm & TEXTURE_CUBE,
		.is_integer = u->imm & TEXTURE_INTEGER,
		.layer = f->layer ? f->layer[lane] : 0,
		.level = level_of(u, f, t, s, lane) };

	for (unsigned i = 0; i < f->dims; i++) {
		q.at[i].i = (int32_t)f->at[i][lane];
		q.offset[i] = f->offset[i] ? (int32_t)((f->offset[i][lane] & 15) ^ 8) - 8 : 0; /* -8 .. 7 */
	}
	return q;
}

/* .f16 and .f16x2 results from floats; integers are truncated to 16 bits. */
static void narrow_results(const struct uop *u, bool is_float, uint32_t value[4])
{
	if (!(u->imm & (TEXTURE_HALF | TEXTURE_HALF2)))
		return;
	for (unsigned i = 0; i < 4; i++)
		value[i] = is_float ? float_to_half(as_float(value[i])) : value[i] & 0xffff;
	if (u->imm & TEXTURE_HALF2) {
		value[0] |= value[1] << 16;
		value[1] = value[2] | value[3] << 16;
	}
}

static void put_results(struct exec *x, const struct uop *u, unsigned lane, const struct texel_result *r)
{
	for (unsigned i = 0; i < u->vector; i++)
		if (u->dst[i] != UOP_NONE)
			x->registers[u->dst[i]][lane] = r->value[i];
	for (unsigned i = 0; i < r->touched_count; i++)
		add_texel(x, i, lane, r->touched[i]);
}

/* A sampler of its own says how to filter; how texels are read, and whether coordinates are normalised unless
 * the sampler forces them not to be, is still the texture's. */
static struct texture_sampler both_samplers(
	const struct texture_sampler *texture, const struct texture_sampler *sampler)
{
	struct texture_sampler both = *texture;

	memcpy(both.address, sampler->address, sizeof(both.address));
	both.filter = sampler->filter;
	both.is_normalized &= sampler->is_normalized;
	return both;
}

static void fetch_lanes(struct exec *x, const struct uop *u, lane_mask active)
{
	struct found texture = { 0 }, sampler = { 0 };
	struct fetch f;
	SOURCE(handle, U64, 0);
	const ROW_U64 *sampler_row = u->src[1] == UOP_NONE ? NULL : source(x, u->src[1]);

	forget_texels(x);
	find_coordinate_rows(x, u, &f);
	for_each_lane (l, active) {
		struct texel_result r;
		struct texel_request q;
		const struct texture_sampler *s;
		struct texture_sampler both;

		if (!find_bound(x, u, l, handle_row[l], TEXTURE_FETCHED, &texture) ||
			(sampler_row && !find_texture(x, u, l, sampler_row[l], TEXTURE_SAMPLER, &sampler)))
			return;
		if (u->imm & TEXTURE_CUBE && (!texture.texture->is_cube || texture.texture->layers < 6)) {
			texture_fault(x, u, FAULT_NO_CUBE, l, handle_row[l]);
			return;
		}
		s = &texture.texture->sampler;
		if (sampler_row) {
			both = both_samplers(s, &sampler.texture->sampler);
			s = &both;
		}
		q = texel_request_of_lane(u, &f, texture.texture, s, l);
		if (u->code == UOP_TLD4)
			texture_gather(texture.texture, s, &q,
				(unsigned)(u->imm >> TEXTURE_COMPONENT_SHIFT) & 3, &r);
		else
			texture_fetch(texture.texture, s, &q, &r);
		narrow_results(u, texture_reads_floats(texture.texture, s), r.value);
		put_results(x, u, l, &r);
	}
}

EXEC(TEX)
{
	fetch_lanes(x, u, active);
}

EXEC(TLD4)
{
	fetch_lanes(x, u, active);
}
