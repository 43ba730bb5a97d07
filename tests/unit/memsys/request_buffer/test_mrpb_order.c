/* What a request buffer must not reorder: the check itself, which has to notice a swap; and MRPB under all
 * its options, against a check of its own. */
#include "memsys/request_buffer/order.h"
#include "mrpb_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"
#include <signal.h>

static struct request_order order;
static struct buffered_request request[64];
static struct order_stamp stamp[64];

static void begin(void)
{
	order_init(&order, 8, 2);
}

static void end(void)
{
	order_fini(&order);
}

static void enters(uint32_t i, uint32_t warp, uint16_t barriers)
{
	request[i] = rig_request(warp, PACKET_READ, barriers);
	stamp[i] = order_entered(&order, &request[i]);
}

static bool leaves(uint32_t i)
{
	return order_left(&order, &request[i], stamp[i]);
}

static bool may(uint32_t i)
{
	return order_may_leave(&order, &request[i], stamp[i]);
}

TestSuite(request_order, .init = begin, .fini = end);

Test(request_order, requests_of_different_warps_may_be_swapped)
{
	enters(0, 0, 0);
	enters(1, 1, 0);
	leaves(1);
	leaves(0);
}

Test(request_order, requests_of_a_warp_may_not, .signal = SIGABRT)
{
	enters(0, 0, 0);
	enters(1, 0, 0);
	leaves(1);
}

Test(request_order, requests_of_different_ctas_may_be_swapped_across_a_barrier)
{
	enters(0, 0, 0);
	enters(1, 4, 1);
	cr_expect(may(0) && may(1));
	leaves(1);
	leaves(0);
}

Test(request_order, requests_of_a_cta_may_not, .signal = SIGABRT)
{
	enters(0, 0, 0);
	enters(1, 1, 1);
	leaves(1);
}

Test(request_order, later_requests_may_leave_when_all_earlier_ones_have)
{
	enters(0, 0, 0);
	enters(1, 1, 0);
	enters(2, 2, 1);
	enters(3, 3, 5);
	cr_expect(may(0) && may(1) && !may(2) && !may(3));
	cr_expect(!leaves(1));
	cr_expect(!may(2));
	cr_expect(leaves(0), "others have waited for it");
	cr_expect(may(2) && !may(3));
	cr_expect(leaves(2));
	cr_expect(may(3));
	cr_expect(!leaves(3), "nobody is left");
}

Test(request_order, none_of_a_warp_may_pass_others_of_it, .signal = SIGABRT)
{
	struct buffered_request r = rig_request(0, PACKET_WRITE, 0);

	enters(0, 0, 0);
	order_passed(&order, &r);
}

Test(request_order, none_may_pass_one_from_before_a_barrier, .signal = SIGABRT)
{
	struct buffered_request r = rig_request(1, PACKET_WRITE, 1);

	enters(0, 0, 0);
	cr_expect(!order_may_pass(&order, &r));
	order_passed(&order, &r);
}

Test(request_order, others_may_pass)
{
	struct buffered_request same = rig_request(1, PACKET_WRITE, 0),
				other = rig_request(5, PACKET_WRITE, 3);

	enters(0, 0, 0);
	cr_expect(order_may_pass(&order, &same) && order_may_pass(&order, &other));
	order_passed(&order, &same);
	order_passed(&order, &other);
}

Test(request_order, intervals_have_so_many_counters_and_their_numbers_may_wrap)
{
	struct buffered_request more = rig_request(0, PACKET_READ, (uint16_t)(65530 + ORDER_INTERVALS));

	for (uint32_t i = 0; i < ORDER_INTERVALS; i++)
		enters(i, 0, (uint16_t)(65530 + i));
	cr_expect(!order_has_room(&order, &more));
	more.barriers--;
	cr_expect(order_has_room(&order, &more), "the interval of the last");
	for (uint32_t i = 0; i < ORDER_INTERVALS; i++)
		cr_expect_eq(leaves(i), i + 1 < ORDER_INTERVALS);
	more.barriers++;
	cr_expect(order_has_room(&order, &more));
}

/* ---- all options ---- */

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* 600 requests of 12 warps in 3 CTAs, with barriers, pauses, bursts. */
static void random_requests(struct mrpb_rig *r)
{
	uint16_t barriers[3] = { 0 };
	cycles from = 0;

	while (r->count < 600) {
		uint32_t warp = draw(12), burst = 1 + draw(10), kind = draw(8);

		if (!draw(6))
			barriers[draw(3)]++;
		if (!draw(12))
			from += draw(60);
		for (uint32_t i = 0; i < burst && r->count < 600; i++, r->count++) {
			r->request[r->count] = rig_request(warp,
				kind == 0           ? PACKET_WRITE
					: kind == 1 ? PACKET_ATOMIC
						    : PACKET_READ,
				barriers[warp / 4]);
			r->request[r->count].op = r->count;
			r->comes[r->count] = from;
		}
	}
	r->opens = draw(200);
	r->reads_opens = r->opens + draw(300);
}

/* Against every pair that left in the order in which it did not come. */
static void expect_order(const struct mrpb_rig *r, const char *sets)
{
	for (uint32_t i = 0; i < r->left; i++)
		for (uint32_t j = i + 1; j < r->left; j++) {
			const struct buffered_request *first = &r->request[r->order[i]],
						      *then = &r->request[r->order[j]];

			if (r->order[i] < r->order[j])
				continue;
			cr_assert_neq(first->request.by.warp, then->request.by.warp,
				"%s: requests of a warp swapped", sets);
			cr_assert(first->cta_slot != then->cta_slot || first->barriers == then->barriers,
				"%s: swapped across a barrier", sets);
		}
}

static void try(const char *sets)
{
	for (seed = 1; seed < 6; seed++) {
		struct mrpb_rig *r = mrpb_rig_new(sets);
		uint32_t kept = seed;

		random_requests(r);
		rig_run(r);
		expect_order(r, sets);
		seed = kept;
		mrpb_rig_free(r);
	}
}

Test(mrpb_order, every_option_keeps_both_orders_and_hangs_never, HANG_GUARD)
{
	static const char *const signatures[] = { "warp", "cta", "cta_warp" },
				 *const drains[] = { "fixed", "round_robin", "longest_first" };
	static const uint32_t entries[] = { 1, 4, 0 }, latencies[] = { 1, 5, 18 };

	for (uint32_t i = first_of(one_in_or(7, 5)); i < 3 * 3 * 2 * 2 * 3 * 3; i += one_in_or(7, 5)) {
		char sets[200];

		sprintf(sets, "signature=%s drain=%s greedy=%s flush=%s entries=%u latency=%u",
			signatures[i % 3], drains[i / 3 % 3], i / 9 % 2 ? "true" : "false",
			i / 18 % 2 ? "true" : "false", entries[i / 36 % 3], latencies[i / 108]);
		try(sets);
	}
}
