/* main.c -- the frame of a benchmark: everything that is not its own work. */
#include "bench.h"

int main(int argc, char **argv)
{
	struct bench b;

	bench_begin(&b, &bench_program, argc, argv);
	bench_run(&b);
	return bench_end(&b);
}
