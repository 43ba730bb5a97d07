/* core/exec/exec_surface.c -- surface loads, stores and reductions. Stores and reductions are recorded like
 * those of device memory and take effect at commit. */
#include "core/exec/textures.h"
#include "core/exec/write.h"

static struct surface_request surface_at(
	const struct exec *x, const struct uop *u, unsigned first, unsigned lane, unsigned bytes)
{
	unsigned dims = u->imm & TEXTURE_DIMS;
	struct surface_request q = { .dims = (uint8_t)dims,
		.is_layered = u->imm & TEXTURE_LAYERED,
		.mode = (u->imm >> TEXTURE_MODE_SHIFT) & 3,
		.is_sample = u->imm & TEXTURE_SAMPLE,
		.bytes = bytes };

	for (unsigned i = 0; i < dims; i++)
		q.at[i] = (int32_t)extra_row(x, u, first + i)[lane];
	if (q.is_layered)
		q.layer = extra_row(x, u, first + dims)[lane];
	return q;
}

static void surface_fault(struct exec *x, const struct uop *u, enum surface_outcome outcome, unsigned lane,
	uint64_t handle, const struct surface_request *q)
{
	texture_fault(x, u, outcome == SURFACE_FAULT ? FAULT_SURFACE_OUT_OF_BOUNDS : FAULT_SURFACE_MISALIGNED,
		lane, handle);
	memcpy(x->fault->coordinates, q->at, sizeof(q->at));
	x->fault->bytes = q->bytes;
	x->fault->is_store = u->code != UOP_SULD;
}

/* Finds where each lane's access falls: x->address, for the timing x->texel[0], and its mask. first: where
 * coordinates begin among the extra sources. bytes 0: one texel. False after a fault. */
static bool place_lanes(struct exec *x, const struct uop *u, lane_mask active, unsigned first, unsigned bytes)
{
	struct found surface = { 0 };
	SOURCE(handle, U64, 0);

	forget_texels(x);
	for_each_lane (l, active) {
		struct surface_request q;
		enum surface_outcome outcome;
		addr timed;

		if (!find_bound(x, u, l, handle_row[l], TEXTURE_SURFACE, &surface))
			return false;
		x->texel_bytes = (uint8_t)(bytes ? bytes : texel_bytes(surface.texture->format));
		q = surface_at(x, u, first, l, x->texel_bytes);
		outcome = surface_location(surface.texture, &q, &x->address[l], &timed);
		if (outcome == SURFACE_FAULT || outcome == SURFACE_MISALIGNED) {
			surface_fault(x, u, outcome, l, handle_row[l], &q);
			return false;
		}
		if (outcome == SURFACE_INSIDE)
			add_texel(x, 0, l, timed);
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
		for_each_lane (l, x->texel_mask[0])
			memcpy(&value[l], (uint8_t *)memory_host(x->address[l]) + e * u->bytes, u->bytes);
		if (u->reg_bytes == 8) {
			PUT(destination_row(x, u->dst[e]), value);
		} else {
			LANES word[l] = (uint32_t)value[l];
			PUT(destination_row(x, u->dst[e]), word);
		}
	}
}

static struct exec_write *record_surface_write(struct exec *x, const struct uop *u)
{
	struct exec_write *w = &x->writes[x->write_count];

	bug_if(x->write_count >= EXEC_WRITES, "more than %d stores and atomics await commit", EXEC_WRITES);
	x->write_count++;
	w->uop = u;
	w->mask = x->texel_mask[0];
	w->registers = x->registers;
	memcpy(w->address, x->address, sizeof(w->address));
	return w;
}

/* The bytes that one lane stores, up to 16. */
static void store_bytes(const struct exec *x, const struct uop *u, unsigned lane, uint8_t bytes[16])
{
	for (unsigned e = 0; e < u->vector; e++) {
		const uint8_t *row = source_row(x, x->extra[u->extra + e]);

		memcpy(bytes + e * u->bytes, row + lane * u->reg_bytes, u->bytes);
	}
}

/* Four components, those that were not given 0, to a texel of the surface's format. */
static void store_components(const struct exec *x, const struct uop *u, unsigned lane,
	struct texel_format format, uint8_t bytes[16])
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

	if (!place_lanes(x, u, active, u->vector, is_sample ? 0 : (unsigned)u->bytes * u->vector) ||
		!x->texel_mask[0])
		return;
	w = record_surface_write(x, u);
	w->texel_bytes = x->texel_bytes;
	for_each_lane (l, w->mask) {
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
static const struct uop signed_min = {
	.code = UOP_SURED, .dst = { UOP_NONE }, .bytes = 4, .compare = ATOM_MIN, .type = PTX_S32
};
static const struct uop signed_max = {
	.code = UOP_SURED, .dst = { UOP_NONE }, .bytes = 4, .compare = ATOM_MAX, .type = PTX_S32
};

EXEC(SURED)
{
	const void *row = source_row(x, x->extra[u->extra]);
	struct exec_write *w;
	SOURCE(handle, U64, 0);

	if (!place_lanes(x, u, active, 1, u->bytes) || !x->texel_mask[0])
		return;
	w = record_surface_write(x, u);
	memcpy(w->data, row, (size_t)u->bytes * WARP_SIZE);
	if (u->imm & TEXTURE_SAMPLE &&
		texture_find(x->memory, handle_row[first_lane(w->mask)])->format.type == TEXEL_SIGNED)
		w->uop = u->compare == ATOM_MIN ? &signed_min : u->compare == ATOM_MAX ? &signed_max : u;
}
