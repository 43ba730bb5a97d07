/* core/functional.h -- values without time: runs a launch CTA after CTA, as fast as execution goes; where CTAs wait
 * for each other, in turns. */
#ifndef CORE_FUNCTIONAL_H
#define CORE_FUNCTIONAL_H

#include "core/warp.h"

struct functional;

struct functional *functional_new(
	struct device_memory *memory, struct services *services, uint32_t sm_count, uint32_t max_warps);
/* Watches for warps that spin for ever (watch.h), after so many warp instructions each time; 0, as at first: never. */
void functional_set_hang_check(struct functional *f, uint64_t instructions);
void functional_free(struct functional *f);

/* Runs CTAs from run->next_cta on until all are done (true, run->ctas_done == run->ctas), a fault (true,
 * fault->kind set), or about `instructions` warp instructions have been executed (false: call again). */
bool functional_run(
	struct functional *f, struct kernel_run *run, uint64_t instructions, struct device_fault *fault);

/* Fills in fault: the kernel was stopped at a limit (as fault_begin_limit takes it); where the CTA's warps are. */
void functional_explain_limit(struct functional *f, struct device_fault *fault, const char *limit);

/* Forgets a CTA in the middle of which functional_run stopped. */
void functional_abandon(struct functional *f);

#endif
