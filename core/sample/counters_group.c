/* core/sample/counters_group.c -- all statistics of launches that were skipped (counters.h). */
#include "core/sample/counters.h"
#include <math.h>

/* Adds to the weights of launches, or of those that are not of one replicate, what the line through them says
 * about one with so many warp instructions. */
static void add_weights(struct counters_group *g, double warps, int without)
{
	struct sample_chunk chunks[COUNTERS_LAUNCHES] = { { 0, 0, 0 } };
	struct counters_launch *of[COUNTERS_LAUNCHES];
	double weights[COUNTERS_LAUNCHES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->count; i++) {
		if ((int)g->last[i].replicate == without)
			continue;
		chunks[count] = (struct sample_chunk){ 0, g->last[i].warps, 1 };
		of[count++] = &g->last[i];
	}
	sample_line_weights(chunks, count, warps, weights);
	for (uint32_t i = 0; i < count; i++)
		*(without < 0 ? &of[i]->weights.all : &of[i]->weights.without[without]) += weights[i];
}

/* Launches that are not of that replicate. */
static uint32_t count_without(const struct counters_group *g, uint32_t replicate)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < g->count; i++)
		count += g->last[i].replicate != replicate;
	return count;
}

void counters_skip_launch(struct counters_group *g, double warps)
{
	if (!g->count)
		return;
	g->skipped++;
	add_weights(g, warps, -1);
	for (uint32_t r = 0; r < STAT_REPLICATES; r++)
		if (count_without(g, r))
			add_weights(g, warps, (int)r);
		else
			for (uint32_t i = 0; i < g->count; i++)
				g->last[i].weights.without[r] = g->last[i].weights.all;
}

/* Launches that were skipped have own parts about the line; they matter the more, the fewer they are. */
static void complete_group(struct counters_group *g, struct counters_launch *l, struct counters_run *run)
{
	double own = g->skipped > 0 ? sqrt(1 + g->measured / g->skipped) : 1;
	bool any = l->weights.all != 0;

	for (uint32_t r = 0; r < STAT_REPLICATES; r++) {
		any |= l->weights.without[r] != 0;
		l->weights.without[r] = l->weights.all + own * (l->weights.without[r] - l->weights.all);
	}
	if (any)
		stat_estimate_add_times(&run->estimate, &l->counters, &l->weights, l->replicate);
	l->weights = (struct stat_weights){ 0 };
}

void counters_group_estimate(struct counters_group *g, struct counters_run *run)
{
	for (uint32_t i = 0; i < g->count; i++)
		complete_group(g, &g->last[i], run);
}

void counters_measure(struct counters_group *g, struct counters_run *run)
{
	struct counters_launch *l = &g->last[g->next];

	if (g->next < g->count)
		complete_group(g, l, run);
	else
		g->count++;
	stat_part_clear(&l->counters);
	stat_part_join(&l->counters, &run->launch);
	l->warps = run->launch.size;
	l->replicate = run->parts++ % STAT_REPLICATES;
	g->next = (g->next + 1) % COUNTERS_LAUNCHES;
	g->measured++;
}

void counters_discount_launch(struct counters_run *run)
{
	stat_estimate_take_off(&run->estimate, &run->launch);
}

void counters_group_clear(struct counters_group *g, struct counters_run *run)
{
	counters_group_estimate(g, run);
	g->count = g->next = 0;
}

void counters_group_free(struct counters_group *g)
{
	for (int i = 0; i < COUNTERS_LAUNCHES; i++)
		stat_part_free(&g->last[i].counters);
}
