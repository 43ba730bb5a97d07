/* dram/bank.c -- the effect of a command on the banks and on the times of later commands. */
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

static void push_back(cycles *next, cycles when)
{
	if (*next < when)
		*next = when;
}

/* Records an ACT for tFAW: a further ACT is not permitted until tFAW after the first of the last four. */
static void note_activate(struct dram_device *d, cycles now)
{
	d->activates[d->oldest_activate] = now;
	d->oldest_activate = (d->oldest_activate + 1) % 4;
	if (d->activate_count < 4)
		d->activate_count++;
	if (d->activate_count == 4)
		push_back(&d->channel_next[DRAM_ACT],
			d->activates[d->oldest_activate] + d->timing.four_activates);
}

static void change_state(
	struct dram_device *d, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	uint64_t bit = UINT64_C(1) << bank;

	switch (command) {
	case DRAM_ACT:
		d->bank[bank].open_row = row;
		d->open_banks |= bit;
		note_activate(d, now);
		break;
	case DRAM_PRE:
		d->bank[bank].open_row = DRAM_NO_ROW;
		d->open_banks &= ~bit;
		break;
	default:
		break;
	}
}

static void push_back_all(cycles *next, const struct dram_gaps *gaps, cycles now)
{
	for (const struct dram_gap *g = gaps->gap; g < gaps->gap + gaps->count; g++)
		push_back(&next[g->second], now + g->cycles);
}

void dram_device_issue(
	struct dram_device *d, enum dram_command command, uint32_t bank, uint64_t row, cycles now)
{
	const struct dram_gaps *gaps = d->timing.gaps[command];

	change_state(d, command, bank, row, now);
	push_back_all(d->channel_next, &gaps[DRAM_SAME_CHANNEL], now);
	if (command == DRAM_REF)
		return;
	push_back_all(d->bank[bank].next, &gaps[DRAM_SAME_BANK], now);
	push_back_all(d->group[d->bank[bank].group].next, &gaps[DRAM_SAME_GROUP], now);
}
