/* What tests read in the event kernel. */
#ifndef TESTS_UNIT_SIM_KERNEL_STATE_H
#define TESTS_UNIT_SIM_KERNEL_STATE_H

#include "sim/event/event_kernel_internal.h"

/* Component ticks executed so far in a phase. */
static inline uint64_t sim_ticks(const struct simulator *sim, enum sim_phase phase)
{
	return sim->phases[phase].ticks;
}

/* The cycle of the earliest timed wake-up of the component; SIM_NEVER: none. */
static inline cycles component_wakes_at(const struct component *c)
{
	return domain_of_component(c)->wake_cycle[c->place];
}

#endif
