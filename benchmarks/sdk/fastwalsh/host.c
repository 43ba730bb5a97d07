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
	size_t n = (size_t)1 << log, left = log;

	for (; left > MOST_LOG; left -= 2) {
		int quarter = 1 << (left - 2);
		bench_launch_1d(b, "walsh_global", n / 4, CTA, ARGS(&data, &quarter));
	}
	bench_launch_shared(b, "walsh_shared", DIM(1u << (log - left)), DIM(1u << (left - 2)),
		(unsigned)sizeof(float) << left, ARGS(&data, INT(left)));
}

const struct bench_program bench_program = {
	.help = "Convolves dyadically by fast Walsh transforms.",
	.source = "CUDA SDK fastWalshTransform (its size); DWT-CS Table 2",
	.tags = "dwtcs streaming",
	.sizes = { { "log2", "log2 of the number of elements", { 13, 17, 20, 23 }, 25, 8, 1 } },
	.repro = "log2: an eighth of the paper's elements, 8 MB",
};

void bench_run(struct bench *b)
{
	size_t log = b->size[0], n = (size_t)1 << log;
	bench_work(b, "2^%zu elements", log);

	float *data = bench_random_floats(b, n), *kernel = bench_floats(b, n);
	float *want = bench_floats(b, n), *kernel_want = bench_floats(b, n);
	bench_fill_f32(kernel, (size_t)1 << KERNEL_LOG, &b->seed); /* the rest is zero */
	CUdeviceptr ddata = BENCH_COPY(b, data, n), dkernel = BENCH_COPY(b, kernel, n);

	float scale = 1.0f / (float)n;
	bench_start(b);
	launch_transform(b, ddata, log);
	launch_transform(b, dkernel, log);
	bench_launch(b, "modulate", DIM(MODULATE_CTAS), DIM(CTA), ARGS(&ddata, &dkernel, &scale, INT(n)));
	launch_transform(b, ddata, log);
	bench_stop(b);

	memcpy(want, data, n * sizeof *want);
	memcpy(kernel_want, kernel, n * sizeof *want);
	transform(want, n);
	transform(kernel_want, n);
	for (size_t i = 0; i < n; i++)
		want[i] *= kernel_want[i] * scale;
	transform(want, n);
	cross_check(data, kernel, want, log);
	bench_verify_f32(b, "element of the kernel's transform", dkernel, kernel_want, n);
	bench_verify_f32(b, "element of the convolution", ddata, want, n);
}
