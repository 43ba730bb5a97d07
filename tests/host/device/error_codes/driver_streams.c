/* tests/host/device/error_codes/driver_streams.c -- cases: streams, events, values in memory. */
#include "driver.h"

static void nothing(CUstream s, CUresult status, void *user)
{
	(void)s;
	(void)status;
	(void)user;
}

void stream_cases(void)
{
	CUstream s, low;
	CUcontext c;
	CUstreamAttrValue value = { { 0 } };
	CUstreamCaptureStatus status;
	int priority;
	unsigned flags;
	unsigned long long id;

	open_device();
	CASE(cuStreamCreate(NULL, 0));
	CASE(cuStreamCreate(&s, 77));
	CASE(cuStreamCreateWithPriority(&s, 77, 0));
	NEEDS(cuStreamCreateWithPriority(&low, 0, 100));
	VALUE(cuStreamGetPriority(low, &priority), priority);
	NEEDS(cuStreamCreateWithPriority(&s, 0, -1));
	VALUE(cuStreamGetPriority(s, &priority), priority);
	CASE(cuStreamGetPriority(NULL, &priority));
	CASE(cuStreamGetPriority(s, NULL));
	VALUE(cuStreamGetFlags(stream, &flags), flags);
	VALUE(cuStreamGetFlags(NULL, &flags), flags);
	CASE(cuStreamGetFlags(s, NULL));
	CASE(cuStreamGetId(s, NULL));
	CASE(cuStreamGetId(NULL, &id));
	CASE(cuStreamGetCtx(NULL, &c));
	CASE(cuStreamGetCtx(s, NULL));
	CASE(cuStreamGetAttribute(s, (CUstreamAttrID)99, &value));
	CASE(cuStreamSetAttribute(s, (CUstreamAttrID)99, &value));
	CASE(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
	CASE(cuStreamSetAttribute(s, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
	CASE(cuStreamIsCapturing(s, NULL));
	CASE(cuStreamIsCapturing(s, &status));
	CASE(cuStreamWaitEvent(s, NULL, 0));
	CASE(cuStreamAddCallback(s, NULL, NULL, 0));
	CASE(cuStreamAddCallback(s, nothing, NULL, 1));
	CASE(cuStreamAddCallback(s, nothing, NULL, 0));
	CASE(cuStreamSynchronize(s));
	CASE(cuStreamQuery(s));
	CASE(cuStreamQuery(CU_STREAM_LEGACY));
	CASE(cuStreamQuery(CU_STREAM_PER_THREAD));
	CASE(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	CASE(cuStreamDestroy(CU_STREAM_LEGACY));
	CASE(cuStreamDestroy(CU_STREAM_PER_THREAD));
	CASE(cuStreamDestroy(NULL));
	CASE(cuStreamDestroy(s));
}

void event_cases(void)
{
	CUevent e, plain, never, first;
	float ms;

	open_device();
	CASE(cuEventCreate(NULL, 0));
	CASE(cuEventCreate(&e, 0x80));
	CASE(cuEventCreate(&e, CU_EVENT_INTERPROCESS));
	NEEDS(cuEventCreate(&e, 0));
	NEEDS(cuEventCreate(&first, CU_EVENT_BLOCKING_SYNC));
	NEEDS(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
	NEEDS(cuEventCreate(&never, 0));
	CASE(cuEventQuery(never));
	CASE(cuEventSynchronize(never));
	CASE(cuStreamWaitEvent(stream, never, 0));
	CASE(cuStreamWaitEvent(stream, never, 77));
	CASE(cuEventElapsedTime(&ms, never, never));
	CASE(cuEventRecord(NULL, stream));
	CASE(cuEventRecord(first, stream));
	CASE(cuEventRecord(e, stream));
	CASE(cuEventRecord(plain, stream));
	CASE(cuEventRecordWithFlags(e, stream, 77));
	CASE(cuEventRecordWithFlags(e, stream, CU_EVENT_RECORD_EXTERNAL));
	CASE(cuStreamSynchronize(stream));
	CASE(cuEventQuery(e));
	CASE(cuEventQuery(NULL));
	CASE(cuEventSynchronize(NULL));
	CASE(cuEventElapsedTime(&ms, first, e));
	CASE(cuEventElapsedTime(NULL, first, e));
	CASE(cuEventElapsedTime(&ms, first, plain));
	CASE(cuEventElapsedTime(&ms, first, never));
	CASE(cuEventElapsedTime(&ms, NULL, e));
	CASE(cuEventDestroy(e));
	CASE(cuEventDestroy(NULL));
}

void value_cases(void)
{
	static unsigned pageable[4];
	CUdeviceptr gone;

	open_device();
	NEEDS(cuMemAlloc(&gone, 1 << 22));
	NEEDS(cuMemFree(gone));
	CASE(cuStreamWriteValue32(stream, memory, 5, 0));
	CASE(cuStreamWriteValue32(stream, memory + 2, 5, 0));
	CASE(cuStreamWriteValue32(stream, 0, 5, 0));
	CASE(cuStreamWriteValue32(stream, (CUdeviceptr)pageable, 5, 0));
	CASE(cuStreamWriteValue32(stream, gone, 5, 0));
	CASE(cuStreamWriteValue32(stream, memory, 5, 0x80));
	CASE(cuStreamWriteValue64(stream, memory + 8, 5, 0));
	CASE(cuStreamWriteValue64(stream, memory + 4, 5, 0));
	CASE(cuStreamWaitValue32(stream, memory, 5, 0));
	CASE(cuStreamWaitValue32(stream, memory, 5, 1));
	CASE(cuStreamWaitValue32(stream, memory, 4, 2));
	CASE(cuStreamWaitValue32(stream, memory, 5, 0x80));
	CASE(cuStreamWaitValue32(stream, memory + 2, 5, 0));
	CASE(cuStreamWaitValue64(stream, memory + 8, 5, 0));
	CASE(cuStreamWaitValue64(stream, memory + 12, 5, 0));
	CASE(cuStreamBatchMemOp(stream, 0, NULL, 0));
	CASE(cuStreamBatchMemOp(stream, 1, NULL, 0));
	CASE(cuStreamSynchronize(stream));
}
