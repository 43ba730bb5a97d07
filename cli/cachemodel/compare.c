/* cli/cachemodel/compare.c -- the simulator's miss rates beside the model's. Both count a load that finds its
 * line in flight as an access and not as a miss, as hardware counters do. */
#include "cli/cachemodel/cachemodel.h"
#include "experiment/runs/stats_file.h"
#include <math.h>

static uint64_t whole_stat(const struct stats_section *s, const char *name)
{
	const struct stats_value *v = stats_section_find(s, name);

	return v && v->is_whole ? v->whole : 0;
}

static void take_kernel_counts(struct kernel_result *k, const struct stats_section *s)
{
	uint64_t misses = whole_stat(s, "sm.l1d.misses");

	k->simulated_misses = misses;
	k->simulated_loads = misses + whole_stat(s, "sm.l1d.hits") + whole_stat(s, "sm.l1d.merged");
	k->simulated = k->simulated_loads ? 100. * (double)misses / (double)k->simulated_loads : 0;
}

bool compare_with(struct results *r, struct stats_file *stats, struct diag_list *diags)
{
	for (size_t i = 0; i < stats->section_count; i++) {
		struct stats_section *s = &stats->sections[i];

		if (s->kind != STATS_LAUNCHES || !stats_section_index(stats, s, diags))
			continue;
		for (size_t k = 0; k < r->count; k++)
			if (strcmp(r->kernels[k].name, s->name) == 0)
				take_kernel_counts(&r->kernels[k], s);
	}
	for (size_t k = 0; k < r->count; k++)
		if (isnan(r->kernels[k].simulated))
			diag_error(diags, NULL, "the timed run has no kernel %s", r->kernels[k].name);
	return !diags->errors;
}

double compare_total(const struct results *r)
{
	uint64_t misses = 0, loads = 0;

	for (size_t k = 0; k < r->count; k++) {
		misses += r->kernels[k].simulated_misses;
		loads += r->kernels[k].simulated_loads;
	}
	return loads ? 100. * (double)misses / (double)loads : 0;
}
