/* core/scoreboard.c -- which warps may issue, and what the others wait for: registers and predicates that are still to be
 * written (read after write, write after write), barriers, the instruction buffer. Kept as masks that are renewed only for
 * a warp to which something happened. */
#include "core/banks.h"
#include "core/sm.h"

/* Tells the warp's scheduler, if it wants to know, when the warp comes to wait for something long, and when it can go on. */
static __attribute__((noinline)) void tell_scheduler(struct sm *sm, uint32_t slot, bool waits)
{
	warp_mask bit = UINT64_C(1) << slot;

	if (waits == (sm->long_waits >> slot & 1))
		return;
	sm->long_waits ^= bit;
	for (uint32_t i = 0; i < sm->config->schedulers; i++) {
		struct sched *s = sm->schedulers[i];

		if (s->owned & bit)
			(waits ? s->class->stalled : s->class->woken)(s, slot);
	}
}

/* What the datum that a bit of the scoreboard stands for comes from. */
static enum slot_cause producer_cause(const struct sm *sm, uint32_t producer)
{
	return producer & PRODUCER_IS_MEMORY ? sm->lsu.ops[producer & ~PRODUCER_IS_MEMORY].cause : SLOT_arithmetic;
}

/* Of several data that are missing, the one whose kind stands last in slots.def: the one farthest away. */
static __attribute__((noinline)) enum slot_cause worst_cause(const struct sm *sm, const struct sm_warp *t, uint32_t pc)
{
	uint32_t words = t->run->words;
	const uint64_t *needs = t->run->needs + (size_t)pc * words;
	enum slot_cause worst = SLOT_issued;

	for (uint32_t i = 0; i < words; i++)
		for (uint64_t conflict = needs[i] & t->pending[i]; conflict; conflict &= conflict - 1) {
			uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(conflict);
			enum slot_cause cause = producer_cause(sm, t->producer[bit]);

			worst = cause > worst ? cause : worst;
		}
	return worst;
}

/* Whether data are missing for the instruction at pc. */
static inline bool has_hazard(const struct sm_warp *t, uint32_t pc)
{
	uint32_t words = t->run->words;
	const uint64_t *needs = t->run->needs + (size_t)pc * words;

	for (uint32_t i = 0; i < words; i++)
		if (needs[i] & t->pending[i])
			return true;
	return false;
}

uint32_t sm_awaited(const struct sm *sm, uint32_t slot)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const uint64_t *needs = run->needs + (size_t)sm->warps[slot].pc * run->words;
	enum slot_cause worst = SLOT_issued;
	uint32_t awaited = NO_PRODUCER;

	for (uint32_t i = 0; i < run->words; i++)
		for (uint64_t m = needs[i] & sm->timing[slot].pending[i]; m; m &= m - 1) {
			uint32_t producer = sm->timing[slot].producer[i * 64 + (uint32_t)__builtin_ctzll(m)];

			if (producer_cause(sm, producer) <= worst)
				continue;
			worst = producer_cause(sm, producer);
			awaited = producer & PRODUCER_IS_MEMORY ? sm->lsu.ops[producer & ~PRODUCER_IS_MEMORY].uop : producer;
		}
	return awaited;
}

/* What keeps the warp from its next instruction; SLOT_issued: at most data that are missing. */
static inline enum slot_cause state_cause(const struct warp *w, const struct sm_warp *t)
{
	static const uint8_t states[] = { [WARP_AT_BARRIER] = SLOT_barrier, [WARP_AT_MEMBAR] = SLOT_membar,
		[WARP_AT_COPIES] = SLOT_copies, [WARP_ASLEEP] = SLOT_asleep, [WARP_EXITED] = SLOT_drained };

	if (w->state != WARP_RUNNING)
		return states[w->state];
	if (!t->buffered)
		return t->flushed ? SLOT_control_hazard : SLOT_buffer_empty;
	return SLOT_issued;
}

static inline bool is_barrier(const struct uop *u)
{
	return u->code == UOP_BAR_SYNC || u->code == UOP_BAR_ARRIVE || u->code == UOP_BAR_RED;
}

/* Whether it is long until the warp can issue: for data from global or local memory, a barrier or the like, the limiter. */
static bool waits_long(const struct sm *sm, uint32_t slot)
{
	uint32_t cause = sm->timing[slot].cause;

	if (cause == SLOT_issued)
		return sm_is_throttled(sm, slot);
	return !(sm->allowed >> slot & 1) ||
	       (cause >= SLOT_l1_hit && cause != SLOT_control_hazard && cause != SLOT_buffer_empty);
}

/* The warp has come to wait for something, or still does. */
static void set_waiting(struct sm *sm, uint32_t slot, enum slot_cause cause)
{
	struct sm_warp *t = &sm->timing[slot];
	warp_mask bit = UINT64_C(1) << slot;

	if (!t->buffered && !t->fetching && sm->warps[slot].state != WARP_EXITED)
		sm->fetch_wanted |= bit;
	sm->ready[t->ready_unit] &= ~bit;
	sm->waiting[t->cause] &= ~bit;
	sm->waiting[cause] |= bit;
	t->cause = (uint8_t)cause;
	if (sm->tells_schedulers)
		tell_scheduler(sm, slot, waits_long(sm, slot));
}

/* The warp can issue u. */
static inline void set_ready(struct sm *sm, uint32_t slot, struct sm_warp *t, const struct uop *u)
{
	warp_mask bit = UINT64_C(1) << slot;

	sm->ready[t->ready_unit] &= ~bit;
	sm->ready[u->unit] |= bit;
	t->ready_unit = u->unit;
	sm->waiting[t->cause] &= ~bit;
	sm->waiting[SLOT_issued] |= bit;
	t->cause = SLOT_issued;
	if (u->unit == UNIT_LDST)
		sm->loads = sm_loads_through_l1(u) ? sm->loads | bit : sm->loads & ~bit;
	else if (u->unit == UNIT_CONTROL)
		sm->bars = is_barrier(u) ? sm->bars | bit : sm->bars & ~bit;
	if (sm->tells_schedulers)
		tell_scheduler(sm, slot, waits_long(sm, slot));
}

void sm_renew(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct warp *w = &sm->warps[slot];
	enum slot_cause cause = state_cause(w, t);

	if (cause != SLOT_issued)
		set_waiting(sm, slot, cause);
	else if (has_hazard(t, w->pc))
		set_waiting(sm, slot, worst_cause(sm, t, w->pc));
	else
		set_ready(sm, slot, t, &t->run->uops[w->pc]);
}

void sm_reserve(struct sm *sm, uint32_t slot, uint32_t uop, uint32_t producer)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct kernel_run *run = t->run;
	const struct uop *u = &run->uops[uop];
	const uint16_t *bits = run->hazard_bits + u->hazards + u->reads;

	for (uint32_t i = 0; i < u->writes; i++) {
		t->pending[bits[i] / 64] |= UINT64_C(1) << (bits[i] % 64);
		t->producer[bits[i]] = producer;
	}
}

static inline bool awaits_data(uint32_t cause)
{
	return cause >= SLOT_arithmetic && cause <= SLOT_l1_miss;
}

static inline void release(struct sm *sm, struct sm_warp *t, uint32_t slot, uint32_t uop)
{
	const struct kernel_run *run = t->run;
	const struct uop *u = &run->uops[uop];
	const uint16_t *bits = run->hazard_bits + u->hazards + u->reads;

	for (uint32_t i = 0; i < u->writes; i++)
		t->pending[bits[i] / 64] &= ~(UINT64_C(1) << (bits[i] % 64));
	t->in_flight--;
	if (awaits_data(t->cause))
		sm_renew(sm, slot);
	else if (t->cause == SLOT_drained)
		sm_retire_if_done(sm, slot);
}

void sm_release(struct sm *sm, uint32_t slot, uint32_t uop)
{
	release(sm, &sm->timing[slot], slot, uop);
}

void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct operand_rows *o = &t->run->operands[uop];
	struct collectors *c = &sm->collectors;
	cycles at = banks_serve(sm->config->register_write_port ? c->write_free : c->read_free, c->bank_mask,
		t->run->operand_row + o->first + o->reads, o->writes, slot, now);

	if (at == now) {
		release(sm, t, slot, uop);
		return;
	}
	sm->stats.write_conflict_cycles += at - now;
	sm_schedule(sm, at, WHEEL_WRITTEN, slot, uop);
}
