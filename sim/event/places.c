/* sim/event/places.c -- the places of components in the sets of their domain. The components of a domain's
 * phases lie one phase after the other, each with room for more, so that few words hold a small machine. Who
 * needs more room moves all of its domain. */
#include "sim/event/event_kernel_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define LEAST_ROOM 16

/* The phases of the domain get their places; returns how many words these take, at least 1. */
static uint32_t lay_out_phases(struct simulator *sim, const struct domain *d)
{
	uint32_t end = 0;

	for (int i = 0; i < PHASE_COUNT; i++) {
		struct phase *p = &sim->phases[i];

		if (p->domain != d)
			continue;
		if (end % 64 + p->room > 64)
			end = (end + 63) / 64 * 64;
		p->first = end;
		end += p->room;
		p->mask = (p->room < 64 ? (UINT64_C(1) << p->room) - 1 : UINT64_MAX) << p->first % 64;
	}
	return end ? (end + 63) / 64 : 1;
}

/* A component moves from its place in `from`, with its wake-up, to one in `to`. */
static void move_component(const struct domain *from, uint32_t old, struct domain *to, uint32_t place)
{
	cycles when = from->wake_cycle[old];

	to->components[place] = from->components[old];
	to->components[place]->place = (uint16_t)place;
	to->awake[place / 64] |= (uint64_t)is_awake_at(from, old) << (place % 64);
	to->wake_cycle[place] = when;
	to->heap_index[place] = from->heap_index[old];
	if (when != SIM_NEVER && from->heap_index[old] == IN_RING)
		ring_row(to, when)[place / 64] |= UINT64_C(1) << (place % 64);
}

static void free_sets(struct domain *d)
{
	free(d->awake);
	free(d->ring);
	free(d->components);
	free(d->wake_cycle);
	free(d->heap_index);
}

static void allocate_sets(struct domain *d, uint32_t words)
{
	d->words = words;
	d->awake = xcalloc(words, sizeof(*d->awake));
	d->ring = xcalloc((size_t)RING * words, sizeof(*d->ring));
	d->components = xcalloc((size_t)words * 64, sizeof(struct component *));
	d->wake_cycle = xcalloc((size_t)words * 64, sizeof(*d->wake_cycle));
	d->heap_index = xcalloc((size_t)words * 64, sizeof(*d->heap_index));
}

/* The sets have been allocated: where the phase's words are. */
static void find_words(struct phase *p, const struct domain *d)
{
	uint32_t word = p->room ? p->first / 64 : 0;

	p->awake = d->awake + word;
	p->awake_end = p->awake + (p->room + 63) / 64;
	p->components = d->components + (size_t)word * 64;
}

static void lay_out(struct simulator *sim, struct domain *d)
{
	struct domain before = *d;
	uint32_t first[PHASE_COUNT];

	for (int i = 0; i < PHASE_COUNT; i++)
		first[i] = sim->phases[i].first;
	allocate_sets(d, lay_out_phases(sim, d));
	for (int i = 0; i < PHASE_COUNT; i++) {
		struct phase *p = &sim->phases[i];

		if (p->domain != d)
			continue;
		find_words(p, d);
		for (uint32_t n = 0; n < p->count; n++)
			move_component(&before, first[i] + n, d, p->first + n);
	}
	free_sets(&before);
}

void places_add(struct simulator *sim, struct phase *p, struct component *c)
{
	struct domain *d = p->domain;
	uint32_t place;

	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : LEAST_ROOM;
		lay_out(sim, d);
	}
	place = p->first + p->count++;
	c->place = (uint16_t)place;
	d->components[place] = c;
	d->wake_cycle[place] = SIM_NEVER;
	d->heap_index[place] = IN_RING;
	if (++sim->components > sim->heap_capacity) {
		sim->heap_capacity = sim->heap_capacity ? 2 * sim->heap_capacity : 64;
		sim->heap = xrealloc(sim->heap, sim->heap_capacity * sizeof(*sim->heap));
	}
}

void places_init(struct simulator *sim)
{
	for (uint32_t i = 0; i < sim->domain_count; i++)
		lay_out(sim, &sim->domains[i]);
}

void places_free(struct simulator *sim)
{
	for (uint32_t i = 0; i < sim->domain_count; i++)
		free_sets(&sim->domains[i]);
}
