/* interconnect/crossbar.c -- a crossbar, in packets and the cycles that their flits take.
 *
 * An input's head packet asks for its output. A free output whose buffer has room, counting what is still on
 * its way there, grants one asker: the packet leaves the input buffer for the input's sending register, input
 * and output are busy for as many cycles as it has flits, and it arrives whole `latency` cycles after its
 * last flit left:
 *
 *   cycle     t        t+1 ...  t+flits-1            t+flits-1+latency   t+flits
 *             granted, flit 0   last flit sent       in out[]            input and output grant again
 *
 * Only the head of an input asks: it blocks those behind it. With virtual output queues the first packet for
 * each output asks; they share the input's buffer, whose size is the port's, and the input sends one packet
 * at a time. Then free outputs choose one after the other among free inputs, the first to choose another in
 * each cycle; or iSLIP matches them (islip.c).
 *
 * Work is done for inputs with packets and for outputs that are asked or have packets on the way, never for
 * idle ones; waiting is counted in differences of time, so that the crossbar can sleep through it.
 *
 * Departures from hardware: no virtual channels, one stage whatever the radix; the buffer place is given back
 * when the first flit leaves (the sending register holds the rest), not flit by flit; a packet is seen whole
 * by the receiver (a cut-through receiver would see the head of one of 5 flits 4 cycles earlier). */
#include "interconnect/crossbar.h"
#include "sim/base/xalloc.h"

/* The place of an input's queue for an output: all its packets are in one, unless queues are virtual. */
static size_t queue_index(const struct crossbar *x, uint32_t input, uint32_t output)
{
	return x->base.config.voq ? (size_t)output * x->base.inputs + input : input;
}

static uint64_t cycles_full(const struct crossbar_output *o, cycles now)
{
	return o->cycles_full + (o->full_since == SIM_NEVER ? 0 : now - o->full_since);
}

/* ---- asking ---- */

/* p is now the first of its queue. */
static void ask_for_output(struct crossbar *x, uint32_t i, const struct packet *p, cycles now)
{
	struct crossbar_output *o = &x->output[p->route];
	size_t q = queue_index(x, i, p->route);

	x->queue[q] = (struct crossbar_queue){ .since = now, .full_mark = cycles_full(o, now) };
	if (x->base.config.arbiter == NETWORK_AGE)
		x->issued[q] = p->sent;
	input_set_add(&o->wanting, i);
	input_set_add(&x->asked, p->route);
}

static void check_route(const struct crossbar *x, const struct packet *p)
{
	bug_if(p->route >= x->base.outputs, "packet for output %u of a network with %u", p->route,
		x->base.outputs);
}

/* The input's head, if any, begins to ask. */
static void ask_head(struct crossbar *x, uint32_t i, cycles now)
{
	const struct packet *p = port_peek(x->base.in[i]);

	if (!p)
		return;
	check_route(x, p);
	input_set_add(&x->asking, i);
	ask_for_output(x, i, p, now);
}

/* Sorts what is new in the input's buffer into its virtual queues. */
static void sort_arrivals(struct crossbar *x, uint32_t i, cycles now)
{
	struct crossbar_input *in = &x->input[i];

	for (; in->sorted < x->base.in[i]->count; in->sorted++) {
		const struct packet *p = port_at(x->base.in[i], in->sorted);

		check_route(x, p);
		if (!x->length[queue_index(x, i, p->route)]++)
			ask_for_output(x, i, p, now);
	}
}

/* The input is busy: when it has sent, it is to be looked at. */
static void await_input(struct crossbar *x, uint32_t i)
{
	input_set_add(&x->sending, i);
	if (x->next_sent > x->input[i].busy_until)
		x->next_sent = x->input[i].busy_until;
}

/* And it has packets that wait for that. */
static void hold_input(struct crossbar *x, uint32_t i)
{
	input_set_add(&x->held, i);
	await_input(x, i);
}

static void look_at_input(struct network *n, uint32_t i, cycles now)
{
	struct crossbar *x = (struct crossbar *)n;

	if (n->config.voq)
		sort_arrivals(x, i, now);
	else if (x->input[i].busy_until <= now && !input_set_has(&x->asking, i))
		ask_head(x, i, now);
	if (x->input[i].busy_until > now)
		hold_input(x, i);
}

/* Inputs that have sent their last flit are free, and look at their next head. */
static void finish_sending(struct crossbar *x, cycles now)
{
	cycles next = SIM_NEVER;

	if (x->next_sent > now)
		return;
	for_each_member(i, &x->sending)
	{
		cycles until = x->input[i].busy_until;

		if (until > now) {
			next = until < next ? until : next;
			continue;
		}
		input_set_remove(&x->sending, i);
		if (!input_set_has(&x->held, i))
			continue;
		input_set_remove(&x->held, i);
		if (!x->base.config.voq)
			ask_head(x, i, now);
	}
	x->next_sent = next;
}

/* ---- granting ---- */

/* Takes the first packet for the output out of the input's virtual queue; the one behind it asks. */
static struct packet *take_from_input(struct crossbar *x, uint32_t i, uint32_t output, cycles now)
{
	struct port *port = x->base.in[i];
	uint32_t at = 0, *length = &x->length[queue_index(x, i, output)];
	struct packet *p;

	while (port_at(port, at)->route != output)
		at++;
	p = port_remove(port, at);
	x->input[i].sorted--;
	input_set_remove(&x->output[output].wanting, i);
	if (!--*length)
		return p;
	while (port_at(port, at)->route != output)
		at++;
	ask_for_output(x, i, port_at(port, at), now);
	return p;
}

/* Those that ask have waited until now; additive, so that nothing changes when they are granted. */
static void account_waits(struct network *n, cycles until)
{
	struct crossbar *x = (struct crossbar *)n;

	for_each_member(o, &x->asked) for_each_member(i, &x->output[o].wanting)
	{
		struct crossbar_queue *q = &x->queue[queue_index(x, i, o)];
		uint64_t before = cycles_full(&x->output[o], until), full = before - q->full_mark;

		if (until <= q->since)
			continue;
		n->stats.wait_output_full += full;
		n->stats.wait_output_busy += until - q->since - full;
		q->full_mark = before;
		q->since = until;
	}
}

static struct packet *take_head(struct crossbar *x, uint32_t i, uint32_t output)
{
	input_set_remove(&x->output[output].wanting, i);
	input_set_remove(&x->asking, i);
	return port_pop(x->base.in[i]);
}

/* The packet, which has left the input's buffer, goes over the output's link. */
static void transfer(struct crossbar *x, uint32_t i, uint32_t output, struct packet *p, cycles now)
{
	struct network *n = &x->base;
	struct crossbar_output *o = &x->output[output];
	uint32_t flits = network_flits(n, p);

	o->busy_until = x->input[i].busy_until = now + flits;
	if (x->busy_until < o->busy_until)
		x->busy_until = o->busy_until;
	if (!port_is_empty(n->in[i]))
		hold_input(x, i);
	else if (n->config.voq)
		await_input(x, i);
	network_send(n, output, p, flits, now + flits - 1 + n->config.latency, now);
}

void crossbar_grant(struct crossbar *x, uint32_t output, uint32_t i, cycles now)
{
	struct network *n = &x->base;
	struct crossbar_output *o = &x->output[output];
	struct crossbar_queue queue = x->queue[queue_index(x, i, output)];
	struct packet *p = n->config.voq ? take_from_input(x, i, output, now) : take_head(x, i, output);
	uint64_t full = cycles_full(o, now) - queue.full_mark;

	n->stats.wait_output_full += full;
	n->stats.wait_output_busy += now - queue.since - full;
	transfer(x, i, output, p, now);
	if (input_set_is_empty(&o->wanting))
		input_set_remove(&x->asked, output);
}

bool crossbar_is_free(struct crossbar *x, uint32_t output, cycles now)
{
	struct crossbar_output *o = &x->output[output];

	if (o->busy_until > now)
		return false;
	if (!network_has_room(&x->base, output)) {
		if (o->full_since == SIM_NEVER)
			o->full_since = now;
		return false;
	}
	o->cycles_full = cycles_full(o, now);
	o->full_since = SIM_NEVER;
	return true;
}

/* The free output grants one of these inputs. */
static void grant_one_of(struct crossbar *x, uint32_t output, const struct input_set *inputs, cycles now)
{
	uint32_t last = x->last[output];

	last = x->base.config.arbiter == NETWORK_AGE
		? arbiter_oldest(inputs, last, &x->issued[queue_index(x, 0, output)])
		: arbiter_round_robin(inputs, last);
	x->last[output] = last;
	crossbar_grant(x, output, last, now);
}

/* With virtual output queues: the output, if it is free, grants one of the free inputs that want it. */
static void choose_free(struct crossbar *x, uint32_t output, cycles now)
{
	struct input_set free;

	if (!crossbar_is_free(x, output, now))
		return;
	free = input_set_without(&x->output[output].wanting, &x->sending);
	if (!input_set_is_empty(&free))
		grant_one_of(x, output, &free, now);
}

/* Without: the asked output, if it is free, grants one of the inputs whose heads ask, which all can send.
 * When it may next grant by itself: what waits for its room is woken otherwise. */
static inline cycles choose_input(struct crossbar *x, uint32_t output, cycles now)
{
	struct crossbar_output *o = &x->output[output];

	if (o->busy_until > now)
		return o->busy_until;
	if (!crossbar_is_free(x, output, now))
		return SIM_NEVER;
	grant_one_of(x, output, &o->wanting, now);
	return input_set_is_empty(&o->wanting) ? SIM_NEVER : o->busy_until;
}

/* All outputs that are asked, each cycle another one first: they take free inputs away from each other. */
static void choose_in_turn(struct crossbar *x, cycles now)
{
	cycles machine = now + x->base.config.lead;
	struct input_set asked = x->asked;
	uint32_t first, output;

	if (input_set_is_empty(&asked))
		return;
	output = first =
		arbiter_round_robin(&asked, (uint32_t)((machine + x->base.outputs - 1) % x->base.outputs));
	do {
		choose_free(x, output, now);
		output = arbiter_round_robin(&asked, output);
	} while (output != first);
}

/* With virtual output queues: when the asked output may next grant by itself, as above; what waits for an
 * input is woken otherwise. */
static cycles next_grant(const struct crossbar *x, uint32_t output, cycles now)
{
	const struct crossbar_output *o = &x->output[output];
	struct input_set free;

	if (o->full_since != SIM_NEVER)
		return SIM_NEVER;
	if (o->busy_until > now)
		return o->busy_until;
	free = input_set_without(&o->wanting, &x->sending);
	return input_set_is_empty(&free) ? SIM_NEVER : now + 1;
}

/* Outputs grant; when the next may by itself. */
static cycles arbitrate_outputs(struct crossbar *x, cycles now)
{
	bool queues = x->base.config.voq, matches = x->base.config.arbiter == NETWORK_ISLIP;
	cycles next = SIM_NEVER;

	if (matches)
		islip_match(x, now);
	else if (queues)
		choose_in_turn(x, now);
	for_each_member(output, &x->asked)
	{
		cycles when = matches || queues ? next_grant(x, output, now) : choose_input(x, output, now);

		next = when < next ? when : next;
	}
	return next;
}

/* Nobody asks, something has come into one input, which can send at once, and its output is free: what the
 * general way would do. */
static bool grant_alone(struct crossbar *x, cycles now)
{
	struct network *n = &x->base;
	uint32_t i, output;

	if (n->config.voq || !input_set_is_empty(&x->asked))
		return false;
	i = network_only_arrival(n);
	if (i == NETWORK_MAX_PORTS || x->input[i].busy_until > now || port_is_empty(n->in[i]))
		return false;
	check_route(x, port_peek(n->in[i]));
	output = port_peek(n->in[i])->route;
	if (x->output[output].busy_until > now || !crossbar_is_free(x, output, now))
		return false;
	n->arrived[i] = 0;
	x->last[output] = i;
	transfer(x, i, output, port_pop(n->in[i]), now);
	return true;
}

/* ---- the cycle ---- */

static cycles next_crossbar_event(const struct crossbar *x, cycles next_grant)
{
	cycles next = x->base.next_arrival < next_grant ? x->base.next_arrival : next_grant;

	for_each_member(i, &x->held) if (x->input[i].busy_until < next) next = x->input[i].busy_until;
	return next;
}

static void crossbar_tick(struct component *self, cycles now)
{
	struct network *n = network_of(self);
	struct crossbar *x = (struct crossbar *)n;
	cycles next;

	network_count_cycles(n, now);
	network_deliver_due(n, now);
	finish_sending(x, now);
	next = SIM_NEVER;
	if (!grant_alone(x, now)) {
		network_look_at_arrivals(n, now, look_at_input);
		next = arbitrate_outputs(x, now);
	}
	n->has_work = true;
	network_count_cycles(n, x->busy_until < now + 1 ? x->busy_until : now + 1);
	next = next_crossbar_event(x, next);
	n->has_work = next != SIM_NEVER || !input_set_is_empty(&x->asked);
	network_sync_stats(n, next, now);
}

/* ---- building ---- */

static void crossbar_init(void *policy)
{
	struct network *n = policy;
	struct crossbar *x = (struct crossbar *)n;
	size_t queues = n->config.voq ? (size_t)n->inputs * n->outputs : n->inputs;

	x->input = xcalloc(n->inputs, sizeof(*x->input));
	x->output = xcalloc_lines(n->outputs * sizeof(*x->output));
	x->last = xcalloc(n->outputs, sizeof(*x->last));
	x->queue = xcalloc(queues, sizeof(*x->queue));
	x->issued = xcalloc(queues, sizeof(*x->issued));
	x->length = xcalloc(queues, sizeof(*x->length));
	for (uint32_t i = 0; i < n->inputs; i++)
		x->input[i].last = n->outputs - 1;
	for (uint32_t i = 0; i < n->outputs; i++) {
		x->output[i].full_since = SIM_NEVER;
		x->last[i] = n->inputs - 1;
	}
	x->next_sent = SIM_NEVER;
	n->sends_ahead = true;
}

static void crossbar_fini(void *policy)
{
	struct crossbar *x = policy;

	free(x->input);
	free(x->output);
	free(x->queue);
	free(x->last);
	free(x->issued);
	free(x->length);
}

/* Whose turn it is. */
static void crossbar_state(void *policy, struct state *state)
{
	struct crossbar *x = policy;

	for (uint32_t i = 0; i < x->base.outputs; i++)
		state_below(state, &x->last[i], x->base.inputs);
	for (uint32_t i = 0; i < x->base.inputs; i++)
		state_below(state, &x->input[i].last, x->base.outputs);
}

/* An input sends one packet after another. Without virtual output queues its head waits for one output: until
 * that has sent what it sends, and granted those that ask and whose turn comes before, a flit each at least.
 */
static cycles crossbar_first_departure(const struct network *n, uint32_t i, cycles now)
{
	const struct crossbar *x = (const struct crossbar *)n;
	const struct crossbar_output *o;
	cycles first = x->input[i].busy_until > now ? x->input[i].busy_until : now;
	uint32_t output;

	if (n->config.voq)
		return first;
	output = port_peek(n->in[i])->route;
	o = &x->output[output];
	first = o->busy_until > first ? o->busy_until : first;
	if (n->config.arbiter == NETWORK_ROUND_ROBIN && input_set_has(&x->asking, i))
		first += input_set_between(&o->wanting, x->last[output], i);
	return first;
}

const struct network_class network_crossbar = {
	.name = "crossbar",
	.help = "links of a flit a cycle, an arbiter for each output",
	.size = sizeof(struct crossbar),
	.init = crossbar_init,
	.state = crossbar_state,
	.fini = crossbar_fini,
	.tick = crossbar_tick,
	.account = account_waits,
	.first_departure = crossbar_first_departure,
};
