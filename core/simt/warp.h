/* core/simt/warp.h -- a warp's control state: the SIMT re-convergence stack, its lanes, and the CTA with its
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
 * where the one below it waits as well is dropped, so loops do not grow the stack. Within a function each
 * push splits a set of lanes, so 65 entries suffice for it.
 *
 * A call pushes an entry that says so (`call`) and never meets anything by its pc: it goes when the last of
 * its lanes has returned. Lanes that return leave it and all entries above it; what the function diverged
 * into lies above, what its caller goes on with below. */
#ifndef CORE_SIMT_WARP_H
#define CORE_SIMT_WARP_H

#include "core/exec/exec.h"
#include "core/gpu/gpu.h"
#include "core/gpu/kernel_stats.h"

#define SIMT_DEPTH        72 /* to begin with */
#define NO_RECONVERGENCE  UINT32_MAX
#define MAX_BARRIERS      16
#define MAX_CTA_WARPS     64
#define INSTRUCTION_BYTES 8

struct simt_entry {
	uint32_t pc, reconverge;
	lane_mask mask;
	uint32_t frame, top; /* where its function's part of the stack begins and ends in local memory: the
				frame, and what alloca gave */
	uint32_t call;       /* 1 + the call that pushed it (kernel->calls); 0: a branch did */
	uint32_t caller;     /* then the caller's frame */
	uint8_t parked; /* not 0: waits for other paths of the warp, at the instruction at pc: barrier parked
			   - 1, or ... */
};
#define PARKED_AT_MEMBERS 255 /* ... a warp-level operation */

/* A launch as it runs: what warps of the kernel share. */
struct kernel_run {
	const struct launch *launch;
	struct ptx_kernel *kernel;
	const struct uop *uops;
	uint8_t *params;
	uint32_t threads, warps; /* of a CTA */
	uint32_t shared_bytes;   /* of a CTA, dynamic included */
	uint32_t shared_taken;   /* the same in whole units of allocation, as %total_smem_size tells; set by
				    gpu_start */
	struct cta_allocation allocation; /* of an SM's resources, for each CTA; set by gpu_start */
	uint64_t ctas, next_cta, ctas_done;
	/* the parts without timing, see timing_limit.h */
	uint64_t untimed_end;                   /* CTAs below this number start without timing ... */
	uint64_t timed_end;                     /* ... and of those behind them, these with it */
	uint64_t untimed_ctas;                  /* that have ended without timing */
	uint32_t on_sms;                        /* CTAs that SMs hold */
	uint8_t timing_limit, timing_limit_due; /* enum timing_limit_kind: it has been cut; it is to be cut */
	bool is_warming;                        /* its warm-up CTAs have yet to run */
	bool is_untimed;                        /* all of it, though the run has timing: is_functional too */
	cycles first_cycle, timing_limit_cycle; /* its first CTA with timing started; the last cycle before
						   the cut */
	uint32_t resident_ctas; /* that the machine holds at once, at least 1; set by gpu_start */
	uint32_t local_bytes;   /* of a thread, the stack for recursion included */
	uint32_t local_warps;   /* resident on an SM at most: places for their local memory */
	addr local_base;        /* device address of the local memory of all resident warps; 0: none */
	uint64_t id;
	struct issue_table *issue; /* with timing; set by gpu_start */
	addr code; /* offset in device memory of its instructions, INSTRUCTION_BYTES each; set by gpu_start */
	/* what was done without timing, added up by who runs it */
	uint64_t thread_instructions, warp_instructions;
	/* with timing, one for each SM: each SM writes its own alone */
	struct kernel_on_sm *on_sm;
	/* of launches.c: its number in order of launching is id */
	struct launch own_launch; /* what launch points to */
	struct kernel_run *next;  /* among those that have ended and whose end has not been told */
	uint32_t index;           /* names it among those that are under way (the dispatcher's) */
	bool is_functional, has_ended;
	uint32_t overlapped; /* other kernels that were under way in its time */
	picoseconds start, end;
	cycles start_cycle, end_cycle;
	double host_start, host_end; /* of gpu->host_seconds */
	struct line_counts *profile; /* by micro-operation (core/diagnose/profile.h); NULL unless the launch
					is profiled */
	uint64_t divergent_barriers, barriers_left; /* barrier waits of a part of a warp; barriers with
						       arrivals at a CTA's end */
	struct livelock_detector *livelock;         /* the search for warps that spin for ever (livelock.h) */
	struct warnings *warnings; /* what looks wrong in the program, for the user (warnings.h); or NULL */
};

/* A kernel on one SM: what it counts there, its warps' places in local memory. Of a cache line's alignment,
 * so that SMs do not share any. */
struct kernel_on_sm {
	struct kernel_stats stats;
	uint64_t local_locations; /* bit p: place p of the SM in the kernel's local memory is a warp's */
} __attribute__((aligned(64)));

struct barrier {
	uint64_t waiting; /* warps of the CTA (index in it) that wait */
	uint64_t came;    /* that have arrived, to wait or not */
	uint32_t arrived; /* threads, whole warps, waiting and arrived-only */
	uint32_t needed;  /* threads; 0: every warp that has not exited */
	uint32_t popc;    /* bar.red so far */
	bool reduces, all, any;
};

/* A diverged warp watches the loops of the path that runs (forward_progress.c). */
struct spin {
	uint32_t passes;     /* taken branches that close a loop with reads, since the path's turn began */
	uint32_t since;      /* the value of passes when `state` was kept; 0: it has not been */
	uint32_t first;      /* the branch (pc) with which counting began ... */
	uint32_t depth;      /* ... and the height of the stack */
	uint32_t pc;         /* of the state kept: the branch, */
	lane_mask active;    /* the lanes, */
	uint32_t capacity;   /* of state, bytes */
	uint32_t turns : 31; /* paths that gave way since waiting lanes were last let go */
	bool from_below : 1; /* which waiting lanes go next: the outermost, else the innermost */
	void *state;         /* all registers and predicates */
};

enum warp_state { WARP_RUNNING, WARP_AT_BARRIER, WARP_AT_MEMBAR, WARP_AT_COPIES, WARP_ASLEEP, WARP_EXITED };

struct warp {
	uint32_t pc; /* copy of the stack's top */
	lane_mask active;
	uint32_t reconverge;
	lane_mask live;      /* lanes that have not exited */
	uint8_t state;       /* enum warp_state */
	uint8_t index;       /* in its CTA */
	uint8_t slot;        /* in its SM */
	uint8_t barrier;     /* while AT_BARRIER */
	uint32_t frame, top; /* of the running function, see struct simt_entry */
	uint32_t cleared;    /* of each thread's local memory, from its beginning: the stack is cleared as it
				grows */
	uint32_t depth, capacity;
	struct simt_entry *stack;
	struct cta *cta;
	uint32_t (*registers)[32];
	uint32_t *predicates;
	uint8_t *local;
	struct spin spin;
	struct watched *watched; /* the state of a spinning loop, made when it is first needed (livelock.c) */
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct warp) == 128, "a warp takes two cache lines");

struct cta {
	uint32_t id[3];
	uint64_t linear;
	struct kernel_run *run;
	struct warnings *warnings; /* the run's, or those of the SM that holds the CTA; or NULL */
	uint32_t warp_count;
	uint64_t live_warps;  /* by index: not exited */
	uint64_t at_barriers; /* waiting at barriers; all live ones: they wait for ever */
	uint8_t *shared;
	struct warp *warps[MAX_CTA_WARPS];
	struct barrier barriers[MAX_BARRIERS];
	uint32_t exited_at[MAX_CTA_WARPS]; /* pc of the exit of those that are not live */
};

/* Puts a CTA at its beginning: id from its number in the grid, barriers clear. The caller then fills warps[]
 * and calls warp_start for each. */
void cta_start(struct cta *cta, struct kernel_run *run, uint64_t number, uint8_t *shared);
/* registers, predicates and local of the warp are set; fills the preloaded rows. smid and slot: for %smid,
 * %warpid. */
void warp_start(struct warp *w, struct cta *cta, uint32_t index, uint32_t smid, uint32_t sm_count,
	uint32_t max_warps);
/* Frees what warps keep from one start to the next: their stacks, the states of loops. */
void warps_fini(struct warp *warps, uint32_t count);

/* After an instruction that is not a control instruction. */
static inline void warp_sync_stats(struct warp *w);
static inline void warp_next(struct warp *w)
{
	w->pc++;
	if (w->pc == w->reconverge)
		warp_sync_stats(w);
}

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

/* Pops entries that have reached the place where they wait for the others; entries whose lanes have all gone,
 * which paths that took turns leave below others, go with them. */
static inline void warp_sync_stats(struct warp *w)
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
		CONTROL_SLEEPS,
		CONTROL_COMMIT,
		CONTROL_COPIES, /* waits for copies: imm */
		CONTROL_EXITED,
		CONTROL_TRAP,
		CONTROL_BAD_BARRIER,
		CONTROL_BAD_INDEX,      /* brx: value is the index */
		CONTROL_BAD_CALL,       /* value is what should have been a function's address */
		CONTROL_STACK_OVERFLOW, /* value is the function that did not fit (kernel->functions) */
		CONTROL_NO_ROOM,        /* alloca */
		CONTROL_DEADLOCK /* every warp of the CTA that is left waits at a barrier that can never be
				    complete */
	} what;
	uint32_t lane; /* a faulty one */
	uint64_t value;
	uint64_t released;    /* warps of the CTA (by index) that a barrier let go, this one included */
	uint32_t nanoseconds; /* CONTROL_SLEEPS: how long */
	const char *why;      /* of a fault: a sentence, or NULL */
};

/* Executes a UNIT_CONTROL micro-operation for the lanes in mask and moves the warp on. A warp that waits has
 * already been moved behind the barrier; its state says so. Released warps' states are RUNNING again. */
struct control_result control_execute(struct warp *w, const struct uop *u, lane_mask mask);
typedef struct control_result (*control_function)(struct warp *w, const struct uop *u, lane_mask mask);

/* --- paths.c --- */
#define NO_PATH UINT32_MAX
/* The uppermost entry of the stack that is another path still to run: its lanes are in no entry above it,
 * whereas an entry that waits at a re-convergence point holds the lanes of the paths above. NO_PATH: there is
 * none. */
uint32_t path_pending(const struct warp *w);
/* Parks what executes and brings entry `path` up to run. Each entry knows where it ends, so a path may stand
 * anywhere above the entry that waits for it. When the parked one is on top again, it executes its
 * instruction anew. */
void path_park(struct warp *w, uint8_t parked, uint32_t path);

/* Lanes of entry i that have come to where it stands and wait there for the others. */
lane_mask path_waiting(const struct warp *w, uint32_t i);
/* Entry i goes on without those that it still waits for: its waiting lanes become a path of their own, which
 * runs, and meets the others where the code behind i can next meet. What executes stays as the second from
 * the top, `parked`. */
void path_free(struct warp *w, uint32_t i, uint8_t parked);
/* Other paths that stand where the running one does, in the same function and waited for by the same entries,
 * join it. */
void path_join(struct warp *w);

/* --- forward_progress.c: lanes of one warp that wait for each other (targets from sm_70 on) --- */
/* A diverged warp has taken u, a branch that closes a loop with reads: if the loop spins, another path has
 * its turn. */
void progress_pass(struct warp *w, const struct uop *u);
/* The whole of the running path has left the loop that u closes. */
static inline void progress_leave(struct warp *w)
{
	if (w->spin.passes && w->spin.first == w->pc)
		w->spin.passes = w->spin.since = w->spin.depth = 0;
}
/* Another path of the warp has its turn, if there is one or can be. */
void progress_give_way(struct warp *w);

/* After the execution of u ended in x->unmet, a mask that names lanes which are elsewhere. */
enum path_members {
	MEMBERS_MET,     /* executed after all: the missing lanes have nothing left to do but to exit, or sync
			    elsewhere */
	MEMBERS_AWAITED, /* the warp has turned to another path, and comes back to u */
	MEMBERS_MISSING  /* the fault stands */
};
enum path_members path_await_members(
	struct warp *w, struct exec *x, const struct uop *u, lane_mask mask, exec_function execute);

/* --- for control.c: barrier.c --- */
struct control_result barrier_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* A warp of the CTA has gone: barriers that wait for all may be complete now. Returns whom they let go. */
uint64_t barrier_recheck(struct cta *cta);
/* Whether all warps of the CTA that are left wait at barriers: each waits for others of them, so none ever
 * goes on. */
static inline bool cta_is_deadlocked(const struct cta *cta)
{
	return cta->live_warps && cta->at_barriers == cta->live_warps;
}

/* Bytes of shared memory of a CTA: the kernel's, what aligns the dynamic part, and the dynamic part. */
uint64_t launch_shared_bytes(const struct launch *launch);
void kernel_run_init(struct kernel_run *run, const struct launch *launch, uint64_t id);
void kernel_run_fini(struct kernel_run *run);

/* control.c and call.c between themselves. */
void warp_push(struct warp *w, struct simt_entry entry);
/* Drops entries without lanes; false if none is left. */
bool warp_drop_empty(struct warp *w);
struct control_result call_execute(struct warp *w, const struct uop *u, lane_mask mask);
struct control_result return_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* stack.c */
/* The stack now reaches to `top`: what it had not reached before is cleared. */
void warp_clear_stack(struct warp *w, uint32_t top);
struct control_result stack_execute(struct warp *w, const struct uop *u, lane_mask mask);
/* The entry of the call that the running function came from; 0 in the entry function, which came from none.
 */
uint32_t warp_call_entry(const struct warp *w);
/* The lane's value of a 64-bit source, or of a 32-bit one if the operation has MOD_SAT. */
uint64_t warp_source(const struct warp *w, const struct uop *u, uint16_t operand, uint32_t lane);

/* Whether a control instruction failed; if so, fills in the fault. */
bool fault_control(struct device_fault *fault, const struct control_result *r, const struct warp *w,
	const struct uop *u);
/* Fills in the place and the text of a fault that the execution of u by w found. */
void fault_explain(struct device_fault *fault, const struct warp *w, const struct uop *u);
/* Begins the text of a kernel that was stopped at a limit, at the place of a warp that still runs; hang.h
 * goes on. limit: "5000 cycles (gpu.hang_cycles)". */
void fault_begin_limit(struct device_fault *fault, const struct warp *w, const char *limit);

#endif
