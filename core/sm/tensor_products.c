/* core/sm/tensor_products.c -- see tensor_products.h. */
#include "core/sm/tensor_products.h"
#include "core/exec/tensor/product_shape.h"
#include "frontend/tables/matrix.h"
#include "frontend/tables/wgmma.h"
#include "frontend/uop.h"

const char *const tensor_type_names[TENSOR_TYPES + 1] = { "f16", "tf32", "f64", "fp8", "fp4", "int8", "int4",
	"b1", NULL };

static enum tensor_type type_of_uop(const struct uop *u)
{
	static const uint8_t of_family[] = { [MATRIX_F16] = TENSOR_TYPE_f16,
		[MATRIX_BF16] = TENSOR_TYPE_f16,
		[MATRIX_TF32] = TENSOR_TYPE_tf32,
		[MATRIX_F64] = TENSOR_TYPE_f64,
		[MATRIX_FP8] = TENSOR_TYPE_fp8,
		[MATRIX_F8F6F4] = TENSOR_TYPE_fp8,
		[MATRIX_FP4] = TENSOR_TYPE_fp4,
		[MATRIX_INT8] = TENSOR_TYPE_int8,
		[MATRIX_INT4] = TENSOR_TYPE_int4,
		[MATRIX_B1] = TENSOR_TYPE_b1 };
	int family = matrix_family_of(u->type);

	if (u->code != UOP_WGMMA && matrix_flags(u->imm) & MATRIX_FOUR_BITS)
		return TENSOR_TYPE_fp4;
	return family < 0 ? TENSOR_TYPE_b1 : (enum tensor_type)of_family[family];
}

uint64_t tensor_products_of_uop(const struct uop *u, enum tensor_type *type)
{
	unsigned flags = matrix_flags(u->imm);
	uint64_t products;

	if (u->code < UOP_MMA_FLOAT || u->code > UOP_WGMMA)
		return 0;
	*type = type_of_uop(u);
	if (u->code == UOP_WGMMA) {
		products = (uint64_t)WGMMA_ROWS * wgmma_n(u->imm) * wgmma_k(u->imm);
		return wgmma_flags(u->imm) & WGMMA_SPARSE ? products / 2 : products;
	}
	products = (uint64_t)matrix_m(u->imm) * matrix_n(u->imm) * matrix_k(u->imm);
	return flags & MATRIX_QUADS ? 4 * products : flags & MATRIX_SPARSE ? products / 2 : products;
}

uint64_t tensor_products_of_operation(const struct tensor_operation *o, enum tensor_type *type)
{
	static const uint8_t of_kind[TENSOR_KINDS] = { [TENSOR_F16] = TENSOR_TYPE_f16,
		[TENSOR_TF32] = TENSOR_TYPE_tf32,
		[TENSOR_F8F6F4] = TENSOR_TYPE_fp8,
		[TENSOR_I8] = TENSOR_TYPE_int8,
		[TENSOR_MXF8F6F4] = TENSOR_TYPE_fp8,
		[TENSOR_MXF4] = TENSOR_TYPE_fp4,
		[TENSOR_MXF4NVF4] = TENSOR_TYPE_fp4 };
	struct product_shape s;

	if (o->uop != UOP_TCGEN05_MMA || product_shape_read(o, &s))
		return 0;
	*type = of_kind[o->code.kind];
	return (uint64_t)s.m * s.n * s.k / (o->code.flags & TENSOR_SPARSE ? 2 : 1);
}
