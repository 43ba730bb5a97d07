/* sim/kernel_internal.h -- what the files of the event kernel share: kernel.c (time, order, waking), parallel.c (phases over host
 * threads). */
#ifndef SIM_KERNEL_INTERNAL_H
#define SIM_KERNEL_INTERNAL_H

#include "sim/kernel.h"

#define WORDS (SIM_MAX_COMPONENTS / 64)

struct timed_wake {
	picoseconds when;
	uint64_t order;             /* phase, number: ties are broken by it */
	struct component *component;
};

struct phase {
	struct component *components[SIM_MAX_COMPONENTS];
	uint64_t awake[WORDS];
	uint32_t count, awake_count;
	uint32_t fork_from;         /* so many awake components are spread over the threads; UINT32_MAX: never */
	uint64_t ticks;
};

struct domain {
	uint64_t khz;
	picoseconds period;         /* 10^9 / khz ... */
	uint64_t period_rest;       /* ... and what that leaves */
	cycles cycle;               /* of the next edge not yet run */
	picoseconds edge;           /* its time */
	uint64_t edge_rest;         /* 10^9 * cycle - khz * edge, which is less than khz */
	uint32_t awake_count;       /* components awake in all phases of the domain */
};

struct parallel;

struct simulator {
	picoseconds now;            /* first: sim_now */
	struct domain domains[CLOCK_COUNT];
	struct phase phases[PHASE_COUNT];
	bool is_done;               /* between steps: the edges at `now` have run */
	bool is_forked;             /* the components of a phase tick on several threads now: nothing here changes meanwhile */
	struct timed_wake *heap;    /* one entry a component at most: never grows in the cycle loop */
	uint32_t heap_count, heap_capacity, components;
	struct parallel *parallel;  /* NULL: one thread */
};

/* kernel.c: component_wake_at, the time of the cycle being known. */
void kernel_wake_at(struct component *c, cycles when, picoseconds time);

/* ---- parallel.c ---- */

void parallel_free(struct parallel *parallel);
/* sim_run begins. */
void parallel_enter(struct parallel *parallel);
/* Ticks the awake components of the phase; false: it has not, since one thread is better now. */
bool parallel_phase(struct simulator *sim, struct phase *phase, cycles now);
/* What component_wake, component_sleep and component_wake_at come to while the simulator is forked. */
void parallel_wake(struct component *c);
void parallel_sleep(struct component *c);
void parallel_wake_at(struct component *c, cycles when, picoseconds time);

#endif
