/* memsys/tags.c -- the set-associative tag array: exact LRU by a counter per line, or FIFO.
 *
 * Real chips approximate LRU with a few bits per set; the papers' simulators keep it exactly, and so do we. */
#include "memsys/tags.h"
#include "sim/xalloc.h"

void tags_init(struct tags *t, uint32_t sets, uint32_t ways, uint32_t line_bytes, enum tags_policy policy,
	bool with_masks)
{
	size_t lines = (size_t)sets * ways;

	bug_if(!sets || !ways || !line_bytes || line_bytes & (line_bytes - 1), "tags of %u sets, %u ways, %u bytes", sets, ways,
		line_bytes);
	*t = (struct tags){ .sets = sets, .ways = ways, .line_bytes = line_bytes, .policy = policy };
	t->set_mask = sets & (sets - 1) ? 0 : sets - 1;
	t->line_shift = (uint32_t)__builtin_ctz(line_bytes);
	t->key = xcalloc(lines, sizeof(*t->key));
	t->used = xcalloc(lines, sizeof(*t->used));
	t->pins = xcalloc(lines, sizeof(*t->pins));
	if (with_masks) {
		t->valid = xcalloc(lines, sizeof(*t->valid));
		t->dirty = xcalloc(lines, sizeof(*t->dirty));
	}
	tags_clear(t);
}

void tags_fini(struct tags *t)
{
	free(t->key);
	free(t->used);
	free(t->pins);
	free(t->valid);
	free(t->dirty);
	*t = (struct tags){ 0 };
}

/* Any of the lines from first on that are not reserved. */
static uint32_t random_victim(const struct tags *t, uint32_t first)
{
	uint32_t candidates = 0, chosen;

	for (uint32_t i = first; i < first + t->ways; i++)
		candidates += !t->pins[i];
	if (!candidates)
		return TAGS_NONE;
	chosen = sim_random_below(t->random, candidates);
	for (uint32_t i = first;; i++)
		if (!t->pins[i] && !chosen--)
			return i;
}

uint32_t tags_victim(const struct tags *t, addr key)
{
	uint32_t first = tags_set(t, key) * t->ways, best = TAGS_NONE;

	for (uint32_t i = first; i < first + t->ways; i++) {
		if (t->key[i] == TAGS_FREE)
			return i;
		if (!t->pins[i] && (best == TAGS_NONE || t->used[i] < t->used[best]))
			best = i;
	}
	return t->policy == TAGS_RANDOM ? random_victim(t, first) : best;
}

static void clear_masks(struct tags *t, uint32_t line)
{
	if (t->valid)
		t->valid[line] = t->dirty[line] = (struct byte_mask){ { 0 } };
}

void tags_take(struct tags *t, uint32_t line, addr key)
{
	bug_if(t->pins[line], "a reserved line was taken");
	t->key[line] = key;
	t->used[line] = ++t->clock;
	clear_masks(t, line);
}

void tags_drop(struct tags *t, uint32_t line)
{
	bug_if(t->pins[line], "a reserved line was dropped");
	t->key[line] = TAGS_FREE;
	clear_masks(t, line);
}

void tags_clear(struct tags *t)
{
	for (uint32_t i = 0; i < t->sets * t->ways; i++)
		tags_drop(t, i);
}
