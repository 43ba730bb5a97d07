/* core/warp.h -- a warp's control state: the SIMT re-convergence stack, its lanes, and the CTA with its
 * barriers.
 *
 * Shared by the timing core (sm.c) and the functional one (functional.c), so that both follow the same
 * control flow.
 *
 * The stack (post-dominator re-convergence; Fung et al., MICRO 2007): the top entry is what executes. A
 * branch on which lanes disagree turns the top into the entry that waits at the re-convergence point and
 * pushes both paths:
 *
 *      before            diverged             taken path done        both done
 *    pc=B  rpc=-     pc=R  rpc=-  mask=ff    pc=R  rpc=-  mask=ff    pc=R rpc=- mask=ff
 *                    pc=F  rpc=R  mask=f0    pc=F  rpc=R  mask=f0
 *                    pc=T  rpc=R  mask=0f
 *
 * A path whose first instruction is the re-convergence point itself is not pushed; an entry that would wait
 * where the one below it waits as well is dropped, so loops do not grow the stack. Each push splits a set of
 * lanes, so 65 entries suffice. */
#ifndef CORE_WARP_H
#define CORE_WARP_H

#include "core/exec/exec.h"
#include "core/gpu.h"

#define SIMT_DEPTH       72
#define NO_RECONVERGENCE UINT32_MAX
#define MAX_BARRIERS     16
#define MAX_CTA_WARPS    64

struct simt_entry {
	uint32_t pc, reconverge;
	lane_mask mask;
};

/* A launch as it runs: what warps of the kernel share. */
struct kernel_run {
	const struct launch *launch;
	const struct ptx_kernel *kernel;
	const struct uop *uops;
	uint8_t *params;
	uint32_t threads, warps; /* of a CTA */
	uint32_t shared_bytes;   /* of a CTA, dynamic included */
	uint64_t ctas, next_cta, ctas_done;
	addr local_base; /* device address of the local memory of all resident warps; 0: none */
	uint64_t id;
	/* scoreboard masks: `words` words for each micro-operation, bit = row, or rows + predicate */
	uint32_t words;
	uint64_t *needs, *writes;
	/* what was done, added up by who runs it */
	uint64_t thread_instructions, warp_instructions;
};

struct barrier {
	uint64_t waiting; /* warps of the CTA (index in it) that wait */
	uint32_t arrived; /* threads, whole warps, waiting and arrived-only */
	uint32_t needed;  /* threads; 0: every warp that has not exited */
	uint32_t popc;    /* bar.red so far */
	bool all, any;
};

enum warp_state { WARP_RUNNING, WARP_AT_BARRIER, WARP_AT_MEMBAR, WARP_AT_COPIES, WARP_EXITED };

struct warp {
	uint32_t pc; /* copy of the stack's top */
	lane_mask active;
	uint32_t reconverge;
	lane_mask live;  /* lanes that have not exited */
	uint8_t state;   /* enum warp_state */
	uint8_t index;   /* in its CTA */
	uint8_t slot;    /* in its SM */
	uint8_t barrier; /* while AT_BARRIER */
	uint32_t depth;
	struct cta *cta;
	uint32_t (*registers)[32];
	uint32_t *predicates;
	uint8_t *local;
	struct simt_entry stack[SIMT_DEPTH];
};

struct cta {
	uint32_t id[3];
	uint64_t linear;
	struct kernel_run *run;
	uint32_t warp_count;
	uint64_t live_warps; /* by index: not exited */
	uint8_t *shared;
	struct warp *warps[MAX_CTA_WARPS];
	struct barrier barriers[MAX_BARRIERS];
};

/* Puts a CTA at its beginning: id from its number in the grid, barriers clear. The caller then fills warps[]
 * and calls warp_start for each. */
void cta_start(struct cta *cta, struct kernel_run *run, uint64_t number, uint8_t *shared);
/* registers, predicates and local of the warp are set; fills the preloaded rows. smid and slot: for %smid,
 * %warpid. */
void warp_start(struct warp *w, struct cta *cta, uint32_t index, uint32_t smid, uint32_t sm_count,
	uint32_t max_warps);

/* After an instruction that is not a control instruction. */
static inline void warp_settle(struct warp *w);
static inline void warp_next(struct warp *w)
{
	w->pc++;
	if (w->pc == w->reconverge)
		warp_settle(w);
}

/* Pops entries that have reached the place where they wait for the others. */
static inline void warp_settle(struct warp *w)
{
	while (w->pc == w->reconverge && w->depth > 1) {
		const struct simt_entry *top = &w->stack[--w->depth - 1];

		w->pc = top->pc;
		w->reconverge = top->reconverge;
		w->active = top->mask;
	}
}

/* Lanes in which the instruction executes. */
static inline lane_mask warp_guarded(const struct warp *w, const struct uop *u)
{
	lane_mask p;

	if (!(u->flags & UOP_GUARDED))
		return w->active;
	p = w->predicates[u->guard];
	return w->active & (u->flags & UOP_GUARD_NEGATED ? ~p : p);
}

/* What a control instruction did. */
struct control_result {
	enum {
		CONTROL_NEXT,
		CONTROL_DIVERGED,
		CONTROL_WAITS,
		CONTROL_MEMBAR,
		CONTROL_COMMIT,
		CONTROL_COPIES, /* waits for copies: imm */
		CONTROL_EXITED,
		CONTROL_TRAP,
		CONTROL_BAD_BARRIER
	} what;
	uint64_t released; /* warps of the CTA (by index) that a barrier let go, this one included */
};

/* Executes a UNIT_CONTROL micro-operation for the lanes in mask and moves the warp on. A warp that waits has
 * already been moved behind the barrier; its state says so. Released warps' states are RUNNING again. */
struct control_result control_execute(struct warp *w, const struct uop *u, lane_mask mask);

/* Scoreboard masks of a kernel; freed with kernel_run_fini. */
void kernel_run_init(struct kernel_run *run, const struct launch *launch, uint64_t id);
void kernel_run_fini(struct kernel_run *run);

/* Fills in the place and the text of a fault that the execution of u by w found. */
void fault_explain(struct device_fault *fault, const struct warp *w, const struct uop *u);
/* A machine in which nothing can happen any more: who waits on what. fault->text has been begun by the caller
 * or is empty. */
void fault_add_waiting_warp(struct device_fault *fault, const struct warp *w, const char *reason);

#endif
