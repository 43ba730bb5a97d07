/* Tensor units: what a matrix product costs, by its shape and types, worked out by hand from the rates that
 * NVIDIA gives for a processing block. */
#include "core/sm/tensor.h"
#include "frontend/tables/matrix.h"
#include "frontend/uop.h"
#include <criterion/criterion.h>

static const struct tensor_config a100 = { .units = 4,
	.f16 = 256,
	.f16_to_f32 = 256,
	.tf32 = 128,
	.f64 = 16,
	.int8 = 512,
	.latency = 11,
	.latency_by_interval = 1.75 };

static uint32_t cycles_for(const struct tensor_config *c, unsigned type, unsigned result, unsigned m,
	unsigned n, unsigned k, unsigned flags)
{
	struct uop u = {
		.type = (uint8_t)type, .combine = (uint8_t)result, .imm = matrix_pack(m, n, k, flags)
	};

	return tensor_interval(c, &u);
}

static uint32_t latency_for(const struct tensor_config *c, unsigned m, unsigned n, unsigned k)
{
	struct uop u = { .type = PTX_F16, .combine = PTX_F32, .imm = matrix_pack(m, n, k, 0) };

	return tensor_latency(c, &u);
}

Test(tensor, a_product_takes_its_multiply_adds_at_the_rate_of_its_types)
{
	cr_expect_eq(cycles_for(&a100, PTX_F16, PTX_F32, 16, 8, 16, 0), 8);
	cr_expect_eq(cycles_for(&a100, PTX_F16, PTX_F32, 16, 16, 16, 0), 16, "wmma is twice as large");
	cr_expect_eq(cycles_for(&a100, PTX_BF16, PTX_F32, 16, 8, 8, 0), 4);
	cr_expect_eq(cycles_for(&a100, PTX_TF32, PTX_F32, 16, 8, 8, 0), 8);
	cr_expect_eq(cycles_for(&a100, PTX_S8, PTX_S32, 16, 8, 32, 0), 8);
	cr_expect_eq(cycles_for(&a100, PTX_F64, PTX_F64, 8, 8, 4, 0), 16);
}

Test(tensor, four_products_of_quarter_warps_are_four)
{
	const struct tensor_config v100 = { .units = 4, .f16 = 128, .f16_to_f32 = 128 };

	cr_expect_eq(cycles_for(&v100, PTX_F16, PTX_F32, 8, 8, 4, MATRIX_QUADS), 8);
	cr_expect_eq(cycles_for(&v100, PTX_F16, PTX_F32, 16, 16, 16, 0), 32);
}

Test(tensor, a_sparse_product_takes_the_time_of_the_dense_one_of_half_its_depth)
{
	cr_expect_eq(cycles_for(&a100, PTX_F16, PTX_F32, 16, 8, 32, MATRIX_SPARSE), 8);
	cr_expect_eq(cycles_for(&a100, PTX_S8, PTX_S32, 16, 8, 64, MATRIX_SPARSE | 1 << MATRIX_SELECTOR), 8);
}

Test(tensor, results_of_f32_may_have_a_rate_of_their_own)
{
	const struct tensor_config geforce = { .units = 4, .f16 = 128, .f16_to_f32 = 64 };

	cr_expect_eq(cycles_for(&geforce, PTX_F16, PTX_F16, 16, 8, 8, 0), 8);
	cr_expect_eq(cycles_for(&geforce, PTX_F16, PTX_F32, 16, 8, 8, 0), 16);
}

Test(tensor, what_the_units_do_not_have_is_told)
{
	struct tensor_config none = a100;

	cr_expect_eq(cycles_for(&a100, PTX_E4M3, PTX_F32, 16, 8, 32, 0), 0);
	none.units = 0;
	cr_expect_eq(cycles_for(&none, PTX_F16, PTX_F32, 16, 8, 16, 0), 0);
}

/* Sun et al.: 17.7 cycles for 16 x 8 x 8 and 24.7 for 16 x 8 x 16 */
Test(tensor, latency_grows_with_the_product)
{
	cr_expect_eq(latency_for(&a100, 16, 8, 8), 18);
	cr_expect_eq(latency_for(&a100, 16, 8, 16), 25);
}
