/* memsys/tags.h -- a set-associative tag array: which lines are where, and which one goes next.
 *
 * Used by the caches of the SMs and by the L2. A line is named by its index (set * ways + way) and keyed by the whole
 * line address. A line with pins is reserved: something for it is in flight, and it is never a victim. `valid` and
 * `dirty` are byte masks of a 128-byte line (only if asked for). Look-up and choice are linear in the ways, no more. */
#ifndef MEMSYS_TAGS_H
#define MEMSYS_TAGS_H

#include "sim/random.h"
#include "sim/types.h"

#define TAGS_NONE UINT32_MAX
#define TAGS_FREE UINT64_MAX        /* key of an empty line */
#define LINE_SECTORS 4              /* of 32 bytes: the words of a byte mask */

enum tags_policy { TAGS_LRU, TAGS_FIFO, TAGS_RANDOM };

struct byte_mask { uint32_t sector[LINE_SECTORS]; };    /* bit b of word w: byte 32 w + b */

struct tags {
	uint32_t sets, ways, line_bytes;
	enum tags_policy policy;
	struct sim_random *random;  /* TAGS_RANDOM: set by the owner after tags_init, and the owner's to free */
	uint32_t set_mask;          /* sets - 1 if sets is a power of two, else 0 */
	uint32_t line_shift;
	uint32_t (*index)(addr line_number, uint32_t sets);   /* memsys/index; NULL: line number modulo sets */
	uint64_t clock;             /* grows with every use: ages are exact */
	uint64_t *key, *used;       /* line address; clock when last used (FIFO: when taken) */
	uint32_t *pins;             /* requests in flight for the line */
	struct byte_mask *valid, *dirty;   /* NULL unless with_masks */
};

void tags_init(struct tags *tags, uint32_t sets, uint32_t ways, uint32_t line_bytes, enum tags_policy policy,
	bool with_masks);
void tags_fini(struct tags *tags);

static inline addr tags_key(const struct tags *t, addr address)
{
	return address >> t->line_shift << t->line_shift;
}
/* The set that an address belongs to. */
static inline uint32_t tags_set(const struct tags *t, addr address)
{
	addr line = address >> t->line_shift;

	if (t->index)
		return t->index(line, t->sets);
	return (uint32_t)(t->set_mask || t->sets == 1 ? line & t->set_mask : line % t->sets);
}
/* The line that holds key (a line address), reserved or valid, or TAGS_NONE. No use of it is counted. */
static inline uint32_t tags_find(const struct tags *t, addr key)
{
	uint32_t first = tags_set(t, key) * t->ways;

	for (uint32_t i = first; i < first + t->ways; i++)
		if (t->key[i] == key)
			return i;
	return TAGS_NONE;
}
static inline void tags_touch(struct tags *t, uint32_t line)
{
	if (t->policy == TAGS_LRU)
		t->used[line] = ++t->clock;
}
/* Where key would go: an empty line, else the one unused for longest (or taken first, or any); TAGS_NONE if all are reserved.
 * Nothing changes but the random stream. */
uint32_t tags_victim(const struct tags *tags, addr key);
/* Gives the line to key: used now, no pins, masks empty. */
void tags_take(struct tags *tags, uint32_t line, addr key);
/* The line becomes empty; it must have no pins. */
void tags_drop(struct tags *tags, uint32_t line);
void tags_clear(struct tags *tags);
/* Sectors (bit mask) in which any byte of mask is set. */
static inline uint32_t byte_mask_sectors(const struct byte_mask *mask)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(mask->sector[i] != 0) << i;
	return sectors;
}

#endif
