/* cli/run_results.c -- what the processes of a run have left, when its program has ended. */
#include "cli/run_results.h"
#include "host/session/run_record.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>

/* It may be one that the program has left behind. */
static bool goes_on(pid_t process)
{
	return !kill(process, 0) || errno == EPERM;
}

/* Returns false if the results are missing. */
static bool report_open(const struct run_record *r)
{
	char *path = run_path(r->kind, r->path, r->number);
	bool is_running = goes_on(r->process);

	if (is_running)
		fprintf(stderr, "lockstep: process %d goes on; its results will be in %s\n", (int)r->process,
			path);
	else if (r->kind == RUN_FOLDER)
		fprintf(stderr,
			"lockstep: the results in %s are missing: process %d ended before they were written; "
			"what it had written by then is in files NAME.part\n",
			path, (int)r->process);
	else
		fprintf(stderr, "lockstep: %s is missing: process %d ended before it was written\n", path,
			(int)r->process);
	free(path);
	return is_running;
}

static void report_places(const char *run, enum run_kind kind, unsigned count)
{
	struct run_record r;

	fprintf(stderr, "lockstep: %u processes of this run, each on a GPU of its own, have results:", count);
	for (unsigned i = 0, said = 0; run_record_read(run, i, &r); i++) {
		if (r.kind != kind)
			continue;
		char *path = run_path(r.kind, r.path, r.number);
		fprintf(stderr, "%s %s", said++ ? "," : "", path);
		free(path);
	}
	fputc('\n', stderr);
}

bool run_results_report(const char *run)
{
	unsigned counts[RUN_KINDS] = { 0 };
	struct run_record r;
	bool is_whole = true;

	for (unsigned i = 0; run && run_record_read(run, i, &r); i++) {
		counts[r.kind]++;
		if (r.state == RUN_OPEN)
			is_whole &= report_open(&r);
		is_whole &= r.state != RUN_BROKEN;
	}
	for (unsigned kind = 0; kind < RUN_KINDS; kind++)
		if (counts[kind] > 1)
			report_places(run, (enum run_kind)kind, counts[kind]);
	return is_whole;
}
