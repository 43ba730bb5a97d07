/* dram/timing.h -- the commands, and the minimum distances between them. */
#ifndef DRAM_TIMING_H
#define DRAM_TIMING_H

#include "dram/channel.h"

enum dram_command { DRAM_ACT, DRAM_PRE, DRAM_RD, DRAM_WR, DRAM_REF, DRAM_COMMANDS };
extern const char *const dram_command_names[];

/* The banks between which a constraint applies; each scope includes the ones before it. */
enum dram_scope { DRAM_SAME_BANK, DRAM_SAME_GROUP, DRAM_SAME_CHANNEL, DRAM_SCOPES };

/* The constraints after a command, within a scope: the earliest cycle of each later command. */
struct dram_gaps {
	uint16_t count;
	struct dram_gap {
		uint16_t second, cycles;
	} gap[DRAM_COMMANDS];
};

struct dram_timing {
	uint32_t burst; /* cycles for which the data of one column command occupy the bus */
	uint32_t burst_bytes;
	/* Constraints between commands, derived from the parameters of the datasheet. */
	uint32_t activate_to_activate, activate_to_activate_other, activate_to_activate_group;
	uint32_t activate_to_precharge, activate_to_read, activate_to_write, activate_to_refresh;
	uint32_t precharge_to_activate, precharge_to_refresh, refresh_to_activate;
	uint32_t column_to_column, column_to_column_group;
	uint32_t read_to_write, write_to_read, write_to_read_group, read_to_precharge, write_to_precharge;
	uint32_t four_activates;
	/* The same constraints as a table: after `first`, `second` not before this many cycles; 0: no
	 * constraint. */
	uint16_t gap[DRAM_SCOPES][DRAM_COMMANDS][DRAM_COMMANDS];
	struct dram_gaps gaps[DRAM_COMMANDS][DRAM_SCOPES]; /* for each `first`, the constraints that are not 0
							    */
};

void dram_timing_init(struct dram_timing *timing, const struct dram_config *config);

static inline uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

#endif
