/* products.c -- matrix products of warpgroups (wgmma) and of warps (mma.sync) on one SM: how often one can
 * go, and how long one takes. */
#include "hopper.h"

enum { ROUNDS = 40, PRODUCT = 2 * 16 * 8 * 16 /* operations of an m16n8k16 */ };

static double run_rounds(struct micro *m, const char *kernel, unsigned threads, uint32_t rounds,
	unsigned long long out[MOST_CYCLES])
{
	struct grid grid = { .ctas = 1, .threads = threads };
	void *more[] = { &rounds, NULL };

	hopper_measure(m, kernel, &grid, more, out);
	return (double)out[0];
}

/* Cycles of a product when many are on their way: two launches, whose beginnings and ends cancel. */
static double each_of(struct micro *m, const char *kernel, unsigned threads, unsigned in_round)
{
	unsigned long long out[MOST_CYCLES];
	double few = run_rounds(m, kernel, threads, ROUNDS / 4, out);

	return (run_rounds(m, kernel, threads, ROUNDS, out) - few) / (ROUNDS - ROUNDS / 4) / in_round;
}

static void measure_streams(struct micro *m)
{
	static const unsigned columns[] = { 8, 16, 32, 64, 96, 128, 192, 256 };
	char kernel[32];

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		snprintf(kernel, sizeof kernel, "stream_%u", columns[i]);
		report(m, each_of(m, kernel, 128, 16), "cycles", "wgmma n%u", columns[i]);
	}
	report(m, each_of(m, "stream_64", 256, 16), "cycles", "wgmma n64 of two warpgroups");
	report(m, each_of(m, "stream_128", 256, 16), "cycles", "wgmma n128 of two warpgroups");
}

static void measure_groups(struct micro *m)
{
	static const unsigned groups[][2] = { { 1, 0 }, { 1, 1 }, { 1, 3 }, { 2, 0 }, { 2, 1 }, { 4, 0 },
		{ 4, 1 }, { 8, 0 } };
	char kernel[32];

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		snprintf(kernel, sizeof kernel, "groups_%u_%u", groups[i][0], groups[i][1]);
		report(m, each_of(m, kernel, 128, 16 * groups[i][0]), "cycles",
			"wgmma n64 %u in a group %u left", groups[i][0], groups[i][1]);
	}
	report(m, each_of(m, "groups_8_0_128", 128, 128), "cycles", "wgmma n128 8 in a group 0 left");
}

static void measure_alone(struct micro *m)
{
	static const char *const kernels[] = { "8", "16", "32", "64", "128", "registers_8", "registers_16",
		"registers_32", "registers_64" };
	unsigned long long out[MOST_CYCLES];
	char kernel[32];

	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		snprintf(kernel, sizeof kernel, "alone_%s", kernels[i]);
		run_rounds(m, kernel, 128, ROUNDS, out);
		report(m, (double)out[0] / ROUNDS, "cycles", "wgmma alone %s", kernels[i]);
	}
}

static void measure_warps(struct micro *m)
{
	char kernel[32];

	for (unsigned chains = 1; chains <= 8; chains *= 2) {
		snprintf(kernel, sizeof kernel, "chains_%u", chains);
		report(m, each_of(m, kernel, 32, 32), "cycles", "mma m16n8k16 %u chains", chains);
	}
	for (unsigned warps = 1; warps <= 8; warps *= 2)
		report(m, PRODUCT * warps / each_of(m, "chains_8", 32 * warps, 32), "FLOP/clk/SM",
			"mma m16n8k16 %u warps", warps);
}

void topic_products(struct micro *m)
{
	measure_streams(m);
	measure_groups(m);
	measure_alone(m);
	measure_warps(m);
}
