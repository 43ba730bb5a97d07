/* core/sm/issue_counts.c -- counts of issue go to the statistics. */
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"

static void add_to_kernel(struct kernel_stats *k, const struct issue_counts *c)
{
	k->thread_instructions += c->threads;
	for (uint32_t i = 0; i < UNIT_COUNT; i++) {
		k->warp_instructions += c->issued[i];
		k->issued[i] += c->issued[i];
	}
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		k->issue_slots[i] += c->slots[i];
}

static void add_to_sm(struct sm_stats *s, const struct issue_counts *c)
{
	s->thread_instructions += c->threads;
	for (uint32_t i = 0; i < UNIT_COUNT; i++)
		s->issued[i] += c->issued[i];
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		s->issue_slots[i] += c->slots[i];
	s->warp_instructions = c->instructions;
}

void issue_counts_turn(struct sm *sm, struct kernel_run *run)
{
	struct issue_counts *c = &sm->host.counts;

	if (c->run == run)
		return;
	if (c->run) {
		add_to_kernel(&c->run->on_sm[sm->spec.number].stats, c);
		add_to_sm(&sm->stats, c);
	}
	*c = (struct issue_counts){ .instructions = c->instructions,
		.run = run,
		.by_uop = run ? run->on_sm[sm->spec.number].by_uop : NULL };
}
