/* sim/event/event_kernel.h -- the discrete-event kernel: clock domains, components that tick while awake,
 * events.
 *
 * Time is in picoseconds. The edges of a clock domain are at floor(k * 10^9 / kHz) ps: exact, without
 * drift, so that domains whose frequencies have a whole ratio meet exactly. A component belongs to one
 * phase, and a phase to one domain. At each time the events that are due come first, in the order of their
 * priority (phase, number, sequence). Then the phases follow in order, and in each phase the awake
 * components in the order of their numbers. So every run repeats to the last digit.
 *
 * A component sleeps when it can do nothing; a port or an event wakes it. If its phase has yet to run at
 * this time, it ticks at this edge, otherwise at the next edge of its domain. A sleeping component costs
 * nothing. */
#ifndef SIM_EVENT_EVENT_KERNEL_H
#define SIM_EVENT_EVENT_KERNEL_H

#include "sim/base/types.h"

/* The order within one time, with its reason. */
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

/* Embedded first in whatever ticks. */
struct component {
	struct simulator *sim;
	void (*tick)(struct component *self, cycles now); /* now: cycle of the phase's domain */
	uint16_t phase, number;
};

struct simulator *sim_new(const uint64_t khz[CLOCK_COUNT]);
void sim_free(struct simulator *sim);

/* Gives the component its number in the phase, in order of calling; it starts asleep. */
void component_init(struct component *c, struct simulator *sim, enum sim_phase phase,
	void (*tick)(struct component *, cycles));
void component_wake(struct component *c);
/* Stays awake from the domain's cycle `when` on (a cycle in the past: at once). Several calls: the earliest
 * counts, and the component, woken early, is expected to ask again. */
void component_wake_at(struct component *c, cycles when);
void component_sleep(struct component *c);
/* component_sleep, then component_wake_at. SIM_NEVER: until it is woken. */
void component_sleep_until(struct component *c, cycles when);
bool component_is_awake(const struct component *c);
/* The earliest timed wake-up that is scheduled; SIM_NEVER: none. */
cycles component_wakes_at(const struct component *c);

/* Runs until *stop is true (looked at after each time step), until no component is awake and nothing is
 * scheduled (returns false: nothing can ever happen again), or until time reaches limit. */
bool sim_run(struct simulator *sim, const bool *stop, picoseconds limit);

static inline picoseconds sim_now(const struct simulator *sim)
{
	return *(const picoseconds *)sim; /* its first field */
}
/* Moves an idle machine's time forward (host-side waiting, copies); never backward. */
void sim_skip_to(struct simulator *sim, picoseconds when);
/* The domain's cycle number at the current time: edges passed, the one at this very time included. */
cycles sim_cycle(const struct simulator *sim, enum sim_domain domain);
/* The domain's first edge that has not run yet: its cycle number; and the time of an edge. */
cycles sim_next_cycle(const struct simulator *sim, enum sim_domain domain);
picoseconds sim_edge(const struct simulator *sim, enum sim_domain domain, cycles cycle);
double sim_mhz(const struct simulator *sim, enum sim_domain domain);
enum sim_domain sim_phase_domain(enum sim_phase phase);

/* Components of one phase may tick on several host threads, since each touches only itself and its ports;
 * whatever the number of threads, the run is the same. threads: 1 (as at first) to SIM_MAX_THREADS, the
 * caller's included; not during sim_run. Then sim_fork_from: a phase is spread over the threads at times at
 * which so many of its components or more are awake (SIM_NEVER_FORK, as at first: never). Phases whose
 * components have more in common than the kernel must not be. */
#define SIM_MAX_THREADS 64
#define SIM_NEVER_FORK  UINT32_MAX
void sim_set_threads(struct simulator *sim, uint32_t threads);
void sim_fork_from(struct simulator *sim, enum sim_phase phase, uint32_t awake);

/* Component ticks executed so far in a phase: how much work the machine was. */
uint64_t sim_ticks(const struct simulator *sim, enum sim_phase phase);

#endif
