/* core/lsu/tensor_pipe.c -- see tensor_pipe.h. */
#include "core/lsu/tensor_pipe.h"
#include "core/exec/bulk/bulk_copy.h"
#include "core/sm/sm_config.h"
#include "core/sm/tensor.h"
#include "frontend/uop.h"
#include "sim/event/event_kernel.h"

static cycles later_of(cycles a, cycles b)
{
	return a > b ? a : b;
}

cycles tensor_pipe_take(
	struct tensor_pipe *pipe, const struct sm_config *config, const struct bulk_copy *copy, cycles now)
{
	struct tensor_time time;
	enum tensor_type type = TENSOR_TYPE_f16;
	uint64_t products;
	cycles start;

	if (copy->form.kind == BULK_ARRIVES)
		return later_of(pipe->done, now + 1);
	time = tensor_operation_time(&config->tensor, &copy->tensor);
	products = tensor_products_of_operation(&copy->tensor, &type);
	pipe->products[type] += products;
	start = later_of(pipe->free, now);
	pipe->free = start + time.interval;
	pipe->done = later_of(pipe->done, start + time.latency);
	if (copy->tensor.uop == UOP_TCGEN05_MMA)
		pipe->busy += time.interval * tensor_sides(&copy->tensor);
	return copy->tensor.is_done ? SIM_NEVER : now + 1;
}
