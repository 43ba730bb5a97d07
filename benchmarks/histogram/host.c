/* histogram -- host side: counts byte values, checked for equality with the counts of the CPU. */
#include "bench.h"

enum {
	CTA = 256,
	BINS = 256,
	PER_THREAD = 16, /* elements of each, if MOST_CTAS allow */
	MOST_CTAS = 1024,
};

int main(int argc, char **argv)
{
	struct bench_size sizes[] = { { "elements", "how many bytes", 1 << 20, 1 << 30 } };
	struct bench b;

	bench_begin(&b, "histogram", "Counts how often each byte value occurs.", sizes, 1, argc, argv);
	size_t n = sizes[0].value;
	bench_work(&b, "%zu elements", n);

	uint8_t *in = bench_alloc(n, sizeof *in);
	int32_t got[BINS], want[BINS] = { 0 };
	uint32_t state = BENCH_SEED;
	for (size_t i = 0; i < n; i++) {
		in[i] = (uint8_t)(bench_random(&state) >>
				  16); /* the upper bits: the lower ones repeat soon */
		want[in[i]]++;
	}

	CUdeviceptr din = bench_device_copy(in, n, sizeof *in);
	CUdeviceptr dbins = bench_device_alloc(BINS, sizeof *got);
	CHECK(cuMemsetD32(dbins, 0, BINS));

	int count = (int)n;
	void *args[] = { &din, &dbins, &count };
	CUfunction histogram = bench_kernel(&b, "histogram");
	size_t ctas = (n + CTA * PER_THREAD - 1) / (CTA * PER_THREAD);
	ctas = ctas < MOST_CTAS ? ctas : MOST_CTAS;
	bench_start(&b);
	CHECK(cuLaunchKernel(histogram, (unsigned)ctas, 1, 1, CTA, 1, 1, 0, NULL, args, NULL));
	bench_stop(&b);
	CHECK(cuMemcpyDtoH(got, dbins, sizeof got));

	bench_expect_i32(&b, "bin", got, want, BINS);

	CHECK(cuMemFree(din));
	CHECK(cuMemFree(dbins));
	free(in);
	return bench_end(&b);
}
