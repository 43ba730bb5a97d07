/* sim/event/event_kernel.h -- the discrete-event kernel: clock domains, and components that tick while
 * they are awake.
 *
 * Time is in picoseconds. A clock domain has edges at floor(k * 10^9 / kHz) ps: exact, without drift, so
 * that domains whose frequencies have whole ratios have exactly common edges. A component belongs to one
 * phase, a phase to one domain. At each time, first the timed wake-ups that are due take effect; then the
 * phases run in their order, and within a phase the awake components tick in the order of their numbers.
 * So every run repeats to the last digit.
 *
 * A component sleeps when it has nothing to do; a port or a timed wake-up wakes it. If it is woken by a
 * phase that runs before its own at this time, it ticks at this edge, else at the next edge of its domain.
 * A component that sleeps costs no host time. */
#ifndef SIM_EVENT_EVENT_KERNEL_H
#define SIM_EVENT_EVENT_KERNEL_H

#include "sim/event/clock.h"
#include <stdio.h>

/* The order of phases within one time, and what each does. */
enum sim_phase {
	PHASE_SM,     /* cores: touch only themselves and their own ports */
	PHASE_COMMIT, /* global stores and atomics of this cycle become visible, in SM order; CTA dispatch */
	PHASE_XBAR,   /* crossbars: move flits that the cores and slices offered */
	PHASE_L2,     /* L2 slices */
	PHASE_DRAM,   /* DRAM controllers */
	PHASE_COUNT
};

enum sim_domain { CLOCK_CORE, CLOCK_XBAR, CLOCK_L2, CLOCK_DRAM, CLOCK_COUNT };

#define SIM_MAX_COMPONENTS 1024 /* in one phase */

struct simulator;

/* The first member of every structure that ticks. */
struct component {
	struct simulator *sim;
	void (*tick)(struct component *self, cycles now); /* now: cycle of the phase's domain */
	uint16_t phase, number;
	uint16_t place; /* among the components of its domain */
};

struct simulator *sim_new(const uint64_t khz[CLOCK_COUNT]);
/* Lets a domain run ahead of the reference by so many of its cycles (clock_init_ahead): before there are
 * components. The domain must not have the frequency of another one. */
void sim_go_ahead(struct simulator *sim, enum sim_domain domain, enum sim_domain reference, cycles ahead);
void sim_free(struct simulator *sim);

/* Gives the component its number in the phase, in the order of calls; it starts asleep. */
void component_init(struct component *c, struct simulator *sim, enum sim_phase phase,
	void (*tick)(struct component *, cycles));
void component_wake(struct component *c);
/* Wakes the component at the domain's cycle `when` (at once if that is in the past). Of several calls the
 * earliest cycle counts; a component that is woken early must ask again. */
void component_wake_at(struct component *c, cycles when);
void component_sleep(struct component *c);
/* In its tick: whether, while it sleeps until a cycle, it would rather tick earlier, together with others of
 * its phase, where threads divide that. Until its next tick. */
void component_may_join(struct component *c, bool may);
/* component_sleep, then component_wake_at. SIM_NEVER: sleeps until something else wakes it. */
void component_sleep_until(struct component *c, cycles when);
/* The first edge of the component's domain that is not before `when`, and not before the first one that has
 * not run. */
struct local_time component_edge_from(const struct component *c, picoseconds when);
bool component_is_awake(const struct component *c);

/* Runs until *stop is true (read after each time step), until no component is awake and no wake-up is
 * scheduled (returns false: nothing can ever happen again), or until time reaches limit. */
bool sim_run(struct simulator *sim, const bool *stop, picoseconds limit);

static inline picoseconds sim_now(const struct simulator *sim)
{
	return *(const picoseconds *)sim; /* its first field */
}
/* While it runs: a domain's clock, at the edge that runs now or the next one, or an earlier one if the domain
 * sleeps; and the limit. */
const struct clock *sim_clock(const struct simulator *sim, enum sim_domain domain);
picoseconds sim_limit(const struct simulator *sim);
/* Advances the time of an idle machine (host-side waiting, copies); never backward. */
void sim_skip_to(struct simulator *sim, picoseconds when);
/* The domain's cycle number at the current time: the number of edges so far, including one at this time. */
cycles sim_cycle(const struct simulator *sim, enum sim_domain domain);
/* sim_next_cycle: the cycle number of the domain's first edge that has not run yet; sim_next_without_lead:
 * the number that it would have if the domain did not run ahead. sim_edge: the time of an edge. */
cycles sim_next_cycle(const struct simulator *sim, enum sim_domain domain);
cycles sim_next_without_lead(const struct simulator *sim, enum sim_domain domain);
picoseconds sim_edge(const struct simulator *sim, enum sim_domain domain, cycles cycle);
double sim_mhz(const struct simulator *sim, enum sim_domain domain);
enum sim_domain sim_phase_domain(enum sim_phase phase);

/* Lets the components of one phase tick on several host threads, since each touches only itself and its
 * ports. Results are the same for any number of threads. threads: 1 (the default) to SIM_MAX_THREADS,
 * including the caller's thread; not to be called during sim_run. sim_fork_from: a phase is distributed
 * over the threads at times at which at least this many of its components are awake (SIM_NEVER_FORK, the
 * default: never). Phases whose components share more than the kernel must never be distributed. */
#define SIM_MAX_THREADS 64
#define SIM_NEVER_FORK  UINT32_MAX
void sim_set_threads(struct simulator *sim, uint32_t threads);
void sim_fork_from(struct simulator *sim, enum sim_phase phase, uint32_t awake);
/* For --host-profile: how often phases would be distributed, and what threads can be worth. */
void sim_print_forks(const struct simulator *sim, FILE *stream);

#endif
