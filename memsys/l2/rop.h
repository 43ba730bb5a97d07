/* memsys/l2/rop.h -- the ROP pipeline of an L2 slice: whoever enters leaves a fixed time later, in order.
 *
 * A slice that works ahead of the machine (config.lead, core/lookahead/lookahead.h) has its requests so much
 * sooner: they leave the pipeline so many cycles before their time, and keep their places until then. And a
 * request may enter before its time, when it is certain that it will: it is counted when that has come.
 * Nobody outside sees either. */
#ifndef MEMSYS_L2_ROP_H
#define MEMSYS_L2_ROP_H

#include "memsys/delay_line.h"

struct rop {
	struct delay_line line;     /* ready: when it leaves */
	uint32_t latency, lead;     /* cycles */
	picoseconds time;           /* from entry to leaving */
	cycles last_entry;          /* the cycle in which the newest request entered, or will */
	uint32_t uncounted;         /* the newest so many entered before their time and are not counted yet */
	uint64_t *entered, *waited; /* statistics: requests that have entered, their cycles before that */
	/* with a lead, the cycles in which the places of requests that have left become free: a ring, in
	 * order
	 */
	cycles *free_at;
	uint32_t free_first, free_count;
};

/* places: requests that it can hold. The statistics are the caller's. */
void rop_init(struct rop *rop, uint32_t places, uint32_t latency, uint32_t lead, double mhz,
	uint64_t *entered, uint64_t *waited);
void rop_fini(struct rop *rop);
/* In the cycle `now`, at the time `when`: the request, which arrived in that cycle, enters. false: it has to
 * wait. The caller counts it. */
bool rop_enter(struct rop *rop, struct packet *p, cycles arrived, cycles now, picoseconds when);
/* The same before that cycle, which is none in which another request enters. It counts itself later. */
bool rop_enter_ahead(struct rop *rop, struct packet *p, cycles arrived, cycles entry, picoseconds when);
/* The first cycle after `now` in which a request may enter; SIM_NEVER: not before one has left. */
cycles rop_next_entry(const struct rop *rop, cycles now);
/* The oldest request leaves. */
void rop_leave(struct rop *rop, cycles now);
/* Those that entered before their time are counted if that was before the cycle `until`. */
void rop_count(struct rop *rop, cycles until);
/* Requests inside that have been counted. */
static inline uint32_t rop_counted(const struct rop *r)
{
	return r->line.count - r->uncounted;
}

#endif
