/* memsys/texture/texture_table.c -- handles of textures, samplers and surfaces.
 *
 * A handle carries a mark that no address has, a serial number, so that a handle that was destroyed is
 * recognised, and the index of its entry. Entries stay where they are while the table grows. */
#include "memsys/texture/texture.h"
#include "sim/base/xalloc.h"

#define MARK       UINT64_C(0x7465780000000000) /* "tex" */
#define MARK_MASK  UINT64_C(0xffffff0000000000)
#define INDEX_BITS 20

struct entry {
	struct texture texture;
	uint32_t serial;
	uint32_t next_free; /* index + 1 */
};

struct texture_table {
	struct entry **entries;
	uint32_t count, capacity;
	uint32_t free; /* index + 1; 0: none */
};

struct texture_table *texture_table_new(void)
{
	return xcalloc(1, sizeof(struct texture_table));
}

void texture_table_free(struct texture_table *table)
{
	for (uint32_t i = 0; i < table->count; i++)
		free(table->entries[i]);
	free(table->entries);
	free(table);
}

static uint64_t handle_of(const struct entry *e, uint32_t index)
{
	return MARK | (uint64_t)(e->serial & 0xfffff) << INDEX_BITS | index;
}

static uint32_t new_index(struct texture_table *t)
{
	uint32_t index;

	if (t->free) {
		index = t->free - 1;
		t->free = t->entries[index]->next_free;
		return index;
	}
	bug_if(t->count >> INDEX_BITS, "more than %u textures at once", 1u << INDEX_BITS);
	if (t->count == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : 16;
		t->entries = xrealloc(t->entries, t->capacity * sizeof(*t->entries));
	}
	t->entries[t->count] = xcalloc(1, sizeof(struct entry));
	return t->count++;
}

uint64_t texture_create(struct device_memory *memory, enum texture_kind kind)
{
	struct texture_table *t = memory_textures(memory);
	uint32_t index = new_index(t);
	struct entry *e = t->entries[index];

	e->serial++;
	e->texture = (struct texture){ .kind = (uint8_t)kind, .sampler = texture_default_sampler() };
	return handle_of(e, index);
}

static struct entry *find_texture(const struct device_memory *memory, uint64_t handle, uint32_t *index)
{
	const struct texture_table *t = memory_textures(memory);

	*index = (uint32_t)(handle & ((1u << INDEX_BITS) - 1));
	if ((handle & MARK_MASK) != MARK || *index >= t->count)
		return NULL;
	if (t->entries[*index]->texture.kind == TEXTURE_FREE ||
		handle_of(t->entries[*index], *index) != handle)
		return NULL;
	return t->entries[*index];
}

struct texture *texture_find(const struct device_memory *memory, uint64_t handle)
{
	uint32_t index;
	struct entry *e = find_texture(memory, handle, &index);

	return e ? &e->texture : NULL;
}

uint64_t texture_next(const struct device_memory *memory, uint64_t handle)
{
	const struct texture_table *t = memory_textures(memory);
	uint32_t index = handle ? (uint32_t)(handle & ((1u << INDEX_BITS) - 1)) + 1 : 0;

	for (; index < t->count; index++)
		if (t->entries[index]->texture.kind != TEXTURE_FREE)
			return handle_of(t->entries[index], index);
	return 0;
}

void texture_destroy(struct device_memory *memory, uint64_t handle)
{
	struct texture_table *t = memory_textures(memory);
	uint32_t index;
	struct entry *e = find_texture(memory, handle, &index);

	if (!e)
		return;
	e->texture.kind = TEXTURE_FREE;
	e->next_free = t->free;
	t->free = index + 1;
}

struct texture_sampler texture_default_sampler(void)
{
	return (struct texture_sampler){ .max_level = TEXTURE_LEVELS };
}
