/* tests/unit/sim/test_kernel.c -- order within a time, clock domains without drift, waking and sleeping. */
#include "tests/unit/sim/kernel_state.h"
#include "sim/event/event_kernel.h"
#include <criterion/criterion.h>
#include <string.h>

#define LOG 4096

struct probe {
	struct component component;
	char name;
	uint32_t ticks;
	void (*then)(struct probe *, cycles); /* in every tick */
	struct probe *other;
	cycles at[64]; /* cycles of the first ticks */
	picoseconds time[64];
};

static char order[LOG];
static uint32_t order_length;

static void probe_tick(struct component *self, cycles now)
{
	struct probe *p = (struct probe *)self;

	if (p->ticks < 64) {
		p->at[p->ticks] = now;
		p->time[p->ticks] = sim_now(self->sim);
	}
	p->ticks++;
	if (order_length < LOG - 1)
		order[order_length++] = p->name;
	if (p->then)
		p->then(p, now);
}

static void join(struct probe *p, struct simulator *sim, enum sim_phase phase, char name)
{
	*p = (struct probe){ .name = name };
	component_init(&p->component, sim, phase, probe_tick);
}

static struct simulator *machine(uint64_t core, uint64_t xbar, uint64_t l2, uint64_t dram)
{
	const uint64_t khz[CLOCK_COUNT] = { core, xbar, l2, dram };

	memset(order, 0, sizeof(order));
	order_length = 0;
	return sim_new(khz);
}

static void run_to(struct simulator *sim, picoseconds limit)
{
	bool stop = false;

	sim_run(sim, &stop, limit);
}

static void sleep_now(struct probe *p, cycles now)
{
	component_sleep(&p->component);
}

static void wake_other(struct probe *p, cycles now)
{
	component_wake(&p->other->component);
	component_sleep(&p->component);
}

Test(kernel, phases_run_in_order_and_components_by_number)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe p[7];
	static const enum sim_phase phases[] = { PHASE_DRAM, PHASE_SM, PHASE_L2, PHASE_SM, PHASE_XBAR,
		PHASE_COMMIT, PHASE_SM };

	for (int i = 0; i < 7; i++)
		join(&p[i], sim, phases[i], (char)('a' + i));
	for (int i = 6; i >= 0; i--)
		component_wake(&p[i].component);
	run_to(sim, 1000000 + 1);
	cr_assert_str_eq(order, "bdgfecabdgfeca");
	sim_free(sim);
}

Test(kernel, more_than_64_components_of_a_phase_run_by_number)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	static struct probe p[130];

	for (int i = 0; i < 130; i++)
		join(&p[i], sim, PHASE_SM, (char)i);
	for (int i = 129; i >= 0; i--)
		component_wake(&p[i].component);
	run_to(sim, 1);
	cr_assert_eq(order_length, 130);
	for (int i = 0; i < 130; i++)
		cr_assert_eq((unsigned char)order[i], i);
	sim_free(sim);
}

Test(kernel, edges_fall_at_the_floor_of_the_exact_time_and_never_drift)
{
	struct simulator *sim = machine(700000, 1400000, 700000, 924000);
	struct probe dram;

	join(&dram, sim, PHASE_DRAM, 'd');
	dram.then = sleep_now;
	for (cycles c = 0; c < 50; c++) {
		component_wake_at(&dram.component, c);
		run_to(sim, SIM_NEVER);
		cr_assert_eq(dram.at[c], c);
		cr_assert_eq(dram.time[c], c * 1000000000 / 924000);
	}
	component_wake_at(&dram.component, UINT64_C(924000000) * 3600); /* an hour */
	run_to(sim, SIM_NEVER);
	cr_assert_eq(sim_now(sim), UINT64_C(3600000000000000));
	cr_assert_eq(sim_cycle(sim, CLOCK_DRAM), UINT64_C(924000000) * 3600);
	cr_assert_eq(sim_cycle(sim, CLOCK_CORE), UINT64_C(700000000) * 3600);
	sim_free(sim);
}

Test(kernel, domains_in_whole_ratio_meet_exactly)
{
	struct simulator *sim = machine(700000, 1400000, 700000, 924000);
	struct probe core, xbar;

	join(&core, sim, PHASE_SM, 'c');
	join(&xbar, sim, PHASE_XBAR, 'x');
	component_wake(&core.component);
	component_wake(&xbar.component);
	run_to(sim, UINT64_C(1000000000)); /* a millisecond */
	cr_assert_eq(core.ticks, 700000);
	cr_assert_eq(xbar.ticks, 1400000);
	for (uint32_t i = 0; i + 3 <= LOG - 1; i += 3)
		cr_assert(!memcmp(&order[i], "cxx", 3));
	for (int i = 0; i < 32; i++)
		cr_assert_eq(core.time[i], xbar.time[2 * i]);
	sim_free(sim);
}

Test(kernel, a_phase_yet_to_run_is_woken_at_this_edge_and_one_that_has_run_at_the_next)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe sm, l2, back;

	join(&sm, sim, PHASE_SM, 's');
	join(&l2, sim, PHASE_L2, 'l');
	join(&back, sim, PHASE_SM, 'b');
	sm.then = l2.then = wake_other;
	sm.other = &l2;
	l2.other = &back;
	back.then = sleep_now;
	component_wake(&sm.component);
	run_to(sim, SIM_NEVER);
	cr_assert_str_eq(order, "slb");
	cr_assert_eq(l2.at[0], 0);
	cr_assert_eq(back.at[0], 1);
	sim_free(sim);
}

Test(kernel, within_a_phase_a_later_number_runs_at_this_edge_and_an_earlier_one_at_the_next)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe a, b, c;

	join(&a, sim, PHASE_SM, 'a');
	join(&b, sim, PHASE_SM, 'b');
	join(&c, sim, PHASE_SM, 'c');
	a.then = c.then = sleep_now;
	b.then = wake_other;
	b.other = &c;
	component_wake(&b.component);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(c.at[0], 0);
	b.other = &a;
	component_wake(&b.component);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(a.at[0], b.at[1] + 1);
	sim_free(sim);
}

Test(kernel, a_component_asleep_costs_no_ticks_and_wakes_at_its_cycle)
{
	struct simulator *sim = machine(700000, 700000, 700000, 700000);
	struct probe p;

	join(&p, sim, PHASE_SM, 'p');
	p.then = sleep_now;
	component_wake_at(&p.component, 1000000);
	cr_assert(!component_is_awake(&p.component));
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 1);
	cr_assert_eq(p.at[0], 1000000);
	cr_assert_eq(sim_ticks(sim, PHASE_SM), 1);
	sim_free(sim);
}

Test(kernel, of_several_requests_the_earliest_counts_and_each_fires_once)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe p;

	join(&p, sim, PHASE_SM, 'p');
	p.then = sleep_now;
	component_wake_at(&p.component, 50);
	component_wake_at(&p.component, 20);
	component_wake_at(&p.component, 70);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 1, "the later requests were to be asked again");
	cr_assert_eq(p.at[0], 20);
	component_wake_at(&p.component, 50);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 2);
	cr_assert_eq(p.at[1], 50);
	sim_free(sim);
}

static void ask_again(struct probe *p, cycles now)
{
	component_sleep(&p->component);
	if (now < 90)
		component_wake_at(&p->component, 90);
}

Test(kernel, woken_early_a_component_keeps_its_later_wake_up)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe p, q;

	join(&p, sim, PHASE_L2, 'p');
	join(&q, sim, PHASE_SM, 'q');
	p.then = ask_again;
	q.then = wake_other;
	q.other = &p;
	component_wake_at(&p.component, 90);
	component_wake_at(&q.component, 30);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 2);
	cr_assert_eq(p.at[0], 30);
	cr_assert_eq(p.at[1], 90);
	sim_free(sim);
}

Test(kernel, a_wake_up_in_the_past_or_never_is_at_once_or_not_at_all)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe p;

	join(&p, sim, PHASE_SM, 'p');
	p.then = sleep_now;
	component_wake_at(&p.component, SIM_NEVER);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 0);
	component_wake_at(&p.component, 10);
	run_to(sim, SIM_NEVER);
	component_wake_at(&p.component, 3);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(p.ticks, 2);
	cr_assert_eq(p.at[1], 11, "cycle 10 had run");
	sim_free(sim);
}

Test(kernel, many_timed_wake_ups_come_in_order_of_time_then_phase_then_number)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	static struct probe p[200];
	static cycles asked[200];
	uint32_t seed = 1;

	for (int i = 0; i < 200; i++) {
		join(&p[i], sim, (enum sim_phase)(i % PHASE_COUNT), 'p');
		p[i].then = sleep_now;
	}
	for (int round = 0; round < 3; round++) /* earlier requests replace later ones */
		for (int i = 0; i < 200; i++) {
			seed = seed * 1664525 + 1013904223;
			component_wake_at(&p[i].component, 1 + seed % 1000);
		}
	for (int i = 0; i < 200; i++)
		cr_assert_neq(component_wakes_at(&p[i].component), SIM_NEVER);
	for (int i = 0; i < 200; i++)
		asked[i] = component_wakes_at(&p[i].component);
	run_to(sim, SIM_NEVER);
	for (int i = 0; i < 200; i++) {
		cr_assert_eq(p[i].ticks, 1);
		cr_assert_eq(p[i].at[0], asked[i]);
	}
	sim_free(sim);
}

Test(kernel, wake_ups_near_and_far_stay_when_more_components_join)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	static struct probe sm[130], l2[70];
	cycles at[] = { 3, 255, 256, 257, 700 };

	for (int i = 0; i < 130; i++) {
		join(&sm[i], sim, PHASE_SM, 's');
		sm[i].then = sleep_now;
		component_wake_at(&sm[i].component, at[i % 5]);
		if (i >= 70)
			continue;
		join(&l2[i], sim, PHASE_L2, 'l');
		l2[i].then = sleep_now;
		component_wake_at(&l2[i].component, at[i % 5] + 1);
	}
	run_to(sim, SIM_NEVER);
	for (int i = 0; i < 130; i++) {
		cr_assert_eq(sm[i].ticks, 1);
		cr_assert_eq(sm[i].at[0], at[i % 5]);
	}
	for (int i = 0; i < 70; i++) {
		cr_assert_eq(l2[i].ticks, 1);
		cr_assert_eq(l2[i].at[0], at[i % 5] + 1);
	}
	sim_free(sim);
}

Test(kernel, a_domain_that_slept_wakes_at_its_next_edge)
{
	struct simulator *sim = machine(700000, 1400000, 700000, 924000);
	struct probe core, dram;

	join(&core, sim, PHASE_SM, 'c');
	join(&dram, sim, PHASE_DRAM, 'd');
	core.then = wake_other;
	core.other = &dram;
	dram.then = sleep_now;
	component_wake_at(&core.component, 101);
	run_to(sim, SIM_NEVER);
	/* 101 / 700 MHz = 144285 ps: the DRAM's edges are at 133 * 1082.25 = 143939 and 134: 145021 */
	cr_assert_eq(core.time[0], 144285);
	cr_assert_eq(dram.at[0], 134);
	cr_assert_eq(dram.time[0], 145021);
	sim_free(sim);
}

Test(kernel, an_edge_that_has_run_does_not_run_again_for_who_is_woken_from_outside)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe core, dram;

	join(&core, sim, PHASE_SM, 'c');
	join(&dram, sim, PHASE_DRAM, 'd');
	core.then = dram.then = sleep_now;
	component_wake(&core.component);
	run_to(sim, SIM_NEVER);
	component_wake(&dram.component);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(dram.at[0], 1);
	sim_skip_to(sim, 5000000);
	component_wake(&dram.component);
	run_to(sim, SIM_NEVER);
	cr_assert_eq(dram.at[1], 5, "cycle 5 is now and has not run");
	sim_free(sim);
}

static void say_stop(struct probe *p, cycles now)
{
	*(bool *)p->other = now == 7;
}

Test(kernel, a_run_ends_by_stop_by_limit_or_because_nothing_can_happen)
{
	struct simulator *sim = machine(1000, 1000, 1000, 1000);
	struct probe p;
	bool stop = false;

	join(&p, sim, PHASE_SM, 'p');
	cr_assert(!sim_run(sim, &stop, SIM_NEVER));
	component_wake(&p.component);
	cr_assert(sim_run(sim, &stop, 3000000));
	cr_assert_eq(p.ticks, 3);
	p.then = say_stop;
	p.other = (struct probe *)&stop;
	cr_assert(sim_run(sim, &stop, SIM_NEVER));
	cr_assert_eq(sim_cycle(sim, CLOCK_CORE), 7);
	sim_free(sim);
}
