/* interconnect/cluster_network.c -- see cluster_network.h. Times are in 4096ths of a cycle. */
#include "interconnect/cluster_network.h"
#include "interconnect/cluster_events.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define PIECE   128u /* bytes: of 128, the answer to a load is four grants (H200: seanzw, dsm_bw) */
#define GRANT   32u  /* bytes of a lane */
#define ANSWERS CLUSTER_KINDS
#define SOURCES (CLUSTER_KINDS + 1)

/* A request, or the answer to a piece of one. */
struct transfer {
	struct cluster_request request;
	uint32_t left;       /* bytes that have not left */
	uint32_t under_way;  /* pieces that have left and not arrived */
	uint32_t unanswered; /* pieces */
	uint32_t of;         /* an answer: the request; else 0 */
	uint32_t next;       /* in its source, or free; 0: none */
	cycles asked;
};

struct source {
	uint32_t first, last; /* transfers; 0: none */
	cluster_time free;    /* the next piece may leave */
	cluster_time turn;    /* when the last one left */
};

struct cluster_port {
	struct source sources[SOURCES];
	cluster_time out, in;  /* that way is free */
	cluster_time distance; /* to the middle */
	cluster_time works;    /* when it has been called to look at its sources */
	uint32_t waiting;
};

struct cluster_network {
	struct component component;
	struct cluster_client client;
	struct cluster_port *ports; /* by SM */
	/* parameters */
	double bandwidth;
	uint32_t queue;
	cluster_time wait, command, acknowledgement, byte[CLUSTER_KINDS]; /* of a source, for each
										      byte */
	cluster_time late[SOURCES];                                       /* of what comes from it */
	/* state */
	struct transfer *transfers; /* [0] is not used */
	uint32_t room, free, busy;
	struct cluster_events events;
	/* statistics */
	uint64_t requests[CLUSTER_KINDS], bytes[CLUSTER_KINDS], pieces, held, refused;
	struct sim_histogram latency;
};

static const char *const kind_names[CLUSTER_KINDS + 1] = { "loads", "stores", "arrivals", "async", "copies",
	NULL };

const struct sim_param cluster_network_params[] = {
	SIM_F64(struct cluster_network_config, bandwidth, 21.3333, 1, 4096, "bytes a cycle",
		"that a port carries each way (an H200: bulk copies to another SM 21.25; lanes of 32 "
		"bytes, of which six SMs share four; seanzw, dsm_bw)"),
	SIM_F64(struct cluster_network_config, load_bandwidth, 19.9, 1, 4096, "bytes a cycle",
		"for which an SM's loads ask at most (an H200: 19.87 one way, while loads and stores in one "
		"direction carry 21.38; seanzw, dsm_bw)"),
	SIM_F64(struct cluster_network_config, store_bandwidth, 18.9, 1, 4096, "bytes a cycle",
		"of an SM's stores at most (an H200: 18.87 one way, 18.12 both ways; seanzw, dsm_bw)"),
	SIM_F64(struct cluster_network_config, command, 2.3, 0, 100, "cycles",
		"of a port that a load's request for up to 128 bytes takes (an H200: loads both ways 15.37 "
		"bytes a cycle, 8.33 cycles for each 128 of which data take 6; seanzw, dsm_bw)"),
	SIM_F64(struct cluster_network_config, acknowledgement, 0.3, 0, 100, "cycles",
		"of a port that the answer to 128 bytes takes (an H200: copies both ways 20.29; seanzw, "
		"dsm_bw)"),
	SIM_F64(struct cluster_network_config, arrival, 0, 0, 1000, "cycles",
		"that an arrival at an mbarrier of another SM takes longer to be seen there"),
	SIM_F64(struct cluster_network_config, store, 0, 0, 10000, "cycles",
		"that a store takes longer to be acknowledged than an answer does to a load"),
	SIM_F64(struct cluster_network_config, distance, 39.1, 0, 1000, "cycles",
		"from an SM to the middle of its GPC, and so half of the way to another one, if distances "
		"do not name it (an H200 NVL: mean of 240 pairs 78.2; FlashGPU-Sim, dsm_latency_matrix_16)"),
	SIM_STRING(struct cluster_network_config, distances, "",
		"cycles from each SM of a GPC to the middle of it, in the order of their numbers, for "
		"example 43.6 41.8; SMs beyond them are at `distance`"),
	SIM_U32(struct cluster_network_config, queue, 64, 1, 100000, "requests",
		"besides bulk copies that can wait in an SM for its port (our choice)"),
	SIM_U32(struct cluster_network_config, wait, 64, 1, 100000, "cycles",
		"for which what arrives at an SM may wait for its port; other requests wait where they are "
		"(our choice)"),
	SIM_END
};

static const struct sim_stat cluster_network_stats[] = {
	SIM_VECTOR(struct cluster_network, requests, kind_names, "requests",
		"requests to other SMs: loads and atomics with a result, of up to 128 bytes; stores and "
		"other atomics, of up to 128 bytes; arrivals at mbarriers, st.async and red.async, by warp "
		"and CTA; bulk copies"),
	SIM_VECTOR(struct cluster_network, bytes, kind_names, "bytes", "their data, there and back"),
	SIM_COUNT(struct cluster_network, pieces, "pieces", "of up to 128 bytes that have left, and answers"),
	SIM_COUNT(struct cluster_network, held, "pieces",
		"that could not leave when their port was free, since that of the receiver had no room"),
	SIM_COUNT(struct cluster_network, refused, "cycles",
		"in which an access waited in the load/store unit for a place in the queue"),
	SIM_HIST(struct cluster_network, latency, "cycles",
		"from the request to the last answer, without the cycles in shared memory"),
	SIM_STAT_END
};

/* ---- parameters ---- */

static cluster_time time_of(double of_cycles)
{
	return (cluster_time)llround(of_cycles * CLUSTER_CYCLE);
}

/* In which something happens that is due then. */
static cycles cycle_of(cluster_time when)
{
	return (when + CLUSTER_CYCLE - 1) / CLUSTER_CYCLE;
}

/* Number n of the list; false: it is no number. *value stays if the list is shorter. */
static bool read_distance(const char *list, uint32_t n, double *value)
{
	const char *at = list + strspn(list, " ");

	for (uint32_t i = 0; *at; i++) {
		char *end;
		double number = strtod(at, &end);

		if (end == at || (*end && *end != ' ') || !(number >= 0 && number <= 1000))
			return false;
		if (i == n)
			*value = number;
		at = end + strspn(end, " ");
	}
	return true;
}

const char *cluster_network_check(const struct cluster_network_config *c, char *message, size_t size)
{
	double ignored;

	if (read_distance(c->distances, 0, &ignored))
		return NULL;
	snprintf(message, size, "distances: \"%s\": expected cycles from 0 to 1000, such as 43.6 41.8",
		c->distances);
	return message;
}

/* ---- transfers ---- */

static uint32_t take_transfer(struct cluster_network *n)
{
	uint32_t i = n->free;

	if (!i) {
		uint32_t room = n->room ? 2 * n->room : 64;

		n->transfers = xrealloc(n->transfers, room * sizeof(*n->transfers));
		for (i = n->room ? n->room : 1; i < room; i++)
			n->transfers[i] = (struct transfer){ .next = i + 1 < room ? i + 1 : 0 };
		i = n->room ? n->room : 1;
		n->room = room;
	}
	n->free = n->transfers[i].next;
	n->transfers[i] = (struct transfer){ 0 };
	n->busy++;
	return i;
}

static void give_back(struct cluster_network *n, uint32_t i)
{
	n->transfers[i].next = n->free;
	n->transfers[i].request.what = NULL;
	n->free = i;
	n->busy--;
}

/* ---- ports ---- */

static cluster_time port_time(const struct cluster_network *n, uint32_t bytes, cluster_time without)
{
	uint32_t grants = (bytes + GRANT - 1) / GRANT;

	return bytes ? time_of(grants * GRANT / n->bandwidth) : without;
}

static bool is_answer(const struct transfer *t)
{
	return t->of;
}

/* When the first piece of the source can leave; CLUSTER_NEVER: there is none. */
static cluster_time departure(const struct cluster_network *n, const struct cluster_port *p, uint32_t source)
{
	const struct source *s = &p->sources[source];
	const struct transfer *t = &n->transfers[s->first];
	cluster_time when = s->free > p->out ? s->free : p->out, reserve, room;

	if (!s->first)
		return CLUSTER_NEVER;
	if (source == ANSWERS)
		return when;
	reserve = n->wait + p->distance + n->ports[t->request.to].distance;
	room = n->ports[t->request.to].in > reserve ? n->ports[t->request.to].in - reserve : 0;
	return room > when ? room : when;
}

/* The source whose piece is the next to leave; of those whose pieces can at `now`, the one that has not had
 * its turn for longest. */
static uint32_t next_source(
	const struct cluster_network *n, const struct cluster_port *p, cluster_time now, cluster_time *when)
{
	uint32_t chosen = 0;

	*when = CLUSTER_NEVER;
	for (uint32_t i = 0; i < SOURCES; i++) {
		cluster_time at = departure(n, p, i);

		at = at < now ? now : at;
		if (at > *when || at == CLUSTER_NEVER ||
			(at == *when && p->sources[i].turn >= p->sources[chosen].turn))
			continue;
		*when = at;
		chosen = i;
	}
	return chosen;
}

/* The port looks at its sources when the next piece can leave. */
static void call_port(struct cluster_network *n, uint32_t sm, cluster_time now)
{
	struct cluster_port *p = &n->ports[sm];
	cluster_time when;

	next_source(n, p, now, &when);
	if (when >= p->works)
		return;
	p->works = when;
	cluster_events_add(&n->events, (struct cluster_event){ .when = when, .sm = (uint16_t)sm });
}

/* Puts it behind the others of the source. */
static void queue_transfer(
	struct cluster_network *n, uint32_t sm, uint32_t source, uint32_t i, cluster_time now)
{
	struct source *s = &n->ports[sm].sources[source];

	if (s->first)
		n->transfers[s->last].next = i;
	else
		s->first = i;
	s->last = i;
	call_port(n, sm, now);
}

/* The source's first transfer has left as a whole. */
static void leave_source(struct cluster_network *n, struct cluster_port *p, uint32_t source, cycles now)
{
	struct source *s = &p->sources[source];
	uint32_t i = s->first;

	s->first = n->transfers[i].next;
	n->transfers[i].next = 0;
	if (source == ANSWERS)
		return;
	p->waiting -= source != CLUSTER_COPIES;
	n->client.sent(n->client.user, &n->transfers[i].request, now);
}

/* A piece takes its port, the way and the port at the other end. */
static void send_piece(struct cluster_network *n, struct cluster_port *p, uint32_t source, cluster_time now)
{
	struct source *s = &p->sources[source];
	uint32_t i = s->first;
	struct transfer *t = &n->transfers[i];
	struct cluster_port *to = &n->ports[t->request.to];
	uint32_t bytes = t->left < PIECE ? t->left : PIECE;
	cluster_time takes = port_time(n, bytes, is_answer(t) ? n->acknowledgement : n->command);
	cluster_time first = port_time(n, 1, 0), there = now + p->distance + to->distance;
	cluster_time later = n->late[source] + (takes > first ? takes - first : 0);

	there = there > to->in ? there : to->in;
	to->in = there + takes;
	p->out = now + takes;
	s->turn = now;
	if (source < CLUSTER_KINDS)
		s->free = now + (bytes > t->request.back ? bytes : t->request.back) * n->byte[source];
	n->pieces++;
	t->left -= bytes;
	t->under_way++;
	t->unanswered++;
	cluster_events_add(&n->events, (struct cluster_event){ .when = there + later, .transfer = i });
	if (!t->left)
		leave_source(n, p, source, cycle_of(now));
}

static void port_works(struct cluster_network *n, uint32_t sm, cluster_time now)
{
	struct cluster_port *p = &n->ports[sm];
	cluster_time when;
	uint32_t source;

	if (p->works > now)
		return;
	p->works = CLUSTER_NEVER;
	source = next_source(n, p, now, &when);
	if (when > now)
		n->held += p->out <= now && when != CLUSTER_NEVER && p->sources[source].free <= now;
	else
		send_piece(n, p, source, now);
	call_port(n, sm, now);
}

/* ---- what arrives ---- */

static void answer_piece(struct cluster_network *n, uint32_t of, cluster_time now)
{
	uint32_t i = take_transfer(n);
	const struct cluster_request *r = &n->transfers[of].request;

	n->transfers[i] = (struct transfer){ .request = { .from = r->to, .to = r->from },
		.left = r->back,
		.of = of,
		.asked = now / CLUSTER_CYCLE };
	queue_transfer(n, r->to, ANSWERS, i, now);
}

static void end_request(struct cluster_network *n, uint32_t i, cycles now)
{
	sim_hist_add(&n->latency, now - n->transfers[i].asked);
	n->client.answered(n->client.user, &n->transfers[i].request, now);
	give_back(n, i);
}

static void piece_arrives(struct cluster_network *n, uint32_t i, cluster_time when)
{
	cycles now = cycle_of(when);
	struct transfer *t = &n->transfers[i];
	uint32_t of = t->of;

	t->under_way--;
	if (!of) {
		if (!t->left && !t->under_way)
			n->client.arrived(n->client.user, &t->request, now);
		answer_piece(n, i, when);
		return;
	}
	if (t->left || t->under_way)
		return;
	give_back(n, i);
	t = &n->transfers[of];
	if (!--t->unanswered && !t->left)
		end_request(n, of, now);
}

static void cluster_network_tick(struct component *c, cycles now)
{
	struct cluster_network *n = (struct cluster_network *)(void *)c;
	struct cluster_event e;

	while (cluster_events_take(&n->events, now * CLUSTER_CYCLE, &e))
		if (e.transfer)
			piece_arrives(n, e.transfer, e.when);
		else
			port_works(n, e.sm, e.when);
	component_sleep_until(c, cluster_events_next(&n->events));
}

/* ---- for others ---- */

void cluster_network_send(struct cluster_network *n, const struct cluster_request *r, cycles now)
{
	uint32_t i = take_transfer(n);
	struct cluster_port *p = &n->ports[r->from];

	n->transfers[i] = (struct transfer){ .request = *r, .left = r->bytes, .asked = now };
	n->requests[r->kind]++;
	n->bytes[r->kind] += r->bytes + r->back;
	p->waiting += r->kind != CLUSTER_COPIES;
	queue_transfer(n, r->from, r->kind, i, (now + 1) * CLUSTER_CYCLE);
	component_wake_at(&n->component, now + 1);
}

uint32_t cluster_network_waiting(const struct cluster_network *n, uint32_t sm)
{
	return n->ports[sm].waiting;
}

void cluster_network_refused(struct cluster_network *n, uint32_t times)
{
	n->refused += times;
}

uint32_t cluster_network_queue(const struct cluster_network *n)
{
	return n->queue;
}

bool cluster_network_is_idle(const struct cluster_network *n)
{
	return !n->busy;
}

void cluster_network_each(
	struct cluster_network *n, void (*each)(void *user, struct cluster_request *request), void *user)
{
	for (uint32_t i = 1; i < n->room; i++)
		if (n->transfers[i].request.what && (n->transfers[i].left || n->transfers[i].under_way))
			each(user, &n->transfers[i].request);
}

struct cluster_network *cluster_network_new(struct simulator *sim, const struct cluster_network_config *c,
	uint32_t sms, const uint16_t *place, const struct cluster_client *client, struct stat_tree *stats)
{
	struct cluster_network *n = xcalloc(1, sizeof(*n));

	component_init(&n->component, sim, PHASE_COMMIT, cluster_network_tick);
	n->client = *client;
	n->bandwidth = c->bandwidth;
	n->queue = c->queue;
	n->wait = (cluster_time)c->wait * CLUSTER_CYCLE;
	n->command = time_of(c->command);
	n->late[CLUSTER_ARRIVALS] = time_of(c->arrival);
	n->late[CLUSTER_STORES] = time_of(c->store);
	n->acknowledgement = time_of(c->acknowledgement);
	n->byte[CLUSTER_LOADS] = time_of(1 / c->load_bandwidth);
	n->byte[CLUSTER_STORES] = time_of(1 / c->store_bandwidth);
	n->ports = xcalloc(sms, sizeof(*n->ports));
	for (uint32_t i = 0; i < sms; i++) {
		double distance = c->distance;

		read_distance(c->distances, place[i], &distance);
		n->ports[i].distance = time_of(distance);
		n->ports[i].works = CLUSTER_NEVER;
	}
	if (stats)
		stat_register(stats, "cluster", -1, cluster_network_stats, n, sizeof(*n));
	return n;
}

void cluster_network_free(struct cluster_network *n)
{
	if (!n)
		return;
	cluster_events_fini(&n->events);
	free(n->transfers);
	free(n->ports);
	free(n);
}
