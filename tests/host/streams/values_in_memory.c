/* tests/host/streams/values_in_memory.c -- streams that wait for values in memory and write them. The
 * argument says which. */
#include "cuda.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failures;
static CUstream a, b;
static CUdeviceptr words, mapped;
static volatile unsigned *host;

#define GIVES(code, call) gives((code), (call), #call, __LINE__)
static void gives(CUresult expected, CUresult result, const char *call, int line)
{
	if (expected == result)
		return;
	printf("line %d: %s returns %d, not %d\n", line, call, result, expected);
	failures++;
}
#define OK(call) GIVES(CUDA_SUCCESS, call)
#define CHECK(condition) \
	((condition) ? (void)0 : (void)(printf("line %d: not so: %s\n", __LINE__, #condition), failures++))

static uint64_t word(CUdeviceptr at)
{
	uint64_t value = 0;

	OK(cuMemcpyDtoH(&value, at, 8));
	return value;
}

/* What stands behind a wait happens after what another stream writes. */
static void between_streams(void)
{
	OK(cuStreamWaitValue32(a, words, 5, CU_STREAM_WAIT_VALUE_EQ));
	OK(cuMemsetD32Async(words + 8, 77, 1, a));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
	CHECK(word(words + 8) == 0);
	OK(cuStreamWriteValue32(b, words, 4, 0));
	OK(cuStreamSynchronize(b));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
	OK(cuStreamWriteValue32(b, words, 5, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
	OK(cuStreamSynchronize(a));
	CHECK(word(words + 8) == 77);
}

static int holds(uint64_t now, uint64_t value, unsigned flags, int is_wide)
{
	OK(cuStreamWriteValue64(b, words + 16, now, 0));
	OK(cuStreamSynchronize(b));
	OK(is_wide ? cuStreamWaitValue64(a, words + 16, value, flags)
		   : cuStreamWaitValue32(a, words + 16, (unsigned)value, flags));
	CUresult result = cuStreamQuery(a);
	OK(cuStreamWriteValue64(b, words + 16, flags == CU_STREAM_WAIT_VALUE_NOR ? 0 : value, 0));
	OK(cuStreamSynchronize(a));
	return result == CUDA_SUCCESS;
}

static void comparisons(void)
{
	CHECK(holds(9, 8, CU_STREAM_WAIT_VALUE_GEQ, 0) && !holds(7, 8, CU_STREAM_WAIT_VALUE_GEQ, 0));
	CHECK(holds(2, 0xfffffffe, CU_STREAM_WAIT_VALUE_GEQ, 0)); /* around the end of the numbers */
	CHECK(!holds(2, 0xfffffffe, CU_STREAM_WAIT_VALUE_GEQ, 1));
	CHECK(holds(1ull << 40 | 3, 3, CU_STREAM_WAIT_VALUE_EQ, 0) &&
		!holds(1ull << 40 | 3, 3, CU_STREAM_WAIT_VALUE_EQ, 1));
	CHECK(holds(6, 2, CU_STREAM_WAIT_VALUE_AND, 0) && !holds(4, 2, CU_STREAM_WAIT_VALUE_AND, 0));
	CHECK(holds(1, 2, CU_STREAM_WAIT_VALUE_NOR, 0) && !holds(0xfffffffd, 2, CU_STREAM_WAIT_VALUE_NOR, 0));
}

static void batches(void)
{
	CUstreamBatchMemOpParams p[3];

	memset(p, 0, sizeof p);
	p[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
	p[0].writeValue.address = words + 24;
	p[0].writeValue.value64 = 1ull << 50;
	p[1].operation = CU_STREAM_MEM_OP_BARRIER;
	p[2].operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
	p[2].waitValue.address = words + 24;
	p[2].waitValue.value64 = 1ull << 50;
	p[2].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	OK(cuStreamBatchMemOp(a, 3, p, 0));
	OK(cuStreamSynchronize(a));
	CHECK(word(words + 24) == 1ull << 50);
	p[0].writeValue.value64 = 3;
	p[2].waitValue.flags = 9; /* all or nothing */
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(a, 3, p, 0));
	CHECK(word(words + 24) == 1ull << 50);
	OK(cuStreamBatchMemOp(a, 0, p, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(a, 257, p, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(a, words + 2, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(a, words + 4, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(a, 64, 0, 0));
	GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(a, words, 0, 2));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32(a, words, 0, CU_STREAM_WAIT_VALUE_FLUSH));
	GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWriteValue32((CUstream)(uintptr_t)words, words, 0, 0));
}

static void clear(void)
{
	OK(cuMemsetD32(words, 0, 16));
	OK(cuCtxSynchronize()); /* the streams do not wait for it */
}

/* A graph's node that writes, waits and writes, between fills; a captured wait; what updates may change. */
static void nodes(void)
{
	CUstreamBatchMemOpParams p[3], *found;
	CUDA_BATCH_MEM_OP_NODE_PARAMS batch = { .count = 3, .paramArray = p }, got;
	CUgraph graph, captured;
	CUgraphExec exec, waiting;
	CUgraphNode node;
	CUgraphNodeType type;
	size_t one = 1;

	memset(p, 0, sizeof p);
	p[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	p[0].writeValue.address = words;
	p[0].writeValue.value = 21;
	p[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
	p[1].waitValue.address = words + 32;
	p[1].waitValue.value = 7;
	p[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
	p[2] = p[0];
	p[2].writeValue.address = words + 8;
	p[2].writeValue.value = 22;
	OK(cuGraphCreate(&graph, 0));
	OK(cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &batch));
	OK(cuGraphNodeGetType(node, &type));
	CHECK(type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
	OK(cuGraphBatchMemOpNodeGetParams(node, &got));
	found = got.paramArray;
	CHECK(got.count == 3 && found != p && found[2].writeValue.value == 22);
	OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
	clear();
	OK(cuGraphLaunch(exec, a));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
	CHECK((unsigned)word(words) == 21 && (unsigned)word(words + 8) == 0);
	OK(cuStreamWriteValue32(b, words + 32, 7, 0));
	OK(cuStreamSynchronize(a));
	CHECK((unsigned)word(words + 8) == 22);
	/* other values, but no other kinds of operations, nor fewer */
	p[2].writeValue.value = 23;
	OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &batch));
	OK(cuGraphLaunch(exec, a));
	OK(cuStreamSynchronize(a));
	CHECK((unsigned)word(words + 8) == 23);
	batch.count = 2;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(exec, node, &batch));
	batch.count = 257;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeSetParams(node, &batch));
	batch.count = 3;
	p[1].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	p[1].writeValue.flags = 0;
	GIVES(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(exec, node, &batch));
	OK(cuGraphBatchMemOpNodeSetParams(node, &batch));
	/* captured */
	OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
	OK(cuStreamWriteValue32(a, words, 31, 0));
	OK(cuStreamWaitValue32(a, words + 4, 1, CU_STREAM_WAIT_VALUE_GEQ));
	OK(cuStreamWriteValue32(a, words, 32, 0));
	OK(cuStreamEndCapture(a, &captured));
	OK(cuGraphGetNodes(captured, NULL, &one));
	CHECK(one == 3);
	OK(cuGraphInstantiateWithFlags(&waiting, captured, 0));
	clear();
	OK(cuGraphLaunch(waiting, a));
	GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(a));
	CHECK((unsigned)word(words) == 31);
	OK(cuStreamWriteValue32(b, words + 4, 1, 0));
	OK(cuStreamSynchronize(a));
	CHECK((unsigned)word(words) == 32);
	OK(cuGraphExecDestroy(exec));
	OK(cuGraphExecDestroy(waiting));
	OK(cuGraphDestroy(graph));
	OK(cuGraphDestroy(captured));
}

/* The program itself writes the value, after a while, in another thread. */
static void *writes(void *unused)
{
	usleep(300000);
	*host = 3;
	return NULL;
}

static void by_the_host(void)
{
	pthread_t thread;

	OK(cuStreamWaitValue32(a, mapped, 3, CU_STREAM_WAIT_VALUE_GEQ));
	OK(cuStreamWriteValue32(a, mapped + 4, 8, 0));
	pthread_create(&thread, NULL, writes, NULL);
	OK(cuStreamSynchronize(a));
	CHECK(host[1] == 8);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	CUcontext context;
	int is_there = 0;

	OK(cuInit(0));
	OK(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0));
	CHECK(is_there);
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	OK(cuMemAlloc(&words, 64));
	OK(cuMemsetD32(words, 0, 16));
	if (!strcmp(argv[1], "values")) {
		between_streams();
		comparisons();
		batches();
		nodes();
	} else if (!strcmp(argv[1], "host")) {
		OK(cuMemHostAlloc((void **)(void *)&host, 64, 2));
		OK(cuMemHostGetDevicePointer(&mapped, (void *)(uintptr_t)host, 0));
		host[0] = host[1] = 0;
		by_the_host();
	} else if (!strcmp(argv[1], "graph")) {
		CUgraph graph;
		CUgraphExec exec;

		OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
		OK(cuStreamWaitValue32(a, words, 1, CU_STREAM_WAIT_VALUE_EQ));
		OK(cuStreamEndCapture(a, &graph));
		OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
		OK(cuGraphLaunch(exec, a));
		GIVES(CUDA_ERROR_LAUNCH_TIMEOUT, cuStreamSynchronize(a));
	} else {
		OK(cuStreamWaitValue32(a, words, 1, CU_STREAM_WAIT_VALUE_EQ));
		if (!strcmp(argv[1], "hangs"))
			GIVES(CUDA_ERROR_LAUNCH_TIMEOUT, cuStreamSynchronize(a));
	}
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
