/* latency.c -- one thread follows a ring of pointers, a line apart, through more and more memory. A ring that
 * fits a cache is walked once ahead of the clock; of a ring that fits none, no line is there when its turn
 * comes again. */
#include "validate.h"

enum {
	LINE = 128,
	ROUND = 32, /* links, as in kernel.cu */
	FIRST = 4 << 10,
	LAST = 64 << 20,
	WARM = 8192,      /* links at most: 1 MB, more than the caches hold */
	CLOCKED = 2048,   /* links, several times round a small ring: entering the loop costs what one link to
			     DRAM costs */
	FAR = 8192 + 256, /* from line to line in other rows, banks and channels */
};

/* A ring of `links` pointers `step` bytes apart. */
static void make_ring(CUdeviceptr ring, size_t links, size_t step)
{
	uint64_t *image = bench_alloc(links * step, 1);

	for (size_t i = 0; i < links; i++)
		image[i * step / 8] = ring + (i + 1) % links * step;
	CHECK(cuMemcpyHtoD(ring, image, links * step));
	free(image);
}

/* Shader cycles for a link of a ring. */
static double walk(struct micro *m, size_t links, size_t step)
{
	CUdeviceptr ring = bench_device_alloc(links * step, 1), out = bench_device_alloc(2, 8);
	int warm = (int)(links < WARM ? links : WARM) / ROUND, timed = CLOCKED / ROUND;
	void *args[] = { &ring, &out, &warm, &timed };
	uint64_t result[2], want = ring + (uint64_t)(warm + timed) * ROUND % links * step;

	make_ring(ring, links, step);
	launch_ms(m, "chase", 1, 1, args);
	CHECK(cuMemcpyDtoH(result, out, sizeof result));
	expect(m, result[1] == want, "the chase over %zu lines ended at %#llx, not at %#llx", links,
		(unsigned long long)result[1], (unsigned long long)want);
	CHECK(cuMemFree(ring));
	CHECK(cuMemFree(out));
	return (double)result[0] / ((double)ROUND * timed);
}

void topic_latency(struct micro *m)
{
	for (size_t bytes = FIRST; bytes <= LAST; bytes *= 2) {
		double cycles = walk(m, bytes / LINE, LINE);

		report(m, cycles, "cycles", "chase %zu KB", bytes >> 10);
		if (bytes == 8 << 10)
			report(m, cycles, "cycles", "latency load L1");
		if (bytes == 256 << 10)
			report(m, cycles, "cycles", "latency load L2");
		if (bytes == LAST)
			report(m, cycles, "cycles", "latency load DRAM in an open row");
	}
	report(m, walk(m, LAST / FAR / ROUND * ROUND, FAR), "cycles", "latency load DRAM");
}
