/* sim/event/host_time.h -- measures how the simulator's host time is distributed over the phases of its
 * work. Off by default: then each call tests one byte. The time-stamp counter is read at each change of
 * phase; the cost of reading it is measured at the start and subtracted. For one thread only. */
#ifndef SIM_EVENT_HOST_TIME_H
#define SIM_EVENT_HOST_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum host_phase {
	HOST_OUTSIDE, /* the program, its PTX, output files: everything but simulation */
	HOST_EXECUTE, /* values: micro-operations on 32 lanes */
	HOST_CORE,    /* issue, scoreboard, fetch, results, commit, dispatch of CTAs */
	HOST_L1,      /* load/store unit and the caches behind it */
	HOST_XBAR,
	HOST_L2,
	HOST_DRAM,
	HOST_EVENTS, /* the event kernel, between all the other phases */
	HOST_PHASES
};

extern bool host_time_is_on __attribute__((visibility("hidden")));

/* Starts the measurement, in phase HOST_OUTSIDE. */
void host_time_begin(void);

/* Changes to a phase and returns the previous one. Only if host_time_is_on. */
enum host_phase host_time_change(enum host_phase phase);

/* Changes to a phase if the measurement is on. */
static inline void host_time_enter(enum host_phase phase)
{
	if (__builtin_expect(host_time_is_on, 0))
		host_time_change(phase);
}

/* While paused, all time counts for HOST_OUTSIDE. */
void host_time_pause(bool is_paused);

/* The time that a phase has taken so far, without the reading of the counter, in ticks of the time-stamp
 * counter. */
uint64_t host_time_ticks(enum host_phase phase);

/* Prints one line for each phase: host.NAME, its fraction of all time outside HOST_OUTSIDE, and its
 * description; then the total in ticks. */
void host_time_print(FILE *stream);

#endif
