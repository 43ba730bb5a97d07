/* memsys/warp_type/hit_ratio.c -- the type of a warp by the share of its requests that hit in the L2 (MeDiC,
 * PACT 2015, Section 3.1 and Figure 3).
 *
 * Each slice counts, for each warp, its requests and how many of them hit. Two parameters say what a warp and
 * what a hit is. The rule of the authors' released simulator is the default: warps in the same slot of all
 * SMs are one (by = slot), and the tags of the slice are probed as they are (hits_in = tags), so that a warp
 * that bypasses does not recover by itself. In the variant each slot of each SM has its counts (sm_and_slot),
 * and hits are those of a shadow directory (shadow): the tags that the slice would have if nothing bypassed
 * it.
 *
 * Two rules say when the counts become a type:
 *
 *   idle_gap   The rule of the authors' released simulator. The counts go on, and are cleared when the warp
 *              comes back after more than `idle_gap` cycles without a request. The type follows the counts
 *              with each request, after `warmup` requests; until then it is balanced.
 *   interval   The rule that the paper describes. Time is divided into intervals; the type of the next
 *              interval is that of the counts of the last one, in which the warp must have made `least`
 *              requests. Otherwise it keeps its type. It starts as balanced.
 *
 * The guard on the miss rate: in each interval in which the miss rate of the slice is more than guard_rise
 * above that of the interval before, the threshold of mostly-miss goes down by guard_step; in each other
 * interval it goes back up by as much, to its initial value at most. A read that bypasses counts as a miss.
 */
#include "memsys/l2/l2_warp_of.h"
#include "memsys/warp_type/classifier.h"
#include "sim/event/packet.h"
#include <stdio.h>

enum { IN_TAGS, IN_SHADOW };
static const char *const hits_in_names[] = { "tags", "shadow", NULL };
static const char *const by_names[] = L2_WARP_KEYS;
enum { WINDOW_IDLE_GAP, WINDOW_INTERVAL };
static const char *const window_names[] = { "idle_gap", "interval", NULL };

static const char *const type_names[] = WARP_TYPE_NAMES;

struct warp_counts {
	uint32_t requests, hits; /* since they were cleared */
	uint32_t launch, cta;    /* of the warp that used the slot last */
	cycles last;             /* its last request */
	uint64_t interval;       /* in which it was */
	uint16_t ratio;          /* interval: that of the last interval with enough requests */
	uint8_t type;            /* of its last request */
};

struct hit_ratio {
	struct classifier base;
	/* parameters */
	uint32_t by, hits_in, window, warmup, least;
	uint64_t idle_gap, interval;
	double mostly_hit, mostly_miss, guard_rise, guard_step;
	bool guard, clear_for_new_warp;
	/* state */
	struct warp_counts *warp;    /* [l2_warps] */
	double threshold;            /* of mostly-miss, now */
	uint64_t guard_interval;     /* the current one */
	uint64_t reads, read_misses; /* in it */
	double last_miss_rate;       /* of the last interval with reads; below 0: there was none */
	/* statistics */
	uint64_t requests[WARP_TYPES], clears, changes, lowered, raised;
};

/* ---- from counts to a type ---- */

static enum warp_type type_by_hits(const struct hit_ratio *h, uint32_t hits, uint32_t requests)
{
	double ratio = (double)hits / requests;

	if (hits == requests)
		return WARP_ALL_HIT;
	if (!hits)
		return WARP_ALL_MISS;
	if (ratio >= h->mostly_hit)
		return WARP_MOSTLY_HIT;
	return ratio <= h->threshold ? WARP_MOSTLY_MISS : WARP_BALANCED;
}

static uint16_t ratio_of(uint32_t hits, uint32_t requests)
{
	return (uint16_t)((uint64_t)hits * HIT_RATIO_ONE / requests);
}

static void clear_counts(struct hit_ratio *h, struct warp_counts *w)
{
	h->clears += w->requests != 0;
	w->requests = w->hits = 0;
}

/* The released rule. A ratio of 1 is what the insertion policy weighs lines with before warm-up ends. */
static void by_idle_gap(struct hit_ratio *h, struct warp_counts *w, struct packet *p, cycles now)
{
	if (now - w->last > h->idle_gap)
		clear_counts(h, w);
	w->requests++;
	w->hits += p->probe_hit;
	p->warp_type = WARP_BALANCED;
	p->warp_hit_ratio = HIT_RATIO_ONE;
	if (w->requests <= h->warmup)
		return;
	p->warp_type = (uint8_t)type_by_hits(h, w->hits, w->requests);
	p->warp_hit_ratio = ratio_of(w->hits, w->requests);
}

/* The rule of the paper. */
static void by_interval(struct hit_ratio *h, struct warp_counts *w, struct packet *p, cycles now)
{
	uint64_t interval = now / h->interval;

	if (interval != w->interval) {
		if (w->requests >= h->least) {
			w->type = (uint8_t)type_by_hits(h, w->hits, w->requests);
			w->ratio = ratio_of(w->hits, w->requests);
		}
		clear_counts(h, w);
		w->interval = interval;
	}
	w->requests++;
	w->hits += p->probe_hit;
	p->warp_type = w->type;
	p->warp_hit_ratio = w->ratio;
}

/* ---- the guard ---- */

static void end_guard_interval(struct hit_ratio *h)
{
	double rate = (double)h->read_misses / (double)h->reads;

	if (h->last_miss_rate >= 0 && rate > h->last_miss_rate + h->guard_rise) {
		h->lowered += h->threshold > 0;
		h->threshold = h->threshold > h->guard_step ? h->threshold - h->guard_step : 0;
	} else if (h->threshold < h->mostly_miss) {
		h->raised++;
		h->threshold += h->guard_step;
		h->threshold = h->threshold < h->mostly_miss ? h->threshold : h->mostly_miss;
	}
	h->last_miss_rate = rate;
	h->reads = h->read_misses = 0;
}

static void hit_ratio_looked_up(
	struct classifier *c, const struct packet *p, enum l2_outcome outcome, cycles now)
{
	struct hit_ratio *h = (struct hit_ratio *)c;

	if (!h->guard)
		return;
	if (now / h->interval != h->guard_interval) {
		if (h->reads)
			end_guard_interval(h);
		h->guard_interval = now / h->interval;
	}
	if (p->kind == PACKET_WRITE)
		return;
	h->reads++;
	h->read_misses += outcome == L2_MISS || outcome == L2_BYPASSED;
}

/* ---- the policy ---- */

/* The counts of the warp that makes the request; NULL: it serves no warp. */
static struct warp_counts *counts_of(struct hit_ratio *h, const struct packet *p)
{
	uint32_t warp = l2_warp_by(h->base.machine, &p->by, (enum l2_warp_key)h->by);

	return warp == L2_NO_WARP ? NULL : &h->warp[warp];
}

static void start_warp(struct hit_ratio *h, struct warp_counts *w, const struct packet *p)
{
	if (h->clear_for_new_warp && (w->launch != p->by.launch || w->cta != p->by.cta)) {
		clear_counts(h, w);
		w->type = WARP_BALANCED;
		w->ratio = HIT_RATIO_ONE;
	}
	w->launch = p->by.launch;
	w->cta = p->by.cta;
}

static void hit_ratio_classify(struct classifier *c, struct packet *p, cycles now)
{
	struct hit_ratio *h = (struct hit_ratio *)c;
	struct warp_counts *w = counts_of(h, p);

	if (!w) {
		h->requests[WARP_UNTYPED]++;
		return;
	}
	start_warp(h, w, p);
	if (h->window == WINDOW_INTERVAL) {
		enum warp_type before = w->type;

		by_interval(h, w, p, now);
		h->changes += before != p->warp_type;
	} else {
		by_idle_gap(h, w, p, now);
		h->changes += w->type != p->warp_type;
		w->type = p->warp_type;
	}
	w->last = now;
	h->requests[p->warp_type]++;
}

static void hit_ratio_state(void *policy, struct state *state)
{
	struct hit_ratio *h = policy;
	uint32_t warps = l2_warps(h->base.machine);

	state_bytes(state, h->warp, warps * sizeof(*h->warp));
	for (uint32_t i = 0; i < warps; i++)
		state_require(state, h->warp[i].type < WARP_TYPES);
	state_field(state, &h->threshold);
	state_field(state, &h->guard_interval);
	state_field(state, &h->reads);
	state_field(state, &h->read_misses);
	state_field(state, &h->last_miss_rate);
}

static bool hit_ratio_check(const struct classifier *prototype, char *message, size_t size)
{
	const struct hit_ratio *h = (const struct hit_ratio *)prototype;

	if (h->mostly_miss < h->mostly_hit)
		return true;
	snprintf(message, size, "warp_type.hit_ratio.mostly_miss = %g is not below mostly_hit = %g",
		h->mostly_miss, h->mostly_hit);
	return false;
}

static void hit_ratio_init(void *policy)
{
	struct hit_ratio *h = policy;
	uint32_t warps = l2_warps(h->base.machine);

	h->warp = xcalloc((size_t)warps + 1, sizeof(*h->warp));
	for (uint32_t i = 0; i < warps; i++) {
		h->warp[i].type = WARP_BALANCED;
		h->warp[i].ratio = HIT_RATIO_ONE;
	}
	h->threshold = h->mostly_miss;
	h->last_miss_rate = -1;
}

static void hit_ratio_fini(void *policy)
{
	free(((struct hit_ratio *)policy)->warp);
}

static bool hit_ratio_wants_shadow(const struct classifier *c)
{
	return ((const struct hit_ratio *)c)->hits_in == IN_SHADOW;
}

static const struct sim_param hit_ratio_params[] = {
	SIM_ENUM(struct hit_ratio, by, L2_BY_SLOT, by_names,
		"what a warp is: a warp slot of an SM (sm_and_slot), or one slot number of all SMs (slot: "
		"MeDiC's released simulator)"),
	SIM_ENUM(struct hit_ratio, hits_in, IN_TAGS, hits_in_names,
		"where a request hits: in the tags of the slice (tags: MeDiC's released simulator), or in "
		"the tags that it would have if nothing bypassed it (shadow)"),
	SIM_ENUM(struct hit_ratio, window, WINDOW_IDLE_GAP, window_names,
		"which requests of a warp count: all since a gap without any (idle_gap: MeDiC's released "
		"simulator), or the requests of the last interval (interval: the paper)"),
	SIM_U64(struct hit_ratio, idle_gap, 10000, 1, 1e15, "L2 cycles",
		"with idle_gap: a warp's counts are cleared after so long without a request (MeDiC's "
		"released simulator)"),
	SIM_U32(struct hit_ratio, warmup, 100, 0, 1000000000, "requests",
		"with idle_gap: a warp with no more than this number since its counts were cleared is "
		"balanced (MeDiC's released simulator)"),
	SIM_U64(struct hit_ratio, interval, 100000, 1, 1e15, "L2 cycles",
		"length of an interval, also of the guard's (our choice)"),
	SIM_U32(struct hit_ratio, least, 30, 1, 1000000000, "requests",
		"with interval: a warp with fewer in an interval keeps its type (our choice)"),
	SIM_F64(struct hit_ratio, mostly_hit, 0.70, 0, 1, "",
		"hit ratio from which a warp is mostly-hit (our choice of value for MeDiC's Figure 3)"),
	SIM_F64(struct hit_ratio, mostly_miss, 0.20, 0, 1, "",
		"hit ratio up to which a warp is mostly-miss (our choice of value for MeDiC's Figure 3)"),
	SIM_BOOL(struct hit_ratio, guard, true,
		"lower the threshold of mostly-miss while the miss rate of the slice rises (our choice)"),
	SIM_F64(struct hit_ratio, guard_rise, 0.05, 0, 1, "",
		"rise of the miss rate from one interval to the next that lowers the threshold (our choice)"),
	SIM_F64(struct hit_ratio, guard_step, 0.05, 0.001, 1, "",
		"what the threshold goes down, or back up, by in an interval (our choice)"),
	SIM_BOOL(struct hit_ratio, clear_for_new_warp, false,
		"clear the counts and the type of a warp slot when a warp of another CTA uses it (MeDiC's "
		"released simulator: no)"),
	SIM_END,
};

static const struct sim_stat hit_ratio_stats[] = {
	SIM_VECTOR(struct hit_ratio, requests, type_names, "requests",
		"requests by the type of their warp; untyped: of no warp (instruction fetches, write-backs)"),
	SIM_COUNT(struct hit_ratio, changes, "requests",
		"requests whose warp had another type at its last request"),
	SIM_COUNT(struct hit_ratio, clears, "warps",
		"how often the counts of a warp were cleared: after an idle gap, or at the end of an "
		"interval"),
	SIM_COUNT(struct hit_ratio, lowered, "intervals",
		"intervals after which the guard lowered the threshold of mostly-miss"),
	SIM_COUNT(struct hit_ratio, raised, "intervals",
		"intervals after which the guard raised the threshold of mostly-miss again"),
	SIM_STAT_END,
};

static const struct policy_storage classifier_hit_ratio_storage[] = {
	STORED(32, "warp slot of an L2 slice", "counters of requests and of hits, 16 bits each",
		"PACT 2015: two counters a warp; the width is ours"),
	STORED(3, "request between L1 and DRAM", "the type of its warp", "PACT 2015"),
	STORED_LOGIC("L2 slice", "a hit ratio compared with two thresholds", "PACT 2015"),
	STORED_END,
};

const struct classifier_class classifier_hit_ratio = {
	.name = "hit_ratio",
	.help = "by the share of the warp's requests that hit in the slice",
	.source = "Ausavarungnirun et al., PACT 2015 (MeDiC)",
	.storage = classifier_hit_ratio_storage,
	.size = sizeof(struct hit_ratio),
	.params = hit_ratio_params,
	.state = hit_ratio_state,
	.stats = hit_ratio_stats,
	.wants_shadow = hit_ratio_wants_shadow,
	.check = hit_ratio_check,
	.init = hit_ratio_init,
	.fini = hit_ratio_fini,
	.classify = hit_ratio_classify,
	.looked_up = hit_ratio_looked_up,
};
