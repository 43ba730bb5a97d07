/* sim/event/forks.c -- what host threads can be worth at most: for --host-profile, with which one thread
 * simulates alone. Phases that threads would divide are measured tick by tick: their work, and what would
 * remain of it for n threads, which is an n-th part, or the longest tick if that takes longer. All else stays
 * on one thread. What a fork itself costs, and what memory that threads share costs, is left out. The time is
 * that of the processor, so that it does not matter what else the host does. */
#include "sim/event/event_kernel_internal.h"
#include <time.h>

static const uint32_t sizes[FORK_SIZES] = { 2, 4, 8, 16 };

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The least time that reading the clock takes. */
static int64_t cost_of_clock(void)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < 100; i++) {
		int64_t before = nanoseconds(), took = nanoseconds() - before;

		least = took < least ? took : least;
	}
	return least;
}

int64_t forks_clock(void)
{
	static int64_t cost, spent;

	cost = cost ? cost : cost_of_clock();
	spent += cost;
	return nanoseconds() - spent;
}

/* In the order in which one thread ticks them (run_phase). */
void forks_measure(struct phase *p, cycles now)
{
	int64_t work = 0, longest = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		int64_t before, took;

		if (!is_awake_at(p->domain, p->first + i))
			continue;
		before = forks_clock();
		p->ticks++;
		p->domain->components[p->first + i]->tick(p->domain->components[p->first + i], now);
		took = forks_clock() - before;
		work += took;
		longest = took > longest ? took : longest;
		p->forks.ticks++;
	}
	p->forks.count++;
	p->forks.work += work;
	for (int s = 0; s < FORK_SIZES; s++)
		p->forks.divided[s] += longest > work / sizes[s] ? longest : work / sizes[s];
}

static double quotient(double a, double b)
{
	return b > 0 ? a / b : 0;
}

void sim_print_forks(const struct simulator *sim, FILE *stream)
{
	static const char *const names[PHASE_COUNT] = { "sm", "commit", "xbar", "l2", "dram" };
	double all = (double)sim->forks_all, work = 0, divided[FORK_SIZES] = { 0 };

	for (int i = 0; i < PHASE_COUNT; i++) {
		const struct forks *f = &sim->phases[i].forks;

		work += (double)f->work;
		for (int s = 0; s < FORK_SIZES; s++)
			divided[s] += (double)f->divided[s];
		if (!f->count)
			continue;
		fprintf(stream, "host.forks::%-5s %llu # times that threads would divide this phase\n",
			names[i], (unsigned long long)f->count);
		fprintf(stream, "host.fork_ticks::%-5s %.1f # components that tick in one, on average\n",
			names[i], quotient((double)f->ticks, (double)f->count));
		fprintf(stream, "host.fork_time::%-5s %.0f # nanoseconds that one takes on one thread\n",
			names[i], quotient((double)f->work, (double)f->count));
		fprintf(stream,
			"host.imbalance::%-5s %.2f # time of 16 threads as a multiple of a sixteenth of it\n",
			names[i],
			quotient(
				(double)f->divided[FORK_SIZES - 1] * sizes[FORK_SIZES - 1], (double)f->work));
	}
	fprintf(stream, "host.serial            %.4f # share of the time that threads would not divide\n",
		quotient(all - work, all));
	for (int s = 0; s < FORK_SIZES; s++)
		fprintf(stream,
			"host.speed_up::%-7u %.2f # the greatest speed-up that this number of threads can "
			"give\n",
			sizes[s], quotient(all, all - work + divided[s]));
}
