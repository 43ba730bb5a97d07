/* tests/unit/sim/test_thread_pool.c -- host threads that do parts of a job together: each part once, what is
 * written before is seen, and phases of the event kernel spread over them, with the same outcome whatever
 * their number. */
#include "tests/unit/sim/kernel_state.h"
#include "sim/event/thread_pool.h"
#include "sim/event/event_kernel.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* ---- crews ---- */

struct table {
	uint32_t given;
	uint64_t calls[THREAD_POOL_MOST], sums[THREAD_POOL_MOST];
	int rounding[THREAD_POOL_MOST];
};

static void add_up(void *context, uint32_t part)
{
	struct table *t = context;

	t->calls[part]++;
	t->sums[part] += t->given;
	t->rounding[part] = fegetround();
}

static void expect_all_parts(uint32_t size, uint32_t threads, uint32_t jobs, useconds_t pause)
{
	struct thread_pool *pool = thread_pool_new(size, threads);
	struct table t = { 0 };
	uint64_t sum = 0;

	for (uint32_t i = 0; i < jobs; i++) {
		sum += t.given = i * 7 + 1;
		thread_pool_run(pool, add_up, &t, UINT64_MAX);
		for (uint32_t k = 0; k < size; k++)
			cr_assert(
				t.calls[k] == i + 1 && t.sums[k] == sum, "part %u of %u, job %u", k, size, i);
		for (uint32_t k = size; k < THREAD_POOL_MOST; k++)
			cr_assert_eq(t.calls[k], 0, "part %u of %u", k, size);
		if (pause)
			usleep(pause);
	}
	thread_pool_free(pool);
}

Test(pool, each_part_is_done_once_and_sees_what_was_written_before)
{
	expect_all_parts(1, 1, 100, 0);
	expect_all_parts(2, 2, 20000, 0);
	expect_all_parts(3, 3, 5000, 0);
	expect_all_parts(7, 7, 2000, 0);
	expect_all_parts(THREAD_POOL_MOST, THREAD_POOL_MOST, 50, 0);
}

Test(pool, parts_without_a_thread_of_their_own_are_done_too)
{
	expect_all_parts(9, 1, 1000, 0);
	expect_all_parts(9, 2, 5000, 0);
	expect_all_parts(7, 4, 5000, 0);
	expect_all_parts(2, 9, 1000, 0);
}

Test(pool, only_the_parts_asked_for_are_done)
{
	struct thread_pool *pool = thread_pool_new(5, 5);
	struct table t = { .given = 1 };
	uint64_t expected[5] = { 0 }, draw = 1;

	for (uint32_t i = 0; i < 20000; i++) {
		uint64_t parts;

		draw = draw * UINT64_C(6364136223846793005) + 1442695040888963407;
		parts = draw >> 59;
		thread_pool_run(pool, add_up, &t, parts);
		for (uint32_t k = 0; k < 5; k++) {
			expected[k] += parts >> k & 1;
			cr_assert_eq(t.sums[k], expected[k], "part %u, job %u", k, i);
		}
	}
	thread_pool_free(pool);
}

Test(pool, threads_that_have_gone_to_sleep_do_their_parts_again)
{
	expect_all_parts(3, 3, 30, 1000);
}

Test(pool, a_crew_without_a_job_can_go)
{
	for (uint32_t i = 1; i < 40; i++)
		thread_pool_free(thread_pool_new(i % 5 + 1, i % 5 + 1));
	thread_pool_free(NULL);
}

Test(pool, parts_round_as_the_caller_does)
{
	struct thread_pool *pool = thread_pool_new(4, 4);
	struct table t = { 0 };

	for (int i = 0; i < 100; i++) {
		int mode = i % 2 ? FE_UPWARD : FE_TONEAREST;

		fesetround(mode);
		thread_pool_enter(pool);
		thread_pool_run(pool, add_up, &t, UINT64_MAX);
		for (int k = 0; k < 4; k++)
			cr_assert_eq(t.rounding[k], mode);
	}
	fesetround(FE_TONEAREST);
	thread_pool_free(pool);
}

static void *run_there(void *argument)
{
	struct thread_pool *pool = argument;
	struct table *t = xcalloc(1, sizeof(*t));

	for (int i = 0; i < 500; i++)
		thread_pool_run(pool, add_up, t, UINT64_MAX);
	return t;
}

Test(pool, one_thread_after_another_may_be_the_caller)
{
	struct thread_pool *pool = thread_pool_new(3, 3);

	for (int i = 0; i < 4; i++) {
		pthread_t thread;
		void *table;

		cr_assert_eq(pthread_create(&thread, NULL, run_there, pool), 0);
		pthread_join(thread, &table);
		cr_assert_eq(((struct table *)table)->calls[2], 500);
		free(table);
	}
	thread_pool_free(pool);
}

/* ---- a machine: SMs, two networks, slices, channels; what passes between them are numbers of messages ----
 */

#define SMS    100
#define SLICES 13

struct box {
	uint32_t count;
	struct component *consumer;
};

struct cell {
	struct component component;
	uint64_t random, digest, received;
	struct box *in[SMS], *out[SMS];
	uint32_t ins, outs;
};

struct rig {
	struct simulator *sim;
	struct cell sm[SMS], network[2], slice[SLICES], channel[SLICES], commit;
	struct box boxes[4 * SMS + 8 * SLICES];
	uint32_t box_count;
};

static uint32_t next_random(struct cell *c)
{
	c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(c->random >> 33);
}

static void note(struct cell *c, uint64_t what)
{
	c->digest = (c->digest ^ what) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Takes what has come, sends something, and sleeps in one of the ways in which components do. */
static void cell_tick(struct component *self, cycles now)
{
	struct cell *c = (struct cell *)self;
	uint32_t dice = next_random(c);

	note(c, now);
	note(c, sim_now(self->sim));
	for (uint32_t i = 0; i < c->ins; i++) {
		note(c, c->in[i]->count);
		c->received += c->in[i]->count;
		c->in[i]->count = 0;
	}
	for (uint32_t sent = dice % 3; sent && c->outs; sent--) {
		struct box *b = c->out[next_random(c) % c->outs];

		b->count++;
		component_wake(b->consumer);
	}
	if (dice & 16)
		return;
	component_sleep(self);
	if (self->phase == PHASE_SM || dice & 32)
		component_wake_at(self, now + 1 + dice / 64 % 20);
	if (!(dice & 0xf0000))
		component_wake(self);
}

static void join(struct rig *r, struct cell *c, enum sim_phase phase)
{
	*c = (struct cell){ .random = phase * 1000u + (uint64_t)(c - r->sm) };
	component_init(&c->component, r->sim, phase, cell_tick);
	component_wake(&c->component);
}

static void connect(struct rig *r, struct cell *from, struct cell *to)
{
	struct box *b = &r->boxes[r->box_count++];

	cr_assert_leq(r->box_count, sizeof(r->boxes) / sizeof(*r->boxes));
	b->consumer = &to->component;
	from->out[from->outs++] = b;
	to->in[to->ins++] = b;
}

static struct rig *rig_new(uint32_t threads)
{
	const uint64_t khz[CLOCK_COUNT] = { 700000, 1400000, 700000, 924000 };
	struct rig *r = xcalloc(1, sizeof(*r));

	r->sim = sim_new(khz);
	for (uint32_t i = 0; i < SMS; i++)
		join(r, &r->sm[i], PHASE_SM);
	join(r, &r->commit, PHASE_COMMIT);
	for (uint32_t i = 0; i < 2; i++)
		join(r, &r->network[i], PHASE_XBAR);
	for (uint32_t i = 0; i < SLICES; i++) {
		join(r, &r->slice[i], PHASE_L2);
		join(r, &r->channel[i], PHASE_DRAM);
		connect(r, &r->network[0], &r->slice[i]);
		connect(r, &r->slice[i], &r->network[1]);
		connect(r, &r->slice[i], &r->channel[i]);
		connect(r, &r->channel[i], &r->slice[i]);
	}
	for (uint32_t i = 0; i < SMS; i++) {
		connect(r, &r->sm[i], &r->network[0]);
		connect(r, &r->network[1], &r->sm[i]);
		connect(r, &r->sm[i], &r->commit);
	}
	sim_set_threads(r->sim, threads);
	return r;
}

static void rig_free(struct rig *r)
{
	sim_free(r->sim);
	free(r);
}

static void fork_all(struct rig *r, uint32_t least)
{
	for (int p = 0; p < PHASE_COUNT; p++)
		if (p != PHASE_COMMIT)
			sim_fork_from(r->sim, p, least);
}

static void rig_run(struct rig *r, picoseconds until)
{
	bool stop = false;

	cr_assert(sim_run(r->sim, &stop, until));
}

static void expect_same(const struct rig *a, const struct rig *b, uint32_t threads)
{
	const struct cell *x = a->sm, *y = b->sm;
	size_t count = (size_t)(&a->commit - a->sm) + 1;

	for (size_t i = 0; i < count; i++)
		cr_assert(x[i].digest == y[i].digest && x[i].received == y[i].received,
			"component %zu, %u threads", i, threads);
	for (int p = 0; p < PHASE_COUNT; p++)
		cr_assert_eq(sim_ticks(a->sim, p), sim_ticks(b->sim, p));
	cr_assert_eq(sim_now(a->sim), sim_now(b->sim));
}

Test(pool, a_machine_runs_the_same_with_any_number_of_threads)
{
	static const uint32_t threads[] = { 2, 3, 4, 7, 64 };
	struct rig *one = rig_new(1);

	setenv("LOCKSTEP_THREAD_POOL", "never-rests", 1);
	fork_all(one, 1);
	rig_run(one, 3000000);
	cr_assert_gt(one->commit.received, 1000);
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		struct rig *many = rig_new(threads[i]);

		fork_all(many, i % 2 ? 1 : 20);
		rig_run(many, 1000000);
		fork_all(many, SIM_NEVER_FORK); /* and back */
		rig_run(many, 1500000);
		fork_all(many, 2);
		rig_run(many, 3000000);
		expect_same(one, many, threads[i]);
		rig_free(many);
	}
	rig_free(one);
}

Test(pool, the_number_of_threads_may_change_between_runs)
{
	struct rig *one = rig_new(1), *other = rig_new(1);

	rig_run(one, 1000000);
	for (uint32_t i = 1; i <= 10; i++) {
		sim_set_threads(other->sim, 1 + i * i % 5);
		fork_all(other, 1);
		rig_run(other, i * 100000);
	}
	expect_same(one, other, 5);
	rig_free(one);
	rig_free(other);
}

/* ---- where ticks happen ---- */

static pthread_t caller;
static _Atomic uint32_t elsewhere;

static void tell_where(struct component *self, cycles now)
{
	if (!pthread_equal(pthread_self(), caller))
		elsewhere++;
}

static uint32_t ticks_elsewhere(uint32_t awake, uint32_t least, picoseconds time)
{
	const uint64_t khz[CLOCK_COUNT] = { 700000, 700000, 700000, 700000 };
	struct simulator *sim = sim_new(khz);
	struct component *c = xcalloc(awake, sizeof(*c));
	bool stop = false;

	caller = pthread_self();
	elsewhere = 0;
	sim_set_threads(sim, 2);
	sim_fork_from(sim, PHASE_SM, least);
	for (uint32_t i = 0; i < awake; i++) {
		component_init(&c[i], sim, PHASE_SM, tell_where);
		component_wake(&c[i]);
	}
	sim_run(sim, &stop, time);
	sim_free(sim);
	free(c);
	return elsewhere;
}

Test(pool, phases_with_few_components_awake_stay_with_the_caller)
{
	cr_assert_eq(ticks_elsewhere(4, 5, 100000000), 0);
	cr_assert_eq(ticks_elsewhere(50, SIM_NEVER_FORK, 10000000), 0);
	for (int tries = 0; !ticks_elsewhere(100, 5, 10000000); tries++)
		cr_assert_lt(tries, 2000, "the other thread has not done one tick of a billion");
}

/* It asks for 50 cycles from now on each time, and would rather tick with others. */
struct joiner {
	struct component component; /* first */
	cycles at[8];
	uint32_t ticks;
};

static void joiner_tick(struct component *self, cycles now)
{
	struct joiner *j = (struct joiner *)self;

	j->at[j->ticks++] = now;
	component_may_join(self, true);
	component_sleep_until(self, now + 50);
}

static void tick_at_10_and_20(struct component *self, cycles now)
{
	component_sleep_until(self, now < 20 ? now - now % 10 + 10 : SIM_NEVER);
}

Test(pool, components_join_others_where_threads_divide_their_phase)
{
	static const cycles expected[2][4] = { { 0, 50, 100, 150 }, { 0, 10, 20, 70 } };
	const uint64_t khz[CLOCK_COUNT] = { 700000, 700000, 700000, 700000 };

	for (uint32_t joins = 0; joins < 2; joins++) {
		struct simulator *sim = sim_new(khz);
		struct joiner joiner = { .ticks = 0 };
		struct component other;
		bool stop = false;

		sim_set_threads(sim, 2);
		sim_fork_from(sim, PHASE_SM, joins ? 2 : SIM_NEVER_FORK);
		component_init(&joiner.component, sim, PHASE_SM, joiner_tick);
		component_init(&other, sim, PHASE_SM, tick_at_10_and_20);
		component_wake(&joiner.component);
		component_wake(&other);
		sim_run(sim, &stop, 160000000 / 700);
		for (int i = 0; i < 4; i++)
			cr_assert_eq(joiner.at[i], expected[joins][i], "joins %u, tick %d: in cycle %llu",
				joins, i, (unsigned long long)joiner.at[i]);
		sim_free(sim);
	}
}

static struct component neighbours[2];

static void wake_neighbour(struct component *self, cycles now)
{
	component_wake(&neighbours[1 - self->number]);
}

Test(pool, a_component_that_touches_its_neighbour_is_a_bug, .signal = SIGABRT)
{
	const uint64_t khz[CLOCK_COUNT] = { 700000, 700000, 700000, 700000 };
	struct simulator *sim = sim_new(khz);
	bool stop = false;

	sim_set_threads(sim, 2);
	sim_fork_from(sim, PHASE_SM, 1);
	for (int i = 0; i < 2; i++) {
		component_init(&neighbours[i], sim, PHASE_SM, wake_neighbour);
		component_wake(&neighbours[i]);
	}
	sim_run(sim, &stop, 1000000);
}

static void nothing(void *context, uint32_t part)
{
	(void)context;
	(void)part;
}

/* Pools that end while their threads go to sleep and are woken, on one processor. (A thread that slept
 * through the announcement of the end was seen once in some thousand runs of programs; this does not bring it
 * about for sure.) */
Test(pool, no_thread_sleeps_through_the_end)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	for (uint32_t i = 0; i < 300; i++) {
		struct thread_pool *pool = thread_pool_new(2, 2);

		thread_pool_enter(pool);
		for (uint32_t job = 0; job < 40; job++)
			thread_pool_run(pool, nothing, NULL, UINT64_MAX);
		thread_pool_free(pool);
	}
}
