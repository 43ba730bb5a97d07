/* core/sample/sampling.h -- times a sample of a kernel's CTAs and estimates the rest, with an interval of
 * confidence (sample.error, --sample).
 *
 *   CTAs of the grid   0 ....... steady | skipped | warm | unit | skipped | warm | unit | ... | R to the
 * end timed, chunk by chunk          timed    timed                                timed
 *
 * A chunk has R CTAs, as many as the machine holds at once. None is skipped before some chunks in a row have
 * had the speed of as many before them (plan.h). Timing is never interrupted: while CTAs are skipped
 * simulated time stands still, the resident CTAs stay where they are, and the dispatcher then goes on behind
 * those skipped, which the functional executor runs. So the machine is timed in its steady state, on a part
 * of the grid that is spread over all of it: systematic sampling, as SMARTS has it for instructions
 * (Wunderlich et al., ISCA 2003).
 *
 * The last CTAs that are skipped leave their lines in the tags of the L2 (warming.h), so many that nothing
 * older is left in it. This disturbs the resident CTAs, whose lines are gone. So behind each jump some chunks
 * are timed and not measured, more where less error is allowed or chunks differ much from each other. Without
 * warming they are timed until the L2 has evicted its lines twice over.
 *
 * A unit gives cycles and warp instructions from the start of its first CTA to that of the first one behind
 * it; their quotient over all units, a ratio estimate, stands for the CTAs skipped and for the chunks that
 * were not measured. Half of what is skipped at a time counts as the unit before, the other half as the one
 * behind. The distance between units follows from how much they have differed so far, what is known of
 * kernels before (sample_pooled), and the error that is allowed; near the ends of the grid it is less.
 * Kernels with few CTAs are timed whole; those that turn out to be long are sampled by intervals of their
 * instructions (intervals.h). Kernels whose CTAs may wait for each other through device memory
 * (core/kernel/waits.h), or that run beside others, are timed whole; of launches that repeat others some are
 * not timed at all (repeats.h). */
#ifndef CORE_SAMPLE_SAMPLING_H
#define CORE_SAMPLE_SAMPLING_H

#include "sim/stats/sample_estimate.h"
#include "sim/config/param.h"
#include "sim/stats/stat_estimate.h"

struct execution_listener;
struct chip;
struct kernel_run;
struct snapshot;
struct stat_tree;

enum sample_warming { SAMPLE_WARMING_NONE, SAMPLE_WARMING_TAGS };

struct sample_config {
	double error; /* of the time of a kernel, relative; 0: everything is timed */
	uint32_t least_units;
	uint32_t warming;          /* enum sample_warming */
	uint64_t long_kernel;      /* core cycles, after which a kernel is sampled by intervals; 0: never */
	double interval_allowance; /* for them, of the time that was estimated */
	double allowance;          /* in intervals, for what is systematic: this part of `error` */
};
extern const struct sim_param sample_params[];

struct sampling; /* of the machine; NULL: sample.error is 0 */
struct sampling *sampling_new(const struct sample_config *config, struct stat_tree *stats);
void sampling_free(struct sampling *sampling);

/* A launch with timing is about to start: whether it has none, as it repeats others (repeats.h). */
bool sampling_skips(const struct chip *chip, const struct kernel_run *run);
/* Memory before such a launch, to be taken (memsys/snapshot.h) so that it can be timed after all; NULL: what
 * is known of it is enough. */
struct snapshot *sampling_snapshot(const struct chip *chip, const struct kernel_run *run);
/* Who is to hear of its memory instructions; NULL: nobody. */
const struct execution_listener *sampling_counter(const struct chip *chip, const struct kernel_run *run);
/* It has been executed: whether its time can be estimated; else it is to be timed. */
bool sampling_accepts(const struct chip *chip, const struct kernel_run *run);
/* A kernel's CTAs may start: decides whether it is sampled. */
void sampling_kernel_starts(struct chip *chip, struct kernel_run *run);
/* Whether it may be sampled by CTAs, so that their starts are looked at in the cycles in which they are due.
 */
bool sampling_needs_steps(const struct chip *chip, const struct kernel_run *run);
/* For the dispatcher, in core cycle `now`: whether no CTA of the kernel may start before those are skipped
 * that come next; then the machine has been told to stop. */
bool sampling_holds(struct chip *chip, struct kernel_run *run, cycles now);
/* Between two time steps: what the dispatcher has said has ended is counted (counters.h). */
void sampling_cut(struct chip *chip);
/* The kernel of which CTAs are to be skipped; NULL: none. How many. */
struct kernel_run *sampling_due(const struct chip *chip);
uint64_t sampling_to_skip(const struct kernel_run *run);
/* The last of these, or of those of a launch that is skipped, which warm the caches (warming.h). */
uint64_t sampling_to_warm(const struct chip *chip, const struct kernel_run *run);
/* They have been, with so many warp instructions. */
void sampling_skipped(struct chip *chip, struct kernel_run *run, uint64_t ctas, uint64_t warps);
/* The kernel has ended: its estimate, which is also added to the machine's. */
struct sample_estimate sampling_kernel_ended(struct chip *chip, struct kernel_run *run);
/* All statistics of the run so far, as they would be without sampling: what is estimated beside what was
 * counted, to be freed by the caller. False: nothing is. */
bool sampling_estimates(struct chip *chip, struct stat_estimate *estimate, struct stat_trust *trust);
/* Frees what the kernel has. */
void sampling_kernel_free(struct kernel_run *run);

#endif
