/* memsys/replace/lru.c -- least recently used, exactly. Chips approximate it; the papers' simulators keep it,
 * and so do we. */
#include "memsys/replace/recency.h"

static void lru_init(struct tags *t, const struct tags_config *config)
{
	recency_init(t, config);
	t->touching = t->used ? TAGS_TOUCH_CLOCK : TAGS_TOUCH_CALL;
}

static const struct sim_param lru_params[] = { SIM_END };

const struct replace_class replace_lru = {
	.name = "lru",
	.help = "the least recently used line",
	.source = "textbook",
	.size = sizeof(struct recency),
	.params = lru_params,
	.init = lru_init,
	.fini = recency_fini,
	.touch = recency_touch,
	.insert = recency_insert,
	.remove = recency_remove,
	.victim = recency_victim,
};
