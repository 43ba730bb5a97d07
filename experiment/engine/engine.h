/* experiment/engine/engine.h -- where the jobs of a sweep run: the interface of the back ends.
 *
 * A job is a folder (experiment/engine/job.h) in which `lockstep job FOLDER` leaves a result; an engine sees
 * to it that this command runs somewhere, and says when it has ended. It knows nothing of databases and
 * statistics. A policy of this slot is one file that ends in its class, and one line in engine.def. */
#ifndef EXPERIMENT_ENGINE_ENGINE_H
#define EXPERIMENT_ENGINE_ENGINE_H

#include "experiment/engine/job.h"
#include "sim/base/diag.h"

struct engine_options {
	const char *self; /* the lockstep program, absolute */
	const char *work; /* folder of the job folders, absolute; an engine may keep files of its own in it,
			     names with a leading dot */
	uint32_t at_once; /* the most jobs at a time */
	uint32_t seconds; /* limits of a job, to be asked for where a batch system wants them; 0: none.
			     `lockstep job` enforces them itself */
	uint32_t mebibytes;
	const char *arguments; /* --engine-options: words handed on to the batch system; NULL: none */
};

struct engine; /* each has its own; begins with what it likes */

struct engine_class {
	const char *name, *help;
	/* NULL, with diagnostics, if there is no such engine here (no sbatch, no controller that answers). */
	struct engine *(*open)(const struct engine_options *options, struct diag_list *diags);
	/* How many jobs may be submitted now. */
	size_t (*room)(struct engine *engine);
	/* Has count jobs run; jobs[i] names a job's folder in `work` and is kept by the engine as its name.
	 * false, with diagnostics: those from *submitted on are not under way. */
	bool (*submit)(struct engine *engine, const char *const *jobs, size_t count, size_t *submitted,
		struct diag_list *diags);
	/* Takes charge again of a job that an earlier sweep process submitted and that is still waiting or
	 * running: false if it is not. May be NULL: jobs die with the sweep. */
	bool (*reattach)(struct engine *engine, const char *job);
	/* Waits at most so long for jobs to end; stores their names, and returns their number, 0 to most. A
	 * job that ended is named once, whether it left a result or not. */
	size_t (*poll)(struct engine *engine, unsigned milliseconds, const char **ended, size_t most);
	/* What became of a job that poll named: fills *result from the job's folder, or, where there is none,
	 * says why (JOB_KILLED, JOB_TIMEOUT, JOB_MEMORY, JOB_LOST) with a message. */
	void (*collect)(struct engine *engine, const char *job, struct job_result *result);
	/* Ends all jobs under way and waits until they have ended. */
	void (*cancel)(struct engine *engine);
	void (*close)(struct engine *engine);
};

extern const struct engine_class *const engine_classes[]; /* NULL-terminated, in the order of engine.def */
/* NULL if there is none of that name. */
const struct engine_class *engine_find(const char *name);

#endif
