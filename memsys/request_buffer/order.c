/* memsys/request_buffer/order.c -- the order of a warp's requests, and that of barriers. */
#include "memsys/request_buffer/order.h"
#include "sim/base/xalloc.h"

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

void order_passed(const struct request_order *o, const struct buffered_request *r)
{
	uint32_t warp = r->request.by.warp;

	bug_if(o->entered[warp] != o->left[warp],
		"a request of warp slot %u passes the buffer before others of it", warp);
	bug_if(!order_may_pass(o, r),
		"a request of CTA slot %u passes the buffer before one from before a barrier", r->cta_slot);
}
