/* core/sample/repeats.h -- launches that repeat earlier ones: of the launches of a kernel with the same block
 * and shared memory, and the same grid or one that is similar and fills the machine, only some are timed, and
 * the others are executed without timing and estimated by them (as Principal Kernel Analysis does; Avalos
 * Baddouh et al., MICRO 2021).
 *
 *   launches of a group   s 1 2 | 9 repeat | 3 | 39 repeat | 4 | 64 repeat | 5 ...
 *                         measured           measured
 *
 * The first (s), which finds caches as no other does, is timed, but measured only if it is so long that they
 * do not matter. Then LEAST_WARM are measured, and then one behind three times as many skipped as there have
 * been, or, where they differ in what they execute, behind fewer than have been measured, as long as the
 * error that is allowed permits: so the whole run is looked at, ever less densely. Cycles are estimated by
 * the line through cycles and warp instructions of the last launches measured (sample_line_pooled). One that
 * is measured corrects the estimates since the one before (repeats_correction), and if it is off the line by
 * more than chance, measuring begins anew. Where the interval of one is too wide, as only some of its CTAs
 * were timed, those that follow are timed whole. Where kernels run beside each other nothing repeats.
 *
 * What a launch does that is skipped is known only when it has been executed. So that is a trial
 * (core/gpu/launch/repeated_launch.c): memory is copied before, and if the launch turns out to have
 * instructions about which the line says too little, or accesses to more or fewer lines than those measured
 * let expect, memory is put back, and it is timed and measured after all. Where that cannot be, or copying
 * takes too long, one about which the line says too little is followed by measurements.
 *
 * Of launches that are skipped, those before one that is timed leave lines in the L2 (warming.h), so many as
 * renew what is in it; which launches come next is guessed from those that came last time.
 *
 * Where caches are not warmed (sample.warming, or a policy that excludes it):
 *
 *   launches of a group   1 2 3 4 5 | 5 repeat | s 6 | 6 repeat | s 7 | 7 repeat | s 8 ...
 *
 * The first LEAST are measured. Behind launches that were skipped the caches are not as they would be, also
 * for other kernels. So one launch (s) is timed and not measured before the next is, and nothing is skipped
 * where what comes behind it cannot be estimated in this way. */
#ifndef CORE_SAMPLE_REPEATS_H
#define CORE_SAMPLE_REPEATS_H

#include "sim/stats/sample_estimate.h"

struct chip;
struct kernel_run;

struct repeats;
/* counters: of the run; remain the caller's. */
struct counters_run;
struct repeats *repeats_new(double error, double allowance, struct counters_run *counters);
void repeats_free(struct repeats *repeats);

/* A launch is about to start; whether it is to be executed without timing, as it repeats others. */
bool repeats_skips(struct repeats *repeats, const struct chip *chip, const struct kernel_run *run);
/* It has ended. *e is what was counted of it; the cycles of one that was skipped, or that came first behind
 * such, are estimated there. */
void repeats_ended(struct repeats *repeats, const struct chip *chip, const struct kernel_run *run,
	struct sample_estimate *e);
/* Whether a launch with timing is to be timed as a whole, as it is to stand for others and a sample of its
 * CTAs says too little about it. */
bool repeats_wants_whole(struct repeats *repeats, const struct kernel_run *run);
/* A launch that is skipped may turn out to be unlike those that are known, in what it executes: whether it is
 * worth to keep memory for that, to time it all the same. */
bool repeats_tries(struct repeats *repeats, const struct chip *chip, const struct kernel_run *run);
/* And to count the lines that its accesses touch (warming.h): launches of its kind have differed. */
bool repeats_counts_lines(struct repeats *repeats, const struct kernel_run *run);
/* It has been executed, and touched so many lines, if they were counted: whether it stays skipped. If not it
 * counts as one that is measured. */
bool repeats_accepts(struct repeats *repeats, const struct kernel_run *run, double lines);
/* Of a launch that is skipped, the last CTAs, which warm the caches: so many as evict the lines of the L2
 * twice over, as far as the last one that was timed as a whole can tell. */
uint64_t repeats_to_warm(struct repeats *repeats, const struct chip *chip, const struct kernel_run *run);
/* What follows for all statistics of launches skipped so far goes to the estimates of the run (counters.h).
 */
void repeats_estimate(struct repeats *repeats);
/* What is to be added to the estimates of launches that were skipped, since the last call: launches that were
 * measured behind them say more about them. At most `most` cycles are taken off at a time. */
struct sample_estimate repeats_correction(struct repeats *repeats, uint64_t most);

#endif
