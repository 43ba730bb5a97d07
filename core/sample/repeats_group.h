/* core/sample/repeats_group.h -- launches of a kernel that are alike, and what is known of them: shared by
 * the files of repeats.h. */
#ifndef CORE_SAMPLE_REPEATS_GROUP_H
#define CORE_SAMPLE_REPEATS_GROUP_H

#include "core/sample/counters.h"
#include "core/sample/repeats.h"

#define LAST COUNTERS_LAUNCHES /* launches measured last, by which others are estimated */
#define SINGLE \
	2 /* times the error that is allowed, half the interval of one launch may be, or its lines be off */

enum launch_phase_of_group { MEASURED, SKIPPED, DETAILED_WARMING };

struct group {
	const struct ptx_kernel *kernel;
	uint32_t grid[3], block[3], shared; /* grid: of its last launch, and ... */
	uint64_t ctas;                      /* ... the CTAs in it */
	struct sample_chunk last[LAST];
	double lines[LAST];             /* that accesses of these touched, by warp instruction */
	uint64_t measured, launches;    /* and all that there have been */
	double halves, measured_cycles; /* of intervals of launches that are measured, and what they took */
	double least_warps, most_warps; /* warp instructions of a launch, so far */
	bool is_whole;                  /* its launches are timed whole or not at all */
	bool seen;                      /* where caches are warmed: its first launch has been */
	uint64_t to_skip;
	struct group *follower;           /* of the launch that came behind the last one of this group */
	enum launch_phase_of_group phase; /* of the launch under way */
	double line_half, own_squares;  /* of the interval so far: of the line, of the launches' own parts */
	double systematic;              /* and what is allowed for */
	uint32_t evictions;             /* of the L2 before the launch under way, and ... */
	uint32_t evicted;               /* ... in the last one that was timed */
	uint64_t gap;                   /* launches skipped since one was measured */
	struct counters_group counters; /* all statistics of launches measured */
	struct group *next;
};

struct repeats {
	double error, allowance; /* sample.error, and the part of it for what is systematic */
	bool has_overlap;        /* kernels have run beside each other */
	bool warms;            /* launches that are skipped leave in the caches what they would (warming.h) */
	bool was_skipped;      /* the last launch was */
	struct group *awaited; /* detailed warming of it is over, and it is to be measured before any launch
				* is skipped; NULL: none
				*/
	uint32_t patience;     /* launches for which it is awaited yet */
	struct group *previous; /* of the last launch */
	struct sample_estimate correction;
	double squares; /* of halves of the intervals of all corrections */
	struct group *groups;
	struct counters_run *counters;
};

/* The group of a launch, which comes first in the list from now on. */
struct group *repeats_group(struct repeats *repeats, const struct kernel_run *run);
/* Launches that are measured and still known, and the line through them. */
uint32_t group_count(const struct group *group);
struct sample_line group_line(const struct group *group);
/* Half the interval of the line there. */
double group_half_at(const struct sample_line *line, double warps);
/* Whether launches of the group have had as many instructions as each other. */
bool group_is_constant(const struct group *group);
/* Whether so many are about as many as those measured had. */
bool group_is_similar(const struct group *group, double warps);
/* Whether the value of a launch with so many warp instructions is off the line by more than so many times the
 * error that is allowed, and than chance. */
bool group_is_off(const struct repeats *repeats, const struct sample_line *line, double warps, double value,
	double times);

#endif
