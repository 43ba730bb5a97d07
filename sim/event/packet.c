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
	*port = (struct port){
		.capacity = capacity, .limit = capacity, .producer = producer, .consumer = consumer
	};
	port->ring = xcalloc(capacity, sizeof(*port->ring));
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
