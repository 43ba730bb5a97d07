/* MRPB: who leaves the buffer when, in traces worked by hand. A request that enters in cycle t can leave in t
 * + latency; the rig says how traces are written. Where the L1 is shut at first, the first request that is
 * seen is chosen and stands before it; the others gather, and show in what order they are drained. */
#include "mrpb_rig.h"

/* ---- latency ---- */

Test(mrpb, a_request_may_leave_when_its_latency_is_over)
{
	rig_check("latency=3", 0, "r0", "a@3");
	rig_check("latency=3", 0, "r0 r1 r2 r0", "a@3 b@4 c@5 d@6");
	rig_check("latency=5", 0, "r0 @7 r0", "a@5 b@12");
}

Test(mrpb, one_enters_and_one_leaves_in_each_cycle_whatever_the_latency)
{
	for (uint32_t latency = 3; latency <= 18; latency++) {
		struct mrpb_rig *r;
		char sets[64];

		sprintf(sets, "latency=%u entries=0", latency);
		r = mrpb_rig_new(sets);
		rig_comes(r, "r3 r1 r2 r0 r3 r0 r0 r0 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1 r1");
		rig_run(r);
		for (uint32_t i = 0; i < 20; i++) {
			cr_expect_eq(r->order[i], i);
			cr_expect_eq(r->when[i], latency + i);
		}
		cr_expect_eq(rig_stat(r, "occupancy"), latency, "those of so many cycles before");
		mrpb_rig_free(r);
	}
}

/* The queue is full from cycle 4 on, its first leaves in cycle 6, so the fifth enters in cycle 7 and is seen
 * in 13. */
Test(mrpb, a_queue_that_holds_less_than_the_latency_has_gaps)
{
	struct mrpb_rig *r =
		rig_trace("entries=4 latency=6", 0, "r0 r0 r0 r0 r0 r0 r0", "a@6 b@7 c@8 d@9 e@13 f@14 g@15");

	cr_expect_eq(rig_stat(r, "waited::full_queue"), 1);
	cr_expect_eq(rig_stat(r, "wait_cycles::full_queue"), 3, "4, 5 and 6");
	cr_expect_eq(rig_stat(r, "queue_length"), 3);
	mrpb_rig_free(r);
}

Test(mrpb, any_number_enters_queues_without_limit)
{
	struct mrpb_rig *r = mrpb_rig_new("entries=0 latency=3");

	r->opens = r->reads_opens = 400;
	for (uint32_t i = 0; i < 75; i++)
		rig_comes(r, "r5 r2 r5 r0");
	rig_run(r);
	cr_expect_eq(rig_stat(r, "occupancy"), 299);
	cr_expect_eq(rig_stat(r, "queue_length"), 149);
	cr_expect_eq(rig_stat(r, "waited::full_queue"), 0);
	cr_expect_eq(r->when[0], 400);
	cr_expect_eq(r->order[0], 0, "of queue 5: it was chosen when nothing else was to be seen");
	for (uint32_t i = 1; i < 300; i++) {
		cr_expect_eq(r->when[i], 400 + i);
		cr_expect_eq(r->request[r->order[i]].request.by.warp, i <= 75 ? 0 : i <= 150 ? 2 : 5);
	}
	mrpb_rig_free(r);
}

/* ---- drain policies: queue 1 holds a and f, 2 b, 3 c and d, 0 e; a has been chosen ---- */

static const char gathered[] = "r1 r2 r3 r3 r0 r1";

Test(mrpb, fixed_order_takes_the_lowest_queue)
{
	rig_check("drain=fixed latency=3", 10, gathered, "a@10 e@11 f@12 b@13 c@14 d@15");
}

Test(mrpb, round_robin_takes_one_of_each_queue)
{
	rig_check("drain=round_robin latency=3", 10, gathered, "a@10 b@11 c@12 e@13 f@14 d@15");
}

Test(mrpb, longest_first_takes_of_equal_ones_the_lowest)
{
	rig_check("drain=longest_first latency=3", 10, gathered, "a@10 c@11 e@12 f@13 b@14 d@15");
}

Test(mrpb, greedy_variants_empty_a_queue_first)
{
	rig_check("drain=fixed greedy=true latency=3", 10, gathered, "a@10 f@11 e@12 b@13 c@14 d@15");
	rig_check("drain=round_robin greedy=true latency=3", 10, gathered, "a@10 f@11 b@12 c@13 d@14 e@15");
	rig_check("drain=longest_first greedy=true latency=3", 10, gathered, "a@10 f@11 c@12 d@13 e@14 b@15");
}

/* a is alone to be seen in its queue when it leaves in cycle 5: b is next, though c is in a's queue already.
 */
Test(mrpb, a_queue_whose_requests_are_not_yet_seen_is_empty)
{
	rig_check("drain=fixed greedy=true", 0, "r1 r0 r1", "a@5 b@6 c@7");
	rig_check("drain=longest_first", 0, "r1 @3 r0 r1 r1 r1", "a@5 b@8 c@9 d@10 e@11");
}

/* The L1 opens in cycle 6: a, of queue 1, leaves; then e comes to it every cycle while c and d are seen in
 * queue 0. */
Test(mrpb, a_greedy_queue_goes_on_while_others_come_to_it)
{
	rig_check("drain=fixed greedy=true latency=3", 6, "r1 r1 r0 r0 r1 r1 r0",
		"a@6 b@7 e@8 f@9 c@10 d@11 g@12");
	rig_check("drain=fixed latency=3", 6, "r1 r1 r0 r0 r1 r1 r0", "a@6 c@7 d@8 g@9 b@10 e@11 f@12");
}

Test(mrpb, what_the_l1_refuses_stays_before_it)
{
	struct mrpb_rig *r = rig_trace("latency=3", 9, "r7 @4 r0", "a@9 b@10");

	cr_expect_eq(rig_stat(r, "overtaken"), 0);
	mrpb_rig_free(r);
}

Test(mrpb, the_buffer_counts_who_is_overtaken_and_who_switches)
{
	struct mrpb_rig *r = rig_trace("latency=3", 10, gathered, "a@10 e@11 f@12 b@13 c@14 d@15");

	cr_expect_eq(rig_stat(r, "overtaken"), 3, "b, c and d, by e and f");
	cr_expect_eq(rig_stat(r, "switches"), 5, "a e f b, and c with d");
	cr_expect_eq(rig_stat(r, "selected::policy"), 6);
	cr_expect_eq(rig_stat(r, "occupancy"), 5);
	mrpb_rig_free(r);
}

/* ---- signatures ---- */

Test(mrpb, the_signature_is_the_warp_the_cta_or_the_warp_of_the_cta)
{
	rig_check("signature=warp latency=3", 10, "r5 r4 r1 r0 r5", "a@10 d@11 c@12 b@13 e@14");
	rig_check("signature=cta latency=3", 10, "r5 r4 r1 r0 r5", "a@10 c@11 d@12 b@13 e@14");
	rig_check("signature=cta_warp latency=3", 10, "r5 r4 r1 r0 r5", "a@10 b@11 d@12 c@13 e@14");
}

/* ---- flush ---- */

/* e finds queue 1 full in cycle 4. With flush, c goes for it before b, which has priority: e enters in cycle
 * 10 and is seen in 13. */
Test(mrpb, a_read_that_finds_its_queue_full_has_it_drained_by_one)
{
	struct mrpb_rig *r = rig_trace("entries=2 latency=3", 8, "r0 r0 r1 r1 r1", "a@8 c@9 b@10 d@11 e@13");

	cr_expect_eq(rig_stat(r, "selected::full_queue"), 1);
	cr_expect_eq(rig_stat(r, "selected::policy"), 4);
	cr_expect_eq(rig_stat(r, "waited::full_queue"), 1);
	cr_expect_eq(rig_stat(r, "wait_cycles::full_queue"), 6, "4 to 9");
	mrpb_rig_free(r);
}

Test(mrpb, without_flush_it_waits_for_the_queue_to_have_its_turn)
{
	struct mrpb_rig *r =
		rig_trace("entries=2 latency=3 flush=false", 8, "r0 r0 r1 r1 r1", "a@8 b@9 c@10 d@11 e@14");

	cr_expect_eq(rig_stat(r, "selected::full_queue"), 0);
	cr_expect_eq(rig_stat(r, "wait_cycles::full_queue"), 7, "4 to 10");
	mrpb_rig_free(r);
}

/* Queue 1 is full of requests that are not yet seen when c comes in cycle 4: a goes meanwhile. */
Test(mrpb, a_flush_waits_for_requests_to_be_seen_while_others_leave)
{
	rig_check("entries=1 latency=6", 0, "r0 r1 r1", "a@6 b@7 c@14");
	rig_check("entries=1 latency=6", 0, "@3 r0 r1 r1 r0", "a@9 b@10 c@17 d@18");
}

/* After flush 1 the greedy queue goes on: 0 held a, b and e. */
Test(mrpb, a_flush_does_not_change_the_greedy_queue)
{
	rig_check("entries=3 latency=3 drain=round_robin greedy=true", 10, "r0 r0 r1 r1 r1 r0 r1",
		"a@10 c@11 b@12 f@13 d@14 e@15 g@16");
}

/* g, a write of warp 1, comes in cycle 6 and has e and f drained before b, c and d. */
Test(mrpb, a_write_drains_its_queue_and_goes_itself)
{
	struct mrpb_rig *r =
		rig_trace("latency=3", 8, "r0 r0 r0 r0 r1 r1 w1", "a@8 e@9 f@10 g@11 b@12 c@13 d@14");

	cr_expect_eq(rig_stat(r, "selected::write"), 2);
	cr_expect_eq(rig_stat(r, "waited::write"), 1);
	cr_expect_eq(rig_stat(r, "wait_cycles::write"), 5, "6 to 10");
	cr_expect_eq(rig_stat(r, "queue_length"), 3, "the write never entered");
	mrpb_rig_free(r);
	rig_check("latency=3", 8, "r0 r0 r0 r0 r1 r1 x1", "a@8 e@9 f@10 g@11 b@12 c@13 d@14");
}

/* b and c are seen in cycles 4 and 5: d goes in 6, e enters in 7. */
Test(mrpb, a_write_waits_for_requests_that_are_not_yet_seen)
{
	rig_check("latency=3", 0, "r0 r1 r1 w1 r1", "a@3 b@4 c@5 d@6 e@10");
}

Test(mrpb, a_write_whose_queue_is_empty_goes_at_once)
{
	rig_check("latency=3", 0, "w0", "a@0");
	rig_check("latency=3", 0, "r0 w1 w1 w2 r2", "b@1 c@2 d@3 a@4 e@7");
}

Test(mrpb, without_flush_writes_are_stored_as_reads_are)
{
	struct mrpb_rig *r = rig_trace(
		"latency=3 flush=false", 8, "r0 r0 r0 r0 r1 r1 w1", "a@8 b@9 c@10 d@11 e@12 f@13 g@14");

	cr_expect_eq(rig_stat(r, "waited::write"), 0);
	mrpb_rig_free(r);
	rig_check("latency=3 flush=false", 0, "w0 x1", "a@3 b@4");
	rig_check("latency=3 flush=false entries=2", 0, "w0 w0 w0", "a@3 b@4 c@7");
}

/* The L1 refuses a, a read; b, a write of another warp, does not pass it. */
Test(mrpb, a_write_does_not_pass_what_the_l1_refuses)
{
	struct mrpb_rig *r = mrpb_rig_new("latency=3");

	r->reads_opens = 8;
	rig_comes(r, "r0 @5 w1");
	rig_run(r);
	rig_expect(r, "a@8 b@9");
	cr_expect_eq(rig_stat(r, "waited::l1"), 1);
	cr_expect_eq(rig_stat(r, "wait_cycles::l1"), 4, "5 to 8");
	mrpb_rig_free(r);
}

/* ---- barriers ---- */

/* b and c are of CTA 0, c from behind a barrier, so that b goes first though c's queue has priority. */
Test(mrpb, no_request_leaves_before_one_from_before_a_barrier)
{
	struct mrpb_rig *r = rig_trace("latency=3", 10, "r4 r1 |0 r0", "a@10 b@11 c@12");

	cr_expect_eq(rig_stat(r, "turns_given"), 1);
	mrpb_rig_free(r);
	rig_check("latency=3", 10, "r4 r1 r0", "a@10 c@11 b@12");
	rig_check("latency=3", 10, "r4 r1 |1 r0", "a@10 c@11 b@12"); /* another CTA's */
	rig_check("latency=3 drain=longest_first", 10, "r4 r1 |0 r0 r0 r0", "a@10 b@11 c@12 d@13 e@14");
	rig_check("latency=3 drain=round_robin", 10, "r4 r1 r2 r3 |0 r5 r0", "a@10 e@11 b@12 c@13 d@14 f@15");
}

/* Without the barrier the write of warp 0 would go in cycle 1. */
Test(mrpb, no_write_goes_before_a_request_from_before_a_barrier)
{
	struct mrpb_rig *r = rig_trace("latency=3", 0, "r1 |0 w0", "a@3 b@4");

	cr_expect_eq(rig_stat(r, "waited::barrier"), 1);
	cr_expect_eq(rig_stat(r, "wait_cycles::barrier"), 3, "1 to 3");
	mrpb_rig_free(r);
	rig_check("latency=3", 0, "r1 w0", "b@1 a@3");
	rig_check("latency=3 flush=false", 10, "r4 r1 |0 w0", "a@10 b@11 c@12");
}

/* e, a write of CTA 1 behind its barrier, has c and d drained, not b, whose queue has priority. */
Test(mrpb, such_a_write_has_them_drained)
{
	struct mrpb_rig *r = rig_trace("latency=3", 10, "r4 r0 r5 r6 |1 w7", "a@10 c@11 d@12 e@13 b@14");

	cr_expect_eq(rig_stat(r, "selected::barrier"), 2);
	mrpb_rig_free(r);
}

/* f finds queue 5 full from cycle 5 on, whose first, d, waits for c, of the same CTA from before the barrier:
 * c goes for f in cycle 11, then d. */
Test(mrpb, a_flush_of_a_queue_that_waits_drains_what_it_waits_for)
{
	struct mrpb_rig *r =
		rig_trace("entries=2 latency=3", 10, "r4 r0 r6 |1 r5 r5 r5", "a@10 c@11 d@12 b@13 e@14 f@16");

	cr_expect_eq(rig_stat(r, "selected::full_queue"), 2);
	cr_expect_eq(rig_stat(r, "turns_given"), 1);
	mrpb_rig_free(r);
	rig_check("latency=3", 10, "r4 r0 r6 |1 r5 w5", "a@10 c@11 d@12 e@13 b@14");
}

/* Queue 1 holds b of CTA 1 and behind it c of CTA 0; d, in queue 0, waits for c, and c for b. */
Test(mrpb, a_queue_of_several_ctas_may_wait_in_two_steps)
{
	struct mrpb_rig *r = rig_trace(
		"signature=cta_warp latency=3", 10, "r7 r5 r1 |0 r0 r6", "a@10 b@11 c@12 d@13 e@14");

	cr_expect_eq(rig_stat(r, "turns_given"), 2);
	mrpb_rig_free(r);
}

/* 16 intervals of CTA 0 are in the buffer: the read of the 17th enters when the first has left, in cycle 41.
 */
Test(mrpb, a_cta_has_counters_for_so_many_barriers)
{
	struct mrpb_rig *r = mrpb_rig_new("latency=3 entries=0 flush=false");
	char text[200] = "r4";

	for (uint32_t i = 0; i < 18; i++)
		strcat(text, " r0 |0");
	r->opens = r->reads_opens = 40;
	rig_comes(r, text);
	rig_run(r);
	for (uint32_t i = 0; i < 19; i++)
		cr_expect_eq(r->order[i], i);
	cr_expect_eq(r->when[1], 41);
	cr_expect_eq(r->when[16], 56);
	cr_expect_eq(rig_stat(r, "waited::barrier"), 1, "then one leaves in each cycle");
	cr_expect_eq(rig_stat(r, "wait_cycles::barrier"), 42 - 17);
	cr_expect_eq(rig_stat(r, "occupancy"), 16);
	mrpb_rig_free(r);
}

/* The 17th read of CTA 1 waits for a counter: in cycle 41 the oldest of the CTA goes for it, not b, whose
 * queue has priority; also without flush. */
Test(mrpb, who_waits_for_a_counter_has_the_oldest_drained)
{
	struct mrpb_rig *r = mrpb_rig_new("latency=3 entries=0 flush=false");
	char text[200] = "r8 r0";

	for (uint32_t i = 0; i < 17; i++)
		strcat(text, " r5 |1");
	r->opens = r->reads_opens = 40;
	rig_comes(r, text);
	rig_run(r);
	cr_expect_eq(r->order[1], 2);
	cr_expect_eq(r->order[2], 1, "then the drain policy has its turn");
	cr_expect_eq(r->order[3], 3);
	cr_expect_eq(rig_stat(r, "selected::barrier"), 1);
	mrpb_rig_free(r);
}
