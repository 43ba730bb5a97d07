/* memsys/replace/srrip.c -- static re-reference interval prediction with hit priority (Jaleel et al., ISCA
 * 2010).
 *
 * Each line has a prediction of M bits of how far off its next use is. A new line comes in as "long" (2^M -
 * 2), a use makes it 0, the victim is the first line (lowest way) at "distant" (2^M - 1); while there is
 * none, all lines of the set grow by one. TAGS_MRU and TAGS_MIDDLE are "long", TAGS_LRU is "distant".
 * Choosing costs a pass over the set, whatever the ways. */
#include "memsys/replace/replace.h"
#include "sim/base/xalloc.h"

struct srrip {
	struct replace base;
	uint32_t bits;
	uint8_t *interval; /* by line */
};

static uint8_t distant(const struct srrip *s)
{
	return (uint8_t)((1u << s->bits) - 1);
}

static void srrip_init(void *policy)
{
	struct srrip *s = policy;
	struct tags *t = s->base.tags;

	t->touching = TAGS_TOUCH_CALL;
	s->interval = xcalloc((size_t)t->sets * t->ways, sizeof(uint8_t));
}

static void srrip_fini(void *policy)
{
	free(((struct srrip *)policy)->interval);
}

static void srrip_touch(struct tags *t, uint32_t line)
{
	((struct srrip *)t->replace)->interval[line] = 0;
}

static void srrip_insert(struct tags *t, uint32_t line, enum tags_position position)
{
	struct srrip *s = (struct srrip *)t->replace;

	s->interval[line] = (uint8_t)(distant(s) - (position != TAGS_LRU));
}

/* All the steps of growth at once: by what the farthest line lacks. */
static uint32_t srrip_victim(struct tags *t, uint32_t set)
{
	struct srrip *s = (struct srrip *)t->replace;
	uint32_t first = set * t->ways, best = TAGS_NONE, growth;

	for (uint32_t i = first; i < first + t->ways; i++)
		if (!t->pins[i] && (best == TAGS_NONE || s->interval[i] > s->interval[best]))
			best = i;
	if (best == TAGS_NONE)
		return TAGS_NONE;
	growth = distant(s) - (uint32_t)s->interval[best];
	for (uint32_t i = first; growth && i < first + t->ways; i++)
		s->interval[i] = (uint8_t)(s->interval[i] + growth < distant(s) ? s->interval[i] + growth
										: distant(s));
	return best;
}

static void srrip_state(void *policy, struct state *state)
{
	struct srrip *s = policy;
	const struct tags *t = s->base.tags;

	state_bytes(state, s->interval, (size_t)t->sets * t->ways);
	for (uint32_t i = 0; state->restores && i < t->sets * t->ways; i++)
		state_require(state, s->interval[i] <= distant(s));
}

static const struct sim_param srrip_params[] = {
	SIM_U32(struct srrip, bits, 2, 1, 7, "bits",
		"bits of a line's re-reference prediction (Jaleel et al., ISCA 2010: 2)"),
	SIM_END
};

const struct replace_class replace_srrip = {
	.name = "srrip",
	.help = "the line predicted to be re-referenced last",
	.source = "Jaleel et al., ISCA 2010 (SRRIP-HP)",
	.size = sizeof(struct srrip),
	.params = srrip_params,
	.state = srrip_state,
	.init = srrip_init,
	.fini = srrip_fini,
	.touch = srrip_touch,
	.insert = srrip_insert,
	.victim = srrip_victim,
};
