/* core/scoreboard.c -- which warps may issue, and what the others wait for: registers and predicates that are still to be
 * written (read after write, write after write), barriers, the instruction buffer. Kept as masks that are renewed only for
 * a warp to which something happened. */
#include "core/sm.h"

/* Tells the warp's scheduler, if it wants to know, when the warp comes to wait for something long, and when it can go on. */
static void tell_scheduler(struct sm *sm, uint32_t slot, bool waits)
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
static enum slot_cause worst_cause(const struct sm *sm, uint32_t slot, uint32_t word, uint64_t conflict, enum slot_cause worst)
{
	for (; conflict; conflict &= conflict - 1) {
		uint32_t bit = word * 64 + (uint32_t)__builtin_ctzll(conflict);
		enum slot_cause cause = producer_cause(sm, sm->timing[slot].producer[bit]);

		worst = cause > worst ? cause : worst;
	}
	return worst;
}

/* SLOT_issued: nothing is missing. */
static inline enum slot_cause hazard(const struct sm *sm, uint32_t slot, const struct kernel_run *run, uint32_t pc)
{
	uint32_t words = run->words;
	const uint64_t *needs = run->needs + (size_t)pc * words, *pending = sm->timing[slot].pending;
	enum slot_cause worst = SLOT_issued;

	for (uint32_t i = 0; i < words; i++)
		if (needs[i] & pending[i])
			worst = worst_cause(sm, slot, i, needs[i] & pending[i], worst);
	return worst;
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

/* What the warp waits for; SLOT_issued: it is ready. */
static inline enum slot_cause wait_of(const struct sm *sm, uint32_t slot)
{
	static const uint8_t states[] = { [WARP_AT_BARRIER] = SLOT_barrier, [WARP_AT_MEMBAR] = SLOT_membar,
		[WARP_AT_COPIES] = SLOT_copies, [WARP_ASLEEP] = SLOT_asleep, [WARP_EXITED] = SLOT_drained };
	const struct warp *w = &sm->warps[slot];
	const struct sm_warp *t = &sm->timing[slot];

	if (w->state != WARP_RUNNING)
		return states[w->state];
	if (!t->buffered)
		return t->flushed ? SLOT_control_hazard : SLOT_buffer_empty;
	return hazard(sm, slot, t->run, w->pc);
}

static bool is_barrier(const struct uop *u)
{
	return u->code == UOP_BAR_SYNC || u->code == UOP_BAR_ARRIVE || u->code == UOP_BAR_RED;
}

/* The warp stands at u, which has all it needs. */
static inline void set_ready(struct sm *sm, struct sm_warp *t, const struct uop *u, warp_mask bit)
{
	t->ready_unit = u->unit;
	sm->ready[u->unit] |= bit;
	if (u->unit == UNIT_LDST)
		sm->loads = sm_loads_through_l1(u) ? sm->loads | bit : sm->loads & ~bit;
	else if (u->unit == UNIT_CONTROL)
		sm->bars = is_barrier(u) ? sm->bars | bit : sm->bars & ~bit;
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

void sm_renew(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct warp *w = &sm->warps[slot];
	warp_mask bit = UINT64_C(1) << slot;
	enum slot_cause cause = wait_of(sm, slot);

	sm->ready[t->ready_unit] &= ~bit;
	if (!t->buffered && !t->fetching && w->state != WARP_EXITED)
		sm->fetch_wanted |= bit;
	sm->waiting[t->cause] &= ~bit;
	sm->waiting[cause] |= bit;
	t->cause = (uint8_t)cause;
	if (cause == SLOT_issued)
		set_ready(sm, t, &t->run->uops[w->pc], bit);
	if (sm->tells_schedulers)
		tell_scheduler(sm, slot, waits_long(sm, slot));
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

void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	cycles at = collector_write(sm, slot, uop, now);

	if (at > now)
		sm_schedule(sm, at, WHEEL_WRITTEN, slot, uop);
	else
		sm_release(sm, slot, uop);
}

static bool awaits_data(uint32_t cause)
{
	return cause >= SLOT_arithmetic && cause <= SLOT_l1_miss;
}

void sm_release(struct sm *sm, uint32_t slot, uint32_t uop)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct kernel_run *run = t->run;
	const struct uop *u = &run->uops[uop];
	const uint16_t *bits = run->hazard_bits + u->hazards + u->reads;

	for (uint32_t i = 0; i < u->writes; i++)
		t->pending[bits[i] / 64] &= ~(UINT64_C(1) << (bits[i] % 64));
	t->in_flight--;
	if (sm->warps[slot].state == WARP_EXITED)
		sm_retire_if_done(sm, slot);
	else if (awaits_data(t->cause))
		sm_renew(sm, slot);
}
