/* dram/config.c -- the parameters of a channel. Defaults: GTX 480, 924 MHz command clock, 6 channels of 64
 * bits. */
#include "dram/channel.h"
#include "dram/bank.h"
#include "dram/map.h"
#include "dram/timing.h"
#include <stdio.h>

static const char *const row_policy_names[] = { "open", "closed", NULL };

/* Sources: where a description names none, dram_timings.csv, preset SM2_GTX480 of GPGPU-Sim/Accel-Sim. */
#define T(field, def, text) SIM_U32(struct dram_config, field, def, 0, 16384, "cycles", text)

const struct sim_param dram_params[] = { SIM_U32(struct dram_config, banks, 16, 1, DRAM_MAX_BANKS, "banks",
						 "banks of a channel, a power of two (SM2_GTX480)"),
	SIM_U32(struct dram_config, bank_groups, 4, 1, DRAM_MAX_BANKS, "groups",
		"bank groups; a bank's group is its number modulo this (SM2_GTX480)"),
	SIM_U32(struct dram_config, row_bytes, 2048, 128, 65536, "bytes",
		"size of a row of a channel: one GDDR5 device (DRAMSim3 GDDR5_1Gb_x32)"),
	SIM_U32(struct dram_config, bus_bytes, 4, 1, 256, "bytes",
		"width of the data bus: 384 bits over 12 channels (GTX 480)"),
	SIM_U32(struct dram_config, burst_length, 8, 1, 64, "transfers",
		"transfers of one column command (SM2_GTX480)"),
	SIM_U32(struct dram_config, data_rate, 4, 1, 16, "transfers",
		"transfers per cycle of the command clock (GDDR5: 4)"),
	T(tCL, 12, "delay from RD to its data (SM2_GTX480)"),
	T(tRP, 12, "delay from PRE to ACT (SM2_GTX480)"),
	T(tRC, 40, "delay from ACT to ACT of one bank (SM2_GTX480)"),
	T(tRAS, 28, "delay from ACT to PRE (SM2_GTX480)"),
	T(tRCD, 12, "delay from ACT to RD or WR (SM2_GTX480)"),
	T(tRCDWR, 0, "delay from ACT to WR, if it differs from tRCD; 0: as tRCD"),
	T(tRRD, 6, "delay from ACT to ACT of another bank (SM2_GTX480)"),
	T(tRRDL, 0, "delay from ACT to ACT of another bank of the bank group, if longer than tRRD; 0: tRRD"),
	T(tCCDS, 2, "delay from a column command to the next of another bank group (SM2_GTX480: tCCD)"),
	T(tCCDL, 3, "delay from a column command to the next in its bank group (SM2_GTX480)"),
	T(tWL, 4, "delay from WR to its data (SM2_GTX480)"),
	T(tWTR, 5, "delay from the end of write data to RD (SM2_GTX480: tCDLR)"),
	T(tWTRL, 0, "delay from the end of write data to RD in one bank group, if longer than tWTR; 0: tWTR"),
	T(tWR, 12, "delay from the end of write data to PRE (SM2_GTX480)"),
	T(tRTP, 2, "delay from RD to PRE (SM2_GTX480: tRTPL)"),
	T(tFAW, 22,
		"window in which four ACTs are allowed: 23.3 ns (DRAMSim3 GDDR5_1Gb_x32: 35 cycles of 0.667 "
		"ns); here tRRD is stricter"),
	SIM_U32(struct dram_config, tREFI, 3604, 0, 1000000, "cycles",
		"interval from REF to REF: 3.9 us, 8192 in 32 ms, usual for 1 Gb GDDR5; 0: no refresh"),
	T(tRFC, 60, "delay from REF to ACT: 65 ns (DRAMSim3 GDDR5_1Gb_x32: 98 cycles of 0.667 ns)"),
	SIM_U32(struct dram_config, read_queue, 64, 1, 4096, "requests",
		"queue of reads from which the scheduler chooses (SM2_GTX480)"),
	SIM_U32(struct dram_config, write_queue, 64, 0, 4096, "requests",
		"queue of writes from which the scheduler chooses (our choice: as read_queue); 0: writes "
		"take places of the read queue and go with the reads by open rows and age, not in "
		"batches (GPGPU-Sim: one queue)"),
	SIM_U32(struct dram_config, reply_queue, 116, 1, 4096, "replies",
		"replies that can be in flight or wait for room (SM2_GTX480)"),
	SIM_U32(struct dram_config, latency, 100, 0, 4096, "cycles",
		"latency of each request from the L2 slice to the queues (SM2_GTX480, dram_latency)"),
	SIM_ENUM(struct dram_config, row_policy, 0, row_policy_names,
		"open: a row stays open until another is needed; closed: a row for which no request waits is "
		"precharged at once"),
	SIM_U32(struct dram_config, write_high, 32, 1, 4096, "requests",
		"number of waiting writes at which a batch of writes begins (our choice)"),
	SIM_U32(struct dram_config, write_low, 8, 0, 4096, "requests",
		"number of waiting writes at which a batch of writes ends (our choice)"),
	SIM_BOOL(struct dram_config, check, false, "verify every command against the timing rules"),
	SIM_STRING(struct dram_config, trace, "",
		"file in the output folder with one line for each command: time, channel, command, bank, "
		"row, column; true: dram-trace.txt; empty: none"),
	SIM_STRING(struct dram_config, mapping, "row:bank:column:bank2:column8",
		"which bits of an address are row, bank, group, column and channel, from high to low, with "
		"numbers of bits if a field is split, and ^row or +row behind a hashed field, ^polynomial "
		"or +polynomial behind a channel; without channel, gpu.interleave determines the partition "
		"(dram/map.h)"),
	SIM_END };

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

#define BUS_SLACK 64 /* cycles: commands for other banks that go before */

/* The longest time from when a refresh is due until all banks are closed and it is over: banks have been
 * opened, read and written just before. */
static uint32_t refresh_time(const struct dram_config *c, const struct dram_timing *t)
{
	uint32_t open = larger(t->activate_to_precharge, larger(t->read_to_precharge, t->write_to_precharge));
	uint32_t closed = open + c->banks + t->precharge_to_refresh;

	return larger(closed, t->activate_to_refresh) + t->refresh_to_activate;
}

/* The longest time from when a refresh is due until a row has been opened behind it and a first burst of a
 * request has gone, so that something moves between any two refreshes. */
static uint32_t time_for_burst(const struct dram_config *c)
{
	struct dram_timing t;
	uint32_t activate, column;

	dram_timing_init(&t, c);
	activate = larger(refresh_time(c, &t),
		larger(t.four_activates, larger(t.activate_to_activate_group, t.activate_to_activate_other)));
	column = larger(larger(t.column_to_column_group, t.column_to_column),
		larger(t.read_to_write, larger(t.write_to_read_group, t.write_to_read)));
	return larger(activate + larger(t.activate_to_read, t.activate_to_write), column) + BUS_SLACK;
}

bool dram_config_check(const struct dram_config *c, char *message, size_t size)
{
	struct dram_map map;

	if (!is_power_of_two(c->banks) || c->banks > DRAM_MAX_BANKS)
		snprintf(message, size, "banks = %u: expected a power of two up to %d", c->banks,
			DRAM_MAX_BANKS);
	else if (!is_power_of_two(c->bank_groups) || c->bank_groups > c->banks)
		snprintf(message, size, "bank_groups = %u: expected a power of two up to the number of banks",
			c->bank_groups);
	else if (!is_power_of_two(c->row_bytes) || c->row_bytes < 128)
		snprintf(message, size, "row_bytes = %u: expected a power of two from 128 on", c->row_bytes);
	else if (!is_power_of_two(c->bus_bytes) || !is_power_of_two(c->burst_length) ||
		c->bus_bytes * c->burst_length > c->row_bytes)
		snprintf(message, size,
			"bus_bytes and burst_length: expected powers of two whose product fits in a row");
	else if (!c->data_rate)
		snprintf(message, size, "data_rate = 0: expected at least 1");
	else if (c->tREFI && c->tREFI < time_for_burst(c))
		snprintf(message, size,
			"tREFI = %u: no time left between refreshes; to close all banks, refresh them, "
			"open a row and read or write can take %u cycles with these timings",
			c->tREFI, time_for_burst(c));
	else if (!c->read_queue || !c->reply_queue)
		snprintf(message, size, "read_queue, reply_queue: expected at least 1");
	else if (c->write_low >= c->write_high)
		snprintf(message, size, "write_low = %u: expected less than write_high = %u", c->write_low,
			c->write_high);
	else
		return dram_map_init(&map, c, message, size);
	return false;
}
