/* core/pipeline/tick.c -- one cycle of a streaming multiprocessor: the stages from the last to the first. */
#include "core/sm/sm.h"
#include "core/issue/issue_slots.h"
#include "core/issue/phase_waits.h"
#include "core/issue/readiness.h"
#include "core/limiter/limiter.h"
#include "core/lsu/lsu.h"
#include "core/lsu/lsu_serve.h"
#include "core/lsu/tlb.h"
#include "core/pipeline/due.h"
#include "core/pipeline/fetch.h"
#include "core/pipeline/issue.h"
#include "core/pipeline/l15.h"
#include "core/pipeline/replies.h"
#include "core/pipeline/watched_warps.h"
#include "core/pipeline/throttle.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/observe/requests.h"
#include "sim/event/host_time.h"

/* The next cycle in which something can happen by itself; `due` if that is earlier. */
static cycles next_cycle(struct sm *sm, cycles now, cycles due)
{
	cycles next, at;

	if (sm->host.more_ready || fetch_is_pending(sm) || due <= now + 1 ||
		!port_is_empty(&sm->state.response))
		return now + 1;
	if (__builtin_expect(sm->host.never_sleeps && sm->state.present, 0))
		return now + 1;
	if (!sm_issue_pending(sm, now, &next))
		next = SIM_NEVER;
	if (next == now + 1)
		return next;
	if (sm_is_limited(sm)) {
		at = throttle_next(sm, now);
		next = at < next ? at : next;
		if (next == now + 1)
			return next;
	}
	at = lsu_next(sm, now);
	next = at < next ? at : next;
	if (next == now + 1)
		return next;
	at = timing_wheel_next(&sm->state.wheel, now);
	next = at < next ? at : next;
	if (__builtin_expect(sm->state.at_phase != 0, 0)) {
		at = phase_waits_next(sm);
		next = at < next ? at : next;
	}
	if (sm_has_l15(sm)) {
		at = l15_next(sm->spec.l15, now);
		next = at < next ? at : next;
	}
	if (__builtin_expect(sm_tlb(sm) != NULL, 0)) {
		at = tlb_due(sm_tlb(sm), now);
		next = at < next ? at : next;
	}
	next = due < next ? due : next;
	if (next == now + 1)
		return next;
	if (sm_counts_slots(sm, now))
		slots_sleep(sm, now);
	return next;
}

/* Memory instructions that are ready to issue or in the load/store unit, until the next tick. */
static void note_waiting(struct sm *sm, cycles now)
{
	uint32_t ready = (uint32_t)__builtin_popcountll(sm_ready_for(sm, UNIT_LDST));

	uint32_t inside = sm->state.lsu.memory.count + (sm_coalescer(sm) ? sm_coalescer(sm)->waiting : 0);

	request_observer_waiting(sm_requests(sm), ready + inside, sm->state.present, now);
}

cycles sm_cycle(struct sm *sm, cycles now, cycles due)
{
	if (__builtin_expect(sm_watches_warps(sm), 0))
		watched_warps_pass(sm, now);
	if (sm_counts_slots(sm, now)) {
		if (sm->state.slots_next != now)
			slots_wake(sm, now);
		sm->state.slots_next = now + 1;
	}
	if (sm_is_limited(sm))
		sm->spec.limiter->now = now;
	due_run(sm, &sm->state.wheel, now);
	host_time_enter(HOST_L1);
	replies_take(sm, now);
	if (sm_has_l15(sm))
		l15_answer(sm->spec.l15, now);
	if (__builtin_expect(sm_tlb(sm) != NULL, 0))
		replies_take_translated(sm, now);
	lsu_tick(sm, now);
	host_time_enter(HOST_CORE);
	if (__builtin_expect(sm->state.at_phase != 0, 0))
		phase_waits_look(sm, now);
	if (sm_is_limited(sm) && now >= sm->spec.limiter->next)
		throttle_decide(sm, now);
	if (__builtin_expect(sm_watches_warps(sm), 0))
		watched_warps_pass(sm, now + 1);
	sm_issue(sm, now);
	if (sm->state.fault.kind) {
		slots_sleep(sm, now);
		return SIM_NEVER;
	}
	fetch_next(sm, now);
	if (sm_has_l15(sm))
		l15_work(sm->spec.l15, now);
	if (__builtin_expect(sm_requests(sm) != NULL, 0))
		note_waiting(sm, now);
	return next_cycle(sm, now, due);
}
