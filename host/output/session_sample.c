/* host/output/session_sample.c -- what a sampled run is estimated to be: all statistics with their intervals,
 * and the last line of its log, with how much was timed for it (core/sample). */
#include "host/session/session_internal.h"
#include "sim/stats/stat_estimate.h"

#include <math.h>

static double value(struct session *s, const char *name)
{
	return stat_value(gpu_stats(s->gpu), NULL, name);
}

void estimates_text(struct session *s, const char *begin, const char *end, FILE *f)
{
	struct stat_estimate e;
	struct stat_trust trust;

	if (gpu_estimates(s->gpu, &e, &trust)) {
		fprintf(f, "%s  # estimates of all %llu kernels sampled\n", begin,
			(unsigned long long)s->output.kernels);
		stat_print_estimate(gpu_stats(s->gpu), &e, trust, f);
		fprintf(f, "%s\n\n", end);
	}
	stat_estimate_free(&e);
}

void estimates_json(struct session *s, FILE *f)
{
	struct stat_estimate e;
	struct stat_trust trust;

	if (gpu_estimates(s->gpu, &e, &trust)) {
		fputs(",\n  \"estimates\": ", f);
		stat_print_estimate_json(gpu_stats(s->gpu), &e, trust, f, 2);
	}
	stat_estimate_free(&e);
}

/* Half an interval of the IPC, by it, from which it says little. */
#define WIDE 0.1

static void print_doubt(struct session *s, FILE *f)
{
	double half = (value(s, "sample.ipc_high") - value(s, "sample.ipc_low")) / 2 / value(s, "sample.ipc");

	if (half > WIDE)
		fprintf(f,
			"lockstep: note: sampling: the interval is wide (+- %.0f %%), since what was "
			"timed differs, and the estimate may be far off; a smaller --sample error=, or "
			"none, times more\n",
			100 * half);
}

void sample_print(struct session *s, FILE *f)
{
	double kernels = value(s, "sample.kernels"), sampled = value(s, "sample.sampled_kernels");

	if (isnan(kernels) || kernels <= 0) /* no sampling, or no timing */
		return;
	print_doubt(s, f);
	fprintf(f, "lockstep: sampling: IPC %.1f", value(s, "sample.ipc"));
	if (sampled > 0)
		fprintf(f,
			", 95 %% interval %.1f to %.1f, %.1f %% of the warp instructions timed, %.0f of %.0f "
			"kernels sampled, "
			"processor time %.1f s with timing and %.1f s without\n",
			value(s, "sample.ipc_low"), value(s, "sample.ipc_high"),
			100 * value(s, "sample.timed_share"), sampled, kernels, gpu_processor_seconds(s->gpu),
			gpu_untimed_seconds(s->gpu));
	else
		fprintf(f, ", all timed: none of the %.0f kernels can be sampled (docs/user/sampling.md)\n",
			kernels);
}
