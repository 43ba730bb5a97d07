/* core/issue/scoreboard.h -- what happens to a warp's readiness with each instruction: inlined where it
 * happens. The rest is in scoreboard.c. */
#ifndef CORE_ISSUE_SCOREBOARD_H
#define CORE_ISSUE_SCOREBOARD_H

#include "core/kernel/kernel_run.h"
#include "core/issue/guards.h"
#include "core/issue/issue_table.h"
#include "core/issue/readiness.h"
#include "core/sm/sm.h"

#define PRODUCER_IS_MEMORY 0x80000000u /* of sm_warp_rest.producer: + index of a memory_op */
#define PRODUCER_IS_TENSOR 0x40000000u /* ... + the micro-operation that loads from tensor memory */

/* Something has happened to the warp: finds out anew whether it can issue, or what it waits for. */
void sm_renew(struct sm *sm, uint32_t slot);
/* A result of the load/store unit goes to the register banks. */
void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now);
/* The instruction whose result the warp's next instruction awaits; of several, the one that takes longest. */
uint32_t sm_awaited(const struct sm *sm, uint32_t slot);

/* Results that are pending come from tensor memory. */
void scoreboard_reserve_for_tensor(struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t uop);

/* For the functions below: scoreboards of several words, data from the load/store unit, schedulers that are
 * to be notified. */
enum slot_cause scoreboard_cause(const struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t pc);
void scoreboard_change_more(
	const struct sm_warp *t, struct sm_warp_rest *rest, uint32_t uop, bool is_pending, bool is_memory);
void scoreboard_set_producers(
	const struct sm_warp *t, struct sm_warp_rest *rest, uint32_t uop, uint32_t producer);
void scoreboard_notify(struct sm *sm, uint32_t slot);

/* The warp's bit goes to another mask. */
static inline void scoreboard_set_state(struct sm *sm, struct sm_warp *t, warp_mask bit, uint32_t state)
{
	sm->state.warps_in_state[t->state] &= ~bit;
	sm->state.warps_in_state[state] |= bit;
	sm->host.changed |= bit;
	if (sm_has_gates(sm))
		sm->host.quiet = false;
	t->state = (uint8_t)state;
}

/* The warp has come to wait for something, or still does. */
static inline void scoreboard_wait(struct sm *sm, uint32_t slot, struct sm_warp *t, enum slot_cause cause)
{
	scoreboard_set_state(sm, t, UINT64_C(1) << slot, (uint32_t)WARP_STATE_WAITING + cause);
	sm->state.ready &= ~(UINT64_C(1) << slot);
	t->cause = (uint8_t)cause;
	if (__builtin_expect(sm->spec.notifies_schedulers, 0))
		scoreboard_notify(sm, slot);
}

/* The warp can issue the instruction. */
static inline void scoreboard_ready(
	struct sm *sm, uint32_t slot, struct sm_warp *t, const struct issue_entry *e)
{
	scoreboard_set_state(sm, t, UINT64_C(1) << slot, e->state);
	sm->state.ready |= UINT64_C(1) << slot;
	t->cause = SLOT_issued;
	if (__builtin_expect(sm->spec.notifies_schedulers, 0))
		scoreboard_notify(sm, slot);
}

/* Of several data that are missing for the instruction at pc, the one whose kind stands last in
 * slot_causes.def: the one farthest away. SLOT_issued: none are. */
static inline enum slot_cause scoreboard_data(
	const struct sm *sm, uint32_t slot, struct sm_warp *t, const struct issue_entry *e, uint32_t pc)
{
	t->awaited = e->needs & t->pending;
	if (__builtin_expect(t->words > 1, 0))
		return scoreboard_cause(sm, slot, t, pc);
	if (!t->awaited)
		return SLOT_issued;
	return t->awaited & t->from_memory ? scoreboard_cause(sm, slot, t, pc) : SLOT_arithmetic;
}

/* For a warp that has instructions, of which the next is at pc: it waits for data, or can issue. */
static inline void scoreboard_renew_buffered(struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t pc)
{
	const struct issue_entry *e = &t->entry[pc];
	enum slot_cause cause = scoreboard_data(sm, slot, t, e, pc);

	if (cause == SLOT_issued && __builtin_expect(e->looks_twice, 0))
		cause = guards_second_look(sm, slot, pc);
	if (cause != SLOT_issued)
		scoreboard_wait(sm, slot, t, cause);
	else
		scoreboard_ready(sm, slot, t, e);
}

/* sm_renew for a warp that runs: it waits for instructions, or for data, or can issue. */
static inline void scoreboard_renew(struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t pc)
{
	if (t->buffered) {
		scoreboard_renew_buffered(sm, slot, t, pc);
		return;
	}
	if (!t->fetching)
		sm->state.fetch_wanted |= UINT64_C(1) << slot;
	scoreboard_wait(sm, slot, t, t->flushed ? SLOT_control_hazard : SLOT_buffer_empty);
}

/* The results of a micro-operation are pending: arithmetic's, or those that a memory_op delivers. */
static inline void scoreboard_reserve(
	struct sm *sm, uint32_t slot, struct sm_warp *t, const struct issue_entry *e, uint32_t uop)
{
	t->pending |= e->writes;
	if (__builtin_expect(t->words > 1, 0))
		scoreboard_change_more(t, &sm->state.timing_rest[slot], uop, true, false);
	if (__builtin_expect(sm->host.counts.by_uop && t->run->profile, 0))
		scoreboard_set_producers(t, &sm->state.timing_rest[slot], uop, uop);
}

static inline void scoreboard_reserve_for_memory(struct sm *sm, uint32_t slot, struct sm_warp *t,
	const struct issue_entry *e, uint32_t uop, uint32_t op)
{
	struct sm_warp_rest *rest = &sm->state.timing_rest[slot];

	t->pending |= e->writes;
	t->from_memory |= e->writes;
	if (__builtin_expect(t->words > 1, 0)) {
		scoreboard_change_more(t, rest, uop, true, true);
		scoreboard_set_producers(t, rest, uop, PRODUCER_IS_MEMORY | op);
		return;
	}
	for (uint64_t m = e->writes; m; m &= m - 1)
		rest->producer[__builtin_ctzll(m)] = PRODUCER_IS_MEMORY | op;
}

static inline bool scoreboard_awaits_data(uint32_t cause)
{
	return cause >= SLOT_arithmetic && cause <= SLOT_l1_miss;
}

/* A result can be read. A warp that waits for data may go on then, unless it still waits for other data of
 * the same kind. */
static inline void scoreboard_release(struct sm *sm, struct sm_warp *t, uint32_t slot, uint32_t uop)
{
	uint64_t come = t->entry[uop].writes;

	t->pending &= ~come;
	t->from_memory &= ~come;
	t->in_flight--;
	if (__builtin_expect(t->words > 1, 0)) {
		scoreboard_change_more(t, &sm->state.timing_rest[slot], uop, false, false);
		come = ~UINT64_C(0); /* look at all of them */
	}
	if (scoreboard_awaits_data(t->cause)) {
		t->awaited &= ~come;
		if (t->cause != SLOT_arithmetic || !t->awaited)
			scoreboard_renew_buffered(sm, slot, t, sm->state.warps[slot].pc);
	} else if (__builtin_expect(t->cause == SLOT_drained, 0)) {
		sm_retire_if_done(sm, slot);
	}
}

/* A result goes to the register banks. False: they have it later. */
static inline bool scoreboard_write(struct sm *sm, struct sm_warp *t, uint32_t slot, uint32_t uop, cycles now)
{
	struct bank_ports *ports = sm->state.collectors.results;
	const struct row_banks *rows = &t->entry[uop].results;
	cycles at = !sm_has_register_banks(sm) || banks_serve(ports, rows, slot, now)
		? now
		: banks_queue(ports, rows, t->run->issue->more_banks, slot);

	if (at == now)
		return true;
	sm->stats.write_conflict_cycles += at - now;
	timing_wheel_add(&sm->state.wheel, at, WHEEL_WRITTEN, slot, uop);
	return false;
}

#endif
