/* frontend/parse/arena.c -- memory that is given out piece by piece and given back all at once. A module's
 * tree lives in one arena, so that freeing it is one call and a parse that fails half-way leaks nothing. */
#include "frontend/parse/arena.h"
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK   (32u << 10)
#define LARGEST_CHUNK (4u << 20)
#define ALIGNMENT     alignof(max_align_t)

static void *allocate_block(size_t size)
{
	void *memory = malloc(size);

	if (!memory) {
		fputs("libptx: out of memory\n", stderr);
		abort();
	}
	return memory;
}

struct ptx_arena *arena_new(void)
{
	struct ptx_arena *arena = allocate_block(sizeof(*arena));

	memset(arena, 0, sizeof(*arena));
	return arena;
}

static void free_chunks(struct arena_chunk *chunk)
{
	while (chunk) {
		struct arena_chunk *next = chunk->next;

		free(chunk);
		chunk = next;
	}
}

void arena_free(struct ptx_arena *arena)
{
	if (!arena)
		return;
	free_chunks(arena->chunks);
	free(arena);
}

void arena_reset(struct ptx_arena *arena)
{
	if (!arena->chunks)
		return;
	if (arena->chunks->next) {
		free_chunks(arena->chunks->next);
		arena->chunks->next = NULL;
	}
	arena->at = (char *)arena->chunks->memory;
}

/* Chunks double, so that small modules stay small and large ones need few. */
static void add_chunk(struct ptx_arena *arena, size_t needed)
{
	size_t size = arena->chunks ? arena->chunks->size * 2 : FIRST_CHUNK;
	struct arena_chunk *chunk;

	if (size > LARGEST_CHUNK)
		size = LARGEST_CHUNK;
	if (size < needed)
		size = needed;
	chunk = allocate_block(sizeof(*chunk) + size);
	chunk->next = arena->chunks;
	chunk->size = size;
	arena->chunks = chunk;
	arena->at = (char *)chunk->memory;
	arena->end = arena->at + size;
}

static void *take_bytes(struct ptx_arena *arena, size_t size)
{
	void *memory;

	size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if ((size_t)(arena->end - arena->at) < size || !arena->chunks)
		add_chunk(arena, size);
	memory = arena->at;
	arena->at += size;
	return memory;
}

void *arena_alloc(struct ptx_arena *arena, size_t size)
{
	return memset(take_bytes(arena, size), 0, size);
}

void *arena_copy(struct ptx_arena *arena, const void *data, size_t size)
{
	void *memory = take_bytes(arena, size);

	if (size)
		memcpy(memory, data, size);
	return memory;
}

char *arena_string(struct ptx_arena *arena, const char *text, size_t length)
{
	char *copy = take_bytes(arena, length + 1);

	memcpy(copy, text, length);
	copy[length] = 0;
	return copy;
}

void *arena_grow(struct ptx_arena *arena, void *array, uint32_t count, size_t element)
{
	char *larger;
	size_t capacity;

	if (count & (count - 1) || (count && count < 4)) /* full only at 0, 4, 8, 16 ... */
		return array;
	capacity = count ? (size_t)count * 2 : 4;
	larger = take_bytes(arena, capacity * element);
	if (count)
		memcpy(larger, array, count * element);
	memset(larger + count * element, 0, (capacity - count) * element);
	return larger;
}

void *arena_enlarge(struct ptx_arena *arena, void *array, uint32_t count, uint32_t *room, size_t element)
{
	void *larger;

	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 256;
	larger = arena_alloc(arena, *room * element);
	if (count)
		memcpy(larger, array, count * element);
	return larger;
}
