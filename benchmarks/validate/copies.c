/* copies.c -- bulk copies to shared memory: the latency of one by its size, from DRAM and from the L2; the
 * bandwidth of one SM, of four and of all by the bytes under way in each. */
#include "validate.h"

enum {
	LONE = 24, /* copies, one after the other */
	DEPTH = 4,
	MOST_SHARED = 200 << 10,
	ONE_CTA = 120 << 10 /* of shared memory: more than half of an SM's */
};

struct ring {
	unsigned ctas;
	uint32_t bytes, depth, copies; /* of each CTA */
	size_t span;                   /* of each CTA's part, which it goes through again and again */
	bool warm;                     /* twice: the second time it is in the L2 */
};

/* Launches it with so many copies of each CTA; `in` holds the number of each of its words. */
static double launch_ring(
	struct micro *m, const struct ring *r, unsigned ctas, uint32_t copies, CUdeviceptr in)
{
	CUdeviceptr out = bench_device_alloc(ctas, 16);
	unsigned long long span = r->span, *result = bench_alloc(ctas, 16);
	uint32_t bytes = r->bytes, depth = r->depth, shared = depth * bytes;
	size_t last = (size_t)(copies - 1) * bytes % r->span;
	void *args[] = { &in, &out, &span, &bytes, &depth, &copies };
	CUfunction ring;
	double sum = 0;

	CHECK(cuModuleGetFunction(&ring, m->module, "ring"));
	CHECK(cuFuncSetAttribute(ring, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, MOST_SHARED));
	CHECK(cuLaunchKernel(
		ring, ctas, 1, 1, 32, 1, 1, shared > ONE_CTA ? shared : ONE_CTA, NULL, args, NULL));
	CHECK(cuMemcpyDtoH(result, out, ctas * 16));
	for (unsigned i = 0; i < ctas; i++) {
		sum += (double)result[2 * i];
		expect(m, result[2 * i + 1] == (i * r->span + last) / 4,
			"the last copy of CTA %u has word %llu", i, result[2 * i + 1]);
	}
	CHECK(cuMemFree(out));
	free(result);
	return sum / ctas;
}

/* Cycles that a CTA takes for its copies. Before that the code is in the caches, and with `warm` the data are
 * in the L2. The memory is not freed: the next is to be new to the L2. */
static double go_round(struct micro *m, const struct ring *r)
{
	size_t words = r->ctas * r->span / 4;
	uint32_t *image = bench_alloc(words, 4);
	CUdeviceptr in = bench_device_alloc(words, 4), other = bench_device_alloc(r->bytes, 1);
	double cycles;

	for (size_t i = 0; i < words; i++)
		image[i] = (uint32_t)i;
	CHECK(cuMemcpyHtoD(in, image, words * 4));
	launch_ring(m, r, 1, 1, other);
	if (r->warm)
		launch_ring(m, r, r->ctas, r->copies, in);
	cycles = launch_ring(m, r, r->ctas, r->copies, in);
	free(image);
	return cycles;
}

static void measure_latency(struct micro *m, const char *where, bool warm)
{
	for (uint32_t kib = 1; kib <= 32; kib *= 2) {
		struct ring r = { 1, kib << 10, 1, LONE, (size_t)LONE * kib << 10, warm };
		double cycles = go_round(m, &r) / LONE;

		report(m, cycles, "cycles", "copy %s %u KiB", where, kib);
	}
}

/* Bytes a cycle of each of so many SMs, with `depth` copies under way in each; warm: an SM's part is of
 * `span`. */
static double rate_of(struct micro *m, unsigned sms, uint32_t bytes, uint32_t depth, size_t span, bool warm)
{
	uint32_t copies = (512 << 10) / bytes;
	struct ring r = { sms, bytes, depth, copies, warm ? span : (size_t)copies * bytes, warm };

	return (double)copies * bytes / go_round(m, &r);
}

static void measure_rate(struct micro *m, const char *where, unsigned sms, bool warm)
{
	static const uint32_t under_way[] = { 8, 16, 32, 56, 112, 192 };

	for (size_t i = 0; i < sizeof under_way / sizeof *under_way; i++)
		report(m, rate_of(m, sms, (under_way[i] << 10) / DEPTH, DEPTH, 128 << 10, warm), "B/clk/SM",
			"copies %s %u SMs %u KiB", where, sms, under_way[i]);
}

/* Of so many SMs together, with two copies of 28 KiB under way in each. */
static void measure_sms(struct micro *m, const char *where, bool warm)
{
	static const unsigned sms[] = { 4, 8, 16, 23, 32, 64, 132 };

	for (size_t i = 0; i < sizeof sms / sizeof *sms; i++)
		report(m, sms[i] * rate_of(m, sms[i], 28 << 10, 2, 112 << 10, warm) * m->mhz / 1000, "GB/s",
			"copies %s by %u SMs", where, sms[i]);
}

/* Of all SMs, with four copies under way in each, by their size; and the whole L2, whose halves cannot both
 * keep what is read. */
static void measure_chip(struct micro *m)
{
	static const uint32_t kib[] = { 8, 12, 16, 24, 32 };
	struct ring l2 = { m->sms, 8 << 10, 16, 40, (size_t)39 * 8 << 10, true };

	for (size_t i = 0; i < sizeof kib / sizeof *kib; i++)
		report(m, m->sms * rate_of(m, m->sms, kib[i] << 10, DEPTH, 0, false) * m->mhz / 1000, "GB/s",
			"copies DRAM four of %u KiB", kib[i]);
	report(m, m->sms * rate_of(m, m->sms, 8 << 10, 16, 0, false), "B/clk",
		"copies DRAM sixteen of 8 KiB");
	report(m, (double)m->sms * l2.copies * l2.bytes / go_round(m, &l2), "B/clk",
		"copies L2 sixteen of 8 KiB");
}

/* Two copies of 16 KiB by 128 CTAs at once, and the wait for both. */
static void measure_pairs(struct micro *m)
{
	struct ring pair = { 128, 16 << 10, 2, 2, 32 << 10, false };

	report(m, go_round(m, &pair), "cycles", "copies pair DRAM");
	pair.warm = true;
	report(m, go_round(m, &pair), "cycles", "copies pair L2");
}

void topic_copies(struct micro *m)
{
	const unsigned sms[] = { 1, 4, m->sms };

	measure_latency(m, "DRAM", false);
	measure_latency(m, "L2", true);
	for (size_t i = 0; i < 3; i++) {
		measure_rate(m, "DRAM", sms[i], false);
		measure_rate(m, "L2", sms[i], true);
	}
	measure_sms(m, "DRAM", false);
	measure_sms(m, "L2", true);
	measure_chip(m);
	measure_pairs(m);
}
