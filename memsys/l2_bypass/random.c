/* memsys/l2_bypass/random.c -- Rand: a request bypasses the slice with a fixed probability.
 *
 * The comparator of MeDiC (Ausavarungnirun et al., PACT 2015), whose authors choose the best rate for each
 * workload by hand. Requests that serve no warp (instruction fetches, write-backs) never bypass. Each slice
 * draws from a stream of its own. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/l2/l2_warp_of.h"
#include "sim/base/random.h"

#define STREAM (UINT64_C(1) << 49) /* plus the number of the slice; other streams: memsys/l2/l2_params.c */

struct random_bypass {
	struct l2_bypass base;
	double rate; /* parameter */
	/* state */
	struct sim_random *draws;
	uint64_t below; /* numbers of 32 bits less than this bypass */
	/* statistics */
	uint64_t bypass, keep, no_warp;
};

static void random_init(void *policy)
{
	struct random_bypass *r = policy;

	r->draws = sim_random_new(r->base.machine->seed, STREAM | r->base.slice);
	r->below = (uint64_t)(r->rate * (UINT64_C(1) << 32));
}

static void random_fini(void *policy)
{
	sim_random_free(((struct random_bypass *)policy)->draws);
}

static bool random_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	struct random_bypass *r = (struct random_bypass *)b;
	bool bypasses;

	if (l2_warp_of(b->machine, &p->by) == L2_NO_WARP) {
		r->no_warp++;
		return false;
	}
	bypasses = sim_random_bits(r->draws) < r->below;
	r->bypass += bypasses;
	r->keep += !bypasses;
	return bypasses;
}

static void random_state(void *policy, struct state *state)
{
	sim_random_state(((struct random_bypass *)policy)->draws, state);
}

static const struct sim_param random_params[] = {
	SIM_F64(struct random_bypass, rate, 0.1, 0, 1, "",
		"share of the requests of warps that bypass (MeDiC's released simulator, "
		"CMU-SAFARI/MeDiC: 0.1)"),
	SIM_END,
};

static const struct sim_stat random_stats[] = {
	SIM_COUNT(struct random_bypass, bypass, "requests",
		"requests that are to bypass, including requests that the slice refuses to let past"),
	SIM_COUNT(struct random_bypass, keep, "requests", "requests of warps that are to be looked up"),
	SIM_COUNT(struct random_bypass, no_warp, "requests", "requests that serve no warp: looked up"),
	SIM_STAT_END,
};

const struct l2_bypass_class l2_bypass_random = {
	.name = "random",
	.help = "Rand: each request with a fixed probability (gpu.seed)",
	.source = "comparator of MeDiC (Ausavarungnirun et al., PACT 2015)",
	.size = sizeof(struct random_bypass),
	.params = random_params,
	.state = random_state,
	.stats = random_stats,
	.init = random_init,
	.fini = random_fini,
	.decide = random_decide,
};
