/* sim/event/timed_wakeups.c -- timed wake-ups of components: for each component the earliest that it asked
 * for.
 *
 * Those of the next RING cycles of a domain are in a ring, with a bit for each component in its phase's
 * part of the cycle's row: adding a wake-up, or moving it to an earlier cycle, takes constant time, and
 * the wake-ups of a cycle are one row. Later wake-ups, which are few, are in a heap ordered by time. The
 * order of waking within one time has no effect. */
#include "sim/event/event_kernel_internal.h"
#include "sim/base/xalloc.h"

/* ---- the ring ---- */

/* Lays out rows with a bit for each existing component; scheduled wake-ups are kept. */
static void lay_out_rows(struct simulator *sim, struct domain *d)
{
	struct domain before = *d;

	d->words = 0;
	for (int i = 0; i < PHASE_COUNT; i++)
		if (sim->phases[i].domain == d)
			d->words += (sim->phases[i].count + 63) / 64;
	d->ring = xcalloc((size_t)RING * d->words, sizeof(*d->ring));
	d->words = 0;
	for (int i = 0; i < PHASE_COUNT; i++) {
		struct phase *p = &sim->phases[i];
		uint32_t first = d->words;

		if (p->domain != d)
			continue;
		for (; d->words < first + (p->count + 63) / 64; d->words++)
			d->phase_of[d->words] = p;
	}
	for (uint32_t row = 0; row < RING; row++)
		for (uint32_t w = 0, from = 0; from < before.words; w++)
			if (d->phase_of[w] == before.phase_of[from])
				ring_row(d, row)[w] = ring_row(&before, row)[from++];
	for (uint32_t w = d->words; w--;)
		d->phase_of[w]->first_word = w;
	free(before.ring);
}

void timed_add_component(struct simulator *sim, const struct phase *p)
{
	if (p->count % 64 == 1)
		lay_out_rows(sim, p->domain);
	if (++sim->components > sim->heap_capacity) {
		sim->heap_capacity = sim->heap_capacity ? 2 * sim->heap_capacity : 64;
		sim->heap = xrealloc(sim->heap, sim->heap_capacity * sizeof(*sim->heap));
	}
}

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

static void ring_take(const struct phase *p, struct domain *d, uint32_t number)
{
	cycles when = p->wake_cycle[number];

	ring_row(d, when)[p->first_word + number / 64] &= ~(UINT64_C(1) << (number % 64));
	for (uint32_t w = 0; w < d->words; w++)
		if (ring_row(d, when)[w])
			return;
	cycle_is_empty(d, when);
}

/* ---- the heap ---- */

static void heap_store(struct simulator *sim, uint32_t i, struct timed_wake w)
{
	sim->heap[i] = w;
	w.phase->heap_index[w.number] = i;
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

	sim->heap[i].phase->heap_index[sim->heap[i].number] = IN_RING;
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

void timed_forget(struct simulator *sim, struct phase *p, uint32_t number)
{
	if (p->wake_cycle[number] == SIM_NEVER)
		return;
	if (p->heap_index[number] == IN_RING)
		ring_take(p, p->domain, number);
	else
		heap_take(sim, p->heap_index[number]);
	p->wake_cycle[number] = SIM_NEVER;
}

void timed_ask(struct simulator *sim, struct phase *p, uint32_t number, cycles when)
{
	struct domain *d = p->domain;

	if (p->wake_cycle[number] <= when)
		return; /* an earlier wake-up is scheduled already */
	timed_forget(sim, p, number);
	if (when - d->clock.cycle < RING)
		ring_put(p, d, number, when);
	else
		heap_up(sim, sim->heap_count++,
			(struct timed_wake){ clock_edge(&d->clock, when), p, number });
	p->wake_cycle[number] = when;
}

/* Wakes the components of one word of a phase; returns how many of them were asleep. */
static inline uint32_t wake_word(struct phase *p, uint32_t word, uint64_t due)
{
	uint64_t awake = p->awake[word];
	uint32_t woken = 0;

	for (uint64_t m = due; m; m &= m - 1) {
		p->wake_cycle[word * 64 + (unsigned)__builtin_ctzll(m)] = SIM_NEVER;
		woken += !(awake & m & -m);
	}
	p->awake[word] = awake | due;
	p->awake_count += woken;
	return woken;
}

void timed_wake_due(struct domain *d)
{
	cycles now = d->due;
	uint64_t *row = ring_row(d, now);

	for (uint32_t w = 0; w < d->words; w++) {
		if (!row[w])
			continue;
		d->awake_count += wake_word(d->phase_of[w], w - d->phase_of[w]->first_word, row[w]);
		row[w] = 0;
	}
	cycle_is_empty(d, now);
}

void timed_wake_far(struct simulator *sim)
{
	while (sim->heap_count && sim->heap[0].when <= sim->now) {
		struct timed_wake top = sim->heap[0];

		heap_take(sim, 0);
		top.phase->wake_cycle[top.number] = SIM_NEVER;
		kernel_wake(sim, top.phase, top.number);
	}
}
