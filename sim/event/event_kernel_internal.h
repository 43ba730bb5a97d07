/* sim/event/event_kernel_internal.h -- shared by the files of the event kernel: event_kernel.c (time,
 * order, waking), places.c (components in sets), timed_wakeups.c (timed wake-ups), parallel_phase.c (phases
 * distributed over host threads). */
#ifndef SIM_EVENT_EVENT_KERNEL_INTERNAL_H
#define SIM_EVENT_EVENT_KERNEL_INTERNAL_H

#include "sim/event/event_kernel.h"

#define RING 256 /* number of cycles ahead that the ring covers; a power of two */

/* An entry of the heap: a wake-up beyond the cycles of the ring. */
struct timed_wake {
	picoseconds when;
	struct phase *phase;
	uint32_t number;
};

/* What --host-profile finds out about a phase that threads would divide (forks.c). */
#define FORK_SIZES 4 /* numbers of threads that it looks at */
struct forks {
	uint64_t count, ticks;       /* forks, and ticks in them */
	int64_t work;                /* nanoseconds of the ticks */
	int64_t divided[FORK_SIZES]; /* the same, divided among threads at best */
};

/* The components of a phase are neighbours among those of its domain: within one word of its sets if they
 * are at most 64, else in words of their own. */
struct phase {
	struct domain *domain;
	uint64_t *awake, *awake_end;   /* its words of domain->awake ... */
	uint64_t mask;                 /* ... and its bits in each */
	struct component **components; /* of the places that begin with the first of these words */
	uint32_t first;                /* the place of its component 0 in the domain */
	uint32_t count, room;          /* components, and places for them */
	uint32_t fork_from; /* number of awake components from which the phase is distributed over the
			       threads; UINT32_MAX: never */
	uint64_t ticks;
	struct forks forks;
	uint8_t joins[SIM_MAX_COMPONENTS]; /* by number: component_may_join */
};

/* Phases whose clocks have the same frequency share one. */
struct domain {
	struct clock clock;
	uint64_t *awake;  /* a bit for each place: its component is awake */
	uint32_t words;   /* of such a set */
	picoseconds next; /* between steps: time of its next edge; SIM_NEVER: no component is awake or will be
			   */
	cycles due;       /* the first cycle with wake-ups in the ring; SIM_NEVER: there are none */
	cycles due_known; /* the cycle `due` whose edge has been computed ... */
	picoseconds due_edge;     /* ... and that edge */
	uint64_t *ring;           /* RING sets, of the components that wake in each cycle (timed_wakeups.c) */
	uint64_t busy[RING / 64]; /* those of them that are not empty */
	/* For each place: its component, the earliest timed wake-up that is scheduled (SIM_NEVER: none) and
	 * its index in the heap. They are here and not in struct component, because the thread that advances
	 * time is not the thread that ticks the component. */
	struct component **components;
	cycles *wake_cycle;
	uint32_t *heap_index;
	struct clock_lead lead; /* of the clock, if it has one */
};

#define IN_RING UINT32_MAX /* value of heap_index: there is no wake-up in the heap */

struct parallel;

struct simulator {
	picoseconds now;   /* the first member: sim_now reads it */
	picoseconds limit; /* of sim_run */
	bool is_done;      /* between steps: the edges at `now` have run */
	bool is_forked;    /* the components of a phase are ticking on several threads: nothing here changes
			      meanwhile */
	uint32_t domain_count;
	uint32_t heap_count, heap_capacity, components;
	struct timed_wake *heap; /* at most one entry for each component, so that it never grows in the cycle
				    loop */
	struct domain *domain_of[CLOCK_COUNT];
	struct domain *domain_of_phase[PHASE_COUNT];
	struct domain domains[CLOCK_COUNT]; /* those with frequencies of their own */
	struct phase phases[PHASE_COUNT];
	struct parallel *parallel; /* NULL: one thread */
	int64_t forks_all;         /* nanoseconds in sim_run, if --host-profile asks for them */
};

static inline struct domain *domain_of_component(const struct component *c)
{
	return c->sim->domain_of_phase[c->phase];
}
static inline bool is_awake_at(const struct domain *d, uint32_t place)
{
	return d->awake[place / 64] >> (place % 64) & 1;
}

/* ---- timed_wakeups.c ---- */

/* Schedules a wake-up in a cycle after the domain's present one (clock.cycle), in the ring or in the heap. */
void timed_ask(struct simulator *sim, struct phase *p, uint32_t number, cycles when);
/* Forgets the wake-up of the component at that place, if there is one. */
void timed_forget(struct simulator *sim, struct domain *d, uint32_t place);
/* Wakes the components whose cycle in the ring is `due`, and those in the heap whose time has come. */
void timed_wake_due(struct domain *d);
void timed_wake_far(struct simulator *sim);

/* The set of those that wake in a cycle. */
static inline uint64_t *ring_row(const struct domain *d, cycles cycle)
{
	return d->ring + (size_t)(cycle % RING) * d->words;
}

/* Enters a wake-up fewer than RING cycles ahead into the ring. */
static inline void ring_put(struct domain *d, uint32_t place, cycles when)
{
	uint32_t row = when % RING;

	ring_row(d, when)[place / 64] |= UINT64_C(1) << (place % 64);
	d->busy[row / 64] |= UINT64_C(1) << (row % 64);
	if (when < d->due)
		d->due = when;
	d->wake_cycle[place] = when;
}

/* ---- places.c ---- */

/* Domains and phases have been wired, and have no components yet. */
void places_init(struct simulator *sim);
void places_free(struct simulator *sim);
/* Gives the component a place in its domain: the next of its phase. Those of others may change. */
void places_add(struct simulator *sim, struct phase *p, struct component *c);

/* ---- event_kernel.c: components by phase and number, so that struct component need not be read ---- */

void kernel_wake(struct simulator *sim, struct phase *p, uint32_t number);
void kernel_sleep(struct phase *p, uint32_t number);
void kernel_wake_at(struct simulator *sim, struct phase *p, uint32_t number, cycles when);

/* ---- forks.c ---- */

/* The processor time of this thread in nanoseconds, without that for reading it so far. */
int64_t forks_clock(void);

/* Ticks the awake components of the phase on this thread, and measures them. */
void forks_measure(struct phase *phase, cycles now);

/* ---- parallel_phase.c ---- */

void parallel_free(struct parallel *parallel);
/* To be called when sim_run begins. */
void parallel_enter(struct parallel *parallel);
/* Ticks the awake components of the phase on the threads; false: it has done nothing, since one thread is
 * faster now. */
bool parallel_phase(struct simulator *sim, struct phase *phase, cycles now);
/* Called by component_wake, component_sleep_until and component_wake_at while the simulator is forked. */
void parallel_wake(struct component *c);
void parallel_sleep_until(struct component *c, cycles when);
void parallel_wake_at(struct component *c, cycles when);

#endif
