/* memsys/l2_bypass/wbyp.c -- WByp, warp-type-aware bypass (MeDiC, PACT 2015, Section 3.2): the requests of
 * mostly-miss and all-miss warps go past the cache.
 *
 * Variant, of the released simulator: a Bloom filter remembers what has bypassed lately. A request whose line
 * is in the filter and not in the shadow directory of the classifier (memsys/warp_type) comes back for it: it
 * is looked up, and its line cached. (The paper says of its mechanism that it takes reuse into account
 * without such help, so this is off by default.) */
#include "memsys/bloom.h"
#include "memsys/l2_bypass/l2_bypass.h"

struct wbyp {
	struct l2_bypass base;
	/* parameters */
	bool rescue;
	uint32_t filter_bits, filter_hashes, filter_clear;
	/* state */
	struct bloom filter;
	/* statistics */
	uint64_t wanted, rescued;
};

/* Whether the request, which is to bypass, comes back for a line that has bypassed lately. */
static bool comes_back(struct wbyp *w, const struct packet *p)
{
	addr line = p->local / 128;
	bool found;

	if (p->probe_hit)
		return false;
	found = bloom_has(&w->filter, line);
	bloom_add(&w->filter, line);
	return found;
}

static bool wbyp_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	struct wbyp *w = (struct wbyp *)b;

	if (p->warp_type != WARP_MOSTLY_MISS && p->warp_type != WARP_ALL_MISS)
		return false;
	w->wanted++;
	if (!w->rescue || !comes_back(w, p))
		return true;
	w->rescued++;
	return false;
}

static void wbyp_init(void *policy)
{
	struct wbyp *w = policy;

	bloom_init(&w->filter, w->filter_bits, w->filter_hashes, w->filter_clear);
}

static void wbyp_fini(void *policy)
{
	bloom_fini(&((struct wbyp *)policy)->filter);
}

static const struct sim_param wbyp_params[] = {
	SIM_BOOL(struct wbyp, rescue, false,
		"cache the line of a request that comes back for it after it has bypassed, if the shadow "
		"directory does not have it (MeDiC's released simulator has this as an option)"),
	SIM_U32(struct wbyp, filter_bits, 512, 1, BLOOM_MAX_BITS, "bits",
		"size of the Bloom filter of lines that have bypassed (MeDiC's released simulator)"),
	SIM_U32(struct wbyp, filter_hashes, 3, 1, 64, "",
		"hash functions of the filter (MeDiC's released simulator)"),
	SIM_U32(struct wbyp, filter_clear, 256, 1, 1000000000, "requests",
		"the filter is emptied after this number of requests have entered it (MeDiC's released "
		"simulator: half of "
		"its bits)"),
	SIM_END,
};

static const struct sim_stat wbyp_stats[] = {
	SIM_COUNT(struct wbyp, wanted, "requests",
		"requests of mostly-miss and all-miss warps, atomics included"),
	SIM_COUNT(struct wbyp, rescued, "requests",
		"requests of mostly-miss and all-miss warps that were cached because they came back for a "
		"line that had bypassed"),
	SIM_STAT_END,
};

static const struct policy_storage l2_bypass_wbyp_storage[] = {
	STORED_ENTRIES(struct wbyp, filter_bits, 1, "L2 slice",
		"a bit of the filter of lines that have bypassed", "CMU-SAFARI/MeDiC"),
	STORED_END,
};

const struct l2_bypass_class l2_bypass_wbyp = {
	.name = "wbyp",
	.help = "WByp: requests of warps that mostly or always miss in the L2",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC)",
	.storage = l2_bypass_wbyp_storage,
	.size = sizeof(struct wbyp),
	.params = wbyp_params,
	.stats = wbyp_stats,
	.needs_types = true,
	.init = wbyp_init,
	.fini = wbyp_fini,
	.decide = wbyp_decide,
};
