/* memsys/replace/fifo.c -- first in, first out: use does not count. */
#include "memsys/replace/recency.h"

const struct replace_class replace_fifo = {
	.name = "fifo",
	.help = "the line that was filled first",
	.source = "textbook",
	.size = sizeof(struct recency),
	.state = recency_state,
	.init = recency_init,
	.fini = recency_fini,
	.insert = recency_insert,
	.remove = recency_remove,
	.victim = recency_victim,
};
