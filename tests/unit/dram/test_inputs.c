/* tests/unit/dram/test_inputs.c -- two inputs of a channel: the first is not held up by the last, and
 * requests for the same bytes keep their order. The scheduler is FR-FCFS as if there were one set, with two
 * inputs by the type of the warp. */
#include "steps.h"

static uint32_t input_by_type(const struct dram_sched *prototype, const struct packet *p)
{
	return p->warp_type != WARP_MOSTLY_HIT;
}

extern const struct dram_sched_class dram_sched_fr_fcfs;

static struct dram_sched_class two_inputs;

/* FR-FCFS with two inputs. */
static struct dram_sched *scheduler(void)
{
	two_inputs = dram_sched_fr_fcfs;
	two_inputs.inputs = 2;
	two_inputs.input = input_by_type;
	return policy_blank(&dram_sched_interface, &two_inputs.policy);
}

Test(dram_inputs, a_full_last_input_does_not_hold_up_the_first)
{
	enum { LOW = 40 };
	struct dram_config config = config_apart();
	struct step steps[LOW + 1];
	struct feeder f;
	struct rig rig;

	config.read_queue = 4;
	config.latency = 3;
	/* reads of different rows of one bank, each of which takes a row cycle of 40: the queue's 4 places,
	 * the pipe's 4 and the port's 8 are soon taken */
	for (uint32_t i = 0; i < LOW; i++)
		steps[i] = (struct step){ 0, 'L', 8 * i, 0 };
	steps[LOW] = (struct step){ 100, 'H', 1, 0 };
	play(&rig, &f, &config, scheduler(), steps, LOW + 1);
	cr_assert_gt(f.refused, 20 * 40, "the last input's port is full most of the time");
	cr_assert_gt(rig_stat(&rig, "waits::read_queue"), 30 * 40);
	/* 2 others have been served by cycle 100, and the fourth's data come at 40 * 3 + 12 + 12 + 4. The
	 * first input: port 0, pipe 3, ACT at 103 or 104, RD 12 later and 3 later again, data 12 and 2 later
	 */
	cr_assert_leq(place_of(&rig, LOW), 3, "%u", place_of(&rig, LOW));
	cr_assert_leq(rig.reply_cycle[place_of(&rig, LOW)], 100 + 3 + 1 + 12 + 3 + 12 + 2 + 2, "%u",
		(uint32_t)rig.reply_cycle[place_of(&rig, LOW)]);
	rig_fini(&rig);
}

/* The line of the write is read by the first input: the write waits on its way, as the queue of writes is
 * full, and the read behind it in time waits for it, and is then answered from it. */
Test(dram_inputs, a_read_does_not_pass_an_older_write_of_its_bytes)
{
	struct dram_config config = config_apart();
	struct feeder f;
	struct rig rig;

	config.write_queue = 1;
	play(&rig, &f, &config, scheduler(),
		(struct step[]){ { 0, 'W', 0, 0 }, { 0, 'W', 8, 0 }, { 0, 'W', 16, 0 }, { 2, 'H', 16, 0 },
			{ 2, 'H', 1, 0 } },
		5);
	cr_assert_gt(rig_stat(&rig, "waits::other_way"), 40, "two writes of other rows are before it");
	cr_assert_eq(rig_stat(&rig, "forwarded"), 1);
	cr_assert_eq(place_of(&rig, 3), 0, "the other read is behind it on its way");
	rig_fini(&rig);
	play(&rig, &f, &config, scheduler(),
		(struct step[]){ { 0, 'W', 0, 0 }, { 0, 'W', 8, 0 }, { 0, 'W', 16, 0 }, { 2, 'H', 24, 0 },
			{ 2, 'H', 1, 0 } },
		5);
	cr_assert_eq(rig_stat(&rig, "waits::other_way"), 0, "another line of the bank");
	rig_fini(&rig);
}

Test(dram_inputs, requests_for_few_lines_all_leave_whatever_the_sizes)
{
	for (uint32_t i = 0; i < 24; i++) {
		struct dram_config config = config_apart();
		struct rig rig;

		config.read_queue = 1u << i % 3 * 2;
		config.write_queue = 1u << i / 3 % 2 * 3;
		config.reply_queue = i / 6 % 2 ? 1 : 116;
		config.latency = i / 12 * 7;
		config.tREFI = 1000;
		rig_init_with(&rig, &config, scheduler(), steps_few_lines, 3000);
		rig_run(&rig);
		cr_assert_eq(rig.replies, rig_stat(&rig, "reads"));
		cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
		cr_assert_gt(rig_stat(&rig, "waits::other_way"), 0);
		rig_fini(&rig);
	}
}
