/* memory.c -- memory of the host and of the device, which lasts until the end of the program. */
#include "bench.h"

void *bench_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		bench_die("out of memory: %zu elements of %zu bytes", count, size);
	return p;
}

void *bench_room(void *list, size_t count, size_t size)
{
	if (count & (count - 1)) /* grown at 0, 1, 2, 4, 8 ... */
		return list;
	list = realloc(list, (count ? 2 * count : 1) * size);
	if (!list)
		bench_die("out of memory: %zu elements of %zu bytes", 2 * count, size);
	return list;
}

void *bench_host(struct bench *b, size_t count, size_t size)
{
	b->host = bench_room(b->host, b->host_count, sizeof *b->host);
	return b->host[b->host_count++] = bench_alloc(count, size);
}

float *bench_floats(struct bench *b, size_t count)
{
	return bench_host(b, count, sizeof(float));
}

float *bench_random_floats(struct bench *b, size_t count)
{
	float *values = bench_floats(b, count);

	bench_fill_f32(values, count, &b->seed);
	return values;
}

static size_t device_bytes;

CUdeviceptr bench_device_alloc(size_t count, size_t size)
{
	CUdeviceptr p;

	CHECK(cuMemAlloc(&p, count * size));
	device_bytes += count * size;
	return p;
}

size_t bench_device_bytes(void)
{
	return device_bytes;
}

/* The same until bench_end(). */
static CUdeviceptr device_kept(struct bench *b, size_t count, size_t size)
{
	b->on_device = bench_room(b->on_device, b->on_device_count, sizeof *b->on_device);
	return b->on_device[b->on_device_count++] = bench_device_alloc(count, size);
}

CUdeviceptr bench_device(struct bench *b, size_t count, size_t size)
{
	CUdeviceptr p = device_kept(b, count, size);

	CHECK(cuMemsetD8(p, 0xff, count * size));
	return p;
}

CUdeviceptr bench_device_copy(struct bench *b, const void *from, size_t count, size_t size)
{
	CUdeviceptr p = device_kept(b, count, size);

	CHECK(cuMemcpyHtoD(p, from, count * size));
	return p;
}

CUdeviceptr bench_device_words(struct bench *b, size_t count, uint32_t word)
{
	CUdeviceptr p = device_kept(b, count, 4);

	CHECK(cuMemsetD32(p, word, count));
	return p;
}

void bench_read(void *to, CUdeviceptr from, size_t count, size_t size)
{
	CHECK(cuMemcpyDtoH(to, from, count * size));
}
