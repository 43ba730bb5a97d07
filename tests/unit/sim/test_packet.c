/* tests/unit/sim/test_packet.c -- pools that lose nothing, ports that are bounded and wake who waited. */
#include "sim/event/packet.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

struct sleeper {
	struct component component;
	uint32_t ticks;
};

static void sleeper_tick(struct component *self, cycles now)
{
	((struct sleeper *)self)->ticks++;
	component_sleep(self);
}

static struct simulator *machine(struct sleeper *producer, struct sleeper *consumer)
{
	const uint64_t khz[CLOCK_COUNT] = { 1000, 1000, 1000, 1000 };
	struct simulator *sim = sim_new(khz);

	*producer = *consumer = (struct sleeper){ .ticks = 0 };
	component_init(&producer->component, sim, PHASE_SM, sleeper_tick);
	component_init(&consumer->component, sim, PHASE_XBAR, sleeper_tick);
	return sim;
}

Test(packet, a_new_packet_is_zero_and_knows_its_pool)
{
	struct packet_pool pool;
	struct packet *p, *q;

	packet_pool_init(&pool);
	p = packet_new(&pool);
	memset(&p->address, 0xff, sizeof(*p) - offsetof(struct packet, address));
	packet_free(p);
	q = packet_new(&pool);
	cr_assert_eq(p, q, "the packet freed last is used first");
	cr_assert_eq(q->address, 0);
	cr_assert_eq(q->stamp, 0);
	cr_assert_eq(q->pool, &pool);
	packet_free(q);
	packet_pool_fini(&pool);
}

Test(packet, a_pool_grows_and_counts_what_is_out)
{
	static struct packet *p[1000];
	struct packet_pool pool;

	packet_pool_init(&pool);
	for (uint32_t i = 0; i < 1000; i++) {
		p[i] = packet_new(&pool);
		p[i]->token = i;
	}
	cr_assert_eq(pool.live, 1000);
	for (uint32_t i = 0; i < 1000; i++) {
		cr_assert_eq(p[i]->token, i);
		packet_free(p[i]);
	}
	cr_assert_eq(pool.live, 0);
	packet_pool_fini(&pool);
}

Test(packet, a_port_keeps_order_round_its_ring_and_is_bounded)
{
	struct packet_pool pool;
	struct port port;
	uint32_t in = 0, out = 0;

	packet_pool_init(&pool);
	port_init(&port, 3, NULL, NULL);
	for (int round = 0; round < 10; round++) {
		while (port_room(&port)) {
			struct packet *p = packet_new(&pool);

			p->token = in++;
			port_push(&port, p);
		}
		cr_assert_eq(port.count, 3);
		for (int i = 0; i < 2; i++) {
			struct packet *p = port_pop(&port);

			cr_assert_eq(p->token, out++);
			packet_free(p);
		}
	}
	cr_assert_eq(port_peek(&port)->token, out);
	port_fini(&port);
	cr_assert_eq(pool.live, 0, "what was inside went back to the pool");
	packet_pool_fini(&pool);
}

Test(packet, a_push_wakes_the_consumer_and_marks_its_flag)
{
	struct sleeper producer, consumer;
	struct simulator *sim = machine(&producer, &consumer);
	struct packet_pool pool;
	struct port port;
	uint8_t arrived = 0;

	packet_pool_init(&pool);
	port_init(&port, 1, &producer.component, &consumer.component);
	port.arrived = &arrived;
	cr_assert(!component_is_awake(&consumer.component));
	port_push(&port, packet_new(&pool));
	cr_assert(component_is_awake(&consumer.component));
	cr_assert_eq(arrived, 1);
	cr_assert(!component_is_awake(&producer.component));
	port_fini(&port);
	packet_pool_fini(&pool);
	sim_free(sim);
}

Test(packet, a_pop_wakes_the_producer_only_if_it_found_no_room)
{
	struct sleeper producer, consumer;
	struct simulator *sim = machine(&producer, &consumer);
	struct packet_pool pool;
	struct port port;

	packet_pool_init(&pool);
	port_init(&port, 1, &producer.component, &consumer.component);
	port_push(&port, packet_new(&pool));
	packet_free(port_pop(&port));
	cr_assert(!component_is_awake(&producer.component), "it did not wait");
	port_push(&port, packet_new(&pool));
	cr_assert(!port_room(&port));
	packet_free(port_pop(&port));
	cr_assert(component_is_awake(&producer.component));
	component_sleep(&producer.component);
	port_push(&port, packet_new(&pool));
	packet_free(port_pop(&port));
	cr_assert(!component_is_awake(&producer.component), "woken once for waiting once");
	port_fini(&port);
	packet_pool_fini(&pool);
	sim_free(sim);
}

Test(packet, promised_places_count_as_taken)
{
	struct sleeper producer, consumer;
	struct simulator *sim = machine(&producer, &consumer);
	struct packet_pool pool;
	struct port port;

	packet_pool_init(&pool);
	port_init(&port, 3, &producer.component, NULL);
	port_push(&port, packet_new(&pool));
	cr_assert(port_room_beyond(&port, 1));
	cr_assert(!port_room_beyond(&port, 2));
	packet_free(port_pop(&port));
	cr_assert(component_is_awake(&producer.component));
	port_fini(&port);
	packet_pool_fini(&pool);
	sim_free(sim);
}

Test(packet, a_push_into_a_full_port_is_a_bug, .signal = SIGABRT)
{
	struct packet_pool pool;
	struct port port;

	packet_pool_init(&pool);
	port_init(&port, 1, NULL, NULL);
	port_push(&port, packet_new(&pool));
	port_push(&port, packet_new(&pool));
}
