/* core/sample/repeats.c -- which launches are timed, and what follows for those that repeat them. */
#include "core/sample/repeats.h"
#include "core/gpu/gpu_internal.h"
#include "core/launch/kernel_run.h"
#include "core/sample/sampling_internal.h"
#include "core/sample/warming.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <string.h>

#define LEAST      5  /* launches of a group that are measured before any is skipped, ... */
#define LEAST_WARM 3  /* ... where they warm the caches */
#define LAST       16 /* launches measured last, by which others are estimated */
#define MOST       64 /* launches that are skipped one after the other, at most */
#define PATIENCE   8  /* launches of others for which one is awaited that is to be measured */
#define SIMILAR \
	1.25 /* warp instructions of the largest launch measured, times this, and the smallest's, by it */

enum launch_phase_of_group { MEASURED, SKIPPED, DETAILED_WARMING };

struct group {
	const struct ptx_kernel *kernel;
	uint32_t grid[3], block[3], shared;
	struct sample_chunk last[LAST];
	uint64_t measured;
	bool seen; /* where caches are warmed: its first launch, which is not measured, has been */
	uint64_t to_skip;
	struct group *follower;           /* of the launch that came behind the last one of this group */
	enum launch_phase_of_group phase; /* of the launch under way */
	double line_half, own_squares;  /* of the interval so far: of the line, of the launches' own parts */
	double systematic;              /* and what is allowed for */
	uint32_t evictions;             /* of the L2 before the launch under way, and ... */
	uint32_t evicted;               /* ... in the last one that was timed */
	uint64_t gap;                   /* launches skipped since one was measured */
	struct counters_group counters; /* all statistics of launches measured */
	struct group *next;
};

struct repeats {
	double error, allowance; /* sample.error, sample.allowance */
	bool has_overlap;        /* kernels have run beside each other */
	bool warms;            /* launches that are skipped leave in the caches what they would (warming.h) */
	bool was_skipped;      /* the last launch was */
	struct group *awaited; /* detailed warming of it is over, and it is to be measured before any launch
				* is skipped; NULL: none
				*/
	uint32_t patience;     /* launches for which it is awaited yet */
	struct group *previous; /* of the last launch */
	struct sample_estimate correction;
	struct group *groups;
	struct counters_run *counters;
};

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

static bool is_of(const struct group *g, const struct launch *l)
{
	return g->kernel == l->kernel && !memcmp(g->grid, l->grid, sizeof(g->grid)) &&
		!memcmp(g->block, l->block, sizeof(g->block)) && g->shared == l->dynamic_shared;
}

/* The one used last comes first. */
static struct group *group_of(struct repeats *r, const struct launch *l)
{
	struct group **at = &r->groups, *g;

	while (*at && !is_of(*at, l))
		at = &(*at)->next;
	g = *at;
	if (g) {
		*at = g->next;
	} else {
		g = xcalloc(1, sizeof(*g));
		g->kernel = l->kernel;
		memcpy(g->grid, l->grid, sizeof(g->grid));
		memcpy(g->block, l->block, sizeof(g->block));
		g->shared = l->dynamic_shared;
	}
	g->next = r->groups;
	return r->groups = g;
}

static uint32_t count(const struct group *g)
{
	return g->measured < LAST ? (uint32_t)g->measured : LAST;
}

static struct sample_line line(const struct group *g)
{
	return sample_line_of(g->last, count(g));
}

/* Whether the launches measured say enough about others: half the interval is within the error. */
static bool is_known(const struct repeats *r, const struct group *g)
{
	struct sample_line l;

	if (g->measured < (r->warms ? LEAST_WARM : LEAST))
		return false;
	l = line(g);
	return sample_student(l.degrees) * sample_line_deviation(&l, l.warps) <= r->error * l.cycles;
}

/* The launch behind one that is skipped finds other caches than it would. Only where its kind is known, too,
 * is that noticed. */
static bool may_skip(const struct repeats *r, const struct group *g)
{
	return g->to_skip && !r->awaited && is_known(r, g) && g->follower && is_known(r, g->follower);
}

bool repeats_skips(struct repeats *r, const struct gpu *gpu, const struct kernel_run *run)
{
	struct group *g;

	r->has_overlap |= gpu->run_count > 0;
	r->warms = warming_is_possible(gpu->warming);
	if (r->has_overlap)
		return false;
	g = group_of(r, run->launch);
	if (r->previous)
		r->previous->follower = g;
	r->previous = g;
	if (r->awaited && !r->patience--)
		r->awaited = NULL;
	g->phase = MEASURED;
	g->evictions = sampling_evictions(gpu);
	if (r->warms) {
		if (g->to_skip && is_known(r, g))
			g->phase = SKIPPED;
		return g->phase == SKIPPED;
	}
	if (may_skip(r, g))
		g->phase = SKIPPED;
	else if (r->was_skipped && is_known(r, g))
		g->phase = DETAILED_WARMING;
	return g->phase == SKIPPED;
}

uint64_t repeats_to_warm(struct repeats *r, const struct gpu *gpu, const struct kernel_run *run)
{
	const struct group *g = group_of(r, run->launch);
	uint64_t ctas =
		g->evicted ? 2 * (uint64_t)sampling_l2_lines(gpu) * run->ctas / g->evicted + 1 : run->ctas;

	return ctas < run->ctas ? ctas : run->ctas;
}

static bool is_similar(const struct group *g, double warps)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < count(g); i++) {
		least = g->last[i].warps < least ? g->last[i].warps : least;
		most = g->last[i].warps > most ? g->last[i].warps : most;
	}
	return warps <= most * SIMILAR && warps * SIMILAR >= least;
}

static void measure(const struct repeats *r, struct group *g, const struct sample_estimate *e)
{
	counters_measure(&g->counters, r->counters);
	g->last[g->measured++ % LAST] =
		(struct sample_chunk){ (double)e->cycles, (double)(e->timed_warps + e->skipped_warps), 1 };
	g->to_skip = r->warms ? 2 * g->measured : g->measured;
	g->to_skip = g->to_skip < MOST ? g->to_skip : MOST;
}

/* A launch that is measured shows how launches have changed since the one measured before. Those skipped
 * between were estimated by the line through what was before them; on the way to this one they have, on
 * average, gone half of what it is off the line, and at most all of it. If it is off by more than chance, the
 * line says nothing about those to come. */
static void compare(struct repeats *r, struct group *g, const struct sample_estimate *e)
{
	struct sample_line l = line(g);
	double warps = (double)(e->timed_warps + e->skipped_warps);
	double deviation = sample_line_deviation(&l, warps);
	double off = (double)e->cycles - sample_line_at(&l, warps), half = (double)g->gap * off / 2;

	r->correction.cycles += (uint64_t)(int64_t)half;
	r->correction.squares += (uint64_t)(half * half);
	g->gap = 0;
	if (fabs(off) > r->error * l.cycles &&
		fabs(off) > sample_student(l.degrees) * sqrt(l.scatter * l.scatter + deviation * deviation))
		g->measured = 0;
	if (!g->measured)
		counters_group_clear(&g->counters, r->counters);
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
static double squares(const struct group *g)
{
	return g->line_half * g->line_half + g->own_squares + g->systematic * g->systematic;
}

static void estimate(const struct repeats *r, struct group *g, struct sample_estimate *e, double warps)
{
	struct sample_line l = line(g);
	double t = sample_student(l.degrees), before = squares(g), taken = sample_line_at(&l, warps);

	g->line_half += t * sample_line_deviation(&l, warps);
	g->systematic += r->allowance * fabs(taken);
	g->own_squares += t * l.scatter * t * l.scatter;
	e->cycles = taken > 0 ? (uint64_t)(taken + 0.5) : 0;
	e->squares = (uint64_t)(squares(g) - before + 0.5);
}

void repeats_ended(
	struct repeats *r, const struct gpu *gpu, const struct kernel_run *run, struct sample_estimate *e)
{
	double warps = (double)(e->timed_warps + e->skipped_warps);
	struct group *g;

	if (r->has_overlap)
		return;
	g = group_of(r, run->launch);
	r->was_skipped = g->phase == SKIPPED;
	if (g->phase != SKIPPED && !e->skipped_warps)
		g->evicted = sampling_evictions(gpu) - g->evictions;
	if (r->warms && !g->seen) { /* the first finds caches as no other does */
		g->seen = true;
		return;
	}
	if (g->phase == MEASURED) {
		if (r->warms && g->measured >= LEAST_WARM)
			compare(r, g, e);
		measure(r, g, e);
		r->awaited = r->awaited == g ? NULL : r->awaited;
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
	if (!is_similar(g, warps))
		g->to_skip = 0;
}

void repeats_estimate(struct repeats *r)
{
	for (struct group *g = r->groups; g; g = g->next)
		counters_group_estimate(&g->counters, r->counters);
}
