/* memsys/replace/random.c -- any line, with equal chances; lines put in at TAGS_LRU go before all others,
 * unless they were used in the meantime. TAGS_MIDDLE means nothing here. Each tag array draws from a stream
 * of its own. */
#include "memsys/replace/replace.h"
#include "sim/base/random.h"
#include "sim/base/xalloc.h"

#define TRIES 16 /* blind draws in a set of many ways before the lines without pins are counted */

struct random {
	struct replace base;
	struct sim_random *draws;
	bool *first;      /* by line: goes before the others */
	uint32_t *firsts; /* by set: how many such lines */
};

static struct random *random_of(const struct tags *t)
{
	return (struct random *)t->replace;
}

static void random_init(void *policy)
{
	struct random *r = policy;
	struct tags *t = r->base.tags;

	t->touching = TAGS_TOUCH_CALL;
	r->draws = sim_random_new(r->base.seed, r->base.stream);
	r->first = xcalloc((size_t)t->sets * t->ways, sizeof(*r->first));
	r->firsts = xcalloc(t->sets, sizeof(*r->firsts));
}

static void random_fini(void *policy)
{
	struct random *r = policy;

	sim_random_free(r->draws);
	free(r->first);
	free(r->firsts);
}

static void random_mark(struct tags *t, uint32_t line, bool first)
{
	struct random *r = random_of(t);

	r->firsts[line / t->ways] += first;
	r->firsts[line / t->ways] -= r->first[line];
	r->first[line] = first;
}

static void random_unmark(struct tags *t, uint32_t line)
{
	random_mark(t, line, false);
}

static void random_insert(struct tags *t, uint32_t line, enum tags_position position)
{
	random_mark(t, line, position == TAGS_LRU);
}

/* One of the set's lines without pins, and of those that go first, if asked for. */
static uint32_t draw_line(const struct tags *t, uint32_t set, bool only_first)
{
	const struct random *r = random_of(t);
	uint32_t from = set * t->ways, candidates = 0, chosen;

	for (uint32_t i = from; i < from + t->ways; i++)
		candidates += !t->pins[i] && (!only_first || r->first[i]);
	if (!candidates)
		return TAGS_NONE;
	chosen = sim_random_below(r->draws, candidates);
	for (uint32_t i = from;; i++)
		if (!t->pins[i] && (!only_first || r->first[i]) && !chosen--)
			return i;
}

static uint32_t random_victim(struct tags *t, uint32_t set)
{
	const struct random *r = random_of(t);
	uint32_t line;

	if (r->firsts[set] && (line = draw_line(t, set, true)) != TAGS_NONE)
		return line;
	for (int i = 0; t->ways > TAGS_SCANNED && i < TRIES; i++) {
		line = set * t->ways + sim_random_below(r->draws, t->ways);
		if (!t->pins[line])
			return line;
	}
	return draw_line(t, set, false);
}

static void random_state(void *policy, struct state *state)
{
	struct random *r = policy;
	const struct tags *t = r->base.tags;

	sim_random_state(r->draws, state);
	state_flags(state, r->first, (size_t)t->sets * t->ways);
	memset(r->firsts, 0, t->sets * sizeof(*r->firsts));
	for (uint32_t i = 0; i < t->sets * t->ways; i++)
		r->firsts[i / t->ways] += r->first[i];
}

const struct replace_class replace_random = {
	.name = "random",
	.help = "any line (gpu.seed)",
	.source = "textbook",
	.size = sizeof(struct random),
	.state = random_state,
	.init = random_init,
	.fini = random_fini,
	.touch = random_unmark,
	.insert = random_insert,
	.remove = random_unmark,
	.victim = random_victim,
};
