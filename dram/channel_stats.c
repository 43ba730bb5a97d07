/* dram/channel_stats.c -- the declared statistics of a channel. */
#include "dram/channel_internal.h"

static const char *const wait_names[] = { "read_queue", "write_queue", "older_read", "reply_queue", NULL };

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
						     "reads whose data have been read"),
	SIM_COUNT(struct dram_stats, writes, "requests", "writes whose data have been sent"),
	SIM_COUNT(struct dram_stats, bytes, "bytes", "asked for by these reads and writes"),
	SIM_COUNT(struct dram_stats, forwarded, "requests",
		"reads answered from a waiting write, without a command"),
	SIM_COUNT(struct dram_stats, forwarded_bytes, "bytes", "of these reads"),
	SIM_COUNT(struct dram_stats, overlaid, "requests", "reads that a waiting write had some bytes of"),
	SIM_COUNT(struct dram_stats, row_hits, "requests", "found their row open"),
	SIM_COUNT(struct dram_stats, row_misses, "requests", "found their bank precharged"),
	SIM_COUNT(struct dram_stats, row_conflicts, "requests", "found another row open"),
	SIM_COUNT(struct dram_stats, activates, "commands", "ACT"),
	SIM_COUNT(struct dram_stats, precharges, "commands", "PRE"),
	SIM_COUNT(struct dram_stats, refreshes, "commands", "REF, all banks"),
	SIM_COUNT(struct dram_stats, read_bursts, "commands", "RD"),
	SIM_COUNT(struct dram_stats, write_bursts, "commands", "WR"),
	SIM_COUNT(struct dram_stats, turnarounds, "commands", "RD after WR, or WR after RD"),
	SIM_COUNT(struct dram_stats, data_bus_cycles, "cycles", "the data bus moved data"),
	SIM_COUNT(struct dram_stats, work_cycles, "cycles", "any request was inside"),
	SIM_COUNT(struct dram_stats, queued_cycles, "cycles", "any request was in a queue"),
	SIM_COUNT(struct dram_stats, bank_cycles, "cycles",
		"that banks had requests in a queue, added up over banks"),
	SIM_VECTOR(struct dram_stats, waits, wait_names, "cycles",
		"a request waited before the queues, by what it lacked"),
	SIM_HIST(struct dram_stats, read_latency, "cycles", "of reads, from the slice's queue to the reply"),
	SIM_HIST(struct dram_stats, write_latency, "cycles",
		"of writes, from the slice's queue to the last WR"),
	SIM_HIST(struct dram_stats, row_requests, "requests",
		"served by one opening of a row, counted when it is closed"),
	SIM_FORMULA("row_hit_rate", row_hit_rate, "ratio", "requests that found their row open"),
	SIM_FORMULA(
		"utilisation", utilisation, "ratio", "data-bus cycles used of those with a request inside"),
	SIM_FORMULA("bank_parallelism", bank_parallelism, "banks",
		"with requests in a queue, on average while there are any"),
	SIM_STAT_END };
