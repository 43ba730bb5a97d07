/* core/kernel/carve_out.h -- how much of the array that an SM's L1 data cache and shared memory have in
 * common (from Volta on) is shared memory.
 *
 * The chip offers a few sizes. A kernel gets the smallest that does not reduce how many of its CTAs fit on an
 * SM, or a larger one that it prefers; the rest is L1. An SM takes another size only while it holds no CTA,
 * and its L1 is empty then. A CTA of another kernel that comes meanwhile must do with what there is
 * (core/kernel/occupancy.h). */
#ifndef CORE_KERNEL_CARVE_OUT_H
#define CORE_KERNEL_CARVE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CARVE_OUTS 16

struct carve_outs {
	uint32_t count;             /* 0: shared memory has an array of its own */
	uint32_t bytes[CARVE_OUTS]; /* rising */
};

/* The sizes of a list such as "0 8K 96K", or "none". false: a sentence in message says why not. */
bool carve_outs_read(struct carve_outs *sizes, const char *list, char *message, size_t size);
/* Whether they fit an L1 of that many bytes in that many sets of lines, with shared memory of at most that
 * many. */
bool carve_outs_check(const struct carve_outs *sizes, uint64_t l1_bytes, uint32_t way_bytes,
	uint32_t shared_bytes, char *message, size_t size);
/* The smallest size that has room for so many bytes and for that share of the largest, in per cent. There are
 * sizes, and the largest has room. */
uint32_t carve_out_for(const struct carve_outs *sizes, uint32_t bytes, uint32_t percent);

#endif
