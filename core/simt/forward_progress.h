/* core/simt/forward_progress.h -- lanes of one warp that wait for each other (targets from sm_70 on). */
#ifndef CORE_SIMT_FORWARD_PROGRESS_H
#define CORE_SIMT_FORWARD_PROGRESS_H

#include "core/simt/warp.h"

/* A diverged warp has taken u, a branch that closes a loop with reads: if the loop spins, another path runs
 * next. */
void progress_pass(struct warp *w, const struct uop *u);
/* All lanes of the running path have left the loop that u closes. */
static inline void progress_leave(struct warp *w)
{
	if (w->spin.passes && w->spin.first == w->pc)
		w->spin.passes = w->spin.since = w->spin.depth = 0;
}
/* Another path of the warp runs next, if there is one or one can be made. */
void progress_give_way(struct warp *w);

#endif
