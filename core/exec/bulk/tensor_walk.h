/* core/exec/bulk/tensor_walk.h -- the rows of a tensor copy's box, one after the other: elements that lie
 * side by side in the tensor, and in shared memory. */
#ifndef CORE_EXEC_BULK_TENSOR_WALK_H
#define CORE_EXEC_BULK_TENSOR_WALK_H

#include "core/exec/bulk/bulk_copy.h"

struct tensor_walk {
	const struct bulk_copy *copy;
	uint32_t row;            /* its number */
	bool is_inside;          /* the tensor holds it, as far as the dimensions behind the first go */
	int64_t base;            /* device address of element 0 of the row's line of the tensor */
	int64_t at[TENSOR_DIMS]; /* where it lies */
};

/* The number of rows, and the bytes of one in shared memory. */
uint32_t tensor_rows(const struct bulk_copy *copy);
uint32_t tensor_row_bytes(const struct bulk_copy *copy);
/* The first row, and the next. */
void tensor_walk_start(struct tensor_walk *walk, const struct bulk_copy *copy);
void tensor_walk_next(struct tensor_walk *walk);

/* Of the bytes [from, from + bytes) of a line of the tensor, those that it holds. */
struct tensor_part {
	int64_t first, end;
};
struct tensor_part tensor_held(const struct tensor_walk *walk, int64_t from, uint32_t bytes);
/* Where the row begins in its line, in bytes. */
int64_t tensor_row_from(const struct bulk_copy *copy);

#endif
