/* How much work a machine was. */
#ifndef TESTS_UNIT_SIM_TICKS_H
#define TESTS_UNIT_SIM_TICKS_H

#include "sim/event/event_kernel_internal.h"

/* Component ticks executed so far in a phase. */
static inline uint64_t sim_ticks(const struct simulator *sim, enum sim_phase phase)
{
	return sim->phases[phase].ticks;
}

#endif
