/* barriers.c -- mbarriers of the own CTA and of others, barriers of a cluster and of the grid, atomics of the
 * whole chip, small asynchronous copies. */
#include "hopper.h"

enum { TIMES = 64 };

static void measure_local(struct micro *m)
{
	struct grid grid = { .ctas = 1, .threads = 1 };
	unsigned long long out[MOST_CYCLES];
	uint32_t times = TIMES;
	void *more[] = { &times, NULL };

	hopper_measure(m, "local_mbarriers", &grid, more, out);
	report(m, (double)out[0] / TIMES, "cycles", "mbarrier arrive");
	report(m, (double)out[1] / TIMES, "cycles", "mbarrier wait complete");
	report(m, (double)out[2] / TIMES, "cycles", "mbarrier expect and wait");
	report(m, (double)out[3], "cycles", "mbarrier wait incomplete");
	expect(m, !out[4], "a phase in which nobody arrives is complete");
}

static void measure_remote(struct micro *m)
{
	struct grid grid = { .ctas = 2, .threads = 1, .cluster = 2 };
	unsigned long long out[MOST_CYCLES];

	hopper_measure(m, "remote_signals", &grid, NULL, out);
	report(m, (double)(out[2] - out[1]), "cycles", "mbarrier remote owner");
	report(m, (double)(out[2] - out[0]), "cycles", "mbarrier remote end to end");
	report(m, (double)(out[4] - out[3]), "cycles", "cluster store seen");
	report(m, (double)out[5], "cycles", "cluster store and fence");
}

static void measure_cluster_barriers(struct micro *m)
{
	for (unsigned n = 2; n <= 8; n *= 2) {
		struct grid grid = { .ctas = n, .threads = 128, .cluster = n };
		unsigned long long out[MOST_CYCLES];
		uint32_t times = TIMES;
		void *more[] = { &times, NULL };

		hopper_measure(m, "cluster_barriers", &grid, more, out);
		report(m, (double)out[0] / TIMES, "cycles", "barrier of %u CTAs", n);
	}
}

/* The same with a counter of the chip, which is zero at first. */
static double with_counter(struct micro *m, const char *kernel, const struct grid *grid, uint32_t *further)
{
	unsigned long long out[MOST_CYCLES];
	CUdeviceptr count = bench_device_alloc(32, 4);
	uint32_t times = TIMES;
	void *more[] = { &count, &times, further, NULL };

	for (int i = 0; i < 2; i++) {
		CHECK(cuMemsetD32(count, 0, 32));
		hopper_launch(m, kernel, grid, more, out);
	}
	CHECK(cuMemFree(count));
	return (double)out[0] / TIMES;
}

static void measure_grid(struct micro *m)
{
	struct grid few = { .ctas = 32, .threads = 256 }, all = { .ctas = m->sms, .threads = 256 };
	struct grid two = { .ctas = 2, .threads = 1 };
	uint32_t adds = 0, stores = 1;

	report(m, with_counter(m, "grid_barriers", &few, NULL), "cycles", "barrier of the grid 32 CTAs");
	report(m, with_counter(m, "grid_barriers", &all, NULL), "cycles", "barrier of the grid %u CTAs",
		m->sms);
	report(m, with_counter(m, "hops", &two, &adds), "cycles", "hop by red.release");
	report(m, with_counter(m, "hops", &two, &stores), "cycles", "hop by st.release");
}

/* Additions of 33792 threads, a nanosecond. */
static void measure_additions(struct micro *m)
{
	static const uint32_t counts[] = { 1, 4, 32, 256, 2048, 16384, 65536 };
	CUdeviceptr words = bench_device_alloc(65536, 128);
	enum { FEW = 1, MANY = 4 };

	for (uint32_t apart = 4; apart <= 128; apart *= 32)
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			uint32_t count = counts[i], n = count < 32 ? 1 : 8, few = FEW * n, many = MANY * n;
			void *short_run[] = { &words, &count, &apart, &few };
			void *long_run[] = { &words, &count, &apart, &many };
			double ms;

			launch_ms(m, "additions", 132, 256, short_run);
			ms = launch_ms(m, "additions", 132, 256, long_run) -
				launch_ms(m, "additions", 132, 256, short_run);
			report(m, 33792.0 * (many - few) / (ms * 1e6), "Gop/s", "red %u words %u bytes apart",
				count, apart);
		}
	CHECK(cuMemFree(words));
}

static void measure_small_copies(struct micro *m)
{
	struct grid grid = { .ctas = 1, .threads = 32, .shared = 16 << 10 };
	unsigned long long out[MOST_CYCLES];
	CUdeviceptr from = bench_device_alloc(16 << 10, 1);
	void *more[] = { &from, NULL };

	hopper_measure(m, "small_copies", &grid, more, out);
	report(m, (double)out[0], "cycles", "cp.async 16 copies");
	CHECK(cuMemFree(from));
}

void topic_barriers(struct micro *m)
{
	measure_local(m);
	measure_remote(m);
	measure_cluster_barriers(m);
	measure_grid(m);
	measure_additions(m);
	measure_small_copies(m);
}
