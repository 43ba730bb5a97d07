/* experiment/engine/job_internal.h -- jobs that are branches of another one: one process runs for all of them
 * up to a point, and leaves in its output folder one folder for each, which becomes that of the branch's job.
 */
#ifndef EXPERIMENT_ENGINE_JOB_INTERNAL_H
#define EXPERIMENT_ENGINE_JOB_INTERNAL_H

#include "experiment/engine/job.h"

struct job_branch {
	char *name, *folder;
	int lock; /* -1: another process has the job, or has had it */
};

struct job_branches {
	struct job_branch *items;
	size_t count;
};

/* job.c: the lock is held until the file (*to, -1: none) is closed. JOB_RUNS_NOW: another process has it;
 * JOB_CANNOT, with errno: it cannot be had at all. */
enum job_ready job_lock(const char *folder, int *to);
bool job_result_write(const char *folder, const struct job_result *result);

/* job_branches.c */
void job_branch_add(struct job_branches *branches, const char *name);
/* So that nobody else runs one of these jobs meanwhile. */
void job_branches_lock(struct job_branches *branches, const char *folder);
/* The process in that folder has ended: jobs whose branch ended well have a result. */
void job_branches_share(
	const struct job_branches *branches, const char *folder, const struct job_result *whole);
void job_branches_free(struct job_branches *branches);

#endif
