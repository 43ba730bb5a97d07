/* core/gpu/launch/set_aside.c -- the part of the L2 that a program sets aside for lines that persist, and the
 * windows of its launches (memsys/l2/set_aside.h). */
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"

static bool l2_sets_aside(struct gpu *gpu)
{
	struct set_aside *a = &gpu->aside;

	if (!gpu->config.l2.sets_aside || a->windows)
		return gpu->config.l2.sets_aside;
	a->windows = xcalloc(gpu->config.gpu.max_kernels, sizeof(*a->windows));
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		l2_follow(gpu->chip.slices[i], a);
	return true;
}

void gpu_set_aside(struct gpu *gpu, uint64_t bytes)
{
	uint64_t ways = gpu->config.l2.ways, all = gpu->properties.l2_bytes;

	gpu->aside_bytes = bytes;
	if (!l2_sets_aside(gpu))
		return;
	ways = bytes < all ? (bytes * ways + all - 1) / all : ways;
	gpu->aside.ways = ways < gpu->config.l2.ways ? (uint32_t)ways : gpu->config.l2.ways - 1;
}

void gpu_reset_persisting(struct gpu *gpu)
{
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++)
		l2_reset_persisting(gpu->chip.slices[i]);
}

/* A place for one more window. */
static struct launch_window *free_window(struct set_aside *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (a->windows[i].has_ended)
			return &a->windows[i];
	return &a->windows[a->count++];
}

void gpu_window_begins(struct gpu *gpu, const struct kernel_run *run)
{
	struct launch_window w = { .launch = (uint32_t)run->id, .window = run->launch->window };

	if (!w.window.bytes || !l2_sets_aside(gpu))
		return;
	w.window.start -= DEVICE_BASE;
	*free_window(&gpu->aside) = w;
}

void gpu_window_ends(struct gpu *gpu, const struct kernel_run *run)
{
	for (uint32_t i = 0; i < gpu->aside.count; i++)
		if (gpu->aside.windows[i].launch == (uint32_t)run->id)
			gpu->aside.windows[i].has_ended = true;
}
