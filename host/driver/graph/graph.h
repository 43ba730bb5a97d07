/* host/driver/graph/graph.h -- graphs of work: nodes, what each does, and which wait for which. A node's work
 * is kept as an operation, as streams have them (host/driver/driver.h), so that a launch of a graph queues
 * copies of the operations behind each other, and the schedule does the rest. */
#ifndef HOST_DRIVER_GRAPH_GRAPH_H
#define HOST_DRIVER_GRAPH_GRAPH_H

#include "host/driver/driver.h"

/* What a node does, and what the program has said of it. */
struct graph_work {
	CUgraphNodeType type;
	struct operation operation; /* kernels: as.launch.params is owned */
	CUfunction function;        /* kernels: and pointers to each parameter's value in as.launch.params */
	void **params;
	CUDA_MEMCPY3D copy;
	CUgraph child;                       /* owned */
	struct graph_memory *memory;         /* of nodes that allocate or free it; held */
	struct graph_condition *condition;   /* owned */
	struct graph_updatable *updatable;   /* of kernels that kernels change; held; NULL */
	CUDA_BATCH_MEM_OP_NODE_PARAMS batch; /* owns its array */
};

/* Of a conditional node. */
struct graph_condition {
	CUgraphConditionalHandle handle;
	CUgraphConditionalNodeType type;
	unsigned size;
	CUgraph *bodies; /* size of them, owned; the program knows the place */
};

struct CUgraphNode_st {
	struct handle handle;
	CUgraph graph;
	CUgraphNode next;     /* of the graph, in the order in which they were added */
	CUgraphNode original; /* of which it is a clone's; NULL */
	CUgraphNode pair;     /* the one of another graph whose work it may take, while graphs are compared */
	struct graph_work work;
	CUgraphNode *before;  /* for which it waits ... */
	unsigned char *ports; /* ... and of each for what: CU_GRAPH_KERNEL_NODE_PORT_... */
	size_t before_count;
	bool is_disabled; /* in an executable graph */
	/* while the graph is sorted, and launched */
	unsigned mark;
	struct operation *first, *last;
};

struct CUgraph_st {
	struct handle handle;
	CUgraph original;
	CUgraphNode parent; /* whose child it is; NULL */
	CUgraphNode nodes, *end;
	size_t count;
};

struct CUgraphExec_st {
	struct handle handle;
	CUgraph graph; /* a clone */
	unsigned long long flags;
	struct operation *last; /* the end of its latest launch, if that is still to come */
	uint64_t last_order;    /* of its task, also when it has come */
	uint64_t pending;       /* launches that have not ended */
	bool is_destroyed;      /* freed with its last launch */
	bool is_uploaded;       /* kernels can launch it */
};

/* -- graph.c -- */

CUgraph graph_new(void);
void graph_free(CUgraph graph);
CUgraph graph_clone(CUgraph graph); /* every node's `original` is the one of `graph` */
/* Takes over the work. before may be NULL if there are none. */
CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const struct graph_work *work);
bool graph_is_inside(CUgraph graph, CUgraph outer);                   /* is it, or a child in it */
CUgraphNode graph_find_original(CUgraph graph, CUgraphNode original); /* in it or its children; NULL */
void node_wait_for(CUgraphNode node, CUgraphNode before, unsigned char port); /* once */
void node_stop_waiting(CUgraphNode node, CUgraphNode before);                 /* graph_edges.c */
CUresult graph_check_nodes(CUgraph graph, const CUgraphNode *nodes, size_t count);
/* Nodes so that each stands behind those for which it waits; to be freed; NULL if they wait in a circle. */
CUgraphNode *graph_sorted(CUgraph graph);

/* -- graph_work.c: work from what the program says; CUDA_SUCCESS: to be handed on, or freed by work_fini --
 */

CUresult work_kernel(struct graph_work *work, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult work_copy(struct graph_work *work, const CUDA_MEMCPY3D *params);
CUresult work_set(struct graph_work *work, const CUDA_MEMSET_NODE_PARAMS *params);
CUresult work_host(struct graph_work *work, const CUDA_HOST_NODE_PARAMS *params);
CUresult work_event(struct graph_work *work, CUgraphNodeType type, CUevent event);
CUresult work_child(struct graph_work *work, CUgraph child);
CUresult work_batch(struct graph_work *work, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params);
CUresult work_any(struct graph_work *work, CUgraphNodeParams *params);
/* From an operation that a stream would have queued; takes over what it owns. */
void work_of_operation(struct graph_work *work, const struct operation *operation);
/* New parameters leave the attributes of the kernel that had others; or cannot be had with these. */
CUresult work_keep_attributes(struct graph_work *work, const struct graph_work *before);
struct graph_work work_clone(const struct graph_work *work);
void work_fini(struct graph_work *work);
void work_kernel_params(const struct graph_work *work, CUDA_KERNEL_NODE_PARAMS *params);
void work_set_params(const struct graph_work *work, CUDA_MEMSET_NODE_PARAMS *params);

/* -- graph_condition.c -- */

CUresult work_condition(struct graph_work *work, CUDA_CONDITIONAL_NODE_PARAMS *params); /* makes the bodies */
struct graph_condition *condition_clone(const struct graph_condition *condition);       /* NULL stays NULL */
void condition_free(struct graph_condition *condition);
void condition_set_parent(const struct graph_condition *condition, CUgraphNode parent);
bool graph_has_conditions(CUgraph graph);
void conditions_begin(CUgraph graph); /* values that have one begin with their default */
/* Another operation like that of a conditional node. */
struct operation *condition_prepare(const struct operation *operation);

/* -- graph_device.c: nodes that kernels change -- */

struct graph_updatable *updatable_hold(struct graph_updatable *updatable); /* NULL stays NULL */
void updatable_drop(struct graph_updatable *updatable);
bool updatables_are_free(CUgraph graph); /* none is in an executable graph */
void updatables_begin(CUgraph graph);    /* it is executable now; or no more */
void updatables_end(CUgraph graph);

/* -- graph_exec.c -- */

/* Queues the nodes between two operations, of which `end` is still to be submitted. */
void graph_queue(CUgraph graph, CUstream stream, struct operation *begin, struct operation *end,
	struct operation *whole);

/* -- graph_memory.c -- */

/* Of the nodes that allocate and free: one more refers to it, one fewer. */
struct graph_memory *memory_hold(struct graph_memory *memory); /* NULL stays NULL */
void memory_drop(struct graph_memory *memory);
/* A launch allocates what no node frees: not what an earlier launch has, and nobody has freed. */
bool memory_can_launch(CUgraph graph);
void memory_launched(CUgraph graph);

/* -- graph_alike.c -- */

/* Whether an instantiated graph can take over the work of another: the two have the same shape, and nodes
 * that are each other's pair differ in nothing that must not change; if not, why, and in which node of
 * `theirs`. */
bool graph_is_alike(CUgraph mine, CUgraph theirs, CUgraphExecUpdateResultInfo *info);
/* The same of one node's work: success, or what must not change. */
CUgraphExecUpdateResult work_change(const struct graph_work *mine, const struct graph_work *theirs);

/* -- graph_update.c -- */

/* Gives the node of the instantiated graph other work of its type, which must have the same shape. */
CUresult exec_replace(CUgraphExec exec, CUgraphNode node, struct graph_work *work);

/* -- later versions of calls, which have the kinds of edges -- */

CUresult cuGraphGetEdges_v2(
	CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphNodeGetDependencies_v2(
	CUgraphNode node, CUgraphNode *before, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphNodeGetDependentNodes_v2(
	CUgraphNode node, CUgraphNode *behind, CUgraphEdgeData *kinds, size_t *count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
	const CUgraphEdgeData *kinds, size_t count);
CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
	const CUgraphEdgeData *kinds, size_t count, CUgraphNodeParams *params);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
	CUgraph *graph, const CUgraphNode **before, const CUgraphEdgeData **kinds, size_t *count);
CUresult cuStreamUpdateCaptureDependencies_v2(
	CUstream stream, CUgraphNode *before, const CUgraphEdgeData *kinds, size_t count, unsigned int flags);

/* -- graph_capture.c -- */

struct capture_info {
	CUstreamCaptureStatus status;
	unsigned long long id;
	CUgraph graph;
};
CUresult capture_info(CUstream stream, struct capture_info *info);
CUresult capture_begin(
	CUstream stream, CUgraph graph, const CUgraphNode *before, size_t count, CUstreamCaptureMode mode);
CUresult capture_finish(CUstream stream, CUgraph *graph);
CUresult capture_work(CUstream stream, struct graph_work *work); /* takes it over */
CUresult capture_refuse_launch(CUstream stream);                 /* of a graph */
CUresult capture_set_tail(CUstream stream, const CUgraphNode *nodes, size_t count, bool is_added);
CUstreamCaptureMode capture_exchange_mode(CUstreamCaptureMode mode); /* the thread's; returns the one before
								      */
void captures_forget_graph(CUgraph graph);
void captures_end(CUcontext context);

#endif
