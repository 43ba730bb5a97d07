/* memsys/coalescer/warppool_cost.h -- storage and power that WarpPool adds to an SM (WarpPool, Table 1).
 *
 * Storage follows from the sizes of the structures and the paper's bits per entry. The bits of an entry of
 * the inter-warp queues are taken apart so that they scale with the merges: 124 = 32 of tag + 4 merges of 23,
 * and 23 is also the entry of the MSHR metadata table.
 *
 * Power is that of the paper's layout in 45 nm at 1.2 GHz. Our assumption: dynamic and static power of a
 * structure grow linearly with its bits, from the paper's figure at the paper's size. So other sizes give an
 * estimate only; ports, wires and activity are not modelled. */
#ifndef MEMSYS_COALESCER_WARPPOOL_COST_H
#define MEMSYS_COALESCER_WARPPOOL_COST_H

#include "sim/base/types.h"

/* The sizes on which the cost depends; in brackets the paper's (Tables 1 and 2). */
struct warppool_sizes {
	uint32_t instruction_entries; /* of all instruction queues [16 x 8] */
	uint32_t coalescers;          /* within a warp [2] */
	uint32_t tags;                /* of all inter-warp queues [32 x 2] */
	uint32_t merges;     /* instructions that a tag, and so a request to the L1, serves at most [4] */
	uint32_t thread_map; /* entries of the thread map table [8] */
	uint32_t metadata;   /* entries of the MSHR metadata table: MSHRs x merges of an MSHR x
				instructions of a request [32 x 8 x 4] */
};

enum warppool_part {
	WARPPOOL_INSTRUCTION_QUEUES,
	WARPPOOL_INTRA_COALESCERS,
	WARPPOOL_INTER_QUEUES,
	WARPPOOL_THREAD_MAP,
	WARPPOOL_MSHR_METADATA,
	WARPPOOL_PARTS
};

struct warppool_part_cost {
	uint64_t entries, bits;       /* bits: of all entries */
	double dynamic_mw, static_mw; /* milliwatts */
};

struct warppool_cost {
	struct warppool_part_cost part[WARPPOOL_PARTS];
	uint64_t bytes;               /* of all parts, each rounded up to whole bytes */
	double dynamic_mw, static_mw; /* of all parts, milliwatts */
};

/* The cost for one SM. */
struct warppool_cost warppool_cost(const struct warppool_sizes *sizes);

#endif
