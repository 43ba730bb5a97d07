/* core/simt/forward_progress.h -- lanes of one warp that wait for each other (targets from sm_70 on). */
#ifndef CORE_SIMT_FORWARD_PROGRESS_H
#define CORE_SIMT_FORWARD_PROGRESS_H

#include "core/simt/warp.h"

/* The warp has taken u, a branch that closes a loop with reads. */
void progress_pass(struct warp *w, const struct uop *u);
/* The warp has taken the branch u. If that closes a loop with reads which spins, another path runs next; if
 * there is none, and this is sought (struct spin), the warp is found to spin. */
static inline void progress_taken(struct warp *w, const struct uop *u)
{
	if (u->combine != LOOP_NONE && (w->active != w->live || w->spin.is_sought))
		progress_pass(w, u);
}
/* All lanes of the running path have left the loop that u closes. */
static inline void progress_leave(struct warp *w)
{
	if (w->spin.passes && w->spin.first == w->pc)
		w->spin.passes = w->spin.since = w->spin.depth = 0;
}
/* Another path of the warp runs next, if there is one or one can be made; if all of them have had their
 * turns, the warp is found to spin where that is sought. */
void progress_give_way(struct warp *w);
/* Whether another path of the warp could run now. */
bool progress_has_other(const struct warp *w);

#endif
