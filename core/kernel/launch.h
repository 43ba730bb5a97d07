/* core/kernel/launch.h -- a kernel launch as the host asks for it. */
#ifndef CORE_KERNEL_LAUNCH_H
#define CORE_KERNEL_LAUNCH_H

#include "memsys/access_window.h"
#include "sim/base/types.h"
#include <stddef.h>

struct execution_listener;
struct line_counts;
struct ptx_kernel;
struct sanitizer;

/* The state of a CTA in the middle of its work, as bytes (core/simt/cta_state.h). */
struct cta_state {
	uint64_t number; /* of the CTA in its grid */
	uint64_t live;   /* warps (by index) that have not exited */
	uint8_t *bytes;  /* malloc'ed */
	size_t size;
};

/* What a launch has counted that was executed without timing. */
struct launch_known {
	uint64_t thread_instructions, warp_instructions, divergent_barriers, barriers_left;
	cycles core_cycles; /* that it took: it takes them again, which no statistic counts; 0: no time */
};

/* A launch in the middle, of which some has been executed without timing. */
struct launch_resume {
	struct launch_known known; /* so far */
	uint64_t next_cta;         /* CTAs below it have ended, but for these: */
	struct cta_state *ctas;    /* in the order of their numbers, which are below next_cta */
	size_t count;
};
void resume_free(struct launch_resume *resume);

struct launch {
	struct ptx_kernel *kernel;
	uint32_t grid[3], block[3];
	uint32_t cluster[3]; /* CTAs of a cluster, by which the grid's can be divided; 0, 0, 0: none is given,
				and the kernel's own shape counts, if it has one */
	uint32_t dynamic_shared; /* bytes */
	uint32_t shared_percent; /* of the largest shared memory: at least so much is preferred; 0: no
				    preference */
	uint32_t stack_limit;    /* bytes of a thread for recursion, as cuCtxSetLimit has it; 0: 1024 */
	const uint8_t *params;   /* kernel->param_bytes of them; copied, as the launch is, by gpu_start */
	uint32_t stream;         /* for reports */
	picoseconds waited; /* simulated time from the host's request to gpu_start: what came before it in
				its stream had to end, or the chip had no room for it */
	struct access_window window; /* how the L2 keeps what it accesses there */
	bool has_own_window;         /* the launch gives it; else its stream does */
	bool is_graph_node;          /* launched by a graph */
	uint64_t graph;              /* its handle, as kernels see it: %current_graph_exec */
	uint64_t parent; /* the number of the launch whose kernel has launched it; 0: the host has */
	const char *parent_kernel; /* its name; NULL: none */
	bool starts_early;   /* before the kernel before it in its stream has ended, when that allows it */
	bool is_cooperative; /* its CTAs wait for each other: all must fit at once */
	addr grid_workspace; /* of a cooperative launch: its barrier, for %envreg1 and 2; 0: none */
	struct line_counts *profile; /* counters to add to (core/diagnose/profile.h); NULL: none */
	/* without timing: hears of every instruction (core/functional/execution_listener.h); NULL: nobody */
	const struct execution_listener *listener;
	struct sanitizer *sanitizer; /* core/sanitize; NULL: none */
	/* without timing: it has run before, memory is as it left it, and it is only to be counted; NULL: it
	 * is to run */
	const struct launch_known *known;
	/* memory is as the first part of it has left it, and it goes on from there; NULL: it begins */
	const struct launch_resume *resume;
};

#endif
