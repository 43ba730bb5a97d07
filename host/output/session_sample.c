/* host/output/session_sample.c -- the last line of a sampled run: what is estimated, how sure that is, and
 * how much was timed for it (core/sample). */
#include "host/session/session_internal.h"

#include <math.h>

static double value(struct session *s, const char *name)
{
	return stat_value(gpu_stats(s->gpu), NULL, name);
}

void sample_print(struct session *s, FILE *f)
{
	double kernels = value(s, "sample.kernels"), sampled = value(s, "sample.sampled_kernels");

	if (isnan(kernels) || kernels <= 0) /* no sampling, or no timing */
		return;
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
		fprintf(f, ", all timed: none of the %.0f kernels can be sampled (docs/sampling.md)\n",
			kernels);
}
