/* memsys/coalescer/coalescer.h -- the policy interface of coalescers: what happens to memory instructions
 * between issue and the L1.
 *
 * A policy is one file that ends in its struct coalescer_class, and one line in coalescer.def
 * (sim/policy/policy.h). Each SM has its own object. It receives each instruction that accesses global or
 * local memory through the L1 data cache (loads, stores, atomics, prefetches, surfaces) with its line
 * requests, which memsys/coalesce.h has found within the warp, and offers line requests to the L1 (or to the
 * request buffer in front of it) in the order and number that it decides. A request may serve instructions of
 * several warps. Shared memory, constants, parameters and textures go their own ways.
 *
 * A class without `accept` is no stage of its own: the load/store unit (core/lsu) then serves one instruction
 * after the other, one line request a cycle, which the scheduler's order of issue keeps consistent.
 *
 * Duties of a policy:
 * - Every line request of an instruction is offered some time until the L1 takes it, and each
 *   instruction of a coalesced request is completed when the data are in its registers. Of requests whose
 *   token is the instruction's, the load/store unit takes care.
 * - `gates` keep each warp's accesses in an order that its own thread cannot tell from program order
 *   (memory consistency, WarpPool section 3.8). Nothing overrides them: neither a warp limiter nor
 * starvation. Values do not depend on any of this: the simulator executes at issue. */
#ifndef MEMSYS_COALESCER_COALESCER_H
#define MEMSYS_COALESCER_COALESCER_H

#include "memsys/coalesce.h"
#include "memsys/coalescer/gates.h"
#include "memsys/l1/cache_request.h"
#include "memsys/request_buffer/request_buffer.h"
#include "sim/policy/policy.h"

#define COALESCED_MOST 16 /* instructions that one request may serve */

/* What an instruction's requests are to the coalescer. */
enum coalescer_kind {
	COALESCER_LOAD, /* loads that the L1 looks up, prefetches: may be merged with those of other warps */
	COALESCER_DIRECT, /* loads that ask for the L2 (.cg, volatile, bypassing): one instruction, one
			     request */
	COALESCER_STORE,  /* stores, atomics, surface writes */
};

/* An instruction as the load/store unit hands it over; valid during `accept`. */
struct coalescer_instruction {
	uint32_t op;          /* the SM's number for it */
	uint8_t kind;         /* enum coalescer_kind */
	bool is_ordered;      /* volatile and the like: no load may pass it */
	cycles ready;         /* its addresses are known: no request may leave before */
	uint32_t more_cycles; /* after its last request the coalescer is busy for so long (cp.async) */
	uint32_t count;       /* of lines: at least 1 */
	const struct line_request *lines;       /* in the order of the lowest lanes */
	const struct buffered_request *request; /* what its requests have in common; each is a copy,
						   completed by cache_request_line */
	const addr *address;                    /* of each lane; NULL: not known (surfaces) */
	bool lanes_follow, lanes_same; /* known of all 32: their accesses follow one another; are the same */
	uint32_t bytes;                /* of a lane's access within one line */
};

struct coalesced_instruction {
	uint32_t op;
	timestamp coalesced; /* when it joined */
};

/* A request that serves several instructions, and those. Its token has COALESCED_TOKEN. */
struct coalesced {
	struct buffered_request request; /* what the L1 is asked, in the name of the oldest */
	uint32_t number;                 /* in coalescer.requests */
	uint32_t count;                  /* instructions */
	uint32_t next;                   /* the policy's; of free ones: the next free one */
	bool has_come;                   /* data from beyond the L1; with the times of their fetch: */
	bool has_waited;                 /* for a line of the L1, since wait.taken */
	timestamp at[AT_COUNT];          /* by enum packet_timestamp */
	struct cache_wait wait;
	struct coalesced_instruction *with;
	struct requester *by; /* whose they are; lanes: those that this line serves */
};

#define COALESCED_TOKEN 0x40000000u /* + number of a struct coalesced: the token of its request */

struct coalescer_class;

/* Counted for every policy by the SM. */
struct coalescer_stats {
	uint64_t instructions, lines;              /* accepted, and their line requests */
	uint64_t load_requests, load_instructions; /* load requests that the L1 took; instructions, one for
						      each line of each, that they serve */
	uint64_t served_cycles;                    /* in which the L1 took any request */
	uint64_t refused_cycles; /* in which a request was refused by the L1, or still was */
};

/* Base of every policy's struct; first in it. */
struct coalescer {
	const struct coalescer_class *class;
	/* connection: set before init is called, and constant */
	uint32_t sm, warps;         /* number of the SM; its warp slots */
	cycles starvation_limit;    /* sm.starvation_limit, 0: none */
	uint32_t mshrs, mshr_merge; /* of the L1 */
	const struct cache *l1;     /* to ask for sets, hits and counts */
	void *owner;                /* the SM, for the functions below; NULL in tests of its own */
	const struct coalescer_services *services;
	/* the policy's answer, which the SM reads after `accept` and `tick` */
	struct coalescer_gates gates;
	/* requests that serve several instructions: coalesced_init */
	struct coalesced *requests;
	struct coalesced_instruction *request_with;
	struct requester *request_by;
	uint32_t request_count, request_most, fresh_request, free_request;
	/* kept by the SM */
	uint32_t waiting; /* instructions of which some requests have not been taken by the L1 */
	struct coalescer_stats stats;
	struct cache_listener listener; /* for l1 below */
};

/* What a policy asks of its SM. */
struct coalescer_services {
	/* Offers the request through one of the policy's ports, in this cycle. The outcome is the L1's
	 * (CACHE_SENT also if a request buffer has taken it); if it is a failure the request stays the
	 * policy's. */
	enum cache_outcome (*offer)(void *owner, uint32_t port, struct buffered_request *request, cycles now);
	/* Whether it makes sense to offer the request again that was refused last at this port: what was
	 * lacking may be there, or it was no lasting lack. */
	bool (*may_retry)(void *owner, uint32_t port, cycles now);
	/* The present time. */
	timestamp (*time)(void *owner);
	/* The line that the request brought is in the registers of instruction `which` of those it serves. */
	void (*complete)(void *owner, const struct coalesced *request, uint32_t which, cycles now);
};

struct coalescer_class {
	POLICY_CLASS;
	bool needs_l1;    /* acts on loads that look up the L1 alone: refused where that is off */
	bool is_parallel; /* offers requests in parallel: refused with a request buffer, which takes one a
			     cycle */
	/* Why the policy cannot work with this L1: the end of a sentence; NULL: it can. May be NULL. */
	const char *(*why_not)(const struct coalescer *prototype, const struct cache_config *l1);
	/* How many requests it may offer in one cycle: each has a port, whose refusals are kept apart. */
	uint32_t (*ports)(const struct coalescer *c);
	/* An instruction has issued and enters; gates said that it might. */
	void (*accept)(struct coalescer *c, const struct coalescer_instruction *i, cycles now);
	/* One cycle of all its stages. Called before issue, in each cycle in which the SM is awake and
	 * something is inside. */
	void (*tick)(struct coalescer *c, cycles now);
	/* The first cycle after now in which it has something to do, as things are; SIM_NEVER: it waits for
	 * the L1, or is empty. */
	cycles (*next)(const struct coalescer *c, cycles now);
	/* For requests with COALESCED_TOKEN; NULL if the policy makes none. hit: the L1 has the line; its
	 * data come after the hit latency. returned: the data have come from beyond the L1; request->at says
	 * when they passed what. */
	void (*hit)(struct coalescer *c, struct coalesced *request, cycles now);
	void (*returned)(struct coalescer *c, struct coalesced *request, cycles now);
	/* Whether the L1 may be filled now, asked in each cycle in which a fill has come; and whether it may
	 * look up a request of the request buffer. NULL: always. */
	bool (*may_fill)(const struct coalescer *c);
	bool (*may_look_up)(const struct coalescer *c);
	/* Ends the counting of waits up to `until`. May be NULL. */
	void (*sync_stats)(struct coalescer *c, cycles until);
	struct cache_hooks l1; /* what happens in the SM's L1 data cache (memsys/listener.h) */
};

extern const struct policy_interface coalescer_interface;

/* policy_new; NULL where the class is no stage. */
struct coalescer *coalescer_new(const struct coalescer *prototype);
void coalescer_free(struct coalescer *c); /* may be NULL */

/* Requests that serve several instructions: so many can be in flight, for `most` instructions each. A request
 * is taken for its first instruction (NULL: all are in use), joined by others, and freed. */
void coalesced_init(struct coalescer *c, uint32_t count, uint32_t most);
void coalesced_fini(struct coalescer *c);
struct coalesced *coalesced_new(struct coalescer *c, const struct buffered_request *first);
/* Whether the L1 would be asked for the same by both, but for lanes. */
bool coalesced_may_join(const struct coalesced *c, const struct buffered_request *r);
void coalesced_join(struct coalesced *c, const struct buffered_request *r);
void coalesced_free(struct coalescer *c, struct coalesced *request);

/* The request with this token, which has COALESCED_TOKEN. */
static inline struct coalesced *coalesced_of(const struct coalescer *c, uint32_t token)
{
	return &c->requests[token & ~COALESCED_TOKEN];
}
static inline bool token_is_coalesced(uint32_t token)
{
	return (token & (COALESCED_TOKEN | STORE_TOKEN)) == COALESCED_TOKEN;
}

#endif
