/* copies.c -- bulk copies to shared memory: the latency of one by its size, from DRAM and from the L2; the
 * bandwidth of one SM, of four and of all by the bytes under way in each. */
#include "validate.h"

enum {
	LONE = 24, /* copies, one after the other */
	DEPTH = 4,
	ONE_CTA = 120 << 10, /* of shared memory: more than half of an SM's */
	ONE_CTA_GEFORCE = 60 << 10
};

struct ring {
	unsigned ctas;
	uint32_t bytes, depth, copies; /* of each warp */
	size_t span;                   /* of each warp's part, which it goes through again and again */
	bool warm;                     /* twice: the second time it is in the L2 */
	unsigned warps;                /* of each CTA, up to 4; 0: one */
};

static unsigned warps_of(const struct ring *r)
{
	return r->warps ? r->warps : 1;
}

/* Launches it with so many copies of each warp; `in` holds the number of each of its words. */
static double launch_ring(
	struct micro *m, const struct ring *r, unsigned ctas, uint32_t copies, CUdeviceptr in)
{
	unsigned rings = ctas * warps_of(r);
	CUdeviceptr out = bench_device_alloc(rings, 16);
	unsigned long long span = r->span, *result = bench_alloc(rings, 16);
	uint32_t bytes = r->bytes, depth = r->depth, shared = warps_of(r) * depth * bytes,
		 least = m->capability == 120 ? ONE_CTA_GEFORCE : ONE_CTA;
	size_t last = (size_t)(copies - 1) * bytes % r->span;
	void *args[] = { &in, &out, &span, &bytes, &depth, &copies };
	CUfunction ring;
	double sum = 0;

	shared = shared > least ? shared : least;
	CHECK(cuModuleGetFunction(&ring, m->module, "ring"));
	CHECK(cuFuncSetAttribute(ring, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared));
	CHECK(cuLaunchKernel(ring, ctas, 1, 1, 32 * warps_of(r), 1, 1, shared, NULL, args, NULL));
	CHECK(cuMemcpyDtoH(result, out, rings * 16));
	for (unsigned i = 0; i < rings; i++) {
		sum += (double)result[2 * i];
		expect(m, result[2 * i + 1] == (i * r->span + last) / 4,
			"the last copy of warp %u has word %llu", i, result[2 * i + 1]);
	}
	CHECK(cuMemFree(out));
	free(result);
	return sum / rings;
}

/* Cycles that a warp takes for its copies. Before that the code is in the caches, and with `warm` the data
 * are in the L2. The memory is not freed: the next is to be new to the L2. */
static double go_round(struct micro *m, const struct ring *r)
{
	size_t words = r->ctas * warps_of(r) * r->span / 4;
	uint32_t *image = bench_alloc(words, 4);
	CUdeviceptr in = bench_device_alloc(words, 4), other = bench_device_alloc(r->bytes, 1);
	struct ring one = *r;
	double cycles;

	for (size_t i = 0; i < words; i++)
		image[i] = (uint32_t)i;
	CHECK(cuMemcpyHtoD(in, image, words * 4));
	one.warps = 1;
	launch_ring(m, &one, 1, 1, other);
	if (r->warm)
		launch_ring(m, r, r->ctas, r->copies, in);
	cycles = launch_ring(m, r, r->ctas, r->copies, in);
	free(image);
	return cycles;
}

static void measure_latency(struct micro *m, const char *where, bool warm)
{
	for (uint32_t kib = 1; kib <= 32; kib *= 2) {
		struct ring r = { 1, kib << 10, 1, LONE, (size_t)LONE * kib << 10, warm, 1 };
		double cycles = go_round(m, &r) / LONE;

		report(m, cycles, "cycles", "copy %s %u KiB", where, kib);
	}
}

/* Bytes a cycle of all CTAs of the ring, one on each SM, once it is full: a third of the copies is left out.
 */
static double rate_of(struct micro *m, const struct ring *r)
{
	struct ring few = *r;
	double cycles = go_round(m, r);

	few.copies = r->copies / 3;
	return (double)r->ctas * warps_of(r) * (r->copies - few.copies) * r->bytes /
		(cycles - go_round(m, &few));
}

/* Of so many SMs together, each with two warps that have four copies of 28 KiB under way. */
static void measure_sms(struct micro *m, const char *where, bool warm)
{
	static const unsigned sms[] = { 4, 8, 16, 23, 32, 64, 132 };
	const uint32_t bytes = 28 << 10, copies = 15;

	for (size_t i = 0; i < sizeof sms / sizeof *sms && (!warm || sms[i] <= 32); i++) {
		struct ring r = { sms[i], bytes, 4, copies, (size_t)(warm ? 4 : copies) * bytes, warm, 2 };

		report(m, rate_of(m, &r) * m->mhz / 1000, "GB/s", "copies %s by %u SMs", where, sms[i]);
	}
}

/* Of all SMs, with four copies under way in each, by their size; then sixteen; and the whole L2, whose halves
 * cannot both keep what is read. */
static void measure_chip(struct micro *m)
{
	static const uint32_t kib[] = { 8, 12, 16, 24, 32 };
	struct ring dram = { m->sms, 8 << 10, 16, 64, 512 << 10, false, 1 };
	struct ring l2 = { m->sms, 8 << 10, 16, 40, (size_t)39 * 8 << 10, true, 1 };

	for (size_t i = 0; i < sizeof kib / sizeof *kib; i++) {
		uint32_t bytes = kib[i] << 10, copies = (384 << 10) / bytes;
		struct ring r = { m->sms, bytes, DEPTH, copies, (size_t)copies * bytes, false, 1 };

		report(m, rate_of(m, &r) * m->mhz / 1000, "GB/s", "copies DRAM four of %u KiB", kib[i]);
	}
	report(m, rate_of(m, &dram), "B/clk", "copies DRAM sixteen of 8 KiB");
	report(m, rate_of(m, &l2), "B/clk", "copies L2 sixteen of 8 KiB");
}

/* Two copies of 16 KiB by 128 CTAs at once, and the wait for both. */
static void measure_pairs(struct micro *m)
{
	struct ring pair = { 128, 16 << 10, 2, 2, 32 << 10, false, 1 };

	report(m, go_round(m, &pair), "cycles", "copies pair DRAM");
	pair.warm = true;
	report(m, go_round(m, &pair), "cycles", "copies pair L2");
}

void topic_copies(struct micro *m)
{
	measure_latency(m, "DRAM", false);
	measure_latency(m, "L2", true);
	measure_sms(m, "DRAM", false);
	measure_sms(m, "L2", true);
	measure_chip(m);
	measure_pairs(m);
}

static void measure_few(struct micro *m)
{
	for (uint32_t depth = 2; depth <= 16; depth *= 2)
		for (uint32_t kib = 2; kib <= 32 && depth * kib <= 64; kib *= 2) {
			uint32_t bytes = kib << 10, copies = 48;
			struct ring r = { 32, bytes, depth, copies, (size_t)copies * bytes, false, 1 };

			report(m, rate_of(m, &r) * m->mhz / 1000, "GB/s", "ring of %u by 32 SMs %u KiB",
				depth, kib);
		}
}

/* Cycles between the copies of an SM. */
static void measure_all(struct micro *m)
{
	for (uint32_t depth = 1; depth <= 4; depth *= 4)
		for (uint32_t bytes = 512; bytes <= 4 << 10; bytes *= 2) {
			uint32_t copies = 36;
			struct ring r = { m->sms, bytes, depth, copies, (size_t)copies * bytes, false, 1 };

			report(m, bytes * (double)m->sms / rate_of(m, &r), "cycles",
				"ring of %u by all SMs %u bytes", depth, bytes);
		}
}

/* The same of other sizes, as they were measured on Blackwell: GeForce by few SMs, B200 by all. */
void topic_rings(struct micro *m)
{
	if (m->capability == 120)
		measure_few(m);
	else
		measure_all(m);
}
