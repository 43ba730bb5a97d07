/* core/sample/repeats.h -- launches that repeat earlier ones: of the launches of a kernel with the same grid,
 * block and shared memory only some are timed, and the others are executed without timing and estimated by
 * them (as Principal Kernel Analysis does; Avalos Baddouh et al., MICRO 2021).
 *
 *   launches of a group   1 2 3 4 5 | 5 repeat | s 6 | 6 repeat | s 7 | 7 repeat | s 8 ...
 *                         measured                 measured
 *
 * The first LEAST are measured, then one behind as many skipped as have been measured, as long as the error
 * that is allowed permits: so the whole run is looked at, ever less densely. Behind launches that were
 * skipped the caches are not as they would be, also for other kernels. So one launch (s) is timed and not
 * measured before the next is, and nothing is skipped where what comes behind it cannot be estimated in this
 * way. Cycles are estimated by the line of least squares through cycles and warp instructions of the last
 * launches measured. A launch whose warp instructions are not near theirs is followed by measurements. Where
 * kernels run beside each other nothing repeats. */
#ifndef CORE_SAMPLE_REPEATS_H
#define CORE_SAMPLE_REPEATS_H

#include "core/sample/estimate.h"

struct gpu;
struct kernel_run;

struct repeats;
struct repeats *repeats_new(double error);
void repeats_free(struct repeats *repeats);

/* A launch is about to start; whether it is to be executed without timing, as it repeats others. */
bool repeats_skips(struct repeats *repeats, const struct gpu *gpu, const struct kernel_run *run);
/* It has ended. *e is what was counted of it; the cycles of one that was skipped, or that came first behind
 * such, are estimated there. */
void repeats_ended(struct repeats *repeats, const struct kernel_run *run, struct sample_estimate *e);

#endif
