/* sweep.c -- gpumembench's cachebench: all the threads that fit go round more and more memory. Its runs are
 * 128 rounds of 64 accesses long; here two short runs are taken, and what the longer one did more counts. */
#include "validate.h"

enum { CTA = 256, ACCESSES_A_ROUND = 64, SHORT = 4, LONG = 16, BYTES = 16 << 20, POISON = 16 };

/* data[]: zeros where the kernel reads, behind them what would lead it astray. */
static void fill(CUdeviceptr data, size_t elements, size_t width)
{
	CHECK(cuMemsetD32(data, POISON, BYTES / 4));
	CHECK(cuMemsetD32(data, 0, elements * width));
}

/* GB/s of `what` (read or copy); clamp in elements, 0: none. */
static double bandwidth(struct micro *m, const char *what, unsigned width, unsigned step, unsigned clamp)
{
	CUdeviceptr data = bench_device_alloc(BYTES, 1);
	unsigned ctas = m->threads_per_sm / CTA * m->sms, rounds = SHORT;
	size_t threads = (size_t)ctas * CTA, elements = threads * step;
	void *args[] = { &data, &clamp, &rounds };
	char kernel[32];
	uint32_t flag;
	double brief, ms;

	fill(data, clamp ? clamp + (step - 1) * CTA : elements, width);
	snprintf(kernel, sizeof kernel, "%s_%u_%u", what, width, step);
	brief = launch_ms(m, kernel, ctas, CTA, args);
	rounds = LONG;
	ms = launch_ms(m, kernel, ctas, CTA, args);
	CHECK(cuMemcpyDtoH(&flag, data, sizeof flag));
	expect(m, !flag, "%s, %u elements: a load did not bring zero", kernel,
		clamp ? clamp : (unsigned)elements);
	CHECK(cuMemFree(data));
	return (double)threads * ACCESSES_A_ROUND * (LONG - SHORT) * 4 * width / (ms - brief) / 1e6;
}

void topic_sweep(struct micro *m)
{
	static const unsigned steps[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22,
		24, 28, 32, 40, 48, 56, 64 };
	size_t threads = (size_t)m->threads_per_sm * m->sms;

	for (unsigned clamp = 512; clamp <= 8192; clamp *= 2)
		report(m, bandwidth(m, "read", 1, 1, clamp), "GB/s", "read %u bytes", 4 * clamp);
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		report(m, bandwidth(m, "read", 1, steps[i], 0), "GB/s", "read %zu bytes",
			4 * steps[i] * threads);
}

/* The best of footprints from 512 elements for all CTAs to three times 256 elements for each. Where some
 * warps hit and others do not, a longer run is not so much longer: what is more than the SMs' 64 bytes a
 * clock is no bandwidth. */
static double best(struct micro *m, const char *what, unsigned width, unsigned steps)
{
	double most = bandwidth(m, what, width, 1, 512), here, possible = 64e-3 * m->mhz * m->sms;

	for (unsigned step = 1; step <= steps; step++) {
		here = bandwidth(m, what, width, step, 0);
		most = here > most && here <= possible ? here : most;
	}
	return most;
}

void topic_peaks(struct micro *m)
{
	for (unsigned width = 1; width <= 4; width *= 2)
		report(m, best(m, "read", width, 2), "GB/s", "read peak %u-bit", 32 * width);
	for (unsigned width = 1; width <= 4; width *= 2)
		report(m, best(m, "copy", width, 3), "GB/s", "copy peak %u-bit", 32 * width);
}
