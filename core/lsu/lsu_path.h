/* core/lsu/lsu_path.h -- the way of a line request from the coalescer to a cache: request buffer, bypass
 * policies, refusals. */
#ifndef CORE_LSU_LSU_PATH_H
#define CORE_LSU_LSU_PATH_H

#include "core/kernel/kernel_stats.h"
#include "core/lsu/lsu.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "memsys/request_buffer/request_buffer.h"

struct kernel_run;
struct stat_tree;

void lsu_path_init(struct sm *sm, const struct request_buffer *buffer, const struct bypass *bypass,
	const struct bypass *stall_bypass, struct stat_tree *stats);
void lsu_path_fini(struct sm *sm);
void lsu_kernel_started(struct sm *sm, const struct kernel_run *run, cycles now);

/* Offers a request to a cache, by way of the bypass policies, which may change it. */
enum cache_outcome lsu_offer(struct sm *sm, struct cache *cache, struct cache_request *r, cycles now);
/* Adds a request that a cache has taken to the profile of its kernel, which has one. */
void lsu_profile_gone(struct sm *sm, const struct buffered_request *b, const struct cache *cache,
	enum cache_outcome outcome);
/* Counts a request that a cache has taken. */
static inline void lsu_count_gone(struct sm *sm, const struct buffered_request *b, const struct cache *cache,
	enum cache_outcome outcome)
{
	struct kernel_stats *counts = sm->state.timing_rest[b->request.by.warp].counts;

	if (cache == sm->spec.l1d) {
		counts->l1_hits += outcome == CACHE_HIT;
		counts->l1_misses += outcome == CACHE_MISS;
		counts->l1_merged += outcome == CACHE_MERGED;
	}
	if (__builtin_expect(b->is_profiled, 0))
		lsu_profile_gone(sm, b, cache, outcome);
}
/* A request of the instruction has hit in the cache: its data come after the cache's latency. entered,
 * offered: when it left the coalescer, and the request buffer. */
static inline void lsu_hit(
	struct memory_op *op, const struct cache *cache, timestamp entered, timestamp offered, cycles now)
{
	cycles ready = now + cache_hit_latency(cache);

	op->entered = entered;
	op->offered = offered;
	op->ready = ready > op->ready ? ready : op->ready;
}
/* A request of the instruction has missed, and leaves the SM. */
void lsu_goes_beyond(struct sm *sm, struct memory_op *op);

/* The L1 has taken a read or an atomic: what follows for its instruction, or those that it serves, which have
 * counted it as pending. */
void lsu_taken(struct sm *sm, const struct buffered_request *b, enum cache_outcome outcome, cycles now);

static inline void lsu_refused(
	struct lsu_refusal *f, struct cache *at, enum cache_outcome outcome, cycles now)
{
	*f = (struct lsu_refusal){ .is_refused = true,
		.outcome = (uint8_t)outcome,
		.since = now,
		.failed_since = now + 1 /* the cache has counted the first */,
		.at = at,
		.retry = cache_is_brief(outcome) };
}
/* Whether a refused request must go on waiting. If not, the cycles in between count as failed retries, and
 * *lost grows by the wait. */
bool lsu_still_refused(struct sm *sm, struct lsu_refusal *f, uint64_t *lost, cycles now);
/* Counts what has passed of a refusal, if there is one, up to cycle `until`. */
void lsu_sync_refusal(struct lsu_refusal *f, uint64_t *lost, cycles until);
/* Counts waits up to cycle `until`. */
void lsu_sync_stats(struct sm *sm, cycles until);

/* The request buffer: a request asks to enter (its CTA's slot is filled in); one request goes from the buffer
 * to the L1; when the next one can; a barrier or membar. There is a buffer. */
enum request_verdict lsu_enter_buffer(
	struct sm *sm, struct buffered_request *b, struct lsu_buffer_wait *wait, cycles now);
void lsu_drain(struct sm *sm, cycles now);
cycles lsu_drain_next(const struct sm *sm, cycles now);
void lsu_fence(struct sm *sm, enum request_fence kind, uint32_t slot);

#endif
