/* core/exec/exec_texture.c -- texture fetches, surface accesses and their queries, lane by lane: the arithmetic of
 * sampling is memsys/texture.c's, the same for every vector level.
 *
 * What was touched is left in x->texel: up to four sets of a lane's rows of texels, for those who time the access.
 * Lanes mostly share a handle, so it is looked up when it differs from that of the lane before. */
#include "core/exec/lanes.h"
#include "core/exec/write.h"
#include "memsys/texture.h"

/* A handle as it was last looked up. */
struct found {
	uint64_t handle;
	const struct texture *texture;
};

static void texture_fault(struct exec *x, const struct uop *u, enum fault_kind kind, unsigned lane, uint64_t handle)
{
	x->faulted = true;
	*x->fault = (struct device_fault){ .kind = kind, .line = u->line, .lane = lane, .address = handle };
}

static inline bool find_texture(struct exec *x, const struct uop *u, unsigned lane, uint64_t handle,
	enum texture_kind kind, struct found *f)
{
	if (f->texture && f->handle == handle)
		return true;
	f->handle = handle;
	f->texture = texture_find(x->memory, handle);
	if (f->texture && f->texture->kind == kind)
		return true;
	f->texture = NULL;
	texture_fault(x, u, FAULT_NO_TEXTURE, lane, handle);
	return false;
}

/* The same, and there must be live memory behind it. */
static inline bool find_bound(struct exec *x, const struct uop *u, unsigned lane, uint64_t handle,
	enum texture_kind kind, struct found *f)
{
	const struct texture *t = f->texture;
	struct memory_range range;

	if (t && f->handle == handle)
		return true;
	if (!find_texture(x, u, lane, handle, kind, f))
		return false;
	t = f->texture;
	if (t->is_bound) {
		range = memory_find(x->memory, t->start);
		if (t->bytes <= range.end - t->start && range.end)
			return true;
	}
	f->texture = NULL;
	texture_fault(x, u, t->is_bound ? FAULT_FREED_TEXTURE : FAULT_UNBOUND_TEXTURE, lane, handle);
	return false;
}

static inline void forget_texels(struct exec *x)
{
	memset(x->texel_mask, 0, sizeof(x->texel_mask));
}

static inline void add_texel(struct exec *x, unsigned set, unsigned lane, addr place)
{
	x->texel[set][lane] = place;
	x->texel_mask[set] |= lane_bit[lane];
}

/* Extra source n as a row of words. */
static inline const ROW_U32 *extra_row(const struct exec *x, const struct uop *u, unsigned n)
{
	return source(x, x->extra[u->extra + n]);
}

static inline float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

/* -- fetches -- */

struct fetch {
	const ROW_U32 *at[3], *layer, *level, *gradient[6], *offset[3];
	unsigned dims;
};

static void find_rows(const struct exec *x, const struct uop *u, struct fetch *f)
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

static struct texel_request request_of(const struct uop *u, const struct fetch *f, const struct texture *t,
	const struct texture_sampler *s, unsigned lane)
{
	struct texel_request q = { .dims = (uint8_t)f->dims, .is_cube = u->imm & TEXTURE_CUBE,
		.is_integer = u->imm & TEXTURE_INTEGER, .layer = f->layer ? f->layer[lane] : 0,
		.level = level_of(u, f, t, s, lane) };

	for (unsigned i = 0; i < f->dims; i++) {
		q.at[i].i = (int32_t)f->at[i][lane];
		q.offset[i] = f->offset[i] ? (int32_t)((f->offset[i][lane] & 15) ^ 8) - 8 : 0; /* -8 .. 7 */
	}
	return q;
}

/* .f16 and .f16x2 results from floats; integers stay as they are, cut to 16 bits. */
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

/* A sampler of its own says how to filter; how texels are read, and whether coordinates are normalised unless the
 * sampler forces them not to be, is still the texture's. */
static struct texture_sampler both_samplers(const struct texture_sampler *texture, const struct texture_sampler *sampler)
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
	find_rows(x, u, &f);
	for_each_lane(l, active) {
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
		q = request_of(u, &f, texture.texture, s, l);
		if (u->code == UOP_TLD4)
			texture_gather(texture.texture, s, &q, (unsigned)(u->imm >> TEXTURE_COMPONENT_SHIFT) & 3, &r);
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

/* -- surfaces -- */

static struct surface_request surface_at(const struct exec *x, const struct uop *u, unsigned first, unsigned lane,
	unsigned bytes)
{
	unsigned dims = u->imm & TEXTURE_DIMS;
	struct surface_request q = { .dims = (uint8_t)dims, .is_layered = u->imm & TEXTURE_LAYERED,
		.mode = (u->imm >> TEXTURE_MODE_SHIFT) & 3, .is_sample = u->imm & TEXTURE_SAMPLE, .bytes = bytes };

	for (unsigned i = 0; i < dims; i++)
		q.at[i] = (int32_t)extra_row(x, u, first + i)[lane];
	if (q.is_layered)
		q.layer = extra_row(x, u, first + dims)[lane];
	return q;
}

static void surface_fault(struct exec *x, const struct uop *u, enum surface_outcome outcome, unsigned lane,
	uint64_t handle, const struct surface_request *q)
{
	texture_fault(x, u, outcome == SURFACE_FAULT ? FAULT_SURFACE_OUT_OF_BOUNDS : FAULT_SURFACE_MISALIGNED, lane,
		handle);
	memcpy(x->fault->coordinates, q->at, sizeof(q->at));
	x->fault->bytes = q->bytes;
	x->fault->is_store = u->code != UOP_SULD;
}

/* Finds where each lane's access falls: x->texel[0] and its mask. first: where coordinates begin among the extra sources.
 * bytes 0: one texel. False after a fault. */
static bool place_lanes(struct exec *x, const struct uop *u, lane_mask active, unsigned first, unsigned bytes)
{
	struct found surface = { 0 };
	SOURCE(handle, U64, 0);

	forget_texels(x);
	for_each_lane(l, active) {
		struct surface_request q;
		enum surface_outcome outcome;
		addr place;

		if (!find_bound(x, u, l, handle_row[l], TEXTURE_SURFACE, &surface))
			return false;
		x->texel_bytes = (uint8_t)(bytes ? bytes : texel_bytes(surface.texture->format));
		q = surface_at(x, u, first, l, x->texel_bytes);
		outcome = surface_place(surface.texture, &q, &place);
		if (outcome == SURFACE_FAULT || outcome == SURFACE_MISALIGNED) {
			surface_fault(x, u, outcome, l, handle_row[l], &q);
			return false;
		}
		if (outcome == SURFACE_INSIDE)
			add_texel(x, 0, l, place);
	}
	return true;
}

EXEC(SULD)
{
	uint64_t value[WARP_SIZE] ROW_ALIGNED = { 0 };
	uint32_t word[WARP_SIZE] ROW_ALIGNED;

	if (!place_lanes(x, u, active, 0, (unsigned)u->bytes * u->vector))
		return;
	for (unsigned e = 0; e < u->vector; e++) {
		if (u->dst[e] == UOP_NONE)
			continue;
		memset(value, 0, sizeof(value));
		for_each_lane(l, x->texel_mask[0])
			memcpy(&value[l], (uint8_t *)memory_host(x->texel[0][l]) + e * u->bytes, u->bytes);
		if (u->reg_bytes == 8) {
			PUT(destination(x, u->dst[e]), value);
		} else {
			LANES word[l] = (uint32_t)value[l];
			PUT(destination(x, u->dst[e]), word);
		}
	}
}

static struct exec_write *record(struct exec *x, const struct uop *u)
{
	struct exec_write *w = &x->writes[x->write_count];

	bug_if(x->write_count >= EXEC_WRITES, "more than %d stores and atomics await commit", EXEC_WRITES);
	x->write_count++;
	w->uop = u;
	w->mask = x->texel_mask[0];
	w->registers = x->registers;
	memcpy(w->address, x->texel[0], sizeof(w->address));
	return w;
}

/* The bytes that one lane stores, up to 16. */
static void store_bytes(const struct exec *x, const struct uop *u, unsigned lane, uint8_t bytes[16])
{
	for (unsigned e = 0; e < u->vector; e++) {
		const uint8_t *row = source(x, x->extra[u->extra + e]);

		memcpy(bytes + e * u->bytes, row + lane * u->reg_bytes, u->bytes);
	}
}

/* Four components, those that were not given 0, to a texel of the surface's format. */
static void store_components(const struct exec *x, const struct uop *u, unsigned lane, struct texel_format format,
	uint8_t bytes[16])
{
	uint32_t component[4] = { 0 };

	for (unsigned e = 0; e < u->vector; e++)
		component[e] = extra_row(x, u, e)[lane];
	surface_pack(format, component, bytes);
}

EXEC(SUST)
{
	bool is_sample = u->imm & TEXTURE_SAMPLE;
	SOURCE(handle, U64, 0);
	struct exec_write *w;
	uint8_t bytes[16];

	if (!place_lanes(x, u, active, u->vector, is_sample ? 0 : (unsigned)u->bytes * u->vector) || !x->texel_mask[0])
		return;
	w = record(x, u);
	w->texel_bytes = x->texel_bytes;
	for_each_lane(l, w->mask) {
		memset(bytes, 0, sizeof(bytes));
		if (is_sample)
			store_components(x, u, l, texture_find(x->memory, handle_row[l])->format, bytes);
		else
			store_bytes(x, u, l, bytes);
		for (unsigned i = 0; i < 4; i++)
			memcpy(&w->data[i][l], bytes + 4 * i, 4);
	}
}

/* sured.p on signed texels: the operation as apply_atomic is to see it. */
static const struct uop signed_min = { .code = UOP_SURED, .dst = { UOP_NONE }, .bytes = 4, .compare = ATOM_MIN,
	.type = PTX_S32 };
static const struct uop signed_max = { .code = UOP_SURED, .dst = { UOP_NONE }, .bytes = 4, .compare = ATOM_MAX,
	.type = PTX_S32 };

EXEC(SURED)
{
	const void *row = source(x, x->extra[u->extra]);
	struct exec_write *w;
	SOURCE(handle, U64, 0);

	if (!place_lanes(x, u, active, 1, u->bytes) || !x->texel_mask[0])
		return;
	w = record(x, u);
	memcpy(w->data, row, (size_t)u->bytes * WARP_SIZE);
	if (u->imm & TEXTURE_SAMPLE &&
			texture_find(x->memory, handle_row[first_lane(w->mask)])->format.type == TEXEL_SIGNED)
		w->uop = u->compare == ATOM_MIN ? &signed_min : u->compare == ATOM_MAX ? &signed_max : u;
}

/* -- queries -- */

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
	const ROW_U32 *level = u->src[1] == UOP_NONE ? NULL : source(x, u->src[1]);
	uint32_t out[WARP_SIZE] ROW_ALIGNED = { 0 };
	struct found f = { 0 };
	SOURCE(handle, U64, 0);

	for_each_lane(l, active) {
		const struct texture *t = is_sampler ? texture_find(x->memory, handle_row[l]) : NULL;

		if (t && t->kind == TEXTURE_SAMPLER) {
			out[l] = property(t, query, 0);
			continue;
		}
		if (!find_bound(x, u, l, handle_row[l], is_surface ? TEXTURE_SURFACE : TEXTURE_FETCHED, &f))
			return;
		out[l] = property(f.texture, query, level ? level[l] : 0);
	}
	PUT(destination(x, u->dst[0]), out);
}

EXEC(ISTYPEP)
{
	lane_mask is = 0;
	SOURCE(handle, U64, 0);

	for_each_lane(l, active) {
		const struct texture *t = texture_find(x->memory, handle_row[l]);

		is |= t && t->kind == u->imm ? lane_bit[l] : 0;
	}
	put_predicate(x, u->dst[0], is, active);
}
