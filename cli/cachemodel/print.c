/* cli/cachemodel/print.c -- tables on the terminal. */
#include "cli/cachemodel/cachemodel.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define WIDTH 26 /* of names */

static void print_shares(const struct model_counts *c)
{
	double all = (double)model_accesses(c);

	for (int i = 0; i < MODEL_OUTCOMES; i++)
		printf(" %8.2f", all > 0 ? 100 * (double)c->of[i] / all : 0);
	printf(" %9.2f", 100 * model_miss_rate(c));
}

static void print_kernel_row(const char *name, uint64_t launches, const struct model_counts *counts,
	uint64_t cancelled, const struct model_counts *unlimited)
{
	printf("%-*.*s %8" PRIu64 " %12" PRIu64, WIDTH, WIDTH, name, launches, model_accesses(counts));
	print_shares(counts);
	if (unlimited)
		printf(" %8.2f", 100 * (model_miss_rate(counts) - model_miss_rate(unlimited)));
	printf(" %10" PRIu64 "\n", cancelled);
}

void print_kernels(const struct results *r, bool with_mshr_effect)
{
	struct model_counts total = cachemodel_total(r, 0), unlimited = { 0 };
	uint64_t launches = 0, cancelled = 0;

	printf("outcomes of accesses to the L1, in %%; the miss rate has no latency misses\n");
	printf("%-*s %8s %12s %8s %8s %8s %8s %8s %9s%s %10s\n", WIDTH, "kernel", "launches", "accesses",
		"hit", "compuls.", "capacity", "associa.", "latency", "miss rate",
		with_mshr_effect ? "    MSHRs" : "", "cancelled");
	if (with_mshr_effect)
		unlimited = cachemodel_total(r, 1);
	for (size_t i = 0; i < r->count; i++) {
		const struct kernel_result *k = &r->kernels[i];

		print_kernel_row(k->name, k->launches, &k->variants[0], k->cancelled,
			with_mshr_effect ? &k->variants[1] : NULL);
		launches += k->launches;
		cancelled += k->cancelled;
	}
	if (r->count > 1)
		print_kernel_row("all", launches, &total, cancelled, with_mshr_effect ? &unlimited : NULL);
}

static uint64_t misses(const struct model_counts *c)
{
	return c->of[MODEL_COMPULSORY] + c->of[MODEL_CAPACITY] + c->of[MODEL_ASSOCIATIVITY];
}

static int more_misses(const void *a, const void *b)
{
	const struct ptx_line_counts *x = a, *y = b;
	uint64_t of_x = misses(&x->counts), of_y = misses(&y->counts);

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void print_lines(const struct results *r)
{
	printf("\nloads by line of the PTX, those with the most misses first\n%-*s %8s %12s %8s %8s %8s %8s "
	       "%8s "
	       "%9s\n",
		WIDTH, "kernel", "line", "accesses", "hit", "compuls.", "capacity", "associa.", "latency",
		"miss rate");
	for (size_t i = 0; i < r->count; i++) {
		struct kernel_result *k = &r->kernels[i];

		qsort(k->lines, k->line_count, sizeof(*k->lines), more_misses);
		for (size_t l = 0; l < k->line_count; l++) {
			printf("%-*.*s %8u %12" PRIu64, WIDTH, WIDTH, k->name, k->lines[l].line,
				model_accesses(&k->lines[l].counts));
			print_shares(&k->lines[l].counts);
			putchar('\n');
		}
	}
}

void print_comparison(const struct results *r)
{
	printf("\nmiss rate in %%: model and simulator\n%-*s %9s %9s %10s %14s %14s\n", WIDTH, "kernel",
		"modelled", "simulated", "difference", "modelled loads", "simulated");
	for (size_t i = 0; i < r->count; i++) {
		const struct kernel_result *k = &r->kernels[i];
		double modelled = 100 * model_miss_rate(&k->variants[0]);

		printf("%-*.*s %9.2f %9.2f %+10.2f %14" PRIu64 " %14" PRIu64 "\n", WIDTH, WIDTH, k->name,
			modelled, k->simulated, modelled - k->simulated, model_accesses(&k->variants[0]),
			k->simulated_loads);
	}
}
