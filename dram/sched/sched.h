/* dram/sched/sched.h -- the policy interface of DRAM schedulers: which request's command goes next.
 *
 * A policy is one file that ends in its struct dram_sched_class, and one line of sched.def
 * (sim/policy/policy.h). Each channel has its own object. It
 * decides among requests; refresh and precharging of idle banks are the channel's. */
#ifndef DRAM_SCHED_SCHED_H
#define DRAM_SCHED_SCHED_H

#include "dram/queue.h"
#include "sim/policy/policy.h"

/* A request's next command and when timing allows it. request NULL: nothing to do; `ready` still says when to
 * ask again. stands: who asks then, if nothing has changed, hears the same. */
struct dram_choice {
	struct dram_request *request;
	enum dram_command command;
	bool stands;
	cycles ready;
};
static inline struct dram_choice dram_choice_of(
	struct dram_request *request, enum dram_command command, cycles ready)
{
	return (struct dram_choice){ .request = request, .command = command, .ready = ready };
}

/* Base of every policy's struct; first in it. */
struct dram_sched {
	const struct dram_sched_class *class;
	const struct dram_config *config; /* set before init is called, and constant */
	uint8_t direction; /* whose turn it is on the bus (enum dram_direction), for dram_turn */
};

/* What has become of a notice that a read's priority is to be raised: the read waited and has the priority
 * now; the queue of the first input had no place for it; it had gone already, or its data had. */
enum dram_raise { DRAM_RAISED, DRAM_RAISE_FULL, DRAM_RAISE_LATE };

/* A policy has `rank` and perhaps `joined` and `served`: that is all that most need, and the channel does the
 * rest (by_rank.c). Or it has `choose`, and decides about every command itself (frfcfs.c, wms.c). */
struct dram_sched_class {
	POLICY_CLASS;
	/* Of the requests that wait the one with the highest rank is served first, of equal ones the oldest.
	 * is_hit: its row is open. It may depend on what the policy remembers, of the request (its packet has
	 * the SM, the warp, the warp's type; `mark`) and of others. */
	uint32_t (*rank)(struct dram_sched *sched, const struct dram_request *request, bool is_hit);
	/* A request waits from now on; has had its last column command, and is about to leave the queue. The
	 * policy may set request->mark of all that wait (dram_queue_each). May be NULL. */
	void (*joined)(
		struct dram_sched *sched, const struct dram_queue *queue, struct dram_request *request);
	void (*served)(struct dram_sched *sched, const struct dram_queue *queue, struct dram_request *request,
		cycles now);
	bool needs_types;    /* decides by warp types: refused where l2.warp_type.policy gives none */
	uint32_t priorities; /* sets of requests that it tells apart: up to DRAM_MAX_PRIORITIES; 0: 1 */
	/* The set, from 0 on, of a request that joins the queue: the packet has warp_type, warp, pc and what
	 * else observers want. NULL: 0. */
	uint32_t (*priority)(struct dram_sched *sched, const struct packet *packet);
	/* Inputs of the channel, up to DRAM_INPUTS; 0 means 1. With several, `input` chooses that of a read,
	 * 0 being the first, which the others do not hold up (dram/channel.c); writes take the last. It is
	 * asked by the L2 slice, of the prototype and the request that causes the read: its answer may depend
	 * on parameters and the packet only. */
	uint32_t inputs;
	uint32_t (*input)(const struct dram_sched *prototype, const struct packet *request);
	/* Places of that input in the read queue. NULL: dram.read_queue each. */
	uint32_t (*places)(const struct dram_sched *sched, uint32_t input);
	/* Whether the L2 slice sends a notice when a request of the first input merges with a read of the
	 * last. NULL: no. Asked once, of the prototype. */
	bool (*raises)(const struct dram_sched *prototype);
	void (*raised)(struct dram_sched *sched, enum dram_raise result); /* may be NULL */
	/* Without `rank`: the command to issue at `now`: a choice with ready <= now; or else one with the
	 * earliest time at which there will be one if nothing arrives meanwhile (SIM_NEVER: none), without a
	 * request if the policy may want something else before. Reads only when queue->reply_room. Called for
	 * one cycle after another, for each at most once, or once more if nothing has changed: then with the
	 * same answer. The channel may ask for a cycle that has not come yet. */
	struct dram_choice (*choose)(struct dram_sched *sched, const struct dram_queue *queue, cycles now);
	/* The data of a read are going to the slice, `latency` cycles after it entered its port. May be NULL.
	 */
	void (*replied)(struct dram_sched *sched, const struct packet *packet, uint64_t latency);
	/* The choice has been issued; its request is still in the queue (bursts: those that are left). May be
	 * NULL. */
	void (*issued)(
		struct dram_sched *sched, const struct dram_queue *queue, const struct dram_choice *choice);
};

extern const struct policy_interface dram_sched_interface;

/* by_rank.c: the command to issue at `now`, as for `choose`, of a policy with `rank`. */
struct dram_choice dram_choose_by_rank(struct dram_sched *sched, const struct dram_queue *queue, cycles now);

static inline uint32_t dram_sched_inputs(const struct dram_sched *sched)
{
	return sched->class->inputs ? sched->class->inputs : 1;
}

/* ---- for policies ---- */

/* The command that the request needs next, and when it can issue. */
static inline struct dram_choice dram_next_command(
	const struct dram_queue *queue, struct dram_request *request)
{
	const struct dram_device *device = queue->device;
	uint64_t open = device->bank[request->bank].open_row;
	struct dram_choice c = { .request = request };

	if (open == request->row)
		c.command = request->direction == DRAM_WRITES ? DRAM_WR : DRAM_RD;
	else
		c.command = open == DRAM_NO_ROW ? DRAM_ACT : DRAM_PRE;
	c.ready = dram_ready_at(device, c.command, request->bank);
	return c;
}

/* Reads or writes: reads go first; writes when there are no reads that can go, or when write_high of them
 * wait (or the queue is full), and then until write_low are left. Remembers the answer in sched->direction.
 */
uint8_t dram_turn(struct dram_sched *sched, const struct dram_queue *queue);

/* From when on the oldest request, if there is one and it can go, is older than age_cap; SIM_NEVER: never. */
static inline cycles dram_due(
	const struct dram_queue *queue, const struct dram_request *oldest, uint32_t age_cap)
{
	if (!oldest || (oldest->direction == DRAM_READS && !queue->reply_room))
		return SIM_NEVER;
	return oldest->arrived + age_cap;
}

/* Hits come mostly among the oldest requests of all: the first of few in these banks that can go then, in
 * their order; NULL: none. The channel's timing allows the command. */
static inline struct dram_request *dram_early_hit(const struct dram_queue *q, const struct dram_set *set,
	uint64_t banks, enum dram_command command, cycles now)
{
	struct dram_request *r = q->oldest[command == DRAM_WR ? DRAM_WRITES : DRAM_READS];

	for (int tries = 4; r && tries; r = r->younger, tries--)
		if (set->bank[r->bank].hit == r && banks >> r->bank & 1 &&
			dram_bank_next(q->device, command, r->bank) <= now)
			return r;
	return NULL;
}

/* The best so far: a command that can go now beats one that cannot, then the higher rank, then the older
 * request. What cannot go yet only tells when to look again. Starts with best.ready = SIM_NEVER. */
struct dram_search {
	const struct dram_queue *queue;
	cycles now;
	struct dram_choice best;
	uint32_t rank;
};
#define DRAM_RANKS 8 /* a policy may add multiples of this to put one search before another */
enum dram_rank {
	DRAM_RANK_PREPARE,
	DRAM_RANK_PRECHARGE,
	DRAM_RANK_HIT,
	DRAM_RANK_ACTIVATE,
	DRAM_RANK_URGENT
};

/* One more candidate. DRAM_RANK_PRECHARGE stands for what the row needs: HIT if it is open, ACTIVATE if the
 * bank is closed. */
void dram_consider(struct dram_search *search, struct dram_request *request, uint32_t rank);
/* The same as below, of banks all of which have such requests; at least one. */
void dram_search_hits(struct dram_search *search, const struct dram_set *set, uint64_t banks, uint32_t rank);
void dram_search_oldest(
	struct dram_search *search, const struct dram_set *set, uint64_t banks, uint32_t rank);
/* Of a set, in these banks: the oldest request for each open row. */
static inline void dram_consider_hits(
	struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	if (banks & set->hits)
		dram_search_hits(s, set, banks & set->hits, rank);
}
/* Of a set, in these banks: the oldest request of each. */
static inline void dram_consider_oldest(
	struct dram_search *s, const struct dram_set *set, uint64_t banks, uint32_t rank)
{
	if (banks & set->waiting)
		dram_search_oldest(s, set, banks & set->waiting, rank);
}

#endif
