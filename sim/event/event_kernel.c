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
	d->due = d->due_known = SIM_NEVER;
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
		sim->domain_of_phase[p] = sim->phases[p].domain = sim->domain_of[domain_of[p]];
		sim->phases[p].fork_from = SIM_NEVER_FORK;
	}
	places_init(sim);
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
	places_free(sim);
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
	places_add(sim, p, c);
}

bool component_is_awake(const struct component *c)
{
	return is_awake_at(domain_of_component(c), c->place);
}

/* Brings a domain that was asleep up to the present: its next edge is the first one not before now, or
 * after now if the edges of this time have run. (If a later phase wakes it within a step, its edge at now
 * is passed when the step ends.) */
static inline void catch_up(const struct simulator *sim, struct domain *d)
{
	clock_catch_up(&d->clock, sim->now + sim->is_done);
}

static inline void wake(const struct simulator *sim, struct domain *d, uint32_t place)
{
	d->awake[place / 64] |= UINT64_C(1) << (place % 64);
	catch_up(sim, d);
}

static inline void put_to_sleep(struct domain *d, uint32_t place)
{
	d->awake[place / 64] &= ~(UINT64_C(1) << (place % 64));
}

static __attribute__((noinline)) void wake_at_any(
	struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	struct domain *d = p->domain;

	if (when <= d->clock.cycle)
		wake(sim, d, p->first + number); /* in the present cycle, or the next one that will run */
	else
		timed_ask(sim, p, number, when);
}

/* Whether a wake-up can go to the ring as it is: most ask for one of the next few cycles, and only once. */
static inline bool is_soon(const struct domain *d, uint32_t place, cycles when)
{
	return when - d->clock.cycle - 1 < RING - 1 && d->wake_cycle[place] == SIM_NEVER;
}

static inline void component_wake_alone_at(struct component *c, struct domain *d, cycles when)
{
	catch_up(c->sim, d);
	if (is_soon(d, c->place, when))
		ring_put(d, c->place, when);
	else
		wake_at_any(c->sim, &c->sim->phases[c->phase], c->number, when);
}

void kernel_wake(struct simulator *sim, struct phase *p, uint32_t number)
{
	wake(sim, p->domain, p->first + number);
}

void kernel_sleep(struct phase *p, uint32_t number)
{
	put_to_sleep(p->domain, p->first + number);
}

void kernel_wake_at(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	catch_up(sim, p->domain);
	if (is_soon(p->domain, p->first + number, when))
		ring_put(p->domain, p->first + number, when);
	else
		wake_at_any(sim, p, number, when);
}

void component_wake(struct component *c)
{
	if (__builtin_expect(c->sim->is_forked, 0))
		parallel_wake(c);
	else
		wake(c->sim, domain_of_component(c), c->place);
}

void component_sleep(struct component *c)
{
	component_sleep_until(c, SIM_NEVER);
}

struct local_time component_edge_from(const struct component *c, picoseconds when)
{
	return clock_edge_from(&domain_of_component(c)->clock, when);
}

void component_wake_at(struct component *c, cycles when)
{
	if (when == SIM_NEVER)
		return;
	if (__builtin_expect(c->sim->is_forked, 0))
		parallel_wake_at(c, when);
	else
		component_wake_alone_at(c, domain_of_component(c), when);
}

void component_sleep_until(struct component *c, cycles when)
{
	struct domain *d;

	if (__builtin_expect(c->sim->is_forked, 0)) {
		parallel_sleep_until(c, when);
		return;
	}
	d = domain_of_component(c);
	put_to_sleep(d, c->place);
	if (when != SIM_NEVER)
		component_wake_alone_at(c, d, when);
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

			timed_forget(sim, p->domain, p->first + number);
			wake(sim, p->domain, p->first + number);
		}
	}
}

/* The time of the domain's first wake-up in the ring; there must be one. */
static inline picoseconds due_time(struct domain *d)
{
	if (d->due_known != d->due) {
		d->due_known = d->due;
		d->due_edge = clock_edge_of(&d->clock, d->due);
	}
	return d->due_edge;
}

static inline bool is_asleep(const struct domain *d)
{
	if (*d->awake)
		return false;
	for (uint32_t w = 1; w < d->words; w++)
		if (d->awake[w])
			return false;
	return true;
}

static inline picoseconds earlier(picoseconds a, picoseconds b)
{
	return a < b ? a : b;
}

/* The time of the earliest next edge of all domains. After a step their clocks go on. A domain without awake
 * components has edges only where one of them wakes, and its clock may stay behind. */
static inline picoseconds next_time(struct simulator *sim, bool is_after_step)
{
	picoseconds t = sim->heap_count ? sim->heap[0].when : SIM_NEVER;

	sim->is_done |= is_after_step;
#pragma GCC unroll 4
	for (uint32_t i = 0; i < sim->domain_count; i++) {
		struct domain *d = &sim->domains[i];

		d->next = SIM_NEVER;
		if (!is_asleep(d)) {
			if (is_after_step && d->clock.edge == sim->now)
				clock_step(&d->clock);
			d->next = d->clock.edge;
		} else if (d->due != SIM_NEVER) {
			d->next = due_time(d);
		}
		t = earlier(t, d->next);
	}
	return t;
}

/* Begins an edge of the domain, which runs now. */
static inline void begin_edge(struct domain *d)
{
	if (d->due == SIM_NEVER)
		return;
	if (d->clock.edge != d->next) /* it was asleep */
		clock_set(&d->clock, d->due, d->next);
	if (d->clock.cycle == d->due)
		timed_wake_due(d);
}

/* The phase on several threads; false: one thread is faster now. */
static __attribute__((noinline)) bool divide_phase(struct simulator *sim, struct phase *p, cycles now)
{
	uint32_t awake = 0;

	wake_joining(sim, p);
	for (const uint64_t *word = p->awake; word < p->awake_end; word++)
		awake += (uint32_t)__builtin_popcountll(*word & p->mask);
	if (awake < p->fork_from)
		return false;
	host_time_enter(host_phase_of[p - sim->phases]);
	if (!host_time_is_on)
		return parallel_phase(sim, p, now);
	forks_measure(p, now);
	return true;
}

/* is_simple: on one thread, and without --host-profile. */
static inline void step_phase(struct simulator *sim, enum sim_phase phase, picoseconds when, bool is_simple)
{
	struct phase *p = &sim->phases[phase];
	const struct domain *d = p->domain;
	struct component *const *components = p->components;
	const uint64_t *word = p->awake;

	if (d->clock.edge != when)
		return;
	if (!is_simple && p->fork_from != SIM_NEVER_FORK && divide_phase(sim, p, d->clock.cycle))
		return;
	do {
		uint64_t due = *word & p->mask;

		if (!is_simple && due)
			host_time_enter(host_phase_of[phase]);
		/* A tick may wake later components of its own phase (they run now) or itself, never earlier
		 * ones at this edge. */
		while (due) {
			unsigned bit = (unsigned)__builtin_ctzll(due);

			p->ticks++;
			components[bit]->tick(components[bit], d->clock.cycle);
			due = *word & p->mask & ~UINT64_C(1) << bit;
		}
		components += 64;
	} while (++word < p->awake_end);
}

static inline void step_to_edge(struct simulator *sim, picoseconds when, bool is_simple)
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
		step_phase(sim, i, when, is_simple);
	if (!is_simple)
		host_time_enter(HOST_EVENTS);
}

static inline bool run_until(struct simulator *sim, const bool *stop, picoseconds limit, bool is_simple)
{
	picoseconds when;

	for (when = next_time(sim, false); !*stop; when = next_time(sim, true)) {
		if (when >= limit || when == SIM_NEVER)
			return when != SIM_NEVER;
		step_to_edge(sim, when, is_simple);
	}
	return true;
}

bool sim_run(struct simulator *sim, const bool *stop, picoseconds limit)
{
	int64_t begun;
	bool alive;

	sim->limit = limit;
	if (!sim->parallel && !host_time_is_on)
		return run_until(sim, stop, limit, true);
	if (sim->parallel)
		parallel_enter(sim->parallel);
	begun = host_time_is_on ? forks_clock() : 0;
	alive = run_until(sim, stop, limit, false);
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
	bug_if(next_time(sim, false) < when, "time skipped over work that was due");
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
