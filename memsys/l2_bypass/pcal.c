/* memsys/l2_bypass/pcal.c -- PCAL: a warp needs a token to use the cache; the requests of others bypass.
 *
 * Li et al., HPCA 2015 (priority-based cache allocation), at the L2, as the authors of MeDiC
 * (Ausavarungnirun et al., PACT 2015) implement it for comparison: each slice has a number of tokens. They
 * belong to the warps that were active in it most recently, as found when the tokens are handed out anew.
 * This happens whenever a warp makes its first request in the slice after a pause of more than `idle_gap`
 * cycles; that request does not bypass. A token that nobody has is given to the next warp without one that
 * asks.
 *
 * A warp is a warp slot of an SM: the next warp in the slot has its token. (With by = slot it is the same
 * slot of all SMs, as in the released simulator. There 128 tokens are enough for the 48 slots, and nothing
 * bypasses.) The pause that ends counts as activity: the warp is then the most recent one, and has a token.
 * The first request of all in a slot ends no pause. Requests that serve no warp (instruction fetches,
 * write-backs) never bypass. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/l2/l2_warp_of.h"

#define NOBODY UINT32_MAX

enum pcal_cause { PCAL_NO_WARP, PCAL_TOKEN, PCAL_DEMAND, PCAL_IDLE_GAP, PCAL_BYPASS, PCAL_CAUSES };
static const char *const by_names[] = L2_WARP_KEYS;
static const char *const cause_names[] = { "no_warp", "token", "demand", "idle_gap", "bypass", NULL };

/* The warps that have made requests form a list in the order of their last ones. */
struct pcal_warp {
	cycles last;           /* L2 cycle of its last request */
	uint32_t newer, older; /* its neighbours in the list, or NOBODY */
	bool is_known;         /* it is in the list */
	bool has_token;
};

struct pcal {
	struct l2_bypass base;
	uint32_t tokens, by; /* parameters */
	uint64_t idle_gap;
	/* state */
	struct pcal_warp *warp; /* [l2_warps] */
	uint32_t newest;
	uint32_t given; /* tokens that warps have */
	/* statistics */
	uint64_t decisions[PCAL_CAUSES];
	uint64_t hand_outs, tokens_moved;
};

static void pcal_init(void *policy)
{
	struct pcal *p = policy;

	p->warp = xcalloc((size_t)l2_warps(p->base.machine) + 1, sizeof(*p->warp));
	p->newest = NOBODY;
}

static void pcal_fini(void *policy)
{
	free(((struct pcal *)policy)->warp);
}

/* ---- the list ---- */

/* Takes a warp out of the list, of which it is not the newest. */
static void unlink_warp(struct pcal *p, const struct pcal_warp *w)
{
	p->warp[w->newer].older = w->older;
	if (w->older != NOBODY)
		p->warp[w->older].newer = w->newer;
}

static void link_as_newest(struct pcal *p, uint32_t number)
{
	struct pcal_warp *w = &p->warp[number];

	w->newer = NOBODY;
	w->older = p->newest;
	if (p->newest != NOBODY)
		p->warp[p->newest].newer = number;
	p->newest = number;
}

/* The warp makes a request: true if it had been known and idle for too long. */
static bool note_activity(struct pcal *p, uint32_t number, cycles now)
{
	struct pcal_warp *w = &p->warp[number];
	bool ends_gap = w->is_known && now - w->last > p->idle_gap;

	if (p->newest != number) {
		if (w->is_known)
			unlink_warp(p, w);
		link_as_newest(p, number);
	}
	w->is_known = true;
	w->last = now;
	return ends_gap;
}

/* ---- the tokens ---- */

/* The first `tokens` warps of the list get them, the others have none. */
static void hand_out(struct pcal *p)
{
	uint32_t left = p->tokens;

	p->hand_outs++;
	for (uint32_t i = p->newest; i != NOBODY; i = p->warp[i].older) {
		p->tokens_moved += left && !p->warp[i].has_token;
		p->warp[i].has_token = left > 0;
		left -= left > 0;
	}
	p->given = p->tokens - left;
}

static enum pcal_cause cause_for(struct pcal *p, uint32_t number, cycles now)
{
	struct pcal_warp *w = &p->warp[number];

	if (note_activity(p, number, now)) {
		hand_out(p);
		return PCAL_IDLE_GAP;
	}
	if (w->has_token)
		return PCAL_TOKEN;
	if (p->given == p->tokens)
		return PCAL_BYPASS;
	p->given++;
	w->has_token = true;
	return PCAL_DEMAND;
}

static bool pcal_decide(struct l2_bypass *b, struct packet *packet, cycles now)
{
	struct pcal *p = (struct pcal *)b;
	uint32_t number = l2_warp_by(b->machine, &packet->by, (enum l2_warp_key)p->by);
	enum pcal_cause cause = number == L2_NO_WARP ? PCAL_NO_WARP : cause_for(p, number, now);

	p->decisions[cause]++;
	return cause == PCAL_BYPASS;
}

static const struct sim_param pcal_params[] = {
	SIM_U32(struct pcal, tokens, 128, 0, 1000000, "tokens",
		"warps that may use the cache, of each slice (PCAL in MeDiC's released simulator, "
		"CMU-SAFARI/MeDiC: 128)"),
	SIM_ENUM(struct pcal, by, L2_BY_SM_AND_SLOT, by_names,
		"what a warp is: a warp slot of an SM (sm_and_slot), or one slot number of all SMs (slot: "
		"MeDiC's released simulator)"),
	SIM_U64(struct pcal, idle_gap, 10000, 0, 1e18, "L2 cycles",
		"pause of a warp in the slice after which, when it ends, the tokens are handed out anew "
		"(l2_warp_info_clear of MeDiC's released simulator, CMU-SAFARI/MeDiC: 10000)"),
	SIM_END,
};

static const struct sim_stat pcal_stats[] = {
	SIM_VECTOR(struct pcal, decisions, cause_names, "requests",
		"requests by what decided: they serve no warp; their warp has a token; or is given one that "
		"was left over; or ends a pause; or has none, and they are to bypass"),
	SIM_COUNT(struct pcal, hand_outs, "times", "times that the tokens were handed out anew"),
	SIM_COUNT(struct pcal, tokens_moved, "tokens",
		"tokens that went to warps without one when they were handed out anew"),
	SIM_STAT_END,
};

static const struct policy_storage l2_bypass_pcal_storage[] = {
	STORED(1, "warp slot of an SM", "whether the warp has a token", "HPCA 2015; MeDiC's comparator"),
	STORED(32, "warp slot of an SM", "the time of its last request, by which tokens are handed out",
		"ours: the paper does not say how it knows the most recently active warps"),
	STORED_END,
};

const struct l2_bypass_class l2_bypass_pcal = {
	.name = "pcal",
	.help = "PCAL: warps without a token, which the most recently active ones have",
	.source = "Li et al., HPCA 2015; as compared in MeDiC (Ausavarungnirun et al., PACT 2015)",
	.storage = l2_bypass_pcal_storage,
	.size = sizeof(struct pcal),
	.params = pcal_params,
	.stats = pcal_stats,
	.init = pcal_init,
	.fini = pcal_fini,
	.decide = pcal_decide,
};
