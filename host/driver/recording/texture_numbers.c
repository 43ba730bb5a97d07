/* host/driver/recording/texture_numbers.c -- one table for both directions: where each number is, and the
 * most that it can be. */
#include "host/driver/recording/texture_numbers.h"

#include <string.h>

struct field {
	size_t offset, bytes;
	uint64_t most;
};
#define FIELD(member, most) \
	{ \
		offsetof(struct texture, member), sizeof(((struct texture *)0)->member), most \
	}

static const struct field head[] = { FIELD(kind, TEXTURE_SURFACE), FIELD(is_bound, 1),
	FIELD(layout, LAYOUT_BLOCK_LINEAR), FIELD(is_cube, 1), FIELD(is_layered, 1),
	FIELD(format.type, TEXEL_FLOAT), FIELD(format.bytes, 4), FIELD(format.channels, 4),
	FIELD(layers, UINT32_MAX), FIELD(level_count, TEXTURE_LEVELS), FIELD(start, UINT64_MAX),
	FIELD(bytes, UINT64_MAX) };

static const struct field sampler[] = { FIELD(sampler.address[0], ADDRESS_BORDER),
	FIELD(sampler.address[1], ADDRESS_BORDER), FIELD(sampler.address[2], ADDRESS_BORDER),
	FIELD(sampler.filter, FILTER_LINEAR), FIELD(sampler.mip_filter, FILTER_LINEAR),
	FIELD(sampler.is_normalized, 1), FIELD(sampler.is_raw, 1), FIELD(sampler.is_srgb, 1),
	FIELD(sampler.bias, UINT32_MAX), FIELD(sampler.min_level, UINT32_MAX),
	FIELD(sampler.max_level, UINT32_MAX), FIELD(sampler.border[0], UINT32_MAX),
	FIELD(sampler.border[1], UINT32_MAX), FIELD(sampler.border[2], UINT32_MAX),
	FIELD(sampler.border[3], UINT32_MAX) };

static const struct field level[] = { FIELD(levels[0].base, UINT64_MAX), FIELD(levels[0].width, UINT32_MAX),
	FIELD(levels[0].height, UINT32_MAX), FIELD(levels[0].depth, UINT32_MAX),
	FIELD(levels[0].pitch, UINT64_MAX), FIELD(levels[0].slice, UINT64_MAX) };

#define COUNT(table) (sizeof(table) / sizeof *(table))
_Static_assert(COUNT(head) + COUNT(level) * TEXTURE_LEVELS + COUNT(sampler) == TEXTURE_NUMBERS, "one each");

/* Of number i: the field, and how far behind its own offset it is. */
static const struct field *field_of(size_t i, size_t *behind)
{
	*behind = 0;
	if (i < COUNT(head))
		return &head[i];
	i -= COUNT(head);
	if (i < COUNT(sampler))
		return &sampler[i];
	i -= COUNT(sampler);
	*behind = i / COUNT(level) * sizeof(struct texture_level);
	return &level[i % COUNT(level)];
}

void texture_to_numbers(const struct texture *t, uint64_t numbers[TEXTURE_NUMBERS])
{
	for (size_t i = 0; i < TEXTURE_NUMBERS; i++) {
		size_t behind;
		const struct field *f = field_of(i, &behind);

		numbers[i] = 0;
		memcpy(&numbers[i], (const char *)t + f->offset + behind, f->bytes);
	}
}

static bool is_part(uint64_t value)
{
	return value == 1 || value == 2 || value == 4;
}

/* Whether all texels of a level lie in one live allocation. */
static bool level_lies(const struct device_memory *memory, const struct texture *t, uint32_t i)
{
	const struct texture_level *l = &t->levels[i];
	struct memory_range range = memory_find(memory, l->base);
	uint64_t row = (uint64_t)l->width * texel_bytes(t->format), rows, last;

	if (!l->width || !l->height || !l->depth || range.start == range.end)
		return false;
	rows = (uint64_t)l->depth * t->layers - 1; /* slices but the last */
	return !__builtin_mul_overflow(rows, l->slice, &last) &&
		!__builtin_mul_overflow((uint64_t)l->height - 1, l->pitch, &rows) &&
		!__builtin_add_overflow(last, rows, &last) && !__builtin_add_overflow(last, row, &last) &&
		last <= range.end - l->base;
}

bool texture_from_numbers(
	const struct device_memory *memory, struct texture *t, const uint64_t numbers[TEXTURE_NUMBERS])
{
	*t = (struct texture){ 0 };
	for (size_t i = 0; i < TEXTURE_NUMBERS; i++) {
		size_t behind;
		const struct field *f = field_of(i, &behind);

		if (numbers[i] > f->most)
			return false;
		memcpy((char *)t + f->offset + behind, &numbers[i], f->bytes);
	}
	if (t->kind == TEXTURE_FREE)
		return false;
	if (!t->is_bound)
		return true;
	if (!is_part(t->format.bytes) || !is_part(t->format.channels) || !t->layers || !t->level_count)
		return false;
	for (uint32_t i = 0; i < t->level_count; i++) /* a program may free what no kernel fetches any more */
		t->is_bound &= level_lies(memory, t, i);
	return true;
}
