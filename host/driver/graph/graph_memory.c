/* host/driver/graph/graph_memory.c -- memory that a graph allocates. It is there from the time at which its
 * node is made, so that its address is the same for every launch, as the API wants it, and goes with the last
 * of the graphs, executable or not, that have the node. If no graph frees it, the program does, behind each
 * launch (or the next launch, with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH); what it has not freed by
 * the end of the graphs is its own. */
#include "host/driver/graph/graph.h"

struct graph_memory {
	unsigned references;   /* nodes, of allocation and of release */
	bool is_freed;         /* there is a node that does */
	bool is_out;           /* else: a launch has allocated it, and the program has not freed it */
	void *host;            /* its place in the table of allocations ... */
	unsigned long long id; /* ... if it is still that one */
	CUdeviceptr address;
	struct graph_memory *next;
};
static struct graph_memory *all;
static uint64_t most_bytes; /* that graphs have had since the program last said so */

static uint64_t graph_bytes(void)
{
	const struct allocation *a;
	uint64_t bytes = 0;

	for (const struct graph_memory *m = all; m; m = m->next) {
		a = handle_find(HANDLE_ALLOCATION, m->host);
		bytes += a && a->id == m->id ? a->bytes : 0;
	}
	return bytes;
}

/* The work of a node that allocates; the address is there at once. */
static CUresult work_allocate(struct graph_work *work, CUdeviceptr *address, size_t bytes, CUmemoryPool pool)
{
	CUresult result = allocation_make(address, bytes, pool);

	if (result != CUDA_SUCCESS)
		return result;
	struct graph_memory *m = xcalloc(1, sizeof(*m));
	m->references = 1;
	m->address = *address;
	m->host = memory_host(*address);
	m->id = ((struct allocation *)handle_find(HANDLE_ALLOCATION, m->host))->id;
	m->next = all;
	all = m;
	if (graph_bytes() > most_bytes)
		most_bytes = graph_bytes();
	*work = (struct graph_work){
		.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .operation.kind = OPERATION_WAIT, .memory = m
	};
	return CUDA_SUCCESS;
}

/* The work of a node that frees what another allocates. */
static CUresult work_release(struct graph_work *work, CUdeviceptr address)
{
	struct graph_memory *m = all;

	while (m && (m->address != address || m->is_freed))
		m = m->next;
	if (!m)
		return CUDA_ERROR_INVALID_VALUE;
	m->is_freed = true;
	*work = (struct graph_work){ .type = CU_GRAPH_NODE_TYPE_MEM_FREE,
		.operation.kind = OPERATION_WAIT,
		.memory = memory_hold(m) };
	return CUDA_SUCCESS;
}

struct graph_memory *memory_hold(struct graph_memory *memory)
{
	if (memory)
		memory->references++;
	return memory;
}

void memory_drop(struct graph_memory *memory)
{
	struct graph_memory **at = &all;
	struct allocation *a;

	if (!memory || --memory->references)
		return;
	a = handle_find(HANDLE_ALLOCATION, memory->host);
	if ((memory->is_freed || !memory->is_out) && a && a->id == memory->id) {
		if (session_sanitizer(driver.session))
			sanitizer_freed(session_sanitizer(driver.session), memory->address);
		allocation_free(a);
	}
	while (*at != memory)
		at = &(*at)->next;
	*at = memory->next;
	free(memory);
}

bool memory_is_graphs(const struct allocation *a, CUresult *result)
{
	struct graph_memory *m = all;

	while (m && (m->id != a->id || m->is_freed))
		m = m->next;
	if (!m)
		return false;
	*result = m->is_out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	m->is_out = false;
	return true;
}

static bool is_allocated_by(const struct graph_work *work)
{
	return work->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && !work->memory->is_freed;
}

bool memory_can_launch(CUgraph graph)
{
	for (CUgraphNode node = graph->nodes; node; node = node->next)
		if ((is_allocated_by(&node->work) && node->work.memory->is_out) ||
			(node->work.child && !memory_can_launch(node->work.child)))
			return false;
	return true;
}

void memory_launched(CUgraph graph)
{
	for (CUgraphNode node = graph->nodes; node; node = node->next) {
		if (is_allocated_by(&node->work))
			node->work.memory->is_out = true;
		if (node->work.child)
			memory_launched(node->work.child);
	}
}

/* -- in captures -- */

CUresult capture_allocate(CUstream stream, CUdeviceptr *address, size_t bytes, CUmemoryPool pool)
{
	struct graph_work work;
	CUresult result = work_allocate(&work, address, bytes, pool);

	return result == CUDA_SUCCESS ? capture_work(stream, &work) : result;
}

CUresult capture_release(CUstream stream, CUdeviceptr address)
{
	struct graph_work work;
	CUresult result = work_release(&work, address);

	if (result == CUDA_ERROR_INVALID_VALUE)
		driver_say("a stream capture can free only what a graph has allocated");
	return result == CUDA_SUCCESS ? capture_work(stream, &work) : result;
}

/* -- nodes by hand -- */

static CUresult add_memory_node(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, struct graph_work *work)
{
	*node = graph_add(graph, before, count, work);
	return CUDA_SUCCESS;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
	CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct graph_work work;
	CUmemoryPool pool;
	if (!node || !params || !params->bytesize ||
		graph_check_nodes(graph, before, count) != CUDA_SUCCESS ||
		params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	pool = pool_of_device();
	CUresult result = work_allocate(&work, &params->dptr, params->bytesize, pool);
	return result == CUDA_SUCCESS ? add_memory_node(node, graph, before, count, &work) : result;
}

CUresult cuGraphAddMemFreeNode(
	CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count, CUdeviceptr address)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct graph_work work;
	if (!node || graph_check_nodes(graph, before, count) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = work_release(&work, address);
	return result == CUDA_SUCCESS ? add_memory_node(node, graph, before, count, &work) : result;
}

/* -- attributes: what is reserved is used -- */

static bool is_high(CUgraphMem_attribute attribute)
{
	return attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH ||
		attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!value || (unsigned)attribute > CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH)
		return CUDA_ERROR_INVALID_VALUE;
	*(cuuint64_t *)value = is_high(attribute) ? most_bytes : graph_bytes();
	return CUDA_SUCCESS;
}

CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!value || !is_high(attribute) || *(const cuuint64_t *)value)
		return CUDA_ERROR_INVALID_VALUE;
	most_bytes = graph_bytes();
	return CUDA_SUCCESS;
}

/* Memory that no graph uses is given back at once. */
CUresult cuDeviceGraphMemTrim(CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	return device_is_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
