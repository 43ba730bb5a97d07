/* tests/unit/dram/test_channel.c -- the channel as a whole, against what the timing parameters say by hand. The protocol
 * checker is on throughout: any command that breaks a rule aborts the test. */
#include "rig.h"

/* Addresses under "row:bank:column": row << 16 | bank << 12 | column. */
#define PLACE(row, bank, column) ((addr)(row) << 16 | (addr)(bank) << 12 | (addr)(column))

static bool sequential_read(struct rig *rig, struct packet *p)
{
	p->local = rig->sent * 128;
	return true;
}

static bool sequential_write(struct rig *rig, struct packet *p)
{
	p->kind = PACKET_WRITE;
	return sequential_read(rig, p);
}

static bool one_row(struct rig *rig, struct packet *p)
{
	p->local = PLACE(0, 0, rig->sent * 128 % 4096);
	return true;
}

static bool new_row_same_bank(struct rig *rig, struct packet *p)
{
	p->local = PLACE(rig->sent, 3, 0);
	return true;
}

static bool new_row_same_bank_write(struct rig *rig, struct packet *p)
{
	p->kind = PACKET_WRITE;
	return new_row_same_bank(rig, p);
}

static bool random_row(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->local = PLACE(r >> 40, r >> 8 & 15, r >> 16 & 31 << 7);
	return true;
}

static bool half_random_writes(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = r >> 60 & 1 ? PACKET_WRITE : PACKET_READ;
	p->local = PLACE(r >> 40 & 1, r >> 8 & 15, r >> 16 & 31 << 7);
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

/* Runs and returns bytes per command cycle, by reads: until the last reply, else by data-bus time. */
static double bandwidth(const struct dram_config *config, bool (*next)(struct rig *, struct packet *), uint64_t n)
{
	struct rig rig;
	double result;

	rig_init(&rig, config, next, n);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), n);
	cr_assert_eq(rig_stat(&rig, "bytes"), n * 128);
	cr_assert_eq(rig_stat(&rig, "row_hits") + rig_stat(&rig, "row_misses") + rig_stat(&rig, "row_conflicts"), n);
	result = (double)n * 128 / (double)sim_cycle(rig.sim, CLOCK_DRAM);
	rig_fini(&rig);
	return result;
}

static void is_within_two_percent(const char *what, double measured, double by_hand)
{
	fprintf(stderr, "%s: %.3f bytes per cycle, by hand %.3f (%+.2f %%)\n", what, measured, by_hand,
		100 * (measured / by_hand - 1));
	cr_assert(measured > by_hand * 0.98 && measured < by_hand * 1.02, "%s: %.3f, by hand %.3f", what, measured, by_hand);
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

Test(dram_channel, a_sequential_stream_fills_the_data_bus)
{
	struct dram_config config = rig_config();

	is_within_two_percent("sequential reads", bandwidth(&config, sequential_read, 20000), 64.0 / 2);
	is_within_two_percent("sequential writes", bandwidth(&config, sequential_write, 20000), 64.0 / 2);
}

Test(dram_channel, refresh_takes_its_share_of_a_sequential_stream)
{
	struct dram_config config = rig_config();

	config.tREFI = 3604;
	/* lost each time: 16 PRE, tRP, tRFC, tRCD */
	is_within_two_percent("sequential reads with refresh", bandwidth(&config, sequential_read, 40000),
		32.0 * (1 - (16 + 12 + 60 + 12) / 3604.0));
}

Test(dram_channel, a_stream_in_one_row_moves_a_burst_every_tCCDL)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	is_within_two_percent("one row", bandwidth(&config, one_row, 10000), 64.0 / 3);
}

Test(dram_channel, a_row_conflict_stream_takes_tRC_a_request)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	is_within_two_percent("row conflicts, reads", bandwidth(&config, new_row_same_bank, 3000), 128.0 / 40);
	/* tRCD 12, tCCDL 3, tWL 4 + burst 2 + tWR 12, tRP 12 */
	is_within_two_percent("row conflicts, writes", bandwidth(&config, new_row_same_bank_write, 3000), 128.0 / 45);
}

Test(dram_channel, random_rows_are_bound_by_tRRD)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	is_within_two_percent("random rows", bandwidth(&config, random_row, 20000), 128.0 / 6);
	config.tFAW = 40;
	is_within_two_percent("random rows, tFAW 40", bandwidth(&config, random_row, 20000), 4 * 128.0 / 40);
}

Test(dram_channel, fcfs_pays_the_whole_row_cycle_of_each_request)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	config.scheduler = 1;
	/* PRE 0, ACT 12, RD 24 and 27, next PRE 28; the same bank again, one time in 16, waits for tRAS: 40 */
	is_within_two_percent("random rows, fcfs", bandwidth(&config, random_row, 20000), 128.0 / (28 * 15 + 40) * 16);
}

Test(dram_channel, mixed_reads_and_writes_do_not_thrash_the_bus)
{
	struct dram_config config = rig_config();
	double measured;

	config.mapping = "row:bank:column";
	measured = bandwidth(&config, half_random_writes, 20000);
	fprintf(stderr, "half writes, two rows a bank: %.3f bytes per cycle\n", measured);
	cr_assert_gt(measured, 0.6 * 32);
}

static bool reorderable(struct rig *rig, struct packet *p)
{
	static const uint64_t rows[] = { 0, 1, 0, 2, 1, 0 };

	p->local = PLACE(rows[rig->sent], 0, rig->sent * 128);
	return true;
}

static void order_is(uint32_t scheduler, const char *expected)
{
	struct dram_config config = rig_config();
	struct rig rig;
	char order[16] = "";

	config.mapping = "row:bank:column";
	config.scheduler = scheduler;
	rig_init(&rig, &config, reorderable, 6);
	rig_run(&rig);
	for (uint32_t i = 0; i < rig.replies; i++)
		order[i] = (char)('0' + rig.reply_token[i]);
	cr_assert_str_eq(order, expected);
	rig_fini(&rig);
}

Test(dram_channel, fr_fcfs_serves_row_hits_before_older_requests)
{
	order_is(0, "025143");
}

Test(dram_channel, fcfs_keeps_the_order_of_arrival)
{
	order_is(1, "012345");
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
	config.age_cap = 500;
	rig_init(&rig, &config, one_stranger, 5000);
	rig.watched = 20;
	rig_run(&rig);
	cr_assert_gt(rig.watched_cycle, 500);
	cr_assert_lt(rig.watched_cycle, 700);
	rig_fini(&rig);
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
	config.age_cap = 500;
	rig_init(&rig, &config, one_write, 5000);
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

Test(dram_channel, every_request_that_enters_leaves_whatever_the_configuration)
{
	static const char *const mappings[] = { "row:bank:column:bank2:column8", "row:bank:column", "row:column:bank:column7" };
	static const uint32_t queues[] = { 1, 2, 64 };

	for (uint32_t i = 0; i < 3 * 3 * 2 * 2 * 2; i++) {
		struct dram_config config = rig_config();
		struct rig rig;

		config.mapping = mappings[i % 3];
		config.queue = queues[i / 3 % 3];
		config.scheduler = i / 9 % 2;
		config.row_policy = i / 18 % 2;
		config.reply_queue = i / 36 ? 1 : 116;
		config.latency = i / 36 ? 40 : 0;
		config.tREFI = 1000;
		config.age_cap = 400;
		rig_init(&rig, &config, anything, 3000);
		rig.sink_every = i / 36 ? 9 : 0;
		rig_run(&rig);
		cr_assert_eq(rig.replies, rig_stat(&rig, "reads"));
		cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 3000);
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
