/* fastwalsh -- host side: the dyadic convolution of data and a short kernel by three Walsh-Hadamard
 * transforms.
 *
 * Checked for equality, both spectra too: the reference does the same additions stride by stride. It is
 * itself held against the definition of the convolution in double precision. */
#include "bench.h"

enum {
	CTA = 256,
	MOST_LOG = 11,  /* log2 of the elements of a piece in shared memory */
	KERNEL_LOG = 7, /* of the convolution's kernel */
	MODULATE_CTAS = 128,
};

static void transform(float *x, size_t n)
{
	for (size_t stride = n / 2; stride > 0; stride /= 2)
		for (size_t i = 0; i < n; i++)
			if (!(i & stride)) {
				float a = x[i], z = x[i + stride];
				x[i] = a + z;
				x[i + stride] = a - z;
			}
}

/* Against the definition of the convolution, in the Euclidean norm, which a transform multiplies by sqrt(n).
 * With u = 2^-24, each step of one is off by u of its norm. A value of the kernel's spectrum H is at most the
 * sum of its terms, 2^KERNEL_LOG, and off by KERNEL_LOG u of that, as steps that add zeros are exact; two
 * more roundings multiply. Hence data, product and result are off by (log + KERNEL_LOG + 2 + log) u of max(H)
 * |data|. */
static void cross_check(const float *data, const float *kernel, const float *result, size_t log)
{
	size_t n = (size_t)1 << log, taps = (size_t)1 << KERNEL_LOG;
	double off = 0.0, norm = 0.0, share = (2.0 * (double)log + KERNEL_LOG + 2.0) * 0x1p-24;

	for (size_t i = 0; i < n; i++) {
		double plain = 0.0;
		for (size_t k = 0; k < taps; k++)
			plain += (double)kernel[k] * (double)data[i ^ k];
		off += ((double)result[i] - plain) * ((double)result[i] - plain);
		norm += (double)data[i] * (double)data[i];
	}
	if (!(sqrt(off) <= share * (double)taps * sqrt(norm)))
		bench_die("fastwalsh: the reference is %.3g from the definition, more than %.3g", sqrt(off),
			share * (double)taps * sqrt(norm));
}

static void launch_transform(const struct bench *b, CUdeviceptr data, size_t log)
{
	CUfunction global = bench_kernel(b, "walsh_global"), shared = bench_kernel(b, "walsh_shared");
	size_t n = (size_t)1 << log, left = log;

	for (; left > MOST_LOG; left -= 2) {
		int quarter = 1 << (left - 2);
		bench_launch(global, DIM(bench_ctas(b, n / 4, CTA)), DIM(CTA), 0, ARGS(&data, &quarter));
	}
	int ileft = (int)left;
	bench_launch(shared, DIM(1u << (log - left)), DIM(1u << (left - 2)), (unsigned)sizeof(float) << left,
		ARGS(&data, &ileft));
}

static const struct bench_program program = {
	.suite = "sdk",
	.name = "fastwalsh",
	.help = "Convolves dyadically by fast Walsh transforms.",
	.source = "CUDA SDK fastWalshTransform (its size); DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "log2", "log2 of the number of elements", { 13, 17, 23 }, 25, 8, 1 } },
};

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &program, argc, argv);
	size_t log = b.size[0], n = (size_t)1 << log;
	bench_work(&b, "2^%zu elements", log);

	float *data = bench_host(&b, n, sizeof *data), *kernel = bench_host(&b, n, sizeof *kernel);
	float *want = bench_host(&b, n, sizeof *want), *kernel_want = bench_host(&b, n, sizeof *want);
	float *got = bench_host(&b, n, sizeof *got);
	bench_fill_f32(data, n, &b.seed);
	bench_fill_f32(kernel, (size_t)1 << KERNEL_LOG, &b.seed); /* the rest is zero */
	CUdeviceptr ddata = bench_device_copy(&b, data, n, sizeof *data);
	CUdeviceptr dkernel = bench_device_copy(&b, kernel, n, sizeof *kernel);

	float scale = 1.0f / (float)n;
	int count = (int)n;
	bench_start(&b);
	launch_transform(&b, ddata, log);
	launch_transform(&b, dkernel, log);
	bench_launch(bench_kernel(&b, "modulate"), DIM(MODULATE_CTAS), DIM(CTA), 0,
		ARGS(&ddata, &dkernel, &scale, &count));
	launch_transform(&b, ddata, log);
	bench_stop(&b);

	memcpy(want, data, n * sizeof *want);
	memcpy(kernel_want, kernel, n * sizeof *want);
	transform(want, n);
	transform(kernel_want, n);
	for (size_t i = 0; i < n; i++)
		want[i] *= kernel_want[i] * scale;
	transform(want, n);
	cross_check(data, kernel, want, log);
	bench_read(got, dkernel, n, sizeof *got);
	bench_expect_f32(&b, "element of the kernel's transform", got, kernel_want, n);
	bench_read(got, ddata, n, sizeof *got);
	bench_expect_f32(&b, "element of the convolution", got, want, n);
	return bench_end(&b);
}
