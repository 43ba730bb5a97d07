/* core/sanitize/objects.c -- what objects in shared memory order: whoever arrives at an mbarrier leaves there
 * what its warp knows; whoever finds a phase over takes all of it along, also what arrivals of later phases
 * have left.
 *
 * Words that atomic, volatile or ordered accesses go to do so by fences (PTX ISA, "Release and Acquire
 * Patterns"): what a warp knew at its last fence it leaves where it writes, and what it has read it knows
 * behind its next fence. One that releases or acquires needs none. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define WORD 4 /* bytes */

/* The clocks at an address of a CTA's shared memory; NULL if there are none yet and none are to be made. */
static uint32_t *object_at(struct cta_shadow *s, addr address, bool is_made)
{
	uint32_t **o;

	if (!s->objects && is_made)
		s->objects = xcalloc(s->shared_bytes / WORD + 1, sizeof(*s->objects));
	o = s->objects ? &s->objects[address / WORD] : NULL;
	if (o && !*o && is_made)
		*o = xcalloc(s->row, sizeof(**o));
	return o ? *o : NULL;
}

void mbarriers_arrived(const struct access *a)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta),
			  *target = shadow_of(a->sanitizer, a->target);
	uint32_t *own = clocks_of(s, a->warp->index);

	for (lane_mask m = a->mask; m; m &= m - 1)
		clock_join(object_at(target, a->address[__builtin_ctz(m)], true), own, s->row);
	own[place_of_warp(s, a->warp)]++;
}

void mbarriers_passed(const struct access *a, lane_mask mask)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta);

	for (lane_mask m = mask; m; m &= m - 1)
		clock_join(clocks_of(s, a->warp->index), object_at(s, a->address[__builtin_ctz(m)], true),
			s->row);
}

void atomics_passed(const struct access *a)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta),
			  *target = shadow_of(a->sanitizer, a->target);
	uint32_t *own = clocks_of(s, a->warp->index), place = place_of_warp(s, a->warp);
	bool acquires = a->uop->target & ORDER_ACQUIRES, releases = a->uop->target & ORDER_RELEASES;
	const uint32_t *left = releases ? own : fenced_row(s, a->warp->index);
	bool leaves = a->writes && left[place];

	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t *o = object_at(target, a->address[__builtin_ctz(m)], leaves);

		if (o && a->reads)
			clock_join(acquires ? own : seen_row(s, a->warp->index), o, s->row);
		if (o && leaves)
			clock_join(o, left, s->row);
	}
	own[place] += releases;
}

void fence_passed(struct cta_shadow *s, const struct warp *w)
{
	uint32_t *own = clocks_of(s, w->index), *seen = seen_row(s, w->index);

	clock_join(own, seen, s->row);
	memset(seen, 0, s->row * sizeof(*seen));
	memcpy(fenced_row(s, w->index), own, s->row * sizeof(*own));
	own[place_of_warp(s, w)]++;
}

void objects_free(struct cta_shadow *s)
{
	for (uint32_t i = 0; s->objects && i <= s->shared_bytes / WORD; i++)
		free(s->objects[i]);
	free(s->objects);
}
