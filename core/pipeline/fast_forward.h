/* core/pipeline/fast_forward.h -- CTAs on an SM go on without timing. */
#ifndef CORE_PIPELINE_FAST_FORWARD_H
#define CORE_PIPELINE_FAST_FORWARD_H

#include <stdbool.h>

struct device_fault;
struct functional;
struct kernel_run;
struct sm;

/* CTAs of the launch on the SM go on in f; what they have on its way drains. */
void sm_give_up(struct sm *sm, struct kernel_run *run, struct functional *f);
/* CTAs of the launch on the SM go on in f for a while: those whose warps all run remain there, and nothing
 * happens to them meanwhile. */
void sm_lend(struct sm *sm, struct kernel_run *run, struct functional *f);
/* They go on there where f can bring them to the instructions at which they were; others leave, as with
 * sm_give_up. false: there was a fault. */
bool sm_take_back(struct sm *sm, struct kernel_run *run, struct functional *f, struct device_fault *fault);

#endif
