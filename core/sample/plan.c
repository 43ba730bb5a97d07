/* core/sample/plan.c -- see plan.h. */
#include "core/sample/plan.h"
#include "core/sample/sampling.h"
#include <math.h>

/* Chunks, times the error that is allowed: with 3 %, five, three and two. */
#define STEADY  0.15
#define SETTLES 0.09
#define UNIT    0.06

#define PART       3   /* of the error: by how much a steady speed may change, and a chunk may differ */
#define MARGIN     0.8 /* of what is left of the error is used up, as units to come may differ more */
#define LONG       8   /* chunks of a unit, at most, if two would do were they more alike */
#define MOST_UNITS 1000000

static uint32_t chunks_for(double quotient, double error)
{
	double chunks = ceil(quotient / error - 1e-6);

	return chunks < 2 ? 2 : chunks < PLAN_LONGEST ? (uint32_t)chunks : PLAN_LONGEST;
}

uint32_t plan_window(double error, uint32_t chunks)
{
	uint32_t least = chunks_for(STEADY, error), third = chunks / 3;

	third = third < PLAN_LONGEST ? third : PLAN_LONGEST;
	return third > least ? third : least;
}

bool plan_is_steady(double error, const struct sample_chunk *chunks, uint32_t count)
{
	uint32_t window = plan_window(error, count);
	double before, last;

	if (count < 2 * window)
		return false;
	before = sample_ratio_of(&chunks[count - 2 * window], window).cycles_per_warp;
	last = sample_ratio_of(&chunks[count - window], window).cycles_per_warp;
	return fabs(last - before) <= error / PART * last;
}

uint32_t plan_unit_length(double error, double spread)
{
	uint32_t least = chunks_for(UNIT, error), most = least < LONG ? LONG : least;
	double length = 2 * ceil(spread / (error / PART) / 2);

	return length < least ? least : length < most ? (uint32_t)length : most;
}

uint32_t plan_settles(double error, uint32_t unit_length)
{
	uint32_t chunks = chunks_for(SETTLES, error);

	return chunks < unit_length ? unit_length : chunks;
}

/* Half a 95 % interval of the mean of so many units, relative. */
static double half_interval_of_mean(double spread, uint32_t units)
{
	return sample_student(units - 1 + SAMPLE_PRIOR_DEGREES) * spread / sqrt(units);
}

uint32_t plan_units(
	const struct sample_config *config, struct plan_spread beginning, struct plan_spread units)
{
	uint32_t all = beginning.degrees + units.degrees, count = config->least_units;
	double most = MARGIN * config->error * sqrt(1 - config->allowance * config->allowance), variance = 0;

	if (all)
		variance = (beginning.degrees * beginning.spread * beginning.spread +
				   units.degrees * units.spread * units.spread) /
			all;
	variance = sample_pooled(variance, all, 1);
	while (count < MOST_UNITS && half_interval_of_mean(sqrt(variance), count) > most)
		count += 1 + count / 16;
	return count;
}
