/* WarpPool by hand: merging, tags, queues and sets, the selector's policies, the thread map, the way back,
 * memory order. In cycle 0 the first instruction issues, in 1 + 3 it goes to a coalescer (its address is
 * there in 1; of the six stages three are spent waiting), in 5 its first line to a queue, and in 6 that to
 * the L1. */
#include "tests/unit/memsys/coalescer/warppool_rig.h"

static void check_written(const char *sets, cycles opens, const char *comes, const char *written)
{
	struct pool_rig *r = pool_trace(sets, opens, comes);

	cr_expect_str_eq(r->written, written, "written:  %s\nexpected: %s", r->written, written);
	pool_rig_free(r);
}

static double stat_after(const char *sets, cycles opens, const char *comes, const char *name)
{
	struct pool_rig *r = pool_trace(sets, opens, comes);
	double value = pool_stat(r, name);

	pool_rig_free(r);
	return value;
}

/* ---- the way there ---- */

Test(warppool, a_load_passes_six_stages)
{
	pool_check("", 0, "r0:1", "1:a@6");
	pool_check("stages=3", 0, "r0:1", "1:a@3");
	check_written("", 0, "r0:1", "a@107"); /* the fill comes in cycle 106 */
}

Test(warppool, loads_of_a_line_are_merged_while_the_l1_is_shut)
{
	pool_check("", 40, "r0:1 r1:1 r2:1 r3:1", "1:abcd@40");
	pool_check("", 0, "r0:1 r1:1 r2:1", "1:a@6 1:b@7 1:c@8"); /* an L1 that takes them at once leaves none
								   */
	cr_expect_eq(stat_after("", 40, "r0:1 r1:1 r2:1 r3:1", "warppool.merged"), 3);
}

Test(warppool, a_request_serves_at_most_four_instructions)
{
	pool_check("", 40, "r0:1 r1:1 r2:1 r3:1 r4:1", "1:abcd@40 1:e@41");
	pool_check("merges=1", 40, "r0:1 r1:1", "1:a@40 1:b@41");
	cr_expect_eq(stat_after("", 40, "r0:1 r1:1 r2:1 r3:1 r4:1", "warppool.full_tags"), 1);
	/* both tags of the queue hold the line and are full: the ninth waits */
	pool_check("", 40, "r0:1 r1:1 r2:1 r3:1 r4:1 r5:1 r6:1 r7:1 r8:1", "1:abcd@40 1:efgh@41 1:i@42");
}

Test(warppool, a_queue_without_a_free_tag_holds_up_its_lines_only)
{
	/* 1, 33 and 65 are of one queue, of two tags; d, which the other coalescer has, joins a */
	pool_check("", 40, "r0:1 r1:33 r2:65 r3:1", "1:ad@40 33:b@41 65:c@42");
	pool_check("", 40, "r0:1 r1:33 r2:65 r3:2", "1:a@40 33:b@41 2:d@42 65:c@43");
	cr_expect_gt(stat_after("", 40, "r0:1 r1:33 r2:65", "warppool.waits::tag"), 20);
	cr_expect_eq(stat_after("", 40, "r0:1 r1:33 r2:2", "warppool.waits::tag"), 0);
}

Test(warppool, lines_of_an_l1_set_share_a_queue)
{
	struct pool_rig *r = pool_rig_new("queues=64");
	char text[64];

	/* as many queues as sets: two lines meet in a queue if and only if they meet in a set */
	for (addr line = 1; line < 200; line++) {
		struct pool_rig *one;

		snprintf(text, sizeof(text), "r0:0 r1:%d", (int)line);
		one = pool_trace("queues=64 tags=1 selector=oldest", 40, text);
		cr_expect_eq(pool_stat(one, "warppool.waits::tag") > 0,
			cache_set_of(r->l1, line * 128) == cache_set_of(r->l1, 0), "line %d", (int)line);
		pool_rig_free(one);
	}
	pool_rig_free(r);
}

Test(warppool, one_request_is_inserted_into_a_queue_in_a_cycle)
{
	/* In cycle 6 the coalescers have lines 1 and 33, which are of one queue, or 1 and 34, which are not.
	 */
	cr_expect_eq(stat_after("", 40, "r0:5,1 r3:33", "warppool.waits::queue_port"), 1);
	cr_expect_eq(stat_after("", 40, "r0:5,1 r3:34", "warppool.waits::queue_port"), 0);
}

Test(warppool, the_coalescer_that_goes_first_changes_from_cycle_to_cycle)
{
	/* a issues in cycle 0 and has a coalescer from 5 on, b from 6 on: 2 before 1 in cycle 6, 2 before 3
	 * in 7 */
	pool_check("", 0, "r0:1,2,3,4 r3:1,2,3,4", "1:a@6 2:a@7 1:b@8 2:b@9 3:ab@10 4:ab@11");
}

Test(warppool, lower_warps_go_first_to_the_coalescers)
{
	/* one coalescer, which emits the last line of a in cycle 12: then the queue of warps 0 to 2 has the
	 * highest priority, within which the older instruction goes first */
	pool_check("coalescers=1", 0, "r9:11,12,13,14,15,16,17,18 r6:2 r2:3 r0:4",
		"11:a@6 12:a@7 13:a@8 14:a@9 15:a@10 16:a@11 17:a@12 18:a@13 3:c@14 4:d@15 2:b@16");
}

Test(warppool, a_full_instruction_queue_shuts_its_warps_out)
{
	/* warps 0 to 2 have one entry; warp 3 another */
	pool_check("instruction_entries=1 coalescers=1", 0, "r0:1 r1:2 r3:3", "1:a@6 3:c@7 2:b@10");
}

/* ---- the selector ---- */

Test(warppool, the_selector_takes_the_oldest_or_the_lowest_warp)
{
	pool_check("selector=oldest", 40, "r9:1 r6:2 r3:3 r0:4", "1:a@40 2:b@41 3:c@42 4:d@43");
	pool_check("selector=warp_id", 40, "r9:1 r6:2 r3:3 r0:4", "4:d@40 3:c@41 2:b@42 1:a@43");
	/* a request is of the lowest warp that it serves; of one warp the older goes first */
	pool_check("selector=warp_id", 40, "r9:1 r6:2 r3:3 r0:1", "1:ad@40 3:c@41 2:b@42");
	pool_check("selector=warp_id", 40, "r3:1 r3:2 r3:3", "1:a@40 2:b@41 3:c@42");
}

Test(warppool, the_adaptive_selector_toggles_after_a_quantum_of_misses)
{
	/* quanta of 150 cycles, each seen to end when something comes after it: one with four misses, one
	 * with one */
	const char *misses = "r0:1,2,3,4 @160 r9:11 @310 r6:21";
	/* one of five loads joins a fetch in flight: a miss rate of 80 % */
	const char *four_of_five = "r0:1,2,3,4 @20 r0:1 @160 r9:11";

	cr_expect_eq(stat_after("quantum=150", 0, misses, "warppool.quanta"), 2);
	cr_expect_eq(stat_after("quantum=150", 0, misses, "warppool.toggles"), 2);
	cr_expect_eq(stat_after("quantum=150", 0, misses, "warppool.warp_id_quanta"), 1);
	cr_expect_eq(stat_after("quantum=150 miss_rate=0.81", 0, four_of_five, "warppool.toggles"), 0);
	cr_expect_eq(stat_after("quantum=150 miss_rate=0.79", 0, four_of_five, "warppool.toggles"), 1);
	cr_expect_eq(stat_after("quantum=150 selector=oldest", 0, misses, "warppool.toggles"), 0);
}

Test(warppool, loads_go_before_stores)
{
	pool_check("", 40, "w3:9 r0:1 r1:2", "1:b@40 2:c@41 9:a@42");
}

/* The L1 shuts for loads in cycle 9, when line 4 is to go. The store, for which loads left no cycle, goes in
 * the next: there is something to do in it. */
Test(warppool, stores_go_while_loads_wait_for_the_l1)
{
	struct pool_rig *r = pool_rig_new("");

	r->shuts = 9;
	r->opens = 40;
	r->is_open_for_others = true;
	pool_comes(r, "r0:1,2,3,4 w3:20");
	pool_run(r);
	cr_expect_str_eq(r->sent, "1:a@6 2:a@7 3:a@8 20:b@10 4:a@40", "%s", r->sent);
	pool_rig_free(r);
}

/* ---- the thread map and the way back ---- */

Test(warppool, mappings_without_a_pattern_need_the_thread_map)
{
	/* eight entries: the last two lines of b wait until the registers of a's first are written, in 141,
	 * and of b's first, in 142 */
	pool_check("", 40, "m0:1,2,3,4,5 m1:6,7,8,9,10",
		"1:a@40 2:a@41 6:b@42 7:b@43 3:a@44 4:a@45 8:b@46 9:b@47 10:b@142 5:a@143");
	cr_expect_eq(stat_after("", 40, "m0:1,2,3 r1:4,5", "warppool.mappings::table"), 3);
	cr_expect_eq(stat_after("", 40, "m0:1,2,3 r1:4,5", "warppool.mappings::range"), 2);
	cr_expect_eq(stat_after("", 40, "m0:1,2,3 r1:4,5", "warppool.waits::thread_map"), 0);
	cr_expect_gt(stat_after("thread_map=2", 40, "m0:1,2,3", "warppool.waits::thread_map"), 50);
}

Test(warppool, registers_of_one_warp_are_written_in_a_cycle)
{
	check_written("", 40, "r0:1 r1:1 r2:1 r3:1", "a@141 b@142 c@143 d@144");
	check_written("writeback_warps=2", 40, "r0:1 r1:1 r2:1 r3:1", "a@141 b@141 c@142 d@142");
}

Test(warppool, with_free_hits_a_hit_for_one_warp_needs_no_turn)
{
	/* Line 1 is there. In 200 four warps load line 2, which comes with the fill, and one line 1. */
	const char *comes = "r0:1 @200 r1:2 r2:2 r3:2 r4:2 @291 r8:1",
		   *two = "r0:1 @196 r4:8,9 r5:10,11 r6:1 r7:1";

	check_written("", 0, comes, "a@107 b@307 f@308 c@309 d@310 e@311");
	check_written("free_hits=true", 0, comes, "a@107 b@307 f@307 c@308 d@309 e@310");
	/* a hit for two warps takes its turns */
	check_written("free_hits=true", 0, two, "a@107 d@217 e@218 b@303 b@304 c@305 c@306");
}

Test(warppool, a_full_write_back_queue_stalls_the_l1)
{
	/* Lines 1 to 4 are there when four warps load each, one after the other, in 196 to 199. Line 1 is
	 * sent in 202, and its data come in 212. From 213 on the registers of one warp are written in each
	 * cycle until all 16 are: what the L1 has meanwhile waits in its pipeline. */
	const char *comes = "r0:1,2,3,4 @196 r4:1,2,3,4 r8:1,2,3,4 r12:1,2,3,4 r16:1,2,3,4";

	check_written("coalescers=4", 0, comes,
		"a@107 a@108 a@109 a@110 b@213 b@214 c@215 d@216 b@217 c@218 c@219 d@220 e@221 b@222 c@223 "
		"d@224 "
		"e@225 d@226 e@227 e@228");
	cr_expect_gt(stat_after("coalescers=4", 0, comes, "warppool.pipeline_stalls"), 0);
	cr_expect_eq(stat_after("coalescers=4 writeback_warps=4", 0, comes, "warppool.pipeline_stalls"), 0);
}

/* ---- memory order: each rule with its gate, and what happens without it ---- */

enum { IGNORE_LOADS = 1, IGNORE_STORES = 2 };

/* The number of the cycle in which the line of this instruction is sent: "3:b". */
static int when(const struct pool_rig *r, const char *line)
{
	const char *at = strstr(r->sent, line);

	cr_assert(at, "%s is not sent: %s", line, r->sent);
	return atoi(strchr(at, '@') + 1);
}

/* The earlier access is sent before the later one with the gates; and would not be without this one. */
static void keeps_order(
	const char *sets, const char *comes, uint64_t gate, const char *earlier, const char *later)
{
	struct pool_rig *r = pool_trace(sets, 0, comes);

	cr_expect_lt(when(r, earlier), when(r, later), "%s", r->sent);
	pool_rig_free(r);
	r = pool_rig_new(sets);
	r->ignored = gate;
	pool_comes(r, comes);
	pool_run(r);
	cr_expect_gt(when(r, earlier), when(r, later), "without the gate, too: %s", r->sent);
	pool_rig_free(r);
}

Test(warppool_order, a_store_waits_for_loads)
{
	keeps_order("thread_map=2", "m0:1,2,3,4 w0:4", IGNORE_STORES, "4:a", "4:b");
}

Test(warppool_order, an_atomic_waits_for_loads)
{
	keeps_order("thread_map=2", "m0:1,2,3,4 x0:4", IGNORE_STORES, "4:a", "4:b");
}

Test(warppool_order, a_store_waits_for_stores)
{
	keeps_order("", "w0:1,2,3,4,5,6 w0:6", IGNORE_STORES, "6:a", "6:b");
}

Test(warppool_order, a_load_waits_for_stores)
{
	keeps_order("", "w0:1,2,3,4,5,6 r0:6", IGNORE_LOADS, "6:a", "6:b");
}

Test(warppool_order, a_load_waits_for_atomics)
{
	keeps_order("", "x0:1,2,3,4,5,6 r0:6", IGNORE_LOADS, "6:a", "6:b");
}

Test(warppool_order, a_load_waits_for_ordered_loads)
{
	keeps_order("", "v0:1,2,3,4,5,6 r0:6", IGNORE_LOADS, "6:a", "6:b");
}

Test(warppool_order, an_ordered_load_waits_for_loads)
{
	keeps_order("thread_map=2", "m0:1,2,3,4 v0:4", IGNORE_STORES, "4:a", "4:b");
}

Test(warppool_order, loads_pass_loads)
{
	struct pool_rig *r = pool_trace("thread_map=2", 0, "m0:1,2,3,4 r0:5");

	cr_expect_gt(when(r, "4:a"), when(r, "5:b"), "%s", r->sent);
	pool_rig_free(r);
}

Test(warppool_order, other_warps_wait_for_none_of_this)
{
	struct pool_rig *r = pool_trace("thread_map=2", 0, "m0:1,2,3,4 w0:4 w1:9 r2:9");

	cr_expect_lt(when(r, "9:c"), when(r, "4:a"), "%s", r->sent);
	cr_expect_lt(when(r, "9:d"), when(r, "4:a"), "%s", r->sent);
	pool_rig_free(r);
}

/* Fences wait until the L1 has taken all. */
Test(warppool_order, the_fence_gate_is_shut_while_something_is_held)
{
	struct pool_rig *r = pool_rig_new("");

	pool_comes(r, "r5:1,2");
	cr_expect(r->w->base.gates.fence >> 5 & 1);
	pool_issue(r, 0);
	cr_expect_not(r->w->base.gates.fence >> 5 & 1);
	cr_expect(r->w->base.gates.fence >> 4 & 1);
	for (r->now = 1; r->i[0].sent < 2; r->now++) {
		cr_expect_not(r->w->base.gates.fence >> 5 & 1, "cycle %d", (int)r->now);
		r->w->base.class->tick(&r->w->base, r->now);
	}
	cr_expect(r->w->base.gates.fence >> 5 & 1);
	while (r->out.count)
		packet_free(port_pop(&r->out));
	pool_rig_free(r);
}

/* Nothing is lost, nothing is done twice, whatever comes; the sizes are small, so that all waits occur. */
Test(warppool, random_instructions_all_arrive)
{
	static const char *const sets[] = { "",
		"coalescers=1 queues=1 tags=1 merges=1 thread_map=1 writeback_entries=1",
		"coalescers=8 queues=4 merges=16 selector=warp_id",
		"instruction_queues=3 instruction_entries=2 stages=3",
		"quantum=50 writeback_entries=1 coalescers=3 thread_map=2", "tags=1 writeback_warps=4" };
	uint32_t seed = 12345;

	for (uint32_t k = 0; k < 60; k++) {
		struct pool_rig *r = pool_rig_new(sets[k % 6]);
		char text[4096], *end = text;

		for (uint32_t n = 0; n < 60; n++) {
			seed = seed * 1664525 + 1013904223;
			end += sprintf(end, "%c%d:", "rrrmmwxv"[seed >> 8 & 7], (int)(seed >> 12) % 12);
			for (uint32_t l = 0; l <= (seed >> 20 & 3); l++)
				end += sprintf(end, "%s%d", l ? "," : "", (int)((seed >> 24) + l * 7) % 40);
			end += sprintf(end, " ");
		}
		r->opens = seed >> 10 & 127;
		pool_comes(r, text);
		pool_run(r);
		cr_expect_eq(pool_stat(r, "warppool.selected_loads") + pool_stat(r, "warppool.merged"),
			pool_stat(r, "warppool.mappings::total"));
		for (uint32_t i = 0; i < r->count; i++)
			cr_expect(r->i[i].sent == r->i[i].count &&
				r->i[i].written == (strchr("rm", r->i[i].kind) ? r->i[i].count : 0));
		cr_expect_eq(r->w->free_maps, r->w->thread_map, "thread map entries are lost");
		cr_expect_eq(r->w->used_tags, 0);
		for (uint32_t warp = 0; warp < 48; warp++)
			cr_expect_eq(r->w->held[warp], 0);
		pool_rig_free(r);
	}
}
