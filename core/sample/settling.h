/* core/sample/settling.h -- whether the time that is let pass behind a jump is long enough.
 *
 * A jump disturbs a machine by more than its caches: SMs whose CTAs had come out of step are in step for a
 * while. How long that lasts nobody knows before, so each unit tells: if the last chunk that was not measured
 * is slower or faster than those measured behind it, in all units alike, the time was too short. And if
 * chunks differ more than was known when a unit's length was chosen, units are too short themselves. */
#ifndef CORE_SAMPLE_SETTLING_H
#define CORE_SAMPLE_SETTLING_H

#include "sim/base/types.h"

struct settling {
	double last; /* cycles per warp instruction of the last chunk that was not measured; 0: none */
	double sum, squares; /* by which these are off the units measured behind them, relative */
	uint32_t units;
};

/* A unit has been measured, of so many cycles per warp instruction. */
void settling_measured(struct settling *s, double cycles_per_warp);
/* Whether the units so far show, beyond chance, a disturbance larger than `allowed` (relative) before they
 * began. */
bool settling_is_short(const struct settling *s, double allowed);

#endif
