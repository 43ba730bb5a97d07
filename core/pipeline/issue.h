/* core/pipeline/issue.h -- the issue stage of an SM. */
#ifndef CORE_PIPELINE_ISSUE_H
#define CORE_PIPELINE_ISSUE_H

#include "sim/base/types.h"

struct cta;
struct kernel_run;
struct sm;

void sm_issue(struct sm *sm, cycles now);
/* Whether something can issue by itself later on, at *next. */
bool sm_issue_pending(const struct sm *sm, cycles now, cycles *next);

/* In the commit phase: a cluster's barrier lets these warps (by index) of a CTA go. */
void sm_release_warps(struct sm *sm, const struct cta *cta, uint64_t released, cycles now);

/* In the commit phase: no grid is left for which warps of this kernel wait (WARP_AT_GRIDS). */
void sm_grids_ended(struct sm *sm, const struct kernel_run *run, cycles now);

#endif
