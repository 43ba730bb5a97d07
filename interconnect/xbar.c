/* interconnect/xbar.c -- a crossbar of one direction, in packets and the cycles that their flits take.
 *
 * An input's head packet asks for its output. A free output whose buffer has room, counting what is still on its way
 * there, grants one asker: the packet leaves the input buffer for the input's sending register, input and output
 * are busy for as many cycles as it has flits, and it arrives whole `latency` cycles after its last flit left:
 *
 *   cycle     t        t+1 ...  t+flits-1            t+flits-1+latency   t+flits
 *             granted, flit 0   last flit sent       in out[]            input and output grant again
 *
 * Only the head of an input asks: it blocks those behind it. Work is done for inputs with a head and for outputs
 * that are asked or have packets on the way, never for idle ones; waiting is counted in differences of time, so that
 * the crossbar can sleep through it.
 *
 * Departures from hardware: no virtual channels, one stage whatever the radix; the buffer place is given back when the first
 * flit leaves (the sending register holds the rest), not flit by flit; a packet is seen whole by the receiver. */
#include "interconnect/xbar.h"
#include "interconnect/arbiter.h"
#include "sim/xalloc.h"

static const char *const arbiter_names[] = { "round_robin", "age", NULL };

const struct sim_param xbar_params[] = {
	SIM_U32(struct xbar_config, flit, 32, 1, 1024, "bytes",
		"what a link moves per cycle (GTX 480: 32, baseline of DWT-CS and WarpPool)"),
	SIM_U32(struct xbar_config, latency, 4, 0, 1024, "cycles",
		"from the last flit's departure to arrival (our choice: stages of a pipelined crossbar)"),
	SIM_ENUM(struct xbar_config, arbiter, XBAR_ROUND_ROBIN, arbiter_names,
		"who gets an output: inputs in turn, or the packet issued first"),
	SIM_END
};

struct input {
	struct port *port;
	cycles busy_until;          /* may send again */
	cycles head_since;          /* its head began to ask */
	uint64_t full_mark;         /* its output's cycles_full when it began to ask */
};

struct flight {
	struct packet *packet;
	cycles arrival;
};

struct output {
	struct port *port;
	struct input_set wanting;   /* inputs whose head asks for it */
	cycles busy_until;
	cycles full_since;          /* free, asked and without room since; SIM_NEVER: it is not */
	uint64_t cycles_full;       /* the same, finished intervals */
	uint32_t last;              /* input granted last */
	struct flight *flight;      /* ring of port->capacity packets on their way, by arrival */
	uint32_t flight_head, flight_count;
};

struct xbar_stats {
	uint64_t packets, flits, bytes, delivered;
	uint64_t output_cycles;
	uint64_t wait_output_full, wait_output_busy;
	struct sim_histogram latency;
};

struct xbar {
	struct component component; /* first: ticks get it */
	/* wiring and parameters */
	struct xbar_config config;
	uint32_t inputs, outputs;
	struct input *input;
	struct output *output;
	double cycles_per_ps;
	/* state */
	uint8_t arrived[XBAR_MAX_PORTS];     /* set by pushes into the input ports */
	picoseconds head_issued[XBAR_MAX_PORTS];
	struct input_set sending;   /* inputs busy, or about to look at their next head */
	struct input_set asking;    /* inputs whose head asks */
	struct input_set asked;     /* outputs that some head wants */
	struct input_set flying;    /* outputs with packets on their way */
	bool has_work;              /* packets were inside at the end of the last tick */
	cycles busy_until;          /* the last of the outputs' */
	cycles counted_until;       /* output_cycles is up to date to here */
	struct xbar_stats stats;
};

static double utilisation(const void *object)
{
	const struct xbar_stats *s = object;

	return s->output_cycles ? (double)s->flits / (double)s->output_cycles : 0;
}

static const struct sim_stat xbar_stats_table[] = {
	SIM_COUNT(struct xbar_stats, packets, "packets", "granted an output"),
	SIM_COUNT(struct xbar_stats, flits, "flits", "sent, which is also the cycles that outputs were busy"),
	SIM_COUNT(struct xbar_stats, bytes, "bytes", "sent, headers included, without the padding of the last flit"),
	SIM_COUNT(struct xbar_stats, delivered, "packets", "arrived in an output buffer"),
	SIM_COUNT(struct xbar_stats, output_cycles, "cycles", "offered: all outputs, while any packet was inside"),
	SIM_COUNT(struct xbar_stats, wait_output_full, "cycles", "head packets waited because the output's buffer was full"),
	SIM_COUNT(struct xbar_stats, wait_output_busy, "cycles", "head packets waited for another packet of their output"),
	SIM_HIST(struct xbar_stats, latency, "cycles", "from entering the input buffer to arrival"),
	SIM_FORMULA("utilisation", utilisation, "ratio", "flits sent per output cycle offered while busy"),
	SIM_STAT_END
};

static uint64_t cycles_full(const struct output *o, cycles now)
{
	return o->cycles_full + (o->full_since == SIM_NEVER ? 0 : now - o->full_since);
}

/* The input's head, if any, begins to ask. */
static void ask(struct xbar *x, uint32_t i, cycles now)
{
	struct input *in = &x->input[i];
	struct packet *p = port_peek(in->port);

	if (!p)
		return;
	bug_if(p->route >= x->outputs, "packet for output %u of a crossbar with %u", p->route, x->outputs);
	in->head_since = now;
	in->full_mark = cycles_full(&x->output[p->route], now);
	x->head_issued[i] = p->issued;
	input_set_add(&x->asking, i);
	input_set_add(&x->output[p->route].wanting, i);
	input_set_add(&x->asked, p->route);
}

static void deliver(struct xbar *x, struct output *o, struct packet *p)
{
	picoseconds now = sim_now(x->component.sim);

	sim_hist_add(&x->stats.latency, (uint64_t)((double)(now - p->stamp) * x->cycles_per_ps + 0.5));
	x->stats.delivered++;
	p->stamp = now;
	port_push(o->port, p);
}

static void deliver_due(struct xbar *x, cycles now)
{
	for_each_member(i, &x->flying) {
		struct output *o = &x->output[i];

		while (o->flight_count && o->flight[o->flight_head].arrival <= now) {
			deliver(x, o, o->flight[o->flight_head].packet);
			if (++o->flight_head == o->port->capacity)
				o->flight_head = 0;
			o->flight_count--;
		}
		if (!o->flight_count)
			input_set_remove(&x->flying, i);
	}
}

/* Inputs that have sent their last flit look at their next head. */
static void finish_sending(struct xbar *x, cycles now)
{
	for_each_member(i, &x->sending)
		if (x->input[i].busy_until <= now) {
			input_set_remove(&x->sending, i);
			x->arrived[i] = 0;
			ask(x, i, now);
		}
}

static void look_at_arrivals(struct xbar *x, cycles now)
{
	for (uint32_t w = 0; w * 8 < x->inputs; w++) {
		uint64_t any;

		memcpy(&any, &x->arrived[w * 8], 8);
		if (!any)
			continue;
		memset(&x->arrived[w * 8], 0, 8);
		for (uint32_t i = w * 8; i < w * 8 + 8 && i < x->inputs; i++)
			if (x->input[i].busy_until <= now && !input_set_has(&x->asking, i))
				ask(x, i, now);
	}
}

static void put_in_flight(struct xbar *x, struct output *o, uint32_t index, struct packet *p, cycles arrival)
{
	uint32_t tail = o->flight_head + o->flight_count++;

	if (tail >= o->port->capacity)
		tail -= o->port->capacity;
	o->flight[tail] = (struct flight){ p, arrival };
	input_set_add(&x->flying, index);
}

static void grant(struct xbar *x, uint32_t index, cycles now)
{
	struct output *o = &x->output[index];
	uint32_t i = x->config.arbiter == XBAR_AGE ? arbiter_oldest(&o->wanting, o->last, x->head_issued)
						   : arbiter_round_robin(&o->wanting, o->last);
	struct input *in = &x->input[i];
	struct packet *p = port_pop(in->port);
	uint32_t flits = (p->wire_bytes + x->config.flit - 1) / x->config.flit;
	uint64_t full = cycles_full(o, now) - in->full_mark;

	flits = flits ? flits : 1;
	x->stats.packets++;
	x->stats.flits += flits;
	x->stats.bytes += p->wire_bytes;
	x->stats.wait_output_full += full;
	x->stats.wait_output_busy += now - in->head_since - full;
	o->last = i;
	o->busy_until = in->busy_until = now + flits;
	if (x->busy_until < o->busy_until)
		x->busy_until = o->busy_until;
	input_set_remove(&o->wanting, i);
	input_set_remove(&x->asking, i);
	input_set_add(&x->sending, i);
	if (now + flits - 1 + x->config.latency <= now)
		deliver(x, o, p);
	else
		put_in_flight(x, o, index, p, now + flits - 1 + x->config.latency);
}

static void arbitrate(struct xbar *x, uint32_t index, cycles now)
{
	struct output *o = &x->output[index];

	if (o->busy_until > now)
		return;
	if (!port_room_beyond(o->port, o->flight_count)) {
		if (o->full_since == SIM_NEVER)
			o->full_since = now;
		return;
	}
	o->cycles_full = cycles_full(o, now);
	o->full_since = SIM_NEVER;
	grant(x, index, now);
	if (input_set_is_empty(&o->wanting))
		input_set_remove(&x->asked, index);
}

/* The next cycle at which something is due by itself; what waits for room is woken by the port. */
static cycles next_event(const struct xbar *x)
{
	cycles next = SIM_NEVER;

	for_each_member(i, &x->flying) {
		const struct output *o = &x->output[i];

		if (o->flight[o->flight_head].arrival < next)
			next = o->flight[o->flight_head].arrival;
	}
	for_each_member(i, &x->sending)
		if (!port_is_empty(x->input[i].port) && x->input[i].busy_until < next)
			next = x->input[i].busy_until;
	for_each_member(i, &x->asked) {
		const struct output *o = &x->output[i];

		if (o->full_since == SIM_NEVER && o->busy_until < next)
			next = o->busy_until;
	}
	return next;
}

static void count_output_cycles(struct xbar *x, cycles until)
{
	if (until > x->counted_until && x->has_work)
		x->stats.output_cycles += (until - x->counted_until) * x->outputs;
	if (until > x->counted_until)
		x->counted_until = until;
}

/* Heads that wait have waited until now; additive, so that nothing changes when they are granted. */
void xbar_settle(struct xbar *x, cycles until)
{
	count_output_cycles(x, until);
	for_each_member(i, &x->asking) {
		struct input *in = &x->input[i];
		uint64_t before = cycles_full(&x->output[port_peek(in->port)->route], until), full = before - in->full_mark;

		if (until <= in->head_since)
			continue;
		x->stats.wait_output_full += full;
		x->stats.wait_output_busy += until - in->head_since - full;
		in->full_mark = before;
		in->head_since = until;
	}
}

static void xbar_tick(struct component *self, cycles now)
{
	struct xbar *x = (struct xbar *)self;
	cycles next;

	count_output_cycles(x, now);
	deliver_due(x, now);
	finish_sending(x, now);
	look_at_arrivals(x, now);
	for_each_member(i, &x->asked)
		arbitrate(x, i, now);
	x->has_work = true;
	count_output_cycles(x, x->busy_until < now + 1 ? x->busy_until : now + 1);
	next = next_event(x);
	x->has_work = next != SIM_NEVER || !input_set_is_empty(&x->asked);
	if (next <= now + 1)
		return;
	component_sleep(self);
	component_wake_at(self, next);
}

static void init_output(struct xbar *x, struct output *o, struct port *port, uint32_t last)
{
	*o = (struct output){ .port = port, .full_since = SIM_NEVER, .last = last };
	o->flight = xcalloc(port->capacity, sizeof(*o->flight));
	port->producer = &x->component;
}

struct xbar *xbar_new(struct simulator *sim, const struct xbar_config *config, uint32_t inputs, struct port *const *in,
	uint32_t outputs, struct port *const *out, struct stat_tree *stats, const char *group)
{
	struct xbar *x = xcalloc(1, sizeof(*x));

	bug_if(!inputs || !outputs || inputs > XBAR_MAX_PORTS || outputs > XBAR_MAX_PORTS,
		"a crossbar of %u inputs and %u outputs: 1 to %d each", inputs, outputs, XBAR_MAX_PORTS);
	component_init(&x->component, sim, PHASE_XBAR, xbar_tick);
	x->config = *config;
	x->inputs = inputs;
	x->outputs = outputs;
	x->cycles_per_ps = sim_mhz(sim, sim_phase_domain(PHASE_XBAR)) * 1e-6;
	x->input = xcalloc(inputs, sizeof(*x->input));
	x->output = xcalloc(outputs, sizeof(*x->output));
	for (uint32_t i = 0; i < inputs; i++) {
		x->input[i].port = in[i];
		in[i]->consumer = &x->component;
		in[i]->arrived = &x->arrived[i];
		x->arrived[i] = 1;
	}
	for (uint32_t i = 0; i < outputs; i++)
		init_output(x, &x->output[i], out[i], inputs - 1);
	if (stats)
		stat_register(stats, group, -1, xbar_stats_table, &x->stats, sizeof(x->stats));
	return x;
}

void xbar_free(struct xbar *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->outputs; i++) {
		struct output *o = &x->output[i];

		for (; o->flight_count; o->flight_count--) {
			packet_free(o->flight[o->flight_head].packet);
			if (++o->flight_head == o->port->capacity)
				o->flight_head = 0;
		}
		free(o->flight);
	}
	free(x->input);
	free(x->output);
	free(x);
}

bool xbar_is_idle(const struct xbar *x)
{
	for (uint32_t i = 0; i < x->inputs; i++)
		if (!port_is_empty(x->input[i].port))
			return false;
	return input_set_is_empty(&x->flying);
}

void xbar_print_state(const struct xbar *x, FILE *stream)
{
	for (uint32_t i = 0; i < x->inputs; i++) {
		const struct packet *p = port_peek(x->input[i].port);

		if (p)
			fprintf(stream, "  input %u: %u of %u packets; the head wants output %u\n", i,
				x->input[i].port->count, x->input[i].port->capacity, p->route);
	}
	for (uint32_t i = 0; i < x->outputs; i++) {
		const struct output *o = &x->output[i];

		if (o->flight_count || o->full_since != SIM_NEVER)
			fprintf(stream, "  output %u: %u packets on their way, %u of %u in its buffer%s\n", i,
				o->flight_count, o->port->count, o->port->capacity,
				o->full_since == SIM_NEVER ? "" : "; waits for room there");
	}
}
