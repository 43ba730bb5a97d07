/* core/sample/repeats_group.c -- see repeats_group.h. */
#include "core/sample/repeats_group.h"
#include "core/kernel/kernel_run.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <string.h>

#define EQUAL   1.01 /* the largest launch, in instructions, by the smallest, if they do not differ */
#define SIMILAR 1.25 /* times the most that one had, and by that the least, if they are alike */

/* Whether a launch fills the machine, and has about as many CTAs as the group's last one: then its time
 * follows from its instructions in the same way. */
static bool has_similar_grid(const struct group *g, const struct kernel_run *run)
{
	double by = (double)run->ctas / (double)g->ctas;

	return run->ctas >= run->resident_ctas && g->ctas >= run->resident_ctas && by <= SIMILAR &&
		by * SIMILAR >= 1;
}

static bool is_of(const struct group *g, const struct kernel_run *run)
{
	const struct launch *l = run->launch;

	return g->kernel == l->kernel && !memcmp(g->block, l->block, sizeof(g->block)) &&
		g->shared == l->dynamic_shared &&
		(!memcmp(g->grid, l->grid, sizeof(g->grid)) || has_similar_grid(g, run));
}

/* The one used last comes first. */
struct group *repeats_group(struct repeats *r, const struct kernel_run *run)
{
	const struct launch *l = run->launch;
	struct group **at = &r->groups, *g;

	while (*at && !is_of(*at, run))
		at = &(*at)->next;
	g = *at;
	if (g) {
		*at = g->next;
	} else {
		g = xcalloc(1, sizeof(*g));
		g->kernel = l->kernel;
		memcpy(g->block, l->block, sizeof(g->block));
		g->shared = l->dynamic_shared;
	}
	memcpy(g->grid, l->grid, sizeof(g->grid));
	g->ctas = run->ctas;
	g->next = r->groups;
	return r->groups = g;
}

uint32_t group_count(const struct group *g)
{
	return g->measured < LAST ? (uint32_t)g->measured : LAST;
}

struct sample_line group_line(const struct group *g)
{
	return sample_line_pooled(g->last, group_count(g));
}

double group_half_at(const struct sample_line *l, double warps)
{
	return sample_student(l->degrees) * sample_line_deviation(l, warps);
}

bool group_is_constant(const struct group *g)
{
	return g->most_warps <= g->least_warps * EQUAL;
}

bool group_is_similar(const struct group *g, double warps)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < group_count(g); i++) {
		least = g->last[i].warps < least ? g->last[i].warps : least;
		most = g->last[i].warps > most ? g->last[i].warps : most;
	}
	return warps <= most * SIMILAR && warps * SIMILAR >= least;
}

bool group_is_off(
	const struct repeats *r, const struct sample_line *l, double warps, double value, double times)
{
	double off = fabs(value - sample_line_at(l, warps)), deviation = sample_line_deviation(l, warps);

	return off > times * r->error * l->cycles &&
		off > sample_student(l->degrees) * sqrt(l->scatter * l->scatter + deviation * deviation);
}
