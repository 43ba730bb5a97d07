/* core/simt/resume.h -- a launch that is timed from its middle on. What came before was executed without
 * timing (gpu.warmup.instructions), here or by another process (host/checkpoint): CTAs have ended, and some
 * are in the middle. These start first, each with the state that it has (core/simt/cta_state.h); behind them
 * those that have not begun. So the SMs, the dispatcher and the memory system begin as at any other launch.
 *
 *   CTAs of the grid       0 1 2 3 4 5 6 7 ...        ended: 0 1 3; in the middle: 2 4; next: 5
 *   in order of starting         2 4 5 6 7 ...        run->next_cta: 3, the place of 2
 *
 * Those that are left of a cluster start together; the others of it have exited. */
#ifndef CORE_SIMT_RESUME_H
#define CORE_SIMT_RESUME_H

#include "core/kernel/kernel_run.h"

/* The launch goes on from there; the states become the run's. false: they do not fit it, and nothing is
 * changed. */
bool resume_begin(struct kernel_run *run, struct launch_resume *from);
/* Brings states into the order in which their CTAs start: by number, those of a cluster side by side. */
void resume_sort(const struct kernel_run *run, struct launch_resume *states);
/* Whether a launch can go on from there: bytes from elsewhere are looked at before they are used. */
bool resume_fits(const struct launch *launch, const struct launch_resume *from);
/* The CTA that starts in that place, and the state with which it does; NULL: from its beginning. */
uint64_t resume_number(const struct kernel_run *run, uint64_t place);
const struct cta_state *resume_state(const struct kernel_run *run, uint64_t place);
struct launch_resume resume_copy(const struct launch_resume *from);

#endif
