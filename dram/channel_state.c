/* dram/channel_state.c -- the open rows of an idle channel, and when its banks are ready, into a checkpoint
 * and back. */
#include "dram/channel_internal.h"

#define FARTHEST 1000000 /* cycles: more than any constraint, and than a refresh is ahead */

bool dram_can_keep(const struct dram_channel *c)
{
	return !c->checker; /* which has seen other commands */
}

void dram_describe(const struct dram_channel *c, FILE *to)
{
	const struct dram_config *d = &c->config;

	fprintf(to, "%u banks in %u groups, rows of %u bytes, mapping %s, %s%s", d->banks, d->bank_groups,
		d->row_bytes, d->mapping, d->tREFI ? "refreshed" : "never refreshed",
		d->check ? ", every command checked" : "");
}

static void times_state(struct state *s, cycles *times, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		state_cycle(s, &times[i], FARTHEST);
}

static void device_state(struct dram_device *d, struct state *s)
{
	times_state(s, d->channel_next, DRAM_COMMANDS);
	times_state(s, d->activates, 4);
	state_below(s, &d->oldest_activate, 4);
	state_field(s, &d->activate_count);
	for (uint32_t i = 0; i < d->group_count; i++)
		times_state(s, d->group[i].next, DRAM_REF);
	d->open_banks = 0;
	for (uint32_t i = 0; i < d->bank_count; i++) {
		times_state(s, d->bank[i].next, DRAM_REF);
		state_field(s, &d->bank[i].open_row);
		d->open_banks |= (uint64_t)(d->bank[i].open_row != DRAM_NO_ROW) << i;
	}
}

void dram_state(struct dram_channel *c, struct state *s)
{
	uint32_t bus = c->bus, direction = c->sched->direction;

	dram_sync_stats(c, s->now, sim_next_without_lead(c->component.sim, CLOCK_DRAM));
	device_state(&c->device, s);
	state_below(s, &bus, DRAM_DIRECTIONS);
	state_below(s, &direction, DRAM_DIRECTIONS);
	c->bus = (uint8_t)bus;
	c->sched->direction = (uint8_t)direction;
	state_cycle(s, &c->next_command, FARTHEST);
	state_cycle(s, &c->next_refresh, FARTHEST);
	state_cycle(s, &c->open_since, 0);
	state_bytes(s, c->row_requests, c->config.banks * sizeof(*c->row_requests));
	state_require(s, (c->next_refresh == SIM_NEVER) == !c->config.tREFI);
}

struct dram_sched *dram_sched_of(const struct dram_channel *c)
{
	return c->sched;
}
