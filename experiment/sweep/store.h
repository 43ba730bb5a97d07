/* experiment/sweep/store.h -- a sweep in the result database: its plan, results as they come, figures derived
 * from them. */
#ifndef EXPERIMENT_SWEEP_STORE_H
#define EXPERIMENT_SWEEP_STORE_H

#include "experiment/store.h"
#include "experiment/sweep/plan/plan.h"

enum stored_state { STORED_OPEN, STORED_DONE, STORED_FAILED, STORED_UNKNOWN };

struct stored_job {
	long long id;
	enum stored_state state;
};

/* Stores the plan in one transaction; a sweep of that name is replaced, its jobs' results stay. Returns the
 * sweep's id, 0 with diagnostics; jobs[] (one a job of the plan) is filled. retry: failed jobs are open
 * again. */
long long sweep_store_plan(struct store *store, const struct sweep_plan *plan, bool retry,
	struct stored_job *jobs, struct diag_list *diags);
/* The point that is the best of others (best.c): the job in its place until it is known which, 0 with
 * diagnostics. */
long long sweep_best_job(
	struct store *store, const struct sweep_plan *plan, size_t point, struct diag_list *diags);
/* Gives such points the jobs that are best, where all that they choose from are done. */
bool sweep_best_store(
	struct store *store, const struct sweep_plan *plan, long long sweep, struct diag_list *diags);
/* The hash of the job in its place. */
struct hash sweep_best_hash(const struct sweep_plan *plan, size_t point);

enum stored_state sweep_store_state(struct store *store, long long job, struct diag_list *diags);

/* Stores an attempt, and with JOB_DONE the statistics that `out` holds (the output folder of `lockstep run`),
 * in one transaction; state: what the job becomes. A job that is done already, by another sweep, stays as it
 * is. false, with diagnostics, if the database cannot be written. If the statistics cannot be read, or a
 * limit left all launches of a kernel without timing and the sweep file does not allow it
 * (may_leave_kernels), the job has failed, and result->message says why. */
bool sweep_store_result(struct store *store, long long job, const char *engine, struct job_result *result,
	const char *out, enum stored_state state, bool may_leave_kernels, struct diag_list *diags);
/* The first kernel of a job's results that a limit left so; NULL: none. malloc'ed. */
char *sweep_untimed_kernel(struct store *store, long long job, struct diag_list *diags);

/* Whether some machine of the plan counts a statistic (policies have some of their own); if not, what is
 * near. */
bool sweep_is_statistic(const struct sweep_plan *plan, const char *name, char *nearest, size_t size);

/* Formulas, and what levels are the best by, are checked: names of statistics against a machine of the plan,
 * the rest by SQLite. false, with diagnostics at their places. */
bool sweep_derived_check(const struct sweep_plan *plan, struct diag_list *diags);
/* Evaluates them for all points of the sweep whose statistics are there. */
bool sweep_derived_store(
	struct store *store, const struct sweep_plan *plan, long long sweep, struct diag_list *diags);

/* A line for each point: levels, state, derived values, all statistics. Replaces the file whole. */
bool sweep_csv_write(struct store *store, long long sweep, const char *path, struct diag_list *diags);

/* The view `facts`: what in the database does not depend on the host, as CSV; two that print the same hold
 * the same. */
bool sweep_facts_print(struct store *store, FILE *to, struct diag_list *diags);

#endif
