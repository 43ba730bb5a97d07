/* core/sample/warming.h -- functional warming: what CTAs that are executed without timing leave in the L2
 * (sample.warming), as SMARTS does it for instructions (Wunderlich et al., ISCA 2003).
 *
 * Their accesses to global memory go through the coalescer's rules and the tags of an L1 to the slice that
 * owns them, where they leave lines, valid and dirty bytes, and the order of replacement (l2_warm_read). CTA
 * n counts as one of SM n modulo the SMs, as it does for %smid. The L1s of this are the warming's own, and
 * empty when a kernel starts: those of the SMs stay as CTAs with timing have left them, so that mechanisms
 * beside an L1 and their listeners hear of nothing that has no time. (An L1 is so small that the CTAs which
 * are timed before a unit is measured fill it many times over.) Nothing is counted, takes time, or is written
 * back.
 *
 * Not warmed: local memory, constants, instructions, the rows of DRAM. Where a policy decides what the L2
 * takes, or somebody listens to it, nothing is (l2_may_warm). */
#ifndef CORE_SAMPLE_WARMING_H
#define CORE_SAMPLE_WARMING_H

#include "sim/base/types.h"

struct execution_listener;
struct chip;
struct kernel_run;

struct warming;
struct warming *warming_new(struct chip *chip);
void warming_free(struct warming *warming);
/* Whether the machine's caches can be warmed. NULL: no. */
bool warming_is_possible(const struct warming *warming);
/* Who is to hear of the memory instructions of this kernel that follow without timing. */
const struct execution_listener *warming_of(struct warming *warming, const struct kernel_run *run);

/* The same for a launch that may still be timed: nothing goes to the caches, and lines are counted, from 0
 * on. Lines that it has touched, as the coalescer counts them (kernel.line_requests, without local memory).
 */
const struct execution_listener *warming_counts(struct warming *warming);
uint64_t warming_lines(const struct warming *warming);

#endif
