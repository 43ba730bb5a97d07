/* memsys/observe/delays.c -- the distribution of queueing delays at the L2. */
#include "memsys/observe/delays.h"
#include "sim/base/c_locale.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define STEPS   16u /* buckets of a doubling; below 2 x STEPS a bucket is one cycle */
#define BUCKETS ((64 - 4 + 1) * STEPS)

struct delay_observer {
	struct cache_listener *listeners;
	uint64_t requests, sum, bucket[BUCKETS];
};

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

static void on_served(void *user, const struct requester *by, cycles delay)
{
	struct delay_observer *o = user;

	o->requests++;
	o->sum += delay;
	o->bucket[delay_bucket(delay)]++;
}

struct delay_observer *delay_observer_new(uint32_t slices)
{
	struct delay_observer *o = xcalloc(1, sizeof(*o));

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

void delay_observer_write(const struct delay_observer *o, FILE *file)
{
	locale_t before = c_locale_enter();
	uint64_t up_to = 0;

	fputs("least,most,requests,share,cumulative\n", file);
	for (uint32_t i = 0; i < BUCKETS; i++) {
		if (!o->bucket[i])
			continue;
		up_to += o->bucket[i];
		fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%.6f\n", delay_bucket_low(i),
			delay_bucket_low(i + 1) - 1, o->bucket[i], (double)o->bucket[i] / (double)o->requests,
			(double)up_to / (double)o->requests);
	}
	c_locale_leave(before);
}
