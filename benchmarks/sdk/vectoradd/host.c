/* vectoradd -- host side: c = a + b, checked for equality: one addition rounds the same everywhere. */
#include "bench.h"

enum { CTA = 256, MOST = 65535 * CTA }; /* what one launch can do on a GTX 480 */

const struct bench_program bench_program = {
	.help = "Adds two vectors of floats.",
	.source = "CUDA SDK vectorAdd; DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "elements", "elements of each vector", { 20011, 1 << 20, MOST, MOST }, MOST } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0];
	bench_work(b, "%zu elements", n);

	float *x = bench_random_floats(b, n), *y = bench_random_floats(b, n), *want = bench_floats(b, n);
	CUdeviceptr dx = BENCH_COPY(b, x, n), dy = BENCH_COPY(b, y, n);
	CUdeviceptr dz = bench_device(b, n, sizeof(float));

	bench_start(b);
	bench_launch_1d(b, "vector_add", n, CTA, ARGS(&dx, &dy, &dz, INT(n)));
	bench_stop(b);

	for (size_t i = 0; i < n; i++)
		want[i] = x[i] + y[i];
	bench_verify_f32(b, "element", dz, want, n);
}
