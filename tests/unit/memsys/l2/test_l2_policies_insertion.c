/* tests/unit/memsys/l2/test_l2_policies_insertion.c -- insertion at the L2 by a policy, and random traffic.
 * */
#include "tests/unit/memsys/l2/l2_policies_rig.h"

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
