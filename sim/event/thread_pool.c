/* sim/event/thread_pool.c -- a pool of host threads: see thread_pool.h.
 *
 * A job is announced by a new number (`job`). A thread claims a part by changing the part's `claimed` from
 * the previous number to this one. Before the caller returns, every part has been claimed under the job's
 * number and has ended. A thread that arrives late therefore finds nothing to claim, and the data of a job
 * cannot change while a part uses them. */
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
#define SPINS_PER_LOOK \
	32u /* spins between two looks at the clock and at the processor on which the thread runs */
#define SPIN_NANOSECONDS 50000
#define LOST_NANOSECONDS 200000
#define STAY_NANOSECONDS 10000000 /* a thread that the host moves back sooner has no processor of its own */
#define SHORTEST_PAUSE   256u     /* jobs */
#define LONGEST_PAUSE    65536u

struct part {
	_Atomic uint32_t claimed; /* the last job for which a thread claimed the part */
	_Atomic uint32_t ended;   /* the last job for which the part's own thread ran it */
	struct thread_pool *pool;
	uint32_t number;
	bool has_thread;
	int64_t left; /* when its thread last left the caller's processor: nanoseconds */
	pthread_t thread;
} __attribute__((aligned(64)));

struct thread_pool {
	/* written by the caller before each job */
	_Atomic uint32_t job __attribute__((aligned(64)));
	_Atomic uint64_t wanted; /* the parts of the job that are to run, a bit each */
	_Atomic int processor;   /* the processor on which the caller runs */
	thread_pool_part run;
	void *context;
	uint32_t environments; /* how often thread_pool_enter has been called */
	fenv_t environment;

	uint32_t alone;    /* number of further jobs that the caller runs alone */
	uint32_t pause;    /* number of jobs that it will run alone after the next loss */
	uint32_t in_a_row; /* consecutive jobs without a loss */
	bool never_rests;

	_Atomic uint32_t asleep __attribute__((aligned(64))); /* not 0: some thread sleeps or is about to */
	_Atomic bool is_crowded; /* an idle thread has found only the processor of the caller */
	_Atomic bool is_over;
	uint32_t size, threads; /* size: parts; threads: parts that have a thread of their own (including the
				   caller's), which come first */
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
	syscall(SYS_futex, &pool->job, FUTEX_WAIT_PRIVATE, job, NULL, NULL, 0); /* returns at once if the job
										   number has changed */
}

static int64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Moves this thread from a processor to any other that it may use, where the host is free to move it again.
 * Whether there is another. */
static bool leave_processor(int processor)
{
	cpu_set_t all, others;

	if (processor < 0 || processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof(all), &all))
		return false;
	others = all;
	CPU_CLR((size_t)processor, &others);
	return CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others) &&
		!sched_setaffinity(0, sizeof(all), &all);
}

/* Whether the host runs this idle thread on the caller's processor, which it must not take from the caller,
 * although the thread has left it: other processes use the others. A host often starts a thread on the
 * processor of the one that woke it, although others are free. */
static bool is_in_the_way(struct part *own)
{
	int caller = atomic_load_explicit(&own->pool->processor, memory_order_relaxed);
	int64_t now;

	if (sched_getcpu() != caller)
		return false;
	now = nanoseconds();
	if (now - own->left > STAY_NANOSECONDS && leave_processor(caller)) {
		own->left = now;
		return false;
	}
	atomic_store_explicit(&own->pool->is_crowded, true, memory_order_relaxed);
	return true;
}

/* The number of a job later than `last`. */
static uint32_t next_job(struct part *own, uint32_t last)
{
	struct thread_pool *pool = own->pool;
	int64_t since = 0;

	for (uint32_t spins = 1;; spins++) {
		uint32_t job = atomic_load_explicit(&pool->job, memory_order_acquire);

		if (job != last)
			return job;
		pause_briefly();
		if (spins % SPINS_PER_LOOK)
			continue;
		since = since ? since : nanoseconds();
		if (is_in_the_way(own) || nanoseconds() - since > SPIN_NANOSECONDS) {
			sleep_while(pool, last);
			is_in_the_way(own);
			since = 0;
		} else if (spins > SPINS_BEFORE_YIELD) {
			sched_yield();
		}
	}
}

/* Whether the part is to run in the job, or in a later one: then it has been claimed in this one. */
static bool is_wanted(const struct part *p)
{
	return atomic_load_explicit(&p->pool->wanted, memory_order_relaxed) >> p->number & 1;
}

static bool claim(struct part *p, uint32_t job)
{
	uint32_t before = job - 1;

	return atomic_load_explicit(&p->claimed, memory_order_relaxed) == before &&
		atomic_compare_exchange_strong(&p->claimed, &before, job);
}

/* Runs the part, unless another thread has claimed it. Only after the claim may the job's data be read:
 * they stay valid until the part has ended. */
static void try_part(struct part *p, uint32_t job, uint32_t *environments)
{
	struct thread_pool *pool = p->pool;

	if (!is_wanted(p) || !claim(p, job))
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
		job = next_job(own, job);
		if (atomic_load_explicit(&pool->is_over, memory_order_acquire))
			return NULL;
		try_part(own, job, &environments);
		for (uint32_t i = pool->threads; i < pool->size; i++)
			try_part(&pool->parts[i], job, &environments);
	}
}

/* ---- the caller ---- */

static void announce_job(struct thread_pool *pool, uint32_t job)
{
	atomic_store_explicit(&pool->processor, sched_getcpu(), memory_order_relaxed);
	atomic_store(&pool->job, job);
	/* A thread that has set it before finds the new job when it comes to sleep, or is woken; one that
	 * sets it after this is woken for the next job. So it must be read and cleared at once. */
	if (atomic_load(&pool->asleep) && atomic_exchange(&pool->asleep, 0))
		syscall(SYS_futex, &pool->job, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Waits for the part. Returns whether that took so long that the host must have suspended its thread. */
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

/* A thread that loses its processor within a part delays all others, and a thread that may use no processor
 * but the caller's is useless. Where that happens often, because other processes use the processors, the
 * caller runs jobs alone for a while, longer each time. */
static void rest_if_lost(struct thread_pool *pool, bool is_lost)
{
	if (pool->never_rests)
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

/* Claims the parts from 1 on that no thread has claimed, and runs those that are wanted; then waits for the
 * others. */
static bool finish_job(struct thread_pool *pool, uint32_t job)
{
	uint64_t others = 0;
	bool is_lost = false;

	for (uint32_t i = 1; i < pool->size; i++)
		if (!claim(&pool->parts[i], job))
			others |= UINT64_C(1) << i;
		else if (is_wanted(&pool->parts[i]))
			pool->run(pool->context, i);
	for (; others; others &= others - 1)
		is_lost |= await(&pool->parts[__builtin_ctzll(others)], job);
	return is_lost;
}

void thread_pool_run(struct thread_pool *pool, thread_pool_part run, void *context, uint64_t parts)
{
	uint32_t job = atomic_load_explicit(&pool->job, memory_order_relaxed) + 1;

	pool->run = run;
	pool->context = context;
	atomic_store_explicit(&pool->wanted, parts, memory_order_relaxed);
	announce_job(pool, job);
	if (parts & 1)
		run(context, 0);
	rest_if_lost(pool, finish_job(pool, job));
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

static bool start_thread(struct part *p)
{
	return !pthread_create(&p->thread, NULL, work, p);
}

struct thread_pool *thread_pool_new(uint32_t size, uint32_t threads)
{
	struct thread_pool *pool = aligned_alloc(64, sizeof(*pool));
	const char *rests = getenv("LOCKSTEP_THREAD_POOL");
	sigset_t all, before;

	bug_if(!pool, "out of memory");
	bug_if(!size || size > THREAD_POOL_MOST || !threads, "a thread pool of %u parts and %u threads", size,
		threads);
	*pool = (struct thread_pool){ .size = size,
		.threads = threads < size ? threads : size,
		.pause = SHORTEST_PAUSE,
		.process = getpid() };
	pool->never_rests = rests && !strcmp(rests, "never-rests");
	for (uint32_t i = 0; i < size; i++) {
		pool->parts[i].pool = pool;
		pool->parts[i].number = i;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (uint32_t i = 1; i < pool->threads && (pool->parts[i].has_thread = start_thread(&pool->parts[i]));
		i++)
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
	announce_job(pool, atomic_load(&pool->job) + 1);
	for (uint32_t i = 1; i < pool->threads && pool->process == getpid(); i++)
		if (pool->parts[i].has_thread)
			pthread_join(pool->parts[i].thread, NULL);
	free(pool);
}
