/* core/pipeline/residency.h -- CTAs and warps start on an SM, and leave it. */
#ifndef CORE_PIPELINE_RESIDENCY_H
#define CORE_PIPELINE_RESIDENCY_H

#include "sim/base/types.h"

struct kernel_run;
struct sm;

/* Whether so many more CTAs of the kernel fit beside those that are resident. */
bool sm_has_room(const struct sm *sm, const struct kernel_run *run, uint32_t ctas);
/* Starts the CTA in place `place` of the kernel's order (core/simt/resume.h). The first CTA of a kernel on
 * this SM finds the L1 empty: the L1 is not coherent, and other SMs may have written what the kernel reads.
 * Returns its index among the SM's CTAs. */
uint32_t sm_start_cta(struct sm *sm, struct kernel_run *run, uint64_t place, cycles now);
/* Empties the caches of constants and instructions (sm.flush). */
void sm_flush(struct sm *sm);
/* Counts the residence of warps up to cycle `until`. */
void residency_sync_stats(struct sm *sm, cycles until);
void sm_free_storage(struct sm *sm);

#endif
