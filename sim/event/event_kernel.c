/* sim/event/event_kernel.c -- the discrete-event kernel: see event_kernel.h for the rules of time and order.
 */
#include "sim/event/event_kernel_internal.h"
#include "sim/event/host_time.h"
#include "sim/base/xalloc.h"
#include <endian.h>
#include <string.h>

static const uint8_t domain_of[PHASE_COUNT] = {
	[PHASE_SM] = CLOCK_CORE,
	[PHASE_COMMIT] = CLOCK_CORE,
	[PHASE_XBAR] = CLOCK_XBAR,
	[PHASE_L2] = CLOCK_L2,
	[PHASE_DRAM] = CLOCK_DRAM,
};

static const uint8_t host_phase_of[PHASE_COUNT] = {
	[PHASE_SM] = HOST_CORE,
	[PHASE_COMMIT] = HOST_CORE,
	[PHASE_XBAR] = HOST_XBAR,
	[PHASE_L2] = HOST_L2,
	[PHASE_DRAM] = HOST_DRAM,
};

enum sim_domain sim_phase_domain(enum sim_phase phase)
{
	return domain_of[phase];
}

/* The domain of a clock: that of an earlier clock of the same frequency, or a new one. */
static struct domain *domain_with(struct simulator *sim, uint64_t khz)
{
	struct domain *d = sim->domains;

	for (; d < sim->domains + sim->domain_count; d++)
		if (d->clock.khz == khz)
			return d;
	sim->domain_count++;
	clock_init(&d->clock, khz);
	d->due = SIM_NEVER;
	return d;
}

struct simulator *sim_new(const uint64_t khz[CLOCK_COUNT])
{
	struct simulator *sim = xcalloc(1, sizeof(*sim));

	for (int d = 0; d < CLOCK_COUNT; d++) {
		bug_if(!khz[d], "clock domain %d has no frequency", d);
		sim->domain_of[d] = domain_with(sim, khz[d]);
	}
	for (int p = 0; p < PHASE_COUNT; p++) {
		sim->phases[p].domain = sim->domain_of[domain_of[p]];
		sim->phases[p].fork_from = SIM_NEVER_FORK;
	}
	return sim;
}

void sim_go_ahead(struct simulator *sim, enum sim_domain domain, enum sim_domain reference, cycles ahead)
{
	struct domain *d = sim->domain_of[domain];

	for (int i = 0; i < CLOCK_COUNT; i++)
		bug_if(i != (int)domain && sim->domain_of[i] == d,
			"clock domains %d and %d have the same clock", i, domain);
	clock_init_ahead(&d->clock, d->clock.khz, &d->lead, sim->domain_of[reference]->clock.khz, ahead);
}

void sim_free(struct simulator *sim)
{
	if (!sim)
		return;
	parallel_free(sim->parallel);
	for (uint32_t i = 0; i < sim->domain_count; i++)
		free(sim->domains[i].ring);
	free(sim->heap);
	free(sim);
}

void component_init(struct component *c, struct simulator *sim, enum sim_phase phase,
	void (*tick)(struct component *, cycles))
{
	struct phase *p = &sim->phases[phase];

	bug_if(p->count == SIM_MAX_COMPONENTS, "more than %d components in phase %d", SIM_MAX_COMPONENTS,
		phase);
	*c = (struct component){
		.sim = sim, .tick = tick, .phase = (uint16_t)phase, .number = (uint16_t)p->count
	};
	p->wake_cycle[p->count] = SIM_NEVER;
	p->heap_index[p->count] = IN_RING;
	p->components[p->count++] = c;
	timed_add_component(sim, p);
}

bool component_is_awake(const struct component *c)
{
	return c->sim->phases[c->phase].awake[c->number / 64] >> (c->number % 64) & 1;
}

/* Brings a domain that was asleep up to the present: its next edge is the first one not before now, or
 * after now if the edges of this time have run. (If a later phase wakes it within a step, its edge at now
 * is passed when the step ends.) */
static inline void catch_up(const struct simulator *sim, struct domain *d)
{
	picoseconds from = sim->now + (sim->is_done ? 1 : 0);

	clock_catch_up(&d->clock, from);
}

static inline void wake(struct simulator *sim, struct phase *p, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << (number % 64);

	if (p->awake[number / 64] & bit)
		return;
	p->awake[number / 64] |= bit;
	p->awake_count++;
	if (!p->domain->awake_count++)
		catch_up(sim, p->domain);
}

static inline void put_to_sleep(struct phase *p, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << (number % 64);

	if (!(p->awake[number / 64] & bit))
		return;
	p->awake[number / 64] &= ~bit;
	p->awake_count--;
	p->domain->awake_count--;
}

static __attribute__((noinline)) void wake_at_any(
	struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	catch_up(sim, p->domain);
	if (when <= p->domain->clock.cycle)
		wake(sim, p, number); /* in the present cycle, or the next one that will run */
	else
		timed_ask(sim, p, number, when);
}

/* Most ask for a cycle of the next few of a domain that is awake, and only once. */
static inline void wake_at(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	struct domain *d = p->domain;

	if (d->clock.edge < sim->now || sim->is_done || when - d->clock.cycle - 1 >= RING - 1 ||
		p->wake_cycle[number] != SIM_NEVER)
		wake_at_any(sim, p, number, when);
	else
		ring_put(p, d, number, when);
}

void kernel_wake(struct simulator *sim, struct phase *p, uint32_t number)
{
	wake(sim, p, number);
}

void kernel_sleep(struct phase *p, uint32_t number)
{
	put_to_sleep(p, number);
}

void kernel_wake_at(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	wake_at(sim, p, number, when);
}

void component_wake(struct component *c)
{
	if (__builtin_expect(c->sim->is_forked, 0))
		parallel_wake(c);
	else
		wake(c->sim, &c->sim->phases[c->phase], c->number);
}

void component_sleep(struct component *c)
{
	component_sleep_until(c, SIM_NEVER);
}

struct local_time component_edge_from(const struct component *c, picoseconds when)
{
	struct clock clock = c->sim->phases[c->phase].domain->clock;

	clock_catch_up(&clock, when);
	return (struct local_time){ clock.edge, clock.cycle };
}

void component_wake_at(struct component *c, cycles when)
{
	if (when == SIM_NEVER)
		return;
	if (__builtin_expect(c->sim->is_forked, 0))
		parallel_wake_at(c, when);
	else
		wake_at(c->sim, &c->sim->phases[c->phase], c->number, when);
}

void component_sleep_until(struct component *c, cycles when)
{
	struct phase *p = &c->sim->phases[c->phase];

	if (__builtin_expect(c->sim->is_forked, 0)) {
		parallel_sleep_until(c, when);
		return;
	}
	put_to_sleep(p, c->number);
	if (when != SIM_NEVER)
		wake_at(c->sim, p, c->number, when);
}

void component_may_join(struct component *c, bool may)
{
	c->sim->phases[c->phase].joins[c->number] = may;
}

/* Those that would rather tick now than later alone wake; they ask anew when they sleep again. */
static void wake_joining(struct simulator *sim, struct phase *p)
{
	for (uint32_t first = 0; first < p->count; first += 8) {
		uint64_t any;

		memcpy(&any, &p->joins[first], 8);
		for (any = le64toh(any); any; any &= any - 1) { /* the flags are 0 or 1 */
			uint32_t number = first + (uint32_t)__builtin_ctzll(any) / 8;

			timed_forget(sim, p, number);
			wake(sim, p, number);
		}
	}
}

static void run_phase(struct phase *p, cycles now)
{
	for (uint32_t word = 0; word * 64 < p->count; word++) {
		uint64_t due = p->awake[word];

		/* A tick may wake later components of its own phase (they run now) or itself, never earlier
		 * ones at this edge. */
		while (due) {
			unsigned bit = (unsigned)__builtin_ctzll(due);
			struct component *c = p->components[word * 64 + bit];

			p->ticks++;
			c->tick(c, now);
			due = p->awake[word] & ~UINT64_C(1) << bit;
		}
	}
}

/* The time of the domain's first wake-up in the ring; there must be one. */
static inline picoseconds due_time(struct domain *d)
{
	if (d->due_clock.cycle != d->due) {
		d->due_clock = d->clock;
		clock_jump(&d->due_clock, d->due);
	}
	return d->due_clock.edge;
}

/* Computes the time of the domain's next edge. A domain without awake components has edges only where one of
 * them wakes. */
static inline picoseconds renew_next(struct domain *d)
{
	d->next = d->awake_count ? d->clock.edge : d->due != SIM_NEVER ? due_time(d) : SIM_NEVER;
	return d->next;
}

static inline picoseconds earlier(picoseconds a, picoseconds b)
{
	return a < b ? a : b;
}

/* The time of the earliest next edge of all domains. */
static inline picoseconds next_time(struct simulator *sim)
{
	picoseconds t = sim->heap_count ? sim->heap[0].when : SIM_NEVER;

	for (uint32_t i = 0; i < sim->domain_count; i++)
		t = earlier(t, renew_next(&sim->domains[i]));
	return t;
}

/* The same when the edges at this time have run: their clocks go on. */
static inline picoseconds next_time_after(struct simulator *sim)
{
	picoseconds t = sim->heap_count ? sim->heap[0].when : SIM_NEVER;

	sim->is_done = true;
	for (uint32_t i = 0; i < sim->domain_count; i++) {
		if (sim->domains[i].clock.edge == sim->now)
			clock_step(&sim->domains[i].clock);
		t = earlier(t, renew_next(&sim->domains[i]));
	}
	return t;
}

/* Begins an edge of the domain, which runs now. */
static inline void begin_edge(struct domain *d)
{
	if (d->due == SIM_NEVER)
		return;
	if (!d->awake_count)
		d->clock = d->due_clock;
	if (d->clock.cycle == d->due)
		timed_wake_due(d);
}

/* false: one thread is faster now. */
static bool divide_phase(struct simulator *sim, struct phase *p, cycles now)
{
	if (!host_time_is_on)
		return parallel_phase(sim, p, now);
	forks_measure(p, now);
	return true;
}

static inline void step_phase(struct simulator *sim, enum sim_phase phase)
{
	struct phase *p = &sim->phases[phase];

	if (!p->awake_count || p->domain->clock.edge != sim->now)
		return;
	host_time_enter(host_phase_of[phase]);
	if (p->fork_from != SIM_NEVER_FORK)
		wake_joining(sim, p);
	if (__builtin_expect(p->awake_count < p->fork_from, 1) ||
		!divide_phase(sim, p, p->domain->clock.cycle))
		run_phase(p, p->domain->clock.cycle);
}

static inline void step_to_edge(struct simulator *sim, picoseconds when)
{
	sim->now = when;
	sim->is_done = false;
	for (uint32_t i = 0; i < sim->domain_count; i++)
		if (sim->domains[i].next == when)
			begin_edge(&sim->domains[i]);
	if (sim->heap_count && sim->heap[0].when <= when)
		timed_wake_far(sim);
#pragma GCC unroll 8
	for (int i = 0; i < PHASE_COUNT; i++)
		step_phase(sim, i);
	host_time_enter(HOST_EVENTS);
}

static bool run_until(struct simulator *sim, const bool *stop, picoseconds limit)
{
	picoseconds when;

	sim->limit = limit;
	if (sim->parallel)
		parallel_enter(sim->parallel);
	for (when = next_time(sim); !*stop; when = next_time_after(sim)) {
		if (when >= limit || when == SIM_NEVER)
			return when != SIM_NEVER;
		step_to_edge(sim, when);
	}
	return true;
}

bool sim_run(struct simulator *sim, const bool *stop, picoseconds limit)
{
	int64_t begun = host_time_is_on ? forks_clock() : 0;
	bool alive = run_until(sim, stop, limit);

	sim->forks_all += host_time_is_on ? forks_clock() - begun : 0;
	return alive;
}

const struct clock *sim_clock(const struct simulator *sim, enum sim_domain domain)
{
	return &sim->domain_of[domain]->clock;
}

picoseconds sim_limit(const struct simulator *sim)
{
	return sim->limit;
}

void sim_skip_to(struct simulator *sim, picoseconds when)
{
	bug_if(next_time(sim) < when, "time skipped over work that was due");
	if (when <= sim->now)
		return;
	sim->now = when;
	sim->is_done = false;
}

cycles sim_cycle(const struct simulator *sim, enum sim_domain domain)
{
	return clock_last_until(&sim->domain_of[domain]->clock, sim->now);
}

cycles sim_next_cycle(const struct simulator *sim, enum sim_domain domain)
{
	return clock_first_from(&sim->domain_of[domain]->clock, sim->now + (sim->is_done ? 1 : 0));
}

cycles sim_next_without_lead(const struct simulator *sim, enum sim_domain domain)
{
	return clock_first_without_lead(&sim->domain_of[domain]->clock, sim->now + (sim->is_done ? 1 : 0));
}

picoseconds sim_edge(const struct simulator *sim, enum sim_domain domain, cycles cycle)
{
	return clock_edge(&sim->domain_of[domain]->clock, cycle);
}

double sim_mhz(const struct simulator *sim, enum sim_domain domain)
{
	return (double)sim->domain_of[domain]->clock.khz / 1000.0;
}
