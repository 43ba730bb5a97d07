/* core/lsu/lsu_coalescer.h -- the load/store unit and its coalescer policy (memsys/coalescer), where there is
 * one that is a stage of its own. */
#ifndef CORE_LSU_LSU_COALESCER_H
#define CORE_LSU_LSU_COALESCER_H

#include "core/lsu/lsu_entry.h"

struct coalesced;
struct coalescer;
struct kernel_run;
struct packet;
struct stat_tree;

void lsu_coalescer_init(struct sm *sm, const struct coalescer *prototype, const struct cache_config *l1d,
	struct stat_tree *stats);
void lsu_coalescer_fini(struct sm *sm);

/* For the functions below, but the last, there is a coalescer. */

/* An access of global or local memory enters. is_ordered: no load of its warp may pass it (volatile). */
void lsu_coalesce(struct sm *sm, const struct lsu_entry *e, bool is_ordered, cycles now);
/* A cycle of the coalescer; whether a request has passed the request buffer. */
bool lsu_coalescer_tick(struct sm *sm, cycles now);
cycles lsu_coalescer_next(const struct sm *sm, cycles now);
void lsu_coalescer_sync_stats(struct sm *sm, cycles until);
/* Something in the L1 has come free. */
void lsu_coalescer_retry(struct sm *sm);

/* The L1 has taken a request that serves several instructions. */
void lsu_coalesced_taken(struct sm *sm, struct coalesced *c, enum cache_outcome outcome, cycles now);
/* Its data have come with this reply; wait: for a line of the L1, or NULL. */
void lsu_coalesced_returned(
	struct sm *sm, uint32_t token, const struct packet *reply, const struct cache_wait *wait, cycles now);
/* Whether the reply, which would fill the L1, may do so now. */
bool lsu_coalescer_may_fill(const struct sm *sm);
/* Whether the L1 may look up a request of the request buffer. */
bool lsu_coalescer_may_look_up(const struct sm *sm);

#endif
