/* core/sm/tensor_products.h -- how many multiply-adds a matrix product is, and of which type: what the energy
 * of tensor cores goes by. Of a sparse A those count that are computed, half of what the depth says. */
#ifndef CORE_SM_TENSOR_PRODUCTS_H
#define CORE_SM_TENSOR_PRODUCTS_H

#include <stdint.h>

/* Of the elements of A and B; bf16 is as wide as f16, and floats of 6 and 4 bits that stand in bytes are
 * computed as those of 8. */
enum tensor_type {
	TENSOR_TYPE_f16,
	TENSOR_TYPE_tf32,
	TENSOR_TYPE_f64,
	TENSOR_TYPE_fp8,
	TENSOR_TYPE_fp4,
	TENSOR_TYPE_int8,
	TENSOR_TYPE_int4,
	TENSOR_TYPE_b1,
	TENSOR_TYPES
};
extern const char *const tensor_type_names[TENSOR_TYPES + 1];

struct tensor_operation;
struct uop;

/* Of one execution of mma, wmma.mma or wgmma by a warp; 0: of anything else. */
uint64_t tensor_products_of_uop(const struct uop *u, enum tensor_type *type);
/* Of a tcgen05.mma, of both CTAs if it is one of a pair; 0: it is a copy or a shift, or faulty. */
uint64_t tensor_products_of_operation(const struct tensor_operation *operation, enum tensor_type *type);

#endif
