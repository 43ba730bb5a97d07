/* host/driver/graph/graph_capture.c -- streams whose work becomes nodes of a graph instead of being queued.
 *
 * A capture begins in one stream; others join it when they wait for an event that was recorded in it. Each
 * stream knows the nodes for which its next one waits (its tail). What cannot become a node, or would wait
 * for work inside or outside, is refused, and the capture is invalid from then on. */
#include "host/driver/graph/graph.h"

struct capture {
	unsigned long long id;
	CUgraph graph;    /* NULL: the program has destroyed it */
	bool is_programs; /* the graph was there before */
	bool is_invalid;
	CUstream origin;
	CUstreamCaptureMode mode;
	pthread_t thread;
	struct capture *next;
};

static struct capture *captures;
static unsigned long long count;
static __thread CUstreamCaptureMode thread_mode;

/* -- streams of a capture -- */

static CUstream stream_of(struct task_stream *tasks)
{
	return (CUstream)(void *)((char *)tasks - offsetof(struct CUstream_st, tasks));
}

static struct capture *capture_of_id(unsigned long long id)
{
	struct capture *c = captures;

	while (c && c->id != id)
		c = c->next;
	return c;
}

static void set_tail(CUstream stream, const CUgraphNode *nodes, size_t n, bool is_added)
{
	size_t kept = is_added ? stream->tail_count : 0;
	CUgraphNode *tail = xmalloc((kept + n + 1) * sizeof(CUgraphNode));

	for (size_t i = 0; i < kept; i++)
		tail[i] = stream->tail[i];
	for (size_t i = 0; i < n; i++)
		if (handle_find(HANDLE_GRAPH_NODE, nodes[i]))
			tail[kept++] = nodes[i];
	free(stream->tail);
	stream->tail = tail;
	stream->tail_count = kept;
}

static void leave_capture(CUstream stream)
{
	stream->capture = NULL;
	free(stream->tail);
	stream->tail = NULL;
	stream->tail_count = 0;
}

static void capture_end(struct capture *c)
{
	struct capture **link = &captures;

	for (struct task_stream *s = c->origin->handle.context->group.streams; s; s = s->next)
		if (stream_of(s)->capture == c)
			leave_capture(stream_of(s));
	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	free(c);
}

void captures_forget_graph(CUgraph graph)
{
	for (struct capture *c = captures; c; c = c->next)
		if (c->graph == graph) {
			c->graph = NULL;
			c->is_invalid = true;
		}
}

/* The context ends. */
void captures_end(CUcontext context)
{
	for (struct capture *c = captures, *next; c; c = next) {
		next = c->next;
		if (c->origin->handle.context == context)
			capture_end(c);
	}
}

/* -- refusals -- */

static CUresult invalidate(struct capture *c, CUresult error, const char *why)
{
	if (!c->is_invalid)
		driver_say("a stream capture became invalid: %s", why);
	c->is_invalid = true;
	return error;
}

CUresult capture_check_implicit(CUstream stream)
{
	CUcontext context = stream->handle.context;

	if (stream->tasks.rule != STREAM_LEGACY || !captures)
		return CUDA_SUCCESS;
	for (struct task_stream *s = context->group.streams; s; s = s->next)
		if (s->rule == STREAM_BLOCKING && stream_of(s)->capture)
			return invalidate(stream_of(s)->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
				"the default stream was used, which waits for the capturing stream");
	return CUDA_SUCCESS;
}

CUresult capture_check_wait(CUstream stream)
{
	if (stream->capture)
		return invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
			"the program waited for the stream, or asked it for what a graph cannot hold");
	return capture_check_implicit(stream);
}

/* An H200 with driver 580 refuses it in every mode, whatever the graph holds. */
CUresult capture_refuse_launch(CUstream stream)
{
	return invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		"an executable graph was launched into the stream");
}

CUresult capture_check_context(CUcontext context)
{
	CUresult result = CUDA_SUCCESS;

	for (struct capture *c = captures; c; c = c->next)
		if (c->origin->handle.context == context)
			result = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
				"the program waited for all work of the context");
	return result;
}

/* CUDA Runtime API, cudaThreadExchangeStreamCaptureMode: whom a capture keeps from calls that might wait. */
static bool forbids(const struct capture *c)
{
	if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED || c->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
		return false;
	if (pthread_equal(c->thread, pthread_self()))
		return true;
	return thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult capture_check_unsafe(const char *call)
{
	CUresult result = CUDA_SUCCESS;
	char why[128];

	snprintf(why, sizeof why,
		"%s was called meanwhile, which may wait (capture mode 'relaxed' allows it)", call);
	for (struct capture *c = captures; c; c = c->next)
		if (forbids(c))
			result = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, why);
	return result;
}

CUstreamCaptureMode capture_exchange_mode(CUstreamCaptureMode mode)
{
	CUstreamCaptureMode before = thread_mode;

	thread_mode = mode;
	return before;
}

/* The program waits for an event of a capture, or asks whether it has happened: it never does. */
CUresult capture_asked_for(CUevent event)
{
	struct capture *c = capture_of_id(event->capture);

	if (!c)
		return CUDA_ERROR_CAPTURED_EVENT;
	return c->is_invalid ? CUDA_ERROR_INVALID_VALUE
			     : invalidate(c, CUDA_ERROR_CAPTURED_EVENT,
				       "the program asked for an event that was recorded in it");
}

/* The stream is destroyed: if the capture began in it, nobody can end it. */
void capture_abandon(CUstream stream)
{
	struct capture *c = stream->capture;
	CUgraph made = c->graph;
	bool is_programs = c->is_programs;

	if (c->origin != stream) {
		leave_capture(stream);
		return;
	}
	capture_end(c);
	if (made && !is_programs)
		graph_free(made);
}

/* -- adding -- */

static bool is_launch(CUgraphNode node)
{
	return node->work.operation.kind == OPERATION_LAUNCH && !node->work.child && !node->work.condition;
}

CUresult capture_work(CUstream stream, struct graph_work *work)
{
	struct capture *c = stream->capture;

	if (c->is_invalid) {
		work_fini(work);
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	}
	CUgraphNode node = graph_add(c->graph, stream->tail, stream->tail_count, work);
	if (is_launch(node) && node->work.operation.as.launch.starts_early)
		for (size_t i = 0; i < node->before_count; i++)
			node->ports[i] =
				is_launch(node->before[i]) ? CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC : 0;
	set_tail(stream, &node, 1, false);
	return CUDA_SUCCESS;
}

CUresult capture_add(CUstream stream, const struct operation *operation)
{
	struct graph_work work;

	work_of_operation(&work, operation);
	return capture_work(stream, &work);
}

CUresult capture_batch(CUstream stream, unsigned n, const CUstreamBatchMemOpParams *operations)
{
	const CUDA_BATCH_MEM_OP_NODE_PARAMS p = { stream->handle.context, n,
		(CUstreamBatchMemOpParams *)(uintptr_t)operations, 0 };
	struct graph_work work;
	CUresult result = work_batch(&work, &p);

	return result == CUDA_SUCCESS ? capture_work(stream, &work) : result;
}

CUgraphNode capture_last(CUstream stream)
{
	return stream->tail[0];
}

CUresult stream_add(const struct operation *operation, CUstream stream)
{
	if (stream->capture)
		return capture_add(stream, operation);
	CUresult result = capture_check_implicit(stream);

	if (result == CUDA_SUCCESS)
		queue_add(operation, stream);
	else
		free(operation->owned);
	return result;
}

/* -- events -- */

void capture_forget_event(CUevent event)
{
	free(event->captured);
	event->captured = NULL;
	event->captured_count = 0;
	event->capture = 0;
}

CUresult capture_record(CUevent event, CUstream stream)
{
	if (stream->capture->is_invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	capture_forget_event(event);
	event->capture = stream->capture->id;
	event->captured = xmalloc((stream->tail_count + 1) * sizeof(CUgraphNode));
	for (size_t i = 0; i < stream->tail_count; i++)
		event->captured[i] = stream->tail[i];
	event->captured_count = stream->tail_count;
	return CUDA_SUCCESS;
}

/* true: the capture has dealt with it, and *result is the result. */
bool capture_waits(CUstream stream, CUevent event, CUresult *result)
{
	struct capture *mine = stream->capture, *theirs = capture_of_id(event->capture);

	if (!mine && !event->capture)
		return false;
	if (mine && mine->is_invalid)
		*result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if (!theirs && mine)
		*result = invalidate(mine, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
			"a stream of it waited for an event that was recorded outside");
	else if (!theirs)
		*result = CUDA_ERROR_CAPTURED_EVENT;
	else if (mine && mine != theirs)
		*result = invalidate(
			mine, CUDA_ERROR_STREAM_CAPTURE_MERGE, "a stream of it waited for another"),
		invalidate(theirs, CUDA_ERROR_STREAM_CAPTURE_MERGE, "a stream of another waited for it");
	else if (stream->tasks.rule == STREAM_LEGACY)
		*result = invalidate(
			theirs, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the default stream joined it");
	else {
		stream->capture = theirs;
		set_tail(stream, event->captured, event->captured_count, mine != NULL);
		*result = CUDA_SUCCESS;
	}
	return true;
}

/* -- beginning and ending -- */

CUresult capture_begin(
	CUstream stream, CUgraph graph, const CUgraphNode *before, size_t n, CUstreamCaptureMode mode)
{
	struct capture *c;

	if (stream->tasks.rule == STREAM_LEGACY) {
		driver_say(
			"the default stream cannot be captured: make a stream, or use cudaStreamPerThread");
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	}
	if (stream->capture)
		return CUDA_ERROR_ILLEGAL_STATE;
	c = xcalloc(1, sizeof *c);
	*c = (struct capture){ .id = ++count,
		.graph = graph ? graph : graph_new(),
		.is_programs = graph,
		.origin = stream,
		.mode = mode,
		.thread = pthread_self(),
		.next = captures };
	captures = c;
	stream->capture = c;
	set_tail(stream, before, n, false);
	return CUDA_SUCCESS;
}

static void mark_before(CUgraphNode node)
{
	if (node->mark)
		return;
	node->mark = 1;
	for (size_t i = 0; i < node->before_count; i++)
		mark_before(node->before[i]);
}

/* Whether all that other streams have added comes before the origin's tail. */
static bool is_joined(const struct capture *c)
{
	for (CUgraphNode node = c->graph->nodes; node; node = node->next)
		node->mark = 0;
	for (size_t i = 0; i < c->origin->tail_count; i++)
		mark_before(c->origin->tail[i]);
	for (struct task_stream *s = c->origin->handle.context->group.streams; s; s = s->next)
		for (size_t i = 0; stream_of(s)->capture == c && i < stream_of(s)->tail_count; i++)
			if (!stream_of(s)->tail[i]->mark)
				return false;
	return true;
}

CUresult capture_finish(CUstream stream, CUgraph *graph)
{
	struct capture *c = stream->capture;
	CUresult result = CUDA_SUCCESS;

	*graph = NULL;
	if (!c)
		return CUDA_ERROR_ILLEGAL_STATE;
	if (c->origin != stream)
		return invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
			"it was to be ended in another stream than that in which it began");
	if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(c->thread, pthread_self()))
		return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
	if (c->is_invalid)
		result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if (!is_joined(c))
		result = invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
			"a stream that has joined it was not waited for at the end");
	CUgraph made = c->graph;
	bool is_programs = c->is_programs;
	capture_end(c);
	if (result == CUDA_SUCCESS)
		*graph = made;
	else if (made && !is_programs)
		graph_free(made);
	return result;
}

/* -- questions -- */

CUresult capture_info(CUstream stream, struct capture_info *info)
{
	const struct capture *c = stream->capture;
	CUresult result = capture_check_implicit(stream);

	*info = (struct capture_info){ .status = CU_STREAM_CAPTURE_STATUS_NONE };
	if (c)
		*info = (struct capture_info){ .status = c->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
								       : CU_STREAM_CAPTURE_STATUS_ACTIVE,
			.id = c->id,
			.graph = c->graph };
	return result;
}

CUresult capture_set_tail(CUstream stream, const CUgraphNode *nodes, size_t n, bool is_added)
{
	if (!stream->capture)
		return CUDA_ERROR_ILLEGAL_STATE;
	if (stream->capture->is_invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (graph_check_nodes(stream->capture->graph, nodes, n) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	set_tail(stream, nodes, n, is_added);
	return CUDA_SUCCESS;
}
