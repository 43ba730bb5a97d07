/* sim/kernel.c -- the discrete-event kernel: see kernel.h for the rules of time and order. */
#include "sim/kernel_internal.h"
#include "sim/host_time.h"
#include "sim/xalloc.h"
#include <string.h>

static const uint8_t domain_of[PHASE_COUNT] = {
	[PHASE_SM] = CLOCK_CORE, [PHASE_COMMIT] = CLOCK_CORE, [PHASE_XBAR] = CLOCK_XBAR,
	[PHASE_L2] = CLOCK_L2, [PHASE_DRAM] = CLOCK_DRAM,
};

static const uint8_t host_phase_of[PHASE_COUNT] = {
	[PHASE_SM] = HOST_CORE, [PHASE_COMMIT] = HOST_CORE, [PHASE_XBAR] = HOST_XBAR,
	[PHASE_L2] = HOST_L2, [PHASE_DRAM] = HOST_DRAM,
};

enum sim_domain sim_phase_domain(enum sim_phase phase)
{
	return domain_of[phase];
}

/* 10^9 * cycle leaves 64 bits after 26 simulated seconds at 700 MHz. */
static picoseconds edge_time(uint64_t khz, cycles cycle)
{
	if (cycle <= UINT64_MAX / 1000000000u)
		return cycle * 1000000000u / khz;
	return (picoseconds)((unsigned __int128)cycle * 1000000000u / khz);
}

static void set_edge(struct domain *d, cycles cycle)
{
	d->cycle = cycle;
	d->edge = edge_time(d->khz, cycle);
	d->edge_rest = cycle * 1000000000u - d->khz * d->edge; /* whatever both are modulo 2^64 */
}

/* The same for the cycle after this one, without a division. */
static void next_edge(struct domain *d)
{
	d->cycle++;
	d->edge += d->period;
	d->edge_rest += d->period_rest;
	if (d->edge_rest >= d->khz) {
		d->edge_rest -= d->khz;
		d->edge++;
	}
}

/* A cycle whose edge is at or before `when`, and at most one short of the last such. */
static cycles cycle_before(uint64_t khz, picoseconds when)
{
	if (when <= UINT64_MAX / khz)
		return when * khz / 1000000000u;
	return (cycles)((unsigned __int128)when * khz / 1000000000u);
}

/* The first cycle whose edge is at or after `when`. */
static cycles first_cycle_from(uint64_t khz, picoseconds when)
{
	cycles c = cycle_before(khz, when);

	while (edge_time(khz, c) < when)
		c++;
	return c;
}

struct simulator *sim_new(const uint64_t khz[CLOCK_COUNT])
{
	struct simulator *sim = xcalloc(1, sizeof(*sim));

	for (int d = 0; d < CLOCK_COUNT; d++) {
		bug_if(!khz[d], "clock domain %d has no frequency", d);
		sim->domains[d].khz = khz[d];
		sim->domains[d].period = 1000000000u / khz[d];
		sim->domains[d].period_rest = 1000000000u % khz[d];
	}
	for (int p = 0; p < PHASE_COUNT; p++)
		sim->phases[p].fork_from = SIM_NEVER_FORK;
	return sim;
}

void sim_free(struct simulator *sim)
{
	if (!sim)
		return;
	parallel_free(sim->parallel);
	free(sim->heap);
	free(sim);
}

void component_init(struct component *c, struct simulator *sim, enum sim_phase phase,
	void (*tick)(struct component *, cycles))
{
	struct phase *p = &sim->phases[phase];

	bug_if(p->count == SIM_MAX_COMPONENTS, "more than %d components in phase %d", SIM_MAX_COMPONENTS, phase);
	*c = (struct component){ .sim = sim, .tick = tick, .phase = (uint16_t)phase, .number = (uint16_t)p->count,
		.wake_cycle = SIM_NEVER };
	p->components[p->count++] = c;
	if (++sim->components > sim->heap_capacity) {
		sim->heap_capacity = sim->heap_capacity ? 2 * sim->heap_capacity : 64;
		sim->heap = xrealloc(sim->heap, sim->heap_capacity * sizeof(*sim->heap));
	}
}

bool component_is_awake(const struct component *c)
{
	return c->sim->phases[c->phase].awake[c->number / 64] >> (c->number % 64) & 1;
}

/* Brings a domain that slept up to the present: its next edge is the first one not before now, or after now if this
 * time's edges have run. (Woken in the middle of a step by a later phase, an edge at now is passed when the step ends.) */
static __attribute__((noinline)) void catch_up(struct simulator *sim, struct domain *d) /* rare: out of the way of its caller */
{
	picoseconds from = sim->now + (sim->is_done ? 1 : 0);

	if (d->edge >= from)
		return;
	set_edge(d, first_cycle_from(d->khz, from));
}

void component_wake(struct component *c)
{
	struct simulator *sim = c->sim;
	struct phase *p = &sim->phases[c->phase];
	uint64_t bit = UINT64_C(1) << (c->number % 64);
	struct domain *d = &sim->domains[domain_of[c->phase]];

	if (__builtin_expect(sim->is_forked, 0)) {
		parallel_wake(c);
		return;
	}
	if (p->awake[c->number / 64] & bit)
		return;
	p->awake[c->number / 64] |= bit;
	p->awake_count++;
	if (!d->awake_count++)
		catch_up(sim, d);
}

void component_sleep(struct component *c)
{
	struct simulator *sim = c->sim;
	struct phase *p = &sim->phases[c->phase];
	uint64_t bit = UINT64_C(1) << (c->number % 64);

	if (__builtin_expect(sim->is_forked, 0)) {
		parallel_sleep(c);
		return;
	}
	if (!(p->awake[c->number / 64] & bit))
		return;
	p->awake[c->number / 64] &= ~bit;
	p->awake_count--;
	sim->domains[domain_of[c->phase]].awake_count--;
}

static bool is_before(const struct timed_wake *a, const struct timed_wake *b)
{
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void heap_place(struct simulator *sim, uint32_t i, struct timed_wake w)
{
	sim->heap[i] = w;
	w.component->heap_place = i;
}

/* Puts w where it belongs between i, a free place, and the root. */
static void heap_up(struct simulator *sim, uint32_t i, struct timed_wake w)
{
	while (i && is_before(&w, &sim->heap[(i - 1) / 2])) {
		heap_place(sim, i, sim->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_place(sim, i, w);
}

static struct component *heap_pop(struct simulator *sim)
{
	struct component *top = sim->heap[0].component;
	struct timed_wake last = sim->heap[--sim->heap_count];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < sim->heap_count) {
		if (child + 1 < sim->heap_count && is_before(&sim->heap[child + 1], &sim->heap[child]))
			child++;
		if (!is_before(&sim->heap[child], &last))
			break;
		heap_place(sim, i, sim->heap[child]);
		i = child;
	}
	if (sim->heap_count)
		heap_place(sim, i, last);
	return top;
}

static inline void wake_at(struct component *c, cycles when, picoseconds time)
{
	struct simulator *sim = c->sim;
	struct timed_wake w = { time, (uint64_t)c->phase << 32 | c->number, c };

	if (time <= sim->now) {
		component_wake(c);
		return;
	}
	if (c->wake_cycle <= when)
		return;             /* an earlier wake-up is scheduled already */
	heap_up(sim, c->wake_cycle == SIM_NEVER ? sim->heap_count++ : c->heap_place, w);
	c->wake_cycle = when;
}

void kernel_wake_at(struct component *c, cycles when, picoseconds time)
{
	wake_at(c, when, time);
}

void component_wake_at(struct component *c, cycles when)
{
	const struct simulator *sim = c->sim;
	picoseconds time = when == SIM_NEVER ? SIM_NEVER : edge_time(sim->domains[domain_of[c->phase]].khz, when);

	if (__builtin_expect(sim->is_forked, 0))
		parallel_wake_at(c, when, time);
	else
		wake_at(c, when, time);
}

static void run_events(struct simulator *sim)
{
	while (sim->heap_count && sim->heap[0].when <= sim->now) {
		struct component *c = heap_pop(sim);

		c->wake_cycle = SIM_NEVER;
		component_wake(c);
	}
}

static void run_phase(struct phase *p, cycles now)
{
	for (uint32_t word = 0; word * 64 < p->count; word++) {
		uint64_t due = p->awake[word];

		/* A tick may wake later components of its own phase (they run now) or itself, never earlier ones at this edge. */
		while (due) {
			unsigned bit = (unsigned)__builtin_ctzll(due);
			struct component *c = p->components[word * 64 + bit];

			p->ticks++;
			c->tick(c, now);
			due = bit == 63 ? 0 : p->awake[word] & (~UINT64_C(0) << (bit + 1));
		}
	}
}

static bool next_time(const struct simulator *sim, picoseconds *when)
{
	picoseconds t = sim->heap_count ? sim->heap[0].when : SIM_NEVER;

	for (int d = 0; d < CLOCK_COUNT; d++)
		if (sim->domains[d].awake_count && sim->domains[d].edge < t)
			t = sim->domains[d].edge;
	*when = t;
	return t != SIM_NEVER;
}

static inline void step_phase(struct simulator *sim, enum sim_phase phase, enum sim_domain domain, picoseconds when)
{
	struct domain *d = &sim->domains[domain];
	struct phase *p = &sim->phases[phase];

	if (!p->awake_count || d->edge != when)
		return;
	host_time_enter(host_phase_of[phase]);
	if (__builtin_expect(p->awake_count < p->fork_from, 1) || !parallel_phase(sim, p, d->cycle))
		run_phase(p, d->cycle);
}

static void step(struct simulator *sim, picoseconds when)
{
	sim->now = when;
	sim->is_done = false;
	if (sim->heap_count && sim->heap[0].when <= when)
		run_events(sim);
#pragma GCC unroll 8
	for (int i = 0; i < PHASE_COUNT; i++)
		step_phase(sim, i, domain_of[i], when);
	host_time_enter(HOST_EVENTS);
	sim->is_done = true;
#pragma GCC unroll 8
	for (int i = 0; i < CLOCK_COUNT; i++)
		if (sim->domains[i].edge == when)
			next_edge(&sim->domains[i]);
}

bool sim_run(struct simulator *sim, const bool *stop, picoseconds limit)
{
	picoseconds when;

	if (sim->parallel)
		parallel_enter(sim->parallel);
	while (!*stop) {
		if (!next_time(sim, &when))
			return false;
		if (when >= limit)
			return true;
		step(sim, when);
	}
	return true;
}

void sim_skip_to(struct simulator *sim, picoseconds when)
{
	picoseconds next;

	bug_if(next_time(sim, &next) && next < when, "time skipped over work that was due");
	if (when <= sim->now)
		return;
	sim->now = when;
	sim->is_done = false;
}

cycles sim_cycle(const struct simulator *sim, enum sim_domain domain)
{
	uint64_t khz = sim->domains[domain].khz;
	cycles c = cycle_before(khz, sim->now);

	while (edge_time(khz, c + 1) <= sim->now)
		c++;
	return c;
}

cycles sim_next_cycle(const struct simulator *sim, enum sim_domain domain)
{
	return first_cycle_from(sim->domains[domain].khz, sim->now + (sim->is_done ? 1 : 0));
}

picoseconds sim_edge(const struct simulator *sim, enum sim_domain domain, cycles cycle)
{
	return edge_time(sim->domains[domain].khz, cycle);
}

double sim_mhz(const struct simulator *sim, enum sim_domain domain)
{
	return (double)sim->domains[domain].khz / 1000.0;
}

uint64_t sim_ticks(const struct simulator *sim, enum sim_phase phase)
{
	return sim->phases[phase].ticks;
}
