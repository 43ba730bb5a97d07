/* tests/unit/dram/test_rank.c -- schedulers that give requests a rank (dram/sched/by_rank.c): first come
 * first served, row hits first, and PAR-BS, which marks batches while requests wait. */
#include "bandwidth.h"

/* ---- ranks of equal and of open rows ---- */

static uint32_t all_alike(struct dram_sched *s, const struct dram_request *r, bool is_hit)
{
	return 7;
}
static uint32_t hits_first(struct dram_sched *s, const struct dram_request *r, bool is_hit)
{
	return is_hit;
}
static const struct dram_sched_class in_order = {
	.name = "in_order", .help = "a test", .size = sizeof(struct dram_sched), .rank = all_alike
};
static const struct dram_sched_class by_hits = {
	.name = "by_hits", .help = "a test", .size = sizeof(struct dram_sched), .rank = hits_first
};

static struct dram_sched *blank(const struct dram_sched_class *class)
{
	return policy_blank(&dram_sched_interface, &class->policy);
}

/* Hits of row 0 of bank 0, and as the 20th a request for row 1. */
static bool one_stranger(struct rig *rig, struct packet *p)
{
	p->local = PLACE(rig->sent == 20, 0, rig->sent * 128 % 4096);
	return true;
}

static uint32_t place_of_stranger(const struct dram_sched_class *class)
{
	struct dram_config config = rig_config();
	struct rig rig;
	uint32_t before = 0;

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, blank(class), one_stranger, 60);
	rig_run(&rig);
	cr_assert_eq(rig.replies, 60);
	while (rig.reply_token[before] != 20)
		before++;
	rig_fini(&rig);
	return before;
}

Test(dram_rank, of_a_bank_the_highest_rank_is_served_and_of_equal_ones_the_oldest)
{
	cr_expect_eq(place_of_stranger(&in_order), 20);
	cr_expect_eq(place_of_stranger(&by_hits), 59);
}

/* Reads and writes of random rows: all are served, with every command checked, whatever the ranks. */
static bool mixed(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = r >> 60 < 4 ? PACKET_WRITE : PACKET_READ;
	p->by.sm = (uint16_t)(r >> 40 & 7);
	p->local = PLACE(r >> 50 & 63, r >> 8 & 15, (r >> 16 & 31) << 7);
	return true;
}

static double cycles_of_mixed(struct dram_sched *scheduler, uint32_t write_queue)
{
	struct dram_config config = rig_config();
	struct rig rig;
	cycles last;

	config.mapping = "row:bank:column";
	config.tREFI = 2000;
	config.write_queue = write_queue;
	rig_init_with(&rig, &config, scheduler, mixed, 3000);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
	last = rig.last_cycle;
	rig_fini(&rig);
	return (double)last;
}

Test(dram_rank, row_hits_by_rank_are_as_fast_as_fr_fcfs)
{
	for (uint32_t writes = 0; writes <= 64; writes += 64) {
		double ranked = cycles_of_mixed(blank(&by_hits), writes),
		       set = cycles_of_mixed(rig_scheduler(""), writes);
		double in_turn = cycles_of_mixed(blank(&in_order), writes);

		cr_expect_float_eq(ranked, set, 0.05 * set, "%u: %.0f and %.0f cycles", writes, ranked, set);
		cr_expect_gt(in_turn, ranked, "%u: %.0f and %.0f cycles", writes, in_turn, ranked);
	}
}

/* ---- PAR-BS (Mutlu and Moscibroda, ISCA 2008): the waiting requests are marked, a few of each thread and
 * bank, and go before others ---- */

enum { BATCH_CAP = 2, THREADS = 8 };
struct parbs {
	struct dram_sched base;
	uint32_t marked;
	uint64_t batches;
};

static uint32_t parbs_rank(struct dram_sched *s, const struct dram_request *r, bool is_hit)
{
	return 2 * r->mark + is_hit;
}

static void parbs_batch(struct parbs *p, const struct dram_queue *q)
{
	uint32_t taken[THREADS][DRAM_MAX_BANKS] = { 0 };

	for (struct dram_request *r = dram_queue_each(q, NULL); r; r = dram_queue_each(q, r)) {
		r->mark = taken[r->packet->by.sm][r->bank]++ < BATCH_CAP;
		p->marked += r->mark;
	}
	p->batches += p->marked > 0;
}

static void parbs_joined(struct dram_sched *s, const struct dram_queue *q, struct dram_request *r)
{
	struct parbs *p = (struct parbs *)s;

	if (!p->marked)
		parbs_batch(p, q);
}

static void parbs_served(struct dram_sched *s, const struct dram_queue *q, struct dram_request *r, cycles now)
{
	struct parbs *p = (struct parbs *)s;

	p->marked -= r->mark;
	r->mark = 0;
	if (!p->marked)
		parbs_batch(p, q); /* the one that is about to leave among them */
	p->marked -= r->mark;
	r->mark = 0;
}

static const struct sim_stat parbs_stats[] = { SIM_COUNT(struct parbs, batches, "batches", "marked"),
	SIM_STAT_END };
static const struct dram_sched_class parbs = {
	.name = "parbs",
	.help = "a test",
	.size = sizeof(struct parbs),
	.stats = parbs_stats,
	.rank = parbs_rank,
	.joined = parbs_joined,
	.served = parbs_served,
};

Test(dram_rank, a_policy_may_mark_batches_of_requests_that_wait)
{
	struct dram_config config = rig_config();
	struct rig rig;

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, blank(&parbs), mixed, 3000);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
	cr_assert_gt(rig_stat(&rig, "scheduler.parbs.batches"), 30);
	rig_fini(&rig);
}
