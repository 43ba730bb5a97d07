/* core/sanitize/mbarriers.c -- what mbarrier objects order: whoever arrives leaves there what its warp knows;
 * whoever finds a phase over takes all of it along, also what arrivals of later phases have left. In a
 * cluster others may have handed on what any warp of the CTA knew: then all of that is taken along. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"

struct mbarrier_shadow {
	struct mbarrier_shadow *next;
	addr address;
	uint32_t clocks[];
};

static struct mbarrier_shadow *object_at(struct cta_shadow *s, addr address)
{
	struct mbarrier_shadow *m = s->mbarriers;

	while (m && m->address != address)
		m = m->next;
	if (m)
		return m;
	m = xcalloc(1, sizeof(*m) + s->row * sizeof(*m->clocks));
	m->address = address;
	m->next = s->mbarriers;
	return s->mbarriers = m;
}

void mbarriers_arrived(const struct access *a)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta);
	uint32_t *own = clocks_of(s, a->warp->index);

	for (lane_mask m = a->mask; m; m &= m - 1)
		clock_join(object_at(s, a->address[__builtin_ctz(m)])->clocks, own, s->row);
	own[a->warp->index]++;
}

void mbarriers_passed(const struct access *a, lane_mask mask)
{
	struct cta_shadow *s = shadow_of(a->sanitizer, a->warp->cta);

	for (uint32_t i = 0; mask && a->warp->cta->cluster && i < s->warps; i++)
		clock_join(clocks_of(s, a->warp->index), clocks_of(s, i), s->row);
	for (lane_mask m = mask; m; m &= m - 1)
		clock_join(clocks_of(s, a->warp->index), object_at(s, a->address[__builtin_ctz(m)])->clocks,
			s->row);
}

void mbarriers_free(struct cta_shadow *s)
{
	while (s->mbarriers) {
		struct mbarrier_shadow *m = s->mbarriers;

		s->mbarriers = m->next;
		free(m);
	}
}
