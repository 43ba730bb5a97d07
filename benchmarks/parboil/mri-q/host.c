/* mri-q -- host side: |phi|^2 of all samples, then their sum at each voxel in chunks that fit constant
 * memory, a launch each.
 *
 * |phi|^2 is checked for equality, Q against sums in double, within a bound that has three parts, each times
 * P, the sum of all |phi|^2: 2^-20.5, the error of sin.approx and cos.approx for angles in [-2 pi, 2 pi] (PTX
 * ISA; samples are chosen so that angles lie there); 2 pi 5 2^-24 for the angle, at most 1 before the factor,
 * with 5 roundings (pi itself is one); (K + 1) 2^-24 for K additions to a sum that never exceeds P and for
 * the reference's own rounding. */
#include "bench.h"

enum { CHUNK = 1024, PHI_CTA = 512, Q_CTA = 256 };

static const double tau = 6.2831853071795864769;

struct sample {
	float x, y, z, phi_mag;
};

const struct bench_program bench_program = {
	.help = "Sums k-space samples at every voxel: MRI reconstruction's Q.",
	.source = "Parboil mri-q, its small data set: 32x32x32 voxels, 3072 samples",
	.tags = "reuse",
	.sizes = { { "voxels", "voxels", { 300, 2500, 32768, 32768 }, 1 << 24 },
		{ "samples", "samples in k-space", { 1030, 1300, 1300, 3072 }, 1 << 20 } },
	.repro = "samples: of two launches, which read the same constants again and again",
};

/* Values in [-extent, extent). */
static float *coordinates(struct bench *b, size_t count, float extent)
{
	float *p = bench_floats(b, count);

	for (size_t i = 0; i < count; i++)
		p[i] = extent * (2.0f * bench_random_f32(&b->seed) - 1.0f);
	return p;
}

/* |phi|^2 of all samples, on the device, compared. */
static float *run_phi_mag(struct bench *b, size_t count)
{
	float *real = coordinates(b, count, 1.0f), *imaginary = coordinates(b, count, 1.0f);
	float *got = bench_floats(b, count), *want = bench_floats(b, count);
	CUdeviceptr dr = BENCH_COPY(b, real, count), di = BENCH_COPY(b, imaginary, count);
	CUdeviceptr magnitude = bench_device(b, count, 4);

	bench_start(b);
	bench_launch_1d(b, "phi_mag", count, PHI_CTA, ARGS(&dr, &di, &magnitude, INT(count)));
	bench_stop(b);
	BENCH_READ(got, magnitude, count);
	for (size_t i = 0; i < count; i++)
		want[i] = fmaf(real[i], real[i], imaginary[i] * imaginary[i]);
	bench_expect_f32(b, "magnitude", got, want, count);
	return got;
}

/* One launch for each chunk of samples. */
static void run_q(struct bench *b, float *const p[3], const struct sample *samples, float *const got[2])
{
	size_t voxels = b->size[0], count = b->size[1];
	CUdeviceptr x = BENCH_COPY(b, p[0], voxels), y = BENCH_COPY(b, p[1], voxels),
		    z = BENCH_COPY(b, p[2], voxels);
	CUdeviceptr real = bench_device_words(b, voxels, 0), imaginary = bench_device_words(b, voxels, 0);
	CUdeviceptr constant = bench_variable(b, "samples", CHUNK * sizeof *samples);

	for (size_t from = 0; from < count; from += CHUNK) {
		int chunk = (int)(count - from < CHUNK ? count - from : CHUNK);
		CHECK(cuMemcpyHtoD(constant, samples + from, (size_t)chunk * sizeof *samples));
		bench_start(b);
		bench_launch_1d(
			b, "q", voxels, Q_CTA, ARGS(&x, &y, &z, &real, &imaginary, INT(voxels), &chunk));
		bench_stop(b);
	}
	BENCH_READ(got[0], real, voxels);
	BENCH_READ(got[1], imaginary, voxels);
}

static void reference(float *const p[3], const struct sample *samples, size_t voxels, size_t count,
	float *real, float *imaginary)
{
	for (size_t i = 0; i < voxels; i++) {
		double re = 0, im = 0;
		for (size_t k = 0; k < count; k++) {
			const struct sample *s = &samples[k];
			double angle = tau *
				((double)s->x * (double)p[0][i] + (double)s->y * (double)p[1][i] +
					(double)s->z * (double)p[2][i]);
			re += (double)s->phi_mag * cos(angle);
			im += (double)s->phi_mag * sin(angle);
		}
		real[i] = (float)re;
		imaginary[i] = (float)im;
	}
}

void bench_run(struct bench *b)
{
	size_t voxels = b->size[0], count = b->size[1];
	bench_work(b, "%zu voxels, %zu samples", voxels, count);

	float *p[3], *k[3], *got[2], *want[2];
	for (size_t i = 0; i < 3; i++)
		p[i] = coordinates(b, voxels, 1.0f);
	for (size_t i = 0; i < 3; i++)
		k[i] = coordinates(b, count, 1.0f / 3.0f);
	for (size_t i = 0; i < 2; i++) {
		got[i] = bench_floats(b, voxels);
		want[i] = bench_floats(b, voxels);
	}
	const float *magnitude = run_phi_mag(b, count);
	struct sample *samples = bench_host(b, count, sizeof *samples);
	double total = 0;
	for (size_t i = 0; i < count; i++) {
		samples[i] = (struct sample){ k[0][i], k[1][i], k[2][i], magnitude[i] };
		total += (double)magnitude[i];
	}
	run_q(b, p, samples, got);

	reference(p, samples, voxels, count, want[0], want[1]);
	double bound = exp2(-20.5) + tau * 5 * exp2(-24) + (double)(count + 1) * exp2(-24);
	bench_near_f32(b, "real part of voxel", got[0], want[0], voxels, bound, total);
	bench_near_f32(b, "imaginary part of voxel", got[1], want[1], voxels, bound, total);
}
