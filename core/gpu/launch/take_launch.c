/* core/gpu/launch/take_launch.c -- what another machine needs to go on with the launch that is under way. */
#include "core/functional/functional.h"
#include "core/gpu/gpu_internal.h"
#include "core/gpu/launch/copies_under_way.h"
#include "core/simt/resume.h"
#include "core/simt/cta_state.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"
#include <stdlib.h>

static void add(struct launch_resume *to, struct cta_state state)
{
	to->ctas = xrealloc(to->ctas, (to->count + 1) * sizeof(*to->ctas));
	to->ctas[to->count++] = state;
}

/* CTAs that have started in the middle, but not yet here. */
static void add_waiting(struct launch_resume *to, const struct kernel_run *run)
{
	struct launch_resume copy = resume_copy(&run->resume);

	for (size_t i = 0; i < copy.count; i++) {
		uint64_t place = run->resume.next_cta - run->resume.count + i;

		if (place < run->next_cta)
			free(copy.ctas[i].bytes);
		else
			add(to, copy.ctas[i]);
	}
	free(copy.ctas);
	if (to->next_cta < run->resume.next_cta)
		to->next_cta = run->resume.next_cta;
}

static struct launch_resume from_sms(struct gpu *gpu, const struct kernel_run *run)
{
	struct kernel_stats counts = chip_kernel_stats(&gpu->chip, run);
	struct launch_resume r = { .next_cta = run->next_cta,
		.known = { counts.thread_instructions + counts.untimed_thread_instructions,
			counts.warp_instructions + counts.untimed_warp_instructions, run->divergent_barriers,
			run->barriers_left } };

	struct memory_before *shared;

	copies_land(gpu, &shared, &gpu->memory_before);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (uint32_t k = 0; k < gpu->config.sm.max_ctas; k++) {
			const struct sm_cta *c = &gpu->chip.sms[i]->state.ctas[k];

			if (c->used && c->cta.run == run && c->cta.live_warps)
				add(&r, cta_state_take(&c->cta));
		}
	copies_take_back(&shared);
	if (run->resume.count)
		add_waiting(&r, run);
	resume_sort(run, &r);
	return r;
}

const char *gpu_take_launch(
	struct gpu *gpu, struct launch_resume *to, const struct launch **launch, addr *local)
{
	const struct kernel_run *run = gpu->chip.run_count ? gpu->chip.runs[0] : NULL;

	if (gpu->chip.run_count > 1)
		return "several kernels are under way";
	if (!run)
		return "no kernel is under way there";
	if (run->timing_limit != TIMING_LIMIT_NONE || run->timed_end < run->ctas || run->sample)
		return "the kernel under way is timed in part";
	epochs_flush(&gpu->epochs);
	*to = run->is_functional || run->is_warming ? functional_take(gpu->chip.functional, run)
						    : from_sms(gpu, run);
	*launch = run->launch;
	*local = run->local_base;
	if (resume_fits(run->launch, to))
		return NULL;
	resume_free(to);
	gpu_taken_launch(gpu);
	return "all warps of the kernel have exited, or its stack is nearly full";
}

void gpu_taken_launch(struct gpu *gpu)
{
	copies_take_back(&gpu->memory_before);
}
