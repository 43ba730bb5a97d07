/* core/lsu/lsu_batched_hits.h -- consecutive hits of a divergent load are recognised in one step. */
#ifndef CORE_LSU_LSU_BATCHED_HITS_H
#define CORE_LSU_LSU_BATCHED_HITS_H

#include "core/lsu/lsu_entry.h"

/* The head e has more than one line to offer for the first time after this cycle: finds out how many of them,
 * without the last, will hit. */
void lsu_batch_hits(struct sm *sm, const struct lsu_entry *e, cycles now);
/* Looks up and counts those of cycles before `until`. */
void lsu_sync_batch(struct sm *sm, cycles until);
/* Cancels those from cycle `now` on. */
void lsu_cancel_batch(struct sm *sm, cycles now);

#endif
