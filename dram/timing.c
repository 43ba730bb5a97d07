/* dram/timing.c -- derives constraints between commands from the parameters of the datasheet.
 *
 * All times are in cycles of the command clock. A column command at t occupies the data bus from t + tCL
 * (read) or t + tWL (write) for `burst` cycles. tWTR and tWR count from the end of a write's data, as
 * JEDEC defines them. GDDR5 has no name for read-to-write: the data must not collide on the bus, and two
 * cycles reverse its direction (GPGPU-Sim 3.2: tRTW = CL + burst + 2 - WL). Delays within one bank group
 * (L) are never smaller than those between groups (S). REF requires that all banks are precharged and
 * their row cycles over: tRP after the last PRE, tRC after the last ACT. */
#include "dram/timing.h"

#define TURNAROUND 2

const char *const dram_command_names[] = { "ACT", "PRE", "RD", "WR", "REF", NULL };

static void derive(struct dram_timing *t, const struct dram_config *c)
{
	t->burst_bytes = c->bus_bytes * c->burst_length;
	t->burst = (c->burst_length + c->data_rate - 1) / c->data_rate;
	t->activate_to_activate = c->tRC;
	t->activate_to_activate_other = c->tRRD;
	t->activate_to_activate_group = larger(c->tRRD, c->tRRDL);
	t->activate_to_precharge = c->tRAS;
	t->activate_to_read = c->tRCD;
	t->activate_to_write = c->tRCDWR ? c->tRCDWR : c->tRCD;
	t->activate_to_refresh = c->tRC;
	t->precharge_to_activate = c->tRP;
	t->precharge_to_refresh = c->tRP;
	t->refresh_to_activate = c->tRFC;
	t->column_to_column = larger(c->tCCDS, t->burst);
	t->column_to_column_group = larger(c->tCCDL, t->burst);
	t->read_to_write = larger(c->tCL + t->burst + TURNAROUND, c->tWL + 1) - c->tWL;
	t->write_to_read = c->tWL + t->burst + c->tWTR;
	t->write_to_read_group = c->tWL + t->burst + larger(c->tWTR, c->tWTRL);
	t->read_to_precharge = c->tRTP;
	t->write_to_precharge = c->tWL + t->burst + c->tWR;
	t->four_activates = c->tFAW;
}

static void fill_bank(struct dram_timing *t)
{
	uint16_t(*gap)[DRAM_COMMANDS] = t->gap[DRAM_SAME_BANK];

	gap[DRAM_ACT][DRAM_ACT] = (uint16_t)t->activate_to_activate;
	gap[DRAM_ACT][DRAM_PRE] = (uint16_t)t->activate_to_precharge;
	gap[DRAM_ACT][DRAM_RD] = (uint16_t)t->activate_to_read;
	gap[DRAM_ACT][DRAM_WR] = (uint16_t)t->activate_to_write;
	gap[DRAM_PRE][DRAM_ACT] = (uint16_t)t->precharge_to_activate;
	gap[DRAM_RD][DRAM_PRE] = (uint16_t)t->read_to_precharge;
	gap[DRAM_WR][DRAM_PRE] = (uint16_t)t->write_to_precharge;
}

static void fill_group(struct dram_timing *t)
{
	uint16_t(*gap)[DRAM_COMMANDS] = t->gap[DRAM_SAME_GROUP];

	gap[DRAM_ACT][DRAM_ACT] = (uint16_t)t->activate_to_activate_group;
	gap[DRAM_RD][DRAM_RD] = gap[DRAM_WR][DRAM_WR] = (uint16_t)t->column_to_column_group;
	gap[DRAM_WR][DRAM_RD] = (uint16_t)t->write_to_read_group;
}

static void fill_channel(struct dram_timing *t)
{
	uint16_t(*gap)[DRAM_COMMANDS] = t->gap[DRAM_SAME_CHANNEL];

	gap[DRAM_ACT][DRAM_ACT] = (uint16_t)t->activate_to_activate_other;
	gap[DRAM_RD][DRAM_RD] = gap[DRAM_WR][DRAM_WR] = (uint16_t)t->column_to_column;
	gap[DRAM_RD][DRAM_WR] = (uint16_t)t->read_to_write;
	gap[DRAM_WR][DRAM_RD] = (uint16_t)t->write_to_read;
	gap[DRAM_ACT][DRAM_REF] = (uint16_t)t->activate_to_refresh;
	gap[DRAM_PRE][DRAM_REF] = (uint16_t)t->precharge_to_refresh;
	gap[DRAM_REF][DRAM_REF] = gap[DRAM_REF][DRAM_ACT] = (uint16_t)t->refresh_to_activate;
}

static void list_gaps(struct dram_timing *t, uint32_t first, uint32_t scope)
{
	struct dram_gaps *list = &t->gaps[first][scope];

	for (uint32_t second = 0; second < DRAM_COMMANDS; second++)
		if (t->gap[scope][first][second])
			list->gap[list->count++] =
				(struct dram_gap){ (uint16_t)second, t->gap[scope][first][second] };
}

void dram_timing_init(struct dram_timing *timing, const struct dram_config *config)
{
	*timing = (struct dram_timing){ 0 };
	derive(timing, config);
	fill_bank(timing);
	fill_group(timing);
	fill_channel(timing);
	for (uint32_t first = 0; first < DRAM_COMMANDS; first++)
		for (uint32_t scope = 0; scope < DRAM_SCOPES; scope++)
			list_gaps(timing, first, scope);
}
