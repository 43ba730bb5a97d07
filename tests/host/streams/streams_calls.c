/* tests/host/streams/streams_calls.c -- functions of the program's in streams, several threads of the host,
 * and faults. */
#include "streams_rig.h"

#include <unistd.h>

static char trace[32];
static unsigned traced;

static void CUDA_CB note(void *letter)
{
	CUdeviceptr p;

	FAILS(cuMemAlloc(&p, 4), NOT_PERMITTED);
	if (traced < sizeof trace - 1)
		trace[traced++] = *(const char *)letter;
}

static void CUDA_CB note_status(CUstream stream, CUresult status, void *letter)
{
	char small = (char)(*(const char *)letter + 32);

	note(status == CUDA_SUCCESS ? letter : &small);
	TRUE(stream != NULL);
}

static void trace_begin(void)
{
	memset(trace, 0, sizeof trace);
	traced = 0;
}

static void functions_run_in_the_order_of_their_streams(void)
{
	CUstream a = rig_stream(CU_STREAM_NON_BLOCKING), b = rig_stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p = rig_memory(512);
	struct span span;

	trace_begin();
	OK(cuCtxSynchronize());
	OK(rig_affine(&rig, a, p, 32, 3, 1, 2 * LONG));
	OK(cuLaunchHostFunc(a, note, "C"));
	OK(cuStreamAddCallback(a, note_status, "D", 0));
	OK(cuLaunchHostFunc(b, note, "A"));
	OK(rig_affine(&rig, b, p + 256, 32, 3, 1, LONG));
	OK(cuStreamAddCallback(b, note_status, "B", 0));
	OK(cuStreamSynchronize(b));
	if (is_timed)
		TRUE(!strcmp(trace, "AB"));
	OK(cuStreamSynchronize(a));
	TRUE(!strcmp(trace, is_timed ? "ABCD" : "ACDB") || (!is_timed && strlen(trace) == 4));
	span_begin(&span, a);
	OK(cuLaunchHostFunc(a, note, "E"));
	span_end(&span);
	span_read(&rig, &span);
	TRUE(span_length(&span) == 0);
	OK(cuStreamDestroy(a));
	OK(cuStreamDestroy(b));
	OK(cuMemFree(p));
}

/* -- a thread for each stream -- */

enum { THREADS = 6, ROUNDS = 8 };

struct worker {
	pthread_t thread;
	uint32_t number, result;
	int is_default; /* its own default stream */
};

static void *work(void *user)
{
	struct worker *w = user;

	OK(cuCtxSetCurrent(rig.context));
	CUstream s = w->is_default ? CU_STREAM_PER_THREAD
				   : rig_stream(w->number % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT);
	CUdeviceptr p = rig_memory(4000);
	uint32_t *back;
	OK(cuMemAllocHost((void **)&back, 4000));
	OK(cuStreamSynchronize(NULL));
	for (uint32_t i = 0; i < ROUNDS; i++) {
		OK(rig_affine(&rig, s, p, 1000, 3, w->number + i, 10));
		OK(cuMemcpyDtoHAsync(back, p, 4000, s));
		if (i % 3 == w->number % 3)
			OK(cuStreamSynchronize(s));
	}
	OK(cuStreamSynchronize(s));
	w->result = back[999];
	if (!w->is_default)
		OK(cuStreamDestroy(s));
	OK(cuMemFree(p));
	OK(cuMemFreeHost(back));
	return NULL;
}

static void every_thread_may_have_its_stream(void)
{
	struct worker w[THREADS];

	for (uint32_t i = 0; i < THREADS; i++) {
		w[i] = (struct worker){ .number = i, .is_default = i % 3 == 2 };
		pthread_create(&w[i].thread, NULL, work, &w[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		uint32_t expected = 0;
		pthread_join(w[i].thread, NULL);
		for (uint32_t j = 0; j < ROUNDS; j++)
			expected = rig_affine_of(expected, 3, i + j, 10);
		TRUE(w[i].result == expected);
	}
}

/* Default streams of two threads are two. */
static void *other_default(void *user)
{
	CUdeviceptr p = *(CUdeviceptr *)user;

	OK(cuCtxSetCurrent(rig.context));
	OK(rig_affine(&rig, CU_STREAM_PER_THREAD, p, 32, 3, 1, 4 * LONG));
	return NULL;
}

static void default_streams_of_threads_differ(void)
{
	CUdeviceptr p = rig_memory(512), q = p + 256;
	CUevent own, all;
	pthread_t thread;

	OK(cuEventCreate(&own, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&all, CU_EVENT_DEFAULT));
	OK(cuCtxSynchronize());
	pthread_create(&thread, NULL, other_default, &p);
	pthread_join(thread, NULL);
	OK(rig_affine(&rig, CU_STREAM_PER_THREAD, q, 32, 3, 1, LONG));
	OK(cuEventRecord(own, CU_STREAM_PER_THREAD));
	OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
	OK(cuCtxSynchronize());
	OK(cuEventRecord(all, rig.clock));
	TIMED(rig_time(&rig, all) > rig_time(&rig, own) + 2 * alone);
	TRUE(rig_word(p) == rig_affine_of(0, 3, 1, 4 * LONG));
	OK(cuEventDestroy(own));
	OK(cuEventDestroy(all));
	OK(cuMemFree(p));
}

/* A function that waits for a thread that calls us: the lock must be free, and nobody else goes on meanwhile.
 */
static void *record_now(void *user)
{
	OK(cuCtxSetCurrent(rig.context));
	OK(cuEventRecord(*(CUevent *)user, rig.clock));
	return NULL;
}

static void CUDA_CB wait_for_thread(void *user)
{
	pthread_t thread;

	pthread_create(&thread, NULL, record_now, user);
	pthread_join(thread, NULL);
}

static void a_function_may_wait_for_a_thread_that_calls(void)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	CUevent e;

	OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
	OK(cuLaunchHostFunc(s, wait_for_thread, &e));
	OK(cuStreamSynchronize(s));
	OK(cuEventSynchronize(e));
	TRUE(rig_time(&rig, e) >= 0);
	OK(cuEventDestroy(e));
	OK(cuStreamDestroy(s));
}

void calls(void)
{
	functions_run_in_the_order_of_their_streams();
	every_thread_may_have_its_stream();
	default_streams_of_threads_differ();
	a_function_may_wait_for_a_thread_that_calls();
}

/* A stray store while other streams run: all end with it, callbacks are told, every later call says it. */
void faults(void)
{
	struct rig other = { 0 };
	CUcontext popped;
	CUdeviceptr p, q;
	CUevent e;
	CUstream s[4];
	uint32_t times = LONG / 2, *back;
	void *params[] = { &p, &times };

#if CUDA_VERSION >= 13000
	OK(cuCtxCreate(&other.context, NULL, 0, 0));
#else
	OK(cuCtxCreate(&other.context, 0, 0));
#endif
	rig_load(&other);
	p = rig_memory(512);
	q = p + 256;
	OK(cuMemAllocHost((void **)&back, 1 << 20));
	memset(back, 0, 128);
	for (int i = 0; i < 4; i++)
		s[i] = rig_stream(CU_STREAM_NON_BLOCKING);
	OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
	OK(cuCtxSynchronize());
	trace_begin();
	OK(cuLaunchKernel(other.stray, 1, 1, 1, 32, 1, 1, 0, s[0], params, NULL));
	OK(rig_affine(&other, s[1], q, 32, 3, 1, 8 * LONG));
	OK(cuStreamAddCallback(s[1], note_status, "A", 0));
	OK(cuLaunchHostFunc(s[1], note, "B"));
	OK(cuStreamWaitEvent(s[2], e, 0));
	OK(rig_affine(&other, s[2], q, 32, 3, 1, LONG));
	OK(cuEventRecord(e, s[2]));
	OK(cuMemsetD8Async(p, 7, 512, s[3]));
	OK(cuMemcpyDtoHAsync(back, p, 512, s[3]));
	FAILS(cuStreamSynchronize(s[0]), ILLEGAL_ADDRESS);
	FAILS(cuStreamSynchronize(s[1]), ILLEGAL_ADDRESS);
	FAILS(cuEventSynchronize(e), ILLEGAL_ADDRESS);
	FAILS(cuStreamQuery(s[3]), ILLEGAL_ADDRESS);
	FAILS(cuMemFree(p), ILLEGAL_ADDRESS);
	FAILS(rig_affine(&other, s[1], q, 32, 3, 1, 1), ILLEGAL_ADDRESS);
	OK(cuCtxPopCurrent(&popped));
	TRUE(popped == other.context);
	OK(cuCtxDestroy(other.context));
	TRUE(!strcmp(trace, "a"));

	/* the other context lives, and its kernels run */
	OK(cuCtxSynchronize());
	CUdeviceptr r = rig_memory(128);
	TRUE(rig_word(r) == 0);
	CUstream t = rig_stream(CU_STREAM_NON_BLOCKING);
	OK(rig_affine(&rig, t, r, 32, 3, 1, 1));
	OK(cuCtxSynchronize());
	TRUE(rig_word(r) == 1);
	OK(cuMemFree(r));
}
