/* core/sm/tensor_time.c -- how long what tensor cores do with tensor memory (tcgen05) takes: see tensor.h. */
#include "core/exec/tensor/product_shape.h"
#include "core/sm/tensor.h"
#include "frontend/uop.h"
#include <math.h>

#define ROW_BYTES 32 /* of A, and of a column of B, in one product */

/* Of a pair with 64 rows on each SM that fetches A: what it takes longer than one that does not. */
static double half_pair_fetch(double n)
{
	return 3 + fmin(n, 128) / 8;
}

static struct tensor_time product_time(const struct tensor_config *c, const struct tensor_operation *o)
{
	struct product_shape s;
	double columns, fetch_a, fetch_b, latency;
	bool is_pair = tensor_sides(o) == 2, is_half;

	if (product_shape_read(o, &s))
		return (struct tensor_time){ 1, 1 };
	columns = s.n / s.bands / c->memory_columns;
	is_half = is_pair && s.rows == 64;
	fetch_a = o->code.flags & TENSOR_A_IN_TENSOR ? 0 : s.rows * ROW_BYTES / c->memory_bytes;
	fetch_b = s.n / tensor_sides(o) * ROW_BYTES / c->memory_bytes;
	latency = columns +
		(is_half                  ? c->memory_latency_half_pair
				: is_pair ? c->memory_latency_pair
					  : c->memory_latency);
	latency += fetch_a && is_half ? half_pair_fetch(s.n) : fetch_a;
	return (struct tensor_time){ (cycles)fmax(1, ceil(fmax(columns, fetch_a + fetch_b))),
		(cycles)fmax(1, round(latency)) };
}

struct tensor_time tensor_operation_time(const struct tensor_config *c, const struct tensor_operation *o)
{
	static const uint16_t bytes[TENSOR_SHAPES] = { [TENSOR_128X256B] = 4096,
		[TENSOR_4X256B] = 128,
		[TENSOR_128X128B] = 2048,
		[TENSOR_64X128B_02_13] = 1024,
		[TENSOR_64X128B_01_23] = 1024,
		[TENSOR_32X128B] = 512 };
	double moved = o->uop == UOP_TCGEN05_SHIFT ? TENSOR_LANES * ROW_BYTES : bytes[o->code.shape];

	if (o->uop == UOP_TCGEN05_MMA)
		return product_time(c, o);
	moved = fmax(1, ceil(moved / c->memory_bytes));
	return (struct tensor_time){ (cycles)moved, (cycles)(moved + c->memory_latency_copy) };
}
