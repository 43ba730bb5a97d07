/* host/driver/graph/graph_exec.c -- graphs that can be launched: clones, in which nodes are found by those of
 * which they were made. A launch takes one place in its stream: a beginning, the nodes' operations behind
 * each other and in no stream, and an end. */
#include "host/driver/device/device.h"
#include "host/driver/graph/graph.h"
#include "host/driver/recording/recorder.h"

static void exec_release(CUgraphExec exec)
{
	if (!exec->is_destroyed || exec->pending)
		return;
	graph_free(exec->graph);
	free(exec);
}

static void exec_free(CUgraphExec exec)
{
	handle_remove(&exec->handle);
	updatables_end(exec->graph);
	exec->is_destroyed = true;
	exec_release(exec);
}

void graphs_free(CUcontext context)
{
	CUgraph graph;
	CUgraphExec exec;

	captures_end(context);
	while ((exec = handle_first_of(HANDLE_GRAPH_EXEC, context)))
		exec_free(exec);
	while ((graph = handle_first_of(HANDLE_GRAPH, context))) {
		while (graph->parent)
			graph = graph->parent->graph;
		graph_free(graph);
	}
}

void exec_reached(struct operation *end)
{
	CUgraphExec exec = end->as.exec;

	if (exec->last == end)
		exec->last = NULL;
	exec->pending--;
	exec_release(exec);
}

/* -- making -- */

static bool can_be_sorted(CUgraph graph);

static bool can_bodies_be_sorted(const struct graph_condition *c)
{
	for (unsigned i = 0; c && i < c->size; i++)
		if (!can_be_sorted(c->bodies[i]))
			return false;
	return true;
}

static bool can_be_sorted(CUgraph graph)
{
	CUgraphNode *sorted = graph_sorted(graph);

	free(sorted);
	for (CUgraphNode node = sorted ? graph->nodes : NULL; node; node = node->next)
		if ((node->work.child && !can_be_sorted(node->work.child)) ||
			!can_bodies_be_sorted(node->work.condition))
			return false;
	return sorted;
}

/* CUDA C++ Programming Guide, "Device Graph Requirements". */
static bool can_be_launched_by_kernels(CUgraph graph)
{
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		switch (node->work.type) {
		case CU_GRAPH_NODE_TYPE_KERNEL:
		case CU_GRAPH_NODE_TYPE_MEMCPY:
		case CU_GRAPH_NODE_TYPE_MEMSET:
			break;
		case CU_GRAPH_NODE_TYPE_GRAPH:
			if (can_be_launched_by_kernels(node->work.child))
				break;
			return false;
		default:
			return false;
		}
	return graph->count;
}

static CUresult instantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	if (!exec || !handle_find(HANDLE_GRAPH, graph) || flags & ~15ull)
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH && !can_be_launched_by_kernels(graph)) {
		driver_say(
			"a graph that kernels launch can have only kernels, copies and fills, at least one");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!can_be_sorted(graph)) {
		driver_say("a graph cannot be instantiated: its nodes wait for each other in a circle");
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (!updatables_are_free(graph)) {
		driver_say("a graph whose nodes kernels change can be instantiated once at a time");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	CUgraphExec made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_GRAPH_EXEC, made, context_current());
	made->graph = graph_clone(graph);
	updatables_begin(made->graph);
	handle_remove(&made->graph->handle); /* the program sees nothing of it */
	handle_add(&made->graph->handle, HANDLE_GRAPH_INSIDE, made->graph, context_current());
	made->flags = flags;
	made->is_uploaded = flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
	*exec = made;
	return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return instantiate(exec, graph, flags);
}

/* Until CUDA 11: with a buffer for messages. */
#undef cuGraphInstantiate
CUresult cuGraphInstantiate(
	CUgraphExec *exec, CUgraph graph, CUgraphNode *culprit, char *log, size_t log_bytes);
CUresult cuGraphInstantiate(
	CUgraphExec *exec, CUgraph graph, CUgraphNode *culprit, char *log, size_t log_bytes)
{
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = instantiate(exec, graph, 0);

	if (culprit)
		*culprit = NULL;
	if (log && log_bytes)
		snprintf(log, log_bytes, "%s",
			result == CUDA_SUCCESS ? "" : "nodes of the graph wait for each other");
	return result;
}
EXPORT_AS(cuGraphInstantiate, "cuGraphInstantiate_v2");

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!params)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = instantiate(exec, graph, params->flags);
	params->hErrNode_out = NULL;
	params->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS
						    : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
	return result;
}
EXPORT_AS(cuGraphInstantiateWithParams, "cuGraphInstantiateWithParams_ptsz");

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!flags || !handle_find(HANDLE_GRAPH_EXEC, exec))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = exec->flags;
	return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH_EXEC, exec))
		return CUDA_ERROR_INVALID_VALUE;
	exec_free(exec);
	return CUDA_SUCCESS;
}

/* -- launching -- */

/* What the program has destroyed since, or switched off, waits and does nothing. */
static struct operation operation_of_node(const CUgraphNode node, CUstream stream, struct operation *whole)
{
	struct operation o = node->work.operation;
	bool is_gone = (o.kind == OPERATION_RECORD && !handle_find(HANDLE_EVENT, o.as.event)) ||
		(o.kind == OPERATION_LAUNCH && !handle_find(HANDLE_FUNCTION, o.function));

	if ((node->is_disabled && !node->work.updatable) || is_gone)
		return (struct operation){ .kind = OPERATION_WAIT };
	o.whole = whole;
	o.node = node->work.updatable ? node : NULL;
	if (o.kind == OPERATION_LAUNCH) {
		launch_copy_params(&o);
		o.as.launch.stream = stream->id;
		o.as.launch.is_graph_node = true;
		o.as.launch.graph = (uintptr_t)whole->as.exec;
	}
	return o;
}

/* What comes behind the node's first operation: all of another graph, or what a condition decides. */
static void launch_inside(CUgraphNode node, CUstream stream, struct operation *whole)
{
	const struct operation wait = { .kind = OPERATION_WAIT };

	if ((!node->work.child && !node->work.condition) || node->is_disabled)
		return;
	node->last = queue_prepare(&wait, stream->handle.context, NULL);
	if (node->work.condition) {
		node->first->as.condition =
			(struct operation_condition){ node->work.condition, node->last, stream };
		return;
	}
	queue_behind(node->last, node->first);
	graph_queue(node->work.child, stream, node->first, node->last, whole);
	queue_submit(node->last);
}

/* The operations of a node that waits for values and writes them, behind its first. */
static void launch_batch(CUgraphNode node, CUcontext context)
{
	const CUDA_BATCH_MEM_OP_NODE_PARAMS *b = &node->work.batch;
	struct operation o, *behind;

	if (!b->count)
		return;
	for (unsigned i = 0; i < b->count; i++) {
		value_operation(&b->paramArray[i], &o);
		behind = queue_prepare(&o, context, NULL);
		queue_behind(behind, node->last);
		if (node->last != node->first)
			queue_submit(node->last);
		node->last = behind;
	}
	queue_submit(node->last);
}

static void launch_node(CUgraphNode node, CUstream stream, struct operation *begin, struct operation *end,
	struct operation *whole)
{
	struct operation o = operation_of_node(node, stream, whole);
	CUcontext context = stream->handle.context;

	node->first = queue_prepare(&o, context, NULL);
	node->last = node->first;
	queue_behind(node->first, begin);
	for (size_t i = 0; i < node->before_count; i++)
		(node->ports[i] ? queue_behind_trigger : queue_behind)(node->first, node->before[i]->last);
	if (o.kind == OPERATION_RECORD)
		event_recorded(o.as.event, node->first);
	if (o.kind == OPERATION_WAIT && o.as.event && handle_find(HANDLE_EVENT, o.as.event)) {
		queue_behind(node->first, o.as.event->record);
		recorder_behind(node->first, o.as.event->record_order);
	}
	launch_inside(node, stream, whole);
	launch_batch(node, context);
	queue_behind(end, node->last);
	queue_submit(node->first);
}

void graph_queue(CUgraph graph, CUstream stream, struct operation *begin, struct operation *end,
	struct operation *whole)
{
	CUgraphNode *sorted = graph_sorted(graph);

	for (size_t i = 0; i < graph->count; i++)
		launch_node(sorted[i], stream, begin, end, whole);
	free(sorted);
}

void exec_begins(const struct operation *begin)
{
	conditions_begin(begin->as.exec->graph);
}

/* The beginning, not submitted. in_stream: or where the schedule puts it. */
static struct operation *exec_queue(
	CUgraphExec exec, CUstream stream, bool in_stream, struct operation **ended)
{
	struct operation start = { .kind = OPERATION_WAIT };
	const struct operation finish = { .kind = OPERATION_GRAPH_END, .as.exec = exec };
	CUcontext context = stream->handle.context;
	struct operation *begin, *end;

	if (graph_has_conditions(exec->graph)) {
		recorder_refuse("a graph has conditional nodes");
		start = (struct operation){ .kind = OPERATION_GRAPH_BEGIN, .as.exec = exec };
	}
	begin = queue_prepare(&start, context, in_stream ? stream : NULL);
	end = queue_prepare(&finish, context, in_stream ? stream : NULL);
	queue_behind(end, in_stream ? NULL : begin);
	graph_queue(exec->graph, stream, begin, end, end);
	exec->pending++;
	end->stream_of_graph = stream;
	*ended = end;
	return begin;
}

static void exec_launch(CUgraphExec exec, CUstream stream)
{
	struct operation *end, *before = exec->last, *begin = exec_queue(exec, stream, true, &end);

	queue_behind(begin, before); /* an executable graph runs once at a time */
	recorder_behind(begin, exec->last_order);
	exec->last = end;
	exec->last_order = end->task.order;
	exec->is_uploaded = true;
	queue_submit(begin);
	queue_submit(end);
}

/* -- launches by kernels of graphs -- */

#define OF_GRAPH_MODE(mode) ((mode) >> 56)
enum graph_mode { GRAPH_TAIL = 1, GRAPH_FIRE_AND_FORGET = 2, GRAPH_SIBLING = 3 };
enum { RUNTIME_INVALID_VALUE = 1 }; /* cudaErrorInvalidValue */

/* Behind the rest of the launch that it is launched by; again and again, where a graph launches itself. */
static void launch_as_tail(CUgraphExec exec, struct operation *whole)
{
	struct operation *end, *begin = exec_queue(exec, whole->stream_of_graph, false, &end);

	begin->tail_end = end;
	end->is_tail = true;
	family_add_tail(family_of(whole), begin);
	end->born_in = begin->born_in;
	begin->born_in = NULL;
	begin->is_tail = false;
	queue_submit(end);
}

static void launch_beside(CUgraphExec exec, struct operation *whole, struct family *family)
{
	struct operation *end, *begin = exec_queue(exec, whole->stream_of_graph, false, &end);

	exec->last = end;
	exec->last_order = end->task.order;
	family_add(family, end);
	queue_submit(begin);
	queue_submit(end);
}

/* Arguments: executable graph, mode. Returns a cudaError. */
uint64_t device_graph_launch(const struct device_caller *caller)
{
	CUgraphExec exec = handle_find(HANDLE_GRAPH_EXEC, (void *)(uintptr_t)caller->call->arguments[0]);
	struct operation *whole = caller->operation->whole;
	uint64_t mode = OF_GRAPH_MODE(caller->call->arguments[1]);

	if (!exec || !whole || !exec->is_uploaded ||
		!(exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH))
		return RUNTIME_INVALID_VALUE;
	if (mode != GRAPH_TAIL && exec->last) /* it runs already */
		return RUNTIME_INVALID_VALUE;
	if (mode == GRAPH_TAIL)
		launch_as_tail(exec, whole);
	else if (mode == GRAPH_FIRE_AND_FORGET || mode == GRAPH_SIBLING)
		launch_beside(exec, whole,
			mode == GRAPH_SIBLING && whole->born_in ? whole->born_in : family_of(whole));
	else
		return RUNTIME_INVALID_VALUE;
	gpu_yield(driver.gpu);
	return 0;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH_EXEC, exec))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (stream->capture)
		return capture_refuse_launch(stream);
	if (!(exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) &&
		!memory_can_launch(exec->graph)) {
		driver_say("cuGraphLaunch: memory that the last launch has allocated is not freed");
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUresult result = capture_check_implicit(stream);
	if (result == CUDA_SUCCESS) {
		memory_launched(exec->graph);
		exec_launch(exec, stream);
	}
	return result;
}
EXPORT_PTSZ(cuGraphLaunch, (CUgraphExec exec, CUstream s), cuGraphLaunch(exec, of_thread(s)));

/* Nothing has to be brought to the device. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH_EXEC, exec))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	exec->is_uploaded = true;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuGraphUpload, (CUgraphExec exec, CUstream s), cuGraphUpload(exec, of_thread(s)));
