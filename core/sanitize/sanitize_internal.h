/* core/sanitize/sanitize_internal.h -- the sanitizer's parts, for its own files. */
#ifndef CORE_SANITIZE_SANITIZE_INTERNAL_H
#define CORE_SANITIZE_SANITIZE_INTERNAL_H

#include "core/exec/exec.h"
#include "core/exec/tensor/tensor_memory.h"
#include "core/kernel/kernel_run.h"
#include "core/runtime/services.h"
#include "core/sanitize/finding.h"
#include "core/sanitize/sanitize.h"
#include "core/sanitize/unwritten.h"
#include "core/simt/control.h"

struct cta_order;
struct cta_shadow;
struct grids;

/* What the host has allocated, in order; it stays when it is freed. */
struct host_allocation {
	addr start;
	uint64_t bytes;
	bool is_device; /* the host cannot write to it directly */
	bool is_live;
};

struct sanitized_heap {
	struct heap_listener listener;
	addr base;
	uint64_t bytes;
	uint8_t *state; /* of each byte; NULL: there is no heap yet */
	uint64_t *size; /* of the object that begins there, by unit */
};

struct sanitizer {
	uint32_t checks; /* enum sanitize_check */
	uint64_t serial; /* number of the instruction that is looked at */
	struct findings findings;
	struct cta_shadow *shadows; /* of CTAs under way */
	struct host_allocation *allocations;
	size_t allocation_count, allocation_capacity;
	struct unwritten unwritten;
	struct sanitized_heap heap;
	struct grids *grids; /* NULL: no kernel has accessed device memory yet */
};

static inline struct sanitizer *sanitizer_of(const struct warp *w)
{
	return w->cta->run->sanitizer;
}

/* An access by lanes of a warp to one state space, after it has been executed. */
struct access {
	struct sanitizer *sanitizer;
	const struct exec *exec;
	const struct uop *uop;
	struct warp *warp;
	const addr *address; /* of each lane of the mask: in device memory, or in the space */
	lane_mask mask;
	uint32_t bytes; /* of a lane, at most 64, ... */
	uint64_t used;  /* ... and which of them */
	bool reads, writes;
	bool is_strong;     /* atomic, volatile or of a defined order: two of them never race */
	bool is_copy;       /* a bulk copy's */
	struct cta *target; /* shared memory: whose */
};

/* The finding, if it is new (finding.h): of a lane of an access. */
struct finding_event access_event(const struct access *access, enum finding_kind kind, uint32_t lane);
/* What a lane stores: byte i of its access, which is an ST's. */
uint8_t access_stored_byte(const struct exec *exec, const struct uop *uop, uint32_t lane, uint32_t i);
struct finding *access_note(const struct access *access, enum finding_kind kind, uint32_t lane);

/* ---- cta.c: CTAs, and which accesses barriers have ordered ---- */

/* An access to a byte of shared memory. */
struct byte_access {
	uint64_t clock : 28; /* of its warp */
	uint64_t uop : 18;
	uint64_t warp : 10; /* in its cluster */
	uint64_t lane : 5;
	uint64_t is_strong : 1;
	uint64_t is_copy : 1; /* by a bulk copy, not by a thread */
	uint64_t is_valid : 1;
};

struct byte_shadow {
	struct byte_access write;              /* the last plain one, ... */
	struct byte_access strong[2], read[2]; /* ... and since */
};

/* Of a cluster, or of a CTA that is alone: what its barrier passes on. arrived: what those know who have come
 * to the phase that is under way; complete: what whoever waits for one that is complete learns; exited: what
 * warps that have exited knew. */
struct cluster_shadow {
	uint32_t users; /* CTAs with a shadow */
	uint32_t phase; /* phases of the barrier that have been looked at */
	uint32_t *arrived, *complete, *exited;
};

/* Warps are counted in the cluster: `first` is the CTA's first, `total` are all. clocks: row w is what warp w
 * of the CTA knows of all warps: accesses of warp v up to clocks[w][v] are ordered before its own from now
 * on. The second half of a row says the same of what bulk copies may read: accesses that a fence.proxy.async
 * has passed on to them. Behind the warps' rows are those of the barriers, that of warps that have exited,
 * and of each warp what it knew at its last fence, and what atomic reads since may teach it at the next. */
struct cta_shadow {
	struct cta_shadow *next, **link;
	uint32_t warps, first, total, row; /* row: numbers in a row of clocks */
	uint32_t shared_bytes;
	uint32_t *clocks;
	struct cluster_shadow *cluster;
	struct cta_order *order; /* NULL: it has not accessed device memory */
	uint32_t phase;          /* of its barrier, that the CTA's warps know of; and ... */
	uint64_t at_cluster;     /* ... those (by index) that wait for the next one */
	/* By word of shared memory, what is known at an mbarrier there, or at a word that atomic accesses go
	 * to; NULL: none yet. */
	uint32_t **objects;
	struct register_shadow *registers[MAX_CTA_WARPS]; /* NULL: no product yet */
	const struct uop *allocations[TENSOR_UNITS]; /* tcgen05.alloc of these columns, NULL: none yet; ... */
	uint8_t allocating[TENSOR_UNITS];            /* ... and its warp */
	struct byte_shadow *shared;                  /* NULL: not accessed yet */
	uint32_t *local[MAX_CTA_WARPS]; /* for each byte of a thread's local memory the lanes that have
					   written it; NULL: none has */
};

struct cta_shadow *shadow_of(struct sanitizer *sanitizer, struct cta *cta);
static inline uint32_t *clocks_of(const struct cta_shadow *s, uint32_t row)
{
	return s->clocks + (size_t)row * s->row;
}

/* Whatever is ordered before `from` is now ordered before `row`: the greater of each of so many clocks. */
static inline void clock_join(uint32_t *row, const uint32_t *from, uint32_t clocks)
{
	for (uint32_t i = 0; i < clocks; i++)
		row[i] = from[i] > row[i] ? from[i] : row[i];
}
/* The number in a row of a warp, and its row of what it knew at its last fence, or has read since. */
static inline uint32_t place_of_warp(const struct cta_shadow *s, const struct warp *w)
{
	return s->first + w->index;
}
uint32_t *fenced_row(const struct cta_shadow *s, uint32_t warp);
uint32_t *seen_row(const struct cta_shadow *s, uint32_t warp);
void shadows_free(struct sanitizer *sanitizer);
struct control_result sanitize_control(struct warp *w, const struct uop *u, lane_mask mask);

/* ---- objects.c: objects at which threads arrive, and for which others wait ---- */

/* The lanes have arrived at their mbarriers, or have found the phase over. */
void mbarriers_arrived(const struct access *access);
void mbarriers_passed(const struct access *access, lane_mask mask);
/* Strong accesses to words of shared memory pass on what a fence before the write has been told of, to
 * whoever has one behind the read. */
void atomics_passed(const struct access *access);
void fence_passed(struct cta_shadow *shadow, const struct warp *warp);
void objects_free(struct cta_shadow *shadow);

/* ---- shared.c, local.c, device.c, heap.c: an access, by where it goes ---- */

void shared_access(const struct access *access);
/* Two lanes of a store leave different values in one place. */
void shared_collision(const struct access *access, uint32_t lane, uint32_t other);
void local_access(const struct access *access);
/* Executes a call, a return or alloca of a kernel with local memory. */
struct control_result local_control(
	struct sanitizer *sanitizer, struct warp *w, const struct uop *u, lane_mask mask);
void device_access(const struct access *access);
/* "; it lies in ..." if the address is in memory that has been freed. */
bool device_was_freed(const struct sanitizer *sanitizer, addr address, char *text, size_t size);
bool heap_access(const struct access *access); /* false: it goes elsewhere */
void heap_listen(struct sanitizer *sanitizer, struct services *services);
void heap_look_for_leaks(struct sanitizer *sanitizer);
void heap_fini(struct sanitizer *sanitizer);

/* ---- grid.c, grid_order.c: races between CTAs in device memory ---- */

void grid_access(const struct access *access);
/* A fence wider than the CTA. */
void grid_fence(struct sanitizer *sanitizer, struct cta *cta, bool only_acquires);
/* The CTA arrives at a barrier of its cluster, or at an mbarrier; it has waited there. */
void grid_cluster_arrive(struct sanitizer *sanitizer, struct cta *cta);
void grid_cluster_wait(struct sanitizer *sanitizer, struct cta *cta);
void grid_order_free(struct sanitizer *sanitizer, struct cta_order *order);
void grids_free(struct sanitizer *sanitizer);
/* How much of what CTAs did was forgotten, in bytes of device memory. */
uint64_t grids_forgotten(const struct sanitizer *sanitizer);

/* ---- warp_sync.c: barriers and warp-level operations ---- */

/* What is doubtful about a warp-level operation that is about to be executed. */
struct warp_doubt {
	enum finding_kind kind; /* FINDING_KINDS: nothing */
	uint32_t lane, other;
	const char *why;
};
struct warp_doubt warp_sync_doubt(const struct exec *x, const struct uop *u, lane_mask active);
void warp_sync_note(const struct access *access, const struct warp_doubt *doubt);
/* Before a barrier is executed in so many lanes: what paths of the warp wait at it, and with how many
 * threads others have come to it. */
void barrier_check(
	struct sanitizer *sanitizer, struct warp *w, const struct uop *u, lane_mask mask, uint32_t id);
/* All warps of the CTA have exited, the last one at u. */
void barrier_check_end(struct sanitizer *sanitizer, const struct warp *w, const struct uop *u);

/* ---- tensor.c: columns of tensor memory (tcgen05) ---- */

/* Executes an operation on tensor memory; whether what it reads has been written. */
typedef void tensor_operation_run(struct exec *exec, const struct uop *uop, lane_mask active);
void tensor_look(struct exec *exec, const struct uop *uop, lane_mask active, tensor_operation_run *execute);
/* A warp has allocated columns from the first one on. */
void tensor_allocated(struct warp *w, const struct uop *u, uint32_t first);

/* ---- registers.c: registers of products of warpgroups (wgmma) and of loads from tensor memory ---- */

/* Before an operation of a kernel that has such products: whether it may access its registers. */
void registers_look(struct warp *w, const struct uop *u, lane_mask active);

/* ---- accesses.c: the functions that execute instructions which access memory ---- */

extern const exec_function *const sanitize_table;
void accesses_hook(void);

#endif
