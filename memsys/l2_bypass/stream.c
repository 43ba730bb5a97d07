/* memsys/l2_bypass/stream.c -- streaming bypass of an L2 slice (Khairy et al., GPGPU 2015, section 4.1: "the
 * same method" as of the L1): while a slice is closed, reads and stores go past it to DRAM
 * (memsys/streaming.h says when it is).
 *
 * Measured are reads, by the shadow directory: the tags as they would be if nothing had ever gone past.
 * Stores and atomics enter their lines there too, as they would in an open slice, but are not themselves
 * measured: a store needs nothing from DRAM, and an atomic never bypasses, so neither tells what closing
 * would spare a read. The shadow is asked in an open slice as well; it knows no sectors, so that a read whose
 * line is there or on its way is no miss, even if some of its bytes are fetched.
 *
 * What the slice holds, it serves, closed or not, if l2.bypass.clean_lines is off, as configs/+stream.yaml
 * sets it. Dirty lines it serves in any case (memsys/l2_bypass/l2_bypass.h). */
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/streaming.h"

struct stream {
	struct l2_bypass base;
	struct streaming rule;
};

static bool stream_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	return streaming_is_closed(&((struct stream *)b)->rule, now) && p->kind != PACKET_ATOMIC;
}

static void stream_looked_up(
	struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, bool shadow_hit, cycles now)
{
	struct streaming *rule = &((struct stream *)b)->rule;

	streaming_is_closed(rule, now); /* a period may have ended since the request was asked about */
	if (p->kind != PACKET_READ)
		return;
	rule->bypassed += outcome == L2_BYPASSED;
	streaming_measured(rule, !shadow_hit);
}

static void stream_sync_stats(struct l2_bypass *b, cycles until)
{
	streaming_sync_stats(&((struct stream *)b)->rule, until);
}

static void stream_state(void *policy, struct state *state)
{
	streaming_state(&((struct stream *)policy)->rule, state);
}

static const struct sim_param stream_params[] = {
	STREAMING_PARAMS(struct stream, rule, "L2"),
	SIM_END,
};

static const struct sim_stat stream_stats[] = {
	STREAMING_STATS(struct stream, rule),
	SIM_STAT_END,
};

static const struct policy_storage l2_bypass_stream_storage[] = {
	STORED(64, "L2 slice", "counters of reads and of misses of a period, 32 bits each",
		"GPGPU 2015 names the counters; the width is ours"),
	STORED_END,
};

const struct l2_bypass_class l2_bypass_stream = {
	.name = "stream",
	.help = "reads and stores, while most of a sampling period's reads have missed",
	.source = "Khairy et al., GPGPU 2015",
	.storage = l2_bypass_stream_storage,
	.size = sizeof(struct stream),
	.params = stream_params,
	.state = stream_state,
	.stats = stream_stats,
	.wants_shadow = true,
	.decide = stream_decide,
	.looked_up = stream_looked_up,
	.sync_stats = stream_sync_stats,
};
