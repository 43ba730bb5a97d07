/* clusters.c -- shared memory of other CTAs of a cluster: latency between all pairs, bandwidth one way and
 * both. */
#include "hopper.h"

enum {
	STEPS = 64,
	LOADS = 1,
	STORES = 2,
	PUTS = 4,
	LITTLE = 32 << 10,
	MUCH = 96 << 10,
	ONE_CTA = 120 << 10 /* of shared memory: more than half of an SM's */
};

static void measure_latency(struct micro *m)
{
	struct grid grid = { .ctas = 16, .threads = 32, .cluster = 16, .shared = 1024 };
	unsigned long long out[MOST_CYCLES];
	uint32_t links = STEPS;
	void *more[] = { &links, NULL };
	double own = 0, sum = 0, least = 1e9, most = 0;

	hopper_measure(m, "remote_chase", &grid, more, out);
	for (int i = 0; i < 256; i++) {
		double cycles = (double)out[i] / STEPS;

		expect(m, out[i] != 0, "pair %d: the chase has not come round", i);
		if (i % 17 == 0) {
			own += cycles / 16;
			continue;
		}
		sum += cycles / 240;
		least = cycles < least ? cycles : least;
		most = cycles > most ? cycles : most;
	}
	report(m, own, "cycles", "cluster latency own");
	report(m, sum, "cycles", "cluster latency mean");
	report(m, least, "cycles", "cluster latency least");
	report(m, most, "cycles", "cluster latency most");
}

/* What ranks 0, 1 and the others do with the next one's memory. */
struct pattern {
	const char *name;
	unsigned cluster;
	uint32_t what[3], piece;
	unsigned count; /* of transfers whose rates are added up */
};

static double slowest(const unsigned long long *out, unsigned n)
{
	unsigned long long most = 0;

	for (unsigned i = 0; i < n; i++)
		most = out[i] > most ? out[i] : most;
	return (double)most;
}

static double run_pattern(struct micro *m, const struct pattern *p, uint32_t bytes)
{
	struct grid grid = { .ctas = p->cluster, .threads = 512, .cluster = p->cluster, .shared = ONE_CTA };
	unsigned long long out[MOST_CYCLES];
	uint32_t what[3] = { p->what[0], p->what[1], p->what[2] }, piece = p->piece;
	void *more[] = { &what[0], &what[1], &what[2], &bytes, &piece, NULL };

	hopper_measure(m, "remote_rate", &grid, more, out);
	return slowest(out, p->cluster);
}

static void measure_rates(struct micro *m)
{
	static const struct pattern patterns[] = {
		{ "loads one way", 2, { LOADS, 0, 0 }, 0, 1 },
		{ "loads both ways", 2, { LOADS, LOADS, 0 }, 0, 1 },
		{ "stores one way", 2, { STORES, 0, 0 }, 0, 1 },
		{ "stores both ways", 2, { STORES, STORES, 0 }, 0, 1 },
		{ "copies one way", 2, { PUTS, 0, 0 }, 8192, 1 },
		{ "copies both ways", 2, { PUTS, PUTS, 0 }, 8192, 1 },
		{ "loads and stores same way", 2, { LOADS, STORES, 0 }, 0, 2 },
		{ "loads and stores opposite", 2, { LOADS | STORES, 0, 0 }, 0, 2 },
		{ "loads and copies same way", 2, { LOADS, PUTS, 0 }, 8192, 2 },
		{ "loads and copies opposite", 2, { LOADS | PUTS, 0, 0 }, 8192, 2 },
		{ "copies in a ring of 4", 4, { PUTS, PUTS, PUTS }, 8192, 1 },
		{ "copies in a ring of 8", 8, { PUTS, PUTS, PUTS }, 8192, 1 },
		{ "copies in a ring of 16", 16, { PUTS, PUTS, PUTS }, 8192, 1 },
		{ "copies of 128 bytes", 2, { PUTS, 0, 0 }, 128, 1 },
	};

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		const struct pattern *p = &patterns[i];
		double cycles = run_pattern(m, p, MUCH) - run_pattern(m, p, LITTLE);

		report(m, (double)(MUCH - LITTLE) * p->count / cycles, "bytes/clk", "cluster %s", p->name);
	}
}

static void measure_multicast(struct micro *m)
{
	struct grid grid = { .ctas = 2, .threads = 1, .cluster = 2, .shared = 16 << 10 };
	unsigned long long out[MOST_CYCLES];
	CUdeviceptr from = bench_device_alloc(16 << 10, 1);

	for (uint32_t bytes = 256; bytes <= 16 << 10; bytes *= 64) {
		void *more[] = { &from, &bytes, NULL };

		hopper_measure(m, "multicasts", &grid, more, out);
		report(m, ((double)out[1] - (double)out[0]) / 16, "cycles",
			"multicast of %u bytes more than one", bytes);
	}
	CHECK(cuMemFree(from));
}

void topic_clusters(struct micro *m)
{
	measure_latency(m);
	measure_multicast(m);
	measure_rates(m);
}
