/* dram/channel_internal.h -- what the files of the channel share: channel.c (ports, pipe, replies, the cycle), command.c
 * (the command bus, refresh), channel_stats.c (declarations). */
#ifndef DRAM_CHANNEL_INTERNAL_H
#define DRAM_CHANNEL_INTERNAL_H

#include "dram/bank.h"
#include "dram/checker.h"
#include "dram/map.h"
#include "dram/queue.h"
#include "dram/ring.h"
#include "dram/sched/sched.h"

/* What the oldest request of the pipe waits for. */
enum dram_wait { DRAM_WAIT_NONE, DRAM_WAIT_READ_QUEUE, DRAM_WAIT_WRITE_QUEUE, DRAM_WAIT_OLDER_READ, DRAM_WAIT_REPLY, DRAM_WAITS };

struct dram_stats {
	uint64_t reads, writes, bytes;
	uint64_t forwarded, forwarded_bytes, overlaid;
	uint64_t row_hits, row_misses, row_conflicts;
	uint64_t activates, precharges, refreshes, read_bursts, write_bursts, turnarounds;
	uint64_t data_bus_cycles, work_cycles, queued_cycles, bank_cycles;
	uint64_t waits[DRAM_WAITS - 1];
	struct sim_histogram read_latency, write_latency, row_requests;
};
extern const struct sim_stat dram_stats_table[];

struct dram_channel {
	struct component component;     /* first: ticks get it */
	/* wiring and parameters */
	struct dram_config config;
	struct dram_map map;
	uint16_t number;
	struct port *in, *out;
	double cycles_per_ps;
	picoseconds pads_time;          /* config.latency */
	FILE *trace;                    /* NULL: none */
	/* state */
	struct ring pipe;               /* requests on their way to the queues; when: they may join */
	struct ring replies;            /* when: the last data have come */
	struct dram_device device;
	struct dram_queue queue;
	struct dram_sched *sched;
	struct dram_checker *checker;   /* NULL: not asked for */
	cycles next_refresh;            /* due; SIM_NEVER: no refresh */
	cycles next_command;            /* the command bus is free from here on */
	struct dram_choice plan;        /* the scheduler's last answer ... */
	cycles plan_end;                /* ... which holds before this cycle; 0: things have changed */
	cycles idle_until;              /* awake, but with nothing to do before, unless something arrives */
	uint32_t seen;                  /* requests on the port at the end of the last tick */
	uint8_t bus;                    /* direction of the last data (enum dram_direction) */
	uint32_t row_requests[DRAM_MAX_BANKS];  /* served since the row was opened */
	/* since the last tick, for statistics that grow with time */
	cycles last_tick;
	enum dram_wait waits_for;       /* what the head of the pipe waits for */
	uint32_t banks_waiting;         /* banks with requests */
	bool had_work;
	struct dram_stats stats;
};

static inline cycles dram_earlier(cycles a, cycles b)
{
	return a < b ? a : b;
}
static inline cycles dram_later(cycles a, cycles b)
{
	return a > b ? a : b;
}
/* Cycles since the packet was put on the port. */
static inline uint64_t dram_age_of(const struct dram_channel *c, const struct packet *p)
{
	return (uint64_t)((double)(sim_now(c->component.sim) - p->stamp) * c->cycles_per_ps + 0.5);
}

/* command.c: issues at most one command; the earliest cycle at which there may be another. */
cycles dram_command_step(struct dram_channel *c, cycles now);
/* The refreshes slept through while idle, at the times at which they would have been. */
void dram_make_up_refreshes(struct dram_channel *c, cycles now);
static inline void dram_catch_up_refresh(struct dram_channel *c, cycles now)
{
	if (c->next_refresh < now)
		dram_make_up_refreshes(c, now);
}

#endif
