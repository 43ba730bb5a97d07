/* memsys/observe/delays.c -- distributions of the times before requests are looked up at the L2. */
#include "memsys/observe/delays.h"
#include "sim/text/c_locale.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define STEPS   16u /* buckets of a doubling; below 2 x STEPS a bucket is one cycle */
#define BUCKETS ((64 - 4 + 1) * STEPS)

struct delays_stats {
	struct sim_histogram at_l2, from_sm;
};

struct delay_observer {
	struct cache_listener *listeners;
	uint64_t khz;
	cycles rop_latency;
	uint64_t requests, bucket[DELAY_KINDS][BUCKETS];
	struct delays_stats stats;
};

static const struct sim_stat delays_stats[] = { SIM_HIST(struct delays_stats, at_l2, "cycles",
							"L2 cycles from a request's arrival at the slice to "
							"its look-up, beyond the ROP latency (MeDiC, "
							"Figure 5)"),
	SIM_HIST(struct delays_stats, from_sm, "cycles",
		"L2 cycles from when the SM put a request into the queue before the crossbar to its "
		"look-up, beyond the ROP latency; it includes the crossbar's latency"),
	SIM_STAT_END };

uint32_t delay_bucket(uint64_t delay)
{
	uint32_t octave;

	if (delay < 2 * STEPS)
		return (uint32_t)delay;
	octave = 63 - (uint32_t)__builtin_clzll(delay) - 4; /* delay >> octave lies in [16, 32) */
	return octave * STEPS + (uint32_t)(delay >> octave);
}

uint64_t delay_bucket_low(uint32_t bucket)
{
	uint32_t octave = bucket < 2 * STEPS ? 0 : bucket / STEPS - 1;

	return (uint64_t)(bucket - octave * STEPS) << octave;
}

static void on_served(void *user, const struct requester *by, cycles at_l2, picoseconds since_sent)
{
	struct delay_observer *o = user;
	cycles all = (cycles)((unsigned __int128)since_sent * o->khz / 1000000000u),
	       from_sm = all > at_l2 + o->rop_latency ? all - o->rop_latency : at_l2;

	o->requests++;
	o->bucket[DELAY_AT_L2][delay_bucket(at_l2)]++;
	o->bucket[DELAY_FROM_SM][delay_bucket(from_sm)]++;
	sim_hist_add(&o->stats.at_l2, at_l2);
	sim_hist_add(&o->stats.from_sm, from_sm);
}

struct delay_observer *delay_observer_new(
	uint32_t slices, uint64_t khz, cycles rop_latency, struct stat_tree *stats)
{
	struct delay_observer *o = xcalloc(1, sizeof(*o));

	o->khz = khz;
	o->rop_latency = rop_latency;
	stat_register(stats, "observe.queue_delay", -1, delays_stats, &o->stats, sizeof(o->stats));
	o->listeners = xcalloc(slices, sizeof(*o->listeners));
	return o;
}

void delay_observer_free(struct delay_observer *o)
{
	if (!o)
		return;
	free(o->listeners);
	free(o);
}

struct cache_listener *delay_observer_listener(struct delay_observer *o, uint32_t slice)
{
	o->listeners[slice] = (struct cache_listener){ .user = o, .served = on_served };
	return &o->listeners[slice];
}

void delay_observer_write(const struct delay_observer *o, enum delay_from from, FILE *file)
{
	locale_t before = c_locale_enter();
	const uint64_t *bucket = o->bucket[from];
	uint64_t up_to = 0;

	fputs("least,most,requests,share,cumulative\n", file);
	for (uint32_t i = 0; i < BUCKETS; i++) {
		if (!bucket[i])
			continue;
		up_to += bucket[i];
		fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%.6f\n", delay_bucket_low(i),
			delay_bucket_low(i + 1) - 1, bucket[i], (double)bucket[i] / (double)o->requests,
			(double)up_to / (double)o->requests);
	}
	c_locale_leave(before);
}
