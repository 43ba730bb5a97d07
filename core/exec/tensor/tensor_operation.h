/* core/exec/tensor/tensor_operation.h -- what a thread asks of the tensor cores: a product, a copy from
 * shared memory, a shift of rows. It is read from registers when its instruction executes, and performed then
 * or, where it takes in the memory of two CTAs and SMs run side by side, in the commit phase. */
#ifndef CORE_EXEC_TENSOR_TENSOR_OPERATION_H
#define CORE_EXEC_TENSOR_TENSOR_OPERATION_H

#include "core/exec/tensor/tensor_memory.h"

/* A CTA that takes part. */
struct tensor_side {
	struct tensor_memory *memory;
	const uint8_t *shared;
	uint32_t shared_bytes;
};

struct tensor_operation {
	/* What is wrong, or NULL; of the vector level that has read the operation. */
	const char *(*perform)(const struct tensor_operation *operation);
	struct tensor_side sides[2]; /* of a pair, that of the even rank first */
	struct tcgen05_code code;
	uint16_t uop; /* its enum uop_code */
	bool adds;    /* D counts */
	bool is_done;
	uint32_t d, a_at, idesc, metadata, scale_a, scale_b; /* d: of copies and shifts, too */
	uint64_t a, b, zeros;
	uint32_t mask[8];
};

static inline unsigned tensor_sides(const struct tensor_operation *o)
{
	return o->code.flags & TENSOR_PAIR ? 2 : 1;
}

#define TENSOR_NOT_ALLOCATED "access to columns of tensor memory that the CTA has not allocated"

#endif
