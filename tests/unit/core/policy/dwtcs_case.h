/* tests/unit/core/policy/dwtcs_case.h -- what test_dwtcs.c and test_dwtcs_kernels.c share. */
#ifndef DWTCS_CASE_H
#define DWTCS_CASE_H

#include "dwtcs_rig.h"

static inline void start_all(uint32_t sms, const char *const *sets)
{
	rig_make(sms, sets);
	rig_run(49);
	rig_start("k", 1, 0, sms);
}

/* The peak of the table: warps that do most. */
static inline void peak(uint32_t warps)
{
	rig.speed[warps] = 20;
}

#endif
