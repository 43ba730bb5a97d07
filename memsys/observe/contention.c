/* memsys/observe/contention.c -- who drives out whose lines: the contention classes of MRPB (Jia et al., HPCA
 * 2014, Sections 2.2 and 2.4, Figure 4).
 *
 * The paper relates, for misses "after the initial cache fill", the thread that requests to the thread whose
 * line is evicted, which can be counted at two times. `contention` counts each miss that is not compulsory by
 * who had driven its line out before: the same warp (intra_warp), another warp of its CTA (cross-warp,
 * intra_block), another CTA, of its kernel or another (cross-warp, cross_block). So it says what the
 * contention has cost. `evictions` counts each replacement when it happens, by who had brought in the line
 * that goes and who drives it out, as the paper's sentence reads; it also has lines that nobody asks for
 * again.
 *
 * Per thousand instructions: the paper does not say of what. The 17 million to 3.7 thousand million
 * instructions that it gives for its programs (Section 4) fit thread instructions, as its simulator counts
 * them; so do ours. */
#include "memsys/observe/observer.h"

static const char *const class_names[] = { "compulsory", "intra_warp", "intra_block", "cross_block",
	"invalidated", "in_flight", NULL };

static enum contention_class contention_between(const struct requester *a, const struct requester *b)
{
	if (!same_cta(a, b))
		return CONTENTION_CROSS_BLOCK;
	return a->warp == b->warp ? CONTENTION_INTRA_WARP : CONTENTION_INTRA_BLOCK;
}

static enum contention_class contention_class_of(
	const struct line_record *r, uint8_t missing, const struct requester *by)
{
	if (!missing)
		return CONTENTION_IN_FLIGHT;
	if (missing & ~r->seen)
		return CONTENTION_COMPULSORY;
	return r->cause == EVICTED_BY_REPLACEMENT ? contention_between(&r->evictor, by)
						  : CONTENTION_INVALIDATED;
}

void count_contention(
	struct cache_observer *o, const struct line_record *r, uint8_t missing, const struct requester *by)
{
	o->stats.contention[contention_class_of(r, missing, by)]++;
}

void count_eviction(struct cache_observer *o, const struct eviction_event *e)
{
	if (e->cause == EVICTED_BY_REPLACEMENT)
		o->stats.evictions[contention_between(&e->owner, &e->by) - CONTENTION_INTRA_WARP]++;
}

static double mpki(const struct observer_stats *s, enum contention_class class)
{
	return 1000 * (double)s->contention[class] / (double)s->instructions;
}

static double mpki_intra_warp(const void *object)
{
	return mpki(object, CONTENTION_INTRA_WARP);
}

static double mpki_intra_block(const void *object)
{
	return mpki(object, CONTENTION_INTRA_BLOCK);
}

static double mpki_cross_block(const void *object)
{
	return mpki(object, CONTENTION_CROSS_BLOCK);
}

static const char *const eviction_names[] = { "intra_warp", "intra_block", "cross_block", NULL };

#define COUNTS \
	SIM_VECTOR(struct observer_stats, contention, class_names, "requests", \
		"misses by who had evicted the line: the warp itself, another warp of the CTA, another CTA " \
		"(Jia et al., HPCA 2014)"), \
		SIM_VECTOR(struct observer_stats, evictions, eviction_names, "lines", \
			"evicted lines by who evicted them: the warp that had fetched them, another warp " \
			"of its CTA, another CTA")

const struct sim_stat contention_stats[] = { COUNTS,
	SIM_COUNT(struct observer_stats, instructions, "instructions",
		"thread instructions to which the mpki statistics refer"),
	SIM_FORMULA("mpki_intra_warp", mpki_intra_warp, "misses/1000 instructions",
		"misses per 1000 thread instructions on lines that the warp itself had evicted"),
	SIM_FORMULA("mpki_intra_block", mpki_intra_block, "misses/1000 instructions",
		"misses per 1000 thread instructions on lines that another warp of the CTA had evicted"),
	SIM_FORMULA("mpki_cross_block", mpki_cross_block, "misses/1000 instructions",
		"misses per 1000 thread instructions on lines that another CTA had evicted"),
	SIM_STAT_END };
/* The L2's: its slices have no instructions of their own. */
const struct sim_stat contention_l2_stats[] = { COUNTS, SIM_STAT_END };
