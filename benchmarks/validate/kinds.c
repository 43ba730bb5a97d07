/* kinds.c -- mma.sync of one SM of compute capability 12.0: bf16 by chains and warps, and the narrow floats.
 */
#include "hopper.h"

enum { ROUNDS = 40, IN_ROUND = 32 };

/* Cycles of a product of each warp, from two launches, whose beginnings and ends cancel. */
static double cycles_of(struct micro *m, const char *kernel, unsigned warps)
{
	struct grid grid = { .ctas = 1, .threads = 32 * warps };
	unsigned long long few[MOST_CYCLES], many[MOST_CYCLES];
	uint32_t rounds = ROUNDS / 4;
	void *more[] = { &rounds, NULL };

	hopper_measure(m, kernel, &grid, more, few);
	rounds = ROUNDS;
	hopper_measure(m, kernel, &grid, more, many);
	return (double)(many[0] - few[0]) / (ROUNDS - ROUNDS / 4) / IN_ROUND;
}

static void measure_chains(struct micro *m)
{
	char kernel[16];

	for (unsigned chains = 1; chains <= 16; chains *= 2) {
		snprintf(kernel, sizeof kernel, chains == 8 ? "bf16" : "bf16_%u", chains);
		report(m, cycles_of(m, kernel, 1), "cycles", "mma bf16 %u chains", chains);
	}
}

static void measure_warps(struct micro *m)
{
	static const struct {
		const char *kernel;
		unsigned warps, depth; /* k of m16n8 */
	} list[] = { { "bf16", 4, 16 }, { "bf16", 8, 16 }, { "f16", 8, 16 }, { "e4m3", 8, 32 },
		{ "f8f6f4", 8, 32 }, { "mxf8f6f4", 8, 32 }, { "mxf4nvf4", 8, 64 } };

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		double operations = 2.0 * 16 * 8 * list[i].depth * list[i].warps;

		report(m, operations / cycles_of(m, list[i].kernel, list[i].warps), "FLOP/clk/SM",
			"mma %s %u warps", list[i].kernel, list[i].warps);
	}
}

void topic_kinds(struct micro *m)
{
	measure_chains(m);
	measure_warps(m);
}
