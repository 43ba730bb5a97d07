/* memsys/coalescer/warppool_return.c -- WarpPool's way back (MICRO 2015, sections 3.6 and 3.7): from the L1
 * to the registers of each instruction that a request serves.
 *
 * What the L1 hits comes after its latency, what it fetches with the fill. Both go to the write-back queue,
 * one request a cycle, in turn if both are there. Of the request at its head the registers of one warp are
 * written in a cycle. While the queue is full the L1 stalls: the pipeline of hits stands still, no request is
 * looked up, and no fill is accepted. With free_hits a hit for one warp needs neither queue nor turn, as none
 * does without WarpPool. */
#include "memsys/coalescer/warppool.h"

/* ---- stage 6: write-back ---- */

/* Writes the registers of one instruction of a request; with the last one the request ends. */
static void write_registers(struct warppool *w, uint32_t number, uint32_t which, cycles now)
{
	struct coalesced *c = &w->base.requests[number];
	bool last = which + 1 == c->count;

	if (w->requests[number].table >> which & 1) {
		w->free_maps++;
		warppool_wake_for(w, WAIT_THREAD_MAP);
	}
	w->base.services->complete(w->base.owner, c, which, now);
	if (last) {
		coalesced_free(&w->base, c);
		warppool_wake_for(w, WAIT_METADATA);
	}
}

static void write_one(struct warppool *w, cycles now)
{
	uint32_t number = fifo_head(&w->writeback);
	bool last = w->written + 1 == w->base.requests[number].count;

	write_registers(w, number, w->written++, now);
	if (last) {
		w->written = 0;
		fifo_pop(&w->writeback);
	}
}

void warppool_write_back(struct warppool *w, cycles now)
{
	for (uint32_t i = 0; i < w->writeback_warps && w->writeback.count; i++) {
		write_one(w, now);
		w->moved = true;
	}
}

/* ---- from the L1 ---- */

static bool hit_is_due(const struct warppool *w, cycles now)
{
	return w->hits.count && w->hit_due[w->hits.head] <= now - w->stalled;
}

/* With free_hits: the registers of a hit for one warp are written past the queue. */
static bool pass_hit(struct warppool *w, cycles now)
{
	uint32_t number = fifo_head(&w->hits);

	if (!w->free_hits || w->base.requests[number].count > 1)
		return false;
	fifo_pop(&w->hits);
	write_registers(w, number, 0, now);
	w->moved = true;
	return true;
}

void warppool_arrive(struct warppool *w, cycles now)
{
	bool due = hit_is_due(w, now) && !pass_hit(w, now);
	bool returned = w->returned.count && (!due || !w->returned_last);
	struct warppool_fifo *from = returned ? &w->returned : &w->hits;

	if (!due && !returned)
		return;
	w->moved = true;
	if (warppool_writeback_is_full(w)) {
		w->writeback_full_cycles++;
	} else {
		fifo_push(&w->writeback, fifo_head(from));
		fifo_pop(from);
		w->returned_last = returned;
		due &= returned;
	}
	if (due) { /* a hit must wait, and the pipeline with it */
		w->stalled++;
		w->pipeline_stalls++;
	}
}

void warppool_hit(struct coalescer *c, struct coalesced *request, cycles now)
{
	struct warppool *w = warppool_of(c);
	uint32_t at = w->hits.head + w->hits.count;

	w->hit_due[at >= w->hits.capacity ? at - w->hits.capacity : at] =
		now - w->stalled + cache_hit_latency(c->l1);
	fifo_push(&w->hits, request->number);
	w->moved = true;
}

void warppool_returned(struct coalescer *c, struct coalesced *request, cycles now)
{
	struct warppool *w = warppool_of(c);

	(void)now;
	fifo_push(&w->returned, request->number);
	w->moved = true;
}

bool warppool_may_fill(const struct coalescer *c)
{
	const struct warppool *w = (const struct warppool *)c;

	return !w->returned.count;
}

bool warppool_may_look_up(const struct coalescer *c)
{
	return !warppool_writeback_is_full((const struct warppool *)c);
}
