/* sim/event/packet.c -- the parts of pools and ports that are not on the hot path. */
#include "sim/event/packet.h"
#include "sim/base/xalloc.h"

#define CHUNK 256

struct chunk {
	struct chunk *next;
	struct packet packets[CHUNK];
};

void packet_pool_init(struct packet_pool *pool)
{
	*pool = (struct packet_pool){ 0 };
}

void packet_pool_grow(struct packet_pool *pool)
{
	struct chunk *chunk = xmalloc(sizeof(*chunk));

	chunk->next = pool->chunks;
	pool->chunks = chunk;
	for (int i = CHUNK - 1; i >= 0; i--) {
		chunk->packets[i].next = pool->free;
		pool->free = &chunk->packets[i];
	}
}

void packet_pool_fini(struct packet_pool *pool)
{
	struct chunk *next;

	for (struct chunk *c = pool->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	*pool = (struct packet_pool){ 0 };
}

void port_init(struct port *port, uint32_t capacity, struct component *producer, struct component *consumer)
{
	bug_if(!capacity, "a port of capacity 0");
	*port = (struct port){ .capacity = capacity,
		.limit = capacity,
		.producer = producer,
		.consumer = consumer,
		.stretch = 1 };
	port->ring = xcalloc(capacity, sizeof(*port->ring));
}

void port_delay_last(struct port *port, struct packet *p, cycles seen)
{
	p->due = seen + port->delay;
	if (port->count > 1 && p->due <= port_at(port, port->count - 2)->due)
		p->due = port_at(port, port->count - 2)->due + 1;
	bug_if(p->due < port->closed,
		"a packet is due in cycle %llu, when its consumer has run to cycle %llu",
		(unsigned long long)p->due, (unsigned long long)port->closed);
	if (port->count == 1) /* else the consumer knows of an earlier one */
		component_wake_at(port->consumer, p->due - p->due % port->stretch);
}

void port_push_ahead(struct port *port, struct packet *p, picoseconds arrival)
{
	uint32_t tail = port->head + port->count;

	bug_if(port->count >= port->capacity, "push into a full port");
	port->ring[tail >= port->capacity ? tail - port->capacity : tail] = p;
	port->count++;
	port_delay_last(port, p, component_edge_from(port->consumer, arrival + 1).cycle);
}

/* The component ticks when the other one has, in the cycle `when` of that one. */
static void wake_behind(struct component *c, const struct component *other, cycles when)
{
	picoseconds edge = sim_edge(other->sim, sim_phase_domain(other->phase), when);

	component_wake_at(c, clock_first_from(sim_clock(c->sim, sim_phase_domain(c->phase)), edge));
}

bool port_room_ahead(const struct port *port, uint32_t reserved)
{
	cycles next = component_next_tick(port->consumer) + port->delay;
	uint32_t waiting = 0;

	while (waiting < port->count && port_at(port, port->count - 1 - waiting)->due >= next)
		waiting++;
	if (waiting + reserved < port->limit)
		return true;
	if (waiting)
		wake_behind(port->producer, port->consumer,
			port_at(port, port->count - waiting)->due - port->delay);
	return false;
}

void port_fini(struct port *port)
{
	while (port->count) {
		struct packet *p = port->ring[port->head];

		if (++port->head == port->capacity)
			port->head = 0;
		port->count--;
		packet_free(p);
	}
	free(port->ring);
	*port = (struct port){ 0 };
}
