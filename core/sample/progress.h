/* core/sample/progress.h -- where the CTAs of a kernel are that is sampled by intervals, and how fast they
 * are, for those who let them go on without timing (core/functional/side_by_side.c).
 *
 * How far warps of a CTA are apart decides what they find in the L1. So all of a CTA go on at the same pace,
 * unless warps of this kernel have gone on to move apart: then those that have come further go on faster, by
 * that part of their lead which has told how fast such were later. Each CTA has its own pace, as it was of
 * late. */
#ifndef CORE_SAMPLE_PROGRESS_H
#define CORE_SAMPLE_PROGRESS_H

#include "sim/base/types.h"

struct functional;
struct chip;
struct kernel_run;
struct paces;
struct progress;

struct progress *progress_new(const struct chip *chip);
void progress_free(struct progress *progress);
/* Timing has gone on for a while. */
void progress_look(struct progress *p, const struct chip *chip, const struct kernel_run *run);
/* How many times as fast as another CTA one was at the last look, by warp: of those none of whose warps has
 * ended, on SMs with as many CTAs as each other. At least 1. */
double progress_unevenness(const struct progress *p);
/* Of the same CTAs, the part of those all of whose warps are about at the same place (64 instructions); a CTA
 * of one warp: the part of those that are where another CTA is. 0 to 1. */
double progress_in_step(const struct progress *p);
/* Timing has gone on, and CTAs are about to go on without it: where they are. */
const struct paces *progress_leave(struct progress *p, const struct chip *chip, const struct kernel_run *run);
/* Those in run->resume are about to come back from the functional executor. */
void progress_come_back(struct progress *p, const struct chip *chip, const struct kernel_run *run);

#endif
