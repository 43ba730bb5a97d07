/* core/sm/timing_wheel.c -- the wheel of an SM: results, fetches and sleeps that are due at a known cycle, in
 * a ring of lists. */
#include "core/sm/timing_wheel.h"
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

void timing_wheel_advance(struct timing_wheel *w, cycles before, cycles now)
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

bool timing_wheel_take_more(struct timing_wheel *w, uint32_t at, struct timing_wheel_event *e)
{
	if (!w->more[at])
		return false;
	*e = pop_entry(w, &w->more[at]).event;
	return true;
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
