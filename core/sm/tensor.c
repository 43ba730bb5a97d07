/* core/sm/tensor.c -- rates and latencies of matrix products. */
#include "core/sm/tensor.h"
#include "frontend/tables/matrix.h"
#include "frontend/tables/wgmma.h"
#include "frontend/uop.h"
#include <math.h>

#define RATE(field, types) \
	SIM_F64(struct tensor_config, field, 0, 0, 65536, "multiply-adds a cycle", \
		"of one unit, with " types "; 0: it has no products of this type")

const struct sim_param tensor_params[] = {
	SIM_U32_AS(struct tensor_config, units, "units", 0, 0, 8, "units",
		"tensor units of an SM, behind the operand collectors of the single-precision units; with "
		"sm.sub_cores each scheduler has its share. 0: none, and matrix products take "
		"single-precision units for sm.interval.matrix cycles"),
	RATE(f16, "A and B of f16 and results of f16"),
	RATE(f16_to_f32, "A and B of f16 or bf16 and results of f32"),
	RATE(tf32, "A and B of tf32"),
	RATE(f64, "A and B of f64"),
	RATE(fp8, "A and B of floats of 8, 6 or 4 bits, each in a byte, and results of f32"),
	SIM_F64(struct tensor_config, fp8_to_f16, 0, 0, 65536, "multiply-adds a cycle",
		"of one unit, with A and B of 8-bit floats and results of f16; 0: as fp8"),
	RATE(fp8_scaled, "A and B of 8-, 6- or 4-bit floats with block scales (mma with kind::mxf8f6f4)"),
	RATE(fp4, "A and B of e2m1 with block scales (mma with kind::mxf4, kind::mxf4nvf4)"),
	RATE(int8, "A and B of 8-bit integers"),
	RATE(int4, "A and B of 4-bit integers"),
	RATE(b1, "A and B of bits"),
	SIM_F64(struct tensor_config, latency, 16, 0, 1000, "cycles",
		"the part of a product's latency, from issue to dependent issue, that does not depend on "
		"how long the product occupies its unit"),
	SIM_F64(struct tensor_config, latency_by_interval, 1, 0, 100, "cycles a cycle",
		"the other part of the latency, for each cycle for which the product occupies its unit"),
	SIM_F64(struct tensor_config, warpgroup_columns, 2, 0.01, 65536, "columns a cycle",
		"of the result of a warpgroup's product (wgmma), of which a unit computes 16 rows"),
	SIM_F64(struct tensor_config, warpgroup_bytes, 128, 1, 65536, "bytes a cycle",
		"that an SM reads from shared memory for products of warpgroups"),
	SIM_F64(struct tensor_config, warpgroup_latency, 43, 0, 1000, "cycles",
		"latency of a warpgroup's product, besides the time of its columns, if A is in shared "
		"memory"),
	SIM_F64(struct tensor_config, warpgroup_latency_registers, 33, 0, 1000, "cycles",
		"latency of a warpgroup's product, besides the time of its columns, if A is in registers"),
	SIM_F64(struct tensor_config, memory_columns, 2, 0.01, 65536, "columns a cycle",
		"of D of a tcgen05.mma, in 128 lanes"),
	SIM_F64(struct tensor_config, memory_bytes, 128, 1, 65536, "bytes a cycle",
		"that an SM reads from shared memory for tcgen05.mma and tcgen05.cp"),
	SIM_F64(struct tensor_config, memory_latency, 54, 0, 10000, "cycles",
		"from a tcgen05.mma of one CTA to the arrival of its commit, besides the time of the "
		"columns of D and of fetching A"),
	SIM_F64(struct tensor_config, memory_latency_pair, 83, 0, 10000, "cycles",
		"from a tcgen05.mma of a pair of CTAs with 256 rows to the arrival of its commit, besides "
		"the time of the columns of D and of fetching A"),
	SIM_F64(struct tensor_config, memory_latency_half_pair, 91, 0, 10000, "cycles",
		"from a tcgen05.mma of a pair of CTAs with 128 rows to the arrival of its commit, besides "
		"the time of the columns of D and of fetching A"),
	SIM_F64(struct tensor_config, memory_latency_copy, 100, 0, 10000, "cycles",
		"of a tcgen05.cp or tcgen05.shift, besides the time of its bytes (our choice)"),
	SIM_END,
};

static double rate_of(const struct tensor_config *c, const struct uop *u)
{
	if (matrix_flags(u->imm) >> MATRIX_SCALES & 7 && u->code != UOP_WGMMA)
		return matrix_flags(u->imm) & MATRIX_FOUR_BITS ? c->fp4 : c->fp8_scaled;
	switch (matrix_family_of(u->type)) {
	case MATRIX_F16:
		return u->combine == PTX_F16 ? c->f16 : c->f16_to_f32;
	case MATRIX_BF16:
		return c->f16_to_f32;
	case MATRIX_TF32:
		return c->tf32;
	case MATRIX_F64:
		return c->f64;
	case MATRIX_FP8:
	case MATRIX_F8F6F4:
		return u->combine == PTX_F16 && c->fp8_to_f16 > 0 ? c->fp8_to_f16 : c->fp8;
	case MATRIX_INT8:
		return c->int8;
	case MATRIX_INT4:
		return c->int4;
	default:
		return c->b1;
	}
}

/* Of a warpgroup's product: columns, or the fetch of operands. */
static uint32_t warpgroup_interval(const struct tensor_config *c, const struct uop *u)
{
	double n = wgmma_n(u->imm), bytes = u->src[0] == UOP_NONE ? 0 : 4 * WGMMA_ROWS * WGMMA_BYTES;

	bytes += n * WGMMA_BYTES * (wgmma_flags(u->imm) & WGMMA_SPARSE ? 2 : 1);
	return (uint32_t)fmax(1, ceil(fmax(n / c->warpgroup_columns, bytes / c->warpgroup_bytes)));
}

uint32_t tensor_interval(const struct tensor_config *c, const struct uop *u)
{
	double rate = c->units ? rate_of(c, u) : 0;
	unsigned flags = matrix_flags(u->imm);
	double products = flags & MATRIX_QUADS ? 4 : flags & MATRIX_SPARSE ? 0.5 : 1;

	if (u->code == UOP_WGMMA)
		return c->units ? warpgroup_interval(c, u) : 0;
	products *= (double)matrix_m(u->imm) * matrix_n(u->imm) * matrix_k(u->imm);
	return rate > 0 ? (uint32_t)fmax(1, ceil(products / rate)) : 0;
}

uint32_t tensor_latency(const struct tensor_config *c, const struct uop *u)
{
	double latency = c->latency + c->latency_by_interval * tensor_interval(c, u);

	if (u->code == UOP_WGMMA)
		latency = wgmma_n(u->imm) / c->warpgroup_columns +
			(u->src[0] == UOP_NONE ? c->warpgroup_latency_registers : c->warpgroup_latency);
	return (uint32_t)fmax(1, round(latency));
}
