/* main.c -- the frame of a benchmark: everything that is not its own work. Compiled for each benchmark, with
 * BENCH_FOLDER its folder below benchmarks/. */
#include "bench.h"

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, BENCH_FOLDER, &bench_program, argc, argv);
	bench_run(&b);
	return bench_end(&b);
}
