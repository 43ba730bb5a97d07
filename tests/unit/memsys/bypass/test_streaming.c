/* Streaming bypass, by hand: the rule at the ends of its periods, the L1's policy on a cache, the L2's in a
 * slice. */
#include "memsys/bypass/bypass.h"
#include "memsys/index/index.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/streaming.h"
#include "tests/unit/memsys/l2/l2_rig.h"
#include <math.h>

/* ---- the rule ---- */

static struct streaming rule_of(uint64_t period, double miss_rate)
{
	return (struct streaming){ .period = period, .miss_rate = miss_rate };
}

/* reads of one cycle, of which so many miss. */
static void reads(struct streaming *s, cycles now, uint32_t count, uint32_t misses)
{
	for (uint32_t i = 0; i < count; i++) {
		streaming_is_closed(s, now);
		streaming_measured(s, i < misses);
	}
}

Test(streaming,
	a_cache_is_closed_at_the_end_of_a_period_above_the_threshold_and_opened_at_that_of_one_that_is_not)
{
	struct streaming s = rule_of(10000, 90);

	reads(&s, 0, 5, 5);
	reads(&s, 9999, 5, 5);
	cr_assert_not(streaming_is_closed(&s, 9999));
	cr_assert(streaming_is_closed(&s, 10000), "10 of 10 have missed");
	reads(&s, 10000, 10, 10);
	cr_assert(streaming_is_closed(&s, 19999));
	cr_assert(streaming_is_closed(&s, 20000), "and again");
	reads(&s, 20000, 100, 91);
	cr_assert(streaming_is_closed(&s, 30000), "91 % is above 90 %");
	reads(&s, 30000, 10, 9);
	cr_assert(streaming_is_closed(&s, 39999));
	cr_assert_not(streaming_is_closed(&s, 40000), "90 % is not");
	reads(&s, 40000, 10, 9);
	cr_assert_not(streaming_is_closed(&s, 50000));
	cr_assert_eq(s.closed, 1);
	cr_assert_eq(s.opened, 1);
	cr_assert_eq(s.periods, 5);
	cr_assert_eq(s.periods_closed, 3);
	cr_assert_eq(s.measured, 140);
	cr_assert_eq(s.measured_misses, 10 + 10 + 91 + 9 + 9);
	streaming_sync_stats(&s, 50001);
	cr_assert_eq(s.cycles_closed, 30000);
}

/* Nobody asks in three periods, and in part of the fourth. */
Test(streaming, a_period_without_reads_changes_nothing)
{
	struct streaming s = rule_of(10000, 90);

	reads(&s, 3, 1, 1);
	cr_assert(streaming_is_closed(&s, 45000), "closed at 10000");
	cr_assert_eq(s.periods, 4);
	cr_assert_eq(s.periods_closed, 3);
	streaming_sync_stats(&s, 45007);
	cr_assert_eq(s.cycles_closed, 35007);
	streaming_sync_stats(&s, 45007);
	cr_assert_eq(s.cycles_closed, 35007);
	reads(&s, 45008, 2, 0);
	cr_assert(streaming_is_closed(&s, 49999),
		"periods end at multiples of their length, whenever somebody asks");
	cr_assert_not(streaming_is_closed(&s, 95000), "opened at 50000");
	cr_assert_eq(s.periods, 9);
	cr_assert_eq(s.periods_closed, 4);
	streaming_sync_stats(&s, 95001);
	cr_assert_eq(s.cycles_closed, 40000);
}

Test(streaming, settling_in_between_changes_no_decision)
{
	struct streaming often = rule_of(100, 50), never = rule_of(100, 50);

	srand(3);
	for (cycles now = 0; now < 20000; now += (cycles)(rand() % 150)) {
		uint32_t misses = (uint32_t)rand() % 5;

		streaming_sync_stats(&often, now);
		cr_assert_eq(streaming_is_closed(&often, now), streaming_is_closed(&never, now));
		reads(&often, now, 4, misses);
		reads(&never, now, 4, misses);
		streaming_sync_stats(&often, now + 1);
	}
	streaming_sync_stats(&often, 21000);
	streaming_sync_stats(&never, 21000);
	cr_assert_gt(often.closed, 10);
	cr_assert_eq(often.cycles_closed, never.cycles_closed);
	cr_assert_eq(often.cycles_closed, 100 * often.periods_closed);
	cr_assert_eq(memcmp(&often, &never, sizeof(often)), 0);
}

Test(streaming, a_threshold_of_100_percent_never_closes_and_one_of_0_closes_at_any_miss)
{
	struct streaming never = rule_of(10, 100), at_once = rule_of(10, 0);

	reads(&never, 0, 4, 4);
	cr_assert_not(streaming_is_closed(&never, 10));
	reads(&at_once, 0, 100, 1);
	cr_assert(streaming_is_closed(&at_once, 10));
	reads(&at_once, 10, 100, 0);
	cr_assert_not(streaming_is_closed(&at_once, 20));
}

/* ---- the L1's policy: what core/lsu/lsu_path.c does with it, on a cache of 32 sets of two ways ---- */

static const struct partition_map partitions = { .partitions = 6, .interleave = 256 };
static struct packet_pool l1_pool;
static struct port l1_out;
static struct stat_tree *l1_stats;
static struct cache *l1;
static struct bypass *policy, *l1_prototype;

static const struct policy_class *bypass_named(const char *name)
{
	for (uint32_t i = 0; bypass_interface.classes[i]; i++)
		if (!strcmp(bypass_interface.classes[i]->name, name))
			return bypass_interface.classes[i];
	cr_assert_fail("no such policy");
	return NULL;
}

static void build_l1(void)
{
	static const struct cache_config c = { .enabled = true,
		.sets = 32,
		.ways = 2,
		.line = 128,
		.mshrs = 8,
		.mshr_merge = 8,
		.miss_queue = 8,
		.hit_latency = 18 };
	const struct policy_class *class = bypass_named("stream");

	packet_pool_init(&l1_pool);
	port_init(&l1_out, c.miss_queue, NULL, NULL);
	l1_stats = stat_tree_new();
	l1 = cache_new(&c, &partitions, &l1_out, &l1_pool, 0, UNIT_L1_DATA, l1_stats, "sm.l1d");
	l1_prototype = policy_blank(&bypass_interface, class);
	config_defaults(class->params, l1_prototype);
	policy = bypass_new(l1_prototype, 0, l1, NULL, "");
	stat_register(l1_stats, "sm.stream", 0, class->stats, policy, class->size);
}

static void destroy_l1(void)
{
	port_fini(&l1_out);
	cr_assert_eq(l1_pool.live, 0, "a packet was lost");
	policy_free(policy);
	policy_prototype_free(l1_prototype);
	cache_free(l1);
	stat_tree_free(l1_stats);
	packet_pool_fini(&l1_pool);
}

static uint64_t l1_count(const char *name)
{
	double value = stat_value(l1_stats, NULL, name);

	cr_assert(!isnan(value), "%s", name);
	return (uint64_t)value;
}

/* A read of the line with this number, offered once. */
static enum cache_outcome offer(uint32_t number, cycles now)
{
	struct cache_request r = { .kind = PACKET_READ, .bytes = 128, .line = (addr)number * 128 };
	enum cache_outcome outcome;

	r.uncached = r.bypassed = policy->class->before(policy, &r, now);
	outcome = cache_access(l1, &r, 0);
	if (!cache_is_failure(outcome))
		policy->class->gone(policy, &r, outcome, now);
	return outcome;
}

/* All that is in the miss queue is answered. */
static void answer_l1(void)
{
	uint32_t tokens[8];

	while (l1_out.count) {
		struct packet *p = port_pop(&l1_out);

		if (!p->uncached)
			cache_fill(l1, p, tokens);
		packet_free(p);
	}
}

/* count different lines, all missing, from this cycle on, one a cycle. */
static void stream_past(uint32_t first, uint32_t lines, cycles now)
{
	for (uint32_t i = 0; i < lines; i++) {
		offer(first + i, now + i);
		answer_l1();
	}
}

Test(streaming, an_l1_is_closed_at_10000_and_opened_at_20000)
{
	build_l1();
	stream_past(0, 40, 0);
	cr_assert_eq(offer(1000, 9999), CACHE_MISS, "the last cycle of the first period");
	answer_l1();
	cr_assert_eq(offer(1001, 10000), CACHE_SENT, "41 of 41 have missed");
	cr_assert_eq(offer(1000, 10001), CACHE_SENT, "all reads go past, also of lines that are here");
	answer_l1();
	/* 2 measured so far, one a miss; eight more that the tags know */
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(offer(1001, 10100 + i), CACHE_SENT);
	answer_l1();
	cr_assert_eq(offer(1001, 19999), CACHE_SENT);
	answer_l1();
	cr_assert_eq(
		offer(1000, 20000), CACHE_HIT, "2 of 11: open, and what was fetched before is still here");
	cr_assert_eq(offer(1001, 20001), CACHE_MISS, "what has gone past was never fetched");
	cr_assert_eq(offer(1001, 20002), CACHE_MERGED);
	answer_l1();
	cr_assert_eq(offer(1001, 20003), CACHE_HIT);
	cr_assert_eq(l1_count("sm.stream.closed"), 1);
	cr_assert_eq(l1_count("sm.stream.opened"), 1);
	cr_assert_eq(l1_count("sm.stream.bypassed"), 11);
	cr_assert_eq(l1_count("sm.stream.measured"), 41 + 11 + 4);
	cr_assert_eq(l1_count("sm.stream.measured_misses"), 41 + 1 + 1);
	cr_assert_eq(l1_count("sm.l1d.tag_only_hits"), 10);
	cr_assert_eq(l1_count("sm.l1d.tag_only_misses"), 1);
	cr_assert_eq(l1_count("sm.l1d.misses"), 42);
	destroy_l1();
}

/* Of ten reads nine miss and one is merged: 90 %. If it were a miss, the L1 would be closed. */
Test(streaming, a_read_of_a_line_in_flight_is_no_miss)
{
	build_l1();
	stream_past(0, 8, 0);
	cr_assert_eq(offer(8, 20), CACHE_MISS);
	cr_assert_eq(offer(8, 21), CACHE_MERGED);
	answer_l1();
	cr_assert_eq(offer(9, 10000), CACHE_MISS);
	answer_l1();
	destroy_l1();
}

/* The miss queue of 8 is full: the read is refused three times, and goes at the fourth. */
Test(streaming, a_read_that_is_refused_is_measured_once_when_it_goes)
{
	build_l1();
	stream_past(0, 10, 0);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(offer(100 + i, 10000), CACHE_SENT);
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(offer(200, 10010 + i), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(l1_count("sm.stream.measured"), 18);
	cr_assert_eq(l1_count("sm.l1d.tag_only_misses"), 8);
	answer_l1();
	cr_assert_eq(offer(200, 10020), CACHE_SENT);
	cr_assert_eq(l1_count("sm.stream.measured"), 19);
	cr_assert_eq(l1_count("sm.l1d.tag_only_misses"), 9, "its tag entered once, and was not there before");
	cr_assert_eq(l1_count("sm.l1d.tag_only_hits"), 0);
	answer_l1();
	destroy_l1();
}

/* Refused at 19999, when the L1 is closed; at 20000 it is open. And the other way round at 30000. */
Test(streaming, a_read_that_tries_again_goes_by_what_holds_then)
{
	build_l1();
	stream_past(0, 10, 0);
	for (uint32_t i = 0; i < 8; i++)
		offer(5, 19990 + i);
	cr_assert_eq(offer(5, 19999), CACHE_MISS_QUEUE_FULL);
	cr_assert_eq(offer(5, 20000), CACHE_HIT, "fetched in the first period");
	answer_l1();
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(offer(300 + i, 29990), CACHE_MISS);
	cr_assert_eq(offer(400, 29999), CACHE_MSHR_ENTRY_FAIL);
	cr_assert_eq(offer(400, 30000), CACHE_MSHR_ENTRY_FAIL, "8 of 9 is 89 %: still open");
	answer_l1();
	stream_past(500, 20, 30000);
	for (uint32_t i = 0; i < 8; i++)
		offer(600 + i, 39990);
	cr_assert_eq(offer(700, 39999), CACHE_MSHR_ENTRY_FAIL);
	answer_l1();
	cr_assert_eq(offer(700, 40000), CACHE_SENT);
	answer_l1();
	cr_assert_eq(l1_count("sm.stream.measured"), 10 + 8 + 1 + 8 + 28 + 1);
	destroy_l1();
}

/* Another policy sends a read past the open L1 after it was refused: the L1 has no say. */
Test(streaming, a_read_that_another_policy_sends_past_is_not_measured)
{
	struct cache_request r = { .kind = PACKET_READ, .bytes = 128, .uncached = true, .bypassed = true };

	build_l1();
	cr_assert_not(policy->class->before(policy, &r, 5));
	cr_assert_eq(cache_access(l1, &r, 0), CACHE_SENT);
	policy->class->gone(policy, &r, CACHE_SENT, 5);
	cr_assert_eq(l1_count("sm.stream.measured"), 0);
	cr_assert_eq(l1_count("sm.l1d.tag_only_misses"), 0);
	answer_l1();
	destroy_l1();
}

/* ---- the L2's policy: a slice of 4 sets of two ways; L2 cycles are ns here ---- */

static struct l2_bypass *l2_prototype;

static struct l2_config streaming_slice(const char *period)
{
	struct l2_config c = config();
	struct config *from = config_new();
	struct diag_list diags;
	char text[64];

	diag_init(&diags);
	snprintf(text, sizeof(text), "l2.bypass.stream.period=%s", period);
	cr_assert(config_set(from, "l2.bypass.policy=stream", &diags));
	cr_assert(config_set(from, text, &diags));
	cr_assert(config_set(from, "l2.bypass.clean_lines=false", &diags));
	c.bypass = l2_prototype = policy_read(&l2_bypass_interface, from, "l2.bypass", &diags);
	cr_assert_eq(diags.errors, 0);
	config_free(from);
	diag_fini(&diags);
	return c;
}

static void end(void)
{
	cr_assert_eq(count("bypass.stream.bypassed"), count("bypassed") - count("bypassed_stores"));
	cr_assert_eq(count("bypass.stream.measured"), count("reads"));
	destroy();
	policy_prototype_free(l2_prototype);
}

/* An open slice answers a miss after 39 cycles, a hit after 10 + 5 + 4; a closed one a read after 23
 * (test_l2_policies.c). */
Test(streaming, a_slice_is_closed_at_1000_and_opened_at_2000)
{
	static const struct script script[] = { READ(0, 0, 128), READ(100, 128, 128),
		READ(200, 256, 128),      /* three misses */
		READ(999 - 10, 384, 128), /* a fourth, looked up at 999 */
		READ(1000, 512, 128), READ(1100, 512, 128), READ(1200, 512, 128), READ(1300, 384, 128),
		READ(1400, 1024, 128), READ(1999, 512, 128), READ(2000, 512, 128), READ(2100, 512, 128) };
	struct l2_config c = streaming_slice("1000");
	cycles hit;

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[2], 200 + 39);
	cr_assert_eq(driver.replied[4], 1000 + 23, "4 of 4 have missed");
	cr_assert_eq(driver.replied[5], 1100 + 23, "again from DRAM, though the shadow knows the line");
	cr_assert_eq(driver.replied[6], 1200 + 23);
	hit = driver.replied[7] - 1300;
	cr_assert_lt(hit, 23, "what the slice holds it serves: %u", (unsigned)hit);
	cr_assert_eq(driver.replied[9], 1999 + 23, "the last cycle of the second period");
	cr_assert_eq(driver.replied[10], 2000 + 39, "2 of 6: open; the line was never fetched");
	cr_assert_eq(driver.replied[11], 2100 + hit);
	cr_assert_eq(count("bypass_refused::clean"), 1);
	cr_assert_eq(count("bypass.stream.closed"), 1);
	cr_assert_eq(count("bypass.stream.opened"), 1);
	cr_assert_eq(count("bypass.stream.periods_closed"), 1);
	cr_assert_eq(count("bypass.stream.bypassed"), 5);
	cr_assert_eq(count("bypass.stream.measured_misses"), 4 + 2);
	end();
}

/* Entered at 995, when the slice is open, and looked up at 1005: on the normal path, measured in the second
 * period. */
Test(streaming, a_read_between_entry_and_look_up_keeps_its_way_and_counts_in_the_period_of_its_look_up)
{
	static const struct script script[] = { READ(0, 0, 128), READ(995, 128, 128), READ(1500, 128, 128),
		READ(2500, 256, 128), READ(3500, 384, 128) };
	struct l2_config c = streaming_slice("1000");

	build(&c);
	PLAY(script);
	cr_assert_eq(driver.replied[1], 995 + 39);
	cr_assert_eq(count("hits"), 1, "1500: in the slice, closed as it is");
	cr_assert_eq(driver.replied[3], 2500 + 39, "1 of 2, that at 1005 and that at 1500: open");
	cr_assert_eq(driver.replied[4], 3500 + 23, "1 of 1");
	end();
}

/* A store and an atomic have misses of their own in the first period; but one read hits. In the second,
 * closed after all reads missed, the store goes past and the atomic does not; both enter their lines in the
 * shadow. */
Test(streaming, stores_and_atomics_enter_the_shadow_but_are_not_measured)
{
	static const struct script script[] = { FULL_WRITE(0, 0), READ(100, 0, 128), FULL_WRITE(200, 128),
		FULL_WRITE(300, 256), ATOMIC(400, 384, false), READ(1100, 4096, 128), FULL_WRITE(2100, 8192),
		READ(2200, 8192, 128), ATOMIC(2300, 9344, false), READ(2400, 9344, 32), READ(3100, 0, 32) };
	struct l2_config c = streaming_slice("1000");

	build(&c);
	PLAY(script);
	cr_assert_eq(count("bypassed_stores"), 1, "that at 2100 alone");
	cr_assert_eq(count("bypass.stream.measured"), 5);
	cr_assert_eq(count("bypass.stream.measured_misses"), 2, "1100, 3100: 8192 and 9344 were there");
	cr_assert_eq(count("bypass_refused::dirty"), 1, "2400: its line is here, by the atomic");
	cr_assert_eq(count("bypass.stream.closed"), 1);
	cr_assert_eq(count("bypass.stream.opened"), 1);
	end();
}

/* ---- the shadow is of the slice's kind ---- */

static uint32_t pric_of(void)
{
	uint32_t i = 0;

	while (strcmp(index_names[i], "pric"))
		i++;
	return i;
}

/* Lines 0, 16, 32 .. 240 of a slice of 16 sets of one way: all in set 0 by their lowest bits, each in another
 * by x^4 + x + 1. */
static const struct script sixteen_lines[] = { READ(0, 0, 128), READ(50, 2048, 128), READ(100, 4096, 128),
	READ(150, 6144, 128), READ(200, 8192, 128), READ(250, 10240, 128), READ(300, 0, 128),
	READ(350, 2048, 128), READ(400, 4096, 128), READ(450, 6144, 128), READ(500, 8192, 128),
	READ(550, 10240, 128) };

Test(streaming, the_shadow_has_the_set_index_of_the_slice)
{
	for (int hashed = 0; hashed < 2; hashed++) {
		struct l2_config c = streaming_slice("100000");

		c.sets = 16;
		c.ways = 1;
		c.index = hashed ? pric_of() : INDEX_LINEAR;
		build(&c);
		PLAY(sixteen_lines);
		cr_assert_eq(count("hits"), hashed ? 6 : 0);
		cr_assert_eq(count("bypass.stream.measured_misses"), hashed ? 6 : 12, "as in the slice");
		end();
	}
}

/* Lines 0, 128, 0, 256, 0 in one set of two ways: under LRU the last hits, under FIFO it has gone. */
Test(streaming, the_shadow_has_the_replacement_of_the_slice)
{
	static const struct script script[] = { READ(0, 0, 128), READ(50, 128, 128), READ(100, 0, 128),
		READ(150, 256, 128), READ(200, 0, 128) };

	for (uint32_t replace = 0; replace < 2; replace++) {
		struct l2_config c = streaming_slice("100000");

		c.sets = 1;
		c.replace = replace;
		build(&c);
		PLAY(script);
		cr_assert_eq(count("bypass.stream.measured_misses"), replace ? 4 : 3);
		cr_assert_eq(count("misses"), replace ? 4 : 3);
		end();
	}
}
