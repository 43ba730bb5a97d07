/* experiment/sweep/sweep_internal.h -- what the files of the loop share: jobs under way, and groups of jobs
 * that begin alike. */
#ifndef EXPERIMENT_SWEEP_SWEEP_INTERNAL_H
#define EXPERIMENT_SWEEP_SWEEP_INTERNAL_H

#include "experiment/sweep/progress.h"
#include "experiment/sweep/sweep.h"

enum stage { WAITING, UNDER_WAY, ENDED };

struct task {
	enum stage stage;
	uint32_t attempts; /* that were killed or stopped, in this call */
	double not_before;
	double since;  /* when it was submitted */
	size_t leader; /* of the group with which it runs (forks.c), itself or another job; NO_JOB: alone */
};

struct sweep {
	const struct sweep_plan *plan;
	const struct sweep_options *options;
	struct store *store;
	struct engine *engine;
	struct stored_job *stored; /* by job of the plan */
	struct task *tasks;
	size_t next, left; /* next: where the search for a waiting task begins; left: not ended */
	struct sweep_counts *counts;
	struct sweep_progress progress;
	struct sweep_watch *watch; /* NULL: nobody watches */
	struct diag_list *diags;
	bool failed; /* the sweep itself: diags say why */
};

/* sweep.c */
const char *sweep_name_of(const struct sweep *s, size_t job);
char *sweep_folder_of(const struct sweep *s, size_t job); /* malloc'ed */
/* The job waits to be submitted, so many seconds at least. */
void sweep_wait_again(struct sweep *s, size_t job, double delay);
/* Another sweep has stored how the job ended, and it is over. */
bool sweep_is_synced_elsewhere(struct sweep *s, size_t job);
/* Whether the job ended well under a sweep that was killed before it had stored its result, which is stored
 * now. */
bool sweep_has_result(struct sweep *s, size_t job);

/* forks.c: jobs that begin with the same launches without timing (gpu.warmup.kernels) are one process up to
 * there, and branches of it from there on (host/branch). */
/* Finds them among the jobs that wait. */
void forks_find(struct sweep *s);
/* Whether the job is submitted with another one. */
bool forks_follows(const struct sweep *s, size_t job);
/* The folders of a group; JOB_RUNS_NOW: of its first job, which waits. Of the others those that can go with
 * it are under way. */
enum job_ready forks_prepare(struct sweep *s, size_t leader);
/* The job has ended in another way than by collect: if it is the first of a group, the others run alone. */
void forks_release(struct sweep *s, size_t leader);
/* The group's process has ended: takes the results of the jobs that went with it; others run alone. false:
 * the first one, too. */
bool forks_collect(struct sweep *s, size_t leader, const struct job_result *result);

#endif
