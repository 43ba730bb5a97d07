/* experiment/now.h -- the host's time, for limits and progress: seconds since some moment, never set back. */
#ifndef EXPERIMENT_NOW_H
#define EXPERIMENT_NOW_H

#include <time.h>

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
