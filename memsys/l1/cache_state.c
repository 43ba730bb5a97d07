/* memsys/l1/cache_state.c -- the lines of a cache without requests under way, into a checkpoint and back. */
#include "memsys/l1/cache_internal.h"

void cache_describe(const struct cache *c, FILE *to)
{
	tags_describe(&c->tags, to);
	fprintf(to, ", sectors %u%s%s", c->config.sectors, c->reserves ? "" : ", filled without reservation",
		c->launch ? ", written back" : "");
}

bool cache_can_keep(const struct cache *c)
{
	return tags_can_keep(&c->tags);
}

/* Bits that cannot be together break nothing, but no cache has them. */
static bool is_line_state_possible(const struct cache *c, uint8_t state)
{
	return state <= (LINE_PARTIAL | LINE_DIRTY | LINE_TAG_ONLY) && (!(state & LINE_DIRTY) || c->launch) &&
		(!(state & LINE_TAG_ONLY) || (state & LINE_PARTIAL && !(state & LINE_DIRTY)));
}

void cache_state(struct cache *c, struct state *s)
{
	uint32_t lines = cache_lines(c);

	tags_state(&c->tags, s);
	state_bytes(s, c->state, lines * sizeof(*c->state));
	for (uint32_t i = 0; s->restores && i < lines; i++)
		state_require(s, is_line_state_possible(c, c->state[i]));
	if (c->launch)
		state_bytes(s, c->launch, lines * sizeof(*c->launch));
	state_below(s, &c->found, lines);
}
