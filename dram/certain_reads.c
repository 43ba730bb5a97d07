/* dram/certain_reads.c -- issues read commands ahead of their time.
 *
 * A channel knows of a request config.latency cycles before it joins a queue. While all waiting requests
 * are row hits, the commands until the next request joins are certain. The tick that issues the first of
 * them issues them all, each with its own cycle, so that the channel need not wake for each. What is
 * visible outside keeps its time: replies are due at the same cycles, and statistics are counted when the
 * commands' cycles have passed or when they are read in between (dram_sync_time). This applies to reads
 * only, since a read occupies the channel until its data come: a query meanwhile finds the channel as busy
 * as it would be otherwise. */
#include "dram/channel_internal.h"

/* Called for the last command of a request. */
static void finish(struct dram_channel *c, struct dram_request *r, cycles when)
{
	struct packet *p = r->packet;

	c->row_requests[r->bank]++;
	dram_queue_remove(&c->queue, r);
	ring_push(&c->replies, p, when + c->config.tCL + c->device.timing.burst);
}

void dram_issue_early(struct dram_channel *c, cycles when)
{
	struct dram_request *r = c->plan.request;
	struct dram_early *e = &c->early[c->early_count++];

	*e = (struct dram_early){
		.when = when, .is_first = r->outcome == DRAM_UNTOUCHED, .turns = c->bus != DRAM_READS
	};
	if (e->is_first) {
		r->outcome = DRAM_HIT;
		dram_stamp(c, r->packet, AT_DRAM_COMMAND, sim_edge(c->component.sim, CLOCK_DRAM, when));
	}
	dram_issue(c, DRAM_RD, r->bank, r->row, when);
	c->bus = DRAM_READS;
	r->bursts--;
	if (c->sched->class->issued)
		c->sched->class->issued(c->sched, &c->queue, &c->plan);
	r->column += c->device.timing.burst_bytes;
	if (!r->bursts) {
		e->bytes = r->packet->bytes;
		finish(c, r, when);
	}
	e->banks_waiting = (uint8_t)c->queue.banks_waiting;
}

/* ---- statistics ---- */

/* Counts the time until then, during which nothing changed. */
static void count_time(struct dram_channel *c, cycles until)
{
	cycles passed = until - c->last_tick;

	if (until <= c->last_tick)
		return;
	c->last_tick = until;
	if (!c->had_work)
		return;
	c->stats.work_cycles += passed;
	if (c->banks_waiting) {
		c->stats.queued_cycles += passed;
		c->stats.bank_cycles += passed * c->banks_waiting;
	}
	for (uint32_t i = 0; c->waits && i < c->ways; i++)
		if (c->way[i].waits_for)
			c->stats.waits[c->way[i].waits_for - 1] += passed;
}

static void count_early(struct dram_channel *c, const struct dram_early *e)
{
	count_time(c, e->when);
	c->stats.read_bursts++;
	c->stats.data_bus_cycles += c->device.timing.burst;
	c->stats.turnarounds += e->turns;
	c->stats.row_hits += e->is_first;
	c->stats.bytes += e->bytes;
	c->stats.reads += e->bytes != 0;
	c->banks_waiting = e->banks_waiting;
}

void dram_sync_time(struct dram_channel *c, cycles until)
{
	for (; dram_is_ahead(c) && c->early[c->early_next].when < until; c->early_next++)
		count_early(c, &c->early[c->early_next]);
	count_time(c, until);
}

/* An idle channel makes up its refreshes late, and these close its rows: up to the one that is due next they
 * are certainly open. A channel that goes before the machine has not yet spent what it is ahead. */
static void sync_open(struct dram_channel *c, cycles machine)
{
	cycles present = machine > c->config.lead ? machine - c->config.lead : 0;
	cycles certain = present < c->next_refresh ? present : c->next_refresh;

	if (!c->device.open_banks || certain <= c->open_since)
		return;
	c->stats.open_cycles += certain - c->open_since;
	c->open_since = certain;
}

void dram_sync_stats(struct dram_channel *c, cycles until, cycles machine)
{
	dram_sync_time(c, until);
	sync_open(c, machine);
}
