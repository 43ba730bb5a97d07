/* tests/unit/memsys/l2/l2_rig.h -- an L2 slice between a scripted crossbar and a DRAM of fixed latency. All
 * clocks run at 1 GHz. */
#ifndef TESTS_L2_RIG_H
#define TESTS_L2_RIG_H

#include "memsys/l2/l2.h"
#include "tests/unit/memsys/l2/l2_balance.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define DRAM_LATENCY 20
#define MOST         4000

struct script {
	cycles at;
	uint8_t kind;
	addr local;
	uint16_t bytes;
	uint32_t mask[4];
	bool internal, wants_data;
	uint16_t warp;
	uint8_t collisions;
	bool is_float;
};

static struct simulator *sim;
static struct stat_tree *stats;
static struct l2_slice *slice;
static struct l2_ports ports;
static struct packet_pool pool;
static bool stop;

/* The crossbar: pushes the script in order, notes when each reply entered the reply port. */
static struct driver {
	struct component component;
	const struct script *script;
	uint32_t count, next, replies, expected;
	cycles pushed[MOST], replied[MOST], blocked_until;
	uint16_t wire[MOST];
} driver;

/* The DRAM: holds `capacity` reads, answers each DRAM_LATENCY cycles after it came. */
static struct memory {
	struct component component;
	struct {
		struct packet *packet;
		cycles ready;
	} queue[64];
	uint32_t count, capacity, reads, writes;
	cycles blocked_until;
	struct packet first_write, last_write, last_read;
} dram;

static void drive(struct component *self, cycles now)
{
	struct packet *p;

	while (driver.next < driver.count && driver.script[driver.next].at <= now &&
		port_room(ports.request)) {
		const struct script *s = &driver.script[driver.next];

		p = packet_new(&pool);
		p->kind = s->kind;
		p->local = s->local;
		p->address = s->local + 0x100000;
		p->bytes = s->bytes;
		p->is_internal = s->internal;
		p->by.sm = s->internal ? REQUESTER_NO_SM : 5;
		p->wants_data = s->wants_data;
		p->by.warp = s->warp;
		p->by.lanes = !s->internal;
		p->collisions = s->collisions;
		p->is_float = s->is_float;
		driver.pushed[driver.next] = now;
		p->token = driver.next++;
		memcpy(p->byte_mask, s->mask, sizeof(p->byte_mask));
		port_push(ports.request, p);
	}
	while (now >= driver.blocked_until && !port_is_empty(ports.reply)) {
		p = port_pop(ports.reply);
		cr_assert(p->is_reply);
		cr_assert_eq(p->route, 5);
		cr_assert_eq(driver.replied[p->token], 0, "answered twice");
		driver.replied[p->token] = p->stamp / 1000;
		driver.wire[p->token] = p->wire_bytes;
		driver.replies++;
		packet_free(p);
	}
	if (now % 64 == 0)
		check_l2_balance(slice, now);
	stop = driver.next == driver.count && driver.replies == driver.expected && l2_is_idle(slice) &&
		!dram.count;
}

static void work(struct component *self, cycles now)
{
	struct packet *p;

	if (dram.count && dram.queue[0].ready <= now && port_room(ports.fill)) {
		port_push(ports.fill, dram.queue[0].packet);
		memmove(dram.queue, dram.queue + 1, --dram.count * sizeof(dram.queue[0]));
	}
	if (port_is_empty(ports.dram[0]) || dram.count >= dram.capacity || now < dram.blocked_until)
		return;
	p = port_pop(ports.dram[0]);
	if (p->kind == PACKET_READ) {
		dram.reads++;
		dram.last_read = *p;
		dram.queue[dram.count].packet = p;
		dram.queue[dram.count++].ready = now + DRAM_LATENCY;
		return;
	}
	if (!dram.writes++)
		dram.first_write = *p;
	dram.last_write = *p;
	packet_free(p);
}

static struct l2_config config(void)
{
	return (struct l2_config){ .sets = 4,
		.ways = 2,
		.line = 128,
		.mshrs = 4,
		.mshr_merge = 2,
		.request_queue = 8,
		.reply_queue = 8,
		.dram_queue = 8,
		.fill_queue = 8,
		.rop_latency = 10,
		.hit_latency = 5,
		.port_bytes = 32,
		.atomic_cycles = 3 };
}

static void build(const struct l2_config *c)
{
	sim = sim_new((uint64_t[CLOCK_COUNT]){ 1000000, 1000000, 1000000, 1000000 });
	stats = stat_tree_new();
	slice = l2_new(sim, c, 2, stats);
	ports = l2_ports(slice);
	packet_pool_init(&pool);
	memset(&driver, 0, sizeof(driver));
	memset(&dram, 0, sizeof(dram));
	dram.capacity = 32;
	component_init(&driver.component, sim, PHASE_XBAR, drive);
	component_init(&dram.component, sim, PHASE_DRAM, work);
	ports.request->producer = ports.reply->consumer = &driver.component;
	ports.dram[0]->consumer = ports.fill->producer = &dram.component;
	component_wake(&driver.component);
	component_wake(&dram.component);
}

static inline void play(const struct script *script, uint32_t count)
{
	driver.script = script;
	driver.count = count;
	for (uint32_t i = 0; i < count; i++)
		driver.expected += !script[i].internal;
	stop = false;
	sim_run(sim, &stop, 1000 * UINT64_C(2000000));
	if (!stop)
		l2_print_state(slice, stderr);
	cr_assert(stop, "the slice never came to rest: %u of %u replies", driver.replies, driver.expected);
	cr_assert_eq(pool.live, 0, "a packet was lost");
	check_l2_balance(slice, sim_now(sim) / 1000);
}
#define PLAY(script) play(script, sizeof(script) / sizeof((script)[0]))

static uint64_t count(const char *name)
{
	char full[64];

	snprintf(full, sizeof(full), "l2.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

static inline void destroy(void)
{
	cr_assert_eq(count("accesses"),
		count("hits") + count("misses") + count("merged") + count("stores") + count("bypassed"));
	cr_assert_eq(count("accesses"),
		count("reads") + count("atomics") + count("stores") + count("bypassed_stores"));
	cr_assert_eq(count("accesses"), count("queue_delay::samples") + count("bypassed"));
	cr_assert_eq(count("entered"), count("accesses"));
	cr_assert_eq(count("fetches") + count("bypassed") - count("bypassed_stores"), dram.reads);
	cr_assert_eq(count("write_backs") + count("bypass_writes") + count("store_writes"), dram.writes);
	cr_assert_eq(count("fetches"), count("misses") + count("store_fetches"));
	cr_assert_eq(count("replies"), driver.replies);
	l2_free(slice);
	sim_free(sim);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

#define READ(cycle, where, n) \
	{ \
		.at = cycle, .kind = PACKET_READ, .local = where, .bytes = n \
	}
#define FULL_WRITE(cycle, where) \
	{ \
		.at = cycle, .kind = PACKET_WRITE, .local = where, .bytes = 128, .mask = { \
			UINT32_MAX, \
			UINT32_MAX, \
			UINT32_MAX, \
			UINT32_MAX \
		} \
	}
#define WORD_WRITE(cycle, where) \
	{ \
		.at = cycle, .kind = PACKET_WRITE, .local = where, .bytes = 32, .mask = { 0xf } \
	}
#define ATOMIC(cycle, where, back) \
	{ \
		.at = cycle, .kind = PACKET_ATOMIC, .local = where, .bytes = 32, .mask = { 0xf }, \
		.wants_data = back \
	}

#endif
