/* core/sample/sample_tables.c -- the parameters and statistics of sampling (sampling.h). */
#include "core/sample/sampling_internal.h"

static const char *const former_params[] = { "intervals",
	"is gone: only long kernels are sampled by intervals (sample.long_kernel)", "long_ctas",
	"is gone: kernels with many CTAs are sampled by CTAs alone", NULL };
static const char *const warming_names[] = { "none", "tags", NULL };

const struct sim_param sample_params[] = {
	SIM_F64(struct sample_config, error, 0, 0, 0.5, "",
		"of kernels with many CTAs a sample is timed, large enough for a 95 % interval of their "
		"time within this part of it (0.03: 3 %), and the others are executed without timing "
		"(sample.* has the estimates); 0: all CTAs are timed (--sample)"),
	SIM_U32(struct sample_config, least_units, 3, 2, 100000, "units",
		"least number of parts that are measured of a kernel with many CTAs, spread over its grid"),
	SIM_F64(struct sample_config, allowance, 0.6, 0, 0.9, "",
		"part of sample.error by which intervals are longer on either side, beyond what chance "
		"explains: warmed caches are not quite as in a run with timing"),
	SIM_U64(struct sample_config, long_kernel, 20000000, 0, 1000000000000, "cycles",
		"a kernel whose CTAs are all on the machine at once is sampled by intervals of its "
		"instructions from this core cycle of it on, if its CTAs are about as fast as each other, "
		"their warps are not in step, and sample.error is at least half of "
		"sample.interval_allowance; 0: never"),
	SIM_F64(struct sample_config, interval_allowance, 0.1, 0, 0.5, "",
		"sample.allowance for kernels longer than sample.long_kernel: where each warp is and what "
		"is in the L1 are not quite as in a run with timing"),
	SIM_ENUM(struct sample_config, warming, SAMPLE_WARMING_TAGS, warming_names,
		"tags: what is executed without timing leaves its lines in the L2's tags; none: it "
		"leaves nothing, and more is timed without being measured, to fill the caches"),
	SIM_END_FORMER(former_params),
};

/* ---- statistics ---- */

static const struct sample_estimate *total(const void *object)
{
	return &((const struct sampling *)object)->total;
}
/* No less than what was timed took. */
static double low(const void *object)
{
	const struct sampling *s = object;
	double least = (double)s->total.cycles - sample_half_width(&s->total);
	double timed = (double)s->counters.timed_cycles, all = (double)s->total.cycles;

	return least > timed ? least : timed < all ? timed : all;
}
static double high(const void *object)
{
	return (double)total(object)->cycles + sample_half_width(total(object));
}
static double estimated_ipc(const void *object)
{
	return (double)total(object)->threads / (double)total(object)->cycles;
}
static double ipc_low(const void *object)
{
	return (double)total(object)->threads / high(object);
}
static double ipc_high(const void *object)
{
	return (double)total(object)->threads / low(object);
}
static double timed_share(const void *object)
{
	const struct sample_estimate *e = total(object);

	return (double)e->timed_warps / (double)(e->timed_warps + e->skipped_warps);
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct sampling, total.field, #field, unit, help)

const struct sim_stat sample_stats[] = {
	COUNT(cycles, "cycles",
		"core cycles of all kernels, one after the other, as they would be without sampling: "
		"estimated"),
	SIM_FORMULA("cycles_low", low, "cycles", "lower end of the 95 % interval of sample.cycles"),
	SIM_FORMULA("cycles_high", high, "cycles", "upper end of the 95 % interval of sample.cycles"),
	SIM_FORMULA("ipc", estimated_ipc, "instructions/cycle",
		"thread instructions of all kernels, timed or not, by sample.cycles"),
	SIM_FORMULA("ipc_low", ipc_low, "instructions/cycle", "lower end of the 95 % interval of sample.ipc"),
	SIM_FORMULA(
		"ipc_high", ipc_high, "instructions/cycle", "upper end of the 95 % interval of sample.ipc"),
	SIM_FORMULA("timed_share", timed_share, "ratio", "warp instructions executed with timing, of all"),
	SIM_COUNT_AS(struct sampling, counters.timed_cycles, "timed_cycles", "cycles",
		"core cycles of what was timed of the kernels, one after the other"),
	COUNT(squares, "cycles^2",
		"square of half the length of the 95 % interval of sample.cycles, which is the sum of the "
		"kernels' halves"),
	COUNT(threads, "instructions",
		"thread instructions of all kernels that ended with timing, whole or sampled"),
	COUNT(timed_warps, "instructions",
		"warp instructions that were executed with timing, of all kernels that ended"),
	COUNT(skipped_warps, "instructions",
		"warp instructions that were executed without timing, of sampled kernels"),
	COUNT(kernels, "kernels", "kernel launches with timing that have ended"),
	COUNT(sampled_kernels, "kernels", "kernels of which only a sample of the CTAs was timed, or nothing"),
	COUNT(repeated_kernels, "kernels",
		"kernels of which nothing was timed, as they repeat earlier launches of one kernel and grid"),
	SIM_COUNT_AS(struct sampling, undone_kernels, "undone_kernels", "kernels",
		"launches that were executed without timing at first, and then timed, as launches measured "
		"before said too "
		"little about what they turned out to do"),
	COUNT(units, "units", "parts of sampled kernels that were measured"),
	COUNT(skipped_ctas, "CTAs", "CTAs that were executed without timing between them"),
	SIM_STAT_END,
};
