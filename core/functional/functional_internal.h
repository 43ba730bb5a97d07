/* core/functional/functional_internal.h -- the executor without time, for its own files. */
#ifndef CORE_FUNCTIONAL_FUNCTIONAL_INTERNAL_H
#define CORE_FUNCTIONAL_FUNCTIONAL_INTERNAL_H

#include "core/functional/functional.h"
#include "core/exec/bulk/bulk_copy.h"
#include "core/exec/exec.h"
#include "core/kernel/kernel_run.h"
#include "memsys/memory.h"
#include "core/diagnose/livelock.h"

/* A CTA in the middle, or what is left of one: its memory serves the next. */
struct resident {
	struct cta cta;
	bool busy;
	uint32_t sm;          /* from which it was taken over */
	double slice, credit; /* warp instructions that it may execute in a turn, and has left of them */
	double warp_credit[MAX_CTA_WARPS]; /* of its warps */
	uint32_t done[MAX_CTA_WARPS];      /* what its warps have executed */
	float pace[MAX_CTA_WARPS];         /* of its warps */
	bool is_kept;                      /* it has been given back to its SM */
	struct warp warps[MAX_CTA_WARPS];
	void *registers, *predicates, *local, *shared;
	uint64_t registers_size, predicates_size, local_size, shared_size;
};

struct functional {
	struct exec exec;
	struct bulk_queue bulk;
	struct memory_range range_cache[RANGE_CACHE];
	uint64_t generation;
	struct device_memory *memory;
	uint32_t sm_count, max_warps;
	struct resident **residents; /* `made` of them, made when first needed, in order */
	uint32_t made, capacity;
	uint32_t busy;    /* of these */
	uint32_t resumed; /* of the residents, those taken over from SMs */
	uint32_t current; /* whose turn it is */
	bool has_yielded; /* a warp of the CTA in turn waits for an mbarrier */
	uint32_t waiting; /* CTAs in turn, one after the other, that waited for others of their clusters */
	uint64_t clock;
	const exec_function *table; /* exec_table(), or the livelock detector's (livelock.h) */
	const struct execution_listener *memory_listener; /* of memory instructions; NULL: none */
	control_function control;                         /* control_execute, or the livelock detector's */
	bool is_unobserved;     /* nobody looks at what an instruction leaves in `exec` beside its values */
	struct kernel_run *run; /* the one that runs; NULL: none */
	uint64_t turn;          /* its warp instructions when the current CTA's turn began */
	/* turns in vain since a CTA last ended; CTAs that were let in beyond the warm-up, at the last time */
	uint64_t turns, admitted;
	const struct paces *paces;      /* CTAs go on side by side; NULL: as results need it */
	struct sim_random *turns_drawn; /* CTAs take turns at accesses; NULL: one after the other */
	uint64_t quantum;               /* of the warp in turn */
	bool slices_are_old;            /* CTAs have come or gone */
	bool seeks_spins; /* the run's warps may wait for other CTAs, and have used up a quantum */
	bool has_thinned; /* of those that go on side by side a CTA has ended, or warps of many have */
	uint32_t warps_at_first, warps_exited; /* of those that began to go on side by side */
	struct machine_view view;
	struct livelock_detector livelock;
};

/* Resident i, which exists or is the next to be made. */
struct resident *functional_resident(struct functional *f, uint32_t i);
/* Memory for a CTA of the launch: its warps' slots, registers, predicates and local memory. Returns the
 * shared memory. */
uint8_t *functional_make_room(struct resident *r, const struct kernel_run *run);

/* functional_resume.c. A resident with the CTA's shared memory and barriers, whose warps are yet to be filled
 * in.
 */
struct resident *functional_take_over(struct functional *f, const struct cta *cta, uint32_t sm);

/* Whether no warp of the CTA can go on before other CTAs of its cluster have arrived at their barrier. */
static inline bool waits_for_cluster(const struct resident *r)
{
	return r->cta.cluster && r->cta.at_barriers == r->cta.live_warps;
}

/* Instructions work on this CTA from now on. */
void functional_enter_cta(struct functional *f, const struct resident *r);
/* The CTA has ended. */
void functional_end_cta(struct functional *f, struct resident *r, struct kernel_run *run);

/* warp_loop.c. The warp executes until it exits, waits, is found to spin (if sought), has had so many
 * instructions, or faults (true: fault): heard by nobody, by the listener to memory instructions, by all
 * (listener may be NULL). */
bool functional_run_warp(struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum);
bool functional_run_warp_warming(
	struct functional *f, struct warp *w, struct device_fault *fault, uint64_t quantum);
bool functional_run_warp_watched(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum);

/* The same up to and with the next access to memory. */
bool functional_run_warp_in_turns(struct functional *f, struct warp *w,
	const struct execution_listener *listener, struct device_fault *fault, uint64_t quantum);

/* interleaved.c. A CTA whose turn it is, of at least one that has begun, and its warp. */
struct resident *interleaved_resident(struct functional *f);
struct warp *interleaved_warp(struct functional *f, struct resident *r);

/* side_by_side.c. Whether the CTA has executed its part; then it gets another for its next turn. */
bool side_is_out_of_turn(struct functional *f, struct resident *r);
/* What a round over its warps takes of that: that of those that wait, too, as others do not have it. */
double side_cost(const struct resident *r);
/* Whether the warp may execute something now: f->quantum instructions. */
bool side_has_credit(struct functional *f, struct resident *r, uint32_t warp);
/* So many warps of a CTA have exited. */
void side_has_fewer(struct functional *f, uint32_t warps);

#endif
