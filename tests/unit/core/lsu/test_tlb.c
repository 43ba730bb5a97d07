/* Translation of addresses: which level holds a page, how long replies wait, and in which order they leave.
 */
#include "core/lsu/tlb.h"
#include "sim/event/packet.h"
#include "sim/stats/stat.h"
#include <criterion/criterion.h>

static struct tlb *t;
static struct stat_tree *stats;
static struct packet_pool pool;

static void set_up(void)
{
	const struct tlb_config config = {
		.entries = 2, .second_entries = 4, .page = 4096, .second_latency = 50, .walk_latency = 300
	};

	stats = stat_tree_new();
	packet_pool_init(&pool);
	t = tlb_new(&config, 0, stats);
}

static void tear_down(void)
{
	tlb_free(t);
	cr_expect_eq(pool.live, 0);
	packet_pool_fini(&pool);
	stat_tree_free(stats);
}

TestSuite(tlb, .init = set_up, .fini = tear_down);

static struct packet *reply(addr page)
{
	struct packet *p = packet_new(&pool);

	p->address = page * 4096 + 128;
	return p;
}

/* The cycles that the reply of that page waits. */
static cycles waits(addr page, cycles now)
{
	struct packet *p = reply(page), *q;
	cycles due = now;

	if (tlb_keeps(t, p, now)) {
		due = tlb_due(t, now);
		cr_assert_null(tlb_next(t, due - 1));
		q = tlb_next(t, due);
		cr_assert_eq(p, q);
	}
	packet_free(p);
	return due - now;
}

Test(tlb, pages_come_from_the_level_that_holds_them)
{
	cr_expect_eq(waits(1, 1000), 300, "nobody knows it");
	cr_expect_eq(waits(1, 2000), 0);
	cr_expect_eq(waits(2, 3000), 300);
	cr_expect_eq(waits(3, 4000), 300, "takes the place of 1 in the first level");
	cr_expect_eq(waits(2, 5000), 0);
	cr_expect_eq(waits(1, 6000), 50, "the second level holds it, the first now in the place of 3");
	cr_expect_eq(waits(3, 7000), 50);
	waits(4, 8000);
	waits(5, 9000);
	cr_expect_eq(waits(2, 10000), 300, "four are in the second level, and 2 was used before 1 there");
	cr_expect_eq(stat_value(stats, NULL, "sm.tlb.walks"), 6);
	cr_expect_eq(stat_value(stats, NULL, "sm.tlb.hits"), 2);
	cr_expect_eq(stat_value(stats, NULL, "sm.tlb.second_hits"), 2);
}

Test(tlb, replies_leave_when_their_translation_is_there)
{
	struct packet *walk = reply(1), *same = reply(1), *second, *out[3];

	waits(7, 1000);
	waits(8, 2000);
	waits(9, 3000);
	second = reply(7); /* in the second level only */
	cr_assert(tlb_keeps(t, walk, 4000));
	cr_assert(tlb_keeps(t, same, 4010), "the walk is still under way");
	cr_assert(tlb_keeps(t, second, 4020));
	cr_expect_eq(tlb_due(t, 4020), 4070);
	cr_expect_not(tlb_is_idle(t));
	out[0] = tlb_next(t, 4070);
	cr_expect_null(tlb_next(t, 4299));
	out[1] = tlb_next(t, 4300);
	tlb_return(t, out[1]);
	cr_expect_eq(tlb_due(t, 4300), 4301, "it tries again");
	out[1] = tlb_next(t, 4301);
	out[2] = tlb_next(t, 4301);
	cr_expect_eq(out[0], second);
	cr_expect_eq(out[1], walk);
	cr_expect_eq(out[2], same);
	cr_expect(tlb_is_idle(t));
	for (int i = 0; i < 3; i++)
		packet_free(out[i]);
}

Test(tlb, off_it_is_not_made)
{
	cr_expect_null(tlb_new(&(struct tlb_config){ .entries = 0, .page = 4096 }, 1, stats));
}
