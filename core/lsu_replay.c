/* core/lsu_replay.c -- a memory instruction that the L1 refuses lets others go first (sm.lsu_replay).
 *
 * On the chip an instruction that cannot finish, for want of an MSHR, a line or room, is issued again later,
 * and other warps' instructions come in between (replays: CUDA C Best Practices Guide; counters inst_issued
 * and inst_executed). Nugteren et al. (HPCA 2014, section 4.4) model it so for MSHRs: a warp that finds none
 * goes to the back of the queue. Here the queue is the load/store unit's: the refused line lets the
 * instruction's others go first, once, since they may hit; then the head goes behind the others, with all that
 * its warp has in the queue, so that requests of one warp stay in order. So the queue is
 *
 *	head  not offered yet, or again ... | set aside, the longest refused first
 *
 * and what comes new stands before those set aside, unless its warp is among them. When all are set aside the
 * unit sleeps until something comes free. Then all are offered again, those set aside first: nobody is
 * overtaken for ever. */
#include "core/sm.h"

static uint16_t slot_at(const struct sm *sm, const struct lsu_pipe *p, uint32_t at)
{
	return sm->lsu.ops[lsu_entry_at(p, at)->op].slot;
}

/* The entries of a warp go to the end of the queue and are set aside; all keep their order. */
static void set_aside(const struct sm *sm, struct lsu_pipe *p, uint16_t slot)
{
	uint16_t moved[LSU_QUEUE_MAX + MORE_PARTS];
	uint32_t kept = 0, count = 0, first_aside = p->count - p->set_aside;

	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t from = (p->head + i) % p->places, to = (p->head + kept) % p->places;

		if (slot_at(sm, p, i) == slot) {
			moved[count++] = p->order[from];
			p->set_aside += i < first_aside;
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
	if (!p->refusal.is_refused) {
		e->tried += e->tried < e->count;
		return false;
	}
	if (cache_is_brief(p->refusal.outcome))
		return false;
	if (!waits_for_port) {
		e->tried += e->tried < e->count;
		if (try_next_line(e)) {
			sm->stats.lsu_stall_cycles++;
			return true;
		}
	}
	p->port_too = waits_for_port || (p->set_aside && p->port_too);
	p->refusal.port_too = p->port_too;
	set_aside(sm, p, slot_at(sm, p, 0));
	if (p->set_aside < p->count) {
		sm->stats.lsu_stall_cycles++;
		return true;
	}
	p->refusal.retry = p->port_too && port_room(&sm->request); /* since; or it wakes the SM */
	return false;
}

/* The entry at `from` goes to `to`, nearer to the head; those between move back by one. */
static void bring_forward(struct lsu_pipe *p, uint32_t from, uint32_t to)
{
	uint16_t entry = p->order[(p->head + from) % p->places];

	for (uint32_t i = from; i > to; i--)
		p->order[(p->head + i) % p->places] = p->order[(p->head + i - 1) % p->places];
	p->order[(p->head + to) % p->places] = entry;
}

void lsu_again(struct lsu_pipe *p)
{
	uint32_t first_aside = p->count - p->set_aside;

	for (uint32_t i = 0; first_aside && i < p->set_aside; i++)
		bring_forward(p, first_aside + i, i);
	p->set_aside = 0;
}

/* All are set aside, and the unit sleeps? A refusal that is brief, or another cache's, keeps the head where
 * it is. */
static bool all_aside(const struct sm *sm, const struct lsu_pipe *p)
{
	return p->refusal.is_refused && p->refusal.at == sm->l1d && !cache_is_brief(p->refusal.outcome);
}

void lsu_hurry(struct sm *sm, struct lsu_pipe *p, uint32_t had, cycles now)
{
	uint32_t first_aside = had - p->set_aside;

	if (!p->set_aside || had == p->count)
		return;
	for (uint32_t i = first_aside; i < had; i++)
		if (slot_at(sm, p, i) == slot_at(sm, p, had)) {
			p->set_aside += p->count - had;
			return;
		}
	if (all_aside(sm, p)) {
		lsu_settle(sm, now + 1);
		p->refusal.is_refused = false;
	}
	for (uint32_t i = had; i < p->count; i++)
		bring_forward(p, i, first_aside + i - had);
}
