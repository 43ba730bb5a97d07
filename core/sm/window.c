/* core/sm/window.c -- an SM's window: see window.h. */
#include "core/sm/window.h"
#include "core/sm/gpu_for_sm.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

static struct sm *sm_of_gate(struct component *gate)
{
	return (struct sm *)(void *)((char *)gate - offsetof(struct sm, host.window.gate));
}

static void tell_machine(struct sm *sm)
{
	*sm->host.needs_commit = 1;
	component_wake(gpu_commit_component(sm->spec.gpu));
}

void sm_ask_commit(struct sm *sm)
{
	if (sm->host.window.epoch > 1)
		sm->host.window.asks = true;
	else
		tell_machine(sm);
}

/* ---- what waits for its cycle ---- */

/* When, after now, the gate must open next. Also in the last cycle that has run, so that the machine's time
 * gets there, whatever stops it then. */
static cycles next_due(const struct sm_window *w, cycles now)
{
	cycles next = w->done > now + 1 ? w->done - 1 : SIM_NEVER;

	if (w->out_count && w->out_at[w->out_first] < next)
		next = w->out_at[w->out_first];
	return w->stop < next ? w->stop : next;
}

static void gate_tick(struct component *c, cycles now)
{
	struct sm *sm = sm_of_gate(c);
	struct sm_window *w = &sm->host.window;

	while (w->out_count && w->out_at[w->out_first] <= now) {
		bug_if(w->out_at[w->out_first] != now,
			"SM %u: a request leaves in cycle %llu instead of %llu", sm->spec.number,
			(unsigned long long)now, (unsigned long long)w->out_at[w->out_first]);
		port_push(&w->wire, port_at(&sm->state.request, sm->state.request.count - w->out_count));
		w->out_count--;
		if (++w->out_first == sm->state.request.capacity)
			w->out_first = 0;
	}
	if (w->stop <= now) {
		bug_if(w->stop != now, "SM %u: the end of a CTA is counted late", sm->spec.number);
		w->stop = SIM_NEVER;
		tell_machine(sm);
	}
	component_sleep_until(c, next_due(w, now));
}

/* The last `made` packets of the port have been made in cycle t; now: the machine's. */
static void send(struct sm *sm, uint32_t made, cycles t, cycles now)
{
	struct sm_window *w = &sm->host.window;

	for (; made; made--) {
		uint32_t at;

		if (t == now) {
			port_push(&w->wire, port_at(&sm->state.request, sm->state.request.count - made));
			continue;
		}
		at = w->out_first + w->out_count++;
		w->out_at[at >= sm->state.request.capacity ? at - sm->state.request.capacity : at] = t;
	}
}

/* Packets that the network has taken leave the SM's port, too. */
static void give_up_sent(struct sm *sm)
{
	while (sm->state.request.count > sm->host.window.wire.count + sm->host.window.out_count)
		port_pop(&sm->state.request);
}

/* ---- the window ---- */

static cycles epoch_end(const struct sm *sm, cycles now)
{
	return now - now % sm->host.window.epoch + sm->host.window.epoch;
}

/* Whether nobody else can matter to the SM before its next cycle. */
static bool is_alone(const struct sm *sm)
{
	return sm->state.request.count + sm->host.window.pushes <= sm->state.request.limit &&
		!sm->state.request.was_full;
}

bool window_end_cycle(struct sm *sm, cycles t, cycles now)
{
	struct sm_window *w = &sm->host.window;

	w->asks = false;
	if (sm->spec.exec->write_count) {
		if (!w->pending.count)
			component_wake_at(gpu_commit_component(sm->spec.gpu), epoch_end(sm, now) - 1);
		pending_take(&w->pending, sm->spec.exec, t);
		sm->spec.exec->pending = &w->pending;
	}
	if (sm->state.fault.kind != FAULT_NONE) {
		w->fault_cycle = t;
		component_wake_at(gpu_commit_component(sm->spec.gpu), epoch_end(sm, now) - 1);
	}
	if (!sm->state.ctas_ended && !sm->state.stores_drained && !sm->state.has_warnings)
		return sm->state.fault.kind != FAULT_NONE;
	if (t == now)
		tell_machine(sm);
	else
		w->stop = t;
	return true;
}

/* When the SM, which does not tick before `from`, must do so for what happens in the cycle `next`: at the
 * beginning of that epoch, so that all SMs do together, on as many host threads as there are; or in that
 * cycle, if the epoch has begun by then. */
static cycles tick_for(const struct sm_window *w, cycles next, cycles from)
{
	cycles first = next == SIM_NEVER || w->length < 2 ? next : next - next % w->epoch;

	return first < from ? next : first;
}

/* The first cycle after those that have run in which something can happen by itself, or a reply is due. */
static cycles next_cycle(const struct sm *sm)
{
	const struct packet *reply = port_peek(&sm->state.response);

	return reply && reply->due < sm->host.window.next ? reply->due : sm->host.window.next;
}

/* The first cycle, from now on, in which something can happen. */
static cycles first_cycle(const struct sm *sm, cycles now)
{
	const struct sm_window *w = &sm->host.window;
	cycles next = next_cycle(sm);

	return next < now || w->called || (w->lacks_room && !w->wire.was_full) ? now : next;
}

void window_run(struct sm *sm, cycles now)
{
	struct sm_window *w = &sm->host.window;
	cycles t, next, end = now + w->length;
	picoseconds limit = sim_limit(sm->component.sim);
	struct clock clock = *sim_clock(sm->component.sim, CLOCK_CORE);
	bool may_run_on;

	if (sm->state.fault.kind != FAULT_NONE) {
		component_sleep(&sm->component);
		return;
	}
	if (now < w->done) {
		component_sleep_until(&sm->component, tick_for(w, next_cycle(sm), w->done));
		return;
	}
	give_up_sent(sm);
	end = end < epoch_end(sm, now) ? end : epoch_end(sm, now);
	if (sm->state.room_due < end) /* in that cycle's commit phase a CTA may start */
		end = sm->state.room_due + 1;
	may_run_on = sm->state.present && end > now + 1 && !gpu_may_place(sm->spec.gpu, sm);
	t = first_cycle(sm, now);
	clock_jump(&clock, t < end ? t : now);
	if (t > now && (t >= end || clock.edge >= limit || !may_run_on || !is_alone(sm))) {
		component_sleep_until(&sm->component, tick_for(w, t, now + 1));
		return;
	}
	w->called = false;
	w->windows++;
	for (;;) {
		uint32_t before = sm->state.request.count;
		bool stops = false;

		sm->state.local = (struct local_time){ clock.edge, t };
		next = sm_cycle(sm, t);
		w->cycles++;
		if (sm->state.request.count != before)
			send(sm, sm->state.request.count - before, t, now);
		if (w->asks)
			stops = window_end_cycle(sm, t, now);
		if (t != now)
			bug_if(sm->state.request.was_full,
				"SM %u: its requests filled their port while it ran alone", sm->spec.number);
		if (stops || next >= end || !may_run_on || !is_alone(sm))
			break;
		clock_jump(&clock, next);
		if (clock.edge >= limit)
			break;
		t = next;
	}
	w->done = t + 1;
	w->next = next;
	sm->state.response.closed = w->done;
	w->wire.was_full |= sm->state.request.was_full;
	w->lacks_room = w->wire.was_full;
	component_wake_at(&w->gate, next_due(w, now));
	next = tick_for(w, next, w->done);
	if (next != now + 1)
		component_sleep_until(&sm->component, next);
}

/* ---- building ---- */

/* In a cycle: a request of the load/store unit (a dirty victim is written back in a cycle before it), a dirty
 * line that a fill replaces, and a line of instructions with those that are fetched ahead, or two of the
 * second level. Kernels with textures do not run alone. */
static uint32_t most_pushes(const struct sm *sm)
{
	return 1 + 1 + (sm->spec.l15 ? 2 : 1 + sm->spec.config->fetch_prefetch);
}

void window_init(struct sm *sm, uint32_t lookahead)
{
	struct sm_window *w = &sm->host.window;

	*w = (struct sm_window){ .lookahead = lookahead, .epoch = 1, .length = 1, .stop = SIM_NEVER };
	if (!lookahead)
		return;
	w->pushes = most_pushes(sm);
	component_init(&w->gate, sm->component.sim, PHASE_COMMIT, gate_tick);
	port_init(&w->wire, sm->state.request.capacity, &sm->component, NULL);
	sm->state.request.producer = NULL;
	w->out_at = xcalloc(sm->state.request.capacity, sizeof(*w->out_at));
}

void window_fini(struct sm *sm)
{
	struct sm_window *w = &sm->host.window;

	w->wire.count = 0; /* its packets are in sm->state.request */
	if (w->lookahead)
		port_fini(&w->wire);
	free(w->out_at);
	pending_fini(&w->pending);
}

struct port *window_wire(struct sm *sm)
{
	return sm->host.window.lookahead ? &sm->host.window.wire : &sm->state.request;
}
