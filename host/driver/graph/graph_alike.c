/* host/driver/graph/graph_alike.c -- whether an instantiated graph can take over what the nodes of another do
 * (CUDA Driver API, cuGraphExecUpdate). Nodes are each other's pairs by edges: those that no other waits for,
 * in the order in which they were added, then those for which pairs wait, in the order of their edges. */
#include "host/driver/graph/graph.h"

/* -- what must not change in a node -- */

static CUgraphExecUpdateResult kernel_change(const struct graph_work *a, const struct graph_work *b)
{
	if (a->function->handle.context != b->function->handle.context)
		return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
	if (a->operation.as.launch.is_cooperative != b->operation.as.launch.is_cooperative)
		return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

/* Addresses and values may change. */
static CUgraphExecUpdateResult batch_change(const struct graph_work *a, const struct graph_work *b)
{
	bool is_same = a->batch.count == b->batch.count;

	for (unsigned i = 0; is_same && i < a->batch.count; i++)
		is_same = a->batch.paramArray[i].operation == b->batch.paramArray[i].operation;
	return is_same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static CUgraphExecUpdateResult copy_change(const struct graph_work *a, const struct graph_work *b)
{
	const struct operation_copy *c = &a->operation.as.copy, *d = &b->operation.as.copy;
	bool is_same = c->to_host == d->to_host && c->from_host == d->from_host &&
		!a->copy.srcArray == !b->copy.srcArray && !a->copy.dstArray == !b->copy.dstArray;

	return is_same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

static CUgraphExecUpdateResult set_change(const struct graph_work *a, const struct graph_work *b)
{
	const struct operation_set *s = &a->operation.as.set, *t = &b->operation.as.set;
	bool is_same = s->height == t->height &&
		(s->height == 1 || (s->width == t->width && s->bytes == t->bytes && s->pitch == t->pitch));

	return is_same ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

CUgraphExecUpdateResult work_change(const struct graph_work *a, const struct graph_work *b)
{
	switch (a->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return kernel_change(a, b);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return copy_change(a, b);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return set_change(a, b);
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return batch_change(a, b);
	case CU_GRAPH_NODE_TYPE_CONDITIONAL:
		if (a->condition->type != b->condition->type || a->condition->size != b->condition->size)
			return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
		return CU_GRAPH_EXEC_UPDATE_SUCCESS;
	default:
		return CU_GRAPH_EXEC_UPDATE_SUCCESS;
	}
}

/* -- pairs -- */

struct pairing {
	CUgraphExecUpdateResultInfo *info;
	CUgraphNode *found; /* those of mine that have a pair */
	size_t count;
};

static bool nodes_differ(struct pairing *p, CUgraphExecUpdateResult why, CUgraphNode node, CUgraphNode from)
{
	*p->info = (CUgraphExecUpdateResultInfo){ why, node, from };
	return false;
}

static void pair_up(struct pairing *p, CUgraphNode mine, CUgraphNode theirs)
{
	mine->pair = theirs;
	theirs->pair = mine;
	p->found[p->count++] = mine;
}

/* Marks the nodes for which others wait, and forgets pairs; returns how many no other waits for. */
static size_t mark_exits(CUgraph graph)
{
	size_t exits = 0;

	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		node->mark = 0;
		node->pair = NULL;
	}
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		for (size_t i = 0; i < node->before_count; i++)
			node->before[i]->mark = 1;
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		exits += !node->mark;
	return exits;
}

static CUgraphNode next_exit(CUgraphNode node)
{
	while (node && node->mark)
		node = node->next;
	return node;
}

static bool pair_exits(struct pairing *p, CUgraph mine, CUgraph theirs)
{
	size_t here = mark_exits(mine), there = mark_exits(theirs);
	CUgraphNode a = next_exit(mine->nodes), b = next_exit(theirs->nodes);

	for (; a && b; a = next_exit(a->next), b = next_exit(b->next))
		pair_up(p, a, b);
	return here >= there || nodes_differ(p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b, NULL);
}

/* What the nodes of a pair wait for becomes pairs. */
static bool pair_edges(struct pairing *p, CUgraphNode a, CUgraphNode b)
{
	const CUgraphExecUpdateResult why = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;

	if (a->before_count != b->before_count ||
		(a->before_count && memcmp(a->ports, b->ports, a->before_count)))
		return nodes_differ(p, why, b, NULL);
	for (size_t i = 0; i < a->before_count; i++) {
		CUgraphNode mine = a->before[i], theirs = b->before[i];

		if (!mine->pair && !theirs->pair)
			pair_up(p, mine, theirs);
		else if (mine->pair != theirs)
			return nodes_differ(p, why, b, theirs);
	}
	return true;
}

static bool pair_is_alike(struct pairing *p, CUgraphNode a, CUgraphNode b)
{
	CUgraphExecUpdateResult change;

	if (a->work.type != b->work.type)
		return nodes_differ(p, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, b, NULL);
	if (!pair_edges(p, a, b))
		return false;
	change = a->work.updatable || b->work.updatable ? CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
							: work_change(&a->work, &b->work);
	if (change != CU_GRAPH_EXEC_UPDATE_SUCCESS)
		return nodes_differ(p, change, b, NULL);
	if (a->work.child && !graph_is_alike(a->work.child, b->work.child, p->info))
		return false;
	for (unsigned i = 0; a->work.condition && i < a->work.condition->size; i++)
		if (!graph_is_alike(a->work.condition->bodies[i], b->work.condition->bodies[i], p->info))
			return false;
	return true;
}

bool graph_is_alike(CUgraph mine, CUgraph theirs, CUgraphExecUpdateResultInfo *info)
{
	struct pairing p = { .info = info };
	bool is_alike;

	if (mine->count != theirs->count)
		return nodes_differ(&p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
	p.found = xmalloc((mine->count + 1) * sizeof(CUgraphNode));
	is_alike = pair_exits(&p, mine, theirs);
	for (size_t i = 0; is_alike && i < p.count; i++)
		is_alike = pair_is_alike(&p, p.found[i], p.found[i]->pair);
	if (is_alike && p.count < mine->count)
		is_alike = nodes_differ(&p, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
	free(p.found);
	if (is_alike)
		*info = (CUgraphExecUpdateResultInfo){ .result = CU_GRAPH_EXEC_UPDATE_SUCCESS };
	return is_alike;
}
