/* core/pipeline/throttle.h -- the SM and its warp limiter. */
#ifndef CORE_PIPELINE_THROTTLE_H
#define CORE_PIPELINE_THROTTLE_H

#include "sim/base/state.h"
#include "sim/base/types.h"

struct kernel_run;
struct limiter;
struct sm;
struct stat_tree;

/* After the L1 has been made. */
void throttle_init(struct sm *sm, const struct limiter *prototype, struct stat_tree *stats);
void throttle_fini(struct sm *sm);

/* Asks the limiter; to be called before issue once limiter->next has come. */
void throttle_decide(struct sm *sm, cycles now);
/* The next cycle in which the limiter must be asked. */
cycles throttle_next(const struct sm *sm, cycles now);
/* Counts the limiter's statistics up to cycle `until`. */
void throttle_sync_stats(struct sm *sm, cycles until);

/* The kernel is about to start its first CTA on this SM; it has ended everywhere. */
void throttle_kernel(struct sm *sm, const struct kernel_run *run, cycles now);
void throttle_kernel_ended(struct sm *sm, const struct kernel_run *run, cycles now);
/* A warp has come into a slot; has exited; waits at a barrier, or may have ceased to. */
void throttle_started(struct sm *sm, uint32_t slot, uint64_t age, cycles now);
void throttle_finished(struct sm *sm, uint32_t slot, cycles now);
void throttle_at_barrier(struct sm *sm, uint32_t slot);
/* Between two kernels, for a checkpoint. */
void throttle_state(struct sm *sm, struct state *state);

#endif
