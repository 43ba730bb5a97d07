/* host/driver/graph/graph_condition.c -- conditional nodes: graphs that run or not, or again and again, as a
 * value says that kernels set (cudaGraphSetConditional). What is to run is known when the node is reached:
 * then the operations of the body are queued between the node's first and last. */
#include "host/driver/graph/graph.h"
#include "host/driver/device/device.h"
#include "host/driver/recording/recorder.h"

/* A value that kernels set. Its handle is its number. */
struct condition_value {
	struct condition_value *next;
	CUgraphConditionalHandle handle;
	CUgraph graph; /* to which it belongs; it may be gone */
	CUcontext context;
	unsigned value, initial;
	bool is_reset; /* to `initial`, when the graph is launched */
};
static struct condition_value *values;
static CUgraphConditionalHandle last_handle;

static struct condition_value *value_find(CUgraphConditionalHandle handle)
{
	struct condition_value *v = values;

	while (v && v->handle != handle)
		v = v->next;
	return v;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
	unsigned int initial, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle || flags > CU_GRAPH_COND_ASSIGN_DEFAULT || !handle_find(HANDLE_GRAPH, graph) ||
		(context && !handle_find(HANDLE_CONTEXT, context)))
		return CUDA_ERROR_INVALID_VALUE;
	struct condition_value *v = xcalloc(1, sizeof *v);
	*v = (struct condition_value){ .next = values,
		.handle = ++last_handle,
		.graph = graph,
		.context = context ? context : context_current(),
		.initial = initial,
		.is_reset = flags == CU_GRAPH_COND_ASSIGN_DEFAULT };
	values = v;
	*handle = v->handle;
	return CUDA_SUCCESS;
}

uint64_t device_condition(const struct device_caller *caller)
{
	struct condition_value *v = value_find(caller->call->arguments[0]);

	if (v && v->context == caller->operation->context)
		v->value = (unsigned)caller->call->arguments[1];
	return 0;
}

/* -- nodes -- */

static bool has_size(const CUDA_CONDITIONAL_NODE_PARAMS *p)
{
	switch (p->type) {
	case CU_GRAPH_COND_TYPE_IF:
		return p->size == 1 || p->size == 2;
	case CU_GRAPH_COND_TYPE_WHILE:
		return p->size == 1;
	case CU_GRAPH_COND_TYPE_SWITCH:
		return p->size > 0;
	}
	return false;
}

CUresult work_condition(struct graph_work *work, CUDA_CONDITIONAL_NODE_PARAMS *p)
{
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
		.operation.kind = OPERATION_CONDITION };
	if (!has_size(p) || !value_find(p->handle))
		return CUDA_ERROR_INVALID_VALUE;
	struct graph_condition *c = xcalloc(1, sizeof *c);
	c->handle = p->handle;
	c->type = p->type;
	c->size = p->size;
	c->bodies = xcalloc(c->size, sizeof *c->bodies);
	for (unsigned i = 0; i < c->size; i++)
		c->bodies[i] = graph_new();
	work->condition = c;
	p->phGraph_out = c->bodies;
	return CUDA_SUCCESS;
}

struct graph_condition *condition_clone(const struct graph_condition *from)
{
	struct graph_condition *c;

	if (!from)
		return NULL;
	c = xmalloc(sizeof *c);
	*c = *from;
	c->bodies = xcalloc(c->size, sizeof *c->bodies);
	for (unsigned i = 0; i < c->size; i++)
		c->bodies[i] = graph_clone(from->bodies[i]);
	return c;
}

void condition_free(struct graph_condition *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->size; i++)
		graph_free(c->bodies[i]);
	free(c->bodies);
	free(c);
}

void condition_set_parent(const struct graph_condition *c, CUgraphNode parent)
{
	for (unsigned i = 0; c && i < c->size; i++)
		c->bodies[i]->parent = parent;
}

/* -- launches -- */

bool graph_has_conditions(CUgraph graph)
{
	bool has = false;

	for (CUgraphNode node = graph->nodes; node && !has; node = node->next)
		has = node->work.condition || (node->work.child && graph_has_conditions(node->work.child));
	return has;
}

void conditions_begin(CUgraph graph)
{
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		const struct graph_condition *c = node->work.condition;
		struct condition_value *v = c ? value_find(c->handle) : NULL;

		if (v && v->is_reset)
			v->value = v->initial;
		for (unsigned i = 0; c && i < c->size; i++)
			conditions_begin(c->bodies[i]);
		if (node->work.child)
			conditions_begin(node->work.child);
	}
}

/* The graph that runs for the value; NULL: none. */
static CUgraph chosen_body(const struct graph_condition *c)
{
	unsigned value = value_find(c->handle)->value;

	if (c->type == CU_GRAPH_COND_TYPE_SWITCH)
		return value < c->size ? c->bodies[value] : NULL;
	return value ? c->bodies[0] : c->size > 1 ? c->bodies[1] : NULL;
}

struct operation *condition_prepare(const struct operation *from)
{
	struct operation o = {
		.kind = OPERATION_CONDITION, .as.condition = from->as.condition, .whole = from->whole
	};

	return queue_prepare(&o, from->context, NULL);
}

void condition_reached(struct operation *o, bool is_live)
{
	const struct operation_condition *c = &o->as.condition;
	CUgraph body = is_live ? chosen_body(c->condition) : NULL;
	struct operation *end = c->last;

	if (body && c->condition->type == CU_GRAPH_COND_TYPE_WHILE)
		end = condition_prepare(o);
	if (body)
		graph_queue(body, c->stream, o, end, o->whole);
	queue_submit(end);
}
