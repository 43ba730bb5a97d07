/* tests/unit/dram/test_sched.c -- schedulers: the cap on row hits, and a policy of two queues by warp type in
 * the shape of MeDiC's (Ausavarungnirun et al., PACT 2015), which shows what the interface can hold. */
#include "bandwidth.h"

/* ---- row_hit_cap ---- */

/* An endless stream of hits in row 0 of bank 0, and as the 20th a request for row 1. */
static bool one_stranger(struct rig *rig, struct packet *p)
{
	p->local = PLACE(rig->sent == 20, 0, rig->sent * 128 % 4096);
	return true;
}

/* How many requests are served before the stranger, of those that came after it. */
static uint32_t overtaken_by(const char *setting, uint64_t *capped)
{
	struct dram_config config = rig_config();
	struct rig rig;
	uint32_t before = 0;

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, rig_scheduler(setting), one_stranger, 60);
	rig_run(&rig);
	cr_assert_eq(rig.replies, 60);
	while (rig.reply_token[before] != 20)
		before++;
	*capped = rig_stat(&rig, "scheduler.fr_fcfs.capped");
	rig_fini(&rig);
	return before - 20;
}

Test(dram_sched, a_cap_on_row_hits_lets_an_older_request_in)
{
	uint64_t capped;

	cr_assert_eq(overtaken_by("", &capped), 39);
	cr_assert_eq(capped, 0);
	/* counted from when the stranger is the oldest */
	cr_assert_eq(overtaken_by("fr_fcfs.row_hit_cap=30", &capped), 30);
	cr_assert_eq(capped, 1);
	cr_assert_eq(overtaken_by("fr_fcfs.row_hit_cap=1", &capped), 1);
	cr_assert_eq(overtaken_by("fr_fcfs.row_hit_cap=1000", &capped), 39);
}

/* Two rows of a bank in turn: without a cap the hits of the open row are gathered, with a cap of one each
 * costs a row cycle. */
static bool two_rows(struct rig *rig, struct packet *p)
{
	p->local = PLACE(rig->sent % 2, 0, rig->sent / 2 * 128 % 4096);
	return true;
}

Test(dram_sched, a_cap_of_one_costs_a_row_cycle_for_every_third_request)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	cr_assert_gt(bandwidth_with(&config, "", two_rows, 4000), 128.0 / 8);
	/* an opening serves the oldest, the next of its row, which then is the oldest, the other row's having
	 * been served past it before, and one past an older one: 6 RDs, at 12, 15 ... 27 after ACT, PRE tRTP
	 * 2 later at 29, ACT at 41 */
	is_within_two_percent("two rows in turn, row_hit_cap 1",
		bandwidth_with(&config, "fr_fcfs.row_hit_cap=1", two_rows, 4000), 384.0 / 41);
}

/* ---- a channel asks for commands of later cycles ---- */

static const struct dram_sched_class *asked;
static struct simulator *time_of_rig;
static uint64_t asked_ahead;

static struct dram_choice choose_counted(struct dram_sched *s, const struct dram_queue *q, cycles now)
{
	asked_ahead += now > sim_cycle(time_of_rig, CLOCK_DRAM);
	return asked->choose(s, q, now);
}

/* Says of no later cycle what will go in it. */
static struct dram_choice choose_for_now(struct dram_sched *s, const struct dram_queue *q, cycles now)
{
	struct dram_choice choice = asked->choose(s, q, now);

	choice.request = choice.ready > now ? NULL : choice.request;
	return choice;
}

/* Two rows of three banks, a quarter of it writes. */
static bool mixed(struct rig *rig, struct packet *p)
{
	uint64_t drawn = rig_random(rig);

	p->local = PLACE(drawn >> 8 & 1, (drawn >> 16) % 3, (drawn >> 32) * 128 % 4096);
	p->kind = (drawn >> 60 & 3) == 0 ? PACKET_WRITE : PACKET_READ;
	return true;
}

/* 200 batches of 1 to 24 requests, each after the one before has been served: when the last replies came, as
 * one number, and what the channel counts. */
static void run_mixed(const char *setting, bool for_now, uint64_t result[4])
{
	static struct dram_sched_class class;
	struct dram_config config = rig_config();
	struct dram_sched *scheduler;
	struct rig rig;

	config.mapping = "row:bank:column";
	config.latency = 20;
	rig_init_with(&rig, &config, rig_scheduler(setting), mixed, 0);
	scheduler = dram_sched_of(rig.channel);
	asked = scheduler->class;
	class = *asked;
	class.choose = for_now ? choose_for_now : choose_counted;
	scheduler->class = &class;
	time_of_rig = rig.sim;
	result[0] = 0;
	for (uint32_t batch = 0; batch < 200; batch++) {
		rig.limit += 1 + batch % 24;
		component_wake(&rig.source);
		rig_run(&rig);
		result[0] = result[0] * 31 + rig.last_cycle;
	}
	scheduler->class = asked;
	result[1] = rig_stat(&rig, "row_hits");
	result[2] = rig_stat(&rig, "turnarounds");
	result[3] = rig_stat(&rig, "activates");
	rig_fini(&rig);
}

Test(dram_sched, nothing_tells_that_a_channel_asks_for_commands_of_later_cycles)
{
	static const char *const settings[] = { "", "fr_fcfs.age_cap=60", "fr_fcfs.age_cap=200",
		"fr_fcfs.row_hit_cap=3", "policy=fcfs", "policy=wms", "policy=wms wms.age_cap=100" };

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		uint64_t ahead[4], in_step[4];

		asked_ahead = 0;
		run_mixed(settings[i], false, ahead);
		run_mixed(settings[i], true, in_step);
		cr_expect_gt(asked_ahead, 500, "%s: %llu", settings[i], (unsigned long long)asked_ahead);
		for (int k = 0; k < 4; k++)
			cr_expect_eq(ahead[k], in_step[k], "%s, figure %d: %llu, %llu", settings[i], k,
				(unsigned long long)ahead[k], (unsigned long long)in_step[k]);
	}
}

/* ---- two queues by warp type ---- */

enum { TYPE_BALANCED, TYPE_MOSTLY_HIT };

struct by_type {
	struct dram_sched base;
	bool strict;        /* parameter: a lower queue gets nothing while a higher one has requests */
	uint64_t high, low; /* statistics: column commands */
};

static const struct sim_param by_type_params[] = {
	SIM_BOOL(struct by_type, strict, true, "nothing of the low queue while the high one waits"), SIM_END
};
static const struct sim_stat by_type_stats[] = { SIM_COUNT(struct by_type, high, "commands",
							 "for the high queue"),
	SIM_COUNT(struct by_type, low, "commands", "for the low queue"), SIM_STAT_END };

static uint32_t by_type_priority(struct dram_sched *s, const struct packet *p)
{
	return p->warp_type == TYPE_MOSTLY_HIT ? 0 : 1;
}

/* FR-FCFS inside each queue; the high one's commands before the low one's. */
static struct dram_choice by_type_choose(struct dram_sched *s, const struct dram_queue *q, cycles now)
{
	const struct by_type *t = (struct by_type *)s;
	struct dram_search search = { .queue = q, .now = now, .best = { .ready = SIM_NEVER } };
	uint8_t direction = dram_turn(s, q);
	uint64_t banks = ~UINT64_C(0);

	for (uint32_t p = 0; p < 2; p++) {
		const struct dram_set *set = &q->set[direction][p];
		uint32_t base = (1 - p) * DRAM_RANKS;

		if (direction == DRAM_WRITES || q->reply_room)
			dram_consider_hits(&search, set, banks, base + DRAM_RANK_HIT);
		dram_consider_oldest(&search, set, banks & ~set->hits, base + DRAM_RANK_PRECHARGE);
		banks &= ~set->waiting; /* rows that the high queue wants stay open */
		if (t->strict && set->waiting)
			break;
	}
	return search.best;
}

static void by_type_issued(struct dram_sched *s, const struct dram_queue *q, const struct dram_choice *choice)
{
	struct by_type *t = (struct by_type *)s;

	if (choice->command == DRAM_RD || choice->command == DRAM_WR)
		++*(choice->request->priority ? &t->low : &t->high);
}

static const struct dram_sched_class by_type = {
	.name = "by_type",
	.help = "two queues by warp type",
	.source = "a test",
	.size = sizeof(struct by_type),
	.params = by_type_params,
	.stats = by_type_stats,
	.priorities = 2,
	.priority = by_type_priority,
	.choose = by_type_choose,
	.issued = by_type_issued,
};

/* Random rows; every fourth request is of a mostly-hit warp, and one in eight is a write. */
static bool mixed_types(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = r >> 60 < 2 ? PACKET_WRITE : PACKET_READ;
	p->warp_type = rig->sent % 4 ? TYPE_BALANCED : TYPE_MOSTLY_HIT;
	p->local = PLACE(r >> 50 & 63, r >> 8 & 15, (r >> 16 & 31) << 7);
	return true;
}

/* Mean place among the replies of the first 64, others and mostly-hit. */
static void mean_places(struct dram_sched *scheduler, double mean[2])
{
	struct dram_config config = rig_config();
	uint32_t n[2] = { 0 };
	struct rig rig;

	config.mapping = "row:bank:column";
	config.tREFI = 2000;
	rig_init_with(&rig, &config, scheduler, mixed_types, 3000);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
	mean[0] = mean[1] = 0;
	for (uint32_t i = 0; i < 64; i++) {
		int high = rig.reply_token[i] % 4 == 0;

		mean[high] += i;
		n[high]++;
	}
	mean[0] /= n[0];
	mean[1] /= n[1];
	if (scheduler->class == &by_type) {
		cr_assert_gt(rig_stat(&rig, "scheduler.by_type.high"), 1000);
		cr_assert_eq(
			rig_stat(&rig, "scheduler.by_type.high") + rig_stat(&rig, "scheduler.by_type.low"),
			rig_stat(&rig, "read_bursts") + rig_stat(&rig, "write_bursts"));
	}
	rig_fini(&rig);
}

Test(dram_sched, a_policy_of_two_queues_by_warp_type_serves_mostly_hit_warps_first)
{
	double mean[2], plain[2];

	for (int strict = 0; strict < 2; strict++) {
		struct dram_sched *s = policy_blank(&dram_sched_interface, &by_type.policy);

		cr_assert(((struct by_type *)s)->strict, "the default");
		((struct by_type *)s)->strict = strict;
		mean_places(s, mean);
		mean_places(rig_scheduler(""), plain);
		fprintf(stderr, "mean place among 64: mostly-hit %.1f, others %.1f; fr_fcfs: %.1f, %.1f\n",
			mean[1], mean[0], plain[1], plain[0]);
		cr_assert_lt(mean[1], 0.75 * mean[0]);
		cr_assert_gt(plain[1], 0.75 * plain[0]);
	}
}
