/* A request's requester reaches the L2, DRAM, the reply and the events of both caches unchanged.
 *
 * The way: an L1, an L2 slice, and a DRAM that answers at once; the test carries packets between their ports.
 */
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include <criterion/criterion.h>
#include <string.h>

static const struct partition_map map = { .partitions = 1, .interleave = 256 };
static const struct cache_config l1_config = { .enabled = true,
	.sets = 1,
	.ways = 1,
	.line = 128,
	.mshrs = 2,
	.mshr_merge = 2,
	.miss_queue = 4,
	.hit_latency = 18 };
static const struct l2_config l2_config = { .sets = 1,
	.ways = 1,
	.line = 128,
	.mshrs = 2,
	.mshr_merge = 2,
	.request_queue = 4,
	.reply_queue = 4,
	.dram_queue = 4,
	.fill_queue = 4,
	.rop_latency = 10,
	.hit_latency = 5,
	.port_bytes = 32,
	.atomic_cycles = 3 };
static const struct requester first = { .sm = 3,
	.warp = 7,
	.cta = 70000,
	.launch = 2,
	.uop_index = 11,
	.lanes = 0xf0f0,
	.issued = 4243 },
			      second = { .sm = 3,
				      .warp = 9,
				      .cta = 70001,
				      .launch = 3,
				      .uop_index = 12,
				      .lanes = 0x1,
				      .issued = 5001 };

/* The events of one cache. */
struct heard {
	struct access_event access;
	struct fill_event fill;
	struct eviction_event eviction;
	struct requester served;
};

static struct simulator *sim;
static struct stat_tree *stats;
static struct packet_pool pool;
static struct port miss_queue;
static struct cache *l1;
static struct l2_slice *l2;
static struct l2_ports l2_port;
static struct heard at_l1, at_l2;
static struct packet fetch, reply, write_back; /* copies of those that passed last */

static void on_access(void *user, const struct access_event *e)
{
	((struct heard *)user)->access = *e;
}

static void on_fill(void *user, const struct fill_event *e)
{
	((struct heard *)user)->fill = *e;
}

static void on_eviction(void *user, const struct eviction_event *e)
{
	((struct heard *)user)->eviction = *e;
}

static void on_served(void *user, const struct requester *by, cycles waited, picoseconds since_sent)
{
	((struct heard *)user)->served = *by;
}

#define LISTENER(heard) \
	{ \
		.user = &(heard), .accessed = on_access, .filled = on_fill, .evicted = on_eviction, \
		.served = on_served \
	}
static struct cache_listener l1_listener = LISTENER(at_l1), l2_listener = LISTENER(at_l2);

static void build(void)
{
	sim = sim_new((uint64_t[CLOCK_COUNT]){ 1000000, 1000000, 1000000, 1000000 });
	stats = stat_tree_new();
	packet_pool_init(&pool);
	port_init(&miss_queue, l1_config.miss_queue, NULL, NULL);
	l1 = cache_new(&l1_config, &map, &miss_queue, &pool, 3, UNIT_L1_DATA, stats, "sm.l1d");
	l2 = l2_new(sim, &l2_config, 0, stats);
	l2_port = l2_ports(l2);
	cache_listen(l1, &l1_listener);
	l2_listen(l2, &l2_listener);
}

static void destroy(void)
{
	port_fini(&miss_queue);
	cr_assert_eq(pool.live, 0, "a packet was lost");
	cache_free(l1);
	l2_free(l2);
	sim_free(sim);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

static void answer_dram(void)
{
	struct packet *p = port_pop(l2_port.dram[0]);

	cr_assert(p->is_internal, "what an L2 slice sends to DRAM is no request of an SM");
	if (p->kind == PACKET_WRITE) {
		write_back = *p;
		packet_free(p);
		return;
	}
	fetch = *p;
	port_push(l2_port.fill, p);
}

static void take_reply(void)
{
	struct packet *p = port_pop(l2_port.reply);
	uint32_t tokens[2];

	reply = *p;
	if (p->kind == PACKET_READ && !p->uncached)
		cache_fill(l1, p, tokens);
	packet_free(p);
}

/* Carries packets between the ports until nothing moves any more. */
static void run(void)
{
	bool stop = false;

	for (bool moved = true; moved; sim_run(sim, &stop, SIM_NEVER)) {
		moved = true;
		if (!port_is_empty(&miss_queue))
			port_push(l2_port.request, port_pop(&miss_queue));
		else if (!port_is_empty(l2_port.dram[0]))
			answer_dram();
		else if (!port_is_empty(l2_port.reply))
			take_reply();
		else
			moved = false;
	}
	cr_assert(l2_is_idle(l2) && cache_is_idle(l1));
}

static void access_line(uint8_t kind, addr line, const struct requester *by)
{
	struct cache_request r = { .kind = kind, .bytes = 128, .line = line, .by = *by };

	if (kind == PACKET_WRITE)
		memset(r.byte_mask, 0xff, sizeof(r.byte_mask));
	cr_assert_not(cache_is_failure(cache_access(l1, &r, sim_now(sim))));
	run();
}

static bool is(const struct requester *a, const struct requester *b)
{
	return a->sm == b->sm && a->warp == b->warp && a->cta == b->cta && a->launch == b->launch &&
		a->uop_index == b->uop_index && a->lanes == b->lanes && a->issued == b->issued;
}

Test(requester, is_the_same_at_dram_in_the_reply_and_in_the_events_of_both_caches)
{
	build();
	access_line(PACKET_READ, 1024, &first);
	cr_assert(is(&at_l1.access.by, &first));
	cr_assert(is(&at_l1.fill.by, &first));
	cr_assert(is(&at_l2.access.by, &first));
	cr_assert(is(&at_l2.served, &first));
	cr_assert(is(&at_l2.fill.by, &first));
	cr_assert(is(&fetch.by, &first), "the fetch has the requester that caused it");
	cr_assert(is(&reply.by, &first));
	cr_assert_not(reply.is_internal);
	cr_assert_eq(reply.route, first.sm);
	destroy();
}

Test(requester, of_an_eviction_are_who_brought_the_line_in_and_who_drives_it_out)
{
	build();
	access_line(PACKET_READ, 1024, &first);
	access_line(PACKET_READ, 2048, &second);
	cr_assert(is(&at_l1.eviction.owner, &first));
	cr_assert(is(&at_l1.eviction.by, &second));
	cr_assert(is(&at_l2.eviction.owner, &first));
	cr_assert(is(&at_l2.eviction.by, &second));
	destroy();
}

Test(requester, of_a_store_reaches_the_l2_and_its_acknowledgement_but_not_the_write_back)
{
	build();
	access_line(PACKET_WRITE, 1024, &first);
	cr_assert(is(&at_l2.access.by, &first));
	cr_assert(is(&reply.by, &first));
	access_line(PACKET_READ, 2048, &second);
	cr_assert_eq(write_back.kind, PACKET_WRITE);
	cr_assert(is(&write_back.by, &(struct requester){ .sm = REQUESTER_NO_SM }));
	destroy();
}

Test(requester, the_sectors_of_an_uncached_load_are_those_of_its_mask)
{
	struct cache_request r = {
		.kind = PACKET_READ, .bytes = 64, .line = 1024, .uncached = true, .by = first
	};

	build();
	r.byte_mask[1] = r.byte_mask[3] = UINT32_MAX;
	cr_assert_not(cache_is_failure(cache_access(l1, &r, sim_now(sim))));
	run();
	cr_assert_eq(at_l2.access.sectors, 0xa);
	cr_assert_eq(reply.bytes, 64);
	destroy();
}
