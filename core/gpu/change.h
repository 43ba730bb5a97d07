/* core/gpu/change.h -- policies of a machine that is at work are exchanged for others: warp schedulers and
 * the dispatcher of CTAs. Everything else stays as it is: warps, caches, queues, requests under way. A new
 * policy begins with what it can see of the machine (the warps that are there, in the order of their age, and
 * which of them wait for something long; the kernels with CTAs to start) and with no memory of its own. The
 * statistics of the old policy end with their last values. */
#ifndef CORE_GPU_CHANGE_H
#define CORE_GPU_CHANGE_H

#include "sim/base/types.h"

struct config;
struct diag_list;
struct gpu;

/* Whether a parameter ("sm.scheduler.policy") may have another value from now on. */
bool gpu_may_change(const char *path);
/* Policies are from now on those of the configuration, which differs from the machine's in such parameters
 * alone and must outlive it. Between two cycles. false, with diagnostics: it is wrong, and nothing has
 * changed. */
bool gpu_change(struct gpu *gpu, struct config *config, struct diag_list *diags);

#endif
