/* memsys/replace/lru.c -- least recently used, exactly. Chips approximate it; the papers' simulators keep it,
 * and so do we. */
#include "memsys/replace/recency.h"

static void lru_init(void *policy)
{
	struct tags *t = ((struct replace *)policy)->tags;

	recency_init(policy);
	t->touching = t->used ? TAGS_TOUCH_CLOCK : TAGS_TOUCH_CALL;
}

const struct replace_class replace_lru = {
	.name = "lru",
	.help = "the least recently used line",
	.source = "textbook",
	.size = sizeof(struct recency),
	.state = recency_state,
	.keeps_ages = true,
	.init = lru_init,
	.fini = recency_fini,
	.touch = recency_touch,
	.insert = recency_insert,
	.remove = recency_remove,
	.victim = recency_victim,
};
