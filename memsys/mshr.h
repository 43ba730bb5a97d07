/* memsys/mshr.h -- miss status holding registers: what is in flight to the next level, and who waits for it.
 *
 * A file has a fixed number of entries; an entry holds up to `merge` requests, the first included. Entries
 * are found by key (a line address) through a chained hash table: O(1). Several entries may have one key (the
 * L2 fetches sectors of a line separately): mshr_find gives the oldest, mshr_find_next the one after. Nothing
 * is allocated after mshr_init. */
#ifndef MEMSYS_MSHR_H
#define MEMSYS_MSHR_H

#include "sim/base/types.h"

#define MSHR_NONE UINT32_MAX

struct packet;
union mshr_waiter {
	uint32_t token;        /* the L1: whose load it is */
	struct packet *packet; /* the L2: the request itself */
};

struct mshr_entry {
	addr key;
	uint32_t line;    /* the owner's: index of the reserved line */
	uint32_t sectors; /* the owner's: which sectors are on their way */
	uint8_t position; /* the owner's: where the line will enter the order (enum tags_position) */
	uint32_t waiters; /* 0: the entry is free */
	uint32_t next;    /* in its bucket, or in the free list */
};

struct mshr_file {
	uint32_t count, merge, in_use;
	uint32_t free, bucket_mask;
	uint32_t *bucket;
	struct mshr_entry *entries;
	union mshr_waiter *waiters; /* [count][merge] */
};

void mshr_init(struct mshr_file *file, uint32_t count, uint32_t merge);
void mshr_fini(struct mshr_file *file);

static inline uint32_t mshr_hash(const struct mshr_file *f, addr key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & f->bucket_mask;
}
static inline uint32_t mshr_find_from(const struct mshr_file *f, uint32_t i, addr key)
{
	while (i != MSHR_NONE && f->entries[i].key != key)
		i = f->entries[i].next;
	return i;
}
static inline uint32_t mshr_find(const struct mshr_file *f, addr key)
{
	return mshr_find_from(f, f->bucket[mshr_hash(f, key)], key);
}
static inline uint32_t mshr_find_next(const struct mshr_file *f, uint32_t entry)
{
	return mshr_find_from(f, f->entries[entry].next, f->entries[entry].key);
}
static inline bool mshr_has_free(const struct mshr_file *f)
{
	return f->free != MSHR_NONE;
}
static inline bool mshr_can_merge(const struct mshr_file *f, uint32_t entry)
{
	return f->entries[entry].waiters < f->merge;
}
/* Takes a free entry (there must be one) for its first request. */
uint32_t mshr_reserve(struct mshr_file *file, addr key, union mshr_waiter first);
/* Adds a request to an entry that can merge. */
void mshr_merge(struct mshr_file *file, uint32_t entry, union mshr_waiter waiter);
/* The entry's requests, oldest first; borrowed until it is released. */
static inline const union mshr_waiter *mshr_waiters(const struct mshr_file *f, uint32_t entry)
{
	return &f->waiters[(size_t)entry * f->merge];
}
void mshr_release(struct mshr_file *file, uint32_t entry);

#endif
