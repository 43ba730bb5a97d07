/* memsys/tags_state.c -- the lines of a tag array of which none is reserved, into a checkpoint and back. */
#include "memsys/replace/replace.h"
#include "memsys/tags.h"
#include "sim/base/xalloc.h"

void tags_describe(const struct tags *t, FILE *to)
{
	fprintf(to, "%u sets of %u lines of %u bytes, index ", t->sets, t->ways, t->line_bytes);
	policy_describe(&index_interface, t->index, to);
	fprintf(to, ", replace ");
	policy_describe(&replace_interface, t->replace, to);
	if (t->persists)
		fprintf(to, ", which can persist");
}

bool tags_can_keep(const struct tags *t)
{
	return policy_can_keep(t->replace) && policy_can_keep(t->index);
}

/* Whether the line may hold the key that was taken for it. */
static bool is_key_possible(const struct tags *t, uint32_t line)
{
	addr key = t->key[line];

	return key == TAGS_FREE ||
		(key == tags_key(t, key) && tags_set(t, key) == line / t->ways &&
			line % t->ways < t->ways_in_use);
}

/* The lists of empty lines of each set, in order. */
static void free_state(struct tags *t, uint32_t set, struct state *s)
{
	uint32_t count = 0, first = set * t->ways, *link = &t->free[set];
	bool *seen = xcalloc(t->ways, sizeof(*seen));

	for (uint32_t i = first; i < first + t->ways_in_use; i++)
		count += t->key[i] == TAGS_FREE;
	for (; count && !s->is_wrong; count--) {
		uint32_t way = s->restores ? 0 : *link - first;

		state_below(s, &way, t->ways_in_use);
		if (state_require(s, t->key[first + way] == TAGS_FREE && !seen[way]))
			*link = first + way;
		seen[way] = true;
		link = &t->chain[first + way];
	}
	if (s->restores)
		*link = TAGS_NONE;
	free(seen);
}

/* What follows from the keys that were taken. */
static void renew_tags(struct tags *t, struct state *s)
{
	t->empty = (uint64_t)t->sets * t->ways_in_use;
	t->persisting = 0;
	for (uint32_t i = 0; i < t->sets * t->ways; i++) {
		t->persisting += t->persists && t->persists[i];
		t->pins[i] = i % t->ways >= t->ways_in_use;
		if (!state_require(s, is_key_possible(t, i)))
			return;
		if (t->key[i] == TAGS_FREE)
			continue;
		t->empty--;
		if (t->bucket)
			tags_hash(t, i);
	}
}

void tags_state(struct tags *t, struct state *s)
{
	size_t lines = (size_t)t->sets * t->ways;

	policy_state(t->index, s);
	state_below(s, &t->ways_in_use, t->ways + 1);
	state_require(s, t->ways_in_use);
	state_field(s, &t->clock);
	state_bytes(s, t->key, lines * sizeof(*t->key));
	if (t->valid) {
		state_bytes(s, t->valid, lines * sizeof(*t->valid));
		state_bytes(s, t->dirty, lines * sizeof(*t->dirty));
	}
	if (t->persists)
		state_flags(s, t->persists, lines);
	if (s->restores)
		renew_tags(t, s);
	for (uint32_t i = 0; t->bucket && i < t->sets && !s->is_wrong; i++)
		free_state(t, i, s);
	if (!s->is_wrong)
		policy_state(t->replace, s);
}
