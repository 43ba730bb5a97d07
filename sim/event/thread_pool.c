/* sim/event/thread_pool.c -- a thread pool of host threads: see thread_pool.h.
 *
 * A job is announced by a new number (`job`). Who does a part claims it, by moving the part's `claimed` from
 * the number before to this one; before the caller returns, every part has been claimed under the job's
 * number and has ended, so that a thread that comes late finds nothing left to claim, and what a job is about
 * cannot change under anybody's hands. */
#include "sim/event/thread_pool.h"
#include "sim/base/xalloc.h"
#include <fenv.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS_BEFORE_YIELD 2000u
#define SPINS_PER_LOOK     32u /* at the clock, and where the host has put us */
#define SPIN_NANOSECONDS   50000
#define LOST_NANOSECONDS   200000
#define SHORTEST_PAUSE     256u /* jobs */
#define LONGEST_PAUSE      65536u

struct part {
	_Atomic uint32_t claimed; /* the last job under which somebody took it on */
	_Atomic uint32_t ended;   /* the last job that its own thread did */
	struct thread_pool *pool;
	uint32_t number;
	bool has_thread;
	pthread_t thread;
} __attribute__((aligned(64)));

struct thread_pool {
	/* written by the caller before each job */
	_Atomic uint32_t job __attribute__((aligned(64)));
	_Atomic int processor; /* where the caller runs */
	thread_pool_part run;
	void *context;
	uint32_t environments; /* so many times thread_pool_enter has been called */
	fenv_t environment;

	uint32_t alone;    /* so many jobs more are the caller's alone */
	uint32_t pause;    /* and so many will be after the next loss */
	uint32_t in_a_row; /* jobs without a loss */
	bool is_tireless;

	_Atomic uint32_t asleep __attribute__((aligned(64))); /* not 0: some thread sleeps, or is about to */
	_Atomic bool is_crowded; /* a thread without work has found itself where the caller should run */
	_Atomic bool is_over;
	uint32_t size, threads; /* parts; those that have a thread of their own, the caller's included, come
				   first */
	pid_t process;
	struct part parts[THREAD_POOL_MOST];
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

/* ---- the threads ---- */

static void sleep_while(struct thread_pool *pool, uint32_t job)
{
	atomic_store(&pool->asleep, 1);
	syscall(SYS_futex, &pool->job, FUTEX_WAIT_PRIVATE, job, NULL, NULL, 0); /* returns at once if there is
										   another by now */
}

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The host has put this thread, which only waits, on the caller's processor: it must not keep the caller from
 * it. */
static bool is_in_the_way(struct thread_pool *pool)
{
	if (sched_getcpu() != atomic_load_explicit(&pool->processor, memory_order_relaxed))
		return false;
	atomic_store_explicit(&pool->is_crowded, true, memory_order_relaxed);
	return true;
}

/* The number of a job after `last`. */
static uint32_t next_job(struct thread_pool *pool, uint32_t last)
{
	int64_t since = 0;

	for (uint32_t spins = 1;; spins++) {
		uint32_t job = atomic_load_explicit(&pool->job, memory_order_acquire);

		if (job != last)
			return job;
		pause_briefly();
		if (spins % SPINS_PER_LOOK)
			continue;
		since = since ? since : nanoseconds();
		if (is_in_the_way(pool) || nanoseconds() - since > SPIN_NANOSECONDS) {
			sleep_while(pool, last);
			since = 0;
		} else if (spins > SPINS_BEFORE_YIELD) {
			sched_yield();
		}
	}
}

static bool claim(struct part *p, uint32_t job)
{
	uint32_t before = job - 1;

	return atomic_load_explicit(&p->claimed, memory_order_relaxed) == before &&
		atomic_compare_exchange_strong(&p->claimed, &before, job);
}

/* Does the part, if nobody has begun it. What belongs to the job may be looked at only now: until the part
 * has ended it stays. */
static void try(struct part *p, uint32_t job, uint32_t *environments)
{
	struct thread_pool *pool = p->pool;

	if (!claim(p, job))
		return;
	if (*environments != pool->environments)
		fesetenv(&pool->environment);
	*environments = pool->environments;
	pool->run(pool->context, p->number);
	atomic_store_explicit(&p->ended, job, memory_order_release);
}

static void *work(void *argument)
{
	struct part *own = argument;
	struct thread_pool *pool = own->pool;
	uint32_t job = 0, environments = 0;

	for (;;) {
		job = next_job(pool, job);
		if (atomic_load_explicit(&pool->is_over, memory_order_acquire))
			return NULL;
		try(own, job, &environments);
		for (uint32_t i = pool->threads; i < pool->size; i++)
			try(&pool->parts[i], job, &environments);
	}
}

/* ---- the caller ---- */

static void announce(struct thread_pool *pool, uint32_t job)
{
	atomic_store_explicit(&pool->processor, sched_getcpu(), memory_order_relaxed);
	atomic_store(&pool->job, job);
	if (atomic_load(&pool->asleep)) { /* whoever sets it after this finds the new job */
		atomic_store(&pool->asleep, 0);
		syscall(SYS_futex, &pool->job, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	}
}

/* Whether that took so long that the host must have taken the part's thread from its processor. */
static bool await(const struct part *p, uint32_t job)
{
	int64_t since = 0;

	for (uint32_t spins = 0; atomic_load_explicit(&p->ended, memory_order_acquire) != job; spins++) {
		pause_briefly();
		if (spins < SPINS_BEFORE_YIELD)
			continue;
		since = since ? since : nanoseconds();
		sched_yield();
	}
	return since && nanoseconds() - since > LOST_NANOSECONDS;
}

/* A thread that loses its processor in the middle of a part holds up everybody, and one that finds no other
 * than the caller's is of no use: where that happens often, because others want the processors too, the
 * caller does better alone for a while, longer each time. */
static void rest_if_lost(struct thread_pool *pool, bool is_lost)
{
	if (pool->is_tireless)
		return;
	if (is_lost || atomic_load_explicit(&pool->is_crowded, memory_order_relaxed)) {
		atomic_store_explicit(&pool->is_crowded, false, memory_order_relaxed);
		pool->pause = pool->pause < LONGEST_PAUSE ? 2 * pool->pause : LONGEST_PAUSE;
		pool->alone = pool->pause;
		pool->in_a_row = 0;
	} else if (++pool->in_a_row == pool->pause) {
		pool->pause = pool->pause > SHORTEST_PAUSE ? pool->pause / 2 : SHORTEST_PAUSE;
		pool->in_a_row = 0;
	}
}

/* Parts 1 ... that nobody has begun are the caller's; then it waits for the others. */
static bool finish(struct thread_pool *pool, uint32_t job)
{
	uint64_t others = 0;
	bool is_lost = false;

	for (uint32_t i = 1; i < pool->size; i++)
		if (claim(&pool->parts[i], job))
			pool->run(pool->context, i);
		else
			others |= UINT64_C(1) << i;
	for (; others; others &= others - 1)
		is_lost |= await(&pool->parts[__builtin_ctzll(others)], job);
	return is_lost;
}

void thread_pool_run(struct thread_pool *pool, thread_pool_part run, void *context)
{
	uint32_t job = atomic_load_explicit(&pool->job, memory_order_relaxed) + 1;

	pool->run = run;
	pool->context = context;
	announce(pool, job);
	run(context, 0);
	rest_if_lost(pool, finish(pool, job));
}

bool thread_pool_rests(struct thread_pool *pool)
{
	pool->alone -= pool->alone != 0;
	return pool->alone;
}

void thread_pool_enter(struct thread_pool *pool)
{
	pool->environments++;
	fegetenv(&pool->environment);
}

/* ---- building ---- */

static bool start(struct part *p)
{
	return !pthread_create(&p->thread, NULL, work, p);
}

struct thread_pool *thread_pool_new(uint32_t size, uint32_t threads)
{
	struct thread_pool *pool = aligned_alloc(64, sizeof(*pool));
	const char *mood = getenv("LOCKSTEP_CREW");
	sigset_t all, before;

	bug_if(!pool, "out of memory");
	bug_if(!size || size > THREAD_POOL_MOST || !threads, "a thread pool of %u, %u threads", size,
		threads);
	*pool = (struct thread_pool){ .size = size,
		.threads = threads < size ? threads : size,
		.pause = SHORTEST_PAUSE,
		.process = getpid() };
	pool->is_tireless = mood && !strcmp(mood, "tireless");
	for (uint32_t i = 0; i < size; i++) {
		pool->parts[i].pool = pool;
		pool->parts[i].number = i;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (uint32_t i = 1; i < pool->threads && (pool->parts[i].has_thread = start(&pool->parts[i])); i++)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pool;
}

uint32_t thread_pool_processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (uint32_t)CPU_COUNT(&set);
}

void thread_pool_free(struct thread_pool *pool)
{
	if (!pool)
		return;
	atomic_store(&pool->is_over, true);
	announce(pool, atomic_load(&pool->job) + 1);
	for (uint32_t i = 1; i < pool->threads && pool->process == getpid(); i++)
		if (pool->parts[i].has_thread)
			pthread_join(pool->parts[i].thread, NULL);
	free(pool);
}

uint32_t thread_pool_size(const struct thread_pool *pool)
{
	return pool->size;
}
