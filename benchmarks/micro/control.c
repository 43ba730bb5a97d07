/* control.c -- barriers, divergence, branches, special registers. */
#include "micro.h"

enum { REPEATS = 2, BARRIERS = 64, COUNT = 128, PATHS = 32, PATH_LENGTH = 16 };

void topic_barrier(struct micro *m)
{
	static const unsigned warps[] = { 1, 2, 4, 8, 16, 24, 32 };

	for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
		struct shape shape = { .threads = warps[i] * WARP, .repeats = REPEATS };

		micro_run(m, "", "barrier", &shape);
		report(m, m->cycles / (REPEATS * BARRIERS), "cycles", "barrier %u warps", warps[i]);
	}
	/* three CTAs of 16 warps: their barriers overlap */
	struct shape shape = { 3, 512, REPEATS, 0, 0 };
	micro_run(m, "", "barrier", &shape);
	report(m, m->rate * BARRIERS, "results/clk/SM", "throughput barrier");
}

void topic_divergence(struct micro *m)
{
	float want = 1.0f;
	double one = 0;

	for (int i = 0; i < REPEATS * PATH_LENGTH; i++)
		want = fmaf(want, -0.5f, -0.5f);
	for (uint32_t paths = 1; paths <= PATHS; paths++) {
		struct shape shape = {
			.threads = WARP, .repeats = REPEATS, .x = paths, .y = float_bits(-0.5f)
		};

		micro_run(m, "", "divergence", &shape);
		micro_expect(m, "divergence", float_bits(want));
		if (paths == 1)
			one = micro_first(m);
		report(m, micro_first(m), "cycles", "divergence %u paths", paths);
	}
	report(m, (micro_first(m) - one) / (PATHS - 1), "cycles", "divergence: each further path");
}

/* Cycles of one of COUNT instructions in one warp. */
static double each(struct micro *m, const char *kernel, uint32_t x, uint32_t y)
{
	struct shape shape = { .threads = WARP, .repeats = REPEATS, .x = x, .y = y };

	micro_run(m, "control_", kernel, &shape);
	return micro_first(m) / COUNT;
}

void topic_control(struct micro *m)
{
	report(m, each(m, "clock", 0, 0), "cycles", "read %%clock");
	report(m, each(m, "sreg", 0, 0), "cycles", "read %%tid");
	report(m, each(m, "not_taken", 0, 0), "cycles", "branch not taken");
	micro_expect(m, "branch not taken", 0);
	report(m, each(m, "taken", 1, 0), "cycles", "branch taken");
	micro_expect(m, "branch taken", 0);
	report(m, each(m, "taken", 0, 0), "cycles", "branch not taken + int add");
	micro_expect(m, "branch not taken, then add", REPEATS * COUNT);
	report(m, each(m, "guarded", 0, 7), "cycles", "int add with false guard");
	micro_expect(m, "guard false", 7);
}
