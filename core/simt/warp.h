/* core/simt/warp.h -- a warp's control state: the SIMT re-convergence stack, its lanes, and the CTA with its
 * barriers.
 *
 * Used by the timing model (core/sm) and by the functional executor (core/functional), so that both follow
 * the same control flow.
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
 * where the one below it waits as well is dropped, so loops do not grow the stack. Within a function each
 * push splits a set of lanes, so 65 entries suffice for it.
 *
 * A call pushes an entry that says so (`call`) and never meets anything by its pc: it goes when the last of
 * its lanes has returned. Lanes that return leave it and all entries above it; what the function diverged
 * into lies above, what its caller goes on with below. */
#ifndef CORE_SIMT_WARP_H
#define CORE_SIMT_WARP_H

#include "core/exec/cluster_memory.h"
#include "frontend/uop.h"
#include "sim/base/types.h"

#define SIMT_DEPTH        72 /* entries of a new warp's stack; it grows */
#define NO_RECONVERGENCE  UINT32_MAX
#define MAX_BARRIERS      16
#define CLUSTER_BARRIER   MAX_BARRIERS       /* barrier.cluster, behind those with a number */
#define WARPGROUP_BARRIER (MAX_BARRIERS + 1) /* waits for products of warpgroups */
#define REGISTER_BARRIER  (MAX_BARRIERS + 2) /* waits for registers */
#define TENSOR_BARRIER    (MAX_BARRIERS + 3) /* waits for columns of tensor memory */
#define ALL_BARRIERS      (MAX_BARRIERS + 4)
#define MAX_CTA_WARPS     64

struct cluster;
struct cta_shadow;
struct kernel_run;
struct livelock_state;
struct warnings;

struct simt_entry {
	uint32_t pc, reconverge;
	lane_mask mask;
	/* In each thread's local memory: where the frame of the entry's function begins, and where the stack
	 * ends, memory from alloca included. */
	uint32_t frame, top;
	uint32_t call;   /* 1 + the call that pushed the entry (kernel->calls); 0: a branch pushed it */
	uint32_t caller; /* after a call: the caller's frame */
	/* Not 0: the path waits for other paths of the warp at the instruction at pc: at barrier parked - 1,
	 * or, with PARKED_AT_MEMBERS, at a warp-level operation. */
	uint8_t parked;
};
#define PARKED_AT_MEMBERS 255

struct barrier {
	uint64_t waiting; /* warps of the CTA (by index) that wait */
	uint64_t came;    /* warps that have arrived, whether they wait or not */
	uint32_t arrived; /* threads that have arrived, counted in whole warps, whether they wait or not */
	uint32_t needed;  /* threads; 0: all warps that have not exited */
	uint32_t popc;    /* bar.red so far */
	bool reduces, all, any;
};

/* Lanes of each warp at barrier.cluster (cluster_barrier.c). */
struct cluster_barrier {
	lane_mask arrived[MAX_CTA_WARPS]; /* in the phase that is under way */
	lane_mask waiting[MAX_CTA_WARPS]; /* of those: they wait for its end */
	lane_mask open[MAX_CTA_WARPS];    /* have yet to wait for a phase that is complete */
	uint32_t phase;                   /* phases that are complete */
	bool is_used;
	bool has_changed; /* with timing: threads have arrived or exited, which the commit phase will look at
			   */
};

/* What a diverged warp remembers of the loop that its path runs (forward_progress.c). */
struct spin {
	uint32_t passes;     /* taken branches that close a loop with reads, since the path was chosen */
	uint32_t since;      /* the value of passes when `state` was saved; 0: nothing is saved */
	uint32_t first;      /* pc of the branch with which counting began ... */
	uint32_t depth;      /* ... and the depth of the stack at that time */
	uint32_t pc;         /* of the saved state: the branch, */
	lane_mask active;    /* the active lanes, */
	uint32_t capacity;   /* the size of `state` in bytes */
	uint32_t turns : 29; /* paths that gave way since waiting lanes were last let go */
	bool is_sought : 1;  /* the warp is to give way to others when all of its paths spin, ... */
	bool is_found : 1;   /* ... which is the case */
	bool from_below : 1; /* which waiting lanes go next: the outermost, else the innermost */
	void *state;         /* all registers and predicates */
};

enum warp_state {
	WARP_RUNNING,
	WARP_AT_BARRIER,
	WARP_RELEASED, /* its barrier is complete, and it issues again when sm.latency.barrier has passed
			  (with timing only) */
	WARP_AT_MEMBAR,
	WARP_AT_COPIES,
	WARP_AT_BULK_COPIES,
	WARP_AT_PHASE, /* asleep at the try_wait that it will issue again (core/issue/phase_waits.h) */
	WARP_AT_GRIDS, /* waits for the grids on which its own depends (core/gpu/launch/grid_order.h) */
	WARP_ASLEEP,
	WARP_EXITED
};

struct warp {
	uint32_t pc; /* pc, active and reconverge are copies of the stack's top entry */
	lane_mask active;
	uint32_t reconverge;
	lane_mask live;      /* lanes that have not exited */
	uint8_t state;       /* enum warp_state */
	uint8_t index;       /* in its CTA */
	uint8_t slot;        /* in its SM */
	uint8_t barrier;     /* while WARP_AT_BARRIER */
	uint32_t frame, top; /* of the running function, see struct simt_entry */
	uint32_t depth;
	uint32_t (*registers)[32];
	uint32_t *predicates;
	uint8_t *local;
	struct cta *cta;

	struct simt_entry *stack;
	uint32_t capacity; /* of the stack */
	uint32_t cleared;  /* bytes of each thread's local memory that the stack has cleared as it grew */
	struct spin spin;
	struct livelock_state *livelock_state; /* the detector's (livelock.h), made when it is first needed */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct warp) == 128, "a warp takes two cache lines");
_Static_assert(sizeof(void *) != 8 || offsetof(struct warp, stack) == 64, "each instruction uses the first");

/* Groups of products that a warp has committed, and of those that its warpgroup must have (warpgroup.h) */
struct warp_products {
	uint32_t committed, awaited;
};

/* setmaxnreg (register_pool.h): registers per thread of each warp, and how many it waits for; 0: those that
 * it started with. `free`: what warps have given back, per thread of a warp. */
struct register_pool {
	uint32_t free;
	uint16_t of[MAX_CTA_WARPS], awaited[MAX_CTA_WARPS];
};

struct cta {
	uint32_t id[3];
	uint64_t linear; /* its number in the grid */
	struct kernel_run *run;
	struct warnings *warnings; /* the run's, or those of the SM that holds the CTA; or NULL */
	uint32_t warp_count;
	uint64_t live_warps;  /* by index: warps that have not exited */
	uint64_t at_barriers; /* warps that wait at barriers */
	uint8_t *shared;
	struct cta_shadow *shadow; /* the sanitizer's (core/sanitize); NULL: none */
	struct warp *warps[MAX_CTA_WARPS];
	struct barrier barriers[ALL_BARRIERS];
	struct cluster_barrier cluster_barrier;
	struct cluster *cluster; /* core/kernel/cluster.h; NULL: that of the CTA alone */
	struct cluster_seat seat;
	struct warp_products products[MAX_CTA_WARPS];
	struct register_pool registers;
	uint32_t *tensor_columns; /* that are free on the SM; NULL: without timing, the CTA has all */
	uint32_t exited_at[MAX_CTA_WARPS]; /* pc of the exit of warps that are not live */
};

/* Initialises a CTA: its id follows from its number in the grid, its barriers are empty. The caller then
 * fills warps[] and calls warp_start for each. */
void cta_start(struct cta *cta, struct kernel_run *run, uint64_t number, uint8_t *shared);
/* For execution (struct exec). */
const struct cluster_seat *warp_seat(const struct warp *w);
void warp_place(const struct warp *w, uint32_t *index, uint32_t *count);
/* Fills the registers that hold values when a warp begins; registers, predicates and local are set. smid,
 * sm_count, max_warps: for %smid and the like. */
void warp_start(struct warp *w, struct cta *cta, uint32_t index, uint32_t smid, uint32_t sm_count,
	uint32_t max_warps);
/* Frees what warps keep from one start to the next: their stacks, the states of loops. */
void warps_fini(struct warp *warps, uint32_t count);

/* The top of the stack is what executes. */
static inline void warp_load_top(struct warp *w)
{
	struct simt_entry *top = &w->stack[w->depth - 1];

	if (top->parked == PARKED_AT_MEMBERS) /* it tries again */
		top->parked = 0;
	w->pc = top->pc;
	w->reconverge = top->reconverge;
	w->active = top->mask;
	w->frame = top->frame;
	w->top = top->top;
}

/* Pops entries that have reached their re-convergence point. Below them may lie entries all of whose lanes
 * have exited, left there by paths that ran in turns: they are popped as well. */
static inline void warp_reconverge(struct warp *w)
{
	while (w->pc == w->reconverge && w->depth > 1) {
		do
			w->depth--;
		while (w->depth > 1 && !w->stack[w->depth - 1].mask);
		warp_load_top(w);
		if (w->depth < w->spin.depth)
			w->spin.passes = w->spin.since = w->spin.depth = 0;
	}
}

/* After an instruction that is not a control instruction. */
static inline void warp_next(struct warp *w)
{
	w->pc++;
	if (w->pc == w->reconverge)
		warp_reconverge(w);
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

#endif
