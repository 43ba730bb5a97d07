/* core/scoreboard.c -- which warps may issue, and what the others wait for: registers and predicates that are still to be
 * written (read after write, write after write), barriers, the instruction buffer. Kept as masks that are renewed only for
 * a warp to which something happened. */
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

/* ---- words of the scoreboard, the first and those behind it ---- */

static const struct issue_table *table_of(const struct sm_warp *t)
{
	return t->run->issue;
}

static uint64_t needs_of(const struct sm_warp *t, uint32_t pc, uint32_t word)
{
	return word ? table_of(t)->more_needs[(size_t)pc * (t->words - 1) + word - 1] : t->entry[pc].needs;
}

static uint64_t *pending_of(struct sm_warp *t, uint32_t word)
{
	return word ? &t->more[word - 1] : &t->pending;
}

static uint64_t *from_memory_of(struct sm_warp *t, uint32_t word)
{
	return word ? &t->more[t->words - 1 + word - 1] : &t->from_memory;
}

/* ---- what a warp waits for ---- */

/* The worst cause of data that the load/store unit delivers, bits of a word. */
static enum slot_cause memory_cause(const struct sm *sm, const struct sm_warp *t, uint32_t word, uint64_t bits)
{
	enum slot_cause worst = SLOT_issued;

	for (; bits; bits &= bits - 1) {
		enum slot_cause cause = producer_cause(sm, t->producer[word * 64 + (uint32_t)__builtin_ctzll(bits)]);

		worst = cause > worst ? cause : worst;
	}
	return worst;
}

static __attribute__((noinline)) enum slot_cause data_cause_of_words(const struct sm *sm, struct sm_warp *t, uint32_t pc)
{
	enum slot_cause worst = SLOT_issued;

	for (uint32_t i = 0; i < t->words; i++) {
		uint64_t awaited = needs_of(t, pc, i) & *pending_of(t, i), memory = awaited & *from_memory_of(t, i);
		enum slot_cause cause = memory ? memory_cause(sm, t, i, memory) : SLOT_issued;

		if (awaited != memory && cause < SLOT_arithmetic)
			cause = SLOT_arithmetic;
		worst = cause > worst ? cause : worst;
	}
	return worst;
}

/* Of several data that are missing for the instruction, the one whose kind stands last in slots.def: the one farthest away.
 * SLOT_issued: none are. */
static inline enum slot_cause data_cause(const struct sm *sm, struct sm_warp *t, uint32_t pc, const struct issue_entry *e)
{
	t->awaited = e->needs & t->pending;
	if (__builtin_expect(t->words > 1, 0))
		return data_cause_of_words(sm, t, pc);
	if (!t->awaited)
		return SLOT_issued;
	return t->awaited & t->from_memory ? data_cause_of_words(sm, t, pc) : SLOT_arithmetic;
}

uint32_t sm_awaited(const struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = (struct sm_warp *)&sm->timing[slot];
	enum slot_cause worst = SLOT_issued;
	uint32_t awaited = NO_PRODUCER;

	for (uint32_t i = 0; i < t->words; i++)
		for (uint64_t m = needs_of(t, sm->warps[slot].pc, i) & *pending_of(t, i); m; m &= m - 1) {
			uint32_t producer = t->producer[i * 64 + (uint32_t)__builtin_ctzll(m)];

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

/* Whether it is long until the warp can issue: for data from global or local memory, a barrier or the like, the limiter. */
static bool waits_long(const struct sm *sm, uint32_t slot)
{
	uint32_t cause = sm->timing[slot].cause;

	if (cause == SLOT_issued)
		return sm_is_throttled(sm, slot);
	return !(sm->allowed >> slot & 1) ||
	       (cause >= SLOT_l1_hit && cause != SLOT_control_hazard && cause != SLOT_buffer_empty);
}

/* The warp's bit goes to another mask. */
static inline void stand(struct sm *sm, struct sm_warp *t, warp_mask bit, uint32_t standing)
{
	sm->standing[t->standing] &= ~bit;
	sm->standing[standing] |= bit;
	t->standing = (uint8_t)standing;
}

/* The warp has come to wait for something, or still does. */
static inline void set_waiting(struct sm *sm, uint32_t slot, struct sm_warp *t, enum slot_cause cause)
{
	stand(sm, t, UINT64_C(1) << slot, STANDS_WAITING + cause);
	t->cause = (uint8_t)cause;
	if (sm->tells_schedulers)
		tell_scheduler(sm, slot, waits_long(sm, slot));
}

/* The warp can issue the instruction. */
static inline void set_ready(struct sm *sm, uint32_t slot, struct sm_warp *t, const struct issue_entry *e)
{
	warp_mask bit = UINT64_C(1) << slot;

	stand(sm, t, bit, e->unit);
	t->cause = SLOT_issued;
	sm->loads = (sm->loads & ~bit) | (warp_mask)e->is_load << slot;
	sm->bars = (sm->bars & ~bit) | (warp_mask)e->is_barrier << slot;
	if (sm->tells_schedulers)
		tell_scheduler(sm, slot, waits_long(sm, slot));
}

void sm_renew(struct sm *sm, uint32_t slot)
{
	struct sm_warp *t = &sm->timing[slot];
	const struct warp *w = &sm->warps[slot];
	const struct issue_entry *e = &t->entry[w->pc];
	enum slot_cause cause = state_cause(w, t);

	if (cause == SLOT_issued)
		cause = data_cause(sm, t, w->pc, e);
	else if (!t->buffered && !t->fetching && w->state != WARP_EXITED)
		sm->fetch_wanted |= UINT64_C(1) << slot;
	if (cause != SLOT_issued)
		set_waiting(sm, slot, t, cause);
	else
		set_ready(sm, slot, t, e);
}

/* ---- results ---- */

/* The words behind the first. */
static __attribute__((noinline)) void change_more(struct sm_warp *t, uint32_t uop, bool is_pending, bool is_memory)
{
	const uint64_t *writes = &table_of(t)->more_writes[(size_t)uop * (t->words - 1)];

	for (uint32_t i = 0; i < t->words - 1u; i++) {
		uint64_t *pending = &t->more[i], *memory = &t->more[t->words - 1u + i];

		*pending = is_pending ? *pending | writes[i] : *pending & ~writes[i];
		*memory = is_pending && is_memory ? *memory | writes[i] : *memory & ~writes[i];
	}
}

static void set_producers(struct sm_warp *t, uint32_t uop, uint32_t producer)
{
	const struct ptx_kernel *k = t->run->kernel;
	const struct uop *u = &t->run->uops[uop];

	for (uint32_t i = u->hazards + u->reads; i < u->hazards + u->reads + u->writes; i++)
		t->producer[issue_table_bit(k, k->hazards[i])] = producer;
}

void sm_reserve(struct sm_warp *t, uint32_t uop)
{
	t->pending |= t->entry[uop].writes;
	if (__builtin_expect(t->words > 1, 0))
		change_more(t, uop, true, false);
	if (__builtin_expect(t->run->profile != NULL, 0))
		set_producers(t, uop, uop);
}

void sm_reserve_for_memory(struct sm_warp *t, uint32_t uop, uint32_t op)
{
	t->pending |= t->entry[uop].writes;
	t->from_memory |= t->entry[uop].writes;
	if (__builtin_expect(t->words > 1, 0))
		change_more(t, uop, true, true);
	set_producers(t, uop, PRODUCER_IS_MEMORY | op);
}

static inline bool awaits_data(uint32_t cause)
{
	return cause >= SLOT_arithmetic && cause <= SLOT_l1_miss;
}

/* Whether the warp goes on waiting as it did, for data, though something has come: for other data, and none that may have been
 * the farthest away. */
static inline bool waits_as_before(const struct sm *sm, const struct sm_warp *t, uint64_t come)
{
	return t->words == 1 && !sm->tells_schedulers && (!(t->awaited & come) || (t->awaited & ~come && t->cause == SLOT_arithmetic));
}

static inline void release(struct sm *sm, struct sm_warp *t, uint32_t slot, uint32_t uop)
{
	uint64_t come = t->entry[uop].writes;

	t->pending &= ~come;
	t->from_memory &= ~come;
	if (__builtin_expect(t->words > 1, 0))
		change_more(t, uop, false, false);
	t->in_flight--;
	if (awaits_data(t->cause)) {
		if (waits_as_before(sm, t, come))
			t->awaited &= ~come;
		else
			sm_renew(sm, slot);
	} else if (t->cause == SLOT_drained) {
		sm_retire_if_done(sm, slot);
	}
}

void sm_release(struct sm *sm, uint32_t slot, uint32_t uop)
{
	release(sm, &sm->timing[slot], slot, uop);
}

void sm_write_back(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct sm_warp *t = &sm->timing[slot];
	struct collectors *c = &sm->collectors;
	cycles at = banks_serve(c->has_write_port ? &c->write : &c->read, &t->entry[uop].results, table_of(t), slot, now);

	if (at == now) {
		release(sm, t, slot, uop);
		return;
	}
	sm->stats.write_conflict_cycles += at - now;
	sm_schedule(sm, at, WHEEL_WRITTEN, slot, uop);
}
