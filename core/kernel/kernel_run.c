/* core/kernel/kernel_run.c -- a kernel run, as made from a launch. */
#include "core/kernel/kernel_run.h"
#include "core/exec/tensor/tensor_memory.h"
#include "core/exec/lane_types.h"
#include "core/kernel/cluster.h"
#include "core/kernel/resource_request.h"
#include "frontend/tables/opcode.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"

/* Recursive calls get this many times the stack that the host asks for, because frames here also hold
 * registers, and parameters that a GPU passes in registers. */
#define STACK_FACTOR  8u
#define STACK_DEFAULT 1024u /* bytes, as in the driver API */

static uint32_t local_bytes(const struct ptx_kernel *k, const struct launch *launch)
{
	uint64_t stack = STACK_FACTOR * (uint64_t)(launch->stack_limit ? launch->stack_limit : STACK_DEFAULT);
	uint64_t most = UINT32_MAX / WARP_SIZE, bytes = k->local_bytes + stack;

	if (!k->needs_stack)
		return k->local_bytes;
	bytes = bytes < most ? bytes : most;
	return (uint32_t)(bytes / k->stack_align * k->stack_align);
}

uint64_t launch_shared_bytes(const struct launch *launch)
{
	return kernel_shared_bytes(launch->kernel, launch->dynamic_shared);
}

static uint64_t launch_value(const struct kernel_run *run, const struct ptx_launch_value *v)
{
	const struct launch *l = run->launch;
	const void *from = run->params + v->which;
	uint64_t value = 0;

	if (v->kind == PTX_LAUNCH_CONSTANT)
		from = memory_host(run->kernel->image->symbols[v->symbol].address + v->which);
	if (v->kind != PTX_LAUNCH_REGISTER)
		memcpy(&value, from, v->wide ? 8 : 4);
	else if (v->which >= PTX_SREG_NCTAID_X)
		value = l->grid[v->which - PTX_SREG_NCTAID_X];
	else
		value = l->block[v->which - PTX_SREG_NTID_X];
	return value;
}

static void fill_constants(struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	size_t bytes = (size_t)k->constant_rows * sizeof(*k->constants);

	run->constants = k->constants;
	if (!k->launch_value_count)
		return;
	run->constants = aligned_alloc(64, bytes);
	run->has_own_constants = true;
	bug_if(!run->constants, "out of memory (%zu bytes)", bytes);
	memcpy(run->constants, k->constants, bytes);
	for (uint32_t i = 0; i < k->launch_value_count; i++) {
		const struct ptx_launch_value *v = &k->launch_values[i];

		ptx_fill_row(&run->constants[v->row], launch_value(run, v), v->wide);
	}
}

void kernel_run_init(struct kernel_run *run, const struct launch *launch, uint64_t id)
{
	struct ptx_kernel *k = launch->kernel;
	const uint32_t *b = launch->block;

	*run = (struct kernel_run){ .launch = launch,
		.kernel = k,
		.uops = k->uops,
		.id = id,
		.profile = launch->profile,
		.listener = launch->listener,
		.sanitizer = launch->sanitizer };
	run->cluster_ctas = launch_cluster(launch, run->cluster);
	run->is_explicit_cluster = k->reqnctapercluster[0] || launch->cluster[0];
	run->threads = b[0] * b[1] * b[2];
	run->warps = (run->threads + WARP_SIZE - 1) / WARP_SIZE;
	run->ctas = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
	run->untimed_end = run->timed_end = run->ctas;
	run->timing_limit = run->timing_limit_due = TIMING_LIMIT_NONE;
	run->shared_bytes = (uint32_t)launch_shared_bytes(launch);
	run->cta_bytes = k->uses_tensor_memory
		? tensor_memory_offset(run->shared_bytes) + (uint32_t)sizeof(struct tensor_memory)
		: run->shared_bytes;
	run->local_bytes = local_bytes(k, launch);
	run->params = xcalloc(1, k->param_bytes + 16);
	if (k->param_bytes)
		memcpy(run->params, launch->params, k->param_bytes);
	fill_constants(run);
}

void resume_free(struct launch_resume *resume)
{
	for (size_t i = 0; i < resume->count; i++)
		free(resume->ctas[i].bytes);
	free(resume->ctas);
	*resume = (struct launch_resume){ 0 };
}

void kernel_run_fini(struct kernel_run *run)
{
	resume_free(&run->resume);
	clusters_free(run);
	free(run->params);
	free(run->dependents);
	if (run->has_own_constants) /* the kernel may be gone */
		free(run->constants);
}
