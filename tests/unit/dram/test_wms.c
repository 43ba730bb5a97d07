/* tests/unit/dram/test_wms.c -- the scheduler of two priorities: its order on requests whose times are worked
 * out by hand. The device: RD 12 after ACT, a line is two RDs 3 apart, data end 14 after the second; PRE 28
 * after ACT at the earliest and 2 after RD; ACT 12 after PRE and 40 after ACT. */
#include "steps.h"

#define COUNT(steps) (sizeof(steps) / sizeof(*(steps)))

static cycles replied(const struct rig *rig, uint32_t token)
{
	uint32_t place = place_of(rig, token);

	cr_assert_lt(place, rig->replies, "%u is not among the replies", token);
	return rig->reply_cycle[place];
}

/* Runs the steps and returns the order of the replies, one letter each: a for the first step. */
static const char *order_under(const char *setting, const struct step *steps, uint32_t count)
{
	static char order[65];
	struct dram_config config = config_apart();
	struct feeder f;
	struct rig rig;

	play(&rig, &f, &config, rig_scheduler(setting), steps, count);
	for (uint32_t i = 0; i < rig.replies; i++)
		order[i] = (char)('a' + rig.reply_token[i]);
	order[rig.replies] = '\0';
	rig_fini(&rig);
	return order;
}

/* Six low hits of row 0, bank 0; from cycle 20 on a high read wants row 1. */
static const struct step hits_and_a_high_read[] = { { 0, 'L', 0, 0 }, { 0, 'L', 0, 1 }, { 0, 'L', 0, 2 },
	{ 0, 'L', 0, 3 }, { 0, 'L', 0, 4 }, { 0, 'L', 0, 5 }, { 20, 'H', 8, 0 } };

Test(dram_wms, a_high_read_has_the_row_closed_that_low_reads_want)
{
	struct dram_config config = config_apart();
	struct feeder f;
	struct rig rig;

	play(&rig, &f, &config, rig_scheduler("policy=wms"), hits_and_a_high_read,
		COUNT(hits_and_a_high_read));
	/* ACT 0, RD 12 and 15 for the first, 18 for the second, then nothing low in this bank; PRE 28, ACT
	 * 40, RD 52 and 55. Back: PRE 68, ACT 80, RD 92 for the rest of the second */
	cr_assert_eq(replied(&rig, 1) - replied(&rig, 0), 92 - 15);
	cr_assert_eq(replied(&rig, 6) - replied(&rig, 0), 55 - 15);
	cr_assert_eq(rig_stat(&rig, "scheduler.wms.high_latency::samples"), 1);
	cr_assert_eq(rig_stat(&rig, "scheduler.wms.low_latency::samples"), 6);
	cr_assert_eq(rig_stat(&rig, "scheduler.wms.urgent"), 0);
	rig_fini(&rig);
	play(&rig, &f, &config, rig_scheduler("policy=wms"), hits_and_a_high_read, 6);
	cr_assert_eq(replied(&rig, 5) - replied(&rig, 0), 30, "without it the row stays open");
	rig_fini(&rig);
}

Test(dram_wms, row_hits_first_leaves_the_row_open)
{
	/* all six are served at 12, 18 ... 42; PRE 47, ACT 59, RD 71 */
	cr_assert_str_eq(
		order_under("policy=wms wms.order=row_hits_first", hits_and_a_high_read, 7), "abcdefg");
	cr_assert_str_eq(order_under("policy=fr_fcfs", hits_and_a_high_read, 7), "abcdefg");
}

/* Both priorities want two rows of one bank, and wait while row 2 is open for the first. */
static const struct step two_rows_each[] = { { 0, 'L', 16, 0 }, { 1, 'L', 8, 0 }, { 1, 'L', 0, 1 },
	{ 2, 'H', 8, 1 }, { 2, 'L', 8, 2 }, { 3, 'H', 0, 2 }, { 4, 'H', 8, 3 }, { 5, 'H', 0, 3 } };

Test(dram_wms, fr_fcfs_inside_each_queue_and_high_before_low)
{
	/* Row 2 is closed at 28, before its read has gone, as high reads wait. d is the oldest, g hits its
	 * row; then f and h of row 0. Low: c hits the row that is open; a, the oldest; b and e of row 1 */
	cr_assert_str_eq(order_under("policy=wms", two_rows_each, 8), "dgfhcabe");
	/* The oldest high request opens row 1: all hits of it by age, then row 0 in the same way. c and e
	 * have entered the channel last, since high reads enter first: the order is a b d f g h c e */
	cr_assert_str_eq(order_under("policy=wms wms.order=row_hits_first", two_rows_each, 8), "abdgefhc");
	/* one way, so that they enter in their own order; b, the oldest, opens row 1 */
	cr_assert_str_eq(order_under("policy=fr_fcfs", two_rows_each, 8), "abdegcfh");
}

Test(dram_wms, reads_of_all_hit_warps_are_high_unless_switched_off)
{
	const struct step steps[] = { { 0, 'L', 0, 0 }, { 1, 'L', 8, 0 }, { 2, 'A', 16, 0 } };

	cr_assert_str_eq(order_under("policy=wms", steps, 3), "cab");
	cr_assert_str_eq(order_under("policy=wms wms.all_hit=false", steps, 3), "abc");
}

/* ---- against writes ---- */

enum { WRITES = 40 };

/* 40 writes of different rows of bank 0 from the beginning, and at cycle 100 a high read of bank 1. Returns
 * how long its reply takes. */
static cycles read_among_writes(const char *setting, uint32_t write_queue, uint64_t *interrupted)
{
	struct dram_config config = config_apart();
	struct step steps[WRITES + 1];
	struct feeder f;
	struct rig rig;
	cycles result;

	config.write_queue = write_queue;
	for (uint32_t i = 0; i < WRITES; i++)
		steps[i] = (struct step){ 0, 'W', 8 * i, 0 };
	steps[WRITES] = (struct step){ 100, 'H', 1, 0 };
	play(&rig, &f, &config, rig_scheduler(setting), steps, WRITES + 1);
	result = replied(&rig, WRITES) - 100;
	*interrupted = rig_stat(&rig, "scheduler.wms.interrupted");
	rig_fini(&rig);
	return result;
}

Test(dram_wms, a_high_read_takes_the_bus_from_writes_also_if_their_queue_is_full)
{
	uint64_t interrupted;
	cycles alone = 1 + 12 + 3 + 14; /* from joining at 101 on */

	/* writes that have begun may hold the bus: tWL 4 + 4 of data + tWTR 5 */
	cr_assert_leq(read_among_writes("policy=wms", 64, &interrupted), alone + 13);
	cr_assert_eq(interrupted, 1);
	cr_assert_leq(read_among_writes("policy=wms", 4, &interrupted), alone + 13);
	cr_assert_eq(interrupted, 1);
	/* the writes beyond the low mark of 8, with a row cycle of at least 40 each, go first */
	cr_assert_gt(read_among_writes("policy=wms wms.interrupts_writes=false", 64, &interrupted), 20 * 40);
	cr_assert_eq(interrupted, 0);
}

/* ---- starvation ---- */

/* High reads hit row 1 of bank 0 as fast as it serves them; one low read wants row 0. Returns its place. */
static uint32_t place_of_low(const char *setting, uint64_t *urgent)
{
	enum { HIGHS = 50 };
	struct dram_config config = config_apart();
	struct step steps[HIGHS + 1];
	struct feeder f;
	struct rig rig;
	uint32_t place;

	for (uint32_t i = 0; i < HIGHS; i++)
		steps[i] = (struct step){ 6 * i, 'H', 8, i % 32 };
	steps[HIGHS] = (struct step){ 10, 'L', 0, 0 };
	play(&rig, &f, &config, rig_scheduler(setting), steps, HIGHS + 1);
	place = place_of(&rig, HIGHS);
	*urgent = rig_stat(&rig, "scheduler.wms.urgent");
	rig_fini(&rig);
	return place;
}

Test(dram_wms, without_a_cap_on_age_low_reads_wait_for_all_high_ones)
{
	uint64_t urgent;

	cr_assert_eq(place_of_low("policy=wms", &urgent), 50);
	cr_assert_eq(urgent, 0);
	/* too old at 10 + 100: a read every six cycles from 12 on, of which 17 have gone by then */
	cr_assert_leq(place_of_low("policy=wms wms.age_cap=100", &urgent), 18);
	cr_assert_geq(urgent, 1);
}

/* ---- places ---- */

Test(dram_wms, each_queue_has_its_own_places)
{
	struct dram_config config = config_apart();
	struct step steps[20];
	struct feeder f;
	struct rig rig;

	for (uint32_t i = 0; i < 20; i++)
		steps[i] = (struct step){ i / 10 ? 0 : 1, i / 10 ? 'L' : 'H', 8 * i, 0 };
	play(&rig, &f, &config, rig_scheduler("policy=wms wms.high_places=2"), steps, 20);
	cr_assert_gt(rig_stat(&rig, "waits::read_queue"), 7 * 40);
	/* the low reads find places while the high ones wait for theirs, but are served after them */
	for (uint32_t i = 0; i < 10; i++)
		cr_assert_leq(place_of(&rig, i), 10);
	rig_fini(&rig);
}

/* ---- notices of merges ---- */

static const char raising[] = "policy=wms wms.raise_merged=true";

Test(dram_wms, a_notice_raises_a_read_in_the_queue)
{
	/* rows of bank 0: without the notice by age; with it d goes as soon as a, which has begun, has gone
	 */
	const struct step steps[] = { { 0, 'L', 0, 0 }, { 0, 'L', 8, 0 }, { 0, 'L', 16, 0 },
		{ 0, 'L', 24, 0 }, { 20, 'N', 24, 0 } };

	cr_assert_str_eq(order_under(raising, steps, 4), "abcd");
	cr_assert_str_eq(order_under(raising, steps, 5), "adbc");
}

static void outcome_of(const char *setting, uint32_t read_queue, const struct step *steps, uint32_t count,
	uint64_t raises[3])
{
	struct dram_config config = config_apart();
	struct feeder f;
	struct rig rig;

	config.read_queue = read_queue;
	play(&rig, &f, &config, rig_scheduler(setting), steps, count);
	raises[0] = rig_stat(&rig, "scheduler.wms.raises::raised");
	raises[1] = rig_stat(&rig, "scheduler.wms.raises::full");
	raises[2] = rig_stat(&rig, "scheduler.wms.raises::late");
	cr_assert_eq(rig_stat(&rig, "scheduler.wms.high_latency::samples"), raises[0] + (raises[1] != 0),
		"a read that was raised counts as high");
	rig_fini(&rig);
}

Test(dram_wms, a_notice_that_is_late_or_finds_the_high_queue_full_changes_nothing)
{
	uint64_t raises[3];

	outcome_of(raising, 8, (struct step[]){ { 0, 'L', 0, 0 }, { 0, 'L', 8, 0 }, { 20, 'N', 8, 0 } }, 3,
		raises);
	cr_assert(raises[0] == 1 && !raises[1] && !raises[2]);
	outcome_of(raising, 8, (struct step[]){ { 0, 'L', 0, 0 }, { 100, 'N', 0, 0 } }, 2, raises);
	cr_assert(!raises[0] && !raises[1] && raises[2] == 1, "its data have gone");
	outcome_of("policy=wms wms.raise_merged=true wms.high_places=1", 8,
		(struct step[]){ { 0, 'L', 0, 0 }, { 0, 'L', 8, 0 }, { 2, 'H', 16, 0 }, { 20, 'N', 8, 0 } },
		4, raises);
	cr_assert(!raises[0] && raises[1] == 1 && !raises[2]);
	/* the low queue's only place is taken, so that the read is still in the pipe */
	outcome_of(raising, 1, (struct step[]){ { 0, 'L', 0, 0 }, { 0, 'L', 8, 0 }, { 20, 'N', 8, 0 } }, 3,
		raises);
	cr_assert(raises[0] == 1 && !raises[1] && !raises[2]);
}

Test(dram_wms, requests_for_few_lines_all_leave_under_every_variant)
{
	static const char *const variants[] = { "policy=wms", "policy=wms wms.order=row_hits_first",
		"policy=wms wms.interrupts_writes=false", "policy=wms wms.age_cap=60",
		"policy=wms wms.order=row_hits_first wms.age_cap=60 wms.high_places=1 wms.all_hit=false" };

	for (uint32_t i = 0; i < 40; i++) {
		struct dram_config config = config_apart();
		struct rig rig;

		config.read_queue = 1u << i / 5 % 2 * 3;
		config.write_queue = i % 3 ? 1u << i / 10 % 2 * 3 : 0;
		config.reply_queue = i / 20 % 2 ? 1 : 116;
		config.latency = i % 3 * 4;
		config.tREFI = 1000;
		config.row_policy = i % 7 == 0;
		rig_init_with(&rig, &config, rig_scheduler(variants[i % 5]), steps_few_lines, 3000);
		rig.sink_every = i % 4 * 3;
		rig_run(&rig);
		cr_assert_eq(rig.replies, rig_stat(&rig, "reads"));
		cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
		cr_assert_eq(rig_stat(&rig, "row_hits") + rig_stat(&rig, "row_misses") +
				rig_stat(&rig, "row_conflicts") + rig_stat(&rig, "forwarded"),
			3000);
		cr_assert_eq(rig_stat(&rig, "scheduler.wms.high_latency::samples") +
				rig_stat(&rig, "scheduler.wms.low_latency::samples"),
			rig.replies);
		if (i % 5 < 3)
			cr_assert_eq(rig_stat(&rig, "scheduler.wms.urgent"), 0);
		rig_fini(&rig);
	}
}
