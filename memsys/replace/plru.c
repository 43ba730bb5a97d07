/* memsys/replace/plru.c -- tree pseudo-LRU: a binary tree over the ways of a set, a bit in each node for the
 * half that goes next. Use turns the bits on the way to the line away from it; the victim is where the bits
 * lead.
 *
 * A line's place in the order is the number whose bits say, from the root down, which nodes point to it: 0 is
 * the last to go, ways - 1 the next (Jimenez, MICRO 2013, on insertion into tree PLRU): so a line can be put
 * in anywhere. If the victim is reserved, the bits nearest to it are turned first. */
#include "memsys/replace/replace.h"
#include "sim/base/xalloc.h"

struct plru {
	struct replace base;
	uint32_t levels;
	uint8_t *node; /* [sets][ways]: node 1 is the root, 2n and 2n + 1 are below n; 1: the upper half goes
			  next */
};

static bool plru_fits(uint32_t ways)
{
	return !(ways & (ways - 1));
}

static void plru_init(void *policy)
{
	struct plru *p = policy;
	struct tags *t = p->base.tags;

	t->touching = TAGS_TOUCH_CALL;
	p->levels = (uint32_t)__builtin_ctz(t->ways);
	p->node = xcalloc((size_t)t->sets * t->ways, sizeof(*p->node));
}

static void plru_fini(void *policy)
{
	free(((struct plru *)policy)->node);
}

/* Puts the line at that place in the order. */
static void place_line(struct tags *t, uint32_t line, uint32_t at)
{
	struct plru *p = (struct plru *)t->replace;
	uint32_t way = line % t->ways, n = 1;
	uint8_t *node = &p->node[line - way];

	for (uint32_t level = p->levels; level--;) {
		uint32_t half = way >> level & 1;

		node[n] = (uint8_t)(at >> level & 1 ? half : !half);
		n = 2 * n + half;
	}
}

static void plru_touch(struct tags *t, uint32_t line)
{
	place_line(t, line, 0);
}

static void plru_insert(struct tags *t, uint32_t line, enum tags_position position)
{
	place_line(t, line, position == TAGS_MRU ? 0 : position == TAGS_LRU ? t->ways - 1 : t->ways / 2);
}

/* The way that the bits lead to if those of the levels in `turned` are read the other way round. */
static uint32_t follow(const struct plru *p, const uint8_t *node, uint32_t ways, uint32_t turned)
{
	uint32_t n = 1;

	for (uint32_t level = p->levels; level--;)
		n = 2 * n + (node[n] ^ (turned >> level & 1));
	return n - ways;
}

static uint32_t plru_victim(struct tags *t, uint32_t set)
{
	const struct plru *p = (const struct plru *)t->replace;
	uint32_t first = set * t->ways;

	for (uint32_t turned = 0; turned < t->ways; turned++) {
		uint32_t line = first + follow(p, &p->node[first], t->ways, turned);

		if (!t->pins[line])
			return line;
	}
	return TAGS_NONE;
}

static void plru_state(void *policy, struct state *state)
{
	struct plru *p = policy;

	state_flags(state, p->node, (size_t)p->base.tags->sets * p->base.tags->ways);
}

const struct replace_class replace_plru = {
	.name = "plru",
	.help = "tree pseudo-LRU (ways: a power of two)",
	.source = "textbook; places in the order: Jimenez, MICRO 2013",
	.size = sizeof(struct plru),
	.state = plru_state,
	.fits = plru_fits,
	.needs = "a power of two",
	.init = plru_init,
	.fini = plru_fini,
	.touch = plru_touch,
	.insert = plru_insert,
	.victim = plru_victim,
};
