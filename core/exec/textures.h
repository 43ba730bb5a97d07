/* core/exec/textures.h -- handles to descriptors, faults, and what texture and surface instructions leave for
 * the timing. */
#ifndef CORE_EXEC_TEXTURES_H
#define CORE_EXEC_TEXTURES_H

#include "core/exec/device_fault.h"
#include "core/exec/lanes.h"
#include "memsys/texture/texture.h"

/* A handle as it was last looked up. */
struct found {
	uint64_t handle;
	const struct texture *texture;
};

static inline void texture_fault(
	struct exec *x, const struct uop *u, enum fault_kind kind, unsigned lane, uint64_t handle)
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

static inline void add_texel(struct exec *x, unsigned set, unsigned lane, addr location)
{
	x->texel[set][lane] = location;
	x->texel_mask[set] |= lane_bit[lane];
}

/* Extra source n as a row of words. */
static inline const ROW_U32 *extra_row(const struct exec *x, const struct uop *u, unsigned n)
{
	return source_row(x, x->extra[u->extra + n]);
}

static inline float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

#endif
