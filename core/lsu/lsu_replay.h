/* core/lsu/lsu_replay.h -- a refused memory instruction lets others go first (sm.lsu_replay). */
#ifndef CORE_LSU_LSU_REPLAY_H
#define CORE_LSU_LSU_REPLAY_H

#include "core/lsu/lsu_entry.h"

/* A line request of e, the head, has been refused: lets the other lines of e go first, or else other entries.
 * False: all have been refused, so the head waits. */
bool lsu_replay(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e);
/* Entries have entered behind the `had` that were there: moves them before the deferred ones. */
void lsu_insert_before_deferred(struct sm *sm, struct lsu_pipe *p, uint32_t had, cycles now);
/* Moves the deferred entries to the front, since what they lack may be there now. */
void lsu_retry_deferred(struct lsu_pipe *p);

#endif
