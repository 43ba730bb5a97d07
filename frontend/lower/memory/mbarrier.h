/* frontend/lower/memory/mbarrier.h -- mbarrier objects: the operations on them, and the layout of their 64
 * bits, which PTX leaves to the implementation.
 *
 *   bits 19..0   pending arrivals
 *   bits 39..20  expected arrivals of the next phase
 *   bits 60..40  bytes still expected (two's complement)
 *   bit  61      the object is initialised
 *   bit  62      parity of the current phase
 *
 * The state that an arrival returns is the object's value before the arrival. */
#ifndef FRONTEND_LOWER_MEMORY_MBARRIER_H
#define FRONTEND_LOWER_MEMORY_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

enum mbarrier_operation { /* of a MBARRIER micro-operation, in `compare` */
	MBARRIER_INIT,
	MBARRIER_INVAL,
	MBARRIER_ARRIVE,
	MBARRIER_DROP,
	MBARRIER_ARRIVE_EXPECT,
	MBARRIER_DROP_EXPECT,
	MBARRIER_EXPECT,
	MBARRIER_COMPLETE,
	MBARRIER_TOUCH /* changes nothing */
};

#define CP_WAIT_ALL         (-1) /* imm of CP_WAIT: groups that are not committed too */
#define MBARRIER_COUNT_MOST 0xfffff
#define MBARRIER_BYTES_MOST 0xfffff

struct mbarrier {
	uint32_t pending, expected;
	int32_t bytes; /* expected transactions less completed ones */
	bool is_initialised, parity;
};

static inline struct mbarrier mbarrier_unpack(uint64_t bits)
{
	return (struct mbarrier){ bits & MBARRIER_COUNT_MOST, bits >> 20 & MBARRIER_COUNT_MOST,
		(int32_t)((int64_t)(bits << 3) >> 43), bits >> 61 & 1, bits >> 62 & 1 };
}

static inline uint64_t mbarrier_pack(struct mbarrier b)
{
	return b.pending | (uint64_t)b.expected << 20 | ((uint64_t)(uint32_t)b.bytes & 0x1fffff) << 40 |
		(uint64_t)b.is_initialised << 61 | (uint64_t)b.parity << 62;
}

#endif
