/* memsys/request_buffer/order.c -- the order of a warp's requests, and that of barriers. */
#include "memsys/request_buffer/order.h"
#include "sim/xalloc.h"

void order_init(struct request_order *o, uint32_t warps, uint32_t ctas)
{
	o->entered = xcalloc(warps, sizeof(*o->entered));
	o->left = xcalloc(warps, sizeof(*o->left));
	o->ctas = xcalloc(ctas, sizeof(*o->ctas));
}

void order_fini(struct request_order *o)
{
	free(o->entered);
	free(o->left);
	free(o->ctas);
}

static bool is_newest(const struct cta_epochs *c, const struct buffered_request *r)
{
	return c->used && c->newest == r->epoch;
}

bool order_has_room(const struct request_order *o, const struct buffered_request *r)
{
	const struct cta_epochs *c = &o->ctas[r->cta_slot];

	return is_newest(c, r) || c->used < ORDER_EPOCHS;
}

struct order_stamp order_entered(struct request_order *o, const struct buffered_request *r)
{
	struct cta_epochs *c = &o->ctas[r->cta_slot];
	uint8_t epoch;

	bug_if(!order_has_room(o, r), "CTA slot %u has no counter for one more epoch", r->cta_slot);
	if (!is_newest(c, r))
		c->used++;
	c->newest = r->epoch;
	epoch = (uint8_t)((c->first + c->used - 1) % ORDER_EPOCHS);
	c->count[epoch]++;
	return (struct order_stamp){ .number = o->entered[r->request.warp]++, .epoch = epoch };
}

bool order_may_leave(const struct request_order *o, const struct buffered_request *r, struct order_stamp stamp)
{
	return stamp.epoch == o->ctas[r->cta_slot].first;
}

bool order_may_pass(const struct request_order *o, const struct buffered_request *r)
{
	const struct cta_epochs *c = &o->ctas[r->cta_slot];

	return !c->used || (c->used == 1 && c->newest == r->epoch);
}

bool order_left(struct request_order *o, const struct buffered_request *r, struct order_stamp stamp)
{
	struct cta_epochs *c = &o->ctas[r->cta_slot];
	uint32_t warp = r->request.warp;

	bug_if(stamp.number != o->left[warp], "request %u of warp slot %u leaves the buffer before request %u", stamp.number, warp, o->left[warp]);
	bug_if(!order_may_leave(o, r, stamp), "a request of CTA slot %u leaves the buffer before one from before a barrier", r->cta_slot);
	o->left[warp]++;
	if (--c->count[c->first])
		return false;
	c->first = (uint8_t)((c->first + 1) % ORDER_EPOCHS);
	return --c->used;
}

void order_passed(const struct request_order *o, const struct buffered_request *r)
{
	uint32_t warp = r->request.warp;

	bug_if(o->entered[warp] != o->left[warp], "a request of warp slot %u passes the buffer before others of it", warp);
	bug_if(!order_may_pass(o, r), "a request of CTA slot %u passes the buffer before one from before a barrier", r->cta_slot);
}
