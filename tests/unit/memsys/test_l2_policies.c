/* The L2's slots, bypass and insertion, under policies made for the purpose; and random traffic under odd
 * sizes and such policies: everything drains and adds up, and requests for one line are served in order, but
 * for reads among themselves. */
#include "memsys/insertion/insertion.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/warp_type/classifier.h"
#include "tests/unit/memsys/l2_rig.h"
#include "tests/unit/hang_guard.h"

/* ---- bypass: the requests of warp 7 go past ---- */

struct seven {
	struct l2_bypass base;
};
static uint64_t heard[L2_OUTCOME_COUNT], shadow_hits, evicted_lines, asked;
static bool is_ordered, random_bypass;
static uint32_t last_token[64], last_write[64]; /* by line: of the last request looked up, and of the last
						   that writes; plus 1 */

static bool seven_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	asked++;
	p->warp_type = p->warp_type ? p->warp_type : 3;
	return random_bypass ? p->warp_type >= WARP_MOSTLY_MISS : p->by.warp == 7;
}

static void seven_looked_up(
	struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, bool shadow_hit, cycles now)
{
	uint32_t line = p->local / 128 % 64, token = p->token + 1;
	bool writes = p->kind != PACKET_READ;

	heard[outcome]++;
	shadow_hits += shadow_hit;
	is_ordered = is_ordered && token > (writes ? last_token : last_write)[line];
	last_token[line] = token > last_token[line] ? token : last_token[line];
	last_write[line] = writes ? token : last_write[line];
}

static void seven_evicted(void *policy, const struct eviction_event *event)
{
	evicted_lines++;
}

static const struct l2_bypass_class seven = { .name = "seven",
	.size = sizeof(struct seven),
	.wants_shadow = true,
	.decide = seven_decide,
	.looked_up = seven_looked_up,
	.l2.evicted = seven_evicted };

static struct l2_bypass *prototype;

static struct l2_config bypassing(void)
{
	struct l2_config c = config();

	prototype = policy_blank(&l2_bypass_interface, &seven.policy);
	c.bypass = prototype;
	memset(heard, 0, sizeof(heard));
	memset(last_token, 0, sizeof(last_token));
	memset(last_write, 0, sizeof(last_write));
	shadow_hits = evicted_lines = asked = 0;
	is_ordered = true;
	return c;
}

/* So many lines went because a store bypassed them. */
static void end_invalidated(uint64_t lines)
{
	cr_assert_eq(heard[L2_HIT], count("hits"));
	cr_assert_eq(heard[L2_MISS], count("misses"));
	cr_assert_eq(heard[L2_MERGED], count("merged"));
	cr_assert_eq(heard[L2_STORE_HIT], count("store_hits"));
	cr_assert_eq(heard[L2_STORE_HIT] + heard[L2_STORE_MISS], count("stores"));
	cr_assert_eq(heard[L2_BYPASSED], count("bypassed"));
	cr_assert_eq(evicted_lines, count("evictions") + lines);
	cr_assert_eq(asked, count("entered"), "each request is asked about once");
	cr_assert(is_ordered, "requests for one line overtook each other");
	destroy();
	policy_prototype_free(prototype);
}

static void end(void)
{
	end_invalidated(0);
}

#define READ_BY(cycle, who, where, n) \
	{ \
		.at = cycle, .kind = PACKET_READ, .local = where, .bytes = n, .warp = who \
	}

/* At DRAM in the cycle after its arrival, back at 22, a cycle later at the reply port. */
Test(l2_policies, a_read_that_bypasses_skips_rop_and_bank_and_fills_nothing)
{
	static const struct script script[] = { READ_BY(0, 7, 0, 128), READ_BY(50, 7, 0, 128),
		READ_BY(100, 1, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 23);
	cr_assert_eq(driver.wire[0], 136);
	cr_assert_eq(driver.replied[1], 73, "again from DRAM");
	cr_assert_eq(driver.replied[2], 139, "the normal path of a miss");
	cr_assert_eq(count("bypassed"), 2);
	cr_assert_eq(count("bypass_read_bytes"), 256);
	cr_assert_eq(count("misses"), 1);
	cr_assert_eq(shadow_hits, 2, "had nothing bypassed, the second and third would have hit");
	cr_assert_eq(
		dram.last_read.warp_type, 3, "a fetch carries the type that the policy gave its request");
	cr_assert_eq(dram.last_read.by.warp, 1, "and the warp");
	cr_assert_eq(dram.last_read.by.sm, 5, "and the SM");
	end();
}

Test(l2_policies, a_line_that_is_dirty_is_used)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("bypass_refused::dirty"), 1);
	cr_assert_eq(dram.reads, 0);
	end();
}

/* The store is still in the ROP pipeline when the read enters. */
Test(l2_policies, nothing_overtakes_a_request_for_its_line)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(1, 7, 0, 128),
		READ_BY(2, 7, 128, 32) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("bypassed"), 1);
	cr_assert_eq(count("bypass_refused::entered"), 1);
	cr_assert_eq(driver.replied[2], 2 + 23, "another line can");
	end();
}

Test(l2_policies, a_line_on_its_way_is_waited_for)
{
	static const struct script script[] = { READ_BY(0, 1, 0, 128), READ_BY(15, 7, 0, 128) };
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("merged"), 1);
	cr_assert_eq(dram.reads, 1);
	cr_assert_eq(count("bypass_refused::in_flight"), 1);
	end();
}

/* The line is fetched by warp 1. Then warp 7 reads it from DRAM, warp 1 finds it, warp 7 writes it to DRAM,
 * and warp 1 must fetch it anew. */
static const struct script clean_line[] = { READ_BY(0, 1, 0, 128), READ_BY(100, 7, 0, 128),
	READ_BY(200, 1, 0, 128),
	{ .at = 300, .kind = PACKET_WRITE, .local = 0, .bytes = 32, .mask = { 0xf }, .warp = 7 },
	READ_BY(400, 1, 0, 128) };

Test(l2_policies, a_clean_line_is_bypassed_and_a_store_invalidates_it)
{
	struct l2_config c = bypassing();

	build(&c);
	PLAY(clean_line);
	cr_assert_eq(driver.replied[1], 123);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("misses"), 2);
	cr_assert_eq(count("bypassed"), 2);
	cr_assert_eq(count("bypassed_present"), 2);
	cr_assert_eq(count("bypass_invalidations"), 1);
	cr_assert_eq(dram.reads, 3);
	end_invalidated(1);
}

Test(l2_policies, a_clean_line_is_used_if_the_configuration_says_so)
{
	struct l2_config c = bypassing();

	prototype->clean_lines = false;
	build(&c);
	PLAY(clean_line);
	cr_assert_eq(count("hits"), 3);
	cr_assert_eq(count("bypassed"), 0);
	cr_assert_eq(count("bypass_refused::clean"), 2);
	end();
}

Test(l2_policies, stores_do_not_bypass_if_the_configuration_says_so)
{
	struct l2_config c = bypassing();

	prototype->stores = false;
	build(&c);
	PLAY(clean_line);
	cr_assert_eq(count("bypassed"), 1, "the read");
	cr_assert_eq(count("store_hits"), 1);
	cr_assert_eq(count("bypass_refused::store"), 1);
	end();
}

/* DRAM takes nothing until 200. Two reads of warp 7 wait for it, one in each queue; behind them the hit of
 * warp 1 is answered, and so is that of warp 2, but for the line that waits: its store must not come before
 * the read. */
Test(l2_policies, a_bypass_that_waits_does_not_hold_up_a_hit_of_another_line)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 128, 32),
		READ_BY(50, 7, 256, 32), READ_BY(60, 1, 0, 128), FULL_WRITE(70, 256) };
	struct l2_config c = bypassing();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 200;
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_lt(driver.replied[3], 90, "%u", (unsigned)driver.replied[3]);
	cr_assert_gt(driver.replied[4], 200, "behind the read of its line");
	cr_assert_gt(count("bypass_order_wait"), 100);
	end();
}

Test(l2_policies, a_full_bypass_queue_holds_up_what_is_behind)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ_BY(50, 7, 128, 32),
		READ_BY(50, 7, 256, 32), READ_BY(50, 7, 512, 32), READ_BY(60, 1, 0, 128) };
	struct l2_config c = bypassing();

	c.dram_queue = c.bypass_queue = 1;
	build(&c);
	dram.blocked_until = 200;
	PLAY(script);
	cr_assert_gt(driver.replied[4], 200);
	end();
}

Test(l2_policies, a_store_that_bypasses_is_written_to_dram_and_acknowledged)
{
	static const struct script script[] = {
		{ .kind = PACKET_WRITE, .local = 128, .bytes = 64, .mask = { 0xf, 0, 0xf, 0 }, .warp = 7 },
		{ .at = 50,
			.kind = PACKET_WRITE,
			.local = 128,
			.bytes = 32,
			.mask = { 0xf },
			.warp = 7,
			.internal = true }
	};
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[0], 2);
	cr_assert_eq(driver.wire[0], 8);
	cr_assert_eq(dram.writes, 3, "a packet for each run of sectors");
	cr_assert_eq(dram.first_write.local, 128);
	cr_assert_eq(dram.first_write.bytes, 32);
	cr_assert_eq(count("bypass_write_bytes"), 96);
	cr_assert_eq(count("bypassed_stores"), 2);
	cr_assert_eq(count("posted"), 1);
	end();
}

Test(l2_policies, an_atomic_never_bypasses)
{
	static const struct script script[] = {
		{ .kind = PACKET_ATOMIC, .local = 0, .bytes = 32, .mask = { 0xf }, .warp = 7 }
	};
	struct l2_config c = bypassing();

	build(&c);
	PLAY(script);
	cr_assert_eq(count("atomics"), 1);
	cr_assert_eq(count("bypass_refused::atomic"), 1);
	end();
}

/* DRAM takes nothing until 60: its queue of one is full, the second bypass waits in the bypass queue. */
Test(l2_policies, a_bypass_waits_for_a_place_in_the_queue_to_dram)
{
	static const struct script script[] = { READ_BY(0, 7, 0, 32), READ_BY(0, 7, 128, 32) };
	struct l2_config c = bypassing();

	c.dram_queue = 1;
	build(&c);
	dram.blocked_until = 60;
	PLAY(script);
	cr_assert_eq(driver.replied[0], 60 + 22);
	cr_assert_eq(driver.replied[1], 61 + 22);
	cr_assert_eq(count("request_queue_time"), 1, "one enters in a cycle");
	cr_assert_eq(count("bypass_time"), 1 + 61);
	end();
}

/* ---- insertion ---- */

static uint64_t evicted_by_tag[INSERTION_TAGS];

static const struct policy_class *insertion_named(const char *name)
{
	for (uint32_t i = 0; insertion_interface.classes[i]; i++)
		if (!strcmp(insertion_interface.classes[i]->name, name))
			return insertion_interface.classes[i];
	cr_assert_fail("no such policy");
	return NULL;
}

static struct insertion *placing;

static struct l2_config inserting(const struct policy_class *class, uint32_t ways)
{
	struct l2_config c = config();

	placing = policy_blank(&insertion_interface, class);
	c.insertion = placing;
	c.sets = 1;
	c.ways = ways;
	memset(evicted_by_tag, 0, sizeof(evicted_by_tag));
	return c;
}

static void end_inserting(void)
{
	destroy();
	policy_prototype_free(placing);
}

/* Two ways: lines 0, 1, then 2 in the place of one of them; which of them is still there? */
static const struct script third_line[] = { READ(0, 0, 32), READ(50, 128, 32), READ(100, 256, 32),
	READ(150, 0, 32) };

Test(l2_policies, a_line_inserted_as_mru_stays_and_the_oldest_goes)
{
	struct l2_config c = inserting(insertion_named("mru"), 2);

	build(&c);
	PLAY(third_line);
	cr_assert_eq(count("hits"), 0);
	end_inserting();
}

Test(l2_policies, a_line_inserted_as_lru_goes_first)
{
	struct l2_config c = inserting(insertion_named("lru"), 2);

	build(&c);
	PLAY(third_line);
	cr_assert_eq(count("hits"), 1, "line 1 went, line 0 stayed");
	end_inserting();
}

Test(l2_policies, a_hit_moves_a_line_inserted_as_lru_to_the_front)
{
	static const struct script script[] = { READ(0, 0, 32), READ(50, 128, 32), READ(100, 128, 32),
		READ(150, 256, 32), READ(200, 128, 32) };
	struct l2_config c = inserting(insertion_named("lru"), 2);

	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 2);
	end_inserting();
}

/* A pass over five lines in four ways: under LRU none would ever hit; BIP keeps some. */
Test(l2_policies, bip_keeps_part_of_a_loop_that_does_not_fit)
{
	static struct script script[200];
	struct l2_config c = inserting(insertion_named("bip"), 4);

	for (uint32_t i = 0; i < 200; i++)
		script[i] = (struct script)READ(i * 50, i % 5 * 128, 32);
	*(uint32_t *)((char *)placing + insertion_named("bip")->params[0].offset) = 32;
	build(&c);
	PLAY(script);
	cr_assert_gt(count("hits"), 100);
	cr_assert_eq(count("insertion.bip.at_mru"), count("misses") / 32);
	end_inserting();
}

/* One set of two ways. Line 1 enters as LRU and is replaced by 2; 1 comes back as MRU, and so stays when 3
 * replaces a line; 0, which was there before, would have stayed under LIP. */
Test(l2_policies, eaf_keeps_a_line_that_came_back)
{
	static const struct script script[] = { READ(0, 0, 32), READ(50, 128, 32), READ(100, 256, 32),
		READ(150, 128, 32), READ(200, 384, 32), READ(250, 128, 32) };
	struct l2_config c = inserting(insertion_named("eaf"), 2);

	*(uint32_t *)((char *)placing + insertion_named("eaf")->params[2].offset) = 1000;
	build(&c);
	PLAY(script);
	cr_assert_eq(count("hits"), 1);
	cr_assert_eq(count("insertion.eaf.high_reuse"), 1);
	cr_assert_eq(count("insertion.eaf.added"), count("evictions"));
	end_inserting();
}

static struct insertion_choice by_warp(struct insertion *i, const struct packet *p, cycles now)
{
	return (struct insertion_choice){ .position = TAGS_MRU, .tag = (uint8_t)p->by.warp };
}

static void low_first(void *policy)
{
	struct insertion *i = policy;

	for (uint8_t tag = 0; tag < INSERTION_TAGS; tag++)
		i->rank[tag] = tag;
}

static void note_tag(void *policy, const struct eviction_event *event)
{
	const struct insertion *i = policy;

	evicted_by_tag[i->line_tag[event->line_index]]++;
}

static const struct insertion_class ranked = { .name = "ranked",
	.size = sizeof(struct insertion),
	.ranks = true,
	.init = low_first,
	.place = by_warp,
	.l2.evicted = note_tag };

Test(l2_policies, lines_of_the_lowest_rank_go_first_and_the_oldest_among_equals)
{
	static const struct script script[] = { READ_BY(0, 2, 0, 32), READ_BY(50, 1, 128, 32),
		READ_BY(100, 1, 256, 32), READ_BY(150, 2, 384, 32), READ_BY(200, 3, 512, 32),
		READ_BY(250, 1, 256, 32), READ_BY(300, 1, 128, 32), READ_BY(350, 1, 0, 32) };
	struct l2_config c = inserting(&ranked.policy, 4);

	build(&c);
	PLAY(script);
	/* 512 took the place of 128, tag 1, though 0 was older; 256 hits; 128 takes the place of 256, tag 1;
	 * 0 hits */
	cr_assert_eq(count("hits"), 2);
	cr_assert_eq(evicted_by_tag[1], 2);
	cr_assert_eq(evicted_by_tag[2], 0);
	end_inserting();
}

Test(l2_policies, ranks_need_ages)
{
	struct l2_config c = inserting(&ranked.policy, 4);
	char message[256];

	cr_assert(l2_config_check(&c, message, sizeof(message)), "%s", message);
	c.ways = 64;
	cr_assert_not(l2_config_check(&c, message, sizeof(message)));
	cr_assert(strstr(message, "ranked"));
	policy_prototype_free(placing);
}

/* ---- random traffic ---- */

static struct script trace[MOST];

static void make_trace(uint32_t lines, uint32_t pause)
{
	cycles at = 0;

	for (uint32_t i = 0; i < MOST; i++) {
		struct script *s = &trace[i];
		uint32_t sector = (uint32_t)rand() % 4, kind = (uint32_t)rand() % 10;

		at += (cycles)(rand() % 8 == 0 ? (uint32_t)rand() % pause : 0);
		*s = (struct script){ .at = at,
			.local = (addr)((uint32_t)rand() % lines) * 128,
			.bytes = 128,
			.warp = (uint16_t)(rand() % 3 ? rand() % 4 : 7),
			.collisions = (uint8_t)(rand() % 33) };
		s->kind = kind < 6 ? PACKET_READ : kind < 9 ? PACKET_WRITE : PACKET_ATOMIC;
		s->wants_data = rand() % 2;
		if (rand() % 2) {
			s->bytes = 32;
			s->local += s->kind == PACKET_READ ? sector * 32 : 0;
		}
		if (s->kind != PACKET_READ)
			for (uint32_t w = 0; w < 4; w++)
				if (w == sector || (s->bytes == 128 && rand() % 2))
					s->mask[w] = rand() % 2 ? UINT32_MAX : 0xf0u << rand() % 8;
		s->internal = s->kind == PACKET_WRITE && rand() % 8 == 0;
	}
}

static uint32_t one_of(uint32_t a, uint32_t b, uint32_t c)
{
	return (uint32_t[]){ a, b, c }[rand() % 3];
}

static struct l2_config random_config(void)
{
	struct l2_config c = bypassing();

	c.sets = one_of(1, 3, 8);
	c.ways = one_of(1, 2, 5);
	c.mshrs = one_of(1, 2, 16);
	c.mshr_merge = one_of(1, 2, 4);
	c.request_queue = one_of(1, 2, 8);
	c.reply_queue = one_of(1, 3, 8);
	c.dram_queue = one_of(1, 2, 8);
	c.fill_queue = one_of(1, 2, 8);
	c.rop_latency = one_of(1, 3, 20);
	c.hit_latency = one_of(1, 2, 9);
	c.input_width = one_of(1, 2, 3);
	c.banks = one_of(1, 3, 8);
	c.bank_ports = one_of(1, 2, 3);
	c.bank_queue = one_of(1, 2, 8);
	c.lookup_cycles = one_of(1, 3, 10);
	c.bypass_queue = one_of(1, 2, 8);
	prototype->clean_lines = rand() % 2;
	prototype->stores = rand() % 4;
	c.arbitration = (uint32_t)rand() % 2;
	c.units = (uint32_t)rand() % 2;
	c.port_bytes = one_of(1, 32, 128);
	c.fetch = (uint32_t)rand() % 2;
	c.atomic_collision_cycles = one_of(0, 1, 3);
	c.bank_shift = one_of(7, 8, 12);
	c.write_back = (uint32_t)rand() % 2;
	c.store_miss = c.dram_queue > 1 ? (uint32_t)rand() % 2 : L2_STORE_ALLOCATES;
	c.miss_places = one_of(1, 1, c.dram_queue);
	c.store_miss_places = c.dram_queue;
	if (rand() % 2)
		c.bypass = NULL;
	return c;
}

/* Types that follow from few requests, so that they change often. */
static struct classifier *random_types(void)
{
	const struct policy_class *class = classifier_interface.classes[1];
	struct classifier *types = policy_blank(&classifier_interface, class);

	for (const struct sim_param *p = class->params; p->type; p++)
		if (!strcmp(p->name, "warmup"))
			*(uint32_t *)((char *)types + p->offset) = one_of(0, 3, 10);
		else if (!strcmp(p->name, "mostly_miss"))
			*(double *)((char *)types + p->offset) = 0.6;
		else if (!strcmp(p->name, "window"))
			*(uint32_t *)((char *)types + p->offset) = (uint32_t)rand() % 2;
		else if (!strcmp(p->name, "interval"))
			*(uint64_t *)((char *)types + p->offset) = one_of(10, 100, 1000);
	return types;
}

static const struct policy_class *random_insertion(void)
{
	static const char *const names[] = { "lru", "bip", "wip", "wip_position", "wip_rank", "eaf" };

	return rand() % 3 ? insertion_named(names[rand() % 6]) : &ranked.policy;
}

static void try_one(uint32_t seed)
{
	struct l2_config c;
	struct insertion *policy;
	struct classifier *types;

	srand(seed);
	c = random_config();
	c.sms = 8;
	c.warps = 8;
	policy = policy_blank(&insertion_interface, random_insertion());
	types = random_types();
	c.insertion = rand() % 3 ? policy : NULL;
	c.classifier = rand() % 3 ? types : NULL;
	random_bypass = c.classifier && rand() % 2;
	make_trace(one_of(5, 20, 60), one_of(2, 30, 200));
	build(&c);
	dram.capacity = one_of(1, 3, 32);
	play(trace, MOST);
	cr_assert_eq(count("accesses"), MOST, "seed %u", seed);
	cr_assert_eq(pool.live, 0);
	cr_assert(is_ordered, "seed %u: requests for one line overtook each other", seed);
	if (c.bypass)
		cr_assert_eq(asked, MOST);
	destroy();
	policy_prototype_free(policy);
	policy_prototype_free(types);
	policy_prototype_free(prototype);
}

Test(l2_policies, every_request_leaves_whatever_the_sizes_and_policies, HANG_GUARD)
{
	for (uint32_t seed = 1; seed <= 60; seed++)
		try_one(seed);
}
