/* memsys/insertion/bip.c -- BIP: as LIP, but one new line in so many is the last to go.
 *
 * Qureshi et al., ISCA 2007, Section 4.2: with a small probability (1/32 in the paper) a line is inserted at
 * the MRU position, so that the cache can follow a change of working set. A counter stands for the coin. */
#include "memsys/insertion/insertion.h"

struct bip {
	struct insertion base;
	uint32_t throttle;       /* parameter */
	uint32_t placed;         /* state: lines since the last at MRU */
	uint64_t at_mru, at_lru; /* statistics */
};

static struct insertion_choice bip_place(struct insertion *i, const struct packet *p, cycles now)
{
	struct bip *b = (struct bip *)i;

	if (++b->placed < b->throttle) {
		b->at_lru++;
		return (struct insertion_choice){ .position = TAGS_LRU };
	}
	b->placed = 0;
	b->at_mru++;
	return (struct insertion_choice){ .position = TAGS_MRU };
}

static void bip_state(void *policy, struct state *state)
{
	state_field(state, &((struct bip *)policy)->placed);
}

static const struct sim_param bip_params[] = {
	SIM_U32(struct bip, throttle, 32, 1, 65536, "lines",
		"every n-th new line enters at the MRU end of the replacement order, n being this number "
		"(the paper: 32)"),
	SIM_END,
};
static const struct sim_stat bip_stats[] = {
	SIM_COUNT(struct bip, at_mru, "lines", "lines inserted at the MRU end of the replacement order"),
	SIM_COUNT(struct bip, at_lru, "lines", "lines inserted at the LRU end of the replacement order"),
	SIM_STAT_END,
};

const struct insertion_class insertion_bip = {
	.name = "bip",
	.help = "BIP: a new line is the first to be replaced, except every throttle-th",
	.source = "Qureshi et al., ISCA 2007",
	.size = sizeof(struct bip),
	.params = bip_params,
	.state = bip_state,
	.stats = bip_stats,
	.place = bip_place,
};
