/* dram/bank.h -- the device side of a channel: the open row of each bank, and the earliest time of each
 * next command. */
#ifndef DRAM_BANK_H
#define DRAM_BANK_H

#include "dram/timing.h"

#define DRAM_MAX_BANKS 64 /* sets of banks are 64-bit masks */
#define DRAM_NO_ROW    UINT64_MAX

/* One cache line of the host for each bank. */
struct dram_bank {
	_Alignas(64) cycles next[DRAM_REF]; /* earliest cycle of each command because of earlier commands to
					       this bank */
	uint64_t open_row;                  /* DRAM_NO_ROW: precharged */
	uint32_t group;                     /* bank group: the bank number modulo the number of groups */
};

struct dram_group {
	_Alignas(64) cycles next[DRAM_REF]; /* earliest cycle of each command because of earlier commands to
					       banks of this group */
};

struct dram_device {
	cycles channel_next[DRAM_COMMANDS]; /* earliest cycle of each command because of earlier commands to
					       any bank (including tFAW) */
	uint64_t open_banks;                /* bit b: bank b has a row open */
	uint32_t oldest_activate, activate_count;
	cycles activates[4]; /* times of the last four ACTs, for tFAW; a ring whose oldest entry is at
				oldest_activate */
	struct dram_group group[DRAM_MAX_BANKS];
	struct dram_bank bank[DRAM_MAX_BANKS];
	uint32_t bank_count, group_count;
	struct dram_timing timing;
};

void dram_device_init(struct dram_device *device, const struct dram_config *config);
/* Carries out the command: updates every time that it constrains. REF concerns all banks; its bank is
 * ignored. */
void dram_device_issue(
	struct dram_device *device, enum dram_command command, uint32_t bank, uint64_t row, cycles now);

/* The earliest cycle of the command because of earlier commands to the bank and its group. */
static inline cycles dram_bank_next(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	const struct dram_bank *b = &d->bank[bank];
	cycles by_bank = b->next[command], by_group = d->group[b->group].next[command];

	return by_bank > by_group ? by_bank : by_group;
}
/* The earliest cycle of a command that concerns one bank, including channel_next. */
static inline cycles dram_bank_ready(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	cycles by_channel = d->channel_next[command], by_bank = dram_bank_next(d, command, bank);

	return by_bank > by_channel ? by_bank : by_channel;
}
/* The earliest cycle at which timing permits the command. The caller checks that the bank is in the right
 * state. */
static inline cycles dram_ready_at(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	return command == DRAM_REF ? d->channel_next[command] : dram_bank_ready(d, command, bank);
}

#endif
