/* tests/host/values.c -- streams that wait for values in memory and write them. The argument says which. */
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
	} else if (!strcmp(argv[1], "host")) {
		OK(cuMemHostAlloc((void **)(void *)&host, 64, 2));
		OK(cuMemHostGetDevicePointer(&mapped, (void *)(uintptr_t)host, 0));
		host[0] = host[1] = 0;
		by_the_host();
	} else {
		OK(cuStreamWaitValue32(a, words, 1, CU_STREAM_WAIT_VALUE_EQ));
		if (!strcmp(argv[1], "hangs"))
			GIVES(CUDA_ERROR_LAUNCH_TIMEOUT, cuStreamSynchronize(a));
	}
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
