/* core/lsu/lsu_replay.c -- a memory instruction that the L1 refuses lets others go first (sm.lsu_replay).
 *
 * On the chip an instruction that cannot finish for lack of an MSHR, a line or room is issued again later,
 * and instructions of other warps come in between (replays: CUDA C Best Practices Guide; counters
 * inst_issued and inst_executed). Nugteren et al. (HPCA 2014, section 4.4) model this for MSHRs: a warp
 * that finds none goes to the back of the queue. Here the queue is that of the load/store unit. After a
 * refused line the other lines of the instruction are tried first, once, since they may hit. Then the head
 * is deferred behind the others, with all entries of its warp in the queue, so that requests of one warp
 * stay in order. So the queue is
 *
 *	head  not offered yet, or to be offered again ... | deferred, the longest refused first
 *
 * and new entries are inserted before the deferred ones, unless their warp has a deferred entry. When all
 * entries are deferred the unit sleeps until a resource becomes free. Then all are offered again, the
 * deferred ones first, so that no entry is overtaken forever. */
#include "core/lsu/lsu_replay.h"
#include "core/lsu/lsu_path.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"

/* The head goes to the end of the queue. */
static void rotate(struct lsu_pipe *p)
{
	struct lsu_order *head = lsu_order_at(p, 0), *behind = lsu_order_at(p, p->count), moved = *head;

	*head = *behind; /* free; or the head itself, if none is */
	*behind = moved;
	p->head = (p->head + 1) & (p->order_size - 1);
}

/* The entries of a warp go to the end of the queue and are deferred; all keep their order. */
static void defer_warp(struct lsu_pipe *p, uint16_t slot)
{
	struct lsu_order moved[LSU_QUEUE_MAX + MORE_PARTS];
	uint32_t kept = 0, count = 0, first_deferred = p->count - p->deferred;

	if (p->of_slot[slot] == 1) { /* the head alone */
		p->deferred += first_deferred > 0;
		rotate(p);
		return;
	}
	for (uint32_t i = 0; i < p->count; i++) {
		struct lsu_order at = *lsu_order_at(p, i);

		if (at.slot == slot) {
			moved[count++] = at;
			p->deferred += i < first_deferred;
		} else {
			*lsu_order_at(p, kept++) = at;
		}
	}
	for (uint32_t i = 0; i < count; i++)
		*lsu_order_at(p, kept + i) = moved[i];
}

/* The refused line lets those of its entry go first that have not been offered yet; false: there is none.
 * Those refused so far stand at the front of lines[], where the others have gone. */
static bool try_next_line(struct lsu_entry *e)
{
	if (e->tried >= e->count)
		return false;
	if (e->kept != e->at)
		e->lines[e->kept] = e->lines[e->at];
	e->kept++;
	e->at++;
	return true;
}

bool lsu_replay(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e)
{
	bool waits_for_port = p->refusal.outcome == CACHE_MISS_QUEUE_FULL;

	if (cache_is_brief(p->refusal.outcome))
		return false;
	if (!waits_for_port) {
		e->tried += e->tried < e->count;
		if (try_next_line(e)) {
			sm->stats.lsu_stall_cycles++;
			return true;
		}
	}
	p->port_too = waits_for_port || (p->deferred && p->port_too);
	p->refusal.port_too = p->port_too;
	defer_warp(p, lsu_order_at(p, 0)->slot);
	if (p->deferred < p->count) {
		sm->stats.lsu_stall_cycles++;
		return true;
	}
	p->refusal.retry = p->port_too && port_room_beyond_limit(&sm->state.request); /* since; or it wakes
										       * the SM
										       */
	return false;
}

/* The entry at `from` goes to `to`, nearer to the head; those between move back by one. */
static void bring_forward(struct lsu_pipe *p, uint32_t from, uint32_t to)
{
	struct lsu_order at = *lsu_order_at(p, from);

	for (uint32_t i = from; i > to; i--)
		*lsu_order_at(p, i) = *lsu_order_at(p, i - 1);
	*lsu_order_at(p, to) = at;
}

void lsu_retry_deferred(struct lsu_pipe *p)
{
	uint32_t first_deferred = p->count - p->deferred;

	for (uint32_t i = 0; first_deferred && i < p->deferred; i++)
		bring_forward(p, first_deferred + i, i);
	p->deferred = 0;
}

/* All are deferred, and the unit sleeps? A refusal that is brief, or another cache's, keeps the head where
 * it is. */
static bool all_deferred(const struct sm *sm, const struct lsu_pipe *p)
{
	return p->refusal.is_refused && p->refusal.at == sm->spec.l1d && !cache_is_brief(p->refusal.outcome);
}

void lsu_insert_before_deferred(struct sm *sm, struct lsu_pipe *p, uint32_t had, cycles now)
{
	uint32_t first_deferred = had - p->deferred;

	if (!p->deferred || had == p->count)
		return;
	for (uint32_t i = first_deferred; i < had && p->of_slot[lsu_order_at(p, had)->slot] > 1; i++)
		if (lsu_order_at(p, i)->slot == lsu_order_at(p, had)->slot) {
			p->deferred += p->count - had;
			return;
		}
	if (all_deferred(sm, p)) {
		lsu_sync_stats(sm, now + 1);
		p->refusal.is_refused = false;
	}
	for (uint32_t i = had; i < p->count; i++)
		bring_forward(p, i, first_deferred + i - had);
}
