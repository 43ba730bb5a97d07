/* core/gpu/cta_turnaround.h -- the time in which nobody uses what a CTA had: from its end until another CTA
 * can take its warp slots, registers and shared memory (gpu.cta_turnaround). A chip needs it to tell the
 * dispatcher of the end, and to send and set up the next CTA; one that finds room from the beginning has no
 * part in it.
 *
 * An SM reports one end at a time to the dispatcher (gpu.cta_interval). For example, of four CTAs that end in
 * cycle 1000 with a turnaround of 368 and an interval of 134, the ends are reported in the cycles 1000, 1134,
 * 1268 and 1402, and other CTAs can start from 1368, 1502, 1636 and 1770 on. If the four were the last of
 * their kernel, it ends in 1402. */
#ifndef CORE_GPU_CTA_TURNAROUND_H
#define CORE_GPU_CTA_TURNAROUND_H

#include "core/kernel/occupancy.h"
#include "sim/event/event_kernel.h"

struct gpu;
struct kernel_run;
struct sm;

struct cta_turnaround {
	struct component timer; /* sleeps until the first of them is due */
	struct held_cta {
		cycles due;
		struct sm *sm;
		struct cta_allocation allocation;
	} * held; /* a ring, in the order in which they are due, of as many as the SMs can hold */
	uint32_t first, count, capacity;
	cycles *free; /* by SM: the cycle in which it can report the next end */
};

/* Before gpu->commit is initialised: room that is due is free for the CTAs that start in the same cycle. */
void turnaround_init(struct gpu *gpu);
void turnaround_fini(struct cta_turnaround *t);
/* In the commit phase of the cycle in which a CTA of the kernel has ended: what it had becomes free, now or
 * later. Sets run->reported to the cycle in which the end is reported. */
void turnaround_cta_ended(struct gpu *gpu, struct sm *sm, struct kernel_run *run,
	const struct cta_allocation *allocation, cycles now);

#endif
