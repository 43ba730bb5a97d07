/* core/sample/sampling_estimates.c -- all statistics of a sampled run (counters.h), with what the sample
 * knows of the machine itself. */
#include "core/chip/chip.h"
#include "core/sample/repeats.h"
#include "core/sample/sampling_internal.h"

/* What the sample knows of the machine itself goes before what units have of it. */
static void set_known(struct chip *chip, struct stat_estimate *e)
{
	const struct sampling *s = chip->sampling;
	const struct counters_run *c = &s->counters;
	double estimated = (double)s->total.cycles - (double)c->timed_cycles;

	stat_estimate_set(e, chip->stat_tree, "gpu.cycles", estimated, false);
	stat_estimate_set(e, chip->stat_tree, "gpu.picoseconds",
		estimated * (double)sim_edge(chip->sim, CLOCK_CORE, 1000) / 1000, false);
	stat_estimate_set(e, chip->stat_tree, "gpu.thread_instructions",
		(double)s->total.threads - (double)c->timed_threads, true);
	stat_estimate_set(e, chip->stat_tree, "gpu.warp_instructions", (double)s->total.skipped_warps, true);
	stat_estimate_set(e, chip->stat_tree, "gpu.ctas", (double)c->skipped_ctas, true);
}

bool sampling_estimates(struct chip *chip, struct stat_estimate *e, struct stat_trust *trust)
{
	const struct sampling *s = chip->sampling;

	*e = (struct stat_estimate){ 0 };
	if (s)
		repeats_estimate(s->repeats);
	if (!s || !counters_are_estimated(&s->counters))
		return false;
	stat_estimate_join(e, &s->counters.estimate);
	set_known(chip, e);
	trust->allowance = s->config.allowance * s->config.error;
	trust->share =
		(double)s->total.skipped_warps / (double)(s->total.timed_warps + s->total.skipped_warps);
	return true;
}
