/* host/branch/branch_launches.c -- launches without timing, counted again on another machine. */
#include "host/branch/branch.h"

void branch_launch_keep(struct session *s, const struct launch *launch, const struct launch_result *result)
{
	const struct kernel_stats *counts = &result->stats;
	struct session_branches *b = s->branches;
	uint64_t bytes = launch->kernel->param_bytes;
	struct branch_launch *l;

	bool is_timed = !(result->is_untimed || s->is_functional);
	bool is_whole = !result->overlapped && result->timing_limit == TIMING_LIMIT_NONE &&
		!counts->untimed_warp_instructions;

	if (result->outcome != GPU_DONE || (is_timed && !b->save)) {
		b->is_spoilt = true;
		return;
	}
	b->is_timed |= is_timed;
	b->is_timed_in_part |= is_timed && !is_whole;
	b->launches = xrealloc(b->launches, (b->launch_count + 1) * sizeof *b->launches);
	l = &b->launches[b->launch_count++];
	*l = (struct branch_launch){ .launch = *launch,
		.known = { .thread_instructions =
				   counts->thread_instructions + counts->untimed_thread_instructions,
			.warp_instructions = counts->warp_instructions + counts->untimed_warp_instructions,
			.divergent_barriers = result->divergent_barriers,
			.barriers_left = result->barriers_left,
			.core_cycles = is_timed ? result->core_cycles : 0 },
		.params = xcalloc(1, bytes + 1),
		.start = result->start };
	if (bytes)
		memcpy(l->params, launch->params, bytes);
}

void branch_launches_free(struct session_branches *b)
{
	for (size_t i = 0; i < b->launch_count; i++)
		free(b->launches[i].params);
	free(b->launches);
	b->launches = NULL;
	b->launch_count = 0;
}

static void repeat(struct session *s, const struct branch_launch *l)
{
	struct launch launch = l->launch;
	struct launch_result result;
	struct kernel_run *run, *ended;

	gpu_advance(s->gpu, l->start, &ended);
	launch.params = l->params;
	launch.known = &l->known;
	session_start(s, &launch, &run);
	bug_if(!run, "a launch that ran without timing cannot be counted again");
	gpu_advance(s->gpu, SIM_NEVER, &ended);
	session_end(s, &launch, run, &result);
}

void branch_launches_repeat(const struct session_branches *b, struct session *s, picoseconds now)
{
	struct kernel_run *ended;

	for (size_t i = 0; i < b->launch_count; i++)
		repeat(s, &b->launches[i]);
	gpu_advance(s->gpu, now, &ended);
}
