/* core/sm/issue_counts.h -- what an SM counts for each instruction and each lost issue slot, once: it goes
 * to the statistics of the SM and to those of the kernel before they are read, or when warps of another
 * kernel issue. */
#ifndef CORE_SM_ISSUE_COUNTS_H
#define CORE_SM_ISSUE_COUNTS_H

#include "core/kernel/slot_cause.h"
#include "frontend/uop.h"
#include <stddef.h>

struct kernel_run;
struct sm;

/* How often a micro-operation has been executed: warp instructions (also those whose guard was false in every
 * lane), and the lanes that executed them, added up. */
struct uop_count {
	uint64_t executions, lanes;
};

struct issue_counts {
	uint64_t instructions;       /* that the SM has issued, of all kernels */
	struct kernel_run *run;      /* whose counts these are; NULL: they are 0 */
	struct uop_count *by_uop;    /* the run's on this SM; NULL: nobody wants them */
	uint64_t threads;            /* thread instructions */
	uint64_t issued[UNIT_COUNT]; /* warp instructions */
	uint64_t slots[SLOT_COUNT];
} __attribute__((aligned(64)));

/* Counts go on for this kernel. */
void issue_counts_turn(struct sm *sm, struct kernel_run *run);
/* To be called before statistics of the SM, of all SMs, or of a kernel are read. */
static inline void issue_counts_sync_stats(struct sm *sm)
{
	issue_counts_turn(sm, NULL);
}

#endif
