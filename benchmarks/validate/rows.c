/* rows.c -- the row copy of Nugteren et al. (HPCA 2014, Figure 3): one CTA, each thread copies a row of 1024
 * words. The figure is the L1's miss rate, which is not seen from here: the simulator's statistics have it, a
 * GPU's profiler. */
#include "validate.h"

enum { COLUMNS = 1024, MOST = 1024 };

static void copy(struct micro *m, unsigned threads, CUdeviceptr from, CUdeviceptr to, const float *image)
{
	void *args[] = { &from, &to };
	float *got = bench_alloc((size_t)threads * COLUMNS, sizeof *got);
	double ms;

	CHECK(cuMemsetD32(to, 0xffffffff, (size_t)MOST * COLUMNS));
	ms = launch_ms(m, "row_copy", 1, threads, args);
	CHECK(cuMemcpyDtoH(got, to, (size_t)threads * COLUMNS * sizeof *got));
	expect(m, !memcmp(got, image, (size_t)threads * COLUMNS * sizeof *got),
		"row copy with %u threads: wrong copy", threads);
	report(m, ms, "ms", "row copy %u threads", threads);
	free(got);
}

void topic_rows(struct micro *m)
{
	CUdeviceptr from = bench_device_alloc(MOST * COLUMNS, 4), to = bench_device_alloc(MOST * COLUMNS, 4);
	float *image = bench_alloc(MOST * COLUMNS, sizeof *image);

	for (size_t i = 0; i < MOST * COLUMNS; i++)
		image[i] = (float)i;
	CHECK(cuMemcpyHtoD(from, image, MOST * COLUMNS * sizeof *image));
	for (unsigned threads = 32; threads <= MOST; threads *= 2)
		copy(m, threads, from, to, image);
	free(image);
	CHECK(cuMemFree(from));
	CHECK(cuMemFree(to));
}
