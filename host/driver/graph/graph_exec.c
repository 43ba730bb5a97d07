/* host/driver/graph/graph_exec.c -- graphs that can be launched: clones, in which nodes are found by those of
 * which they were made. A launch takes one place in its stream: a beginning, the nodes' operations behind
 * each other and in no stream, and an end. */
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

static bool can_be_sorted(CUgraph graph)
{
	CUgraphNode *sorted = graph_sorted(graph);

	free(sorted);
	for (CUgraphNode node = sorted ? graph->nodes : NULL; node; node = node->next)
		if (node->work.child && !can_be_sorted(node->work.child))
			return false;
	return sorted;
}

static CUresult instantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	if (!exec || !handle_find(HANDLE_GRAPH, graph) || flags & ~15ull)
		return CUDA_ERROR_INVALID_VALUE;
	if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) {
		driver_say("graphs that kernels launch are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (!can_be_sorted(graph)) {
		driver_say("a graph cannot be instantiated: its nodes wait for each other in a circle");
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUgraphExec made = xcalloc(1, sizeof *made);
	handle_add(&made->handle, HANDLE_GRAPH_EXEC, made, context_current());
	made->graph = graph_clone(graph);
	handle_remove(&made->graph->handle); /* the program sees nothing of it */
	handle_add(&made->graph->handle, HANDLE_GRAPH_INSIDE, made->graph, context_current());
	made->flags = flags;
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

static void launch_nodes(CUgraph graph, CUstream stream, struct operation *begin, struct operation *end);

/* What the program has destroyed since, or switched off, waits and does nothing. */
static struct operation operation_of_node(const CUgraphNode node, CUstream stream)
{
	struct operation o = node->work.operation;
	bool is_gone = (o.kind == OPERATION_RECORD && !handle_find(HANDLE_EVENT, o.as.event)) ||
		(o.kind == OPERATION_LAUNCH && !handle_find(HANDLE_FUNCTION, o.function));

	if (node->is_disabled || is_gone)
		return (struct operation){ .kind = OPERATION_WAIT };
	if (o.kind == OPERATION_LAUNCH) {
		launch_copy_params(&o);
		o.as.launch.stream = stream->id;
		o.as.launch.is_graph_node = true;
	}
	return o;
}

static void launch_node(CUgraphNode node, CUstream stream, struct operation *begin, struct operation *end)
{
	struct operation o = operation_of_node(node, stream);
	CUcontext context = stream->handle.context;

	node->first = queue_prepare(&o, context, NULL);
	node->last = node->first;
	queue_behind(node->first, begin);
	for (size_t i = 0; i < node->before_count; i++)
		queue_behind(node->first, node->before[i]->last);
	if (o.kind == OPERATION_RECORD)
		event_recorded(o.as.event, node->first);
	if (o.kind == OPERATION_WAIT && o.as.event && handle_find(HANDLE_EVENT, o.as.event)) {
		queue_behind(node->first, o.as.event->record);
		recorder_behind(node->first, o.as.event->record_order);
	}
	if (node->work.child && !node->is_disabled) {
		const struct operation wait = { .kind = OPERATION_WAIT };

		node->last = queue_prepare(&wait, context, NULL);
		queue_behind(node->last, node->first);
		launch_nodes(node->work.child, stream, node->first, node->last);
		queue_submit(node->last);
	}
	queue_behind(end, node->last);
	queue_submit(node->first);
}

static void launch_nodes(CUgraph graph, CUstream stream, struct operation *begin, struct operation *end)
{
	CUgraphNode *sorted = graph_sorted(graph);

	for (size_t i = 0; i < graph->count; i++)
		launch_node(sorted[i], stream, begin, end);
	free(sorted);
}

static void exec_launch(CUgraphExec exec, CUstream stream)
{
	const struct operation wait = { .kind = OPERATION_WAIT };
	const struct operation finish = { .kind = OPERATION_GRAPH_END, .as.exec = exec };
	struct operation *begin = queue_prepare(&wait, stream->handle.context, stream),
			 *end = queue_prepare(&finish, stream->handle.context, stream);

	queue_behind(begin, exec->last); /* an executable graph runs once at a time */
	recorder_behind(begin, exec->last_order);
	launch_nodes(exec->graph, stream, begin, end);
	exec->last = end;
	exec->last_order = end->task.order;
	exec->pending++;
	queue_submit(begin);
	queue_submit(end);
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
	CUresult result = capture_check_implicit(stream);
	if (result == CUDA_SUCCESS)
		exec_launch(exec, stream);
	return result;
}
EXPORT_PTSZ(cuGraphLaunch, (CUgraphExec exec, CUstream s), cuGraphLaunch(exec, of_thread(s)));

/* Nothing has to be brought to the device. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_GRAPH_EXEC, exec))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_resolve(&stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
EXPORT_PTSZ(cuGraphUpload, (CUgraphExec exec, CUstream s), cuGraphUpload(exec, of_thread(s)));
