/* dram/channel_internal.h -- shared by the files of the channel: channel.c (ports, pipe, replies, the
 * cycle), command.c (command bus, refresh), channel_stats.c (declarations, counts of time). */
#ifndef DRAM_CHANNEL_INTERNAL_H
#define DRAM_CHANNEL_INTERNAL_H

#include "dram/bank.h"
#include "dram/checker.h"
#include "dram/map.h"
#include "dram/queue.h"
#include "dram/ring.h"
#include "dram/sched/sched.h"

/* What the oldest request of a pipe waits for. */
enum dram_wait {
	DRAM_WAIT_NONE,
	DRAM_WAIT_READ_QUEUE,
	DRAM_WAIT_WRITE_QUEUE,
	DRAM_WAIT_OLDER_READ,
	DRAM_WAIT_REPLY,
	DRAM_WAIT_OTHER_INPUT, /* for an older request that concerns its bytes and is still at the other input
				*/
	DRAM_WAITS
};

/* An input: from the slice to the queues. */
struct dram_input {
	struct port *in;
	struct ring pipe;  /* requests on their way to the queues; `when`: they may join */
	uint8_t waits_for; /* what the head of the pipe has waited for since the last tick */
};

struct dram_stats {
	uint64_t work_cycles, queued_cycles, bank_cycles, read_bursts, data_bus_cycles,
		turnarounds; /* what each command changes */
	uint64_t row_hits, row_misses, row_conflicts, bytes, reads, writes;
	uint64_t activates, precharges, refreshes, write_bursts;
	uint64_t forwarded, forwarded_bytes, overlaid;
	uint64_t open_cycles;
	uint64_t waits[DRAM_WAITS - 1];
	struct sim_histogram read_latency, write_latency, row_requests;
};
extern const struct sim_stat dram_stats_table[];

struct dram_channel {
	/* read by every tick: two cache lines of the host */
	struct component component; /* the first member, since ticks receive it */
	cycles idle_until; /* awake, but there is nothing to do before this cycle, unless something arrives */
	uint32_t seen;     /* requests on the ports at the end of the last tick */
	bool waits;        /* the head of a pipe has waited for something since the last tick */
	uint8_t inputs;
	bool had_work; /* whether the channel has had work since the last tick, for statistics that grow with
			  time */
	uint8_t bus;   /* direction of the last data (enum dram_direction) */
	struct dram_input input[DRAM_INPUTS];
	struct ring replies; /* `when`: the last data have come */
	cycles last_tick;
	cycles next_refresh; /* cycle in which the next refresh is due; SIM_NEVER: no refresh */
	/* read for every command */
	cycles plan_end;         /* the plan is valid before this cycle; 0: it must be made anew */
	struct dram_choice plan; /* the scheduler's last choice */
	struct dram_sched *sched;
	cycles next_command;          /* the command bus is free from this cycle on */
	struct dram_checker *checker; /* NULL: checking is off */
	FILE *trace;                  /* NULL: none */
	struct dram_stats stats;
	struct dram_queue queue;
	struct dram_device device;
	cycles open_since;                     /* while a row is open: open_cycles is counted up to here */
	uint32_t row_requests[DRAM_MAX_BANKS]; /* requests served since the row was opened */
	/* wiring and parameters */
	struct port *out;
	double cycles_per_ps;
	picoseconds pads_time; /* config.latency in picoseconds */
	uint16_t number;
	struct dram_config config;
	struct dram_map map;
};

static inline cycles dram_earlier(cycles a, cycles b)
{
	return a < b ? a : b;
}
static inline cycles dram_later(cycles a, cycles b)
{
	return a > b ? a : b;
}
/* Requests on the ports; in the pipes. */
static inline uint32_t dram_outside(const struct dram_channel *c)
{
	return c->input[0].in->count + (c->inputs > 1 ? c->input[1].in->count : 0);
}
static inline uint32_t dram_in_pipes(const struct dram_channel *c)
{
	return c->input[0].pipe.count + c->input[1].pipe.count;
}
/* When the input's next request may join a queue; SIM_NEVER: its pipe is empty. */
static inline cycles dram_input_next_join(const struct dram_input *input)
{
	return input->pipe.count ? input->pipe.entry[input->pipe.head].when : SIM_NEVER;
}
static inline cycles dram_next_join(const struct dram_channel *c)
{
	cycles next = dram_input_next_join(&c->input[0]);

	return c->inputs > 1 ? dram_earlier(next, dram_input_next_join(&c->input[1])) : next;
}
/* With config.counts_cycles: cycles whose edges lie behind `when`, up to the present one; the
 * time of the L2's last edge that is not behind `when`. */
static inline uint64_t dram_edges_since(const struct dram_channel *c, picoseconds when)
{
	const struct clock *dram = sim_clock(c->component.sim, CLOCK_DRAM);

	return dram->cycle - clock_last_until(dram, when);
}
static inline picoseconds dram_l2_edge(const struct dram_channel *c, picoseconds when)
{
	return clock_edge_until(sim_clock(c->component.sim, CLOCK_L2), when);
}
static inline void dram_stamp(
	const struct dram_channel *c, struct packet *p, enum packet_timestamp which, picoseconds when)
{
	packet_stamp(p, which, __builtin_expect(c->config.counts_cycles, 0) ? dram_l2_edge(c, when) : when);
}
/* Cycles since the packet was pushed to the port, to the nearest. Clock edges are rounded down to
 * picoseconds: with one more, half a cycle counts as a whole one at any time. */
static inline uint64_t dram_age_of(const struct dram_channel *c, const struct packet *p)
{
	if (__builtin_expect(c->config.counts_cycles, 0))
		return dram_edges_since(c, p->stamp);
	return (uint64_t)((double)(sim_now(c->component.sim) - p->stamp + 1) * c->cycles_per_ps + 0.5);
}

/* channel_stats.c: what grows with time is counted before cycle `until`; nothing has changed since the last
 * tick. */
void dram_sync_time(struct dram_channel *c, cycles until);
/* raise.c: obeys a notice (PACKET_RAISE). */
void dram_raise(struct dram_channel *c, const struct packet *notice);
/* command.c: issues at most one command. Returns the earliest cycle of the next. */
cycles dram_command_step(struct dram_channel *c, cycles now);
/* Checks the command, if checking is on, and carries it out on the device. */
void dram_issue(struct dram_channel *c, enum dram_command command, uint32_t bank, uint64_t row, cycles now);
/* Carries out the refreshes that the idle channel slept through, with the times at which they would have
 * happened. */
void dram_make_up_refreshes(struct dram_channel *c, cycles now);
static inline void dram_catch_up_refresh(struct dram_channel *c, cycles now)
{
	if (c->next_refresh < now)
		dram_make_up_refreshes(c, now);
}

#endif
