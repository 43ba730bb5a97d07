/* memsys/request_buffer/request_buffer.h -- the policy interface of request buffers between the coalescer and
 * the L1: what may wait there, and in which order it leaves.
 *
 * A policy is one file that ends in its struct request_buffer_class, and one line in request_buffer.def
 * (sim/policy/policy.h). Each SM has its own object. In each cycle the load/store unit (core/lsu/lsu_path.c)
 * asks it at most once about the line request at its head, and at most one request goes to the L1: that of
 * the head if it passes, else one that the buffer offers. A memory instruction leaves the head of the
 * load/store unit when its last request has entered (or passed) the buffer; it is complete when all its
 * requests are.
 *
 * Only requests to the L1 data cache come here: global and local loads, stores, atomics, surfaces. Loads that
 * ask for the L2 (.cg, volatile) do, too: request.uncached tells. Constants, textures and shared memory go
 * their own ways.
 *
 * Duties of a policy: every request that it took it offers some time, if only asked often enough; requests of
 * one warp to one line must leave in the order in which they came, and so, by the weak memory model of PTX,
 * need no others; those of a CTA should not be reordered across its barriers (`epoch`; order.h keeps to it).
 * Values do not depend on any of this: the simulator executes at issue. */
#ifndef MEMSYS_REQUEST_BUFFER_REQUEST_BUFFER_H
#define MEMSYS_REQUEST_BUFFER_REQUEST_BUFFER_H

#include "memsys/l1/cache.h"
#include "sim/policy/policy.h"

/* One line request, self-contained: what the L1 must know, and what the SM needs when it has gone. */
struct buffered_request {
	struct cache_request request; /* what the L1 will be asked; by.warp: slot in the SM */
	uint32_t op;                  /* the SM's: the memory instruction that it is part of */
	uint16_t cta_slot, cta_warp;  /* the CTA's place in the SM; the warp's number in its CTA */
	uint16_t epoch; /* barriers that the CTA had passed when it issued, modulo 2^16: never less than that
			   of the CTA's last */
	bool is_first;  /* of its instruction */
	bool is_profiled; /* its kernel is */
};

enum request_verdict {
	REQUEST_TAKEN,  /* it enters: push is called at once */
	REQUEST_PASSES, /* it goes to the L1 itself, in this cycle */
	REQUEST_WAITS,  /* the memory stage stalls; asked again when a request has left the buffer, which must
			   not be empty */
};

enum request_fence { FENCE_BARRIER, FENCE_MEMBAR };

struct request_buffer_class;

/* Counted for every buffer by the SM. */
struct request_buffer_stats {
	uint64_t entered, passed, left;
	uint64_t full_cycles;    /* in which the head of the load/store unit had to wait for the buffer */
	uint64_t refused_cycles; /* in which a request that the buffer offered was refused by the L1 */
	uint64_t request_cycles; /* that requests spent in the buffer, added up over requests that have left
				  */
};

/* Base of every policy's struct; first in it. */
struct request_buffer {
	const struct request_buffer_class *class;
	/* connection: set before init is called, and constant */
	uint32_t sm;                     /* number of the SM */
	uint32_t warps, ctas, cta_warps; /* slots of the SM; most warps of a CTA */
	/* kept by the SM */
	uint32_t count; /* requests inside */
	struct request_buffer_stats stats;
	struct cache_listener listener; /* for l1 below */
};

/* All may be NULL in a class without admit, which is no buffer at all. */
struct request_buffer_class {
	POLICY_CLASS;
	/* What becomes of the request at the head. Asked in each cycle in which the SM is awake and the
	 * request could go, again and again while it waits, or passes and is refused; may note, say, from
	 * which queue to drain. */
	enum request_verdict (*admit)(struct request_buffer *b, const struct buffered_request *r, cycles now);
	/* Takes a copy of it. */
	void (*push)(struct request_buffer *b, const struct buffered_request *r, cycles now);
	/* The request to go to the L1 in this cycle, or NULL; it stays the buffer's. `count` is not 0. If the
	 * L1 refuses it, peek is called again when what was lacking may be there; the answer may then be
	 * another request. */
	const struct buffered_request *(*peek)(struct request_buffer *b, cycles now);
	/* The L1 has taken the one that peek gave last: it leaves the buffer. */
	void (*pop)(struct request_buffer *b, cycles now);
	/* The first cycle after now in which peek may give one, as things are; SIM_NEVER if that takes a
	 * push. Called when count is not 0. NULL: the next cycle. */
	cycles (*next)(const struct request_buffer *b, cycles now);
	/* A CTA has passed a barrier (warp is then any of it), or a warp has come to a membar. Requests from
	 * before it may still be on their way here: the epoch of each tells. May be NULL. */
	void (*fence)(struct request_buffer *b, enum request_fence kind, uint32_t cta_slot, uint32_t warp,
		cycles now);
	/* The L1 refused the request that peek gave, for this reason. May be NULL. */
	void (*refused)(struct request_buffer *b, enum cache_outcome why, cycles now);
	struct cache_hooks l1; /* what happens in the SM's L1 data cache (memsys/listener.h) */
};

extern const struct policy_interface request_buffer_interface;

/* policy_new, connected; NULL where the class is no buffer. sizes: warps, ctas, cta_warps as in the struct.
 */
struct request_buffer *request_buffer_new(const struct request_buffer *prototype, uint32_t sm, uint32_t warps,
	uint32_t ctas, uint32_t cta_warps);

#endif
