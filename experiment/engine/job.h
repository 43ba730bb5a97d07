/* experiment/engine/job.h -- one job of a sweep: a folder that says what to run, and what came of it.
 *
 *   WORK/<hash>/job        what to run: limits and the words of the command, one a line (written by the
 * sweep) WORK/<hash>/lock       held (flock) by the `lockstep job` that runs it: never two at once
 *   WORK/<hash>/log.txt    what the program printed
 *   WORK/<hash>/out/       the output folder of `lockstep run`
 *   WORK/<hash>/branch     the machine, for a job that is a branch of another one (host/branch)
 *   WORK/<hash>/result     how it ended; appears whole or not at all (rename)
 *
 * `lockstep job WORK/<hash>` is idempotent: where there is a result of a job that ended well it does nothing;
 * else it begins from nothing. So a batch system may run it again at will. */
#ifndef EXPERIMENT_ENGINE_JOB_H
#define EXPERIMENT_ENGINE_JOB_H

#include "sim/base/diag.h"

enum job_outcome {
	JOB_DONE,    /* it ended with status 0: its statistics count */
	JOB_FAILED,  /* by its own doing: another status, a crash; it would again */
	JOB_TIMEOUT, /* stopped: its limit of time */
	JOB_MEMORY,  /* stopped: its limit of memory */
	JOB_KILLED,  /* by somebody else's signal */
	JOB_LOST,    /* it vanished without a result: its `lockstep job` was killed, or the machine */
	JOB_OUTCOMES
};
extern const char *const job_outcome_names[JOB_OUTCOMES];

struct job_limits {
	uint32_t seconds, mebibytes; /* of the host; 0: none */
};

struct job_result {
	enum job_outcome outcome;
	int status;        /* exit status, or 128 + signal */
	double seconds;    /* of the host, from start to end */
	uint64_t peak_kib; /* most memory of the host, resident */
	long long started; /* seconds since 1970 */
	char host[64];
	char message[512]; /* one line; empty if done */
};

/* Makes the folder (parents too) with its `job` file; arguments: the command's words, NULL-terminated,
 * without newlines. branches: NULL, or the names, NULL-terminated, of jobs in folders beside it that branch
 * off from this one (--branch NAME:@FILE) and get their results from it. The result of an earlier attempt is
 * removed unless it ended well. JOB_RUNS_NOW: another process runs it, and nothing is changed. JOB_CANNOT,
 * with diagnostics: it cannot be written. */
enum job_ready { JOB_READY, JOB_RUNS_NOW, JOB_CANNOT };
enum job_ready job_prepare(const char *folder, char *const *arguments, const char *const *branches,
	struct job_limits limits, struct diag_list *diags);
/* Runs it and writes the result. Returns the exit status of `lockstep job`: 0 done (or done before), 1 not, 2
 * no such job, JOB_BUSY another process runs it now. */
enum { JOB_BUSY = 75 };
int job_run(const char *folder);
/* false: there is no result (*result is then JOB_LOST without message). */
bool job_result_read(const char *folder, struct job_result *result);
/* Removes the folder with all that is in it. */
void job_remove(const char *folder);

#endif
