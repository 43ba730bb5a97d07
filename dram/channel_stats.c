/* dram/channel_stats.c -- the declared statistics of a channel, and those that grow with time. */
#include "dram/channel_internal.h"

static const char *const wait_names[] = { "read_queue", "write_queue", "older_read", "reply_queue",
	"other_way", NULL };

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static double row_hit_rate(const void *object)
{
	const struct dram_stats *s = object;

	return ratio(s->row_hits, s->row_hits + s->row_misses + s->row_conflicts);
}

static double utilisation(const void *object)
{
	const struct dram_stats *s = object;

	return ratio(s->data_bus_cycles, s->work_cycles);
}

static double bank_parallelism(const void *object)
{
	const struct dram_stats *s = object;

	return ratio(s->bank_cycles, s->queued_cycles);
}

const struct sim_stat dram_stats_table[] = { SIM_COUNT(struct dram_stats, reads, "requests",
						     "reads whose data DRAM has returned"),
	SIM_COUNT(struct dram_stats, writes, "requests", "writes whose data DRAM has received"),
	SIM_COUNT(struct dram_stats, bytes, "bytes", "bytes requested by reads and writes"),
	SIM_COUNT(struct dram_stats, forwarded, "requests",
		"reads answered from a waiting write without a DRAM command"),
	SIM_COUNT(
		struct dram_stats, forwarded_bytes, "bytes", "bytes of reads answered from a waiting write"),
	SIM_COUNT(struct dram_stats, overlaid, "requests", "reads of which a waiting write held some bytes"),
	SIM_COUNT(struct dram_stats, row_hits, "requests", "requests that found their row open"),
	SIM_COUNT(struct dram_stats, row_misses, "requests", "requests that found their bank precharged"),
	SIM_COUNT(struct dram_stats, row_conflicts, "requests",
		"requests that found another row open in their bank"),
	SIM_COUNT(struct dram_stats, activates, "commands", "ACT commands"),
	SIM_COUNT(struct dram_stats, precharges, "commands", "PRE commands"),
	SIM_COUNT(struct dram_stats, refreshes, "commands", "REF commands, each for all banks"),
	SIM_COUNT(struct dram_stats, read_bursts, "commands", "RD commands"),
	SIM_COUNT(struct dram_stats, write_bursts, "commands", "WR commands"),
	SIM_COUNT(struct dram_stats, turnarounds, "commands",
		"changes of direction on the data bus: RD after WR, or WR after RD"),
	SIM_COUNT(struct dram_stats, data_bus_cycles, "cycles", "cycles in which the data bus moved data"),
	SIM_COUNT(struct dram_stats, open_cycles, "cycles",
		"cycles in which a row was open in any bank (active standby)"),
	SIM_COUNT(struct dram_stats, work_cycles, "cycles", "cycles in which the channel had any request"),
	SIM_COUNT(struct dram_stats, queued_cycles, "cycles",
		"cycles in which the channel had a request in a queue"),
	SIM_COUNT(struct dram_stats, bank_cycles, "cycles",
		"cycles in which banks had requests in a queue, added up over banks"),
	SIM_VECTOR(struct dram_stats, waits, wait_names, "cycles",
		"cycles that a request waited in front of the queues, by the resource that was missing"),
	SIM_HIST(struct dram_stats, read_latency, "cycles",
		"latency of a read, from the slice's queue to the reply"),
	SIM_HIST(struct dram_stats, write_latency, "cycles",
		"latency of a write, from the slice's queue to its last WR command"),
	SIM_HIST(struct dram_stats, row_requests, "requests",
		"requests served by one activation of a row, counted when the row is closed"),
	SIM_FORMULA("row_hit_rate", row_hit_rate, "ratio", "share of requests that found their row open"),
	SIM_FORMULA("utilisation", utilisation, "ratio",
		"share of the cycles with a request in the channel in which the data bus moved data"),
	SIM_FORMULA("bank_parallelism", bank_parallelism, "banks",
		"mean number of banks with requests in a queue while there are any"),
	SIM_STAT_END };

void dram_sync_time(struct dram_channel *c, cycles until)
{
	cycles passed = until - c->last_tick;

	if (until <= c->last_tick)
		return;
	c->last_tick = until;
	if (!c->had_work)
		return;
	c->stats.work_cycles += passed;
	if (c->queue.banks_waiting) {
		c->stats.queued_cycles += passed;
		c->stats.bank_cycles += passed * c->queue.banks_waiting;
	}
	for (uint32_t i = 0; c->waits && i < c->inputs; i++)
		if (c->input[i].waits_for)
			c->stats.waits[c->input[i].waits_for - 1] += passed;
}

/* An idle channel makes up its refreshes late, and these close its rows: up to the one that is due next they
 * are certainly open. A channel that goes before the machine has not yet spent what it is ahead. */
static void sync_open(struct dram_channel *c, cycles machine)
{
	cycles present = machine > c->config.lead ? machine - c->config.lead : 0;
	cycles certain = present < c->next_refresh ? present : c->next_refresh;

	if (!c->device.open_banks || certain <= c->open_since)
		return;
	c->stats.open_cycles += certain - c->open_since;
	c->open_since = certain;
}

void dram_sync_stats(struct dram_channel *c, cycles until, cycles machine)
{
	dram_sync_time(c, until);
	sync_open(c, machine);
}
