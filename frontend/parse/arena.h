/* frontend/parse/arena.h -- an arena: memory that is allocated in pieces and freed all at once. */
#ifndef FRONTEND_PARSE_ARENA_H
#define FRONTEND_PARSE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	max_align_t memory[];
};

struct ptx_arena {
	struct arena_chunk *chunks; /* the newest first */
	char *at, *end;             /* the free part of the newest chunk */
};

struct ptx_arena *arena_new(void);
void arena_free(struct ptx_arena *arena); /* NULL is allowed */

/* Frees everything but the newest chunk, which is used again. */
void arena_reset(struct ptx_arena *arena);

/* Zeroed memory, aligned for any type. Ends the process if there is no memory. */
void *arena_alloc(struct ptx_arena *arena, size_t size);
/* Not zeroed. */
void *arena_copy(struct ptx_arena *arena, const void *data, size_t size);
char *arena_string(struct ptx_arena *arena, const char *text, size_t length);

/* An array of *count elements with room for one more: grows by doubling; the old copy stays in the arena. */
void *arena_grow(struct ptx_arena *arena, void *array, uint32_t count, size_t element);
/* The same for arrays that are emptied and filled again, or that others may have made: *room is how many
 * elements it has room for. 256 at first. */
void *arena_enlarge(struct ptx_arena *arena, void *array, uint32_t count, uint32_t *room, size_t element);

#define arena_new_of(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array_of(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

#endif
