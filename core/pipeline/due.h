/* core/pipeline/due.h -- what is due at a known cycle happens (core/sm/timing_wheel.h): results, fetches,
 * sleeps.
 */
#ifndef CORE_PIPELINE_DUE_H
#define CORE_PIPELINE_DUE_H

#include "core/sm/sm.h"

/* due_run, where something may be due; the wheel has been run up to cycle `before`. */
void due_happen(struct sm *sm, cycles before, cycles now);
/* What is due now happens. */
static inline void due_run(struct sm *sm, struct timing_wheel *w, cycles now)
{
	cycles before = w->now;

	w->now = now;
	if (w->far_count || w->busy >> now % WHEEL_NEAR & 1)
		due_happen(sm, before, now);
}
/* The warp does not issue for so many nanoseconds. */
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now);

#endif
