/* memsys/tags.h -- a set-associative tag array: which line is where, and which line is replaced next.
 *
 * Used by the caches of the SMs and by the L2. A line is named by its index (set * ways + way) and keyed by
 * the whole line address. A line with pins is reserved: a fetch for it is in flight, and it is never a
 * victim. `valid` and `dirty` are byte masks of a 128-byte line (only with with_masks). The set of an address
 * is computed by the index policy (memsys/index), the victim is chosen by the replacement policy
 * (memsys/replace).
 *
 * Up to TAGS_SCANNED ways a set is searched line by line. Above, lines are found through a hash table and
 * empty lines through a list, so that a fully associative cache of a million lines costs no more for an
 * access than a small one. */
#ifndef MEMSYS_TAGS_H
#define MEMSYS_TAGS_H

#include "memsys/index/fermi.h"
#include "memsys/index/index.h"
#include "sim/base/state.h"

#define TAGS_NONE      UINT32_MAX
#define TAGS_FREE      UINT64_MAX /* key of an empty line */
#define TAGS_SCANNED   16         /* ways: sets of more are hashed */
#define TAGS_MAX_LINES (1u << 24) /* sets x ways */
#define LINE_SECTORS   4          /* of 32 bytes: the words of a byte mask */

struct byte_mask {
	uint32_t sector[LINE_SECTORS];
}; /* bit b of word w: byte 32 w + b */

/* Where a new line enters the replacement order: as the last to be replaced (MRU; or wherever the policy
 * inserts new lines), behind half of the other lines of the set (rounded down), or as the first to be
 * replaced. */
enum tags_position { TAGS_MRU, TAGS_MIDDLE, TAGS_LRU };

struct replace;

struct tags_config {
	uint32_t sets, ways, line_bytes;         /* line_bytes: a power of two */
	uint32_t replace, index;                 /* positions in the lists of policies */
	const struct replace *replace_prototype; /* parameters; NULL: the class's defaults */
	const struct index *index_prototype;
	uint64_t seed, stream; /* for random replacement: of the run; of this cache */
	bool with_masks;
	bool with_persistence; /* lines can persist (tags_persist.c) */
	/* the replacement policy's statistics: `group`.NAME, with this index; NULL: none */
	struct stat_tree *stats;
	const char *group;
	int number;
};

struct tags {
	uint32_t sets, ways, line_bytes;
	uint32_t ways_in_use; /* tags_limit: the others take no lines */
	uint32_t line_shift;
	enum index_inline indexing;
	uint32_t set_mask; /* INDEX_LOWEST_BITS */
	enum tags_touching {
		TAGS_TOUCH_NOT,
		TAGS_TOUCH_CLOCK,
		TAGS_TOUCH_CALL
	} touching; /* the policy's: see tags_touch */
	uint32_t bucket_mask;
	uint32_t *bucket; /* hash table of lines in use; NULL: not more than TAGS_SCANNED ways */
	uint64_t *key;    /* line address */
	uint64_t *used;   /* clock when last used (fifo: when inserted); may be NULL, as the policy wants */
	uint64_t clock;   /* grows with every use: ages are exact */
	uint64_t empty;   /* lines without a key, in the ways in use */
	uint32_t *pins;   /* requests in flight for the line */
	struct byte_mask *valid, *dirty; /* NULL unless with_masks */
	bool *persists;                  /* NULL unless with_persistence */
	uint64_t persisting;             /* lines that do */
	struct index *index;
	struct replace *replace; /* the policy and its state */
	/* more than TAGS_SCANNED ways: */
	uint32_t *chain; /* of a line in use: next in its bucket; of an empty one: next empty of its set */
	uint32_t *free;  /* by set: first empty line */
};

/* false if sizes and policies do not fit together: a sentence in message says why. */
bool tags_config_check(const struct tags_config *config, char *message, size_t size);
void tags_init(struct tags *tags, const struct tags_config *config);
void tags_fini(struct tags *tags);

static inline addr tags_key(const struct tags *t, addr address)
{
	return address >> t->line_shift << t->line_shift;
}
/* The set that an address belongs to. */
static inline uint32_t tags_set(const struct tags *t, addr address)
{
	addr line = address >> t->line_shift;

	if (t->indexing == INDEX_LOWEST_BITS)
		return (uint32_t)line & t->set_mask;
	if (t->indexing == INDEX_FERMI_HASH)
		return fermi_hash(line, t->sets);
	return t->index->class->set(t->index, line);
}
uint32_t tags_find_hashed(const struct tags *tags, addr key);
/* The first line of the key's set. */
static inline uint32_t tags_first(const struct tags *t, addr key)
{
	return tags_set(t, key) * t->ways;
}
/* The line that has key (a line address), reserved or valid, or TAGS_NONE. Does not count as a use. first:
 * the set's, if there is no hash table. */
static inline uint32_t tags_find_from(const struct tags *t, addr key, uint32_t first)
{
	if (t->bucket)
		return tags_find_hashed(t, key);
	for (uint32_t i = first; i < first + t->ways; i++)
		if (t->key[i] == key)
			return i;
	return TAGS_NONE;
}
static inline uint32_t tags_find(const struct tags *t, addr key)
{
	return tags_find_from(t, key, t->bucket ? 0 : tags_first(t, key));
}
void tags_touch_policy(struct tags *tags, uint32_t line);
/* The line was used. */
static inline void tags_touch(struct tags *t, uint32_t line)
{
	if (t->touching == TAGS_TOUCH_CLOCK)
		t->used[line] = ++t->clock;
	else if (t->touching == TAGS_TOUCH_CALL)
		tags_touch_policy(t, line);
}
/* The line to be replaced by key: an empty line, else the one that the policy chooses among those without
 * pins; TAGS_NONE if all have pins. A second call gives the same line (except random replacement, which draws
 * again). */
uint32_t tags_victim(struct tags *tags, addr key);
/* Whether choosing a victim changes nothing, so that tags_has_victim can stand for it until it is needed. */
static inline bool tags_choose_late(const struct tags *t)
{
	return t->touching == TAGS_TOUCH_CLOCK && !t->bucket;
}
/* Whether the set that begins with that line has one without pins. Up to TAGS_SCANNED ways. */
static inline bool tags_has_victim(const struct tags *t, uint32_t first)
{
	const uint32_t *pins = &t->pins[first];
	bool has = false;

	for (uint32_t i = 0; i < t->ways && !has; i++)
		has = !pins[i];
	return has;
}
/* Inserts key into the line, at that position, without pins and with empty masks. Its old content is dropped.
 */
void tags_insert(struct tags *tags, uint32_t line, addr key, enum tags_position position);
/* The same at TAGS_MRU. */
static inline void tags_take(struct tags *t, uint32_t line, addr key)
{
	tags_insert(t, line, key, TAGS_MRU);
}
/* The line becomes empty; it must have no pins. */
void tags_drop(struct tags *tags, uint32_t line);
void tags_clear(struct tags *tags);
/* From here on, only so many ways of each set (at least one) take lines. All lines are empty. */
void tags_limit(struct tags *tags, uint32_t ways);
/* tags_state.c: its lines and their order, no line being reserved, into a checkpoint and back into an array
 * that is new; false: a policy cannot keep its state. Restoring needs what tags_describe says to be the same.
 */
bool tags_can_keep(const struct tags *tags);
void tags_describe(const struct tags *tags, FILE *to);
void tags_state(struct tags *tags, struct state *state);
/* For tags_state.c: puts a line, whose key is set, into the hash table. */
void tags_hash(struct tags *tags, uint32_t line);
/* tags_persist.c: lines that persist, which only others that persist may replace, until the line is dropped
 * or made one that does not. */
void tags_set_persists(struct tags *tags, uint32_t line, bool persists);
/* Those in the set of key. */
uint32_t tags_persisting_in(const struct tags *tags, addr key);
/* Gives each line of that set that does or does not persist a pin more, so that it is not chosen; takes them
 * away. */
void tags_hide(struct tags *tags, addr key, bool persisting);
void tags_show(struct tags *tags, addr key, bool persisting);
/* Lines with a key. */
static inline uint64_t tags_lines(const struct tags *t)
{
	return (uint64_t)t->sets * t->ways_in_use - t->empty;
}
/* Sectors (bit mask) in which any byte of mask is set. */
static inline uint32_t byte_mask_sectors(const struct byte_mask *mask)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(mask->sector[i] != 0) << i;
	return sectors;
}

#endif
