/* memsys/bypass/stream.c -- streaming bypass of the L1 (Khairy et al., GPGPU 2015, section 4.1): while an L1
 * is closed, every read of global memory goes past it (memsys/streaming.h says when it is).
 *
 * While it is open, a read is measured by what became of it: a read of a line in flight is no miss. While it
 * is closed, the read is entered into the tags, once, when it goes, however often it was refused before, and
 * measured by what they say (cache_access_tags_only); its line is not filled. So when the L1 opens again, it
 * hits what it held before, as far as the tags kept it, and fetches the rest.
 *
 * Stores and atomics do to the closed L1 what they do to the open one: they go on to the L2 and drop or
 * update the line that they find. Local memory, whose lines may be dirty, is cached in any case and not
 * measured. A read that goes past an open L1, because another policy says so, has not been looked up: it is
 * not measured. One that waits, refused, when the L1 is closed or opened, goes by what holds when it tries
 * again. */
#include "memsys/bypass/bypass.h"
#include "memsys/streaming.h"

struct stream {
	struct bypass base;
	struct streaming rule;
};

static bool stream_before(struct bypass *b, const struct cache_request *r, cycles now)
{
	return streaming_is_closed(&((struct stream *)b)->rule, now);
}

static void stream_gone(
	struct bypass *b, const struct cache_request *r, enum cache_outcome outcome, cycles now)
{
	struct streaming *rule = &((struct stream *)b)->rule;

	if (outcome == CACHE_SENT) {
		if (!rule->is_closed)
			return;
		rule->bypassed++;
		outcome = cache_access_tags_only(b->l1, r);
	}
	streaming_measured(rule, outcome == CACHE_MISS);
}

static void stream_sync_stats(struct bypass *b, cycles until)
{
	streaming_sync_stats(&((struct stream *)b)->rule, until);
}

static void stream_state(void *policy, struct state *state)
{
	streaming_state(&((struct stream *)policy)->rule, state);
}

static const struct sim_param stream_params[] = {
	STREAMING_PARAMS(struct stream, rule, "core"),
	SIM_END,
};

static const struct sim_stat stream_stats[] = {
	STREAMING_STATS(struct stream, rule),
	SIM_STAT_END,
};

static const struct policy_storage bypass_stream_storage[] = {
	STORED(64, "SM", "counters of reads and of misses of a period, 32 bits each",
		"GPGPU 2015 names the counters; the width is ours"),
	STORED_END,
};

const struct bypass_class bypass_stream = {
	.name = "stream",
	.help = "all reads bypass the L1 while most reads of a sampling period have missed",
	.source = "Khairy et al., GPGPU 2015",
	.storage = bypass_stream_storage,
	.size = sizeof(struct stream),
	.params = stream_params,
	.state = stream_state,
	.stats = stream_stats,
	.before = stream_before,
	.gone = stream_gone,
	.sync_stats = stream_sync_stats,
};
