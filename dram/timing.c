/* dram/timing.c -- from the datasheet's parameters to constraints between commands.
 *
 * All in command-clock cycles. A column command at t puts its data on the bus from t + tCL (read) or t + tWL (write)
 * for `burst` cycles. tWTR and tWR count from the end of a write's data. GDDR5 gives no name to read-to-write: the data must not
 * meet on the bus, and two cycles turn it round (GPGPU-Sim 3.2: tRTW = CL + burst + 2 - WL). */
#include "dram/timing.h"

#define TURNAROUND 2

const char *const dram_command_names[] = { "ACT", "PRE", "RD", "WR", "REF", NULL };

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void derive(struct dram_timing *t, const struct dram_config *c)
{
	t->burst_bytes = c->bus_bytes * c->burst_length;
	t->burst = (c->burst_length + c->data_rate - 1) / c->data_rate;
	t->activate_to_activate = c->tRC;
	t->activate_to_activate_other = c->tRRD;
	t->activate_to_precharge = c->tRAS;
	t->activate_to_column = c->tRCD;
	t->precharge_to_activate = c->tRP;
	t->precharge_to_refresh = c->tRP;
	t->refresh_to_activate = c->tRFC;
	t->column_to_column = larger(c->tCCDS, t->burst);
	t->column_to_column_group = larger(c->tCCDL, t->burst);
	t->read_to_write = larger(c->tCL + t->burst + TURNAROUND, c->tWL + 1) - c->tWL;
	t->write_to_read = c->tWL + t->burst + c->tWTR;
	t->read_to_precharge = c->tRTP;
	t->write_to_precharge = c->tWL + t->burst + c->tWR;
	t->four_activates = c->tFAW;
}

void dram_timing_init(struct dram_timing *t, const struct dram_config *config)
{
	uint16_t(*bank)[DRAM_COMMANDS], (*group)[DRAM_COMMANDS], (*channel)[DRAM_COMMANDS];

	*t = (struct dram_timing){ 0 };
	derive(t, config);
	bank = t->gap[DRAM_SAME_BANK];
	bank[DRAM_ACT][DRAM_ACT] = (uint16_t)t->activate_to_activate;
	bank[DRAM_ACT][DRAM_PRE] = (uint16_t)t->activate_to_precharge;
	bank[DRAM_ACT][DRAM_RD] = bank[DRAM_ACT][DRAM_WR] = (uint16_t)t->activate_to_column;
	bank[DRAM_PRE][DRAM_ACT] = (uint16_t)t->precharge_to_activate;
	bank[DRAM_RD][DRAM_PRE] = (uint16_t)t->read_to_precharge;
	bank[DRAM_WR][DRAM_PRE] = (uint16_t)t->write_to_precharge;

	group = t->gap[DRAM_SAME_GROUP];
	group[DRAM_RD][DRAM_RD] = group[DRAM_WR][DRAM_WR] = (uint16_t)t->column_to_column_group;

	channel = t->gap[DRAM_SAME_CHANNEL];
	channel[DRAM_ACT][DRAM_ACT] = (uint16_t)t->activate_to_activate_other;
	channel[DRAM_RD][DRAM_RD] = channel[DRAM_WR][DRAM_WR] = (uint16_t)t->column_to_column;
	channel[DRAM_RD][DRAM_WR] = (uint16_t)t->read_to_write;
	channel[DRAM_WR][DRAM_RD] = (uint16_t)t->write_to_read;
	channel[DRAM_PRE][DRAM_REF] = (uint16_t)t->precharge_to_refresh;
	channel[DRAM_REF][DRAM_REF] = channel[DRAM_REF][DRAM_ACT] = (uint16_t)t->refresh_to_activate;
}
