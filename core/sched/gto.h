/* core/sched/gto.h -- what the scheduler gto does for each instruction, inlined where nearly all have it. */
#ifndef CORE_SCHED_GTO_H
#define CORE_SCHED_GTO_H

#include "core/sched/sched.h"

extern const struct sched_class sched_gto;

struct gto {
	struct sched base;
	uint32_t max_run;       /* parameter */
	uint64_t greedy_issues; /* statistic */
	uint32_t warp, run;     /* state: the greedy warp, and how often it has issued in a row */
};

static inline uint32_t gto_pick(struct sched *s, warp_mask ready)
{
	const struct gto *g = (struct gto *)s;
	bool may_stay = !g->max_run || g->run < g->max_run;

	if (g->run && may_stay && ready >> g->warp & 1)
		return g->warp;
	return sched_oldest_of(s, ready);
}

static inline void gto_issued(struct sched *s, uint32_t warp)
{
	struct gto *g = (struct gto *)s;

	if (g->run && warp == g->warp) {
		g->greedy_issues++;
		g->run++;
	} else {
		g->warp = warp;
		g->run = 1;
	}
}

/* The warp that the scheduler chooses, and that one has issued: as struct sched_class says. */
static inline uint32_t sched_pick(struct sched *s, warp_mask ready)
{
	return __builtin_expect(s->class == &sched_gto, 1) ? gto_pick(s, ready) : s->class->pick(s, ready);
}
static inline void sched_issued(struct sched *s, uint32_t warp)
{
	if (__builtin_expect(s->class == &sched_gto, 1))
		gto_issued(s, warp);
	else
		s->class->issued(s, warp);
}

#endif
