/* memsys/replace/recency.c -- the order of use of a set's lines: see recency.h. */
#include "memsys/replace/recency.h"
#include "sim/base/xalloc.h"

/* ---- few ways: clocks ---- */

#define CLOCK_START (UINT64_C(1) << 40) /* so many insertions at the LRU end go below it */

/* The set's other lines in use, oldest first; returns how many. */
static uint32_t others_by_age(const struct tags *t, uint32_t line, uint32_t out[TAGS_SCANNED])
{
	uint32_t first = line / t->ways * t->ways, count = 0;

	for (uint32_t i = first; i < first + t->ways; i++) {
		uint32_t at = count;

		if (i == line || t->key[i] == TAGS_FREE)
			continue;
		for (; at && t->used[out[at - 1]] > t->used[i]; at--)
			out[at] = out[at - 1];
		out[at] = i;
		count++;
	}
	return count;
}

static void insert_by_clock(struct tags *t, uint32_t line, enum tags_position position)
{
	uint32_t others[TAGS_SCANNED], count;

	if (position == TAGS_MRU) {
		t->used[line] = ++t->clock;
		return;
	}
	count = others_by_age(t, line, others);
	if (position == TAGS_LRU) {
		t->used[line] = count ? t->used[others[0]] - 1 : ++t->clock;
		return;
	}
	t->used[line] = ++t->clock;
	for (uint32_t i = count / 2; i < count; i++)
		t->used[others[i]] = ++t->clock;
}

static uint32_t victim_by_clock(const struct tags *t, uint32_t set)
{
	uint32_t first = set * t->ways, best = TAGS_NONE;
	uint64_t oldest = UINT64_MAX;

	for (uint32_t i = first; i < first + t->ways; i++)
		if (t->used[i] < oldest && !t->pins[i]) {
			oldest = t->used[i];
			best = i;
		}
	return best;
}

/* ---- many ways: lists ---- */

static struct recency *recency_of(const struct tags *t)
{
	return (struct recency *)t->replace;
}

/* Puts the line right behind (older than) `newer`, or first if that is TAGS_NONE. */
static void link_behind(struct recency *r, struct recency_set *s, uint32_t line, uint32_t newer)
{
	uint32_t older = newer == TAGS_NONE ? s->newest : r->line[newer].older;

	r->line[line] = (struct recency_line){ .newer = newer, .older = older };
	*(newer == TAGS_NONE ? &s->newest : &r->line[newer].older) = line;
	*(older == TAGS_NONE ? &s->oldest : &r->line[older].newer) = line;
}

static void unlink_line(struct recency *r, struct recency_set *s, uint32_t line)
{
	struct recency_line *l = &r->line[line];

	*(l->newer == TAGS_NONE ? &s->newest : &r->line[l->newer].older) = l->older;
	*(l->older == TAGS_NONE ? &s->oldest : &r->line[l->older].newer) = l->newer;
}

/* One line came or went, or moved to the front: the border between the halves is at most a line or two off.
 */
static void balance(struct recency *r, struct recency_set *s)
{
	while (s->old < s->count / 2) {
		s->middle = s->middle == TAGS_NONE ? s->oldest : r->line[s->middle].newer;
		r->is_old[s->middle] = true;
		s->old++;
	}
	while (s->old > s->count / 2) {
		r->is_old[s->middle] = false;
		s->middle = r->line[s->middle].older;
		s->old--;
	}
}

static void list_remove(struct recency *r, struct recency_set *s, uint32_t line)
{
	if (s->middle == line)
		s->middle = r->line[line].older;
	unlink_line(r, s, line);
	s->old -= r->is_old[line];
	s->count--;
	r->is_old[line] = false;
}

static void list_insert(struct recency *r, struct recency_set *s, uint32_t line, enum tags_position position)
{
	balance(r, s);
	if (position == TAGS_MRU)
		link_behind(r, s, line, TAGS_NONE);
	else if (position == TAGS_LRU)
		link_behind(r, s, line, s->oldest);
	else
		link_behind(r, s, line, s->middle == TAGS_NONE ? s->oldest : r->line[s->middle].newer);
	r->is_old[line] = position == TAGS_LRU && s->old;
	s->old += r->is_old[line];
	s->count++;
	balance(r, s);
}

/* ---- either ---- */

void recency_init(void *policy)
{
	struct recency *r = policy;
	struct tags *t = r->base.tags;
	size_t lines = (size_t)t->sets * t->ways;

	if (t->ways <= TAGS_SCANNED) {
		t->used = xcalloc_lines(lines * sizeof(*t->used));
		t->clock = CLOCK_START;
		return;
	}
	r->line = xmalloc(lines * sizeof(*r->line));
	r->is_old = xcalloc(lines, sizeof(*r->is_old));
	r->set = xmalloc(t->sets * sizeof(*r->set));
	for (uint32_t i = 0; i < t->sets; i++)
		r->set[i] =
			(struct recency_set){ .newest = TAGS_NONE, .oldest = TAGS_NONE, .middle = TAGS_NONE };
}

void recency_fini(void *policy)
{
	struct recency *r = policy;

	free(r->line);
	free(r->is_old);
	free(r->set);
}

void recency_touch(struct tags *t, uint32_t line)
{
	struct recency *r = recency_of(t);
	struct recency_set *s = &r->set[line / t->ways];

	if (s->newest == line)
		return;
	list_remove(r, s, line);
	list_insert(r, s, line, TAGS_MRU);
}

void recency_insert(struct tags *t, uint32_t line, enum tags_position position)
{
	struct recency *r = recency_of(t);

	if (r->set)
		list_insert(r, &r->set[line / t->ways], line, position);
	else
		insert_by_clock(t, line, position);
}

void recency_remove(struct tags *t, uint32_t line)
{
	struct recency *r = recency_of(t);

	if (!r->set)
		return;
	list_remove(r, &r->set[line / t->ways], line);
	balance(r, &r->set[line / t->ways]);
}

uint32_t recency_victim(struct tags *t, uint32_t set)
{
	struct recency *r = recency_of(t);
	uint32_t line;

	if (!r->set)
		return victim_by_clock(t, set);
	for (line = r->set[set].oldest; line != TAGS_NONE && t->pins[line]; line = r->line[line].newer)
		;
	return line;
}

/* The lines of a set, oldest first: all that its lists say. Restoring, the lists are empty and the keys
 * there. */
static void set_state(struct recency *r, const struct tags *t, uint32_t set, struct state *state)
{
	struct recency_set *s = &r->set[set];
	uint32_t count = s->count, line = s->oldest, first = set * t->ways;
	bool *seen = xcalloc(t->ways, sizeof(*seen));

	state_below(state, &count, t->ways + 1);
	for (uint32_t i = 0; i < count && !state->is_wrong; i++) {
		uint32_t way = state->restores ? 0 : line - first;

		state_below(state, &way, t->ways);
		if (!state->restores) {
			line = r->line[line].newer;
		} else if (state_require(state, t->key[first + way] != TAGS_FREE && !seen[way])) {
			seen[way] = true;
			list_insert(r, s, first + way, TAGS_MRU);
		}
	}
	for (uint32_t way = 0; way < t->ways && state->restores; way++)
		state_require(state, seen[way] == (t->key[first + way] != TAGS_FREE));
	free(seen);
}

void recency_state(void *policy, struct state *state)
{
	struct recency *r = policy;
	const struct tags *t = r->base.tags;

	if (!r->set)
		state_bytes(state, t->used, (size_t)t->sets * t->ways * sizeof(*t->used));
	for (uint32_t i = 0; r->set && i < t->sets && !state->is_wrong; i++)
		set_state(r, t, i, state);
}
