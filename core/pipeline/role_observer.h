/* core/pipeline/role_observer.h -- what warps do by their role, and how busy the units of asynchronous work
 * are: observe.roles.*. Kept only where the configuration asks for it (observe.roles).
 *
 * A warp's role follows from what it has issued itself: a producer bulk copies to shared memory, a consumer
 * matrix products, some warps both, others neither. Until it has issued its first, a warp's cycles are kept
 * apart, and go to its role when it ends or statistics are read.
 *
 * Issue slots (sm.issue_slots) have one cause for a scheduler and cycle; here each warp has one of its own in
 * each cycle, so that a producer that waits is seen beside consumers that issue. */
#ifndef CORE_PIPELINE_ROLE_OBSERVER_H
#define CORE_PIPELINE_ROLE_OBSERVER_H

#include "core/sm/sm.h"
#include "sim/stats/stat.h"

struct issue_entry;
struct role_observer;

/* From now on the observer of the SM counts; statistics under observe.roles with the SM's number. */
void role_observer_new(struct sm *sm, struct stat_tree *stats);
void role_observer_free(struct role_observer *observer);

/* Cycles before `until` that have not been counted go to what the warps are in; to be called before any of
 * them changes, and before the issue stage for its cycle, too. */
void role_observer_pass(struct sm *sm, cycles until);
/* The warp issues this instruction in cycle now. */
void role_observer_issued(
	struct sm *sm, uint32_t slot, const struct uop *u, const struct issue_entry *e, cycles now);
/* A warp ends in the slot, after role_observer_pass. */
void role_observer_ended(struct sm *sm, uint32_t slot);
/* Before statistics are read, when issue slots are up to date. NULL observers are skipped by all of these. */
void role_observer_sync_stats(struct sm *sm, cycles until);

#endif
