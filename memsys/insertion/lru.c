/* memsys/insertion/lru.c -- LIP: a new line is the first to go, unless it is used again.
 *
 * Qureshi et al., ISCA 2007, Section 4.1: all lines are inserted at the LRU position; a hit makes a line MRU.
 */
#include "memsys/insertion/insertion.h"

static struct insertion_choice lru_place(struct insertion *i, const struct packet *p, cycles now)
{
	return (struct insertion_choice){ .position = TAGS_LRU };
}

const struct insertion_class insertion_lru = {
	.name = "lru",
	.help = "LIP: a new line is the first to be replaced, unless it is used again",
	.source = "Qureshi et al., ISCA 2007",
	.size = sizeof(struct insertion),
	.state = policy_keeps_nothing,
	.place = lru_place,
};
