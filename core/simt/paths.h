/* core/simt/paths.h -- the paths of a diverged warp: which runs, which are parked, and how they meet. */
#ifndef CORE_SIMT_PATHS_H
#define CORE_SIMT_PATHS_H

#include "core/simt/warp.h"

#define NO_PATH UINT32_MAX
/* The uppermost stack entry, other than the top, that is a path still to run: its lanes are in no entry above
 * it, whereas an entry that waits at a re-convergence point contains the lanes of the paths above it.
 * NO_PATH: there is none. */
uint32_t path_pending(const struct warp *w);
/* Parks the running path and runs that of entry `path` instead. Each entry knows where it ends, so a path may
 * lie anywhere above the entry that waits for it. When the parked path runs again, it executes its
 * instruction once more. */
void path_park(struct warp *w, uint8_t parked, uint32_t path);

/* Lanes of entry i that have reached its pc and wait there for the others. */
lane_mask path_waiting(const struct warp *w, uint32_t i);
/* Lanes that wait, or have yet to run, where nothing is left for them but to exit. */
lane_mask path_leaving(const struct warp *w);
/* The uppermost entry at which some of these lanes wait for others; NO_PATH if there is none. */
uint32_t path_held_back(const struct warp *w, lane_mask missing);
/* Entry i stops waiting: the lanes that have reached it become a path of their own, which runs, and meets the
 * others where the code behind i can next meet. The path that ran becomes the second entry from the top,
 * `parked`. */
void path_free(struct warp *w, uint32_t i, uint8_t parked);
/* Joins the running path with others at the same pc, in the same function, that the same entries wait for.
 */
void path_join(struct warp *w);

/* What became of a warp-level operation that names lanes which are elsewhere. */
enum path_members {
	MEMBERS_MET,     /* it has executed: the missing lanes have nothing left to do but to exit, or to
			    synchronise elsewhere */
	MEMBERS_AWAITED, /* the warp runs another path, and returns to the operation later */
	MEMBERS_MISSING  /* the fault is real */
};
/* To be called when executing u has set x->unmet. */
enum path_members path_await_members(
	struct warp *w, struct exec *x, const struct uop *u, lane_mask mask, exec_function execute);

#endif
