/* vectoradd -- host side: c = a + b, checked for equality with the same sum on the CPU. */
#include "bench.h"

enum { CTA = 256 };

int main(int argc, char **argv)
{
	struct bench_size sizes[] = { { "elements", "length of the vectors", 1 << 20, 1 << 30 } };
	struct bench b;

	bench_begin(&b, "vectoradd", "Adds two vectors of floats.", sizes, 1, argc, argv);
	size_t n = sizes[0].value;
	bench_work(&b, "%zu elements", n);

	float *x = bench_alloc(n, sizeof *x), *y = bench_alloc(n, sizeof *y);
	float *got = bench_alloc(n, sizeof *got), *want = bench_alloc(n, sizeof *want);
	uint32_t state = BENCH_SEED;
	bench_fill_f32(x, n, &state);
	bench_fill_f32(y, n, &state);

	CUdeviceptr dx = bench_device_copy(x, n, sizeof *x);
	CUdeviceptr dy = bench_device_copy(y, n, sizeof *y);
	CUdeviceptr dz = bench_device_alloc(n, sizeof *got);
	CHECK(cuMemsetD32(dz, 0xffffffff, n)); /* NaN: an element that nobody writes is wrong */

	int count = (int)n;
	void *args[] = { &dx, &dy, &dz, &count };
	CUfunction vector_add = bench_kernel(&b, "vector_add");
	bench_start(&b);
	CHECK(cuLaunchKernel(vector_add, bench_ctas(&b, n, CTA), 1, 1, CTA, 1, 1, 0, NULL, args, NULL));
	bench_stop(&b);
	CHECK(cuMemcpyDtoH(got, dz, n * sizeof *got));

	for (size_t i = 0; i < n; i++)
		want[i] = x[i] + y[i];
	bench_expect_f32(&b, "element", got, want, n);

	CHECK(cuMemFree(dx));
	CHECK(cuMemFree(dy));
	CHECK(cuMemFree(dz));
	free(x);
	free(y);
	free(got);
	free(want);
	return bench_end(&b);
}
