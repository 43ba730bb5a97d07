/* host/driver/graph/graph_device.c -- kernel nodes that kernels change: their parameters, their grid, and
 * whether they run at all (CUDA Runtime API, cudaGraphKernelNodeUpdatesApply). A node's handle for kernels
 * stands for it in the one executable graph that there may be. A launch of that graph takes what the node has
 * when it starts the kernel, so that a kernel before it in the same launch can change it. */
#include "host/driver/device/device.h"
#include "host/driver/graph/graph.h"
#include "host/driver/recording/recorder.h"

struct graph_updatable {
	struct handle handle; /* its address is the handle */
	unsigned holders;
	CUgraphNode node; /* in the executable graph; NULL: there is none */
};

struct graph_updatable *updatable_hold(struct graph_updatable *u)
{
	if (u)
		u->holders++;
	return u;
}

void updatable_drop(struct graph_updatable *u)
{
	if (!u || --u->holders)
		return;
	handle_remove(&u->handle);
	free(u);
}

CUresult node_make_updatable(CUgraphNode node, CUlaunchAttributeValue *value)
{
	int wanted = value->deviceUpdatableKernelNode.deviceUpdatable;
	struct graph_work *work = &node->work;

	if ((wanted != 1 && wanted != 0) || (!wanted && work->updatable))
		return CUDA_ERROR_INVALID_VALUE;
	if (wanted && !work->updatable) {
		work->updatable = xcalloc(1, sizeof *work->updatable);
		work->updatable->holders = 1;
		handle_add(&work->updatable->handle, HANDLE_UPDATABLE, work->updatable, node->handle.context);
	}
	value->deviceUpdatableKernelNode.devNode = (CUgraphDeviceNode)(void *)work->updatable;
	return CUDA_SUCCESS;
}

/* -- executable graphs -- */

/* Calls `visit` for each such node of a graph and of those inside, until it returns false. */
static bool each_updatable(CUgraph graph, bool (*visit)(CUgraphNode node))
{
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		const struct graph_condition *c = node->work.condition;

		if ((node->work.updatable && !visit(node)) ||
			(node->work.child && !each_updatable(node->work.child, visit)))
			return false;
		for (unsigned i = 0; c && i < c->size; i++)
			if (!each_updatable(c->bodies[i], visit))
				return false;
	}
	return true;
}

static bool is_free(CUgraphNode node)
{
	return !node->work.updatable->node;
}

static bool take_node(CUgraphNode node)
{
	node->work.updatable->node = node;
	return true;
}

static bool leave_node(CUgraphNode node)
{
	if (node->work.updatable->node == node)
		node->work.updatable->node = NULL;
	return true;
}

bool updatables_are_free(CUgraph graph)
{
	return each_updatable(graph, is_free);
}

void updatables_begin(CUgraph graph)
{
	each_updatable(graph, take_node);
}

void updatables_end(CUgraph graph)
{
	each_updatable(graph, leave_node);
}

bool node_renews(struct operation *o)
{
	const struct graph_work *work = &o->node->work;
	struct launch *l = &o->as.launch;

	memcpy(l->grid, work->operation.as.launch.grid, sizeof l->grid);
	memcpy(o->owned, work->operation.owned, l->kernel->param_bytes);
	return !o->node->is_disabled;
}

/* -- what kernels ask for; each returns a cudaError -- */

enum { UPDATE_FINE = 0, UPDATE_INVALID = 1 };
enum update_field { FIELD_GRID = 1, FIELD_PARAMETER, FIELD_ENABLED };

/* As cudaGraphKernelNodeUpdate has it. */
struct node_update {
	uint64_t node;
	uint32_t field, padding;
	union {
		uint32_t grid[3];
		struct {
			uint64_t from, offset, bytes;
		} parameter;
		uint32_t is_enabled;
	};
};

static uint64_t update_parameter(
	const struct device_caller *caller, CUgraphNode node, const struct node_update *u)
{
	uint64_t bytes = node->work.operation.as.launch.kernel->param_bytes;

	if (u->parameter.offset > bytes || u->parameter.bytes > bytes - u->parameter.offset)
		return UPDATE_INVALID;
	lane_memory_read(caller->call->memory, u->parameter.from,
		(uint8_t *)node->work.operation.owned + u->parameter.offset, u->parameter.bytes);
	return UPDATE_FINE;
}

static uint64_t update_grid(CUgraphNode node, const uint32_t grid[3])
{
	struct launch changed = node->work.operation.as.launch;

	memcpy(changed.grid, grid, sizeof changed.grid);
	if (launch_check(node->work.function, &changed) != CUDA_SUCCESS)
		return UPDATE_INVALID;
	node->work.operation.as.launch = changed;
	return UPDATE_FINE;
}

static uint64_t update_node(const struct device_caller *caller, const struct node_update *u)
{
	struct graph_updatable *found = handle_find(HANDLE_UPDATABLE, (void *)(uintptr_t)u->node);

	recorder_refuse("a kernel changes nodes of a graph");
	if (!found || !found->node)
		return UPDATE_INVALID;
	switch (u->field) {
	case FIELD_GRID:
		return update_grid(found->node, u->grid);
	case FIELD_PARAMETER:
		return update_parameter(caller, found->node, u);
	case FIELD_ENABLED:
		found->node->is_disabled = !u->is_enabled;
		return UPDATE_FINE;
	}
	return UPDATE_INVALID;
}

/* Arguments: node, offset, where the bytes are, how many. */
uint64_t device_node_parameter(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	const struct node_update u = {
		.node = a[0], .field = FIELD_PARAMETER, .parameter = { a[2], a[1], a[3] }
	};

	return update_node(caller, &u);
}

/* Arguments: node, whether it is to run. */
uint64_t device_node_enabled(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	const struct node_update u = { .node = a[0], .field = FIELD_ENABLED, .is_enabled = a[1] & 0xff };

	return update_node(caller, &u);
}

/* Arguments: node, the grid. */
uint64_t device_node_grid(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	const struct node_update u = {
		.node = a[0], .field = FIELD_GRID, .grid = { (uint32_t)a[1], (uint32_t)a[2], (uint32_t)a[3] }
	};

	return update_node(caller, &u);
}

/* Arguments: an array of updates, how many. */
uint64_t device_node_updates(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	uint64_t result = UPDATE_FINE;
	struct node_update u;

	for (uint64_t i = 0; i < a[1] && result == UPDATE_FINE; i++) {
		if (!lane_memory_read(caller->call->memory, a[0] + i * sizeof u, &u, sizeof u))
			break;
		result = update_node(caller, &u);
	}
	return result;
}
