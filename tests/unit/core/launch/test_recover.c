/* A machine that a fault has stopped starts kernels again. */
#include "tests/unit/core/concurrent_rig.h"
#include "tests/unit/part.h"

static const struct part mixture[] = {
	{ .name = "work", .grid = 7, .block = 96, .at = 0 },
	{ .name = "locals", .grid = 9, .block = 64, .at = 1024 },
	{ .name = "mirror", .grid = 5, .block = 256, .at = 2048 },
	{ .name = "heap", .grid = 6, .block = 32, .at = 4096 },
	{ .name = "work", .grid = 200, .block = 33, .at = 6144 },
};
#define MIXED (sizeof(mixture) / sizeof(*mixture))

static void start(struct bench *b, struct part *parts, bool functional)
{
	memcpy(parts, mixture, sizeof(mixture));
	for (size_t i = 0; i < MIXED; i++)
		cr_assert(part_start(b, &parts[i], functional), "%zu", i);
}

static void finish_stopped(struct bench *b, struct part *parts)
{
	struct kernel_run *ended;
	enum gpu_event event;

	while ((event = gpu_advance(b->gpu, SIM_NEVER, &ended)) == GPU_ENDED)
		for (size_t i = 0; i < MIXED; i++)
			if (parts[i].run == ended) {
				gpu_finish(b->gpu, ended, &parts[i].result);
				parts[i].run = NULL;
			}
	cr_assert_eq(event, GPU_STOPPED);
	for (size_t i = 0; i < MIXED; i++)
		if (parts[i].run)
			gpu_finish(b->gpu, parts[i].run, &parts[i].result);
}

static void expect_recovery(struct bench *b, bool functional)
{
	struct part parts[MIXED];

	cr_assert(gpu_recover(b->gpu));
	b->out = memory_allocate(gpu_memory(b->gpu), WORDS * 4, 256);
	b->at = memory_host(b->out);
	memset(memory_host(b->out), 0, WORDS * 4);
	start(b, parts, functional);
	parts_end(b, parts, MIXED);
	for (size_t i = 0; i < MIXED; i++)
		part_check(b, &parts[i]);
}

/* The memory into which all kernels store is given back at different times of their lives. */
static void fault_and_recover(const char *set)
{
	for (picoseconds us = 1 + first_of(one_in(5)); us < 40; us += us < 8 ? one_in(5) : 5 * one_in(5)) {
		struct bench *b = machine_new(set);
		struct part parts[MIXED];
		struct kernel_run *ended;

		start(b, parts, false);
		while (gpu_now(b->gpu) < us * 1000000)
			if (gpu_advance(b->gpu, us * 1000000, &ended) == GPU_ENDED)
				for (size_t i = 0; i < MIXED; i++)
					if (parts[i].run == ended) {
						gpu_finish(b->gpu, ended, &parts[i].result);
						parts[i].run = NULL;
					}
		memory_release(gpu_memory(b->gpu), b->out);
		finish_stopped(b, parts);
		expect_recovery(b, false);
		bench_free(b);
	}
}

Test(recover, kernels_run_after_a_fault)
{
	fault_and_recover(NULL);
}

Test(recover, kernels_run_after_a_fault_with_sms_in_step)
{
	fault_and_recover("gpu.lookahead=false");
}

Test(recover, kernels_run_after_a_fault_of_a_warp_that_others_run_beside)
{
	for (int functional = 0; functional < 2; functional++) {
		struct bench *b = machine_new(NULL);

		for (int round = (int)first_of(one_in(2)); round < 3; round += (int)one_in(2)) {
			struct part parts[MIXED] = { { .name = "wrong", .grid = 90, .block = 96 },
				{ .name = "mirror", .grid = 60, .block = 256, .at = 2048 } };
			struct kernel_run *ended;

			cr_assert(part_start(b, &parts[1], functional));
			cr_assert(part_start(b, &parts[0], functional));
			if (functional) {
				cr_assert_eq(gpu_advance(b->gpu, SIM_NEVER, &ended), GPU_ENDED);
				gpu_finish(b->gpu, ended, &parts[1].result);
				parts[1].run = NULL;
			}
			finish_stopped(b, parts);
			expect_recovery(b, functional);
			memory_release(gpu_memory(b->gpu), b->out);
			b->out = memory_allocate(gpu_memory(b->gpu), WORDS * 4, 256);
			b->at = memory_host(b->out);
		}
		bench_free(b);
	}
}
