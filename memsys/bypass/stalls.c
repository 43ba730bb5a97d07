/* memsys/bypass/stalls.c -- MRPB's bypass rule (Jia, Shaw, Martonosi, HPCA 2014, section 3.4): a read that
 * the L1 cannot take for want of something goes past it, in the same cycle, and its data fill no line.
 * Independent of a request buffer.
 *
 * An associativity stall is CACHE_LINE_ALLOC_FAIL: every line of the set waits for its data. The other stalls
 * are for want of an MSHR, of room in that of its line, or of room in the miss queue; the last only if
 * reads that bypass have places of their own on the way to the network (network_entries of the policy). */
#include "memsys/bypass/bypass.h"

static const char *const on_names[] = { "associativity", "all", NULL };
enum on { ON_ASSOCIATIVITY, ON_ALL };

/* What the policy is asked about. */
static const char *const cause_names[] = { "line_alloc", "mshr_entry", "mshr_merge_entry", "miss_queue",
	"mshr_warp", NULL };
enum cause { LINE_ALLOC, MSHR_ENTRY, MSHR_MERGE_ENTRY, MISS_QUEUE, MSHR_WARP, CAUSES };

struct stalls {
	struct bypass base;
	uint32_t on;           /* parameter */
	uint64_t sent[CAUSES]; /* statistic */
};

static enum cause cause_of(enum cache_outcome why)
{
	return why == CACHE_LINE_ALLOC_FAIL          ? LINE_ALLOC
		: why == CACHE_MSHR_ENTRY_FAIL       ? MSHR_ENTRY
		: why == CACHE_MSHR_MERGE_ENTRY_FAIL ? MSHR_MERGE_ENTRY
		: why == CACHE_MISS_QUEUE_FULL       ? MISS_QUEUE
						     : MSHR_WARP;
}

static const char *stalls_why_ineffective(const struct bypass *prototype, const struct cache_config *l1)
{
	if (((const struct stalls *)prototype)->on == ON_ALL || cache_reserves(l1))
		return NULL;
	return l1->streaming ? "no line is ever reserved in an L1 with sm.l1d.streaming = true, so that "
			       "there are no associativity stalls to act on; other stalls: stalls.on = all"
			     : "no line is ever reserved in an L1 with sm.l1d.allocate = on_fill, so that "
			       "there are no associativity stalls to act on; other stalls: stalls.on = all";
}

static bool stalls_refused(
	struct bypass *b, const struct cache_request *r, enum cache_outcome why, cycles now)
{
	struct stalls *s = (struct stalls *)b;

	if (why != CACHE_LINE_ALLOC_FAIL && s->on == ON_ASSOCIATIVITY)
		return false;
	s->sent[cause_of(why)]++;
	return true;
}

static const struct sim_param stalls_params[] = {
	SIM_ENUM(struct stalls, on, ON_ASSOCIATIVITY, on_names,
		"refusals after which a read bypasses the L1: all lines of its set are reserved "
		"(associativity), or any missing resource (all) (HPCA 2014, 3.4)"),
	SIM_END,
};

static const struct sim_stat stalls_stats[] = {
	SIM_VECTOR(struct stalls, sent, cause_names, "requests",
		"refused reads that the policy sent past the L1, by the resource that was missing; the sum "
		"is `after` + `refused_twice`"),
	SIM_STAT_END,
};

const struct bypass_class bypass_stalls = {
	.name = "stalls",
	.help = "reads bypass the L1 when it refuses them: no line, or no resource",
	.source = "MRPB's rule: Jia, Shaw, Martonosi, HPCA 2014, 3.4",
	.size = sizeof(struct stalls),
	.state = policy_keeps_nothing,
	.params = stalls_params,
	.stats = stalls_stats,
	.why_ineffective = stalls_why_ineffective,
	.refused = stalls_refused,
};
