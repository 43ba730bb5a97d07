/* core/issue/scoreboard.c -- which warps may issue, and what the others wait for: registers and predicates
 * that are still to be written (read after write, write after write), barriers, the instruction buffer. Kept
 * as masks that are renewed only for a warp to which something happened. */
#include "core/issue/scoreboard.h"
#include "core/sched/sched.h"
#include "core/issue/issue_table.h"

/* Notifies the warp's scheduler when the warp begins to wait for something long, and when it can continue. */
static __attribute__((noinline)) void notify_scheduler(struct sm *sm, uint32_t slot, bool waits)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (waits == (sm->state.long_waits >> slot & 1))
		return;
	sm->state.long_waits ^= bit;
	for (uint32_t i = 0; i < sm_schedulers(sm); i++) {
		struct sched *s = sm->spec.schedulers[i];

		if (s->owned & bit)
			(waits ? s->class->stalled : s->class->woken)(s, slot);
	}
}

/* What a warp that needs a pending result waits for, by the producer of the result. */
static enum slot_cause producer_cause(const struct sm *sm, uint32_t producer)
{
	if (producer & PRODUCER_IS_MEMORY)
		return sm->state.lsu.ops[producer & ~PRODUCER_IS_MEMORY].cause;
	return producer & PRODUCER_IS_TENSOR ? SLOT_products : SLOT_arithmetic;
}

/* ---- words of the scoreboard, the first and those behind it ---- */

static const struct issue_table *table_of(const struct sm_warp *t)
{
	return t->run->issue;
}

static uint64_t needs_of(const struct sm_warp *t, uint32_t pc, uint32_t word)
{
	return word ? table_of(t)->more_needs[(size_t)pc * (t->words - 1) + word - 1] : t->entry[pc].needs;
}

static uint64_t *pending_of(struct sm_warp *t, const struct sm_warp_rest *rest, uint32_t word)
{
	return word ? &rest->more[word - 1] : &t->pending;
}

static uint64_t *from_memory_of(struct sm_warp *t, const struct sm_warp_rest *rest, uint32_t word)
{
	return word ? &rest->more[t->words - 1 + word - 1] : &t->from_memory;
}

/* ---- what a warp waits for ---- */

/* The worst cause of data that the load/store unit or tensor memory delivers, bits of a word. */
static enum slot_cause memory_cause(
	const struct sm *sm, const struct sm_warp_rest *rest, uint32_t word, uint64_t bits)
{
	enum slot_cause worst = SLOT_issued;

	for (; bits; bits &= bits - 1) {
		enum slot_cause cause =
			producer_cause(sm, rest->producer[word * 64 + (uint32_t)__builtin_ctzll(bits)]);

		worst = cause > worst ? cause : worst;
	}
	return worst;
}

enum slot_cause scoreboard_cause(const struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t pc)
{
	const struct sm_warp_rest *rest = &sm->state.timing_rest[slot];
	enum slot_cause worst = SLOT_issued;

	for (uint32_t i = 0; i < t->words; i++) {
		uint64_t awaited = needs_of(t, pc, i) & *pending_of(t, rest, i),
			 memory = awaited & *from_memory_of(t, rest, i);
		enum slot_cause cause = memory ? memory_cause(sm, rest, i, memory) : SLOT_issued;

		if (awaited != memory && cause < SLOT_arithmetic)
			cause = SLOT_arithmetic;
		worst = cause > worst ? cause : worst;
	}
	return worst;
}

uint32_t sm_awaited(const struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = (struct sm_warp *)&sm->state.timing[slot];
	const struct sm_warp_rest *rest = &sm->state.timing_rest[slot];
	enum slot_cause worst = SLOT_issued;
	uint32_t awaited = NO_PRODUCER;

	for (uint32_t i = 0; i < t->words; i++)
		for (uint64_t m = needs_of(t, sm->state.warps[slot].pc, i) & *pending_of(t, rest, i); m;
			m &= m - 1) {
			uint32_t producer = rest->producer[i * 64 + (uint32_t)__builtin_ctzll(m)];

			if (producer_cause(sm, producer) <= worst)
				continue;
			worst = producer_cause(sm, producer);
			awaited = producer & PRODUCER_IS_MEMORY
				? sm->state.lsu.ops[producer & ~PRODUCER_IS_MEMORY].uop
				: producer & ~PRODUCER_IS_TENSOR;
		}
	return awaited;
}

/* Whether it is long until the warp can issue: for data from global or local memory, other warps at a barrier
 * or the like, the limiter. The latency of a barrier that is complete is short. */
static bool waits_long(const struct sm *sm, uint32_t slot)
{
	uint32_t cause = sm->state.timing[slot].cause;

	if (cause == SLOT_issued)
		return sm_is_throttled(sm, slot);
	if (sm->state.warps[slot].state == WARP_RELEASED)
		return !(sm->state.allowed >> slot & 1);
	return !(sm->state.allowed >> slot & 1) ||
		(cause >= SLOT_l1_hit && cause != SLOT_control_hazard && cause != SLOT_buffer_empty);
}

void scoreboard_notify(struct sm *sm, uint32_t slot)
{
	notify_scheduler(sm, slot, waits_long(sm, slot));
}

/* At one of the barriers that no program names, the warp waits for something else. */
static enum slot_cause barrier_cause(const struct warp *w)
{
	return w->barrier == WARPGROUP_BARRIER                                   ? SLOT_products
		: w->barrier == REGISTER_BARRIER || w->barrier == TENSOR_BARRIER ? SLOT_registers
										 : SLOT_barrier;
}

void sm_renew(struct sm *sm, uint32_t slot)
{
	static const uint8_t causes[] = { [WARP_AT_MEMBAR] = SLOT_membar,
		[WARP_AT_COPIES] = SLOT_copies,
		[WARP_AT_BULK_COPIES] = SLOT_copies,
		[WARP_AT_PHASE] = SLOT_phase,
		[WARP_AT_GRIDS] = SLOT_barrier,
		[WARP_ASLEEP] = SLOT_asleep,
		[WARP_EXITED] = SLOT_drained };
	struct sm_warp *t = &sm->state.timing[slot];
	const struct warp *w = &sm->state.warps[slot];

	if (w->state == WARP_RUNNING) {
		scoreboard_renew(sm, slot, t, w->pc);
		return;
	}
	if (!t->buffered && !t->fetching && w->state != WARP_EXITED)
		sm->state.fetch_wanted |= UINT64_C(1) << slot;
	scoreboard_wait(sm, slot, t,
		w->state == WARP_AT_BARRIER || w->state == WARP_RELEASED ? barrier_cause(w)
									 : causes[w->state]);
}

/* ---- results ---- */

/* The words behind the first. */
void scoreboard_change_more(
	const struct sm_warp *t, struct sm_warp_rest *rest, uint32_t uop, bool is_pending, bool is_memory)
{
	const uint64_t *writes = &table_of(t)->more_writes[(size_t)uop * (t->words - 1)];

	for (uint32_t i = 0; i < t->words - 1u; i++) {
		uint64_t *pending = &rest->more[i], *memory = &rest->more[t->words - 1u + i];

		*pending = is_pending ? *pending | writes[i] : *pending & ~writes[i];
		*memory = is_pending && is_memory ? *memory | writes[i] : *memory & ~writes[i];
	}
}

void scoreboard_set_producers(
	const struct sm_warp *t, struct sm_warp_rest *rest, uint32_t uop, uint32_t producer)
{
	const struct ptx_kernel *k = t->run->kernel;
	const struct uop *u = &t->run->uops[uop];

	for (uint32_t i = u->hazards + u->reads; i < u->hazards + u->reads + u->writes; i++)
		rest->producer[issue_table_bit(k, k->hazards[i])] = producer;
}

void scoreboard_reserve_for_tensor(struct sm *sm, uint32_t slot, struct sm_warp *t, uint32_t uop)
{
	struct sm_warp_rest *rest = &sm->state.timing_rest[slot];

	t->from_memory |= t->entry[uop].writes;
	if (t->words > 1)
		scoreboard_change_more(t, rest, uop, true, true);
	scoreboard_set_producers(t, rest, uop, PRODUCER_IS_TENSOR | uop);
}

void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct sm_warp *t = &sm->state.timing[slot];

	if (scoreboard_write(sm, t, slot, uop, now))
		scoreboard_release(sm, t, slot, uop);
}
