/* Observers of MeDiC's and WarpPool's figures on traces worked by hand. */
#include "memsys/observe/delays.h"
#include "memsys/observe/executed.h"
#include "memsys/observe/instructions.h"
#include "memsys/observe/requests.h"
#include "memsys/observe/warps.h"
#include "sim/event/packet.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void tell(struct cache_listener *l, struct requester by, addr line, enum access_outcome outcome,
	picoseconds now)
{
	l->accessed(l->user,
		&(struct access_event){ .now = now,
			.by = by,
			.line = line,
			.outcome = (uint8_t)outcome,
			.kind = outcome == ACCESS_STORE ? PACKET_WRITE : PACKET_READ });
}

static double value(const struct stat_tree *tree, const char *name)
{
	return stat_value(tree, NULL, name);
}

/* ---- warps: a clock of 1 GHz, intervals of 100 cycles, so 100 000 ps ---- */

static const struct warps_config warps = { true, 100, 4, 0.7, 0.2 };

static void requests(struct cache_listener *l, struct requester by, int hits, int misses, picoseconds now)
{
	while (hits-- > 0)
		tell(l, by, 0, ACCESS_HIT, now);
	while (misses-- > 0)
		tell(l, by, 0, misses % 2 ? ACCESS_MERGED : ACCESS_MISS, now);
}

Test(warp_observer, cuts_intervals_judges_and_writes_rows)
{
	struct stat_tree *tree = stat_tree_new();
	struct warp_observer *o = warp_observer_new(&warps, 2, 4, 1000000, tree);
	struct cache_listener *l = warp_observer_listener(o, 0, 1);
	struct requester a = { .sm = 1, .warp = 2, .cta = 7, .launch = 1, .lanes = 1 };
	struct requester b = { .sm = 0, .warp = 3, .cta = 8, .launch = 1, .lanes = 1 };
	struct requester other = { .sm = 1, .warp = 2, .cta = 9, .launch = 1, .lanes = 1 };
	struct requester code = { .sm = 0, .warp = 0, .launch = 1 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	warp_observer_open(o, file);
	requests(l, a, 4, 0, 0);            /* interval 0: all_hit */
	requests(l, b, 0, 3, 99999);        /* too few: stays balanced */
	tell(l, a, 0, ACCESS_STORE, 99999); /* none of these counts */
	tell(l, a, 0, ACCESS_REFUSED, 99999);
	tell(l, code, 0, ACCESS_HIT, 99999);
	requests(l, a, 3, 1, 100000);     /* interval 1 begins with its first edge: mostly_hit, 0.75 */
	requests(l, a, 1, 3, 350000);     /* interval 3: balanced; nothing in 2 */
	requests(l, other, 1, 5, 360000); /* the slot's next warp: mostly_miss */
	warp_observer_idle(o);
	warp_observer_open(o, NULL);
	fclose(file);
	cr_assert_str_eq(text,
		"interval,until_cycle,sm,slot,warp,launch,cta,requests,hits,hit_ratio,type\n"
		"0,100,0,3,2,1,8,3,0,0.000000,balanced\n"
		"0,100,1,2,1,1,7,4,4,1.000000,all_hit\n"
		"1,200,1,2,1,1,7,4,3,0.750000,mostly_hit\n"
		"3,400,1,2,1,1,7,4,1,0.250000,balanced\n"
		"3,400,1,2,3,1,9,6,1,0.166667,mostly_miss\n");
	cr_assert_eq(value(tree, "observe.warps.requests"), 21);
	cr_assert_eq(value(tree, "observe.warps.hits"), 9);
	cr_assert_eq(value(tree, "observe.warps.warps"), 3);
	cr_assert_eq(value(tree, "observe.warps.warps_of_least"), 2);
	cr_assert_eq(value(tree, "observe.warps.types::balanced"), 1); /* a: 8 of 12 */
	cr_assert_eq(value(tree, "observe.warps.types::mostly_miss"), 1);
	cr_assert_eq(value(tree, "observe.warps.ratios::60-70"), 1);
	cr_assert_eq(value(tree, "observe.warps.ratios::10-20"), 1);
	cr_assert_eq(value(tree, "observe.warps.changes::all_hit_to_mostly_hit"), 1);
	cr_assert_eq(value(tree, "observe.warps.changes::mostly_hit_to_balanced"), 1);
	cr_assert_eq(value(tree, "observe.warps.changes::total"), 4);
	cr_assert_eq(value(tree, "observe.warps.samples"), 2);
	cr_assert_eq(value(tree, "observe.warps.kept"), 0);
	cr_assert_eq(value(tree, "observe.warps.drifts::20-40"), 1);  /* 1 to 0.75 */
	cr_assert_eq(value(tree, "observe.warps.drifts::40-100"), 1); /* 0.75 to 0.25 */
	free(text);
	warp_observer_free(o);
	stat_tree_free(tree);
}

/* An interval with too few requests gives no type, so the next one does not count as a change from it. */
Test(warp_observer, the_first_type_of_a_warp_is_no_sample)
{
	struct stat_tree *tree = stat_tree_new();
	struct warp_observer *o = warp_observer_new(&warps, 1, 1, 1000000, tree);
	struct cache_listener *l = warp_observer_listener(o, 0, 1);
	struct requester a = { .launch = 1, .lanes = 1 };

	requests(l, a, 1, 0, 0);
	requests(l, a, 9, 1, 100000);
	requests(l, a, 19, 1, 200000); /* 0.9 to 0.95: still mostly_hit */
	warp_observer_idle(o);
	cr_assert_eq(value(tree, "observe.warps.samples"), 1);
	cr_assert_eq(value(tree, "observe.warps.kept"), 1);
	cr_assert_eq(value(tree, "observe.warps.drifts::0-5"), 1);
	warp_observer_free(o);
	stat_tree_free(tree);
}

/* The timing of launch 1 ends, by a limit for example, while launch 2 is under way. */
Test(warp_observer, warps_end_with_their_launch)
{
	struct stat_tree *tree = stat_tree_new();
	struct warp_observer *o = warp_observer_new(&warps, 1, 4, 1000000, tree);
	struct cache_listener *l = warp_observer_listener(o, 0, 1);

	requests(l, (struct requester){ .warp = 0, .launch = 1, .lanes = 1 }, 5, 0, 0);
	requests(l, (struct requester){ .warp = 1, .launch = 2, .lanes = 1 }, 0, 5, 0);
	requests(l, (struct requester){ .warp = 2, .launch = 1, .lanes = 1 }, 1, 0, 0);
	warp_observer_end(o, 1);
	cr_assert_eq(value(tree, "observe.warps.warps"), 2);
	cr_assert_eq(value(tree, "observe.warps.warps_of_least"), 1);
	cr_assert_eq(value(tree, "observe.warps.types::all_hit"), 1);
	warp_observer_end(o, 2);
	cr_assert_eq(value(tree, "observe.warps.warps"), 3);
	cr_assert_eq(value(tree, "observe.warps.types::all_miss"), 1);
	warp_observer_free(o);
	stat_tree_free(tree);
}

Test(warp_observer, types_at_their_thresholds)
{
	static const struct {
		int hits, misses;
		const char *type;
	} cases[] = { { 10, 0, "all_hit" }, { 7, 3, "mostly_hit" }, { 69, 31, "balanced" },
		{ 21, 79, "balanced" }, { 2, 8, "mostly_miss" }, { 0, 10, "all_miss" } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct stat_tree *tree = stat_tree_new();
		struct warp_observer *o = warp_observer_new(&warps, 1, 1, 1000000, tree);
		char name[64];

		requests(warp_observer_listener(o, 0, 1), (struct requester){ .launch = 1, .lanes = 1 },
			cases[i].hits, cases[i].misses, 5);
		warp_observer_idle(o);
		snprintf(name, sizeof(name), "observe.warps.types::%s", cases[i].type);
		cr_assert_eq(value(tree, name), 1, "%d hits, %d misses are not %s", cases[i].hits,
			cases[i].misses, cases[i].type);
		warp_observer_free(o);
		stat_tree_free(tree);
	}
}

Test(warp_observer, thresholds_must_not_meet)
{
	char message[128];

	cr_assert(warps_config_check(&warps, message, sizeof(message)));
	cr_assert_not(
		warps_config_check(&(struct warps_config){ true, 1, 1, 0.5, 0.5 }, message, sizeof(message)));
}

/* ---- requests ---- */

Test(request_observer, counts_each_level_and_distances)
{
	struct stat_tree *tree = stat_tree_new();
	struct request_observer *o = request_observer_new(0, tree);
	struct request_router router = { &o, 1 };
	struct cache_listener *l1 = request_observer_l1(o), l2;
	struct requester four = { .lanes = 0xf, .launch = 1 }, nobody = { .sm = 0xffff };
	char *text, *line;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	request_router_listener(&router, &l2);
	tell(l1, four, 0x000, ACCESS_MISS, 0);    /* never before */
	tell(l1, four, 0x080, ACCESS_MISS, 0);    /* never before */
	tell(l1, four, 0x080, ACCESS_REFUSED, 0); /* no request yet */
	tell(l1, four, 0x080, ACCESS_MERGED, 0);  /* distance 1 */
	tell(l1, four, 0x000, ACCESS_HIT, 0);     /* distance 3 */
	tell(l1, four, 0x000, ACCESS_STORE, 0);   /* no load */
	tell(&l2, four, 0x000, ACCESS_MISS, 0);
	tell(&l2, four, 0x080, ACCESS_HIT, 0);
	tell(&l2, nobody, 0x080, ACCESS_MISS, 0);
	l2.evicted(l2.user, &(struct eviction_event){ .is_dirty = true, .owner = four });
	l2.evicted(l2.user, &(struct eviction_event){ .is_dirty = false, .owner = four });
	cr_assert_eq(value(tree, "observe.requests.lanes"), 20);
	cr_assert_eq(value(tree, "observe.requests.lines"), 5);
	cr_assert_eq(value(tree, "observe.requests.to_l2"), 3);
	cr_assert_eq(value(tree, "observe.requests.dram_reads"), 1);
	cr_assert_eq(value(tree, "observe.requests.dram_writes"), 1);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_coalescer"), 0.25, 1e-12);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_l1"), 0.15, 1e-12);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_l2"), 0.1, 1e-12);
	cr_assert_eq(value(tree, "observe.requests.distances::1"), 1);
	cr_assert_eq(value(tree, "observe.requests.distances::2"), 0);
	cr_assert_eq(value(tree, "observe.requests.distances::3"), 1);
	cr_assert_eq(value(tree, "observe.requests.distances::beyond"), 2);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_window_0"), 1, 1e-12);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_window_8"), 0.5, 1e-12);
	request_observers_write(&o, 1, file);
	fclose(file);
	line = strstr(text, "\n0,");
	cr_assert(!strncmp(line, "\n0,4,1.000000\n1,3,0.750000\n2,3,0.750000\n3,2,0.500000\n4,2,", 57),
		"%.80s", line);
	cr_assert(strstr(text, "\n128,2,0.500000\n"));
	free(text);
	request_observer_free(o);
	stat_tree_free(tree);
}

Test(request_observer, the_window_ends_after_128_requests)
{
	struct stat_tree *tree = stat_tree_new();
	struct request_observer *o = request_observer_new(0, tree);
	struct requester by = { .lanes = 1, .launch = 1 };

	for (int round = 0; round < 2; round++) /* 128 lines over and over: each at distance 128 */
		for (addr line = 0; line < 128; line++)
			tell(request_observer_l1(o), by, line * 128, ACCESS_HIT, 0);
	cr_assert_eq(value(tree, "observe.requests.distances::128"), 128);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_window_120"), 1, 1e-12);
	cr_assert_float_eq(value(tree, "observe.requests.left_by_window_128"), 0.5, 1e-12);
	for (int round = 0; round < 2; round++) /* 129: each at 129, too far */
		for (addr line = 0; line < 129; line++)
			tell(request_observer_l1(o), by, 0x100000 + line * 128, ACCESS_HIT, 0);
	cr_assert_eq(value(tree, "observe.requests.distances::128"), 128);
	cr_assert_eq(value(tree, "observe.requests.distances::beyond"), 128 + 2 * 129);
	request_observer_free(o);
	stat_tree_free(tree);
}

Test(request_observer, waiting_instructions_are_weighted_by_time)
{
	struct stat_tree *tree = stat_tree_new();
	struct request_observer *o = request_observer_new(0, tree);

	request_observer_waiting(o, 0, true, 10);
	request_observer_waiting(o, 3, true, 14);  /* 4 cycles with none */
	request_observer_sync_stats(o, 16);        /* 2 with three ... */
	request_observer_waiting(o, 1, true, 20);  /* ... 4 more */
	request_observer_waiting(o, 0, false, 30); /* 10 with one; then nobody is there */
	request_observer_waiting(o, 2, true, 100);
	cr_assert_eq(value(tree, "observe.requests.waiting::samples"), 20);
	cr_assert_float_eq(value(tree, "observe.requests.waiting::mean"), (6 * 3 + 10) / 20.0, 1e-12);
	cr_assert_eq(value(tree, "observe.requests.waiting::2-3"), 6);
	cr_assert_eq(value(tree, "observe.requests.crowded_cycles"), 6);
	request_observer_free(o);
	stat_tree_free(tree);
}

/* ---- delays ---- */

Test(delay_observer, buckets_are_one_cycle_then_a_sixteenth_of_a_doubling)
{
	cr_assert_eq(delay_bucket(0), 0);
	cr_assert_eq(delay_bucket(31), 31);
	cr_assert_eq(delay_bucket(32), delay_bucket(33));
	cr_assert_neq(delay_bucket(33), delay_bucket(34));
	for (uint64_t d = 0; d < 100000; d++) {
		uint32_t b = delay_bucket(d);

		cr_assert(delay_bucket_low(b) <= d && d < delay_bucket_low(b + 1), "%llu is not in bucket %u",
			(unsigned long long)d, b);
	}
	cr_assert_eq(delay_bucket_low(delay_bucket(UINT64_MAX)), UINT64_C(31) << 59);
}

/* A clock of 1 GHz, a ROP latency of 20 cycles: a request that was sent 30 ns ago has taken 10 cycles. */
Test(delay_observer, writes_the_distributions)
{
	struct stat_tree *tree = stat_tree_new();
	struct delay_observer *o = delay_observer_new(1, 1000000, 20, tree);
	struct cache_listener *l = delay_observer_listener(o, 0);
	struct requester by = { 0 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	l->served(l->user, &by, 0, 30000);
	l->served(l->user, &by, 0, 30999);
	l->served(l->user, &by, 5, 35000);
	l->served(l->user, &by, 65, 120000);
	delay_observer_write(o, DELAY_AT_L2, file);
	delay_observer_write(o, DELAY_FROM_SM, file);
	fclose(file);
	cr_assert_str_eq(text,
		"least,most,requests,share,cumulative\n0,0,2,0.500000,0.500000\n5,5,1,0.250000,0.750000\n"
		"64,67,1,0.250000,1.000000\n"
		"least,most,requests,share,cumulative\n10,10,2,0.500000,0.500000\n15,15,1,0.250000,0.750000\n"
		"100,103,1,0.250000,1.000000\n");
	cr_assert_eq(value(tree, "observe.queue_delay.at_l2::mean"), 17.5);
	cr_assert_eq(value(tree, "observe.queue_delay.from_sm::mean"), 33.75);
	free(text);
	delay_observer_free(o);
	stat_tree_free(tree);
}

/* ---- instructions ---- */

/* Kernel k: micro-operations 1 and 2 are of line 11, 3 is of line 12. Warps a and b of launch 1, and c of
 * launch 2 in the slot of a. */
Test(instruction_observer, loads_and_hit_ratios_of_warps_by_line)
{
	static const uint32_t lines[] = { 10, 11, 11, 12 };
	struct stat_tree *tree = stat_tree_new();
	struct instruction_observer *o = instruction_observer_new(2, 4, 1, tree);
	struct cache_listener *l = instruction_observer_listener(o, 0);
	struct requester a = { .sm = 1, .warp = 2, .cta = 7, .launch = 1, .lanes = 1, .uop_index = 1 };
	struct requester b = { .sm = 0, .warp = 3, .cta = 8, .launch = 1, .lanes = 1, .uop_index = 2 };
	struct requester c = { .sm = 1, .warp = 2, .cta = 7, .launch = 2, .lanes = 1, .uop_index = 3 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	instruction_observer_begin(o, 1, "k", lines, 4);
	instruction_observer_load(o, &a, 1);
	instruction_observer_load(o, &b, 32);
	instruction_observer_load(o, &b, 3);
	requests(l, a, 3, 1, 0);        /* 0.75 */
	requests(l, b, 1, 3, 0);        /* 0.25 */
	tell(l, a, 0, ACCESS_STORE, 0); /* neither store nor refusal counts */
	tell(l, a, 0, ACCESS_REFUSED, 0);
	instruction_observer_begin(o, 2, "k", lines, 4);
	requests(l, c, 2, 0, 0); /* 1, at line 12: warp a has ended */
	instruction_observer_account(o);
	cr_assert_eq(value(tree, "observe.instructions.samples"), 1);
	instruction_observer_end(o, 1);
	cr_assert_eq(value(tree, "observe.instructions.samples"), 2);
	instruction_observer_end(o, 2);
	tell(l, (struct requester){ .launch = 3, .lanes = 1 }, 0, ACCESS_HIT, 0); /* never begun */
	instruction_observer_write(o, file);
	fclose(file);
	cr_assert_str_eq(strchr(text, '\n') + 1,
		"k,11,3,36,12.000000,1,0,1,0,0,1,8,4,0.500000,2,0.500000,0.250000,0.250000,0.750000\n"
		"k,12,0,0,0.000000,0,0,0,0,0,0,2,2,1.000000,1,1.000000,0.000000,1.000000,1.000000\n");
	cr_assert_eq(value(tree, "observe.instructions.loads"), 3);
	cr_assert_eq(value(tree, "observe.instructions.requests_per_load"), 12);
	cr_assert_eq(value(tree, "observe.instructions.sizes::3-4"), 1);
	cr_assert_eq(value(tree, "observe.instructions.l2_requests"), 10);
	cr_assert_eq(value(tree, "observe.instructions.l2_hit_ratio"), 0.6);
	cr_assert_eq(value(tree, "observe.instructions.samples"), 3);
	cr_assert_eq(value(tree, "observe.instructions.executed.divergent::70-80"), 1);
	cr_assert_eq(value(tree, "observe.instructions.executed.divergent::20-30"), 1);
	cr_assert_eq(value(tree, "observe.instructions.executed.divergent::100"), 1);
	free(text);
	instruction_observer_free(o);
	stat_tree_free(tree);
}

/* ---- executions of instructions ---- */

/* One warp: execution x of micro-operation 1 sends 4 requests, of which 3 hit; execution y of the same one,
 * at another time, is interleaved with it, and both of its requests miss; z, of micro-operation 2, sends one.
 */
Test(executed_instructions, hit_ratio_of_each_execution)
{
	struct executed_window w = { 0 };
	struct executed_stats s = { 0 };
	struct requester x = { .uop_index = 1, .issued = 101 }, y = { .uop_index = 1, .issued = 201 },
			 z = { .uop_index = 2, .issued = 101 };

	executed_add(&w, &s, &x, true);
	executed_add(&w, &s, &y, false);
	executed_add(&w, &s, &x, false);
	executed_add(&w, &s, &z, true);
	executed_add(&w, &s, &y, false);
	executed_add(&w, &s, &x, true);
	executed_add(&w, &s, &x, true);
	cr_assert_eq(s.single, 0); /* all are open */
	executed_end(&w, &s);
	cr_assert_eq(s.single, 1);
	cr_assert_eq(s.divergent[8], 1); /* x: 75 % is in 70-80 */
	cr_assert_eq(s.divergent[0], 1); /* y */
}

/* When EXECUTED_OPEN others have begun, an instruction is closed, and what it sends later is another's. */
Test(executed_instructions, the_oldest_is_closed)
{
	struct executed_window w = { 0 };
	struct executed_stats s = { 0 };
	struct requester by = { .uop_index = 9, .issued = 1 };

	executed_add(&w, &s, &by, true);
	executed_add(&w, &s, &by, true);
	for (uint32_t i = 1; i < EXECUTED_OPEN; i++)
		executed_add(&w, &s, &(struct requester){ .uop_index = 100 + i, .issued = 1 }, false);
	cr_assert_eq(s.divergent[11], 0);
	executed_add(&w, &s, &(struct requester){ .uop_index = 10000, .issued = 1 }, false);
	cr_assert_eq(s.divergent[11], 1);
	executed_add(&w, &s, &by, false);
	executed_end(&w, &s);
	cr_assert_eq(s.single, EXECUTED_OPEN + 1);
	cr_assert_eq(s.divergent[0], 0);
}
