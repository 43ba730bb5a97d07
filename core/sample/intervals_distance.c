/* core/sample/intervals_distance.c -- how much of a kernel is skipped at a time that is sampled by intervals
 * (intervals.h). */
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sample/intervals_internal.h"
#include "core/sample/sampling_internal.h"
#include <math.h>

/* No jump over fewer instructions than so many times those timed for it. */
#define WORTH 2
/* Jumps in the time in which what has been executed grows by a factor of e, and such times until a kernel
 * ends, about. */
#define LEAST 12
#define MOST  64
#define FOLDS 3
/* Nothing more is skipped where so many units behind jumps differ from what was timed before by so many times
 * the error that is allowed. */
#define ENOUGH   3
#define DOUBTFUL 4
/* Units behind jumps that are measured before anything is skipped when fewer CTAs are left. */
#define PAIRS 4

cycles intervals_passed(const struct chip *chip)
{
	cycles next = sim_next_cycle(chip->sim, CLOCK_CORE);

	return next ? next - 1 : 0;
}

cycles intervals_cycles(const struct chip *chip, const struct kernel_run *run, uint32_t instructions)
{
	uint64_t warps = run->intervals->most_warps, timed = sampling_issued(chip, run);
	double passed_so_far = (double)(intervals_passed(chip) + 1 - run->first_cycle);
	double length = timed ? instructions * (double)warps * passed_so_far / (double)timed : 0;

	return length < SHORTEST ? SHORTEST : (cycles)length;
}

/* Jumps while what has been executed grows by a factor of e, so that about enough units are measured: as many
 * as the error that is allowed needs, as far as those so far can tell. */
static double density(const struct chip *chip, const struct intervals *v)
{
	double needed = LEAST;
	struct sample_local l = sample_local_of(v->units, v->count);

	if (l.pairs >= 3)
		needed = pow(sample_student(l.pairs) * l.deviation / chip->sampling->config.error, 2) / FOLDS;
	return needed < LEAST ? LEAST : needed > MOST ? MOST : needed;
}

/* Whether fewer CTAs are left than there were, before enough is known about units that follow each other. */
static bool is_thin(const struct intervals *v)
{
	return 4 * v->warps_here < 3 * v->most_warps && sample_local_of(v->units, v->count).pairs < PAIRS;
}

double intervals_change(const struct intervals *v)
{
	double mean, spread, by;

	if (v->units_after < 2 || v->before.cycles <= 0)
		return 0;
	mean = v->after / v->units_after;
	spread = v->squares_after / v->units_after - mean * mean;
	spread = spread > 0 ? sqrt(spread) / mean : 0;
	by = fabs(mean / (v->before.cycles / v->before.warps) - 1);
	return by > 2 * spread ? by - 2 * spread : 0;
}

/* Cycles by warp instruction of the last unit, or of all before the first one. */
static double latest_speed(const struct intervals *v, double time, double timed)
{
	const struct sample_part *h = v->count ? v->units[v->count - 1].half : NULL;

	return h ? (h[0].cycles + h[1].cycles) / (h[0].warps + h[1].warps) : time / timed;
}

uint64_t intervals_distance(const struct chip *chip, const struct kernel_run *run)
{
	const struct intervals *v = run->intervals;
	double timed = (double)sampling_issued(chip, run);
	double time = (double)(intervals_passed(chip) + 1 - run->first_cycle), most;
	double each = (double)(intervals_cycles(chip, run, WARM) + 2 * intervals_cycles(chip, run, HALF));

	if (v->is_fragile || time < (double)chip->sampling->config.long_kernel)
		return 0;
	if (v->units_after >= ENOUGH && intervals_change(v) > DOUBTFUL * chip->sampling->config.error)
		return 0;
	if (!run->first_cycle || is_thin(v))
		return 0;
	most = (time + sample_local_of(v->units, v->count).cycles) / density(chip, v);
	return most >= WORTH * each ? (uint64_t)(most / latest_speed(v, time, timed)) : 0;
}
