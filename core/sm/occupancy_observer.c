/* core/sm/occupancy_observer.c -- occupancy of an SM, over the cycles in which it has warps at all, as
 * profilers define it (achieved occupancy: CUDA Profiler User's Guide, achieved_occupancy). */
#include "core/sm/occupancy_observer.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

static const char *const lane_names[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13",
	"14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30",
	"31", "32", NULL };
_Static_assert(sizeof(lane_names) / sizeof(*lane_names) == WARP_SIZE + 1, "a name for each");

static double occupancy(const void *object)
{
	const struct occupancy_observer *p = object;

	return (double)p->warps / (double)p->warp_slots;
}

static const struct sim_stat occupancy_observer_stats[] = {
	SIM_COUNT(struct occupancy_observer, resident, "cycles", "cycles in which the SM had warps"),
	SIM_COUNT(
		struct occupancy_observer, slots, "slots", "issue slots in cycles in which the SM had warps"),
	SIM_COUNT(struct occupancy_observer, warps, "cycles",
		"cycles that warps were resident, added up over warps"),
	SIM_COUNT(struct occupancy_observer, warp_slots, "cycles",
		"warp slots in cycles in which the SM had warps, added up over cycles"),
	SIM_FORMULA("occupancy", occupancy, "ratio",
		"share of the warp slots that had a warp, in cycles in which the SM had warps"),
	SIM_VECTOR_PART(struct occupancy_observer, lanes, 1, "lanes", lane_names, "instructions",
		"warp instructions by the number of active lanes of their warp, before the instruction's "
		"guard"),
	SIM_STAT_END,
};

void occupancy_observer_new(struct sm *sm, struct stat_tree *stats)
{
	sm->spec.occupancy_observer = xcalloc(1, sizeof(*sm->spec.occupancy_observer));
	stat_register(stats, "observe.occupancy", sm->spec.number, occupancy_observer_stats,
		sm->spec.occupancy_observer, sizeof(*sm->spec.occupancy_observer));
}

void occupancy_observer_free(struct occupancy_observer *p)
{
	free(p);
}

void occupancy_observer_sync_stats(struct sm *sm, cycles until)
{
	struct occupancy_observer *p = sm->spec.occupancy_observer;
	cycles passed;

	if (!p)
		return;
	if (sm->state.present && until > p->since) {
		passed = until - p->since;
		p->resident += passed;
		p->slots += passed * sm->spec.config->schedulers;
		p->warps += passed * (uint64_t)__builtin_popcountll(sm->state.present);
		p->warp_slots += passed * sm->spec.config->max_warps;
	}
	if (until > p->since)
		p->since = until;
}
