/* core/simt/forward_progress.c -- forward progress among the lanes of one warp, for targets from sm_70 on.
 *
 * A warp runs one path until the path waits or meets the others. If the path waits in a loop for what
 * another lane of the warp has yet to write (the holder of a lock, a producer), that lane must get its
 * turn. Branches that close loops with reads are marked (frontend/analyse/loops.c). While the warp is
 * diverged, a path is considered to spin when
 *
 *   - it returns to such a branch with the same lanes and no register or predicate changed, so that only
 *     memory can end the loop; registers are kept at the 4th, 16th, 64th ... pass, and compared for a
 *     quarter as many passes;
 *   - or, in a loop with atomic, volatile, relaxed or acquire reads, after 4096 passes (counters, timeouts,
 *     back-off).
 *
 * `nanosleep` gives way at once. Then the path that has waited longest runs. Once each path has had its
 * turn, lanes that wait at a reconvergence point continue from there, alternately the innermost and the
 * outermost of them (path_free), because the holder of a lock has usually just left the loop. All of this
 * counts instructions, never time, so runs repeat. A loop that computes something changes a register in
 * each pass, and is not affected.
 *
 * Without timing a warp all of whose paths spin also gives way to other warps and CTAs, as soon as that is
 * found (core/functional/functional.c), whether it is diverged or not. */
#include "core/simt/forward_progress.h"
#include "core/kernel/kernel_run.h"
#include "core/simt/paths.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define FIRST_LOOK     4u
#define POLLS_AT_MOST  4096u
#define LOOKS_PER_PASS 4u /* one pass in so many is compared */

static void keep_state(struct warp *w, uint32_t pc)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	size_t registers = kernel_register_bytes(k), bytes = registers + kernel_predicate_bytes(k);
	struct spin *s = &w->spin;

	if (s->capacity < bytes) {
		s->state = xrealloc(s->state, bytes);
		s->capacity = (uint32_t)bytes;
	}
	memcpy(s->state, w->registers, registers);
	memcpy((uint8_t *)s->state + registers, w->predicates, kernel_predicate_bytes(k));
	s->since = s->passes;
	s->pc = pc;
	s->active = w->active;
}

static bool is_state_kept(const struct warp *w, uint32_t pc)
{
	const struct ptx_kernel *k = w->cta->run->kernel;
	const struct spin *s = &w->spin;
	size_t registers = kernel_register_bytes(k);

	return s->since && s->passes - s->since <= s->since / LOOKS_PER_PASS && s->pc == pc &&
		s->active == w->active && !memcmp(s->state, w->registers, registers) &&
		!memcmp((const uint8_t *)s->state + registers, w->predicates, kernel_predicate_bytes(k));
}

static bool is_power_of_four(uint32_t n)
{
	return !(n & (n - 1)) && n & UINT32_C(0x55555555);
}

void progress_pass(struct warp *w, const struct uop *u)
{
	struct spin *s = &w->spin;
	uint32_t pc = (uint32_t)(u - w->cta->run->uops);

	if (!s->passes++) {
		s->first = pc;
		s->depth = w->depth;
	}
	if (s->passes < FIRST_LOOK)
		return;
	if ((u->combine == LOOP_POLLS && s->passes >= POLLS_AT_MOST) || is_state_kept(w, pc))
		progress_give_way(w);
	else if (is_power_of_four(s->passes))
		keep_state(w, pc);
}

/* The other path that has waited longest for its turn: a path that runs is always brought to the top, so the
 * lowest. */
static uint32_t longest_pending(const struct warp *w, uint32_t *count)
{
	lane_mask above = w->active;
	uint32_t path = NO_PATH;

	*count = 0;
	for (uint32_t i = w->depth - 1; i-- > 0;) {
		const struct simt_entry *e = &w->stack[i];

		if (!e->parked && e->mask && !(e->mask & above)) {
			path = i;
			++*count;
		}
		above |= e->mask;
	}
	return path;
}

bool progress_has_other(const struct warp *w)
{
	uint32_t count;

	return w->active != w->live && longest_pending(w, &count) != NO_PATH;
}

/* An entry at which lanes wait for others, the uppermost or the lowest. */
static uint32_t find_waiting(const struct warp *w, bool lowest)
{
	uint32_t found = NO_PATH;

	for (uint32_t i = w->depth - 1; i-- > 0;)
		if (path_waiting(w, i)) {
			found = i;
			if (!lowest)
				break;
		}
	return found;
}

/* Whether a path runs next that has not had its turn since all of them last spun. */
static bool choose_other(struct warp *w)
{
	struct spin *s = &w->spin;
	uint32_t count, pending, waiting;

	s->passes = s->since = s->depth = 0;
	path_join(w);
	pending = longest_pending(w, &count);
	waiting = s->turns < count ? NO_PATH : find_waiting(w, s->from_below);
	if (waiting != NO_PATH) {
		s->turns = 0;
		s->from_below = !s->from_below;
		path_free(w, waiting, 0);
		return true;
	}
	if (pending == NO_PATH)
		return false;
	s->turns++;
	path_park(w, 0, pending);
	return s->turns <= count;
}

void progress_give_way(struct warp *w)
{
	w->spin.is_found |= !choose_other(w) && w->spin.is_sought;
}
