/* tests/unit/dram/test_bandwidth.c -- the two-way check of DRAM: streams of requests of 128 bytes (2 bursts
 * of 64) through one channel of the GTX 480 against bandwidths worked out by hand, in bytes per command
 * cycle, to 2 %. The peak is 64 bytes in 2 cycles: 32. The protocol checker is on throughout. `make dram`
 * prints the table. */
#include "bandwidth.h"

static bool one_row(struct rig *rig, struct packet *p)
{
	p->local = PLACE(0, 0, rig->sent * 128 % 4096);
	return true;
}

/* Banks 0, 4, 8 and 12 are those of group 0. */
static bool one_group(struct rig *rig, struct packet *p)
{
	p->local = PLACE(rig->sent / 128, rig->sent % 4 * 4, rig->sent / 4 * 128 % 4096);
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

	p->local = PLACE(r >> 40, r >> 8 & 15, (r >> 16 & 31) << 7);
	return true;
}

static bool random_row_one_group(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->local = PLACE(r >> 40, (r >> 8 & 3) * 4, (r >> 16 & 31) << 7);
	return true;
}

/* Reads and writes in turn, reads of banks 0 to `banks` - 1, writes of as many from bank 8 on, all of row 0.
 */
static bool in_turn(struct rig *rig, struct packet *p, uint32_t banks)
{
	uint64_t i = rig->sent / 2, is_write = rig->sent % 2;

	p->kind = is_write ? PACKET_WRITE : PACKET_READ;
	p->local = PLACE(0, i % banks + is_write * 8, i / banks * 128 % 4096);
	return true;
}

static bool half_writes(struct rig *rig, struct packet *p)
{
	return in_turn(rig, p, 8);
}

static bool half_writes_two_banks(struct rig *rig, struct packet *p)
{
	return in_turn(rig, p, 1);
}

static struct dram_config banks_apart(void)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	return config;
}

/* All banks in turn, one row each, ACT long before it is needed: a burst every 2 cycles, whether tCCDS or the
 * bus sets it. */
Test(dram_bandwidth, a_sequential_stream_fills_the_data_bus)
{
	struct dram_config config = rig_config();

	is_within_two_percent("sequential reads", bandwidth(&config, sequential_read, 20000), 64.0 / 2);
	is_within_two_percent("sequential writes", bandwidth(&config, sequential_write, 20000), 64.0 / 2);
	config.row_policy = 1;
	is_within_two_percent(
		"sequential reads, closed rows", bandwidth(&config, sequential_read, 20000), 64.0 / 2);
}

/* Lost every tREFI, of reads: the last RD, tRTP 2, 16 PRE at one a cycle (the last 15 later), tRP 12, tRFC
 * 60, tRCD 12. Of writes the last bank can be closed tWL 4 + 2 + tWR 12 after its WR; by then the others are.
 */
Test(dram_bandwidth, refresh_takes_its_share_of_a_sequential_stream)
{
	struct dram_config config = rig_config();

	config.tREFI = 3604;
	is_within_two_percent("sequential reads, refresh", bandwidth(&config, sequential_read, 40000),
		32.0 * (1 - (15 + 2 + 12 + 60 + 12) / 3604.0));
	is_within_two_percent("sequential writes, refresh", bandwidth(&config, sequential_write, 40000),
		32.0 * (1 - (4 + 2 + 12 + 12 + 60 + 12) / 3604.0));
	config.tREFI = 901;
	is_within_two_percent("sequential reads, refresh four times as often",
		bandwidth(&config, sequential_read, 40000), 32.0 * (1 - (15 + 2 + 12 + 60 + 12) / 901.0));
}

/* A burst every tCCDL. */
Test(dram_bandwidth, a_stream_in_one_bank_group_moves_a_burst_every_tCCDL)
{
	struct dram_config config = banks_apart();

	is_within_two_percent("one row", bandwidth(&config, one_row, 10000), 64.0 / 3);
	is_within_two_percent("one bank group", bandwidth(&config, one_group, 20000), 64.0 / 3);
	config.tCCDL = 5;
	is_within_two_percent("one bank group, tCCDL 5", bandwidth(&config, one_group, 20000), 64.0 / 5);
	config.bank_groups = 1;
	config.tCCDS = 4;
	config.tCCDL = 4;
	is_within_two_percent("no groups, tCCDS = tCCDL = 4", bandwidth(&config, one_group, 20000), 64.0 / 4);
}

/* A row of its own for each request. Reads: ACT to ACT of one bank is tRC 40, which is longer than tRCD 12 +
 * tCCDL 3 + tRTP 2 + tRP 12. Writes: tRCD 12, second WR tCCDL 3 later, its data until tWL 4 + 2, tWR 12, tRP
 * 12: 45. */
Test(dram_bandwidth, a_row_conflict_stream_takes_a_row_cycle_a_request)
{
	struct dram_config config = banks_apart();

	is_within_two_percent(
		"row conflicts, reads", bandwidth(&config, new_row_same_bank, 3000), 128.0 / 40);
	is_within_two_percent(
		"row conflicts, writes", bandwidth(&config, new_row_same_bank_write, 3000), 128.0 / 45);
	config.tRC = 60;
	is_within_two_percent(
		"row conflicts, reads, tRC 60", bandwidth(&config, new_row_same_bank, 3000), 128.0 / 60);
	config.tRC = 40;
	config.tRCDWR = 8;
	is_within_two_percent("row conflicts, writes, tRCDWR 8",
		bandwidth(&config, new_row_same_bank_write, 3000), 128.0 / 41);
}

/* An ACT for each request, one every tRRD, four in tFAW; inside one group one every tRRDL. */
Test(dram_bandwidth, random_rows_are_bound_by_activates)
{
	struct dram_config config = banks_apart();

	is_within_two_percent("random rows (tRRD)", bandwidth(&config, random_row, 20000), 128.0 / 6);
	config.tFAW = 40;
	is_within_two_percent("random rows, tFAW 40", bandwidth(&config, random_row, 20000), 4 * 128.0 / 40);
	config.tFAW = 22;
	config.tRRDL = 20; /* four banks: a row cycle each would allow one in 10 */
	config.read_queue = 256;
	is_within_two_percent("random rows of one group, tRRDL 20",
		bandwidth(&config, random_row_one_group, 20000), 128.0 / 20);
}

/* PRE 0, ACT 12, RD 24 and 27, next PRE 28; the same bank again, one time in 16, waits for tRAS: 40. */
Test(dram_bandwidth, fcfs_pays_the_whole_row_cycle_of_each_request)
{
	struct dram_config config = banks_apart();

	is_within_two_percent("random rows, fcfs", bandwidth_with(&config, "policy=fcfs", random_row, 20000),
		128.0 / (28 * 15 + 40) * 16);
}

/* fcfs changes direction with every request. Rows stay open nearly always. In a period, with the first RD at
 * 0: the two RDs of one row are tCCDL 3 apart, WR comes at 3 + tCL 12 + 2 + 2 - tWL 4 = 15, the second at 18,
 * RD at 18 + tWL 4 + 2 + tWTR 5 = 29: 256 bytes in 29 cycles. */
Test(dram_bandwidth, fcfs_turns_the_bus_round_with_every_request)
{
	struct dram_config config = banks_apart();

	is_within_two_percent("reads and writes in turn, fcfs",
		bandwidth_with(&config, "policy=fcfs", half_writes_two_banks, 4000), 256.0 / 29);
}

/* fr_fcfs sends writes in batches, from write_high 32 down to write_low 8 and what arrives meanwhile, and as
 * many reads between two of them. All rows are open. What a pair of batches loses is the turns of the bus: RD
 * to WR 12 + 2 + 2 - 4 = 12 where 2 would do, WR to RD 4 + 2 + 5 = 11 where 2 would do. How many turns there
 * are is measured (it is the source, one queue, that says how long batches get), what they cost worked out.
 */
Test(dram_bandwidth, batches_of_writes_lose_the_turns_of_the_bus)
{
	struct dram_config config = banks_apart();
	uint64_t n = 20000, turns;
	struct rig rig;
	double measured;

	rig_init(&rig, &config, half_writes, n);
	rig_run(&rig);
	turns = rig_stat(&rig, "turnarounds");
	measured = (double)n * 128 / (double)sim_cycle(rig.sim, CLOCK_DRAM);
	cr_assert_lt(turns, n / 20, "batches of %g", (double)n / (double)turns);
	is_within_two_percent("reads and writes in turn, fr_fcfs", measured,
		(double)n * 128 / ((double)n * 4 + (double)turns / 2 * (10 + 9)));
	rig_fini(&rig);
}
