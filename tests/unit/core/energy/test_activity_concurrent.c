/* Activity of kernels that run at the same time. */
#include "tests/unit/core/concurrent_rig.h"

/* Kernels side by side: counted once, whoever they share SMs with. */
Test(activity, kernels_side_by_side_add_up)
{
	static const struct part pair[] = {
		{ .name = "locals", .grid = 9, .block = 64, .at = 1024 },
		{ .name = "locals", .grid = 5, .block = 96, .at = 2048 },
	};
	struct bench *b = bench_new_with(SM_80, EVERYTHING, WORDS, "observe.activity=true");
	struct part parts[2];

	memcpy(parts, pair, sizeof(pair));
	cr_assert(part_start(b, &parts[0], false));
	cr_assert(part_start(b, &parts[1], false));
	parts_end(b, parts, 2);
	cr_assert_eq((uint64_t)stat_value(gpu_stats(b->gpu), NULL, "activity.thread_instructions::total"),
		(uint64_t)stat_value(gpu_stats(b->gpu), NULL, "gpu.thread_instructions"));
	bench_free(b);
}
