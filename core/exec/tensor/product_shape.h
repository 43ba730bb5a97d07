/* core/exec/tensor/product_shape.h -- what an instruction descriptor says of a product (PTX ISA, "Instruction
 * descriptor", "Matrix Shape", "Data Path Layout Organization").
 *
 * A CTA has m rows of A and D, or of a pair half of them. D's row r is in lane r; where there are 64 rows in
 * one column of lanes, 16 of them are in each warp's lanes. Other products of less than 128 rows cut D's
 * columns into two or four bands, which stand one below the other. */
#ifndef CORE_EXEC_TENSOR_PRODUCT_SHAPE_H
#define CORE_EXEC_TENSOR_PRODUCT_SHAPE_H

#include "core/exec/tensor/tensor_operation.h"

/* What A and B are made of. The narrow ones stand in bytes, or, where they are packed, in half a byte. */
enum product_type {
	PRODUCT_F16,
	PRODUCT_BF16,
	PRODUCT_TF32,
	PRODUCT_E4M3,
	PRODUCT_E5M2,
	PRODUCT_E2M3,
	PRODUCT_E3M2,
	PRODUCT_E2M1,
	PRODUCT_E2M1_PACKED,
	PRODUCT_U8,
	PRODUCT_S8,
	PRODUCT_TYPES
};
enum product_result { PRODUCT_TO_F16, PRODUCT_TO_F32, PRODUCT_TO_S32 };

struct product_shape {
	unsigned m, n, k;     /* k: of B; of a sparse A half as many are stored */
	unsigned rows, bands; /* of a CTA */
	bool is_scattered;    /* 16 rows in each warp's lanes */
	enum product_type a, b;
	enum product_result d;
	bool negates_a, negates_b, transposes_a, transposes_b, clamps;
	unsigned selector;               /* of the metadata */
	unsigned scale_a_id, scale_b_id; /* the byte of the first scale factor */
	bool scales_are_e4m3;
};

/* What is wrong with it, or NULL. */
const char *product_shape_read(const struct tensor_operation *operation, struct product_shape *shape);

/* Bits of an element as A and B store it. */
unsigned product_type_bits(enum product_type type);

static inline uint32_t product_lane(const struct product_shape *s, uint32_t row)
{
	return s->is_scattered ? row / 16 * 32 + row % 16 : row;
}

#endif
