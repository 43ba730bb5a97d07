/* experiment/sweep/plan/plan.h -- what a sweep file comes to: its points, and the jobs that they need.
 *
 * Several points may be one job (a level that changes nothing, a seed that a program does not use). A job is
 * known by the hash of all that its result depends on: program, PTX, input files, arguments, every parameter
 * of the machine, the simulator's build. */
#ifndef EXPERIMENT_SWEEP_PLAN_H
#define EXPERIMENT_SWEEP_PLAN_H

#include "experiment/sweep/file/machine.h"
#include "experiment/sweep/file/program.h"

struct plan_job {
	struct hash hash;
	size_t program, machine;
	char *seed;    /* what --seed gets; NULL: none */
	char *command; /* as a shell would read it */
};

#define NO_JOB SIZE_MAX /* of a point that is the best of others, until it is known which */

struct plan_point {
	size_t job, program, base;
	size_t *levels; /* one a factor */
	bool has_seed;
	uint32_t seed;
};

struct sweep_plan {
	const struct sweep_file *file;
	struct workload_list workloads;
	struct sweep_program *programs;
	size_t program_count;
	struct sweep_machine *machines;
	size_t machine_count;
	struct plan_job *jobs;
	size_t job_count;
	struct plan_point *points; /* by workload, size, base, levels (the last factor changes fastest), seed
				    */
	size_t point_count;
	struct hash build; /* of the simulator */
	char *self;        /* the lockstep program */
};

/* NULL, with diagnostics, if anything is wrong that can be known before the first job. The file must outlive
 * the plan. */
struct sweep_plan *sweep_plan_make(const struct sweep_file *file, struct diag_list *diags);
void sweep_plan_free(struct sweep_plan *plan);

/* The words of `lockstep run` for a job with its output in `output` (NULL: the default folder);
 * NULL-terminated, the list is the caller's to free, its words are not. */
char **plan_arguments(const struct sweep_plan *plan, const struct plan_job *job, const char *output);
/* A point's value of a factor, or of workload, size, base, seed. NULL: none of that name. buffer: for seeds.
 */
const char *plan_value(
	const struct sweep_plan *plan, const struct plan_point *point, const char *key, char buffer[16]);
/* What makes a point the best of others (docs/user/sweeps.md); NULL: it has a job of its own. */
const struct sweep_best *plan_best(const struct sweep_plan *plan, const struct plan_point *point);
/* The points that it chooses from, in their order; malloc'ed, one at least. */
size_t *plan_candidates(const struct sweep_plan *plan, size_t point, size_t *count);
/* Whether the point is in a rule's part of the space. */
bool plan_fits(const struct sweep_plan *plan, const struct plan_point *point, const struct sweep_rule *rule);

#endif
