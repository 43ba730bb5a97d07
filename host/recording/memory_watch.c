/* host/recording/memory_watch.c -- hashes of blocks of memory. */
#include "host/recording/memory_watch.h"
#include "host/recording/recording.h"
#include "sim/base/xalloc.h"

#define BLOCK UINT64_C(256)

struct watched {
	struct memory_range range;
	bool is_changed;  /* whatever the hashes say */
	uint64_t *hashes; /* of its blocks */
	struct watched *next;
};

struct memory_watch {
	struct watched *ranges;
};

struct memory_watch *memory_watch_new(void)
{
	return xcalloc(1, sizeof(struct memory_watch));
}

static uint64_t block_count(const struct watched *w)
{
	return (w->range.end - w->range.start + BLOCK - 1) / BLOCK;
}

static struct memory_range block_range(const struct watched *w, uint64_t i)
{
	addr start = w->range.start + i * BLOCK;
	uint64_t left = w->range.end - start;

	return (struct memory_range){ start, start + (left < BLOCK ? left : BLOCK) };
}

static void tell_changed(struct watched *w, void (*tell)(void *user, struct memory_range changed), void *user)
{
	struct memory_range changed = { 0, 0 };

	for (uint64_t i = 0; i < block_count(w); i++) {
		struct memory_range block = block_range(w, i);
		uint64_t hash = recording_hash(memory_host(block.start), block.end - block.start);
		bool is_same = hash == w->hashes[i] && !w->is_changed;

		w->hashes[i] = hash;
		if (is_same || !tell)
			continue;
		if (changed.end != block.start) {
			if (changed.end)
				tell(user, changed);
			changed.start = block.start;
		}
		changed.end = block.end;
	}
	if (changed.end)
		tell(user, changed);
	w->is_changed = false;
}

void memory_watch_add(struct memory_watch *watch, struct memory_range range, bool is_changed)
{
	struct watched *w = xcalloc(1, sizeof *w);

	w->range = range;
	w->hashes = xcalloc(block_count(w), sizeof *w->hashes);
	w->next = watch->ranges;
	watch->ranges = w;
	tell_changed(w, NULL, NULL);
	w->is_changed = is_changed;
}

void memory_watch_remove(struct memory_watch *watch, addr start)
{
	struct watched **at = &watch->ranges, *w;

	while (*at && (*at)->range.start != start)
		at = &(*at)->next;
	w = *at;
	if (!w)
		return;
	*at = w->next;
	free(w->hashes);
	free(w);
}

void memory_watch_look(
	struct memory_watch *watch, void (*tell)(void *user, struct memory_range changed), void *user)
{
	for (struct watched *w = watch->ranges; w; w = w->next)
		tell_changed(w, tell, user);
}

void memory_watch_free(struct memory_watch *watch)
{
	while (watch->ranges)
		memory_watch_remove(watch, watch->ranges->range.start);
	free(watch);
}
