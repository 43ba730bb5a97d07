/* core/exec/cluster_memory.h -- the shared memory of a thread block cluster, as execution sees it.
 *
 * An address of .shared::cluster has 32 bits:
 *
 *      31        24 23                      0
 *     | 1 + rank   | offset in that CTA      |      0 in the upper byte: the executing CTA's own memory
 *
 * so that each .shared address is one of the own CTA. As a generic address it lies in the window of shared
 * memory (memsys/memory.h). The numbers are this simulator's own; a program gets them from mapa. */
#ifndef CORE_EXEC_CLUSTER_MEMORY_H
#define CORE_EXEC_CLUSTER_MEMORY_H

#include "core/exec/exec.h"

#define CLUSTER_CTAS_MOST \
	16 /* of a cluster, with non-portable sizes (CUDA C guide, thread block clusters) \
	    */
#define CLUSTER_RANK_SHIFT 24
#define CLUSTER_OFFSET     ((UINT32_C(1) << CLUSTER_RANK_SHIFT) - 1)
#define CLUSTER_NO_RANK    254u /* what mapa makes of larger ones: no CTA has it */

enum member_state { MEMBER_NOT_STARTED, MEMBER_RUNS, MEMBER_HAS_EXITED };

struct cluster_memory {
	uint32_t ctas; /* of a cluster of the launch */
	/* With timing: SMs execute side by side, so what an instruction does in another CTA's memory takes
	 * effect in the commit phase. */
	bool is_timed;
	uint32_t shared_bytes;              /* of each CTA */
	uint8_t *shared[CLUSTER_CTAS_MOST]; /* by rank */
	uint8_t state[CLUSTER_CTAS_MOST];   /* enum member_state */
};

/* A CTA's place in its cluster. */
struct cluster_seat {
	struct cluster_memory *memory; /* NULL: the cluster is the CTA alone */
	uint32_t rank;
};

/* The seat of the warp that executes. */
static inline struct cluster_seat cluster_seat(const struct exec *x)
{
	return x->seat_of && x->warp ? *x->seat_of(x->warp) : (struct cluster_seat){ NULL, 0 };
}

/* The place of so many bytes (aligned to `align`, a power of two) at an address of .shared::cluster: in the
 * own CTA's memory or in that of another CTA, which must have started and not have exited. NULL after a
 * fault, which names the address as given. */
uint8_t *cluster_location(struct exec *x, const struct uop *u, unsigned lane, addr address, unsigned bytes,
	unsigned align, bool is_store);

/* The address of .shared::cluster of a place of the host, which is in the memory of one of the CTAs. */
addr cluster_address(const struct cluster_memory *memory, addr place);

/* Whether a place is in the shared memory of the CTA that executes. */
static inline bool is_own_shared(const struct exec *x, const uint8_t *location)
{
	return location >= x->shared && location < x->shared + x->shared_bytes;
}

#endif
