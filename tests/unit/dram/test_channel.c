/* tests/unit/dram/test_channel.c -- the channel as a whole, against what the timing parameters say by hand.
 * The protocol checker is on throughout: any command that breaks a rule aborts the test. */
#include "rig.h"

/* Addresses under "row:bank:column": row << 16 | bank << 12 | column. */
#define PLACE(row, bank, column) ((addr)(row) << 16 | (addr)(bank) << 12 | (addr)(column))

static bool sequential_read(struct rig *rig, struct packet *p)
{
	p->local = rig->sent * 128;
	return true;
}

static bool one_row(struct rig *rig, struct packet *p)
{
	p->local = PLACE(0, 0, rig->sent * 128 % 4096);
	return true;
}

/* Everything: reads and writes, all sizes, hot and cold rows. */
static bool anything(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = (r & 3) == 0 ? PACKET_WRITE : PACKET_READ;
	p->bytes = (uint16_t)(32 << (r >> 2) % 3);
	p->local = PLACE(r >> 4 & 1 ? 1 : r >> 58, r >> 8 & (r >> 5 & 1 ? 15 : 2), (r >> 16 & 31) << 7);
	p->local += p->bytes < 128 ? (r >> 24) % (128u / p->bytes) * p->bytes : 0;
	return true;
}

Test(dram_channel, a_lone_read_takes_tRCD_tCL_and_its_bursts)
{
	struct dram_config config = rig_config();
	struct rig rig;

	rig_init(&rig, &config, sequential_read, 1);
	rig_run(&rig);
	/* ACT 0, RD 12, RD 15 (tCCDL), data end 15 + 12 + 2; the sink looks one cycle later */
	cr_assert_eq(rig.last_cycle, 30);
	rig_fini(&rig);
	config.latency = 40;
	rig_init(&rig, &config, sequential_read, 1);
	rig_run(&rig);
	cr_assert_eq(rig.last_cycle, 70);
	rig_fini(&rig);
}

static bool reorderable(struct rig *rig, struct packet *p)
{
	static const uint64_t rows[] = { 0, 1, 0, 2, 1, 0 };

	p->local = PLACE(rows[rig->sent], 0, rig->sent * 128);
	return true;
}

static void order_is(const char *scheduler, const char *expected)
{
	struct dram_config config = rig_config();
	struct rig rig;
	char order[16] = "";

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, rig_scheduler(scheduler), reorderable, 6);
	rig_run(&rig);
	for (uint32_t i = 0; i < rig.replies; i++)
		order[i] = (char)('0' + rig.reply_token[i]);
	cr_assert_str_eq(order, expected);
	rig_fini(&rig);
}

Test(dram_channel, fr_fcfs_serves_row_hits_before_older_requests)
{
	order_is("policy=fr_fcfs", "025143");
}

Test(dram_channel, fcfs_keeps_the_order_of_arrival)
{
	order_is("policy=fcfs", "012345");
}

static bool one_stranger(struct rig *rig, struct packet *p)
{
	one_row(rig, p);
	if (rig->sent == 20)
		p->local = PLACE(1, 0, 0);
	return true;
}

Test(dram_channel, a_request_among_endless_row_hits_is_served_at_the_age_cap)
{
	struct dram_config config = rig_config();
	struct rig rig;

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, rig_scheduler("fr_fcfs.age_cap=500"), one_stranger, 5000);
	rig.watched = 20;
	rig_run(&rig);
	cr_assert_gt(rig.watched_cycle, 500);
	cr_assert_lt(rig.watched_cycle, 700);
	rig_fini(&rig);
}

static bool second_is_a_stranger(struct rig *rig, struct packet *p)
{
	one_row(rig, p);
	if (rig->sent == 1)
		p->local = PLACE(1, 0, 0);
	return true;
}

/* When the request for row 1 of a bank is answered that is sent second, among endless hits of row 0. */
static cycles stranger_answered(uint32_t age_cap)
{
	struct dram_config config = rig_config();
	struct rig rig;
	char setting[32];
	cycles at;

	config.mapping = "row:bank:column";
	snprintf(setting, sizeof(setting), "fr_fcfs.age_cap=%u", age_cap);
	rig_init_with(&rig, &config, rig_scheduler(setting), second_is_a_stranger, 1000);
	rig.watched = 1;
	rig_run(&rig);
	at = rig.watched_cycle;
	rig_fini(&rig);
	return at;
}

Test(dram_channel, the_age_cap_holds_to_the_cycle)
{
	/* ACT in cycle 0, and every third cycle from 12 on a hit's RD. The stranger joins in cycle 1: in
	 * cycle 1 + 302 no hit's RD goes any more, which would, but the stranger's PRE; ACT 12 later, RDs 12
	 * and 15 after that, and the reply 15 after the second. */
	cr_assert_eq(stranger_answered(302), 303 + 12 + 15 + 15);
	/* with one cycle more that RD goes, and the PRE must wait tRTP 2 for it: the same for two */
	cr_assert_eq(stranger_answered(303), 305 + 12 + 15 + 15);
	cr_assert_eq(stranger_answered(304), 305 + 12 + 15 + 15);
	cr_assert_eq(stranger_answered(305), 306 + 12 + 15 + 15);
}

static bool one_write(struct rig *rig, struct packet *p)
{
	one_row(rig, p);
	if (rig->sent == 20)
		p->kind = PACKET_WRITE;
	return true;
}

Test(dram_channel, a_write_among_endless_reads_is_served_at_the_age_cap)
{
	struct dram_config config = rig_config();
	struct rig rig;
	bool stop = false;

	config.mapping = "row:bank:column";
	rig_init_with(&rig, &config, rig_scheduler("fr_fcfs.age_cap=500"), one_write, 5000);
	cr_assert(sim_run(rig.sim, &stop, 700 * UINT64_C(1083)));
	cr_assert_eq(rig_stat(&rig, "writes"), 1);
	rig_run(&rig);
	rig_fini(&rig);
}

Test(dram_channel, the_closed_policy_precharges_rows_nobody_waits_for)
{
	struct dram_config config = rig_config();
	struct rig rig;

	config.row_policy = 1;
	rig_init(&rig, &config, sequential_read, 1);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "precharges"), 1);
	cr_assert_eq(sim_cycle(rig.sim, CLOCK_DRAM), 30);
	rig_fini(&rig);
}

Test(dram_channel, an_idle_channel_makes_up_for_the_refreshes_it_slept_through)
{
	struct dram_config config = rig_config();
	struct rig rig;

	config.tREFI = 3604;
	rig_init(&rig, &config, sequential_read, 1);
	rig_run(&rig);
	cr_assert_eq(sim_cycle(rig.sim, CLOCK_DRAM), 30);
	rig.limit = 2;
	component_wake_at(&rig.source, 36060);
	rig_run(&rig);
	/* the tenth refresh began at 36040 and lasts 60: ACT 36100 */
	cr_assert_eq(rig_stat(&rig, "refreshes"), 10);
	cr_assert_eq(rig_stat(&rig, "precharges"), 1);
	cr_assert_eq(rig_stat(&rig, "row_misses"), 2);
	cr_assert_eq(rig.last_cycle, 36130);
	rig_fini(&rig);
}

Test(dram_channel, rows_are_open_up_to_a_refresh_even_if_it_is_made_up_late)
{
	struct dram_config config = rig_config();
	struct rig rig;

	config.tREFI = 3604;
	rig_init(&rig, &config, sequential_read, 1);
	rig_run(&rig);
	/* the ACT was in cycle 0, and the refresh that is due in cycle 3604 needs a PRE */
	dram_sync_stats(rig.channel, 3000, 3000);
	cr_assert_eq(rig_stat(&rig, "open_cycles"), 3000);
	dram_sync_stats(rig.channel, 36000, 36000);
	cr_assert_eq(rig_stat(&rig, "open_cycles"), 3604);
	rig.limit = 2;
	component_wake_at(&rig.source, 36060);
	rig_run(&rig);
	dram_sync_stats(rig.channel, 36130, 36130);
	cr_assert_eq(rig_stat(&rig, "open_cycles"), 3604 + 30);
	rig_fini(&rig);
}

Test(dram_channel, every_request_that_enters_leaves_whatever_the_configuration)
{
	static const char *const mappings[] = { "row:bank:column:bank2:column8", "row:bank:column",
		"row:column:bank:column7" };
	static const uint32_t queues[] = { 1, 2, 64 };

	for (uint32_t i = 0; i < 3 * 3 * 2 * 2 * 2; i++) {
		struct dram_config config = rig_config();
		struct rig rig;

		config.mapping = mappings[i % 3];
		config.read_queue = queues[i / 3 % 3];
		config.write_queue = queues[i / 3 % 3 ? 2 - i / 3 % 3 + i % 2 : 0];
		config.write_queue = i % 5 ? config.write_queue : 0; /* with the reads */
		config.row_policy = i / 18 % 2;
		config.reply_queue = i / 36 ? 1 : 116;
		config.latency = i / 36 ? 40 : 0;
		config.tREFI = 1000;
		rig_init_with(&rig, &config, rig_scheduler(i / 9 % 2 ? "policy=fcfs" : "fr_fcfs.age_cap=400"),
			anything, 3000);
		rig.sink_every = i / 36 ? 9 : 0;
		rig_run(&rig);
		cr_assert_eq(rig.replies, rig_stat(&rig, "reads"));
		cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
		cr_assert_eq(rig_stat(&rig, "row_hits") + rig_stat(&rig, "row_misses") +
				rig_stat(&rig, "row_conflicts") + rig_stat(&rig, "forwarded"),
			3000);
		cr_assert_gt(rig_stat(&rig, "refreshes"), 5);
		cr_assert_leq(rig_stat(&rig, "data_bus_cycles"), rig_stat(&rig, "work_cycles"));
		rig_fini(&rig);
	}
}

Test(dram_channel, the_same_traffic_takes_the_same_cycles)
{
	struct dram_config config = rig_config();
	cycles took[2];

	for (int i = 0; i < 2; i++) {
		struct rig rig;

		rig_init(&rig, &config, anything, 2000);
		rig_run(&rig);
		took[i] = sim_now(rig.sim);
		rig_fini(&rig);
	}
	cr_assert_eq(took[0], took[1]);
}
