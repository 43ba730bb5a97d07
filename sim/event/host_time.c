/* sim/event/host_time.c -- where the simulator spends the host's time: see host_time.h. */
#include "sim/event/host_time.h"
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

bool host_time_is_on;

static struct {
	enum host_phase phase;
	bool is_paused;
	uint64_t since; /* when the present phase began */
	uint64_t ticks[HOST_PHASES], reads[HOST_PHASES];
	uint64_t read; /* ticks that one change of phase takes */
} host;

static const struct {
	const char *name, *meaning;
} phases[HOST_PHASES] = {
	[HOST_OUTSIDE] = { "outside", "" },
	[HOST_EXECUTE] = { "execute", "share of execution: micro-operations on 32 lanes" },
	[HOST_CORE] = { "core", "share of the SMs: fetch, scoreboard, issue, results, commit, CTA dispatch" },
	[HOST_L1] = { "l1", "share of the load/store units and the caches of the SMs" },
	[HOST_XBAR] = { "crossbar", "share of the networks between SMs and L2" },
	[HOST_L2] = { "l2", "share of the L2 slices" },
	[HOST_DRAM] = { "dram", "share of the DRAM channels" },
	[HOST_EVENTS] = { "events", "share of the event kernel" },
};

static inline uint64_t now(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#endif
}

enum host_phase host_time_change(enum host_phase phase)
{
	enum host_phase before = host.phase;
	uint64_t at;

	if (before == phase || host.is_paused)
		return before;
	at = now();
	host.ticks[before] += at - host.since;
	host.reads[before]++;
	host.phase = phase;
	host.since = at;
	return before;
}

void host_time_pause(bool is_paused)
{
	static enum host_phase before;

	if (!host_time_is_on || is_paused == host.is_paused)
		return;
	if (is_paused)
		before = host_time_change(HOST_OUTSIDE);
	host.is_paused = is_paused;
	if (!is_paused)
		host_time_change(before);
}

/* The smallest number of ticks that phases without work between two changes take, as a mean of a few. */
static uint64_t cost_of_change(void)
{
	enum { TRIES = 50, EACH = 64 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t begun = now(), took;

		for (int j = 0; j < EACH; j++)
			host_time_change(j & 1 ? HOST_OUTSIDE : HOST_EVENTS);
		took = (now() - begun) / EACH;
		least = took < least ? took : least;
	}
	return least;
}

void host_time_begin(void)
{
	host.since = now();
	host.read = cost_of_change();
	for (int i = 0; i < HOST_PHASES; i++)
		host.ticks[i] = host.reads[i] = 0;
	host.phase = HOST_OUTSIDE;
	host.since = now();
	host_time_is_on = true;
}

uint64_t host_time_ticks(enum host_phase phase)
{
	uint64_t reading = host.read * host.reads[phase];

	return host.ticks[phase] > reading ? host.ticks[phase] - reading : 0;
}

void host_time_print(FILE *stream)
{
	double all = 0;

	for (int i = HOST_OUTSIDE + 1; i < HOST_PHASES; i++)
		all += (double)host_time_ticks((enum host_phase)i);
	for (int i = HOST_OUTSIDE + 1; i < HOST_PHASES; i++)
		fprintf(stream, "host.%-12s %8.4f # %s\n", phases[i].name,
			all > 0 ? (double)host_time_ticks((enum host_phase)i) / all : 0, phases[i].meaning);
	fprintf(stream, "host.%-12s %8.0f # ticks of the time-stamp counter (elsewhere nanoseconds)\n",
		"total", all);
}
