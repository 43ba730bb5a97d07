/* core/sm/timing_wheel.c -- the wheel of an SM: results, fetches and sleeps that are due at a known cycle, in
 * a ring of lists. */
#include "core/gpu/gpu_for_sm.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/sm/fetch.h"
#include "core/issue/scoreboard.h"
#include "sim/base/xalloc.h"

/* ---- what is due later ---- */

#define WHEEL_ENTRIES (4 * WHEEL_SIZE)

static void push_entry(struct timing_wheel *w, uint32_t *list, uint32_t turns, struct timing_wheel_event e)
{
	uint32_t i = w->free_entry;

	if (i) {
		w->free_entry = w->entries[i].next;
	} else {
		i = w->fresh++;
		bug_if(i == WHEEL_ENTRIES, "more results due than the wheel of an SM can hold");
	}
	w->entries[i] = (struct timing_wheel_entry){ turns, *list, e };
	*list = i;
}

static struct timing_wheel_entry pop_entry(struct timing_wheel *w, uint32_t *list)
{
	uint32_t i = *list;
	struct timing_wheel_entry entry = w->entries[i];

	*list = entry.next;
	w->entries[i].next = w->free_entry;
	w->free_entry = i;
	return entry;
}

static void push_far(struct timing_wheel *w, uint32_t at, uint32_t turns, struct timing_wheel_event e)
{
	push_entry(w, &w->far[at], turns, e);
	w->far_busy[at / 64] |= UINT64_C(1) << (at % 64);
	w->far_count++;
}

void timing_wheel_add_far(struct timing_wheel *w, cycles when, struct timing_wheel_event e)
{
	cycles left = when - w->now;

	if (left < WHEEL_NEAR) {
		push_entry(w, &w->more[when % WHEEL_NEAR], 0, e);
		w->overflows |= UINT32_C(1) << (when % WHEEL_NEAR);
	} else {
		push_far(w, when & WHEEL_MASK, (uint32_t)((left - WHEEL_NEAR) / WHEEL_SIZE), e);
	}
}

/* A cycle is near now: what is due in it goes to its line, the oldest first; what is due some turns later
 * stays. */
static void come_near(struct timing_wheel *w, cycles when)
{
	uint32_t at = when & WHEEL_MASK;
	uint32_t list = w->far[at], due = 0;

	w->far[at] = 0;
	w->far_busy[at / 64] &= ~(UINT64_C(1) << (at % 64));
	while (list) {
		struct timing_wheel_entry entry = pop_entry(w, &list);

		w->far_count--;
		if (entry.turns)
			push_far(w, at, entry.turns - 1, entry.event);
		else
			push_entry(w, &due, 0, entry.event);
	}
	while (due) {
		struct timing_wheel_event e = pop_entry(w, &due).event;

		timing_wheel_add(w, when, e.kind, e.slot, e.value);
	}
}

/* The first cycle from `from` on, or the next with the same place in the lists, for which there is a list;
 * SIM_NEVER: none. */
static cycles next_far(const struct timing_wheel *w, cycles from)
{
	uint32_t at = from & WHEEL_MASK, word = at / 64;
	uint64_t bits = w->far_busy[word] & (~UINT64_C(0) << (at % 64));

	for (uint32_t i = 0; i <= WHEEL_SIZE / 64; i++) {
		if (bits)
			return from + ((word * 64 + (uint32_t)__builtin_ctzll(bits) - at) & WHEEL_MASK);
		word = (word + 1) % (WHEEL_SIZE / 64);
		bits = w->far_busy[word];
	}
	return SIM_NEVER;
}

/* The cycles behind `before` + WHEEL_NEAR, up to now + WHEEL_NEAR, exclusive, come near. */
static __attribute__((noinline)) void advance(struct timing_wheel *w, cycles before, cycles now)
{
	for (cycles c = next_far(w, before + WHEEL_NEAR); c < now + WHEEL_NEAR; c = next_far(w, c + 1))
		come_near(w, c);
}

cycles timing_wheel_next(const struct timing_wheel *w, cycles now)
{
	uint32_t from = (uint32_t)(now + 1) % WHEEL_NEAR;
	uint32_t bits = w->busy >> from | w->busy << (-from % WHEEL_NEAR);

	if (bits)
		return now + 1 + (uint32_t)__builtin_ctz(bits);
	return w->far_count ? next_far(w, now + WHEEL_NEAR) : SIM_NEVER;
}

/* ---- what happens ---- */

/* The wheel turns once in WHEEL_SIZE cycles; a longer sleep goes round several times. */
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now)
{
	double each = gpu_cycles_per_ns(sm->gpu);

	sm->warps[slot].state = WARP_ASLEEP;
	timing_wheel_add(&sm->wheel, now + 1 + (cycles)(nanoseconds * each), WHEEL_AWAKE, slot, 0);
}

static void wake_up(struct sm *sm, uint32_t slot)
{
	sm->warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

static void other_happens(struct sm *sm, const struct timing_wheel_event *e, cycles now)
{
	switch ((enum timing_wheel_kind)e->kind) {
	case WHEEL_MEMORY:
		lsu_complete(sm, e->value, now);
		break;
	case WHEEL_AWAKE:
		wake_up(sm, e->slot);
		break;
	case WHEEL_GUARD:
		guards_due(sm, e->slot);
		break;
	case WHEEL_RESULT:
	case WHEEL_WRITTEN:
	case WHEEL_FETCHED:
	case WHEEL_CANCELLED:
		break;
	}
}

static inline void happen(struct sm *sm, const struct timing_wheel_event *e, cycles now)
{
	struct sm_warp *t = &sm->timing[e->slot];

	if (e->kind == WHEEL_FETCHED)
		fetch_arrived(sm, e->slot, e->value);
	else if (e->kind == WHEEL_WRITTEN ||
		(e->kind == WHEEL_RESULT && scoreboard_write(sm, t, e->slot, e->value, now)))
		scoreboard_release(sm, t, e->slot, e->value);
	else
		other_happens(sm, e, now);
}

static __attribute__((noinline)) void run_more(struct sm *sm, uint32_t at, cycles now)
{
	struct timing_wheel *w = &sm->wheel;

	w->overflows &= ~(UINT32_C(1) << at);
	while (w->more[at]) {
		struct timing_wheel_event e = pop_entry(w, &w->more[at]).event;

		happen(sm, &e, now);
	}
}

void timing_wheel_happen(struct sm *sm, cycles before, cycles now)
{
	struct timing_wheel *w = &sm->wheel;
	uint32_t at = now % WHEEL_NEAR, bit = UINT32_C(1) << at;

	if (__builtin_expect(w->far_count != 0, 0))
		advance(w, before, now);
	if (!(w->busy & bit))
		return;
	w->busy &= ~bit;
	w->bus_taken[now & WHEEL_MASK] = 0;
	if (__builtin_expect(w->overflows & bit, 0))
		run_more(sm, at, now);
	for (uint32_t i = w->count[at]; i--;)
		happen(sm, &w->line[at].event[i], now);
	w->count[at] = 0;
}

/* ---- events that are cancelled ---- */

static bool cancel_entry(struct timing_wheel *w, uint32_t list, uint32_t slot, enum timing_wheel_kind kind)
{
	for (uint32_t i = list; i; i = w->entries[i].next) {
		struct timing_wheel_event *e = &w->entries[i].event;

		if (e->slot == slot && e->kind == kind) {
			e->kind = WHEEL_CANCELLED;
			return true;
		}
	}
	return false;
}

static bool cancel_event(struct timing_wheel *w, uint32_t at, uint32_t slot, enum timing_wheel_kind kind)
{
	for (uint32_t i = 0; i < w->count[at]; i++) {
		struct timing_wheel_event *e = &w->line[at].event[i];

		if (e->slot == slot && e->kind == kind) {
			e->kind = WHEEL_CANCELLED;
			return true;
		}
	}
	return cancel_entry(w, w->more[at], slot, kind);
}

void timing_wheel_cancel(struct timing_wheel *w, uint32_t slot, enum timing_wheel_kind kind)
{
	for (uint32_t at = 0; at < WHEEL_NEAR; at++)
		if (cancel_event(w, at, slot, kind))
			return;
	for (uint32_t at = 0; at < WHEEL_SIZE; at++)
		if (cancel_entry(w, w->far[at], slot, kind))
			return;
	bug("warp slot %u has no event to cancel", slot);
}

void timing_wheel_init(struct timing_wheel *w)
{
	w->entries = xmalloc(WHEEL_ENTRIES * sizeof(*w->entries)); /* mostly never touched */
	w->fresh = 1;
}
