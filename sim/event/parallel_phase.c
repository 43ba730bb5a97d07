/* sim/event/parallel_phase.c -- one phase on several host threads, with the same outcome to the last digit.
 *
 * In its phase a component touches only itself and its ports, so the ticks of one phase and time may run in
 * any order. What they share belongs to the event kernel: which components are awake, and when each wakes.
 * While the threads tick, this does not change: each part of the phase records what its components asked
 * for, and the caller does it one after the other when all parts have ended. The order of the parts does
 * not matter: requests of different components commute, and those of one component (only the component
 * itself puts itself to sleep) are in the record of one part in their order; the same holds for timed
 * wake-ups.
 *
 * Component i of a phase belongs to thread i modulo the number of threads: always the same, so that a host
 * core keeps in its cache what its components use, even where only the first SMs have work. A thread that
 * has finished its own part continues with what others have left. */
#include "sim/event/thread_pool.h"
#include "sim/event/event_kernel_internal.h"
#include "sim/base/xalloc.h"
#include <stdatomic.h>

enum deferred_kind { DEFERRED_WAKE, DEFERRED_SLEEP, DEFERRED_WAKE_AT };

/* Of a component, named so that the caller need not look at it: its thread has just written to it. */
struct deferred_op {
	cycles when; /* WAKE_AT; SLEEP: until then, or SIM_NEVER */
	uint16_t number;
	uint8_t phase, kind;
};

#define CHUNK      8 /* component numbers: 64 is a multiple of it */
#define CHUNK_MASK UINT64_C(0xff)

/* The components that belong to one thread; and what those that it has ticked, these and others, asked for.
 */
struct share {
	struct component *ticking;
	struct deferred_op *deferred;
	uint32_t count, capacity;
	uint32_t ticks;
	uint64_t mine[WORDS];
	_Atomic uint32_t next __attribute__((aligned(64))); /* of its chunks, to be ticked */
} __attribute__((aligned(64)));

struct parallel {
	struct thread_pool *pool;
	struct phase *phase; /* that is run */
	cycles now;
	uint32_t size;
	struct share shares[THREAD_POOL_MOST];
};

/* Of the thread, while the simulator is forked. The model of access costs one instruction in a shared library
 * too. */
static __thread struct share *own __attribute__((tls_model("initial-exec")));

/* ---- while forked ---- */

static void write_down(const struct component *c, enum deferred_kind kind, cycles when)
{
	struct share *s = own;

	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->deferred = xrealloc(s->deferred, s->capacity * sizeof(*s->deferred));
	}
	s->deferred[s->count++] = (struct deferred_op){ when, c->number, (uint8_t)c->phase, (uint8_t)kind };
}

/* A component of the phase that is run must not touch another: it would depend on who ticks first. */
static void check_own(const struct component *c)
{
	bug_if(c != own->ticking && c->phase == own->ticking->phase,
		"component %u of phase %u touches number %u of the same phase", own->ticking->number,
		c->phase, c->number);
}

void parallel_wake(struct component *c)
{
	check_own(c);
	if (c != own->ticking && component_is_awake(c))
		return; /* and stays so: only its own ticks put it to sleep */
	write_down(c, DEFERRED_WAKE, 0);
}

void parallel_sleep_until(struct component *c, cycles when)
{
	bug_if(c != own->ticking, "component %u of phase %u is put to sleep by another", c->number, c->phase);
	write_down(c, DEFERRED_SLEEP, when);
}

void parallel_wake_at(struct component *c, cycles when)
{
	check_own(c);
	write_down(c, DEFERRED_WAKE_AT, when);
}

/* Those of the components from CHUNK * chunk on that belong to the share and are awake. */
static void tick_chunk(const struct parallel *par, const struct share *from, uint32_t chunk)
{
	const struct phase *p = par->phase;
	uint32_t word = chunk * CHUNK / 64;
	uint64_t due = p->awake[word] & from->mine[word] & CHUNK_MASK << (chunk * CHUNK % 64);

	for (; due; due &= due - 1) {
		own->ticking = p->components[word * 64 + (unsigned)__builtin_ctzll(due)];
		own->ticks++;
		own->ticking->tick(own->ticking, par->now);
	}
}

/* A thread's part: its share, then what others have left of theirs. */
static void run_part(void *context, uint32_t number)
{
	struct parallel *par = context;
	uint32_t chunks = (par->phase->count + CHUNK - 1) / CHUNK, chunk;

	own = &par->shares[number];
	for (uint32_t i = 0; i < par->size; i++) {
		struct share *from = &par->shares[(number + i) % par->size];

		while ((chunk = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed)) < chunks)
			tick_chunk(par, from, chunk);
	}
	own = NULL;
}

/* ---- before and after ---- */

static void fulfil(struct simulator *sim, const struct deferred_op *w)
{
	struct phase *p = &sim->phases[w->phase];

	if (w->kind == DEFERRED_WAKE)
		kernel_wake(sim, p, w->number);
	else if (w->kind == DEFERRED_SLEEP)
		kernel_sleep(p, w->number);
	if (w->kind != DEFERRED_WAKE && w->when != SIM_NEVER)
		kernel_wake_at(sim, p, w->number, w->when);
}

bool parallel_phase(struct simulator *sim, struct phase *p, cycles now)
{
	struct parallel *par = sim->parallel;

	if (thread_pool_rests(par->pool))
		return false;
	par->phase = p;
	par->now = now;
	for (uint32_t i = 0; i < par->size; i++)
		atomic_store_explicit(&par->shares[i].next, 0, memory_order_relaxed);
	sim->is_forked = true;
	thread_pool_run(par->pool, run_part, par);
	sim->is_forked = false;
	for (uint32_t i = 0; i < par->size; i++) {
		struct share *s = &par->shares[i];

		for (uint32_t k = 0; k < s->count; k++)
			fulfil(sim, &s->deferred[k]);
		p->ticks += s->ticks;
		s->count = s->ticks = 0;
	}
	return true;
}

void parallel_enter(struct parallel *par)
{
	thread_pool_enter(par->pool);
}

/* ---- building ---- */

void sim_set_threads(struct simulator *sim, uint32_t threads)
{
	struct parallel *par;

	bug_if(!threads || threads > SIM_MAX_THREADS, "%u host threads", threads);
	parallel_free(sim->parallel);
	sim->parallel = NULL;
	if (threads == 1)
		return;
	par = sim->parallel = aligned_alloc(64, sizeof(*par));
	bug_if(!par, "out of memory");
	*par = (struct parallel){ .pool = thread_pool_new(threads, thread_pool_processors()),
		.size = threads };
	for (uint32_t i = 0; i < SIM_MAX_COMPONENTS; i++)
		par->shares[i % threads].mine[i / 64] |= UINT64_C(1) << (i % 64);
}

void sim_fork_from(struct simulator *sim, enum sim_phase phase, uint32_t awake)
{
	sim->phases[phase].fork_from = sim->parallel ? awake : SIM_NEVER_FORK;
}

void parallel_free(struct parallel *par)
{
	if (!par)
		return;
	thread_pool_free(par->pool);
	for (uint32_t i = 0; i < par->size; i++)
		free(par->shares[i].deferred);
	free(par);
}
