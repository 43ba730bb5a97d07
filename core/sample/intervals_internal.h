/* core/sample/intervals_internal.h -- what is known of a kernel that is sampled by intervals: shared by the
 * files of intervals.h. */
#ifndef CORE_SAMPLE_INTERVALS_INTERNAL_H
#define CORE_SAMPLE_INTERVALS_INTERNAL_H

#include "sim/stats/sample_estimate.h"
#include "core/sample/intervals.h"
#include "sim/base/types.h"

struct counters;
struct progress;

/* Instructions of each warp, on average: half a unit, which is some passes through its loops, and what is not
 * measured behind a jump. */
#define HALF 256
#define WARM 512
/* Core cycles of half a unit, at least. */
#define SHORTEST 2048

enum phase { BEGINS, FIRST_HALF, SECOND_HALF, WARMS };

struct intervals {
	enum phase phase;
	bool is_fragile;      /* its speed depends on what jumps change: nothing more is skipped then */
	cycles due, began;    /* of the next look; of the present part */
	uint64_t warps_began; /* warp instructions with timing then */
	uint64_t skipped_warps, skipped_ctas;
	uint64_t unmeasured_cycles;   /* behind jumps */
	uint32_t most_warps;          /* that have been on the machine */
	uint32_t warps_here;          /* that were on the machine before the last jump */
	uint64_t evictions, accesses; /* of the L2 before the kernel */
	/* from when its speed before the first jump is taken, and will be; what that is; units behind jumps,
	 * as long as hardly fewer warps are there than were */
	struct sample_part since, next, before;
	double after, squares_after; /* cycles by warp instructions */
	uint32_t units_after;
	double behind;  /* of the last jump: instructions for which the next unit stands */
	bool continues; /* the next unit: the one before the jump */
	struct sample_unit unit, *units;
	uint32_t count, capacity;
	struct progress *progress;
	struct counters *counters; /* all statistics, from the first unit on */
	uint32_t *homes;           /* SMs of the CTAs in the middle, as in run->resume */
};

/* Core cycles that have passed. */
cycles intervals_passed(const struct chip *chip);
/* Cycles in which each warp issues so many instructions, on average, if it is as fast as it has been with all
 * that the machine holds: one that is left alone is hardly faster. */
cycles intervals_cycles(const struct chip *chip, const struct kernel_run *run, uint32_t instructions);
/* Part of the time by which units behind jumps differ from what was timed before the first, more than twice
 * as much as they differ from each other: the kernel does something else by then, or jumps have put its warps
 * where they would not be. */
double intervals_change(const struct intervals *v);
/* Warp instructions to be skipped now; 0: not worth it. */
uint64_t intervals_distance(const struct chip *chip, const struct kernel_run *run);

#endif
