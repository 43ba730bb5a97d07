/* core/diagnose/profile.c -- counters by micro-operation: what waits for what, and adding up. */
#include "core/diagnose/profile.h"

void line_counts_wait(struct line_counts *consumer, uint32_t producer, uint64_t slots)
{
	struct line_wait *least = &consumer->waits[0];

	if (!slots)
		return;
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++) {
		struct line_wait *w = &consumer->waits[i];

		if (w->slots && w->producer == producer) {
			w->slots += slots;
			return;
		}
		if (w->slots < least->slots)
			least = w;
	}
	consumer->waits_other += least->slots;
	*least = (struct line_wait){ producer, slots };
}

void line_counts_add(struct line_counts *to, const struct line_counts *from, const uint32_t *map)
{
	to->executions += from->executions;
	to->lanes += from->lanes;
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		to->slots[i] += from->slots[i];
	to->l1_hits += from->l1_hits;
	to->l1_misses += from->l1_misses;
	to->l1_merged += from->l1_merged;
	to->accesses += from->accesses;
	to->requests += from->requests;
	to->conflict_cycles += from->conflict_cycles;
	to->loads += from->loads;
	to->latency += from->latency;
	to->attributed += from->attributed;
	to->waits_other += from->waits_other;
	for (uint32_t i = 0; i < PROFILE_PRODUCERS; i++)
		if (from->waits[i].slots)
			line_counts_wait(to, map ? map[from->waits[i].producer] : from->waits[i].producer,
				from->waits[i].slots);
}
