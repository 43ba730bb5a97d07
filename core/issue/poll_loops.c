/* core/issue/poll_loops.c -- loops in which warps wait for a phase: see poll_loops.h. */
#include "core/issue/poll_loops.h"
#include "core/issue/issue_table.h"
#include "core/kernel/kernel_run.h"
#include "sim/base/xalloc.h"

/* With more, the question is one of the things that the loop does. */
#define LOOP_LONGEST 24

/* The branch that closes the loop around the question at `test`; 0: none does. */
static uint32_t closing_branch(const struct ptx_kernel *k, uint32_t test)
{
	for (uint32_t i = test + 1; i < k->uop_count && i < test + LOOP_LONGEST; i++) {
		const struct uop *u = &k->uops[i];

		if (u->code == UOP_BRA && u->target <= test)
			return i - u->target < LOOP_LONGEST ? i : 0;
	}
	return 0;
}

bool *poll_loops_new(const struct ptx_kernel *k)
{
	bool *polls = NULL;

	for (uint32_t test = 0; test < k->uop_count; test++) {
		uint32_t last = k->uops[test].code == UOP_MBARRIER_TEST ? closing_branch(k, test) : 0;

		if (!last)
			continue;
		polls = polls ? polls : xcalloc(k->uop_count, sizeof(*polls));
		for (uint32_t i = k->uops[last].target; i <= last; i++)
			polls[i] = true;
	}
	return polls;
}

warp_mask poll_loops_waiting(const struct sm *sm, warp_mask warps)
{
	warp_mask waiting = 0;

	for (warp_mask m = warps & ~sm->state.ready; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		const struct warp *w = &sm->state.warps[slot];

		if (w->state != WARP_EXITED && sm->state.timing[slot].run->issue->polls[w->pc])
			waiting |= m & -m;
	}
	return waiting;
}
