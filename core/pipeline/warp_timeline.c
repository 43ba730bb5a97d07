/* core/pipeline/warp_timeline.c -- what each warp did and waited for: see warp_timeline.h. */
#include "core/pipeline/warp_timeline.h"
#include "core/issue/poll_loops.h"
#include "core/kernel/kernel_run.h"
#include "sim/base/xalloc.h"

/* What the warp in a slot has been in since `from`; a range that ends before it began has no record. */
struct slot_now {
	cycles from, issued; /* issued: when it last did */
	uint8_t cause;       /* enum slot_cause */
	bool is_new;         /* since it started or issued: no cause is known yet */
};

struct warp_timeline {
	cycles first, last, until; /* until: looked at up to here */
	uint64_t most;
	struct warp_record *records;
	struct request_record *requests;
	uint64_t record_count, record_capacity, records_lost;
	uint64_t request_count, request_capacity, requests_lost;
	cycles complete; /* instructions that issued before it have records */
	struct slot_now slots[MAX_WARPS];
	cycles started[MAX_WARPS];
};

/* ---- records ---- */

/* NULL: there is no room, or none of it is among the cycles that are wanted. */
static struct warp_record *add_record(
	struct sm *sm, uint32_t slot, enum warp_record_kind kind, cycles begin, cycles end)
{
	struct warp_timeline *t = sm->spec.warp_timeline;
	const struct warp *w = &sm->state.warps[slot];
	struct warp_record *r;

	begin = begin < t->first ? t->first : begin;
	end = end > t->last ? t->last : end;
	if (begin >= end)
		return NULL;
	if (t->record_count == t->most) {
		if (kind == WARP_ISSUED && begin < t->complete)
			t->complete = begin;
		t->records_lost++;
		return NULL;
	}
	if (t->record_count == t->record_capacity) {
		t->record_capacity = t->record_capacity ? 2 * t->record_capacity : 1024;
		t->records = xrealloc(t->records, t->record_capacity * sizeof(*t->records));
	}
	r = &t->records[t->record_count++];
	*r = (struct warp_record){ .begin = begin,
		.end = end,
		.launch = (uint32_t)sm->state.timing[slot].run->id,
		.uop = w->pc,
		.cta = (uint32_t)w->cta->linear,
		.slot = (uint16_t)slot,
		.kind = (uint8_t)kind,
		.cause = t->slots[slot].cause };
	warp_place(w, &r->warp, &(uint32_t){ 0 });
	return r;
}

static void end_wait(struct sm *sm, uint32_t slot, cycles until)
{
	struct slot_now *s = &sm->spec.warp_timeline->slots[slot];

	if (!s->is_new && s->from < until)
		add_record(sm, slot, WARP_WAITED, s->from, until);
	s->from = until;
}

/* ---- time ---- */

void warp_timeline_pass(struct sm *sm, cycles until)
{
	struct warp_timeline *t = sm->spec.warp_timeline;
	warp_mask polling;
	cycles from;

	if (!t || until <= t->until)
		return;
	from = t->until;
	t->until = until;
	if (until <= t->first || from >= t->last)
		return;
	polling = sm->state.polls & sm->state.present
		? poll_loops_waiting(sm, sm->state.polls & sm->state.present)
		: 0;
	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		struct slot_now *s = &t->slots[slot];
		uint8_t cause = polling >> slot & 1 ? SLOT_phase : sm->state.timing[slot].cause;

		cause = cause == SLOT_issued ? SLOT_not_selected : cause;
		if (!s->is_new && s->cause == cause)
			continue;
		if (!s->is_new)
			end_wait(sm, slot, from);
		s->from = s->from > from ? s->from : from;
		s->cause = cause;
		s->is_new = false;
	}
}

void warp_timeline_issued(struct sm *sm, uint32_t slot, lane_mask mask, cycles now)
{
	struct warp_timeline *t = sm->spec.warp_timeline;
	struct warp_record *r;
	struct slot_now *s;

	if (!t || now < t->first || now >= t->last)
		return;
	s = &t->slots[slot];
	if (s->issued != now)
		end_wait(sm, slot, now);
	s->issued = now;
	r = add_record(sm, slot, WARP_ISSUED, now, now + 1);
	if (r)
		r->lanes = mask;
	s->from = now + 1;
	s->is_new = true;
}

void warp_timeline_started(struct sm *sm, uint32_t slot)
{
	struct warp_timeline *t = sm->spec.warp_timeline;

	if (!t)
		return;
	t->started[slot] = sm->state.local.cycle;
	t->slots[slot] =
		(struct slot_now){ .from = sm->state.local.cycle, .issued = SIM_NEVER, .is_new = true };
}

void warp_timeline_ended(struct sm *sm, uint32_t slot)
{
	cycles now = sm->state.local.cycle;

	if (!sm->spec.warp_timeline)
		return;
	end_wait(sm, slot, now);
	add_record(sm, slot, WARP_CTA_WAS, sm->spec.warp_timeline->started[slot], now);
}

/* ---- requests ---- */

static picoseconds time_of(timestamp then, picoseconds now)
{
	return then ? now - timestamp_age(then, now) : 0;
}

void warp_timeline_reply(struct sm *sm, const struct packet *p)
{
	struct warp_timeline *t = sm->spec.warp_timeline;
	picoseconds now = sm->state.local.now;
	struct request_record *r;

	if (!t || sm->state.local.cycle < t->first || sm->state.local.cycle >= t->last)
		return;
	if (t->request_count == t->most) {
		t->requests_lost++;
		return;
	}
	if (t->request_count == t->request_capacity) {
		t->request_capacity = t->request_capacity ? 2 * t->request_capacity : 1024;
		t->requests = xrealloc(t->requests, t->request_capacity * sizeof(*t->requests));
	}
	r = &t->requests[t->request_count++];
	*r = (struct request_record){ .issued = time_of(p->by.issued, now),
		.replied = now,
		.address = p->address,
		.launch = p->by.launch,
		.uop = p->by.uop_index,
		.slot = p->by.warp,
		.bytes = p->bytes,
		.kind = p->kind,
		.unit = p->unit };
	for (uint32_t i = 0; i < AT_COUNT; i++)
		r->at[i] = time_of(p->at[i], now);
}

/* ---- the timeline ---- */

void warp_timeline_new(struct sm *sm, cycles first, cycles last, uint64_t most)
{
	struct warp_timeline *t = xcalloc(1, sizeof(*t));

	t->first = first;
	t->last = last;
	t->most = most;
	t->complete = SIM_NEVER;
	sm->spec.warp_timeline = t;
	sm->spec.watches_warps = true;
}

void warp_timeline_end(struct sm *sm, cycles now)
{
	struct warp_timeline *t = sm->spec.warp_timeline;

	warp_timeline_pass(sm, now);
	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);

		end_wait(sm, slot, now);
		add_record(sm, slot, WARP_CTA_WAS, t->started[slot], now);
	}
	t->last = 0;
}

void warp_timeline_free(struct warp_timeline *t)
{
	if (!t)
		return;
	free(t->records);
	free(t->requests);
	free(t);
}

cycles warp_timeline_complete(const struct warp_timeline *t)
{
	return t->complete;
}

const struct warp_record *warp_timeline_records(
	const struct warp_timeline *t, uint64_t *count, uint64_t *lost)
{
	*count = t->record_count;
	*lost = t->records_lost;
	return t->records;
}

const struct request_record *warp_timeline_requests(
	const struct warp_timeline *t, uint64_t *count, uint64_t *lost)
{
	*count = t->request_count;
	*lost = t->requests_lost;
	return t->requests;
}
