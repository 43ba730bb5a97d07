/* tests/host/streams/streams_copies.c -- copies and fills: what they overlap with, the engines they share,
 * the time they take. */
#include "streams_rig.h"

enum { BYTES = 400000 }; /* about 80 us over PCI Express */

static CUstream s[2];
static CUdeviceptr device[2];
static uint8_t *pinned[2];

static void span_copy(struct span *span, int i, int is_back)
{
	span_begin(span, s[i]);
	if (is_back)
		OK(cuMemcpyDtoHAsync(pinned[i], device[i], BYTES, s[i]));
	else
		OK(cuMemcpyHtoDAsync(device[i], pinned[i], BYTES, s[i]));
	span_end(span);
}

static double copy_alone(int is_back)
{
	struct span a;

	OK(cuCtxSynchronize());
	span_copy(&a, 0, is_back);
	span_read(&rig, &a);
	return span_length(&a);
}

static int near(double a, double b)
{
	return a < b * 1.001 + 0.01 && b < a * 1.001 + 0.01;
}

/* 5.7 GB/s and 10 us, as the default configuration has them. */
static void a_copy_takes_latency_and_bytes(void)
{
	for (int i = 0; i < BYTES; i++)
		pinned[0][i] = (uint8_t)(i * 7);
	TRUE(near(copy_alone(0), 10 + BYTES / 5.7e3));
	memset(pinned[0], 0, BYTES);
	TRUE(near(copy_alone(1), 10 + BYTES / 5.7e3));
	for (int i = 0; i < BYTES; i += 997)
		TRUE(pinned[0][i] == (uint8_t)(i * 7));
}

static void copies_share_engines(int first_is_back, int second_is_back)
{
	int is_shared = engines == 1 || first_is_back == second_is_back;
	double length = copy_alone(0);
	struct span a, b;

	OK(cuCtxSynchronize());
	span_copy(&a, 0, first_is_back);
	span_copy(&b, 1, second_is_back);
	OK(cuCtxSynchronize());
	span_read(&rig, &a);
	span_read(&rig, &b);
	TRUE(near(span_length(&a), length));
	TRUE(near(span_union(&a, &b), is_shared ? 2 * length : length));
}

static void a_copy_overlaps_with_a_kernel_of_another_stream(int is_back)
{
	double length = copy_alone(is_back);
	uint32_t rounds = (uint32_t)(LONG * length / (is_timed ? alone : length));
	CUdeviceptr p = rig_memory(128);
	struct span a, b;

	for (int same = 0; same < 2; same++) {
		OK(cuCtxSynchronize());
		span_kernel(&rig, &a, s[!same], p, rounds);
		span_copy(&b, 0, is_back);
		OK(cuCtxSynchronize());
		span_read(&rig, &a);
		span_read(&rig, &b);
		if (same)
			TRUE(b.start >= a.end);
		TIMED(same ? span_union(&a, &b) > 1.9 * length : span_union(&a, &b) < 1.1 * length);
		TRUE(near(span_length(&b), length));
	}
	OK(cuMemFree(p));
}

/* A kernel, the copy of its result, another stream's kernel on the copy: data go where events say. */
static void results_travel(void)
{
	CUdeviceptr p = rig_memory(512), q = p + 256;
	uint32_t *through = (uint32_t *)pinned[1];
	CUevent e;

	OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
	OK(cuCtxSynchronize());
	OK(rig_affine(&rig, s[0], p, 32, 3, 1, LONG));
	OK(cuMemcpyDtoHAsync(through, p, 128, s[0]));
	OK(cuEventRecord(e, s[0]));
	OK(cuStreamWaitEvent(s[1], e, 0));
	OK(cuMemcpyHtoDAsync(q, through, 128, s[1]));
	OK(rig_affine(&rig, s[1], q, 32, 5, 2, 1));
	OK(cuStreamSynchronize(s[1]));
	uint32_t value = rig_affine_of(0, 3, 1, LONG);
	TRUE(through[0] == value && through[31] == value);
	TRUE(rig_word(q) == 5 * value + 2);
	OK(cuEventDestroy(e));
	OK(cuMemFree(p));
}

/* Pageable host memory: what is to be copied is taken at the call, what comes back is there at its return. */
static void pageable_memory_is_staged(void)
{
	static uint32_t data[1000], back[1000];
	CUdeviceptr p = rig_memory(sizeof data);

	for (uint32_t i = 0; i < 1000; i++)
		data[i] = i;
	OK(cuMemcpyHtoDAsync(p, data, sizeof data, s[0]));
	memset(data, 0, sizeof data);
	OK(rig_affine(&rig, s[0], p, 1000, 1, 1, 1));
	OK(cuMemcpyDtoHAsync(back, p, sizeof back, s[0]));
	TRUE(back[0] == 1 && back[999] == 1000);
	OK(cuMemFree(p));
}

static void a_synchronous_copy_is_one_of_the_default_stream(void)
{
	CUstream blocking = rig_stream(CU_STREAM_DEFAULT);
	CUdeviceptr p = rig_memory(512);
	struct span in_blocking, in_unbound;
	CUevent now;

	OK(cuEventCreate(&now, CU_EVENT_DEFAULT));
	OK(cuCtxSynchronize());
	span_kernel(&rig, &in_blocking, blocking, p, LONG);
	span_kernel(&rig, &in_unbound, s[0], p + 256, 4 * LONG);
	TRUE(rig_word(p) == rig_affine_of(0, 3, 1, LONG));
	OK(cuEventRecord(now, rig.clock));
	double time = rig_time(&rig, now);
	span_read(&rig, &in_blocking);
	span_read(&rig, &in_unbound);
	TRUE(time > in_blocking.end);
	TIMED(time < in_unbound.end);
	OK(cuStreamDestroy(blocking));
	OK(cuEventDestroy(now));
	OK(cuMemFree(p));
}

/* 384 bits of GDDR5 at 3.696 Gb/s a pin: each byte written and read goes over it once. */
static void fills_and_copies_within_the_device_take_the_memorys_time(void)
{
	double bytes_per_us = 384 / 8 * 3.696e3;
	struct span fill, copy;

	OK(cuCtxSynchronize());
	span_begin(&fill, s[0]);
	OK(cuMemsetD32Async(device[0], 0x01020304, BYTES / 4, s[0]));
	span_end(&fill);
	OK(cuStreamSynchronize(s[0]));
	span_begin(&copy, s[1]);
	OK(cuMemcpyDtoDAsync(device[1], device[0], BYTES, s[1]));
	span_end(&copy);
	OK(cuCtxSynchronize());
	span_read(&rig, &fill);
	span_read(&rig, &copy);
	TRUE(near(span_length(&fill), BYTES / bytes_per_us));
	TRUE(near(span_length(&copy), 2 * BYTES / bytes_per_us));
	TRUE(rig_word(device[1] + BYTES - 4) == 0x01020304);
}

/* The host sees pinned and managed memory without a copy: a synchronous fill is done when it returns. */
static void a_fill_of_what_the_host_sees_is_waited_for(void)
{
	CUdeviceptr managed;

	memset(pinned[0], 0, 64);
	OK(cuMemsetD8((CUdeviceptr)(uintptr_t)pinned[0], 0x55, 64));
	TRUE(pinned[0][0] == 0x55 && pinned[0][63] == 0x55);
	OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemsetD8(managed, 0x33, 64));
	TRUE(*(uint8_t *)(uintptr_t)managed == 0x33);
	OK(cuMemFree(managed));
}

void copies(void)
{
	int count = 0;

	OK(cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 0));
	TRUE(count == engines);
	for (int i = 0; i < 2; i++) {
		s[i] = rig_stream(CU_STREAM_NON_BLOCKING);
		device[i] = rig_memory(BYTES);
		OK(cuMemAllocHost((void **)&pinned[i], BYTES));
	}
	a_copy_takes_latency_and_bytes();
	for (int i = 0; i < 4; i++)
		copies_share_engines(i & 1, i >> 1);
	a_copy_overlaps_with_a_kernel_of_another_stream(0);
	a_copy_overlaps_with_a_kernel_of_another_stream(1);
	results_travel();
	pageable_memory_is_staged();
	a_synchronous_copy_is_one_of_the_default_stream();
	fills_and_copies_within_the_device_take_the_memorys_time();
	a_fill_of_what_the_host_sees_is_waited_for();
	for (int i = 0; i < 2; i++) {
		OK(cuStreamDestroy(s[i]));
		OK(cuMemFree(device[i]));
		OK(cuMemFreeHost(pinned[i]));
	}
}
