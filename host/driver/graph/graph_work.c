/* host/driver/graph/graph_work.c -- what a node does: an operation from what the program says, or from what a
 * capturing stream was asked for; and back. */
#include "host/driver/graph/graph.h"

/* Pointers to the values in the parameter block, for programs that ask. */
static void list_params(struct graph_work *work)
{
	const struct launch *l = &work->operation.as.launch;

	work->params = xcalloc(l->kernel->param_count + 1, sizeof *work->params);
	for (uint32_t i = 0; i < l->kernel->param_count; i++)
		work->params[i] = (uint8_t *)work->operation.owned + l->kernel->params[i].offset;
}

CUresult work_kernel(struct graph_work *work, const CUDA_KERNEL_NODE_PARAMS *p)
{
	CUfunction function = p->func ? p->func : (CUfunction)p->kern;
	uint8_t *block;
	struct launch l = { .grid = { p->gridDimX, p->gridDimY, p->gridDimZ },
		.block = { p->blockDimX, p->blockDimY, p->blockDimZ },
		.dynamic_shared = p->sharedMemBytes };
	CUresult result = launch_prepare(function, &l, p->kernelParams, p->extra, &block);

	if (result != CUDA_SUCCESS)
		return result;
	l.params = block;
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_KERNEL,
		.function = function,
		.operation = {
			.kind = OPERATION_LAUNCH, .owned = block, .function = function, .as.launch = l } };
	list_params(work);
	return CUDA_SUCCESS;
}

CUresult work_keep_attributes(struct graph_work *work, const struct graph_work *before)
{
	struct launch *l = &work->operation.as.launch;
	const struct launch *from = &before->operation.as.launch;

	if (work->type != CU_GRAPH_NODE_TYPE_KERNEL || before->type != work->type)
		return CUDA_SUCCESS;
	l->is_cooperative = from->is_cooperative;
	l->window = from->window;
	work->updatable = updatable_hold(before->updatable);
	if (!l->cluster[0])
		memcpy(l->cluster, from->cluster, sizeof l->cluster);
	return launch_check(work->function, l);
}

void work_kernel_params(const struct graph_work *work, CUDA_KERNEL_NODE_PARAMS *p)
{
	const struct launch *l = &work->operation.as.launch;

	*p = (CUDA_KERNEL_NODE_PARAMS){ .func = work->function,
		.gridDimX = l->grid[0],
		.gridDimY = l->grid[1],
		.gridDimZ = l->grid[2],
		.blockDimX = l->block[0],
		.blockDimY = l->block[1],
		.blockDimZ = l->block[2],
		.sharedMemBytes = l->dynamic_shared,
		.kernelParams = work->params,
		.kern = (CUkernel)work->function,
		.ctx = work->function->handle.context };
}

CUresult work_copy(struct graph_work *work, const CUDA_MEMCPY3D *params)
{
	*work = (struct graph_work){
		.type = CU_GRAPH_NODE_TYPE_MEMCPY, .operation.kind = OPERATION_COPY, .copy = *params
	};
	if (!params->WidthInBytes || !params->Height || !params->Depth)
		return CUDA_ERROR_INVALID_VALUE;
	return copy_of_box(params, &work->operation.as.copy);
}

CUresult work_set(struct graph_work *work, const CUDA_MEMSET_NODE_PARAMS *p)
{
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_MEMSET,
		.operation = { .kind = OPERATION_SET,
			.as.set = { .to = memory_host(p->dst),
				.pitch = p->pitch,
				.width = p->width,
				.height = p->height,
				.bytes = p->elementSize,
				.value = p->value } } };
	if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
		return CUDA_ERROR_INVALID_VALUE;
	return p->width && p->height ? set_check(&work->operation.as.set) : CUDA_ERROR_INVALID_VALUE;
}

void work_set_params(const struct graph_work *work, CUDA_MEMSET_NODE_PARAMS *p)
{
	const struct operation_set *s = &work->operation.as.set;

	*p = (CUDA_MEMSET_NODE_PARAMS){ .dst = (uintptr_t)s->to,
		.pitch = s->pitch,
		.value = s->value,
		.elementSize = s->bytes,
		.width = s->width,
		.height = s->height };
}

CUresult work_host(struct graph_work *work, const CUDA_HOST_NODE_PARAMS *params)
{
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_HOST,
		.operation = { .kind = OPERATION_CALL,
			.as.call = { .function = params->fn, .user = params->userData } } };
	return params->fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult work_event(struct graph_work *work, CUgraphNodeType type, CUevent event)
{
	*work = (struct graph_work){ .type = type,
		.operation = {
			.kind = type == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? OPERATION_RECORD : OPERATION_WAIT,
			.as.event = event } };
	return handle_find(HANDLE_EVENT, event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult work_child(struct graph_work *work, CUgraph child)
{
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_GRAPH, .operation.kind = OPERATION_WAIT };
	if (!handle_find(HANDLE_GRAPH, child))
		return CUDA_ERROR_INVALID_VALUE;
	work->child = graph_clone(child);
	return CUDA_SUCCESS;
}

CUresult work_any(struct graph_work *work, CUgraphNodeParams *p)
{
	switch (p->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return work_kernel(work, &p->kernel);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return work_copy(work, &p->memcpy.copyParams);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return work_set(work, &p->memset);
	case CU_GRAPH_NODE_TYPE_HOST:
		return work_host(work, &p->host);
	case CU_GRAPH_NODE_TYPE_GRAPH:
		return work_child(work, p->graph.graph);
	case CU_GRAPH_NODE_TYPE_EMPTY:
		*work = (struct graph_work){ .type = p->type, .operation.kind = OPERATION_WAIT };
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		return work_event(work, p->type, p->eventWait.event);
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return work_event(work, p->type, p->eventRecord.event);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		return work_condition(work, &p->conditional);
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return work_batch(work, &p->memOp);
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
	case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
		driver_say(
			"external semaphores in graphs are not supported: they belong to graphics devices or "
			"other processes, which are not simulated; use events");
		return CUDA_ERROR_NOT_SUPPORTED;
	default:
		if ((unsigned)p->type > CU_GRAPH_NODE_TYPE_CONDITIONAL)
			return CUDA_ERROR_INVALID_VALUE;
		driver_say("nodes of type %d in graphs are not supported", (int)p->type);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}

/* -- from a stream -- */

/* Boxes of captured copies have their addresses already: as linear memory. */
static CUDA_MEMCPY3D box_of(const struct operation_copy *c)
{
	return (CUDA_MEMCPY3D){ .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
		.srcDevice = (uintptr_t)c->from,
		.srcPitch = c->from_pitch,
		.srcHeight = c->from_pitch ? c->from_slice / c->from_pitch : 0,
		.dstMemoryType = CU_MEMORYTYPE_UNIFIED,
		.dstDevice = (uintptr_t)c->to,
		.dstPitch = c->to_pitch,
		.dstHeight = c->to_pitch ? c->to_slice / c->to_pitch : 0,
		.WidthInBytes = c->width,
		.Height = c->height,
		.Depth = c->depth };
}

void work_of_operation(struct graph_work *work, const struct operation *o)
{
	static const CUgraphNodeType types[] = { [OPERATION_LAUNCH] = CU_GRAPH_NODE_TYPE_KERNEL,
		[OPERATION_COPY] = CU_GRAPH_NODE_TYPE_MEMCPY,
		[OPERATION_SET] = CU_GRAPH_NODE_TYPE_MEMSET,
		[OPERATION_CALL] = CU_GRAPH_NODE_TYPE_HOST,
		[OPERATION_RECORD] = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
		[OPERATION_WAIT] = CU_GRAPH_NODE_TYPE_WAIT_EVENT };

	*work = (struct graph_work){ .type = types[o->kind], .operation = *o, .function = o->function };
	if (o->kind == OPERATION_LAUNCH)
		list_params(work);
	if (o->kind == OPERATION_COPY)
		work->copy = box_of(&o->as.copy);
}

/* -- copies -- */

static CUDA_BATCH_MEM_OP_NODE_PARAMS batch_clone(const CUDA_BATCH_MEM_OP_NODE_PARAMS *from)
{
	CUDA_BATCH_MEM_OP_NODE_PARAMS clone = *from;
	size_t bytes = from->count * sizeof *from->paramArray;

	if (!from->paramArray)
		return clone;
	clone.paramArray = xmalloc(bytes ? bytes : 1);
	memcpy(clone.paramArray, from->paramArray, bytes);
	return clone;
}

CUresult work_batch(struct graph_work *work, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p)
{
	CUresult result = value_operations_check(p->count, p->paramArray, p->flags);

	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
		.operation.kind = OPERATION_WAIT };
	if (result == CUDA_SUCCESS)
		work->batch = batch_clone(p);
	return result;
}

struct graph_work work_clone(const struct graph_work *work)
{
	struct graph_work clone = *work;
	struct operation *o = &clone.operation;

	if (clone.type == CU_GRAPH_NODE_TYPE_KERNEL) {
		launch_copy_params(o);
		list_params(&clone);
	}
	if (work->child)
		clone.child = graph_clone(work->child);
	memory_hold(work->memory);
	updatable_hold(work->updatable);
	clone.batch = batch_clone(&work->batch);
	clone.condition = condition_clone(work->condition);
	return clone;
}

void work_fini(struct graph_work *work)
{
	free(work->operation.owned);
	free(work->params);
	if (work->child)
		graph_free(work->child);
	memory_drop(work->memory);
	updatable_drop(work->updatable);
	free(work->batch.paramArray);
	condition_free(work->condition);
}
