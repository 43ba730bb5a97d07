/* core/sample/settling.c -- whether detailed warming is long enough (settling.h). */
#include "core/sample/settling.h"
#include "core/sample/estimate.h"
#include <math.h>

#define LEAST_UNITS 3 /* units that say something about all of them */

void settling_measured(struct settling *s, double cycles_per_warp)
{
	double off;

	if (s->last <= 0 || cycles_per_warp <= 0)
		return;
	off = s->last / cycles_per_warp - 1;
	s->sum += off;
	s->squares += off * off;
	s->units++;
	s->last = 0;
}

bool settling_is_short(const struct settling *s, double allowed)
{
	double mean, variance;

	if (s->units < LEAST_UNITS)
		return false;
	mean = s->sum / s->units;
	variance = (s->squares - mean * s->sum) / (s->units - 1);
	return fabs(mean) > allowed &&
		fabs(mean) > sample_student(s->units - 1) * sqrt(fmax(variance, 0) / s->units);
}
