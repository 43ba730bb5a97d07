/* memsys/insertion/eaf.c -- EAF: a line that was evicted not long ago comes back to the MRU end.
 *
 * Seshadri et al., PACT 2012: the evicted-address filter remembers the addresses of the lines that were
 * evicted last. A missed line whose address is there was evicted too early: it has high reuse, and is
 * inserted at the MRU end. All others enter by bimodal insertion: one in 64 at the MRU end, the rest at the
 * LRU end. The filter is a Bloom filter (memsys/bloom.h). It forgets no single address; when as many have
 * been added as the cache has lines, it is emptied.
 *
 * Each slice has a filter of its own: as the paper's cache, it holds the addresses that can come back to it.
 */
#include "memsys/bloom.h"
#include "memsys/insertion/insertion.h"

struct eaf {
	struct insertion base;
	uint32_t bits_per_address, hashes, capacity, throttle; /* parameters */
	struct bloom evicted;                                  /* state */
	uint32_t placed;                                       /* lines of low reuse since the last at MRU */
	uint64_t high_reuse, low_reuse_mru, low_reuse_lru;     /* statistics */
	uint64_t added;
};

static void eaf_init(void *policy)
{
	struct eaf *e = policy;
	const struct l2_config *slice = e->base.machine;
	uint32_t capacity = e->capacity ? e->capacity : slice->sets * slice->ways;

	bloom_init(&e->evicted, capacity * e->bits_per_address, e->hashes, capacity);
}

static void eaf_fini(void *policy)
{
	bloom_fini(&((struct eaf *)policy)->evicted);
}

/* The victim of this very line has been added already. */
static struct insertion_choice eaf_place(struct insertion *i, const struct packet *p, cycles now)
{
	struct eaf *e = (struct eaf *)i;
	addr line = p->address - p->local % i->machine->line;

	if (bloom_has(&e->evicted, line)) {
		e->high_reuse++;
		return (struct insertion_choice){ .position = TAGS_MRU };
	}
	if (++e->placed < e->throttle) {
		e->low_reuse_lru++;
		return (struct insertion_choice){ .position = TAGS_LRU };
	}
	e->placed = 0;
	e->low_reuse_mru++;
	return (struct insertion_choice){ .position = TAGS_MRU };
}

static void eaf_evicted(void *policy, const struct eviction_event *event)
{
	struct eaf *e = policy;

	if (event->cause != EVICTED_BY_REPLACEMENT)
		return;
	e->added++;
	bloom_add(&e->evicted, event->line);
}

static void eaf_state(void *policy, struct state *state)
{
	struct eaf *e = policy;

	bloom_state(&e->evicted, state);
	state_field(state, &e->placed);
}

static const struct sim_param eaf_params[] = {
	SIM_U32(struct eaf, bits_per_address, 8, 1, 64, "bits",
		"of the filter, for each address that it can hold (Seshadri et al., PACT 2012: 8)"),
	SIM_U32(struct eaf, hashes, 3, 1, 16, "hashes",
		"bits of the filter that an address sets (as the Bloom filter of MeDiC's released "
		"simulator, CMU-SAFARI/MeDiC: 3)"),
	SIM_U32(struct eaf, capacity, 0, 0, TAGS_MAX_LINES, "addresses",
		"evicted lines after which the filter is emptied; 0: as many as the slice has lines "
		"(Seshadri et al., PACT 2012)"),
	SIM_U32(struct eaf, throttle, 64, 1, 65536, "lines",
		"of the new lines that are not in the filter every n-th enters at the MRU end of the "
		"replacement order, n being this number (Seshadri et al., PACT 2012: 64)"),
	SIM_END,
};

static const struct sim_stat eaf_stats[] = {
	SIM_COUNT(struct eaf, high_reuse, "lines",
		"lines that the filter had, inserted at the MRU end of the replacement order"),
	SIM_COUNT(struct eaf, low_reuse_mru, "lines",
		"lines that the filter had not, inserted at the MRU end: one in `throttle`"),
	SIM_COUNT(
		struct eaf, low_reuse_lru, "lines", "lines that the filter had not, inserted at the LRU end"),
	SIM_COUNT(struct eaf, added, "lines", "evicted lines whose addresses entered the filter"),
	SIM_COUNT_AS(struct eaf, evicted.clears, "clears", "times", "times that the filter was emptied"),
	SIM_STAT_END,
};

const struct insertion_class insertion_eaf = {
	.name = "eaf",
	.help = "EAF: a line evicted not long ago is the last to be replaced, others the first",
	.source = "Seshadri et al., PACT 2012",
	.size = sizeof(struct eaf),
	.params = eaf_params,
	.state = eaf_state,
	.stats = eaf_stats,
	.init = eaf_init,
	.fini = eaf_fini,
	.place = eaf_place,
	.l2.evicted = eaf_evicted,
};
