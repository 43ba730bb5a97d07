/* core/lsu_replay.c -- a memory instruction that the L1 refuses lets others go first (sm.lsu_replay).
 *
 * On the chip an instruction that cannot finish, for want of an MSHR, a line or room, is issued again later, and other
 * warps' instructions come in between (replays: CUDA C Best Practices Guide; counters inst_issued and inst_executed). Nugteren et
 * al. (HPCA 2014, section 4.4) model it so for MSHRs: a warp that finds none goes to the back of the queue. Here
 * the queue is the load/store unit's: the refused line lets the instruction's others go first, once, since they may hit; then the
 * head goes behind the others, with all that its warp has in the queue,
 * so that requests of one warp stay in order. When all have been refused, the unit sleeps until something comes free. */
#include "core/sm.h"

static uint16_t slot_at(const struct sm *sm, const struct lsu_pipe *p, uint32_t at)
{
	return sm->lsu.ops[lsu_entry_at(p, at)->op].slot;
}

/* The entries of a warp go to the end of the queue; all keep their order among themselves. */
static void move_back(const struct sm *sm, struct lsu_pipe *p, uint16_t slot)
{
	uint16_t moved[64 + MORE_PARTS];
	uint32_t kept = 0, count = 0;

	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t from = (p->head + i) % p->places, to = (p->head + kept) % p->places;

		if (slot_at(sm, p, i) == slot) {
			moved[count++] = p->order[from];
			continue;
		}
		p->order[to] = p->order[from];
		kept++;
	}
	for (uint32_t i = 0; i < count; i++)
		p->order[(p->head + kept + i) % p->places] = moved[i];
}

/* The refused line goes behind those of its entry that have not been offered yet; false: there is none. */
static bool try_next_line(struct lsu_entry *e)
{
	struct line_request refused = e->lines[e->next];

	if (e->tried >= e->count)
		return false;
	for (uint32_t i = e->next; i + 1 < e->count; i++)
		e->lines[i] = e->lines[i + 1];
	e->lines[e->count - 1] = refused;
	return true;
}

bool lsu_replay(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e)
{
	bool waits_for_port = p->refusal.outcome == CACHE_MISS_QUEUE_FULL;

	if (sm->lsu.buffer || p != &sm->lsu.memory)
		return false;
	if (p->refusal.is_refused && cache_is_brief(p->refusal.outcome))
		return false;
	e->tried += e->tried < e->count;
	if (!p->refusal.is_refused)
		return false;
	if (!waits_for_port && try_next_line(e)) {
		sm->stats.lsu_stall_cycles++;
		return true;
	}
	p->port_too = waits_for_port || (p->set_aside && p->port_too);
	p->refusal.port_too = p->port_too;
	if (++p->set_aside >= p->count)
		return false;
	sm->stats.lsu_stall_cycles++;
	move_back(sm, p, slot_at(sm, p, 0));
	return true;
}

void lsu_hurry(struct sm *sm, struct lsu_pipe *p, cycles now)
{
	uint16_t slot, last;

	if (!p->refusal.is_refused || p->count < 2 || cache_is_brief(p->refusal.outcome) || sm->lsu.buffer)
		return;
	slot = slot_at(sm, p, p->count - 1);
	for (uint32_t i = 0; i + 1 < p->count; i++)
		if (slot_at(sm, p, i) == slot)
			return;
	lsu_settle(sm, now);
	p->refusal.is_refused = false;
	p->set_aside = p->count - 1;
	last = p->order[(p->head + p->count - 1) % p->places];
	for (uint32_t i = p->count - 1; i; i--)
		p->order[(p->head + i) % p->places] = p->order[(p->head + i - 1) % p->places];
	p->order[p->head] = last;
}
