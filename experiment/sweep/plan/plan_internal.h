/* experiment/sweep/plan/plan_internal.h -- what the files of the plan share while it is made. */
#ifndef EXPERIMENT_SWEEP_PLAN_INTERNAL_H
#define EXPERIMENT_SWEEP_PLAN_INTERNAL_H

#include "experiment/sweep/plan/plan.h"

struct planner {
	struct sweep_plan *plan;
	const struct sweep_file *file;
	struct diag_list *diags;
	/* by base, levels and seed; SIZE_MAX: not made yet, SIZE_MAX - 1: cannot be made */
	size_t *machine_of;
	bool *excluded; /* by point, before excluded points are removed */
};

/* plan_points.c: combinations of the factors' levels; seeds, 1 if the sweep gives none. */
size_t plan_combinations(const struct sweep_file *f);
size_t plan_seeds(const struct sweep_file *f);
/* The points, without those that are excluded. False, with diagnostics, if something is wrong. */
bool plan_make_points(struct planner *p);
/* plan_design.c: of the points that are not excluded those stay whose combination the design has chosen. */
void plan_apply_design(struct planner *p);

#endif
