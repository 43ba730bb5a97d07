/* core/exec/exec.h -- executing micro-operations: 32 lanes at a time, from structure-of-arrays registers.
 *
 * Values are computed when the warp issues. Arithmetic touches only the warp's registers. Loads read
 * functional memory at once; global stores and atomics are recorded and take effect at commit, in SM order
 * (shared and local memory are private to the SM and written at once). The files exec_*.c are compiled once
 * per vector level (EXEC_LEVEL = base, v3, v4), exec.c picks a level at run time. */
#ifndef CORE_EXEC_EXEC_H
#define CORE_EXEC_EXEC_H

#include "core/exec/lane_types.h"
#include "frontend/uop.h"
#include "sim/base/types.h"

#define RANGE_CACHE 16

struct bulk_queue;
struct cluster_seat;
struct device_fault;
struct device_memory;
struct kernel_run;
struct memory_range;
struct pending_stores;
struct services;
struct warp;

/* A recorded global store, atomic or system call, applied by exec_commit in lane order. */
struct exec_write {
	const struct uop *uop;
	lane_mask mask;
	uint32_t (*registers)[32]; /* atomics: the warp's rows, for the old value */
	const struct warp *warp;   /* system calls, mbarriers of other CTAs */
	const uint16_t *extra;     /* the operation's extra operands */
	addr address[WARP_SIZE];   /* device addresses, checked */
	lane_mask in_shared;       /* lanes whose address is a place in another CTA's shared memory */
	uint32_t data[PTX_SYSCALL_ROWS][WARP_SIZE]; /* sources: rows of element 0, 1, ...; 64-bit elements:
					two rows seen as uint64_t[32]; cas: compare, then swap. Surface
					stores: word n of the lane's bytes */
	uint8_t texel_bytes;                        /* surface stores: bytes of a lane */
};

#define EXEC_WRITES 16 /* at most this many of them issue in one SM cycle: one or two for each scheduler */

enum phase_answer { PHASE_OVER = 1, PHASE_OPEN };

/* What mbarrier.try_wait asks about an object of the own CTA. */
struct phase_question {
	const uint8_t *object;
	bool parity;          /* the phase is over when the object's is another */
	bool has_time;        /* the instruction says for how long it waits at most: */
	uint32_t nanoseconds; /* the longest of its lanes */
};

/* The state that execution sees: set up by the SM for the warp that issues. */
struct exec {
	uint32_t (*registers)[32]; /* the warp's rows, 64-byte aligned */
	uint32_t *predicates;      /* the warp's predicate masks */
	uint8_t *local;  /* the warp's local memory: 32 threads x local_bytes, one thread after the other */
	uint8_t *shared; /* the CTA's shared memory, shared_bytes long */
	const struct warp *warp;
	const uint32_t (*constants)[32];
	const uint16_t *extra; /* the kernel's extra operands */
	const uint8_t *params; /* the launch's parameter block */
	uint32_t param_bytes;
	uint32_t shared_bytes, local_bytes;
	uint32_t frame; /* where the running function's frame begins in each thread's local memory */
	/* the place of its CTA in its cluster (cluster_memory.h); NULL: clusters are of one CTA */
	const struct cluster_seat *(*seat_of)(const struct warp *w);
	/* a warp's number in its CTA, and how many that has */
	void (*place_of)(const struct warp *w, uint32_t *index, uint32_t *count);
	const struct kernel_run *run; /* SMs: whose kernel's fields these are */
	struct services *services;    /* for system calls; `serve` applies a recorded one
					 (core/runtime/services.h) */
	void (*serve)(struct exec *x, const struct exec_write *w);
	/* puts a fault of a recorded write into words (core/diagnose/fault.h) */
	void (*explain)(struct device_fault *fault, const struct warp *w, const struct uop *u);
	struct device_memory *memory;
	struct memory_range *range_cache; /* RANGE_CACHE allocations used last, by instruction; the SM's own
					   */
	cycles now;                       /* of the shader clock, for %clock */
	picoseconds time;                 /* for %globaltimer */
	lane_mask live; /* lanes of the warp that have not exited, for vote and shuffle forms */

	/* results of a memory instruction */
	addr address[WARP_SIZE]; /* active lanes: device address, or offset in shared/local/const/param space
				  */
	uint64_t differ; /* loads, stores, atomics, prefetches within one space: the bits in which lanes'
			    addresses, of active lanes or not, differ */
	bool follows;    /* the same: all lanes are active, and their accesses follow one another */
	uint8_t space; /* enum uop_space after resolving generic addresses (SPACE_GENERIC: mixed -> split) */
	/* generic only: lanes that fell into global, shared, local, parameters, shared memory of other CTAs
	 * of the cluster (their addresses are then the host's) */
	lane_mask space_mask[5];
	struct memory_range *range; /* of range_cache, the instruction's */

	/* of a texture or surface instruction: the texels touched, in up to four sets of one for each lane */
	addr texel[4][WARP_SIZE];
	lane_mask texel_mask[4];
	uint8_t texel_bytes;            /* surfaces: bytes of a lane's access */
	addr second_address[WARP_SIZE]; /* cp.async: offsets in shared memory; space_mask[0]: lanes that read
					 */

	/* This SM's stores that are not in memory yet, and what puts the bytes of them that a load has read
	 * from global memory into its registers (core/lookahead/pending.h); NULL: there are none */
	struct pending_stores *pending;
	void (*forward)(struct pending_stores *pending, struct exec *x, const struct uop *u, lane_mask mask);
	/* Nobody looks at the results of a memory instruction above, and stores may take effect at once. */
	bool is_unobserved;
	struct bulk_queue *bulk;        /* performs bulk copies, or keeps them for the SM (core/exec/bulk) */
	bool gives_way;                 /* a warp whose mbarrier is not complete gives way to others */
	bool suspends;                  /* the answer to each mbarrier.try_wait is to be told: `tried` */
	struct phase_question question; /* of the last of those that is PHASE_OPEN */
	struct exec_write writes[EXEC_WRITES];

	/* filled in at the first fault; execution of the uop then has no further effect */
	struct device_fault *fault;
	union {
		struct {
			uint32_t write_count;
			bool faulted;
			bool unmet;  /* a fault for which the lanes `missing` from a warp-level operation are
					the reason */
			bool yields; /* with gives_way: the warp waits for an mbarrier, let others run */
			uint8_t tried; /* with suspends: enum phase_answer; 0: it was none */
		};
		uint64_t outcome; /* 0: neither writes nor a fault */
	};
	lane_mask missing;
};

/* The table for this machine (or the level named by the environment variable LOCKSTEP_VECTOR: base, v3, v4),
 * indexed by uop code. Control operations (branch, exit, barrier: UNIT_CONTROL) have no entry: the core does
 * them. */
const exec_function *exec_table(void);
/* Machines that are built from now on have that table, which looks at what it executes; NULL: the usual one
 * again. */
void exec_watch(const exec_function *table);
bool exec_is_watched(void);
/* Whether that variable may have this value; where the host has no such level, it is as if it were not set.
 */
bool exec_is_level(const char *name);

/* The fault of a warp-level operation whose mask is not satisfied: `mask` is what `lane`, one of the
 * executing lanes, named. If lanes are missing, x->unmet is set too: the core may know a way
 * (core/simt/paths.c).
 */
void exec_members_fault(
	struct exec *x, const struct uop *u, lane_mask executing, unsigned lane, lane_mask mask);

/* Applies and forgets the recorded writes, in order. Atomics write the old value to their destination rows; a
 * system call may end in a fault, which is then explained already. */
void exec_commit(struct exec *x);
/* One of them. */
void exec_apply(struct exec *x, const struct exec_write *w);

#endif
