/* dram/bank.c -- what a command does to the banks and to the times of those that follow. */
#include "dram/bank.h"

void dram_device_init(struct dram_device *d, const struct dram_config *config)
{
	*d = (struct dram_device){ .bank_count = config->banks, .group_count = config->bank_groups };
	dram_timing_init(&d->timing, config);
	for (uint32_t b = 0; b < d->bank_count; b++) {
		d->bank[b].open_row = DRAM_NO_ROW;
		d->bank[b].group = b % d->group_count;
	}
}

static void push_back(cycles next[DRAM_COMMANDS], const uint16_t gap[DRAM_COMMANDS], cycles now)
{
	for (int c = 0; c < DRAM_COMMANDS; c++)
		if (gap[c] && next[c] < now + gap[c])
			next[c] = now + gap[c];
}

static void change_state(struct dram_device *d, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	uint64_t bit = UINT64_C(1) << bank;

	switch (command) {
	case DRAM_ACT:
		d->bank[bank].open_row = row;
		d->open_banks |= bit;
		d->activates[d->activate_place] = now;
		d->activate_place = (d->activate_place + 1) % 4;
		if (d->activate_count < 4)
			d->activate_count++;
		break;
	case DRAM_PRE:
		d->bank[bank].open_row = DRAM_NO_ROW;
		d->open_banks &= ~bit;
		break;
	default:
		break;
	}
}

void dram_device_issue(struct dram_device *d, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	const struct dram_timing *t = &d->timing;

	change_state(d, command, bank, row, now);
	push_back(d->channel_next, t->gap[DRAM_SAME_CHANNEL][command], now);
	if (command == DRAM_REF)
		return;
	push_back(d->bank[bank].next, t->gap[DRAM_SAME_BANK][command], now);
	push_back(d->group_next[d->bank[bank].group], t->gap[DRAM_SAME_GROUP][command], now);
}
