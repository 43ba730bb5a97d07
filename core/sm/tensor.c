/* core/sm/tensor.c -- rates and latencies of matrix products. */
#include "core/sm/tensor.h"
#include "frontend/tables/matrix.h"
#include "frontend/uop.h"
#include <math.h>

#define RATE(field, types) \
	SIM_F64(struct tensor_config, field, 0, 0, 65536, "multiply-adds a cycle", \
		"of one unit, with " types "; 0: it has no such products")

const struct sim_param tensor_params[] = {
	SIM_U32_AS(struct tensor_config, units, "units", 0, 0, 8, "units",
		"tensor units of an SM, behind the operand collectors of the single-precision units; with "
		"sm.sub_cores each scheduler has its share. 0: none, and matrix products take "
		"single-precision units for sm.interval.matrix cycles"),
	RATE(f16, "A and B of f16 and results of f16"),
	RATE(f16_to_f32, "A and B of f16 or bf16 and results of f32"),
	RATE(tf32, "A and B of tf32"),
	RATE(f64, "A and B of f64"),
	RATE(fp8, "A and B of e4m3 or e5m2"),
	RATE(int8, "A and B of 8-bit integers"),
	RATE(int4, "A and B of 4-bit integers"),
	RATE(b1, "A and B of bits"),
	SIM_F64(struct tensor_config, latency, 16, 0, 1000, "cycles",
		"the part of a product's latency, from issue to dependent issue, that is the same for all"),
	SIM_F64(struct tensor_config, latency_by_interval, 1, 0, 100, "cycles a cycle",
		"the other part of the latency, for each cycle for which the product occupies its unit"),
	SIM_END,
};

static double rate_of(const struct tensor_config *c, const struct uop *u)
{
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
		return c->fp8;
	case MATRIX_INT8:
		return c->int8;
	case MATRIX_INT4:
		return c->int4;
	default:
		return c->b1;
	}
}

uint32_t tensor_interval(const struct tensor_config *c, const struct uop *u)
{
	double rate = c->units ? rate_of(c, u) : 0;
	unsigned flags = matrix_flags(u->imm);
	double products = flags & MATRIX_QUADS ? 4 : flags & MATRIX_SPARSE ? 0.5 : 1;

	products *= (double)matrix_m(u->imm) * matrix_n(u->imm) * matrix_k(u->imm);
	return rate > 0 ? (uint32_t)fmax(1, ceil(products / rate)) : 0;
}

uint32_t tensor_latency(const struct tensor_config *c, uint32_t interval)
{
	return (uint32_t)fmax(1, round(c->latency + c->latency_by_interval * interval));
}
