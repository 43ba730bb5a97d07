/* tests/unit/dram/test_queues.c -- read and write queue: their places, drain marks, and requests that meet on
 * one line. */
#include "rig.h"
#include <string.h>

#define PLACE(row, bank, column) ((addr)(row) << 16 | (addr)(bank) << 12 | (addr)(column))

/* A script: one packet a step. R, W: 128 bytes of line `line`; r, w: its first 32 bytes; m: bytes 0 to 15
 * alone, by mask; s: a read of its last sector, by mask; ".": nothing more is to come. Line n lies in row n /
 * 8 of bank n % 8. */
struct scripted {
	char kind;
	uint32_t line;
};

static const struct scripted *steps;

static bool follow(struct rig *rig, struct packet *p)
{
	const struct scripted *s = &steps[rig->sent];

	if (s->kind == '.')
		return false;
	p->kind = strchr("Wwm", s->kind) ? PACKET_WRITE : PACKET_READ;
	p->bytes = strchr("RW", s->kind) ? 128 : 32;
	p->local = PLACE(s->line / 8, s->line % 8, 0);
	if (s->kind == 'm')
		p->byte_mask[0] = 0xffff;
	if (s->kind == 's')
		p->byte_mask[3] = UINT32_MAX;
	return true;
}

static void run_script(struct rig *rig, const struct dram_config *config, const struct scripted *s)
{
	uint64_t n = 0;

	steps = s;
	while (s[n].kind != '.')
		n++;
	rig_init(rig, config, follow, n);
	rig_run(rig);
	cr_assert_eq(rig_stat(rig, "reads") + rig_stat(rig, "writes"), n);
	cr_assert_eq(rig_stat(rig, "row_hits") + rig_stat(rig, "row_misses") +
			rig_stat(rig, "row_conflicts") + rig_stat(rig, "forwarded"),
		n);
}

static struct dram_config config_apart(void)
{
	struct dram_config config = rig_config();

	config.mapping = "row:bank:column";
	return config;
}

Test(dram_queues, a_read_covered_by_a_waiting_write_is_answered_from_it)
{
	struct dram_config config = config_apart();
	struct rig rig;

	/* the write waits for its row; the reads need no command */
	run_script(&rig, &config, (struct scripted[]){ { 'W', 1 }, { 'R', 1 }, { 'r', 1 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "forwarded"), 2);
	cr_assert_eq(rig_stat(&rig, "read_bursts"), 0);
	cr_assert_eq(rig_stat(&rig, "write_bursts"), 2);
	cr_assert_lt(rig.last_cycle, 12, "%llu", (unsigned long long)rig.last_cycle);
	rig_fini(&rig);
}

Test(dram_queues, a_read_that_a_waiting_write_has_part_of_goes_to_the_DRAM)
{
	struct dram_config config = config_apart();
	struct rig rig;

	run_script(&rig, &config,
		(struct scripted[]){ { 'w', 1 }, { 'R', 1 }, { 'm', 2 }, { 'r', 2 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "forwarded"), 0);
	cr_assert_eq(rig_stat(&rig, "overlaid"), 2);
	cr_assert_eq(rig_stat(&rig, "read_bursts"), 3);
	rig_fini(&rig);
}

Test(dram_queues, a_read_of_a_sector_by_mask_is_not_one_of_the_first_bytes)
{
	struct dram_config config = config_apart();
	struct rig rig;

	run_script(&rig, &config, (struct scripted[]){ { 'w', 1 }, { 's', 1 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "forwarded"), 0, "the write has the first sector");
	cr_assert_eq(rig_stat(&rig, "overlaid"), 0);
	rig_fini(&rig);
	run_script(&rig, &config, (struct scripted[]){ { 'W', 1 }, { 's', 1 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "forwarded"), 1, "the write has the whole line");
	rig_fini(&rig);
}

Test(dram_queues, a_write_does_not_overtake_an_older_read_of_its_bytes)
{
	struct dram_config config = config_apart();
	struct rig rig;

	config.write_high = 1; /* writes would go first */
	config.write_low = 0;
	run_script(&rig, &config, (struct scripted[]){ { 'R', 1 }, { 'W', 1 }, { '.', 0 } });
	/* ACT 0, RD 12 and 15: the write joins when the read has left */
	cr_assert_eq(rig_stat(&rig, "waits::older_read"), 15);
	cr_assert_eq(rig_stat(&rig, "row_hits"), 1, "the write finds the row of the read open");
	rig_fini(&rig);
	run_script(&rig, &config, (struct scripted[]){ { 'R', 1 }, { 'W', 9 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "waits::older_read"), 0, "another line of the bank");
	rig_fini(&rig);
}

Test(dram_queues, a_forwarded_reply_keeps_its_turn)
{
	struct dram_config config = config_apart();
	struct rig rig;

	config.reply_queue = 1;
	config.tRCD = 100; /* the write stays long */
	steps = (struct scripted[]){ { 'R', 0 }, { 'W', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 },
		{ 'R', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 }, { 'R', 1 },
		{ 'R', 1 }, { '.', 0 } };
	rig_init(&rig, &config, follow, 14);
	rig.sink_every = 9;
	rig_run(&rig);
	cr_assert_eq(rig.replies, 13);
	cr_assert_eq(rig_stat(&rig, "forwarded"), 12);
	cr_assert_gt(rig_stat(&rig, "waits::reply_queue"), 0);
	rig_fini(&rig);
}

/* Ten reads, and then writes of another bank: with the mark at 16 the reads go first, with 8 the writes do.
 */
static bool reads_then_writes(struct rig *rig, struct packet *p)
{
	p->kind = rig->sent < 10 ? PACKET_READ : PACKET_WRITE;
	p->local = PLACE(0, rig->sent < 10 ? 1 : 2, rig->sent % 32 * 128);
	return true;
}

static cycles last_reply(uint32_t high, uint32_t low, uint64_t *turnarounds)
{
	struct dram_config config = config_apart();
	struct rig rig;
	cycles result;

	config.write_high = high;
	config.write_low = low;
	config.latency = 20; /* so that all are inside before the first column command */
	rig_init(&rig, &config, reads_then_writes, 20);
	rig_run(&rig);
	result = rig.last_cycle;
	*turnarounds = rig_stat(&rig, "turnarounds");
	rig_fini(&rig);
	return result;
}

Test(dram_queues, writes_wait_for_the_high_mark)
{
	uint64_t turns_late, turns_early;
	cycles reads_first = last_reply(16, 4, &turns_late), writes_first = last_reply(8, 0, &turns_early);

	/* 10 writes at two bursts, tCCDL 3 apart, are 60 cycles */
	cr_assert_geq(writes_first, reads_first + 50, "%llu %llu", (unsigned long long)reads_first,
		(unsigned long long)writes_first);
	cr_assert_eq(turns_late, 1);
}

Test(dram_queues, writes_are_drained_to_the_low_mark)
{
	uint64_t turns;
	cycles all = last_reply(8, 0, &turns);

	cr_assert_eq(turns, 2, "to all ten writes, and back to the reads");
	/* ten writes wait, more than the high mark: all but `low` of them go before the reads, six cycles
	 * each */
	for (uint32_t low = 1; low < 8; low++) {
		cycles last = last_reply(8, low, &turns);

		cr_assert_eq(last, all - 6 * low, "write_low %u: %llu", low, (unsigned long long)last);
		cr_assert_eq(turns, 3, "the other writes go after the reads");
	}
}

static bool only_writes_then_a_read(struct rig *rig, struct packet *p)
{
	p->kind = rig->sent == 19 ? PACKET_READ : PACKET_WRITE;
	p->local = PLACE(rig->sent, rig->sent == 19 ? 2 : 1, 0);
	return true;
}

Test(dram_queues, a_full_write_queue_holds_up_the_reads_behind_it)
{
	struct dram_config config = config_apart();
	struct rig rig;

	config.write_queue = 4;
	rig_init(&rig, &config, only_writes_then_a_read, 20);
	rig_run(&rig);
	cr_assert_gt(rig_stat(&rig, "waits::write_queue"), 14 * 40);
	cr_assert_eq(rig_stat(&rig, "waits::read_queue"), 0);
	cr_assert_gt(rig.last_cycle, 14 * 40);
	rig_fini(&rig);
}

/* A row of reads and writes in turn, all hits but the first. */
static bool in_turn(struct rig *rig, struct packet *p)
{
	p->kind = rig->sent % 2 ? PACKET_WRITE : PACKET_READ;
	p->local = PLACE(0, 0, rig->sent * 128);
	return true;
}

/* Reads and writes in one queue (write_queue = 0): four places hold any four of them, and there are no
 * batches. With queues apart all reads go, then all writes. */
Test(dram_queues, reads_and_writes_may_share_a_queue)
{
	struct dram_config config = config_apart();
	struct rig rig;
	uint64_t turns;

	config.write_queue = 0;
	config.read_queue = 4;
	rig_init(&rig, &config, in_turn, 20);
	rig_run(&rig);
	turns = rig_stat(&rig, "turnarounds");
	cr_assert_gt(turns, 1, "%u turnarounds", (unsigned)turns);
	cr_assert_gt(rig_stat(&rig, "waits::read_queue") + rig_stat(&rig, "waits::write_queue"), 0);
	rig_fini(&rig);
	config.write_queue = 64;
	config.read_queue = 64;
	config.latency = 20;
	rig_init(&rig, &config, in_turn, 20);
	rig_run(&rig);
	cr_assert_eq(rig_stat(&rig, "turnarounds"), 1, "all reads, then all writes");
	rig_fini(&rig);
}

/* Rows decide first, then age: a write for the open row goes before an older read of another row. */
Test(dram_queues, in_a_shared_queue_a_write_that_hits_goes_before_an_older_read_that_does_not)
{
	struct dram_config config = config_apart();
	struct rig rig;
	uint64_t shared;

	config.write_queue = 0;
	run_script(&rig, &config, (struct scripted[]){ { 'R', 0 }, { 'R', 8 }, { 'W', 0 }, { '.', 0 } });
	shared = rig.last_cycle;
	cr_assert_eq(rig_stat(&rig, "row_conflicts"), 1);
	rig_fini(&rig);
	config.write_queue = 64;
	run_script(&rig, &config, (struct scripted[]){ { 'R', 0 }, { 'R', 8 }, { 'W', 0 }, { '.', 0 } });
	cr_assert_eq(rig_stat(&rig, "row_conflicts"), 2, "the row is opened again for the write");
	cr_assert_lt(rig.last_cycle, shared, "but the read is not held up");
	rig_fini(&rig);
}

/* Everything at once on few lines: sums hold, the checker (on) sees no wrong command. */
static bool few_lines(struct rig *rig, struct packet *p)
{
	uint64_t r = rig_random(rig);

	p->kind = r & 1 ? PACKET_WRITE : PACKET_READ;
	p->bytes = (uint16_t)(32 << (r >> 1) % 3);
	p->local = PLACE(r >> 8 & 3, r >> 16 & 3, (r >> 24 & 3) * 128);
	p->local += (r >> 32) % (128u / p->bytes) * p->bytes;
	if (p->kind == PACKET_WRITE && (r >> 40 & 3) == 0)
		p->byte_mask[p->local % 128 / 32] = (uint32_t)(r >> 44) | 1;
	return true;
}

Test(dram_queues, requests_for_few_lines_all_leave)
{
	for (uint32_t i = 0; i < 24; i++) {
		struct dram_config config = config_apart();
		struct rig rig;

		config.read_queue = 1u << i % 4 * 2;
		config.write_queue = i % 5 ? 1u << i / 4 % 3 * 3 : 0;
		config.reply_queue = i / 12 ? 1 : 116;
		config.tREFI = 1000;
		rig_init(&rig, &config, few_lines, 4000);
		rig_run(&rig);
		cr_assert_eq(rig.replies, rig_stat(&rig, "reads"));
		cr_assert_eq(rig_stat(&rig, "reads") + rig_stat(&rig, "writes"), 4000);
		cr_assert_eq(rig_stat(&rig, "row_hits") + rig_stat(&rig, "row_misses") +
				rig_stat(&rig, "row_conflicts") + rig_stat(&rig, "forwarded"),
			4000);
		rig_fini(&rig);
	}
}
