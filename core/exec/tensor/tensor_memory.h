/* core/exec/tensor/tensor_memory.h -- the tensor memory of a CTA: 128 lanes of 512 columns, a word each.
 *
 * It lies behind the CTA's shared memory, in the same room, so that whatever keeps, moves or gives a place to
 * that does the same for it. Each CTA has columns of its own, counted from 0: what CTAs of an SM share is how
 * many of them there are (core/simt/tensor_columns.h), not their numbers. */
#ifndef CORE_EXEC_TENSOR_TENSOR_MEMORY_H
#define CORE_EXEC_TENSOR_TENSOR_MEMORY_H

#include "frontend/tables/tcgen05.h"
#include <stdbool.h>
#include <stdint.h>

#define TENSOR_UNITS (TENSOR_COLUMNS / TENSOR_UNIT)

struct tensor_memory {
	uint32_t words[TENSOR_COLUMNS][TENSOR_LANES];
	uint8_t units[TENSOR_UNITS]; /* of the allocation that begins there; 0: none does */
	uint16_t taken;              /* bit n: unit n */
	bool is_relinquished;
	uint16_t unwritten; /* 1 + a column that was read though nothing had written it; for the sanitizer */
	uint8_t unused[42];
	uint32_t written[TENSOR_COLUMNS / 32]; /* columns in which something has been written */
};
_Static_assert(sizeof(struct tensor_memory) % 64 == 0, "it is a part of an aligned room");

static inline uint32_t tensor_memory_offset(uint32_t shared_bytes)
{
	return (shared_bytes + 63) / 64 * 64;
}

static inline struct tensor_memory *tensor_memory_of(uint8_t *shared, uint32_t shared_bytes)
{
	return (struct tensor_memory *)(void *)(shared + tensor_memory_offset(shared_bytes));
}

static inline uint32_t tensor_lane(uint32_t address)
{
	return address >> 16;
}

static inline uint32_t tensor_column(uint32_t address)
{
	return address & 0xffff;
}

/* Whether all of those columns are allocated. */
static inline bool tensor_holds(const struct tensor_memory *t, uint32_t column, uint32_t count)
{
	uint32_t last = column + count - 1;

	if (!count || last >= TENSOR_COLUMNS)
		return !count;
	for (uint32_t unit = column / TENSOR_UNIT; unit <= last / TENSOR_UNIT; unit++)
		if (!(t->taken >> unit & 1))
			return false;
	return true;
}

static inline void tensor_written(struct tensor_memory *t, uint32_t column, uint32_t count)
{
	for (uint32_t c = column; c < column + count; c++)
		t->written[c / 32] |= UINT32_C(1) << c % 32;
}

static inline void tensor_read(struct tensor_memory *t, uint32_t column, uint32_t count)
{
	for (uint32_t c = column; c < column + count; c++)
		if (!t->unwritten && !(t->written[c / 32] >> c % 32 & 1))
			t->unwritten = (uint16_t)(c + 1);
}

#endif
