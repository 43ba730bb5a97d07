/* core/lookahead/window.c -- an SM's window: see window.h. */
#include "core/lookahead/window.h"
#include "core/lsu/lsu_serve.h"
#include "core/pipeline/l15.h"
#include "core/sm/gpu_for_sm.h"
#include "core/sm/sm.h"
#include "interconnect/network.h"
#include "sim/base/xalloc.h"

static void tell_machine(struct sm *sm)
{
	*sm->host.needs_commit = 1;
	component_wake(gpu_commit_component(sm->spec.gpu));
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
	struct sm_window *w = (struct sm_window *)(void *)((char *)c - offsetof(struct sm_window, gate));
	struct sm *sm = w->sm;

	while (w->out_count && w->out_at[w->out_first] <= now) {
		bug_if(w->out_at[w->out_first] != now,
			"SM %u: a request leaves in cycle %llu instead of %llu", sm->spec.number,
			(unsigned long long)now, (unsigned long long)w->out_at[w->out_first]);
		port_push(&w->request_port,
			port_at(&sm->state.request, sm->state.request.count - w->out_count));
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
	struct sm_window *w = sm->host.window;

	for (; made; made--) {
		uint32_t at;

		if (t == now) {
			port_push(&w->request_port,
				port_at(&sm->state.request, sm->state.request.count - made));
			continue;
		}
		at = w->out_first + w->out_count++;
		w->out_at[at >= sm->state.request.capacity ? at - sm->state.request.capacity : at] = t;
	}
}

/* Packets that the network has taken leave the SM's port, too. */
static void give_up_sent(struct sm *sm)
{
	while (sm->state.request.count > sm->host.window->request_port.count + sm->host.window->out_count)
		port_pop(&sm->state.request);
}

/* ---- replies ---- */

picoseconds window_take_reply(struct port *reply_port, struct packet *p, picoseconds arrival)
{
	struct sm_window *w =
		(struct sm_window *)(void *)((char *)reply_port - offsetof(struct sm_window, reply_port));
	struct sm *sm = w->sm;
	struct local_time taken = component_edge_from(&sm->component, arrival + 1); /* without a lookahead */
	cycles free = w->replies.count ? port_last(&w->replies)->due + 1 - w->lookahead : 0;

	if (taken.cycle < free)
		taken = (struct local_time){ sim_edge(sm->component.sim, CLOCK_CORE, free), free };
	p->due = taken.cycle + w->lookahead;
	bug_if(p->due < w->done, "SM %u: a reply is due in cycle %llu, and it has run to cycle %llu",
		sm->spec.number, (unsigned long long)p->due, (unsigned long long)w->done);
	port_push(&w->replies, p);
	if (w->replies.count == 1) { /* else the SM knows of an earlier one */
		w->reply_due = p->due;
		component_wake_at(&sm->component, w->length > 1 ? p->due - p->due % w->epoch : p->due);
	}
	return taken.now - 1;
}

/* A reply that is due comes to the SM, which takes one at a time, and says when it was where as if the memory
 * side had not worked ahead.
 */
static void hand_over_reply(struct sm *sm, cycles t)
{
	struct sm_window *w = sm->host.window;
	struct packet *p;

	if (!port_is_empty(&sm->state.response))
		return;
	p = port_pop(&w->replies);
	w->reply_due = port_is_empty(&w->replies) ? SIM_NEVER : port_peek(&w->replies)->due;
	for (int i = AT_ROP_LEFT; i <= AT_L2_REPLIED; i++)
		p->at[i] += p->at[i] ? w->replies_lead : 0;
	port_push(&sm->state.response, p);
}

/* ---- the window ---- */

static cycles epoch_end(const struct sm *sm, cycles now)
{
	return now - now % sm->host.window->epoch + sm->host.window->epoch;
}

/* At most so many requests are made in the SM's cycle t, which is the next in which it works. A line that a
 * reply fills, or one whose address has been translated, may replace a dirty one. */
static uint32_t most_requests(const struct sm *sm, cycles t)
{
	bool has_reply = sm->host.window->reply_due <= t || sm->state.response.count;

	return lsu_most_requests(sm, t) + has_reply + (sm_tlb(sm) != NULL) +
		(sm->spec.l15 ? l15_most_requests(sm->spec.l15, t) : 1 + sm->spec.config->fetch_prefetch);
}

/* Whether the port for its requests is certain to have room for so many more. */
static inline bool has_room(const struct sm *sm, uint32_t more)
{
	const struct port *p = &sm->state.request;

	return !p->was_full && p->count + more <= p->limit;
}

/* The same as is_alone where there may not be room for the most that any cycle makes. */
static __attribute__((noinline)) bool is_alone_in(
	const struct sm *sm, cycles t, picoseconds edge, picoseconds *departure)
{
	const struct sm_window *w = sm->host.window;

	if (has_room(sm, most_requests(sm, t)))
		return true;
	if (*departure == SIM_NEVER)
		*departure = w->request_port.count ? network_first_departure(w->network, sm->spec.number) : 0;
	return edge <= *departure;
}

/* Whether nobody else can matter to the SM in its cycle t, with that edge: its requests have room, or none of
 * them can leave before. *departure: when the first can; SIM_NEVER: that has not been asked. */
static inline bool is_alone(const struct sm *sm, cycles t, picoseconds edge, picoseconds *departure)
{
	return has_room(sm, sm->host.window->pushes) || is_alone_in(sm, t, edge, departure);
}

/* Takes the stores of the SM's cycle t, which wait for the end of their epoch. */
static void keep_stores(struct sm *sm, cycles t, cycles now)
{
	struct sm_window *w = sm->host.window;

	if (!w->pending.count)
		component_wake_at(gpu_commit_component(sm->spec.gpu), epoch_end(sm, now) - 1);
	pending_take(&w->pending, sm->spec.exec, t);
	sm->spec.exec->pending = &w->pending;
}

/* Takes what the SM's cycle t has left for the commit phase; now: the machine's cycle. Whether the window
 * must end. */
static bool end_cycle(struct sm *sm, cycles t, cycles now)
{
	struct sm_window *w = sm->host.window;

	sm->host.asks = false;
	if (w->epoch < 2) {
		tell_machine(sm);
		return true;
	}
	if (sm->spec.exec->write_count)
		keep_stores(sm, t, now);
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
	const struct sm_window *w = sm->host.window;

	return w->reply_due < w->next ? w->reply_due : w->next;
}

/* The first cycle, from the given one on, in which something can happen. (Behind a fault replies may be
 * overdue.) */
static cycles first_cycle(const struct sm *sm, cycles from)
{
	const struct sm_window *w = sm->host.window;
	cycles next = next_cycle(sm);

	return next < from || sm->host.called || (w->lacks_room && !w->request_port.was_full) ? from : next;
}

/* Whether the SM, which has run ahead until its port could be full, can go on from there, as enough of its
 * requests have left the port. */
static bool can_go_on(const struct sm *sm)
{
	const struct sm_window *w = sm->host.window;

	return w->is_held && !sm->host.called;
}

/* The first cycle whose edge is at `limit` or later, or `end` if that is earlier; clock: at the present
 * cycle.
 */
static cycles first_beyond(struct clock clock, cycles end, picoseconds limit)
{
	if (limit - clock.edge > (end - clock.cycle) * (clock.period + 1))
		return end;
	while (clock.cycle < end && clock.edge < limit)
		clock_step(&clock);
	return clock.cycle;
}

/* Runs cycles of the SM one after the other, from the clock's cycle to before `end`; now: the machine's
 * cycle. departure: when the first of its requests can leave (is_alone). Returns why the window ends; *last
 * is the last cycle that has run, and *next the first after it in which something can happen. */
static enum window_end run_cycles(struct sm *sm, struct clock clock, cycles now, cycles end,
	picoseconds departure, cycles *last, cycles *next)
{
	struct sm_window *w = sm->host.window;
	const struct port *requests = &sm->state.request;
	cycles t, due;

	for (;;) {
		uint32_t before = requests->count;

		t = clock.cycle;
		sm->state.local = (struct local_time){ clock.edge, t };
		if (w->reply_due <= t)
			hand_over_reply(sm, t);
		due = sm->spec.cycle(sm, t, w->reply_due);
		w->cycles++;
		if (requests->count != before)
			send(sm, requests->count - before, t, now);
		*last = t;
		*next = due;
		if (sm->host.asks && end_cycle(sm, t, now))
			return WINDOW_CTA;
		bug_if(requests->was_full && t != now && (departure == SIM_NEVER || clock.edge > departure),
			"SM %u: its requests filled their port while it ran alone", sm->spec.number);
		if (due >= end)
			return WINDOW_EPOCH;
		if (due == t + 1)
			clock_step(&clock);
		else
			clock_jump(&clock, due);
		if (!is_alone(sm, due, clock.edge, &departure))
			return WINDOW_PORT;
	}
}

static void run_window(struct sm *sm, cycles now)
{
	struct sm_window *w = sm->host.window;
	cycles t, next, end = now + w->length, stop;
	picoseconds departure = SIM_NEVER;
	struct clock clock = *sim_clock(sm->component.sim, CLOCK_CORE);
	enum window_end why, why_at_end = WINDOW_EPOCH;

	give_up_sent(sm);
	if (now < w->done && !can_go_on(sm)) {
		component_sleep_until(&sm->component, tick_for(w, next_cycle(sm), w->done));
		return;
	}
	end = end < epoch_end(sm, now) ? end : epoch_end(sm, now);
	if (sm->state.room_due < end) { /* in that cycle's commit phase a CTA may start */
		end = sm->state.room_due + 1;
		why_at_end = WINDOW_CTA;
	}
	stop = first_beyond(clock, end, sim_limit(sm->component.sim));
	if (stop < end)
		why_at_end = WINDOW_LIMIT;
	if (!sm->state.present || end <= now + 1 || gpu_may_place(sm->spec.gpu, sm)) {
		why_at_end = end > now + 1 ? WINDOW_CTA : WINDOW_LIMIT;
		stop = now + 1;
	}
	t = first_cycle(sm, now < w->done ? w->done : now);
	clock_jump(&clock, t < end ? t : now);
	if (t > now && (t >= stop || !is_alone(sm, t, clock.edge, &departure))) {
		component_sleep_until(&sm->component, tick_for(w, t, now + 1));
		return;
	}
	sm->host.called = false;
	w->windows++;
	why = run_cycles(sm, clock, now, stop, departure, &t, &next);
	w->ends[why == WINDOW_EPOCH ? why_at_end : why]++;
	w->done = t + 1;
	w->next = next;
	w->request_port.was_full |= sm->state.request.was_full;
	w->lacks_room = w->request_port.was_full;
	component_wake_at(&w->gate, next_due(w, now));
	next = tick_for(w, next, w->done);
	w->is_held = why == WINDOW_PORT && !w->lacks_room;
	component_may_join(&sm->component, w->is_held);
	if (next != now + 1)
		component_sleep_until(&sm->component, next);
}

/* Without a lookahead. */
static void run_cycle(struct sm *sm, cycles now)
{
	cycles next;

	sm->state.local = (struct local_time){ sim_now(sm->component.sim), now };
	next = sm->spec.cycle(sm, now, SIM_NEVER);
	if (sm->host.asks)
		end_cycle(sm, now, now);
	if (next != now + 1)
		component_sleep_until(&sm->component, next);
}

void window_tick(struct component *c, cycles now)
{
	struct sm *sm = (struct sm *)c;

	if (sm->state.fault.kind != FAULT_NONE)
		component_sleep(c);
	else if (sm->host.window->lookahead)
		run_window(sm, now);
	else
		run_cycle(sm, now);
}

/* ---- building ---- */

/* In any cycle: requests of the load/store unit, which may make up for look-ups of the cycle before (a dirty
 * victim is written back in a cycle before it); dirty lines that fills replace, two with a TLB; and a line of
 * instructions with those that are fetched ahead, or two of the second level. Kernels with textures do not
 * run alone. */
static uint32_t most_pushes(const struct sm *sm)
{
	return 2 * sm->spec.l1d_lookups + (sm_tlb(sm) != NULL) +
		(sm->spec.l15 ? 2 : 1 + sm->spec.config->fetch_prefetch);
}

/* One reply a cycle is taken, so that as many can wait until they are due, behind those in the places that
 * the SM has. An SM that a fault has stopped takes none until its epoch, which is no longer than the
 * lookahead, has ended: as many again come meanwhile, and keep their distance behind those that come when it
 * works again. */
static void init_replies(struct sm *sm)
{
	struct sm_window *w = sm->host.window;
	uint32_t places = sm->spec.config->response_queue;
	double lead = w->lookahead / sim_mhz(sm->component.sim, CLOCK_CORE) * 1e6;

	port_init(&w->reply_port, places, NULL, NULL);
	port_init(&w->replies, places + 2 * w->lookahead, NULL, NULL);
	w->replies_lead = (timestamp)lead & ~UINT32_C(1);
	sm->state.response.consumer = NULL; /* it gets them while it ticks */
}

static void init_requests(struct sm *sm)
{
	struct sm_window *w = sm->host.window;

	w->pushes = most_pushes(sm);
	component_init(&w->gate, sm->component.sim, PHASE_COMMIT, gate_tick);
	port_init(&w->request_port, sm->state.request.capacity, &sm->component, NULL);
	sm->state.request.producer = NULL;
	w->out_at = xcalloc(sm->state.request.capacity, sizeof(*w->out_at));
}

void window_init(struct sm *sm, uint32_t lookahead)
{
	sm->host.window = xmalloc(sizeof(*sm->host.window));
	*sm->host.window = (struct sm_window){ .sm = sm,
		.lookahead = lookahead,
		.epoch = 1,
		.length = 1,
		.stop = SIM_NEVER,
		.reply_due = SIM_NEVER };
	sm->spec.exec->forward = pending_forward;
	if (!lookahead)
		return;
	init_requests(sm);
	init_replies(sm);
}

void window_fini(struct sm *sm)
{
	struct sm_window *w = sm->host.window;

	w->request_port.count = 0; /* its packets are in sm->state.request */
	if (w->lookahead) {
		port_fini(&w->request_port);
		port_fini(&w->reply_port);
		port_fini(&w->replies);
	}
	free(w->out_at);
	pending_fini(&w->pending);
	free(w);
}

struct port *window_requests(struct sm *sm)
{
	return sm->host.window->lookahead ? &sm->host.window->request_port : &sm->state.request;
}

struct port *window_replies(struct sm *sm)
{
	return sm->host.window->lookahead ? &sm->host.window->reply_port : &sm->state.response;
}

/* ---- for --host-profile ---- */

void window_print(struct sm *const *sms, uint32_t count, FILE *stream)
{
	static const char *const why[WINDOW_ENDS][2] = { [WINDOW_EPOCH] = { "epoch", "the epoch did" },
		[WINDOW_CTA] = { "cta", "a CTA ended or could start" },
		[WINDOW_PORT] = { "port", "its requests could have filled the port" },
		[WINDOW_LIMIT] = { "limit", "the machine was to stop, or did not work ahead" } };
	uint64_t windows = 0, ran = 0, ends[WINDOW_ENDS] = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		windows += sms[i]->host.window->windows;
		ran += sms[i]->host.window->cycles;
		for (int e = 0; e < WINDOW_ENDS; e++)
			ends[e] += sms[i]->host.window->ends[e];
	}
	fprintf(stream, "host.windows           %llu # times that an SM did cycles ahead of the machine\n",
		(unsigned long long)windows);
	fprintf(stream, "host.window_cycles     %.2f # cycles that it did in one, on average\n",
		windows ? (double)ran / (double)windows : 0);
	for (int e = 0; e < WINDOW_ENDS; e++)
		fprintf(stream, "host.window_ends::%-5s %.4f # share of windows that ended since %s\n",
			why[e][0], windows ? (double)ends[e] / (double)windows : 0, why[e][1]);
}
