/* tests/host/streams/streams.c -- streams from a program's side: what runs together and what waits, by event
 * times and by results.
 *
 * One argument: the number of copy engines that the device is to have. With --functional kernels take no
 * time, so only order and results are looked at. */
#include "streams_rig.h"

#include <unistd.h>

struct rig rig;
int failures, checks, is_timed, engines;
double alone;

static void measure(void)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p = rig_memory(128);
	struct span k;

	OK(cuCtxSynchronize());
	span_kernel(&rig, &k, s, p, LONG);
	span_read(&rig, &k);
	alone = span_length(&k);
	TRUE(is_timed ? alone > 10 : alone == 0);
	OK(cuStreamDestroy(s));
	OK(cuMemFree(p));
}

/* Two kernels, each in its stream; whether the two together took less time than one after the other. */
static int overlap(CUstream first, CUstream second)
{
	CUdeviceptr p = rig_memory(512);
	struct span a, b;

	OK(cuCtxSynchronize());
	span_kernel(&rig, &a, first, p, LONG);
	span_kernel(&rig, &b, second, p + 256, LONG);
	OK(cuCtxSynchronize());
	span_read(&rig, &a);
	span_read(&rig, &b);
	TRUE(rig_word(p) == rig_word(p + 256) && rig_word(p) != 0);
	OK(cuMemFree(p));
	double together = span_union(&a, &b);
	TIMED(together < 1.2 * alone || together > 1.95 * alone);
	TIMED(together < 2.3 * alone);
	return together < 1.2 * alone;
}

static void kernels_of_two_streams_overlap(void)
{
	CUstream a = rig_stream(CU_STREAM_NON_BLOCKING), b = rig_stream(CU_STREAM_DEFAULT),
		 c = rig_stream(CU_STREAM_DEFAULT);

	TIMED(overlap(a, b));
	TIMED(overlap(b, c));
	TIMED(!overlap(a, a));
	TIMED(!overlap(b, b));
	TIMED(!overlap(NULL, NULL));
	OK(cuStreamDestroy(a));
	OK(cuStreamDestroy(b));
	OK(cuStreamDestroy(c));
}

static void the_default_stream_blocks_and_is_blocked(void)
{
	CUstream blocking = rig_stream(CU_STREAM_DEFAULT), unbound = rig_stream(CU_STREAM_NON_BLOCKING);

	TIMED(!overlap(NULL, blocking));
	TIMED(!overlap(blocking, NULL));
	TIMED(!overlap(CU_STREAM_LEGACY, blocking));
	TIMED(overlap(NULL, unbound));
	TIMED(overlap(unbound, NULL));
	TIMED(overlap(CU_STREAM_PER_THREAD, blocking));
	TIMED(overlap(CU_STREAM_PER_THREAD, unbound));
	TIMED(!overlap(CU_STREAM_PER_THREAD, CU_STREAM_PER_THREAD));
	TIMED(!overlap(CU_STREAM_PER_THREAD, NULL));
	TIMED(!overlap(NULL, CU_STREAM_PER_THREAD));
	FAILS(cuStreamDestroy(CU_STREAM_PER_THREAD), INVALID_HANDLE);
	FAILS(cuStreamDestroy(NULL), INVALID_HANDLE);
	OK(cuStreamDestroy(blocking));
	OK(cuStreamDestroy(unbound));
}

/* What programs call that were compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM. */
CUresult launch_ptsz(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
	CUstream, void **, void **) __asm__("cuLaunchKernel_ptsz");
CUresult record_ptsz(CUevent, CUstream) __asm__("cuEventRecord_ptsz");
CUresult synchronize_ptsz(CUstream) __asm__("cuStreamSynchronize_ptsz");
CUresult copy_back_ptds(void *, CUdeviceptr, size_t) __asm__("cuMemcpyDtoH_v2_ptds");

static void per_thread_symbols_mean_the_threads_stream(void)
{
	CUdeviceptr p = rig_memory(512), q = p + 256;
	uint32_t n = 32, m = 3, a = 1, times = LONG, value = 0;
	void *params[] = { &p, &n, &m, &a, &times };
	CUevent end, later;
	CUstream blocking = rig_stream(CU_STREAM_DEFAULT);

	OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&later, CU_EVENT_DEFAULT));
	OK(cuCtxSynchronize());
	OK(launch_ptsz(rig.affine, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
	OK(rig_affine(&rig, blocking, q, 32, 3, 1, 2 * LONG));
	OK(cuEventRecord(later, blocking));
	OK(record_ptsz(end, NULL));
	OK(copy_back_ptds(&value, p, 4)); /* waits for the thread's stream, not for the other */
	TRUE(value != 0 && value == rig_word(p));
	TIMED(rig_time(&rig, end) + 0.5 * alone < rig_time(&rig, later));
	OK(synchronize_ptsz(NULL));
	OK(cuEventDestroy(end));
	OK(cuEventDestroy(later));
	OK(cuStreamDestroy(blocking));
	OK(cuMemFree(p));
}

/* gpu.launch of a GTX 480: 3.6 us to the first CTA on an idle chip, 1.8 us for a launch that has waited in
 * its stream, 0.6 us from the last CTA to the end. */
static void a_launch_in_a_row_starts_sooner(void)
{
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p = rig_memory(128);
	struct span k[3];

	for (int i = 0; i < 3; i++) { /* the first fills the caches; the third waits for the second */
		if (i < 2)
			OK(cuCtxSynchronize());
		span_kernel(&rig, &k[i], s, p, 1);
	}
	OK(cuCtxSynchronize());
	for (int i = 0; i < 3; i++)
		span_read(&rig, &k[i]);
	TIMED(span_length(&k[1]) > 4.2 && span_length(&k[2]) > 2.4);
	TIMED(span_length(&k[1]) - span_length(&k[2]) > 1.7 && span_length(&k[1]) - span_length(&k[2]) < 1.9);
	OK(cuStreamDestroy(s));
	OK(cuMemFree(p));
}

static void events_chain_three_streams(void)
{
	CUstream s[3];
	CUevent done;
	struct span k[3];
	CUdeviceptr p = rig_memory(128);

	for (int i = 0; i < 3; i++)
		s[i] = rig_stream(CU_STREAM_NON_BLOCKING);
	OK(cuCtxSynchronize());
	for (uint32_t i = 0; i < 3; i++) {
		if (i) {
			OK(cuStreamWaitEvent(s[i], done, 0));
			OK(cuEventDestroy(done)); /* who waits goes on waiting */
		}
		span_begin(&k[i], s[i]);
		OK(rig_affine(&rig, s[i], p, 32, 3 + 2 * i, 1 + i, i == 0 ? LONG : 1));
		span_end(&k[i]);
		OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
		OK(cuEventRecord(done, s[i]));
	}
	OK(cuStreamSynchronize(s[2]));
	for (int i = 0; i < 3; i++)
		span_read(&rig, &k[i]);
	TRUE(k[1].start >= k[0].end && k[2].start >= k[1].end);
	TRUE(rig_word(p) == rig_affine_of(rig_affine_of(rig_affine_of(0, 3, 1, LONG), 5, 2, 1), 7, 3, 1));
	for (int i = 0; i < 3; i++)
		OK(cuStreamDestroy(s[i]));
	OK(cuEventDestroy(done));
	OK(cuMemFree(p));
}

/* The most recent record at the time of the call counts, whatever is recorded later. */
static void a_wait_is_for_the_record_before_it(void)
{
	CUstream a = rig_stream(CU_STREAM_NON_BLOCKING), b = rig_stream(CU_STREAM_NON_BLOCKING),
		 c = rig_stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p = rig_memory(128);
	CUevent e, early, late, end;

	OK(cuEventCreate(&e, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&early, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&late, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
	OK(cuStreamWaitEvent(c, e, 0)); /* never recorded: nothing to wait for */
	OK(cuCtxSynchronize());
	OK(rig_affine(&rig, a, p, 32, 3, 1, LONG));
	OK(cuEventRecord(e, a));
	OK(cuStreamWaitEvent(b, e, 0)); /* for the first kernel */
	OK(cuEventRecord(early, b));
	OK(rig_affine(&rig, a, p, 32, 3, 1, LONG));
	OK(cuEventRecord(e, a));
	OK(cuStreamWaitEvent(c, e, 0)); /* for both */
	OK(cuEventRecord(late, c));
	OK(rig_affine(&rig, a, p, 32, 3, 1, LONG));
	OK(cuEventRecord(end, a));
	OK(cuEventSynchronize(e));
	double recorded = rig_time(&rig, e), first = rig_time(&rig, early), second = rig_time(&rig, late),
	       last = rig_time(&rig, end);
	TRUE(second == recorded);
	TIMED(first < recorded - 0.9 * alone && recorded < last - 0.9 * alone);
	OK(cuEventDestroy(e));
	OK(cuEventDestroy(early));
	OK(cuEventDestroy(late));
	OK(cuEventDestroy(end));
	OK(cuStreamDestroy(a));
	OK(cuStreamDestroy(b));
	OK(cuStreamDestroy(c));
	OK(cuMemFree(p));
}

/* Waiting for one stream leaves the others' work under way, and time stands still while the host does
 * something else. */
static void synchronizing_waits_for_no_more_than_it_says(void)
{
	CUstream a = rig_stream(CU_STREAM_NON_BLOCKING), b = rig_stream(CU_STREAM_NON_BLOCKING);
	CUdeviceptr p = rig_memory(512);
	CUevent end_a, end_b, now, after;

	OK(cuEventCreate(&end_a, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&end_b, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&now, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&after, CU_EVENT_DEFAULT));
	OK(cuCtxSynchronize());
	OK(rig_affine(&rig, a, p, 32, 3, 1, LONG));
	OK(cuEventRecord(end_a, a));
	OK(rig_affine(&rig, b, p + 256, 32, 3, 1, 4 * LONG));
	OK(cuEventRecord(end_b, b));
	OK(cuStreamSynchronize(a));
	usleep(1000);
	OK(cuEventRecord(now, rig.clock));
	OK(cuEventSynchronize(now));
	TRUE(rig_time(&rig, now) == rig_time(&rig, end_a));
	OK(cuMemFree(p)); /* waits for all: b's kernel is still at it */
	OK(cuEventRecord(after, rig.clock));
	TRUE(rig_time(&rig, after) == rig_time(&rig, end_b));
	TIMED(rig_time(&rig, end_b) > rig_time(&rig, now) + 2 * alone);
	OK(cuEventQuery(after));
	OK(cuStreamQuery(b));
	OK(cuEventDestroy(end_a));
	OK(cuEventDestroy(end_b));
	OK(cuEventDestroy(now));
	OK(cuEventDestroy(after));
	OK(cuStreamDestroy(a));
	OK(cuStreamDestroy(b));
}

/* More streams than kernels run at once. */
static void many_streams(void)
{
	enum { N = 40 };
	CUstream s[N];
	struct span k[N];
	CUdeviceptr p = rig_memory(N * 128);
	double first = 1e30, last = 0;

	for (int i = 0; i < N; i++)
		s[i] = rig_stream(i % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT);
	OK(cuCtxSynchronize());
	for (int i = 0; i < N; i++) {
		span_begin(&k[i], s[i]);
		OK(rig_affine(&rig, s[i], p + (CUdeviceptr)i * 128, 32, 3, (uint32_t)i, LONG));
		span_end(&k[i]);
		OK(cuStreamDestroy(s[i])); /* what is queued still runs */
	}
	FAILS(cuStreamSynchronize(s[0]), INVALID_HANDLE);
	OK(cuCtxSynchronize());
	for (int i = 0; i < N; i++) {
		span_read(&rig, &k[i]);
		first = k[i].start < first ? k[i].start : first;
		last = k[i].end > last ? k[i].end : last;
		TIMED(span_length(&k[i]) > 0.95 * alone);
	}
	TIMED(last - first > 2.9 * alone); /* 16 + 16 + 8 */
	TIMED(last - first < 4.5 * alone);
	for (uint32_t i = 0; i < N; i++)
		TRUE(rig_word(p + i * 128) == rig_affine_of(0, 3, i, LONG));
	OK(cuMemFree(p));
}

/* Two contexts share the device by turns. */
static void kernels_of_two_contexts_do_not_overlap(void)
{
	struct rig other = { 0 };
	CUdeviceptr p = rig_memory(128), q;
	struct span a, b;
	CUcontext popped;
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);

#if CUDA_VERSION >= 13000
	OK(cuCtxCreate(&other.context, NULL, 0, 0));
#else
	OK(cuCtxCreate(&other.context, 0, 0));
#endif
	rig_load(&other);
	q = rig_memory(128);
	OK(cuCtxSynchronize());
	span_kernel(&other, &b, other.clock, q, LONG);
	OK(cuCtxPopCurrent(&popped));
	span_kernel(&rig, &a, s, p, LONG);
	OK(cuStreamSynchronize(s));
	span_read(&rig, &a);
	OK(cuCtxPushCurrent(other.context));
	span_read(&rig, &b);
	TIMED(a.end >= b.end + 0.95 * alone);
	OK(cuCtxDestroy(other.context));
	OK(cuStreamDestroy(s));
	OK(cuMemFree(p));
}

int main(int count, char **arguments)
{
	engines = count > 1 ? atoi(arguments[1]) : 1;
	is_timed = !getenv("LOCKSTEP_FUNCTIONAL");
	OK(cuInit(0));
	OK(cuDevicePrimaryCtxRetain(&rig.context, 0));
	OK(cuCtxSetCurrent(rig.context));
	rig_load(&rig);
	measure();
	kernels_of_two_streams_overlap();
	the_default_stream_blocks_and_is_blocked();
	per_thread_symbols_mean_the_threads_stream();
	a_launch_in_a_row_starts_sooner();
	events_chain_three_streams();
	a_wait_is_for_the_record_before_it();
	synchronizing_waits_for_no_more_than_it_says();
	many_streams();
	kernels_of_two_contexts_do_not_overlap();
	copies();
	calls();
	for (uint32_t seed = 1; seed <= (getenv("SANITIZE") ? 2u : 6u); seed++) /* fewer where everything is
										   slow */
		random_operations(seed);
	faults();
	printf("streams: %d checks, %d failures\n", checks, failures);
	return failures != 0;
}
