/* experiment/sweep/sweep.h -- runs the jobs of a sweep on an engine, and stores what they bring. */
#ifndef EXPERIMENT_SWEEP_SWEEP_H
#define EXPERIMENT_SWEEP_SWEEP_H

#include "experiment/engine/engine.h"
#include "experiment/sweep/store.h"

struct sweep_options {
	const char *database; /* path */
	const char *work;     /* folder of the job folders, absolute */
	const struct engine_class *engine;
	const char *engine_arguments; /* NULL: none */
	uint32_t at_once;
	const char *monitor;     /* port of a page to watch it (watch.h); NULL: none */
	bool retry, keep, quiet; /* run failed jobs again; keep the folders of done ones; no progress */
};

/* Jobs by how they stand. */
struct sweep_counts {
	size_t done, run_now, failed, open; /* run_now: of those done, in this call */
	bool begun;                         /* everything before the first job was fine */
	bool interrupted;                   /* by Ctrl-C or SIGTERM */
};

/* Runs what is not done yet. false, with diagnostics, if it had to stop (no database, no engine, full disk):
 * nothing that ended is lost, the next call goes on. Failed jobs are no reason to stop. */
bool sweep_run(const struct sweep_plan *plan, const struct sweep_options *options,
	struct sweep_counts *counts, struct diag_list *diags);

#endif
