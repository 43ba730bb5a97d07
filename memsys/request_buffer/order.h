/* memsys/request_buffer/order.h -- what no request buffer may reorder, for those that have more than one
 * queue: requests of a warp leave in the order in which they came, and none leaves before one of the same CTA
 * from before a barrier (MRPB, HPCA 2014, sections 3 and 3.2).
 *
 * A CTA's barriers part its requests into intervals, numbered by the barriers that it had passed when they
 * issued. Only requests of the oldest interval in the buffer may leave. There are counters for
 * ORDER_INTERVALS of them: a request of one more must not enter.
 *
 * order_left and order_passed are also the check that a policy keeps to this: a request out of order is a
 * bug. */
#ifndef MEMSYS_REQUEST_BUFFER_ORDER_H
#define MEMSYS_REQUEST_BUFFER_ORDER_H

#include "memsys/request_buffer/request_buffer.h"

#define ORDER_INTERVALS 16 /* of a CTA in the buffer at once (our choice) */

struct cta_intervals {
	uint16_t newest;     /* buffered_request.barriers of the last that entered, if any is inside */
	uint8_t first, used; /* of count[], a ring: the oldest interval inside, and how many there are */
	uint32_t count[ORDER_INTERVALS]; /* requests inside, not 0 where in use */
};

struct request_order {
	uint32_t *entered, *left;   /* by warp slot, modulo 2^32 */
	struct cta_intervals *ctas; /* by CTA slot */
};

/* Where in the order a request stands that is inside. */
struct order_stamp {
	uint32_t number;  /* among those of its warp */
	uint8_t interval; /* its place in count[] */
};

void order_init(struct request_order *o, uint32_t warps, uint32_t ctas);
void order_fini(struct request_order *o);
/* It goes past those inside: none of them is of its warp, none from before a barrier. */
void order_passed(const struct request_order *o, const struct buffered_request *r);

/* ---- inline, since asked about every request ---- */

static inline bool order_is_newest(const struct cta_intervals *c, const struct buffered_request *r)
{
	return c->used && c->newest == r->barriers;
}

/* Is there a counter for the request's interval? */
static inline bool order_has_room(const struct request_order *o, const struct buffered_request *r)
{
	const struct cta_intervals *c = &o->ctas[r->cta_slot];

	return order_is_newest(c, r) || c->used < ORDER_INTERVALS;
}

/* Needs room. */
static inline struct order_stamp order_entered(struct request_order *o, const struct buffered_request *r)
{
	struct cta_intervals *c = &o->ctas[r->cta_slot];
	uint8_t interval;

	bug_if(!order_has_room(o, r), "CTA slot %u has no counter for one more interval", r->cta_slot);
	if (!order_is_newest(c, r))
		c->used++;
	c->newest = r->barriers;
	interval = (uint8_t)((c->first + c->used - 1) % ORDER_INTERVALS);
	c->count[interval]++;
	return (struct order_stamp){ .number = o->entered[r->request.by.warp]++, .interval = interval };
}

/* Nothing of its CTA from before a barrier is inside any more: it may leave; one that has not entered may go
 * past. */
static inline bool order_may_leave(
	const struct request_order *o, const struct buffered_request *r, struct order_stamp stamp)
{
	return stamp.interval == o->ctas[r->cta_slot].first;
}

static inline bool order_may_pass(const struct request_order *o, const struct buffered_request *r)
{
	const struct cta_intervals *c = &o->ctas[r->cta_slot];

	return !c->used || (c->used == 1 && c->newest == r->barriers);
}

/* Whether, with it, the last of an interval has left that others of its CTA have waited for. */
static inline bool order_left(
	struct request_order *o, const struct buffered_request *r, struct order_stamp stamp)
{
	struct cta_intervals *c = &o->ctas[r->cta_slot];
	uint32_t warp = r->request.by.warp;

	bug_if(stamp.number != o->left[warp],
		"request %u of warp slot %u leaves the buffer before request %u", stamp.number, warp,
		o->left[warp]);
	bug_if(!order_may_leave(o, r, stamp),
		"a request of CTA slot %u leaves the buffer before one from before a barrier", r->cta_slot);
	o->left[warp]++;
	if (--c->count[c->first])
		return false;
	c->first = (uint8_t)((c->first + 1) % ORDER_INTERVALS);
	return --c->used;
}

#endif
