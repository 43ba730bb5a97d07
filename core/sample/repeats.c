/* core/sample/repeats.c -- which launches are timed, and what follows for those that repeat them. */
#include "core/sample/repeats_group.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sample/sampling_internal.h"
#include "core/sample/warming.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define LEAST        5 /* launches of a group that are measured before any is skipped, ... */
#define LEAST_WARM   2 /* ... where they warm the caches */
#define SKIPS        3 /* times as many launches are skipped as there have been, before one is measured */
#define COLD         0.5 /* cycles that a line costs which is not yet in the L2 when a launch is the first one */
#define DISTURBED    1  /* cycles that a line can cost a launch behind one that was skipped */
#define MOST         64 /* launches that are skipped one after the other, at most */
#define TURNOVERS    2  /* what is in the L2 is new when it has evicted so many times its lines */
#define MOST_WARMING 8  /* launches that warm the caches before one that is timed, at most */
#define PATIENCE     8  /* launches of others for which one is awaited that is to be measured */

struct repeats *repeats_new(double error, double allowance, struct counters_run *counters)
{
	struct repeats *r = xcalloc(1, sizeof(*r));

	r->error = error;
	r->allowance = allowance;
	r->counters = counters;
	return r;
}

void repeats_free(struct repeats *r)
{
	while (r && r->groups) {
		struct group *g = r->groups;

		r->groups = g->next;
		counters_group_free(&g->counters);
		free(g);
	}
	free(r);
}

/* What may be wrong with all launches of a group alike, relative: what is allowed for, or half the intervals
 * of those measured, which are sampled by CTAs at the same places. */
static double systematic(const struct repeats *r, const struct group *g)
{
	double part = g->measured_cycles > 0 ? g->halves / g->measured_cycles : 0;

	return fmax(r->allowance, part);
}

/* Of the error that is allowed, what errors that all launches have in common leave; half of it at least. */
static double error_left(const struct repeats *r, const struct group *g)
{
	double common = systematic(r, g), left = r->error * r->error - common * common;

	return sqrt(fmax(left, r->error * r->error / 4));
}

/* Whether the launches measured say enough about others with so many warp instructions: half the interval is
 * within the error. */
static bool is_known_at(const struct repeats *r, const struct group *g, double warps)
{
	struct sample_line l = group_line(g);

	return group_half_at(&l, warps) <= error_left(r, g) * sample_line_at(&l, warps);
}

/* Or about others like the last one. */
static bool is_group_known(const struct repeats *r, const struct group *g)
{
	return g->measured >= (r->warms ? LEAST_WARM : LEAST) &&
		is_known_at(r, g, g->last[(g->measured - 1) % LAST].warps);
}

/* The launch behind one that is skipped finds other caches than it would. Only where its kind is known, too,
 * is that noticed. */
static bool may_skip(const struct repeats *r, const struct group *g)
{
	return g->to_skip && !r->awaited && is_group_known(r, g) && g->follower &&
		is_group_known(r, g->follower);
}

bool repeats_skips(struct repeats *r, const struct chip *chip, const struct kernel_run *run)
{
	struct group *g;

	r->has_overlap |= chip->run_count > 0;
	r->warms = warming_is_possible(chip->warming);
	if (r->has_overlap)
		return false;
	g = repeats_group(r, run);
	if (r->previous)
		r->previous->follower = g;
	r->previous = g;
	if (r->awaited && !r->patience--)
		r->awaited = NULL;
	g->phase = MEASURED;
	g->evictions = sampling_evictions(chip);
	if (r->warms) {
		if (g->to_skip && is_group_known(r, g))
			g->phase = SKIPPED;
		return g->phase == SKIPPED;
	}
	if (may_skip(r, g))
		g->phase = SKIPPED;
	else if (r->was_skipped && is_group_known(r, g))
		g->phase = DETAILED_WARMING;
	return g->phase == SKIPPED;
}

/* Launches of a group that renew what is in the L2 as often as is needed. */
static uint64_t launches_to_renew(const struct chip *chip, const struct group *g)
{
	uint64_t launches =
		g->evicted ? TURNOVERS * (uint64_t)sampling_l2_lines(chip) / g->evicted + 1 : MOST_WARMING;

	return launches < MOST_WARMING ? launches : MOST_WARMING;
}

/* Whether a launch that is timed is likely to come before those between have renewed the L2: each is taken to
 * be followed as the last one of its group was. Where launches differ any may be (repeats_accepts). */
static bool is_timed_soon(const struct chip *chip, const struct group *g)
{
	uint64_t left = launches_to_renew(chip, g);
	const struct group *next = g;

	for (uint64_t i = 1; i <= left; i++) {
		next = next->follower;
		if (!next || next->to_skip <= i || !group_is_constant(next))
			return true;
	}
	return false;
}

uint64_t repeats_to_warm(struct repeats *r, const struct chip *chip, const struct kernel_run *run)
{
	const struct group *g = repeats_group(r, run);
	uint64_t ctas = g->evicted
		? TURNOVERS * (uint64_t)sampling_l2_lines(chip) * run->ctas / g->evicted + 1
		: run->ctas;

	if (!is_timed_soon(chip, g))
		return 0;
	return ctas < run->ctas ? ctas : run->ctas;
}

bool repeats_wants_whole(struct repeats *r, const struct kernel_run *run)
{
	return !r->has_overlap && repeats_group(r, run)->is_whole;
}

/* Where the interval of a launch that is sampled itself is too wide, and so would be those of all that it
 * stands for, others are timed whole from now on. */
static bool is_too_wide(const struct repeats *r, const struct sample_estimate *e)
{
	return e->skipped_warps && sample_half_width(e) > SINGLE * r->error * (double)e->cycles;
}

static void begin_anew(struct repeats *r, struct group *g)
{
	g->measured = g->launches = 0;
	g->halves = g->measured_cycles = 0;
	counters_group_clear(&g->counters, r->counters);
}

/* Launches to skip before the next one is measured. Where they differ in what they execute, they may in what
 * they find in the caches, too, which nothing tells but a measurement. */
static uint64_t skips(const struct repeats *r, const struct group *g)
{
	uint64_t most = r->warms ? SKIPS * g->launches : g->measured;

	if (r->warms && !group_is_constant(g))
		most = most < g->measured - 1 ? most : g->measured - 1;
	return most < MOST ? most : MOST;
}

static void measure_launch(struct repeats *r, struct group *g, const struct sample_estimate *e, double lines)
{
	counters_measure(&g->counters, r->counters);
	g->lines[g->measured % LAST] = lines / (double)e->timed_warps;
	g->last[g->measured++ % LAST] =
		(struct sample_chunk){ (double)e->cycles, (double)(e->timed_warps + e->skipped_warps), 1 };
	g->halves += sample_half_width(e);
	g->measured_cycles += (double)e->cycles;
	g->to_skip = skips(r, g);
}

/* Corrections are by chance up or down: what is uncertain about them adds up by squares. */
static void add_half(struct repeats *r, double half)
{
	double before = sqrt(r->squares), more;

	r->squares += half * half;
	more = sqrt(r->squares) - before + sample_half_width(&r->correction);
	r->correction.squares = (uint64_t)(more * more + 0.5);
}

/* A launch that is measured shows how launches have changed since the one measured before. Those skipped
 * between were estimated by the line through what was before them; on the way to this one they have, on
 * average, gone half of what it is off the line, and at most all of it. If it is off by more than chance, the
 * line says nothing about those to come. */
static void compare_with_last(struct repeats *r, struct group *g, const struct sample_estimate *e)
{
	struct sample_line l = group_line(g);
	double warps = (double)(e->timed_warps + e->skipped_warps);
	double off = (double)e->cycles - sample_line_at(&l, warps), half = (double)g->gap * off / 2;

	r->correction.cycles += (uint64_t)(int64_t)half;
	add_half(r, half);
	g->gap = 0;
	if (group_is_off(r, &l, warps, (double)e->cycles, 1))
		begin_anew(r, g);
}

/* From one that is measured. */
static void learn_from_launch(
	struct repeats *r, struct group *g, const struct sample_estimate *e, double lines)
{
	if (r->warms && g->measured >= LEAST_WARM)
		compare_with_last(r, g, e);
	measure_launch(r, g, e, lines);
	r->awaited = r->awaited == g ? NULL : r->awaited;
}

/* What is more than the launch itself takes (`most`) is left to the next ones: no launch takes less than
 * nothing. */
struct sample_estimate repeats_correction(struct repeats *r, uint64_t most)
{
	struct sample_estimate correction = r->correction;
	int64_t own = (int64_t)correction.cycles, least = -(int64_t)most,
		left = own < least ? own - least : 0;

	correction.cycles = (uint64_t)(own - left);
	r->correction = (struct sample_estimate){ .cycles = (uint64_t)left };
	return correction;
}

/* Errors of the line are the same in all launches of a group, and add up; launches' own parts do not. */
static double half_interval_of_group(const struct group *g)
{
	return sqrt(g->line_half * g->line_half + g->own_squares + g->systematic * g->systematic);
}

static void estimate(const struct repeats *r, struct group *g, struct sample_estimate *e, double warps)
{
	struct sample_line l = group_line(g);
	double t = sample_student(l.degrees), before = half_interval_of_group(g),
	       taken = sample_line_at(&l, warps);

	g->line_half += t * sample_line_deviation(&l, warps);
	g->systematic += systematic(r, g) * fabs(taken);
	g->own_squares += t * l.scatter * t * l.scatter;
	e->cycles = taken > 0 ? (uint64_t)(taken + 0.5) : 0;
	e->squares =
		(uint64_t)((half_interval_of_group(g) - before) * (half_interval_of_group(g) - before) + 0.5);
}

/* What warming leaves in the caches is not quite what timing would: a launch behind one that was skipped may
 * take longer or shorter by the time of all lines of the L2, or of what is allowed for. */
static void widen_disturbed(const struct repeats *r, const struct chip *chip, struct sample_estimate *e)
{
	double half = fmin(DISTURBED * sampling_l2_lines(chip), r->allowance * (double)e->cycles) +
		sample_half_width(e);

	e->squares = (uint64_t)(half * half + 0.5);
}

/* The first launch of a group finds caches as no other does. Whether that makes no difference: all lines of
 * the L2 are a small part of its time. */
static bool is_long(const struct repeats *r, const struct chip *chip, const struct sample_estimate *e)
{
	return COLD * sampling_l2_lines(chip) <= r->allowance * (double)e->cycles;
}

void repeats_ended(
	struct repeats *r, const struct chip *chip, const struct kernel_run *run, struct sample_estimate *e)
{
	double warps = (double)(e->timed_warps + e->skipped_warps);
	bool is_disturbed;
	struct group *g;

	if (r->has_overlap)
		return;
	g = repeats_group(r, run);
	is_disturbed = r->was_skipped && g->phase == MEASURED;
	r->was_skipped = g->phase == SKIPPED;
	if (g->phase != SKIPPED && !e->skipped_warps)
		g->evicted = sampling_evictions(chip) - g->evictions;
	if (g->least_warps == 0 || warps < g->least_warps)
		g->least_warps = warps;
	g->most_warps = fmax(g->most_warps, warps);
	g->launches++;
	if (r->warms && !g->seen) {
		g->seen = true;
		if (!is_long(r, chip, e))
			return;
	}
	if (g->phase == MEASURED) {
		g->is_whole |= is_too_wide(r, e);
		if (!is_too_wide(r, e))
			learn_from_launch(r, g, e, (double)chip_kernel_stats(chip, run).line_requests);
		if (is_disturbed)
			widen_disturbed(r, chip, e);
		return;
	}
	estimate(r, g, e, warps);
	counters_skip_launch(&g->counters, warps);
	if (g->phase == DETAILED_WARMING) {
		counters_discount_launch(r->counters);
		r->awaited = g;
		r->patience = PATIENCE;
		return;
	}
	e->sampled_kernels = e->repeated_kernels = 1;
	g->gap++;
	g->to_skip--;
	if (!group_is_similar(g, warps) || (r->warms && !is_known_at(r, g, warps)))
		g->to_skip = 0;
}

void repeats_estimate(struct repeats *r)
{
	for (struct group *g = r->groups; g; g = g->next)
		counters_group_estimate(&g->counters, r->counters);
}
