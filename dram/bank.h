/* dram/bank.h -- the device side of a channel: which row each bank holds open, and when each command may come
 * next. */
#ifndef DRAM_BANK_H
#define DRAM_BANK_H

#include "dram/timing.h"

#define DRAM_MAX_BANKS 64 /* sets of banks are 64-bit masks */
#define DRAM_NO_ROW    UINT64_MAX

/* In a cache line of the host's each. */
struct dram_bank {
	_Alignas(64) cycles next[DRAM_REF]; /* a command not before, by what this bank did */
	uint64_t open_row;                  /* DRAM_NO_ROW: precharged */
	uint32_t group;                     /* bank number modulo the number of groups */
};

struct dram_group {
	_Alignas(64) cycles next[DRAM_REF]; /* by what its banks did */
};

struct dram_device {
	cycles channel_next[DRAM_COMMANDS]; /* a command not before, by what any bank did (tFAW among that) */
	uint64_t open_banks;                /* bit b: bank b has a row open */
	uint32_t activate_place, activate_count;
	cycles activates[4]; /* times of the last four ACTs, for tFAW; the oldest at activate_place */
	struct dram_group group[DRAM_MAX_BANKS];
	struct dram_bank bank[DRAM_MAX_BANKS];
	uint32_t bank_count, group_count;
	struct dram_timing timing;
};

void dram_device_init(struct dram_device *device, const struct dram_config *config);
/* The command takes effect: moves on every time that it constrains. REF concerns all banks; its bank is
 * ignored. */
void dram_device_issue(
	struct dram_device *device, enum dram_command command, uint32_t bank, uint64_t row, cycles now);

/* The earliest cycle by what the bank and its group did. */
static inline cycles dram_bank_next(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	const struct dram_bank *b = &d->bank[bank];
	cycles by_bank = b->next[command], by_group = d->group[b->group].next[command];

	return by_bank > by_group ? by_bank : by_group;
}
/* When a command that concerns one bank can come: at channel_next or later. */
static inline cycles dram_bank_ready(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	cycles by_channel = d->channel_next[command], by_bank = dram_bank_next(d, command, bank);

	return by_bank > by_channel ? by_bank : by_channel;
}
/* The earliest cycle at which timing allows the command; whether the bank is in the right state is the
 * caller's. */
static inline cycles dram_ready_at(const struct dram_device *d, enum dram_command command, uint32_t bank)
{
	return command == DRAM_REF ? d->channel_next[command] : dram_bank_ready(d, command, bank);
}

#endif
