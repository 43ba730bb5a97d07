/* sim/event/timed_wakeups.c -- timed wake-ups of components: for each component the earliest that it asked
 * for.
 *
 * Those of the next RING cycles of a domain are in a ring of sets, one for each cycle: adding a wake-up, or
 * moving it to an earlier cycle, takes constant time, and all of a cycle wake at once. Later wake-ups, which
 * are few, are in a heap ordered by time. The order of waking within one time has no effect. */
#include "sim/event/event_kernel_internal.h"

/* ---- the ring ---- */

/* The domain's first cycle after `cycle` with wake-ups in the ring. */
static cycles next_busy(const struct domain *d, cycles cycle)
{
	uint32_t from = (uint32_t)(cycle + 1) % RING;
	uint64_t word = d->busy[from / 64] >> (from % 64);

	if (word)
		return cycle + 1 + (cycles)__builtin_ctzll(word);
	for (uint32_t i = 1; i <= RING / 64; i++) {
		word = d->busy[(from / 64 + i) % (RING / 64)];
		if (word)
			return cycle + 1 + (64 - from % 64) + 64 * (i - 1) + (cycles)__builtin_ctzll(word);
	}
	return SIM_NEVER;
}

static void cycle_is_empty(struct domain *d, cycles cycle)
{
	uint32_t row = cycle % RING;

	d->busy[row / 64] &= ~(UINT64_C(1) << (row % 64));
	if (d->due == cycle)
		d->due = next_busy(d, cycle);
}

static void ring_take(struct domain *d, uint32_t place)
{
	cycles when = d->wake_cycle[place];

	ring_row(d, when)[place / 64] &= ~(UINT64_C(1) << (place % 64));
	for (uint32_t w = 0; w < d->words; w++)
		if (ring_row(d, when)[w])
			return;
	cycle_is_empty(d, when);
}

/* ---- the heap ---- */

static void heap_store(struct simulator *sim, uint32_t i, struct timed_wake w)
{
	sim->heap[i] = w;
	w.phase->domain->heap_index[w.phase->first + w.number] = i;
}

/* Stores w at index i, which is free, or at an ancestor of it, so that the heap is ordered. */
static void heap_up(struct simulator *sim, uint32_t i, struct timed_wake w)
{
	while (i && w.when < sim->heap[(i - 1) / 2].when) {
		heap_store(sim, i, sim->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_store(sim, i, w);
}

/* Removes entry i, and moves the last entry to its place, or below or above it. */
static void heap_take(struct simulator *sim, uint32_t i)
{
	struct timed_wake last = sim->heap[--sim->heap_count];
	uint32_t child;

	sim->heap[i].phase->domain->heap_index[sim->heap[i].phase->first + sim->heap[i].number] = IN_RING;
	if (i == sim->heap_count)
		return;
	while ((child = 2 * i + 1) < sim->heap_count) {
		if (child + 1 < sim->heap_count && sim->heap[child + 1].when < sim->heap[child].when)
			child++;
		if (sim->heap[child].when >= last.when)
			break;
		heap_store(sim, i, sim->heap[child]);
		i = child;
	}
	heap_up(sim, i, last);
}

/* ---- both ---- */

void timed_forget(struct simulator *sim, struct domain *d, uint32_t place)
{
	if (d->wake_cycle[place] == SIM_NEVER)
		return;
	if (d->heap_index[place] == IN_RING)
		ring_take(d, place);
	else
		heap_take(sim, d->heap_index[place]);
	d->wake_cycle[place] = SIM_NEVER;
}

void timed_ask(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	struct domain *d = p->domain;
	uint32_t place = p->first + number;

	if (d->wake_cycle[place] <= when)
		return; /* an earlier wake-up is scheduled already */
	timed_forget(sim, d, place);
	if (when - d->clock.cycle < RING)
		ring_put(d, place, when);
	else
		heap_up(sim, sim->heap_count++,
			(struct timed_wake){ clock_edge(&d->clock, when), p, number });
	d->wake_cycle[place] = when;
}

void timed_wake_due(struct domain *d)
{
	uint64_t *row = ring_row(d, d->due);

	for (uint32_t w = 0; w < d->words; w++) {
		uint64_t due = row[w];

		row[w] = 0;
		d->awake[w] |= due;
		for (; due; due &= due - 1)
			d->wake_cycle[w * 64 + (unsigned)__builtin_ctzll(due)] = SIM_NEVER;
	}
	cycle_is_empty(d, d->due);
}

void timed_wake_far(struct simulator *sim)
{
	while (sim->heap_count && sim->heap[0].when <= sim->now) {
		struct timed_wake top = sim->heap[0];

		heap_take(sim, 0);
		top.phase->domain->wake_cycle[top.phase->first + top.number] = SIM_NEVER;
		kernel_wake(sim, top.phase, top.number);
	}
}
