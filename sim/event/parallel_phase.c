/* sim/event/parallel_phase.c -- distributes a phase over host threads, with results equal to the last
 * digit.
 *
 * In its phase a component touches only itself and its ports, so the ticks of one phase at one time may
 * run in any order. What they share is the state of the event kernel: which components are awake, and when
 * others wake. While threads tick components, this state does not change: each thread records the
 * operations that its components request (deferred operations), and the caller applies them when all
 * threads have finished. The order does not matter: waking and sleeping of different components commute,
 * operations on one component that do not commute (a component is put to sleep only by itself) are in one
 * thread's log in their order, and timed wake-ups commute.
 *
 * Component number i of a phase belongs to thread i modulo the number of threads. The assignment never
 * changes, so that a host core keeps the components' data in its cache, and is balanced even where only
 * the first SMs have work. A thread that has finished its components continues with those that others have
 * not begun. Threads whose components all sleep take no part, so that a fork costs as much as there are
 * components that tick. */
#include "sim/event/thread_pool.h"
#include "sim/event/event_kernel_internal.h"
#include "sim/event/host_time.h"
#include "sim/base/xalloc.h"
#include <stdatomic.h>

enum deferred_kind { DEFERRED_WAKE, DEFERRED_SLEEP, DEFERRED_WAKE_AT };

/* An operation on a component. The component is named by phase and number, so that the caller need not
 * read it: its thread has just written to it. */
struct deferred_op {
	cycles when; /* WAKE_AT; SLEEP: until then, or SIM_NEVER */
	uint16_t number;
	uint8_t phase, kind;
};

/* A thread: those of its components that are to tick, and the operations deferred by the components that it
 * has ticked. */
struct worker {
	struct component *ticking;
	struct deferred_op *deferred;
	uint32_t count, capacity;
	uint32_t ticks;
	uint32_t due_count;
	uint16_t due[SIM_MAX_COMPONENTS / 2]; /* their numbers: of two threads, each has half of all at most
					       */
	_Atomic uint32_t next __attribute__((aligned(64))); /* the first of them that no thread has taken */
} __attribute__((aligned(64)));

struct parallel {
	struct thread_pool *pool;
	struct phase *phase; /* the phase that is running */
	cycles now;
	uint32_t size;
	uint64_t has_due;                  /* workers that have components to tick, a bit each */
	uint8_t owner[SIM_MAX_COMPONENTS]; /* by component number */
	struct worker workers[THREAD_POOL_MOST];
};

/* The worker of this thread while the simulator is forked. This model of access takes one instruction even
 * in a shared library. */
static __thread struct worker *own __attribute__((tls_model("initial-exec")));

/* ---- while forked ---- */

static void defer(const struct component *c, enum deferred_kind kind, cycles when)
{
	struct worker *s = own;

	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->deferred = xrealloc(s->deferred, s->capacity * sizeof(*s->deferred));
	}
	s->deferred[s->count++] = (struct deferred_op){ when, c->number, (uint8_t)c->phase, (uint8_t)kind };
}

/* A component of the running phase must not touch another component of it: the result would depend on
 * which ticks first. */
static void check_is_ticking(const struct component *c)
{
	bug_if(c != own->ticking && c->phase == own->ticking->phase,
		"component %u of phase %u touches number %u of the same phase", own->ticking->number,
		c->phase, c->number);
}

void parallel_wake(struct component *c)
{
	check_is_ticking(c);
	if (c != own->ticking && component_is_awake(c))
		return; /* and remains awake: only its own ticks put it to sleep */
	defer(c, DEFERRED_WAKE, 0);
}

void parallel_sleep_until(struct component *c, cycles when)
{
	bug_if(c != own->ticking, "component %u of phase %u is put to sleep by another", c->number, c->phase);
	defer(c, DEFERRED_SLEEP, when);
}

void parallel_wake_at(struct component *c, cycles when)
{
	check_is_ticking(c);
	defer(c, DEFERRED_WAKE_AT, when);
}

/* Ticks the components of `from` that no thread has taken. */
static void tick_rest(const struct parallel *par, struct worker *from)
{
	uint32_t i;

	while (atomic_load_explicit(&from->next, memory_order_relaxed) < from->due_count) {
		i = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
		if (i >= from->due_count)
			return;
		own->ticking = par->phase->domain->components[par->phase->first + from->due[i]];
		own->ticks++;
		own->ticking->tick(own->ticking, par->now);
	}
}

/* A thread's part: its own components, then those that other threads have not begun. */
static void run_part(void *context, uint32_t number)
{
	struct parallel *par = context;
	uint64_t behind = par->has_due >> number << number;

	own = &par->workers[number];
	for (uint64_t left = behind; left; left &= left - 1)
		tick_rest(par, &par->workers[__builtin_ctzll(left)]);
	for (uint64_t left = par->has_due & ~behind; left; left &= left - 1)
		tick_rest(par, &par->workers[__builtin_ctzll(left)]);
	own = NULL;
}

/* ---- before and after ---- */

static void apply(struct simulator *sim, const struct deferred_op *w)
{
	struct phase *p = &sim->phases[w->phase];

	if (w->kind == DEFERRED_WAKE)
		kernel_wake(sim, p, w->number);
	else if (w->kind == DEFERRED_SLEEP)
		kernel_sleep(p, w->number);
	if (w->kind != DEFERRED_WAKE && w->when != SIM_NEVER)
		kernel_wake_at(sim, p, w->number, w->when);
}

/* Distributes the awake components of the phase. */
static void deal(struct parallel *par, const struct phase *p)
{
	for (uint64_t left = par->has_due; left; left &= left - 1) {
		struct worker *w = &par->workers[__builtin_ctzll(left)];

		w->due_count = 0;
		atomic_store_explicit(&w->next, 0, memory_order_relaxed);
	}
	par->has_due = 0;
	for (const uint64_t *word = p->awake; word < p->awake_end; word++)
		for (uint64_t left = *word & p->mask; left; left &= left - 1) {
			uint32_t place =
				(uint32_t)(word - p->domain->awake) * 64 + (uint32_t)__builtin_ctzll(left);
			uint32_t number = place - p->first, owner = par->owner[number];
			struct worker *w = &par->workers[owner];

			w->due[w->due_count++] = (uint16_t)number;
			par->has_due |= UINT64_C(1) << owner;
		}
}

/* What a worker has deferred takes effect. */
static void collect(struct simulator *sim, struct phase *p, struct worker *w)
{
	for (uint32_t k = 0; k < w->count; k++)
		apply(sim, &w->deferred[k]);
	p->ticks += w->ticks;
	w->count = w->ticks = 0;
}

bool parallel_phase(struct simulator *sim, struct phase *p, cycles now)
{
	struct parallel *par = sim->parallel;

	if (thread_pool_rests(par->pool))
		return false;
	par->phase = p;
	par->now = now;
	deal(par, p);
	sim->is_forked = true;
	thread_pool_run(par->pool, run_part, par, par->has_due | 1);
	sim->is_forked = false;
	collect(sim, p, &par->workers[0]);
	for (uint64_t left = par->has_due & ~UINT64_C(1); left; left &= left - 1)
		collect(sim, p, &par->workers[__builtin_ctzll(left)]);
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
		par->owner[i] = (uint8_t)(i % threads);
}

void sim_fork_from(struct simulator *sim, enum sim_phase phase, uint32_t awake)
{
	sim->phases[phase].fork_from = sim->parallel || host_time_is_on ? awake : SIM_NEVER_FORK;
}

void parallel_free(struct parallel *par)
{
	if (!par)
		return;
	thread_pool_free(par->pool);
	for (uint32_t i = 0; i < par->size; i++)
		free(par->workers[i].deferred);
	free(par);
}
