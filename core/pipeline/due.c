/* core/pipeline/due.c -- what is due at a known cycle happens. */
#include "core/pipeline/due.h"
#include "core/issue/products.h"
#include "core/issue/scoreboard.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/pipeline/fetch.h"
#include "core/sm/gpu_for_sm.h"

/* The wheel turns once in WHEEL_SIZE cycles; a longer sleep goes round several times. */
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now)
{
	double each = gpu_cycles_per_ns(sm->spec.gpu);

	sm->state.warps[slot].state = WARP_ASLEEP;
	timing_wheel_add(&sm->state.wheel, now + 1 + (cycles)(nanoseconds * each), WHEEL_AWAKE, slot, 0);
}

static void wake_up(struct sm *sm, uint32_t slot)
{
	sm->state.warps[slot].state = WARP_RUNNING;
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
	case WHEEL_FENCE:
		lsu_end_fence(sm, e->slot);
		break;
	case WHEEL_PRODUCT:
		products_done(sm, e->slot);
		break;
	case WHEEL_GUARD:
		guards_due(sm, e->slot);
		break;
	case WHEEL_CLUSTER:
		sm->state.cluster_changed = true;
		sm_ask_commit(sm);
		break;
	case WHEEL_BULK:
		bulk_engine_run(sm, now);
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
	struct sm_warp *t = sm_timing(sm, e->slot);

	if (e->kind == WHEEL_FETCHED)
		fetch_arrived(sm, e->slot, t, e->value);
	else if (e->kind == WHEEL_WRITTEN ||
		(e->kind == WHEEL_RESULT && scoreboard_write(sm, t, e->slot, e->value, now)))
		scoreboard_release(sm, t, e->slot, e->value);
	else
		other_happens(sm, e, now);
}

/* What the line of the cycle does not hold. */
static __attribute__((noinline)) void happen_more(struct sm *sm, uint32_t at, cycles now)
{
	struct timing_wheel *w = &sm->state.wheel;
	struct timing_wheel_event e;

	w->overflows &= ~(UINT32_C(1) << at);
	while (timing_wheel_take_more(w, at, &e))
		happen(sm, &e, now);
}

void due_happen(struct sm *sm, cycles before, cycles now)
{
	struct timing_wheel *w = &sm->state.wheel;
	uint32_t at = now % WHEEL_NEAR, bit = UINT32_C(1) << at;

	if (__builtin_expect(w->far_count != 0, 0))
		timing_wheel_advance(w, before, now);
	if (!(w->busy & bit))
		return;
	w->busy &= ~bit;
	w->bus_taken[now & WHEEL_MASK] = 0;
	if (__builtin_expect(w->overflows & bit, 0))
		happen_more(sm, at, now);
	for (uint32_t i = w->count[at]; i--;)
		happen(sm, &w->line[at].event[i], now);
	w->count[at] = 0;
}
