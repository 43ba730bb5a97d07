/* sim/parallel.c -- a phase spread over host threads, with the same outcome to the last digit.
 *
 * In its phase a component touches only itself and its ports, so the ticks of one phase and time may run in any order; what they
 * have in common is the kernel's: who is awake, the heap of timed wake-ups. While threads tick, these do not change: each part
 * writes down what its components asked for, and the caller does it when all have ended, one after the other. In whatever order:
 * waking and sleeping of different components commute, those of one component (a component is put to sleep by itself alone)
 * are in one part's log in their order, and the heap's order is that of its keys.
 *
 * Component number i of a phase belongs to part i modulo the number of threads: always the same, so that a host core keeps in
 * its cache what its components touch, and even where only the first SMs have work. */
#include "sim/crew.h"
#include "sim/kernel_internal.h"
#include "sim/xalloc.h"

enum wish_kind { WISH_WAKE, WISH_SLEEP, WISH_WAKE_AT };

struct wish {
	struct component *component;
	cycles when;       /* WAKE_AT */
	picoseconds time;
	enum wish_kind kind;
};

/* The components that one thread ticks, and what these asked for. */
struct share {
	struct component *ticking;
	struct wish *wishes;
	uint32_t count, capacity;
	uint32_t ticks;
	uint64_t mine[WORDS];
} __attribute__((aligned(64)));

struct parallel {
	struct crew *crew;
	struct phase *phase;       /* that is run */
	cycles now;
	uint32_t size;
	struct share shares[CREW_MOST];
};

/* Of the thread, while the simulator is forked. The model of access costs one instruction in a shared library too. */
static __thread struct share *own __attribute__((tls_model("initial-exec")));

/* ---- while forked ---- */

static void write_down(struct component *c, enum wish_kind kind, cycles when, picoseconds time)
{
	struct share *s = own;

	if (s->count == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : 256;
		s->wishes = xrealloc(s->wishes, s->capacity * sizeof(*s->wishes));
	}
	s->wishes[s->count++] = (struct wish){ c, when, time, kind };
}

/* A component of the phase that is run must not touch another: it would depend on who ticks first. */
static void check_own(const struct component *c)
{
	bug_if(c != own->ticking && c->phase == own->ticking->phase,
		"component %u of phase %u touches number %u of the same phase", own->ticking->number, c->phase, c->number);
}

void parallel_wake(struct component *c)
{
	check_own(c);
	if (c != own->ticking && component_is_awake(c))
		return; /* and stays so: only its own ticks put it to sleep */
	write_down(c, WISH_WAKE, 0, 0);
}

void parallel_sleep(struct component *c)
{
	bug_if(c != own->ticking, "component %u of phase %u is put to sleep by another", c->number, c->phase);
	write_down(c, WISH_SLEEP, 0, 0);
}

void parallel_wake_at(struct component *c, cycles when, picoseconds time)
{
	check_own(c);
	write_down(c, WISH_WAKE_AT, when, time);
}

static void run_share(void *context, uint32_t number)
{
	const struct parallel *par = context;
	const struct phase *p = par->phase;
	struct share *s = &((struct parallel *)context)->shares[number];
	uint32_t ticks = 0;

	own = s;
	for (uint32_t word = 0; word * 64 < p->count; word++)
		for (uint64_t due = p->awake[word] & s->mine[word]; due; due &= due - 1) {
			struct component *c = p->components[word * 64 + (unsigned)__builtin_ctzll(due)];

			ticks++;
			s->ticking = c;
			c->tick(c, par->now);
		}
	s->ticks = ticks;
	own = NULL;
}

/* ---- before and after ---- */

static void fulfil(const struct wish *w)
{
	if (w->kind == WISH_WAKE)
		component_wake(w->component);
	else if (w->kind == WISH_SLEEP)
		component_sleep(w->component);
	else
		kernel_wake_at(w->component, w->when, w->time);
}

bool parallel_phase(struct simulator *sim, struct phase *p, cycles now)
{
	struct parallel *par = sim->parallel;

	if (crew_rests(par->crew))
		return false;
	par->phase = p;
	par->now = now;
	sim->is_forked = true;
	crew_run(par->crew, run_share, par);
	sim->is_forked = false;
	for (uint32_t i = 0; i < par->size; i++) {
		struct share *s = &par->shares[i];

		for (uint32_t k = 0; k < s->count; k++)
			fulfil(&s->wishes[k]);
		s->count = 0;
		p->ticks += s->ticks;
	}
	return true;
}

void parallel_enter(struct parallel *par)
{
	crew_enter(par->crew);
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
	*par = (struct parallel){ .crew = crew_new(threads, crew_processors()), .size = threads };
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
	crew_free(par->crew);
	for (uint32_t i = 0; i < par->size; i++)
		free(par->shares[i].wishes);
	free(par);
}
