/* memsys/coalesce.h -- from the 32 addresses of a warp instruction to line requests, and the bank conflicts
 * of shared memory. Compute capability 2.x rules: one request per 128-byte line touched (per 32-byte
 * segment for atomics), whatever the order of lanes; lines leave in order of the lowest lane that touches
 * them. */
#ifndef MEMSYS_COALESCE_H
#define MEMSYS_COALESCE_H

#include "sim/base/types.h"

#define MAX_LINE_REQUESTS 32 /* accesses are naturally aligned and at most 32 bytes: none crosses a line */

struct line_request {
	addr line;          /* address of the line or segment, a multiple of the granularity */
	uint32_t lanes;     /* which lanes it serves */
	uint8_t collisions; /* atomics: the most of its lanes that meet on one word; filled in by the caller
			     */
	uint32_t byte_mask[4]; /* bytes touched, relative to the 128-byte line that holds it; bit b of word
				  b/32 */
};

/* bytes: size of one lane's whole access (element x vector: 1..32). granularity: 32, 64 or 128 bytes.
 * Returns how many of out[] were filled. with_bytes: fill in byte_mask (stores, atomics), else left zero. */
uint32_t coalesce(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct line_request out[MAX_LINE_REQUESTS]);

/* What the caller knows about the addresses. */
struct lane_pattern {
	uint64_t differ; /* the bits in which lanes, active or not, differ */
	bool follows;    /* all 32 are active, and their accesses follow one another */
};
/* The same, without finding that out again. */
uint32_t coalesce_pattern(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct lane_pattern pattern, struct line_request out[MAX_LINE_REQUESTS]);

/* The same by the rule of compute capability 2.x (CUDA C Programming Guide 4.0 to 5.0, global memory): where
 * a lane's access is wider than 4 bytes, the warp's request is first split into requests of 128 bytes, for
 * half warps (8 bytes) or quarter warps (16), and each finds its lines on its own; a line that two of them
 * touch is asked for twice. 32 bytes, which no 2.x chip has, go on in that manner. */
uint32_t coalesce_parts(const addr address[32], uint32_t active, uint32_t bytes, uint32_t granularity,
	bool with_bytes, struct line_request out[MAX_LINE_REQUESTS]);

/* Cycles that shared memory needs for the access: `banks` banks of 4 bytes; lanes that read the same word
 * share it (broadcast); 64-bit accesses go by half warps and 128-bit ones by quarter warps unless fewer lanes
 * are active (CUDA C Programming Guide, compute capability 2.x). At least 1. */
uint32_t shared_cycles(const addr address[32], uint32_t active, uint32_t bytes, uint32_t banks);

/* The same from the pattern alone; 0: that does not tell. */
static inline uint32_t shared_cycles_by_pattern(uint32_t bytes, uint32_t banks, struct lane_pattern pattern)
{
	uint32_t words = bytes > 4 ? bytes / 4 : 1;
	bool in_one_row = !(pattern.differ & ~(uint64_t)(4 * banks - 1));

	if (pattern.follows && banks == 32)
		return words; /* 32 words that follow one another, each time */
	return words == 1 && !(banks & (banks - 1)) && in_one_row;
}

/* The same where two halves of a 64-bit access, or two quarters of a 128-bit one, go together if in all pairs
 * of lanes i and i ^ 1, or i and i ^ 2, the active ones have the same address. */
uint32_t shared_cycles_in_pairs(const addr address[32], uint32_t active, uint32_t bytes, uint32_t banks);

/* Quarter warps (eight lanes) that have an active lane: what a 128-bit access to shared memory is done in. */
uint32_t quarter_warps(uint32_t active);

/* Distinct addresses among the active lanes: the constant cache serves one a cycle. */
uint32_t constant_cycles(const addr address[32], uint32_t active);

/* Most lanes that fall on one word: how often an atomic on shared memory repeats. */
uint32_t atomic_cycles(const addr address[32], uint32_t active, uint32_t bytes);

#endif
