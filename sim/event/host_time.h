/* sim/event/host_time.h -- where the simulator spends the host's time, by phase of its work. Off unless asked
 * for: then each place below is a test of a byte. The time-stamp counter is read at each change of phase;
 * what the reading itself costs is measured at the beginning and taken off. One thread only. */
#ifndef SIM_EVENT_HOST_TIME_H
#define SIM_EVENT_HOST_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum host_phase {
	HOST_OUTSIDE, /* the program, its PTX, output files: whatever is not simulation */
	HOST_EXECUTE, /* values: micro-operations on 32 lanes */
	HOST_CORE,    /* issue, scoreboard, fetch, results, commit, dispatch of CTAs */
	HOST_L1,      /* load/store unit and the caches behind it */
	HOST_XBAR,
	HOST_L2,
	HOST_DRAM,
	HOST_EVENTS, /* the event kernel between all these */
	HOST_PHASES
};

extern bool host_time_is_on __attribute__((visibility("hidden")));

/* From here on time counts, for HOST_OUTSIDE. */
void host_time_begin(void);

/* Changes to a phase; returns the one before. host_time_is_on only. */
enum host_phase host_time_change(enum host_phase phase);

/* The same, or nothing if it is off. */
static inline void host_time_enter(enum host_phase phase)
{
	if (__builtin_expect(host_time_is_on, 0))
		host_time_change(phase);
}

/* While paused, all time is HOST_OUTSIDE. */
void host_time_pause(bool is_paused);

/* What a phase has taken so far, less what reading the counter took; ticks of the counter. */
uint64_t host_time_ticks(enum host_phase phase);

/* A line a phase: host.NAME, its share of all that is not HOST_OUTSIDE, and what it is; then all of it in
 * ticks. */
void host_time_print(FILE *stream);

#endif
