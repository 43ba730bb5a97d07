/* core/kernel/kernel_run.h -- a kernel that is running: what all its warps share, with timing or without. */
#ifndef CORE_KERNEL_KERNEL_RUN_H
#define CORE_KERNEL_KERNEL_RUN_H

#include "core/exec/lane_types.h"
#include "core/kernel/kernel_stats.h"
#include "core/kernel/launch.h"
#include "core/kernel/occupancy.h"
#include "sim/stats/sample_estimate.h"
#include "frontend/ptx.h"
#include "sim/base/types.h"

struct cluster;
struct execution_listener;
struct intervals;
struct kernel_sample;
struct sanitizer;
struct uop_count;
struct uop_activity;

/* Where a kernel is between its launch and its end (core/gpu/launch/launch_cost.h). */
enum launch_phase {
	LAUNCH_WORKS, /* CTAs start and run; also every kernel without timing */
	LAUNCH_STARTS,
	LAUNCH_DRAINS,
};

struct kernel_run {
	const struct launch *launch;
	struct ptx_kernel *kernel;
	const struct uop *uops;
	uint8_t *params;
	uint32_t (*constants)[32]; /* the kernel's constant bank, with what this launch gives; its own if
				      there is such */
	uint32_t threads, warps;   /* of a CTA */
	uint32_t cluster[3], cluster_ctas; /* the shape of a cluster (core/kernel/cluster.h), CTAs in it; 1:
					      none */
	bool is_explicit_cluster;          /* the shape is given: by the kernel or by the launch */
	struct cluster *clusters;          /* those that are resident, the latest first */
	uint32_t shared_bytes;             /* of a CTA, dynamic shared memory included */
	uint32_t cta_bytes;                /* of a CTA: that, and behind it tensor memory, if it has any */
	/* shared_bytes rounded up to units of allocation, as %total_smem_size gives it; set by gpu_start */
	uint32_t shared_taken;
	uint32_t carve_out; /* shared memory of an SM that it runs on alone (core/kernel/carve_out.h) */
	struct cta_allocation allocation; /* resources of an SM that each CTA takes; set by gpu_start */
	uint64_t ctas, next_cta, ctas_done;
	struct launch_resume resume; /* CTAs that start in the middle (resume.h); else all 0 */
	/* without timing: it stops behind so many of its warp instructions, to be looked at; 0: it does not
	 */
	uint64_t stop_at;

	uint64_t pause_at; /* the same: it stops behind so many and goes on with timing; 0: it does not */

	/* the parts without timing, see timing_limit.h */
	uint64_t untimed_end;  /* CTAs below this number start without timing, ... */
	uint64_t timed_end;    /* ... those from there up to this number with timing, the rest without */
	uint64_t untimed_ctas; /* that have ended without timing */
	uint32_t on_sms;       /* CTAs that are resident on SMs */

	/* what depends on what, while both are under way: core/gpu/launch/grid_order.h */
	struct kernel_run **dependents;
	uint32_t dependent_count, prerequisites; /* that have not ended */
	uint64_t triggered;                      /* CTAs that have let dependents start, or ended */
	bool is_asked;                           /* whether all have is to be told */

	uint8_t timing_limit;     /* enum timing_limit_kind: the limit that has ended its timing */
	uint8_t timing_limit_due; /* the limit that is about to end it */
	bool is_warming;          /* its warm-up CTAs have yet to run */
	bool is_repeated;         /* it is not timed because it repeats others (core/sample/repeats.h) */
	bool is_untimed;          /* all of it, although the run has timing; then is_functional is set, too */
	cycles first_cycle;       /* in which its first CTA with timing started */
	cycles timing_limit_cycle; /* the last cycle before its timing ended */

	bool is_plain;        /* core/kernel/plain.h; with timing; set by gpu_start */
	uint8_t launch_phase; /* enum launch_phase */
	cycles reported; /* the cycle in which the last end of a CTA so far is reported (cta_turnaround.h) */
	cycles launch_due;    /* the end of its start-up or drain */
	cycles launch_cycles; /* of both together */

	struct kernel_sample *sample;    /* of its CTAs, which alone is timed (core/sample); NULL: all are */
	struct intervals *intervals;     /* the same by intervals (core/sample/intervals.h); NULL: not */
	struct sample_estimate estimate; /* when it has ended, with sampling */

	uint32_t resident_ctas;    /* that the machine holds at once, at least 1; set by gpu_start */
	uint32_t local_bytes;      /* local memory of a thread, the stack for recursion included */
	uint32_t local_warps;      /* warps that an SM holds at once at most: blocks of local memory on it */
	addr local_base;           /* device address of the local memory of all resident warps; 0: none */
	uint64_t id;               /* its number in order of launching */
	struct issue_table *issue; /* with timing; set by gpu_start */
	addr code; /* offset in device memory of its instructions, sm.instruction_bytes each; set by gpu_start
		    */
	uint64_t thread_instructions, warp_instructions; /* executed without timing */
	struct kernel_on_sm *on_sm; /* with timing, one for each SM, which only that SM writes */

	/* used by launches.c */
	struct launch own_launch; /* what launch points to */
	struct kernel_run *next;  /* in the list of kernels whose end has not been reported to the host yet */
	uint32_t index;           /* its number among the running kernels, as the dispatcher uses it */
	bool has_own_constants;
	bool is_functional, has_ended;
	uint32_t overlapped; /* other kernels that ran during its time */
	picoseconds start, end;
	cycles start_cycle, end_cycle;
	double host_start, host_end; /* of gpu->host_seconds */

	struct uop_activity *activity; /* of each micro-operation (core/energy/activity.c); NULL: not counted
					*/
	uint8_t static_category;       /* enum static_category, with activity */
	struct line_counts *profile;   /* by micro-operation (profile.h); NULL: the launch is not profiled */
	/* hears of what is executed without timing (execution_listener.h); NULL: nobody */
	const struct execution_listener *listener;
	struct sanitizer *sanitizer; /* looks at what is executed (core/sanitize); NULL: none */
	uint64_t divergent_barriers; /* waits at a barrier by a part of a warp */
	uint64_t barriers_left;      /* barriers with arrivals when their CTA ended */
	struct livelock_detector *livelock;
	struct warnings *warnings; /* about the program, for the user (warnings.h); or NULL */
};

/* What a kernel counts on one SM, and its local memory there. Aligned to the host's cache lines, so that SMs
 * do not share any. */
struct kernel_on_sm {
	struct kernel_stats stats;
	struct uop_count *by_uop; /* by micro-operation, if the run is profiled or its activity is counted */
	uint32_t triggered;       /* CTAs that have let dependents start, not yet in run->triggered */
	uint64_t local_used; /* bit i: block i of the kernel's local memory on the SM belongs to a warp */
} __attribute__((aligned(64)));

void kernel_run_init(struct kernel_run *run, const struct launch *launch, uint64_t id);
void kernel_run_fini(struct kernel_run *run);

/* Bytes of a warp's registers, which are rows of 32 lanes, and of its predicates. */
static inline size_t kernel_register_bytes(const struct ptx_kernel *kernel)
{
	return kernel->rows * sizeof(lanes);
}

static inline size_t kernel_predicate_bytes(const struct ptx_kernel *kernel)
{
	return (kernel->predicates + 1) * sizeof(uint32_t);
}

/* Bytes of shared memory of a CTA: the kernel's, the padding that aligns the dynamic part, and the dynamic
 * part. */
uint64_t launch_shared_bytes(const struct launch *launch);

#endif
