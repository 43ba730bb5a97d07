/* An L2 slice between a scripted crossbar and a DRAM of fixed latency: times at the cycle, each stall by name, byte
 * masks, write-back, and conservation under a random trace with every size at 1. All clocks run at 1 GHz. */
#include "memsys/l2.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define DRAM_LATENCY 20
#define MOST 4000

struct script { cycles at; uint8_t kind; addr local; uint16_t bytes; uint32_t mask[4]; bool no_source, wants_data; };

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
	cycles replied[MOST], blocked_until;
	uint16_t wire[MOST];
} driver;

/* The DRAM: holds `capacity` reads, answers each DRAM_LATENCY cycles after it came. */
static struct memory {
	struct component component;
	struct { struct packet *packet; cycles ready; } queue[64];
	uint32_t count, capacity, reads, writes;
	cycles blocked_until;
	struct packet first_write, last_read;
} dram;

static void drive(struct component *self, cycles now)
{
	struct packet *p;

	while (driver.next < driver.count && driver.script[driver.next].at <= now && port_room(ports.request)) {
		const struct script *s = &driver.script[driver.next];

		p = packet_new(&pool);
		p->kind = s->kind;
		p->local = s->local;
		p->address = s->local + 0x100000;
		p->bytes = s->bytes;
		p->source = s->no_source ? PACKET_NO_SOURCE : 5;
		p->wants_data = s->wants_data;
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
	stop = driver.next == driver.count && driver.replies == driver.expected && l2_is_idle(slice) && !dram.count;
}

static void work(struct component *self, cycles now)
{
	struct packet *p;

	if (dram.count && dram.queue[0].ready <= now && port_room(ports.fill)) {
		port_push(ports.fill, dram.queue[0].packet);
		memmove(dram.queue, dram.queue + 1, --dram.count * sizeof(dram.queue[0]));
	}
	if (port_is_empty(ports.dram) || dram.count >= dram.capacity || now < dram.blocked_until)
		return;
	p = port_pop(ports.dram);
	if (p->kind == PACKET_READ) {
		dram.reads++;
		dram.last_read = *p;
		dram.queue[dram.count].packet = p;
		dram.queue[dram.count++].ready = now + DRAM_LATENCY;
		return;
	}
	if (!dram.writes++)
		dram.first_write = *p;
	packet_free(p);
}

static struct l2_config config(void)
{
	return (struct l2_config){ .sets = 4, .ways = 2, .line = 128, .mshrs = 4, .mshr_merge = 2, .request_queue = 8,
		.reply_queue = 8, .dram_queue = 8, .fill_queue = 8, .rop_latency = 10, .hit_latency = 5, .port_bytes = 32,
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
	ports.dram->consumer = ports.fill->producer = &dram.component;
	component_wake(&driver.component);
	component_wake(&dram.component);
}

static void play(const struct script *script, uint32_t count)
{
	driver.script = script;
	driver.count = count;
	for (uint32_t i = 0; i < count; i++)
		driver.expected += !script[i].no_source;
	stop = false;
	sim_run(sim, &stop, 1000 * UINT64_C(2000000));
	if (!stop)
		l2_print_state(slice, stderr);
	cr_assert(stop, "the slice never came to rest: %u of %u replies", driver.replies, driver.expected);
	cr_assert_eq(pool.live, 0, "a packet was lost");
}
#define PLAY(script) play(script, sizeof(script) / sizeof((script)[0]))

static uint64_t count(const char *name)
{
	char full[64];

	snprintf(full, sizeof(full), "l2.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

static void destroy(void)
{
	cr_assert_eq(count("accesses"), count("hits") + count("misses") + count("merged") + count("stores"));
	cr_assert_eq(count("accesses"), count("reads") + count("atomics") + count("stores"));
	cr_assert_eq(count("accesses"), count("queue_delay::samples"));
	cr_assert_eq(count("fetches"), count("misses"));
	cr_assert_eq(count("replies"), driver.replies);
	l2_free(slice);
	sim_free(sim);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

#define READ(cycle, where, n) { .at = cycle, .kind = PACKET_READ, .local = where, .bytes = n }
#define FULL_WRITE(cycle, where) { .at = cycle, .kind = PACKET_WRITE, .local = where, .bytes = 128, \
	.mask = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX } }
#define WORD_WRITE(cycle, where) { .at = cycle, .kind = PACKET_WRITE, .local = where, .bytes = 32, .mask = { 0xf } }
#define ATOMIC(cycle, where, back) { .at = cycle, .kind = PACKET_ATOMIC, .local = where, .bytes = 32, .mask = { 0xf }, \
	.wants_data = back }

/* Look-up at 0 + rop 10 = 10; in DRAM 10..30; drained at 31; 128 bytes leave at 31 + 5 + 4 - 1. */
Test(l2, a_miss_and_a_hit_take_the_cycles_of_their_path)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100, 0, 128), READ(200, 32, 32) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 39);
	cr_assert_eq(driver.replied[1], 100 + 10 + 5 + 3);
	cr_assert_eq(driver.replied[2], 200 + 10 + 5, "32 bytes need the port once");
	cr_assert_eq(driver.wire[0], 136);
	cr_assert_eq(driver.wire[2], 40);
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(count("misses"), 1);
	cr_assert_eq(count("queue_delay::max"), 0);
	cr_assert_eq(dram.last_read.address, 0x100000);
	destroy();
}

Test(l2, an_idle_slice_does_not_tick)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100000, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_leq(sim_ticks(sim, PHASE_L2), 20, "%u ticks", (unsigned)sim_ticks(sim, PHASE_L2));
	destroy();
}

/* Two hits together: the second is looked up when the port has moved the first one's 4 x 32 bytes. */
Test(l2, the_data_port_makes_hits_queue)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(100, 0, 128), READ(100, 0, 128), READ(100, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 10 + 5 + 3);
	cr_assert_eq(driver.wire[0], 8);
	cr_assert_eq(driver.replied[1], 118);
	cr_assert_eq(driver.replied[2], 122);
	cr_assert_eq(driver.replied[3], 126);
	cr_assert_eq(count("stalls::data_port"), 6, "the second and the third wait 3 cycles each at the head");
	cr_assert_eq(count("queue_delay::max"), 8);
	cr_assert_eq(count("data_port_cycles"), 16);
	destroy();
}

Test(l2, a_store_makes_no_fetch_and_a_read_of_the_rest_does)
{
	static const struct script script[] = { WORD_WRITE(0, 0), READ(50, 0, 32), READ(150, 0, 32), READ(200, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("stores"), 1);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("partial_misses"), 2);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("fetch_bytes"), 32 + 96, "first the sector with the word, then the other three");
	cr_assert_eq(dram.last_read.local, 32);
	destroy();
}

Test(l2, a_full_sector_that_was_written_is_read_back_without_dram)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(50, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(dram.reads, 0);
	destroy();
}

Test(l2, a_dirty_victim_writes_its_dirty_sectors_and_nothing_else)
{
	static const struct script script[] = { WORD_WRITE(0, 512), READ(50, 512, 128), READ(100, 1024, 128), READ(150, 1536, 128),
		READ(200, 2048, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(dram.writes, 1);
	cr_assert_eq(dram.first_write.local, 512);
	cr_assert_eq(dram.first_write.address, 0x100000 + 512);
	cr_assert_eq(dram.first_write.bytes, 32, "the fetch kept the dirty word dirty, and only that");
	cr_assert_eq(dram.first_write.byte_mask[0], 0xf);
	cr_assert_eq(count("evictions"), 2);
	cr_assert_eq(count("stalls::write_back"), 1);
	cr_assert_eq(driver.replied[3] - 150, 40, "one cycle more than a miss with a clean victim");
	cr_assert_eq(driver.replied[4] - 200, 39);
	destroy();
}

/* Atomics in the unit for 3 cycles: replies 3 later than a read's, one after the other. */
Test(l2, an_atomic_fetches_its_sector_and_occupies_the_unit)
{
	static const struct script script[] = { ATOMIC(0, 0, true), ATOMIC(100, 0, false), ATOMIC(100, 0, true) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 31 + 5 + 3);
	cr_assert_eq(driver.replied[1], 110 + 5 + 3);
	cr_assert_eq(driver.replied[2], 113 + 5 + 3);
	cr_assert_eq(driver.wire[1], 8, "nobody wants the old value");
	cr_assert_eq(driver.wire[2], 40);
	cr_assert_eq(count("fetch_bytes"), 32);
	cr_assert_eq(count("stalls::atomic_unit"), 2);
	cr_assert_eq(count("atomic_unit_cycles"), 9);
	destroy();
}

Test(l2, requests_for_a_line_in_flight_merge_or_fetch_other_sectors)
{
	static const struct script script[] = { READ(0, 0, 32), READ(0, 0, 32), READ(0, 32, 32), READ(0, 32, 32) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("merged"), 2);
	cr_assert_eq(count("fetch_bytes"), 64);
	cr_assert_eq(count("merge_depth::max"), 2);
	destroy();
}

Test(l2, mshr_merge_entry_is_what_a_third_request_lacks)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 0, 128), READ(0, 0, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	/* at the head from 12; the line is there from 31, the port busy with the first until 35, with the second until 39 */
	cr_assert_eq(count("stalls::mshr_merge_entry"), 31 - 12);
	cr_assert_eq(count("stalls::data_port"), 39 - 31);
	cr_assert_eq(count("hits"), 1);
	destroy();
}

Test(l2, mshr_entry_is_what_a_fetch_lacks_until_one_is_answered)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 128, 128) };
	struct l2_config c = config();

	c.mshrs = 1;
	build(&c);
	PLAY(script);
	cr_assert_eq(count("stalls::mshr_entry"), 31 - 11);
	cr_assert_eq(driver.replied[1], 31 + 20 + 1 + 8);
	destroy();
}

Test(l2, line_alloc_is_what_a_fetch_lacks_when_its_set_is_reserved)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 512, 128), READ(0, 1024, 128) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("stalls::line_alloc"), 31 - 12);
	destroy();
}

Test(l2, dram_queue_is_what_a_fetch_lacks_while_the_channel_takes_nothing)
{
	static const struct script script[] = { READ(0, 0, 128), READ(0, 128, 128) };
	struct l2_config c = config();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 60;
	PLAY(script);
	cr_assert_eq(count("stalls::dram_queue"), 61 - 11, "room at 60 is seen by the slice, which comes before, at 61");
	destroy();
}

Test(l2, reply_queue_is_what_a_hit_lacks_while_the_crossbar_takes_nothing)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(50, 0, 32), READ(50, 0, 32), READ(50, 0, 32), READ(50, 0, 32) };
	struct l2_config c = config();

	c.reply_queue = 1;
	c.hit_latency = 1;              /* so two can be between look-up and reply queue */
	build(&c);
	driver.blocked_until = 200;
	PLAY(script);
	cr_assert_gt(count("stalls::reply_queue"), 100);
	cr_assert_eq(driver.replies, 5);
	destroy();
}

Test(l2, a_request_without_source_gets_no_reply)
{
	static const struct script script[] = { { .kind = PACKET_WRITE, .local = 0, .bytes = 32, .mask = { 0xf }, .no_source = true },
		READ(50, 0, 32) };
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replies, 1);
	cr_assert_eq(count("stores"), 1);
	destroy();
}

static struct script trace[MOST];

static void random_trace(const struct l2_config *c, uint32_t channel, uint32_t seed)
{
	cycles at = 0;

	srand(seed);
	for (uint32_t i = 0; i < MOST; i++) {
		struct script *s = &trace[i];
		uint32_t sector = (uint32_t)rand() % 4, kind = (uint32_t)rand() % 10;

		at += (cycles)(rand() % 8 == 0 ? rand() % 60 : 0);
		*s = (struct script){ .at = at, .local = (addr)(rand() % 40) * 128, .bytes = 128 };
		s->kind = kind < 6 ? PACKET_READ : kind < 9 ? PACKET_WRITE : PACKET_ATOMIC;
		s->wants_data = rand() % 2;
		if (rand() % 2) {
			s->bytes = 32;
			s->local += s->kind == PACKET_READ ? sector * 32 : 0;
		}
		if (s->kind != PACKET_READ)
			for (uint32_t w = 0; w < 4; w++)
				if (s->bytes == 128 || w == sector)
					s->mask[w] = rand() % 2 ? UINT32_MAX : 0xf0u << rand() % 8;
		s->no_source = s->kind == PACKET_WRITE && rand() % 8 == 0;
	}
	build(c);
	dram.capacity = channel;
	play(trace, MOST);
	cr_assert_eq(count("accesses"), MOST);
	cr_assert_eq(count("fetches"), dram.reads);
	cr_assert_eq(count("write_backs"), dram.writes);
	destroy();
}

Test(l2, every_request_that_enters_leaves_with_small_sizes_and_defaults)
{
	struct l2_config c = config();

	random_trace(&c, 32, 1);
	random_trace(&c, 1, 2);
	c = (struct l2_config){ .sets = 64, .ways = 16, .line = 128, .mshrs = 32, .mshr_merge = 8, .request_queue = 8,
		.reply_queue = 8, .dram_queue = 8, .fill_queue = 8, .rop_latency = 120, .hit_latency = 8, .port_bytes = 64,
		.atomic_cycles = 9 };
	random_trace(&c, 32, 3);
}

Test(l2, every_request_that_enters_leaves_with_everything_of_size_1)
{
	struct l2_config c = { .sets = 1, .ways = 1, .line = 128, .mshrs = 1, .mshr_merge = 1, .request_queue = 1,
		.reply_queue = 1, .dram_queue = 1, .fill_queue = 1, .rop_latency = 1, .hit_latency = 1, .port_bytes = 1,
		.atomic_cycles = 1 };

	random_trace(&c, 1, 4);
	c.port_bytes = 128;
	random_trace(&c, 1, 5);
	c.mshrs = 4;                    /* several fetches for the one line */
	random_trace(&c, 2, 6);
}

/* A sectored L1 asks for a line's sectors by mask, at the address of the line. */
Test(l2, a_read_by_mask_needs_the_sectors_of_the_mask)
{
	static const struct script script[] = {
		{ .at = 0, .kind = PACKET_READ, .local = 0, .bytes = 64, .mask = { UINT32_MAX, 0, 0, UINT32_MAX } },
		{ .at = 100, .kind = PACKET_WRITE, .local = 128, .bytes = 32, .mask = { 0, 0, 0, UINT32_MAX } },
		{ .at = 200, .kind = PACKET_READ, .local = 128, .bytes = 32, .mask = { 0, 0, 0, UINT32_MAX } },
		{ .at = 300, .kind = PACKET_READ, .local = 128, .bytes = 64, .mask = { 0, 0, UINT32_MAX, UINT32_MAX } },
	};
	struct l2_config c = config();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.wire[0], 72, "two sectors come back");
	cr_assert_eq(count("hits"), 1, "the sector that was written");
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(dram.last_read.bytes, 32, "only what lacked");
	cr_assert_eq(dram.last_read.local, 128 + 64);
	destroy();
}
