/* core/lsu/lsu_in_flight.c -- memory instructions in flight: from issue to the last reply; asynchronous
 * copies, for groups of which warps wait; acknowledgements of stores. */
#include "core/lsu/lsu_in_flight.h"
#include "core/diagnose/profile.h"
#include "core/lsu/load_time.h"
#include "core/lsu/lsu_coalescer.h"
#include "core/lsu/lsu_entry.h"
#include "core/lsu/lsu_replay.h"
#include "core/issue/replays.h"
#include "core/issue/scoreboard.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/l1/cache.h"
#include "frontend/lower/memory/mbarrier.h"

uint32_t lsu_new_op(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct lsu *l = &sm->state.lsu;
	uint32_t i = l->free_op;

	l->free_op = l->ops[i].next_free;
	l->ops_free--;
	l->ops[i] = (struct memory_op){ .uop = uop, .slot = (uint16_t)slot, .issued = now };
	sm->state.timing[slot].in_flight++;
	return i;
}

/* ---- asynchronous copies (cp.async) ---- */

/* Whether copies of the warp are in flight, of groups up to this one. */
static bool awaits_copies(const struct sm *sm, uint32_t slot, uint32_t until)
{
	for (uint32_t i = 1; i <= sm->spec.config->lsu_in_flight; i++) {
		const struct memory_op *op = &sm->state.lsu.ops[i];

		if (op->group && op->slot == slot && op->group <= until)
			return true;
	}
	return false;
}

void lsu_await_copies(struct sm *sm, uint32_t slot, int64_t groups)
{
	struct sm_warp_rest *t = &sm->state.timing_rest[slot];

	t->copies_until = groups == CP_WAIT_ALL    ? t->copy_groups + 1
		: groups < (int64_t)t->copy_groups ? t->copy_groups - (uint32_t)groups
						   : 0;
	if (awaits_copies(sm, slot, t->copies_until))
		sm->state.warps[slot].state = WARP_AT_COPIES;
}

/* The last datum of a copy is there. */
static void copy_landed(struct sm *sm, struct memory_op *op)
{
	struct warp *w = &sm->state.warps[op->slot];

	op->group = 0;
	if (w->state != WARP_AT_COPIES ||
		awaits_copies(sm, op->slot, sm->state.timing_rest[op->slot].copies_until))
		return;
	w->state = WARP_RUNNING;
	sm_renew(sm, op->slot);
}

/* ---- completion ---- */

void lsu_complete(struct sm *sm, uint32_t i, cycles now)
{
	struct lsu *l = &sm->state.lsu;
	struct memory_op *op = &l->ops[i];
	uint32_t slot = op->slot, uop = op->uop;

	if (op->is_load) {
		struct kernel_stats *counts = sm->state.timing_rest[slot].counts;

		sim_hist_add(&sm->stats.load_latency, now - op->issued);
		counts->load_samples++;
		counts->load_cycles += now - op->issued;
		load_time_add(sm, op, now);
	}
	sm->stats.lsu_in_flight_cycles += now - op->issued;
	profile_loaded(sm->state.timing[slot].run, uop, now - op->issued);
	if (op->group)
		copy_landed(sm, op);
	op->next_free = l->free_op;
	l->free_op = i;
	l->ops_free++;
	sm_write_back(sm, slot, uop, now);
}

void lsu_op_sent(struct sm *sm, uint32_t i, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[i];

	op->sent = true;
	if (!op->pending)
		timing_wheel_add(
			&sm->state.wheel, op->ready > now ? op->ready : now + 1, WHEEL_MEMORY, op->slot, i);
}

void lsu_op_reply(struct sm *sm, uint32_t i, cycles now)
{
	struct memory_op *op = &sm->state.lsu.ops[i];

	bug_if(!op->pending, "SM %u: a reply to no instruction", sm->spec.number);
	op->pending--;
	if (op->pending || !op->sent)
		return;
	if (op->ready > now)
		timing_wheel_add(&sm->state.wheel, op->ready, WHEEL_MEMORY, op->slot, i);
	else
		lsu_complete(sm, i, now);
}

/* ---- fences ---- */

/* Has the launch warps on the SM, with local memory that they may still read? */
static bool launch_is_here(void *user, uint32_t launch)
{
	const struct sm *sm = user;

	for (warp_mask rest = sm->state.present; rest; rest &= rest - 1)
		if ((uint32_t)sm->state.warps[__builtin_ctzll(rest)].cta->run->id == launch)
			return true;
	return false;
}

void lsu_empty_l1(struct sm *sm)
{
	cache_invalidate_but(sm->spec.l1d, launch_is_here, sm);
}

static uint32_t fence_latency(const struct sm_config *c, const struct uop *u)
{
	if (u->mods & MOD_ACQUIRE)
		return 0;
	return u->imm == 0 ? c->fence_cta_latency : u->imm == 1 ? c->fence_gpu_latency : c->fence_sys_latency;
}

static bool fence_awaits_stores(const struct sm_config *c, const struct uop *u)
{
	return !(u->mods & MOD_ACQUIRE) && (u->imm || c->fence_cta_waits);
}

void lsu_membar(struct sm *sm, uint32_t slot, const struct uop *u, cycles now)
{
	const struct sm_config *c = sm->spec.config;
	cycles due = now + fence_latency(c, u);
	bool empties = u->combine && c->fence_invalidates,
	     awaits = sm->state.timing[slot].stores && fence_awaits_stores(c, u);

	if (!awaits && due <= now + 1) {
		if (empties)
			lsu_empty_l1(sm);
		return;
	}
	sm->state.warps[slot].state = WARP_AT_MEMBAR;
	sm->state.empties_l1 |= (warp_mask)empties << slot;
	sm->state.timing_rest[slot].fence_due = awaits ? due : SIM_NEVER;
	if (!awaits)
		timing_wheel_add(&sm->state.wheel, due, WHEEL_FENCE, slot, 0);
}

void lsu_end_fence(struct sm *sm, uint32_t slot)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (sm->state.empties_l1 & bit)
		lsu_empty_l1(sm);
	sm->state.empties_l1 &= ~bit;
	sm->state.warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

void lsu_drop_fence(struct sm *sm, uint32_t slot)
{
	if (sm->state.timing_rest[slot].fence_due == SIM_NEVER)
		timing_wheel_cancel(&sm->state.wheel, slot, WHEEL_FENCE);
	sm->state.empties_l1 &= ~(UINT64_C(1) << slot);
}

/* The stores before a fence have been acknowledged. */
static void fence_acknowledged(struct sm *sm, uint32_t slot)
{
	cycles now = sm->state.local.cycle, least = now + sm->spec.config->fence_store_latency,
	       *due = &sm->state.timing_rest[slot].fence_due, end = *due > least ? *due : least;

	if (*due == SIM_NEVER)
		return;
	*due = SIM_NEVER;
	if (end > now)
		timing_wheel_add(&sm->state.wheel, end, WHEEL_FENCE, slot, 0);
	else
		lsu_end_fence(sm, slot);
}

/* ---- replies ---- */

void lsu_store_acknowledged(struct sm *sm, uint32_t slot)
{
	bug_if(!sm->state.timing[slot].stores, "SM %u: an acknowledgement of no store", sm->spec.number);
	if (--sm->state.timing[slot].stores)
		return;
	if (sm->state.left_stores >> slot & 1) {
		sm->state.left_stores &= ~(UINT64_C(1) << slot);
		sm->state.stores_drained = true;
		sm_ask_commit(sm);
		return;
	}
	if (sm->state.warps[slot].state == WARP_AT_MEMBAR)
		fence_acknowledged(sm, slot);
	sm_retire_if_done(sm, slot);
}

void lsu_occupy_banks(struct sm *sm, uint32_t bytes, cycles now)
{
	struct lsu_pipe *p = &sm->state.lsu.memory;
	cycles takes;

	if (!sm->spec.l1d_fill_bytes)
		return;
	takes = (bytes + sm->spec.l1d_fill_bytes - 1) / sm->spec.l1d_fill_bytes;
	p->busy_until = (p->busy_until > now ? p->busy_until : now) + takes;
	if (p->count && lsu_entry_at(p, 0)->next)
		lsu_entry_at(p, 0)->started += takes;
}

void lsu_filled(struct sm *sm, const struct packet *p, cycles now)
{
	struct cache *cache = p->unit == UNIT_L1_CONST ? sm->spec.constants
		: p->unit == UNIT_L1_TEX               ? sm->spec.texture
						       : sm->spec.l1d;
	uint32_t n = cache_fill(cache, p, sm->host.fill_tokens);

	if (cache == sm->spec.l1d)
		lsu_occupy_banks(sm, p->bytes, now);
	sm->state.lsu.wait = cache_waits(cache, p);
	for (uint32_t i = 0; i < n; i++, sm->state.lsu.wait++) {
		const struct memory_op *op;

		if (token_is_coalesced(sm->host.fill_tokens[i])) {
			lsu_coalesced_returned(sm, sm->host.fill_tokens[i], p, sm->state.lsu.wait, now);
			continue;
		}
		op = &sm->state.lsu.ops[sm->host.fill_tokens[i]];
		if (cache == sm->spec.l1d)
			replays_add(sm, op->slot, op->uop, REPLAY_MISSES, 1);
		lsu_op_reply(sm, sm->host.fill_tokens[i], now);
	}
	sm->state.lsu.wait = NULL;
	if (sm->state.lsu.memory.deferred)
		lsu_retry_deferred(&sm->state.lsu.memory);
	sm->state.lsu.memory.refusal.retry = sm->state.lsu.texture.refusal.retry = sm->state.lsu.drain.retry =
		true;
	if (sm_coalescer(sm))
		lsu_coalescer_retry(sm);
}
