/* sim/base/host_clock.h -- the host's time, for limits and progress: seconds since some moment, never set
 * back. */
#ifndef SIM_BASE_HOST_CLOCK_H
#define SIM_BASE_HOST_CLOCK_H

#include <time.h>

static inline double host_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
