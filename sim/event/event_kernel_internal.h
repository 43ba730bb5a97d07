/* sim/event/event_kernel_internal.h -- what the files of the event kernel share: event_kernel.c (time, order,
 * waking), timed_wakeups.c (timed wake-ups), parallel_phase.c (phases over host threads). */
#ifndef SIM_EVENT_EVENT_KERNEL_INTERNAL_H
#define SIM_EVENT_EVENT_KERNEL_INTERNAL_H

#include "sim/event/clock.h"
#include "sim/event/event_kernel.h"

#define WORDS (SIM_MAX_COMPONENTS / 64)
#define RING  256 /* cycles that timed wake-ups are near; a power of two */

/* Far away: in the heap. */
struct timed_wake {
	picoseconds when;
	struct phase *phase;
	uint32_t number;
};

struct phase {
	struct component *components[SIM_MAX_COMPONENTS];
	struct domain *domain;
	uint64_t awake[WORDS];
	uint32_t count, awake_count;
	uint32_t fork_from; /* so many awake components are spread over the threads; UINT32_MAX: never */
	uint32_t words, first_word; /* of a row of its domain's ring: one for each 64 components, from the
				       first on */
	uint64_t ticks;
	/* Of each component, here and not with it, since the thread that keeps time is not the one that ticks
	 * it: the earliest timed wake-up that is scheduled (SIM_NEVER: none), and where in the heap it
	 * stands. */
	cycles wake_cycle[SIM_MAX_COMPONENTS];
	uint32_t heap_allocate[SIM_MAX_COMPONENTS];
};

/* Phases whose clocks have the same frequency share one. */
struct domain {
	struct clock clock;
	uint32_t awake_count; /* components awake in all phases of the domain */
	picoseconds next; /* between steps: when its next edge is to run; SIM_NEVER: nobody is awake, nor will
			     be */
	cycles due;       /* the first cycle with wake-ups in the ring; SIM_NEVER: there are none */
	struct clock due_clock;   /* at that cycle, if it has been looked for */
	uint64_t busy[RING / 64]; /* rows of the ring with wake-ups */
	uint16_t waiting[RING];   /* how many */
	uint64_t *ring;           /* RING rows of `words` words: who wakes in a cycle (timed_wakeups.c) */
	uint32_t words;
	struct phase *phase_of[PHASE_COUNT * WORDS]; /* each word's */
};

#define IN_RING UINT32_MAX /* heap_allocate: it is not in the heap */

struct parallel;

struct simulator {
	picoseconds now; /* first: sim_now */
	bool is_done;    /* between steps: the edges at `now` have run */
	bool is_forked;  /* the components of a phase tick on several threads now: nothing here changes
			    meanwhile */
	uint32_t domain_count;
	struct domain *domain_of[CLOCK_COUNT];
	struct domain domains[CLOCK_COUNT]; /* those with frequencies of their own */
	struct phase phases[PHASE_COUNT];
	struct timed_wake *heap; /* one entry a component at most: never grows in the cycle loop */
	uint32_t heap_count, heap_capacity, components;
	struct parallel *parallel; /* NULL: one thread */
};

/* ---- timed_wakeups.c ---- */

/* The phase has one component more. */
void timed_add_component(struct simulator *sim, const struct phase *phase);
/* A component is to wake in a cycle after the domain's present one (clock.cycle): timed_ask, which is this
 * for most. */
void timed_ask_again(struct simulator *sim, struct phase *p, uint32_t number, cycles when);
/* Wakes those whose cycle in the ring is the domain's due one; those in the heap whose time has come. */
void timed_wake_due(struct domain *d);
void timed_wake_far(struct simulator *sim);

/* The row of a cycle. */
static inline uint64_t *ring_row(const struct domain *d, cycles cycle)
{
	return d->ring + (size_t)(cycle % RING) * d->words;
}

/* Puts a wake-up of fewer than RING cycles ahead where it belongs. */
static inline void ring_put(struct phase *p, struct domain *d, uint32_t number, cycles when)
{
	uint32_t row = when % RING;

	ring_row(d, when)[p->first_word + number / 64] |= UINT64_C(1) << (number % 64);
	d->waiting[row]++;
	d->busy[row / 64] |= UINT64_C(1) << (row % 64);
	if (when < d->due)
		d->due = when;
	p->heap_allocate[number] = IN_RING;
	p->wake_cycle[number] = when;
}

static inline void timed_ask(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	if (p->wake_cycle[number] == SIM_NEVER && when - p->domain->clock.cycle < RING)
		ring_put(p, p->domain, number, when);
	else
		timed_ask_again(sim, p, number, when);
}

/* ---- event_kernel.c: by phase and number, so that nobody looks at the component ---- */

void kernel_wake(struct simulator *sim, struct phase *p, uint32_t number);
void kernel_sleep(struct phase *p, uint32_t number);
void kernel_wake_at(struct simulator *sim, struct phase *p, uint32_t number, cycles when);

/* ---- parallel_phase.c ---- */

void parallel_free(struct parallel *parallel);
/* sim_run begins. */
void parallel_enter(struct parallel *parallel);
/* Ticks the awake components of the phase; false: it has not, since one thread is better now. */
bool parallel_phase(struct simulator *sim, struct phase *phase, cycles now);
/* What component_wake, component_sleep_until and component_wake_at come to while the simulator is forked. */
void parallel_wake(struct component *c);
void parallel_sleep_until(struct component *c, cycles when);
void parallel_wake_at(struct component *c, cycles when);

#endif
