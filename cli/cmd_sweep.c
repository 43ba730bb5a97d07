/* cli/cmd_sweep.c -- lockstep sweep: hundreds of points, resumable, here or on a cluster. */
#include "cli/command.h"
#include "cli/machine.h"
#include "cli/sweep_command.h"
#include "experiment/files.h"
#include "experiment/report/report.h"
#include "experiment/sweep/sweep.h"
#include "experiment/workload.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <limits.h>
#include <unistd.h>

static const struct option sweep_option_table[] = {
	OPTION_TEXT(struct sweep_command, database, 'o', "output", "FILE",
		"result database (default: NAME.db; created if it does not exist)"),
	OPTION_TEXT(struct sweep_command, size, 0, "size", "SIZE",
		"run benchmarks at this size instead of the file's: also those that have a size or\n"
		"arguments of their own there, if the file's size is another one"),
	OPTION_TEXT(struct sweep_command, csv, 0, "csv", "FILE",
		"results as CSV, a line for each point (default: beside the database; \"\" writes no files)"),
	OPTION_TEXT(struct sweep_command, jobs, 'j', "jobs", "N",
		"run N jobs at a time (default: as many as the processors can run; slurm: 100)"),
	OPTION_TEXT(struct sweep_command, engine, 0, "engine", "NAME",
		"where jobs run: local or slurm (default: local)"),
	OPTION_TEXT(struct sweep_command, engine_options, 0, "engine-options", "WORDS",
		"options for the batch system, as in \"--partition=short --account=x\""),
	OPTION_TEXT(struct sweep_command, work, 0, "work", "DIR",
		"folder for the folders of jobs (default: NAME.work beside the database); for a\n"
		"cluster it must be on a shared file system"),
	OPTION_FLAG(struct sweep_command, retry, 0, "retry", "run failed jobs again"),
	OPTION_FLAG(struct sweep_command, keep, 0, "keep",
		"keep the folders of jobs that have succeeded, with all their files"),
	OPTION_FLAG(struct sweep_command, list, 'l', "list",
		"run nothing: list the points, their status, and why they failed"),
	OPTION_FLAG(struct sweep_command, dry, 'n', "dry-run", "run nothing: print the commands of the jobs"),
	OPTION_FLAG(struct sweep_command, facts, 0, "facts",
		"FILE is a result database: print everything in it that does not depend on the host,\n"
		"for comparisons"),
	OPTION_TEXT(struct sweep_command, monitor, 0, "monitor", "PORT",
		"show the sweep at work on a page at this port of the loopback address (0: any that is\n"
		"free), whose address is printed: jobs, time left, failed jobs and their logs"),
	OPTION_FLAG(struct sweep_command, quiet, 'q', "quiet", "print no progress on the terminal"),
	OPTION_END
};

static char *with_suffix(const char *path, const char *before, const char *after)
{
	size_t length = strlen(path), end = strlen(before);
	char *text = NULL;

	if (length > end && !strcmp(path + length - end, before))
		length -= end;
	if (asprintf(&text, "%.*s%s", (int)length, path, after) < 0)
		bug("out of memory");
	return text;
}

/* A path from the root on: a batch system starts its jobs elsewhere. */
static char *path_from_root(const char *path)
{
	char here[PATH_MAX];

	return *path == '/' || !getcwd(here, sizeof(here)) ? xstrdup(path) : file_path(here, path);
}

/* -- reports -- */

static void list_failures(const struct sweep_plan *plan, struct store *store, struct diag_list *diags)
{
	sqlite3_stmt *q = store_prepare(store, diags,
		"SELECT number, workload, size, base, levels, message, hash FROM overview WHERE sweep = ? "
		"AND state = 'failed' ORDER BY number",
		"t", plan->file->name);
	size_t n = 0;

	for (; q && sqlite3_step(q) == SQLITE_ROW; n++)
		if (n < 20)
			fprintf(stderr, "  failed: point %lld, %s %s, %s %s: %s (job %.8s)\n",
				(long long)sqlite3_column_int64(q, 0),
				(const char *)sqlite3_column_text(q, 1),
				(const char *)sqlite3_column_text(q, 2),
				(const char *)sqlite3_column_text(q, 3),
				sqlite3_column_text(q, 4) ? (const char *)sqlite3_column_text(q, 4) : "",
				(const char *)sqlite3_column_text(q, 5),
				(const char *)sqlite3_column_text(q, 6));
	if (n > 20)
		fprintf(stderr, "  and %zu more; --list lists them\n", n - 20);
	sqlite3_finalize(q);
}

static int list_points(const struct sweep_plan *plan, const char *database, struct diag_list *diags)
{
	struct store *store = access(database, F_OK) == 0 ? store_open(database, STORE_READ, diags) : NULL;
	char seed[16];

	if (diags->errors)
		return failed(diags);
	for (size_t i = 0; i < plan->point_count; i++) {
		const struct plan_point *p = &plan->points[i];
		struct hash best = p->job == NO_JOB ? sweep_best_hash(plan, i) : (struct hash){ "" };
		const char *hash = p->job == NO_JOB ? best.text : plan->jobs[p->job].hash.text;
		sqlite3_stmt *q = store ? store_prepare(store, diags,
						  "SELECT state, message FROM jobs WHERE hash = ?", "t", hash)
					: NULL;
		bool known = q && sqlite3_step(q) == SQLITE_ROW;

		printf("%zu  %-6s  %.8s  workload=%s size='%s' base=%s", i + 1,
			known ? (const char *)sqlite3_column_text(q, 0) : "open", hash,
			plan->programs[p->program].label, plan->programs[p->program].size,
			plan->file->bases.items[p->base]);
		for (size_t k = 0; k < plan->file->factor_count; k++)
			printf(" %s=%s", plan->file->factors[k].name,
				plan->file->factors[k].levels[p->levels[k]].name);
		if (p->has_seed)
			printf(" seed=%s", plan_value(plan, p, "seed", seed));
		if (known && *(const char *)sqlite3_column_text(q, 1))
			printf(": %s", (const char *)sqlite3_column_text(q, 1));
		putchar('\n');
		sqlite3_finalize(q);
	}
	printf("%zu points, %zu jobs\n", plan->point_count, plan->job_count);
	store_close(store);
	return diags->errors ? failed(diags) : STATUS_FINE;
}

static int print_commands(const struct sweep_plan *plan)
{
	for (size_t i = 0; i < plan->job_count; i++)
		printf("%s\n", plan->jobs[i].command);
	return STATUS_FINE;
}

/* -- running -- */

static bool write_sweep_csv(const struct sweep_plan *plan, const char *database, const char *path,
	struct sweep_counts *counts, struct diag_list *diags)
{
	struct store *store = store_open(database, STORE_READ, diags);
	long long sweep = store
		? store_number(store, diags, 0, "SELECT id FROM sweeps WHERE name = ?", "t", plan->file->name)
		: 0;
	bool fine = sweep && (!*path || sweep_csv_write(store, sweep, path, diags));

	if (sweep && counts->failed)
		list_failures(plan, store, diags);
	store_close(store);
	return fine;
}

static bool is_statistic(void *plan, const char *name, char *nearest, size_t size)
{
	return sweep_is_statistic(plan, name, nearest, size);
}

/* A wrong section `report` is noticed before hours of simulation: by a database in memory of points that have
 * not run. */
static bool report_is_fine(const struct sweep_plan *plan, struct diag_list *diags)
{
	struct report_before before = { is_statistic, (void *)plan };
	struct stored_job *jobs = xcalloc(plan->job_count, sizeof(*jobs));
	struct store *store = store_open(NULL, STORE_WRITE, diags);
	bool fine = store && sweep_store_plan(store, plan, false, jobs, diags) &&
		report_check(store, plan->file->name, &before, diags);

	store_close(store);
	free(jobs);
	return fine;
}

/* The points by how they stand, in the words of lockstep report. */
static void print_points(const struct sweep_plan *plan, const char *database)
{
	struct diag_list diags;
	struct store *store;
	long long done = 0, failed = 0;
	static const char count[] = "SELECT count(*) FROM overview WHERE sweep = ? AND state = ?";

	diag_init(&diags);
	store = store_open(database, STORE_READ, &diags);
	if (store) {
		done = store_number(store, &diags, 0, count, "tt", plan->file->name, "done");
		failed = store_number(store, &diags, 0, count, "tt", plan->file->name, "failed");
		printf("sweep: %zu points (%lld done, %lld failed, %lld not run) in %zu jobs\n",
			plan->point_count, done, failed, (long long)plan->point_count - done - failed,
			plan->job_count);
	}
	store_close(store);
	diag_fini(&diags);
}

static int run_sweep(const struct sweep_plan *plan, const struct sweep_options *options, const char *csv,
	struct diag_list *diags)
{
	struct sweep_counts counts;
	bool fine = sweep_run(plan, options, &counts, diags);

	fine = fine && write_sweep_csv(plan, options->database, csv, &counts, diags);
	diag_print(diags, stderr);
	if (fine && counts.failed)
		fprintf(stderr,
			"sweep: what failed left its log in %s/HASH*/log.txt; --retry runs it again\n",
			options->work);
	if (!counts.begun)
		return STATUS_FAILED;
	if (counts.open)
		fprintf(stderr, "sweep: %zu of %zu jobs are still to be done; the same command goes on\n",
			counts.open, plan->job_count);
	print_points(plan, options->database);
	printf("sweep: %zu done, %zu run now, %zu failed\n", counts.done, counts.run_now, counts.failed);
	if (counts.interrupted)
		return 130;
	return fine && !counts.failed && !counts.open ? STATUS_FINE : STATUS_FAILED;
}

static int read_engine(const struct command *self, const struct sweep_command *o, struct sweep_options *to)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t jobs = 0;

	to->engine = engine_find(o->engine ? o->engine : "local");
	if (!to->engine) {
		fprintf(stderr, "lockstep sweep: unknown engine %s; there are", o->engine);
		for (size_t i = 0; engine_classes[i]; i++)
			fprintf(stderr, "%s %s", i ? "," : "", engine_classes[i]->name);
		fprintf(stderr, "\nTry 'lockstep sweep --help'.\n");
		return STATUS_USAGE;
	}
	if (o->jobs && !number_parse(o->jobs, 1, 100000, &jobs))
		return usage_error(
			self, "--jobs %s: expected a number from 1%s", o->jobs, number_hint(o->jobs));
	to->at_once = jobs                          ? (uint32_t)jobs
		: strcmp(to->engine->name, "local") ? 100
		: processors > 1                    ? (uint32_t)processors
						    : 1;
	to->engine_arguments = o->engine_options;
	return STATUS_FINE;
}

static int with_plan(const struct sweep_command *o, const struct sweep_plan *plan,
	struct sweep_options *options, struct diag_list *diags)
{
	char *database = o->database ? xstrdup(o->database) : with_suffix(plan->file->name, "", ".db");
	char *csv = o->csv ? xstrdup(o->csv) : with_suffix(database, ".db", ".csv");
	char *folder = o->work ? xstrdup(o->work) : with_suffix(database, ".db", ".work"),
	     *work = path_from_root(folder);
	int status;

	options->database = database;
	options->work = work;
	options->retry = o->retry;
	options->keep = o->keep;
	options->quiet = o->quiet;
	options->monitor = o->monitor;
	if (o->list)
		status = list_points(plan, database, diags);
	else if (o->dry)
		status = print_commands(plan);
	else
		status = run_sweep(plan, options, csv, diags);
	free(work);
	free(folder);
	free(csv);
	free(database);
	return status;
}

static int print_facts(const char *path)
{
	struct diag_list diags;
	struct store *store;
	bool fine;

	diag_init(&diags);
	store = store_open(path, STORE_READ, &diags);
	fine = store && sweep_facts_print(store, stdout, &diags);
	store_close(store);
	if (!fine)
		return failed(&diags);
	diag_fini(&diags);
	return STATUS_FINE;
}

int sweep_command_run(const struct sweep_command *o, const char *path, char **database)
{
	struct sweep_options options = { 0 };
	struct sweep_file *file;
	struct sweep_plan *plan;
	struct diag_list diags;
	int status = read_engine(&command_sweep, o, &options);

	*database = NULL;
	if (status != STATUS_FINE)
		return status;
	if (o->database && !*o->database)
		return usage_error(&command_sweep, "-o needs the name of a file");
	if (o->size && !workload_is_preset(o->size))
		return usage_error(&command_sweep, "--size %s: expected " WORKLOAD_PRESET_LIST, o->size);
	diag_init(&diags);
	file = sweep_file_read(path, &diags);
	if (file && o->size)
		sweep_file_resize(file, o->size);
	plan = file ? sweep_plan_make(file, &diags) : NULL;
	if (file)
		*database = o->database ? xstrdup(o->database) : with_suffix(file->name, "", ".db");
	if (plan && sweep_derived_check(plan, &diags) && report_is_fine(plan, &diags))
		status = with_plan(o, plan, &options, &diags);
	else
		status = failed(&diags);
	sweep_plan_free(plan);
	sweep_file_free(file);
	diag_fini(&diags);
	return status;
}

static int run_sweep_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct sweep_command *o = object;
	char *database;
	int status;

	if (o->facts)
		return print_facts(operands[0]);
	status = sweep_command_run(o, operands[0], &database);
	free(database);
	return status;
}

const struct command command_sweep = {
	.name = "sweep",
	.operands = "FILE",
	.summary = "run the points of a sweep file, and keep the results in a database",
	.details = "FILE lists workloads, configurations and factors (docs/user/sweeps.md). Each point "
		   "of their product is a job: one command, identified by the hash of its program, PTX, "
		   "input, configuration and simulator. A job whose result is in the database is not run "
		   "again, so an interrupted sweep continues, and a sweep file that has grown runs only "
		   "what is new.\n"
		   "\n"
		   "  lockstep sweep schedulers.yaml\n"
		   "  lockstep report schedulers.db\n"
		   "\n"
		   "Exit status: 0 all jobs have succeeded; 1 some have failed or are left to do; 2 "
		   "wrong usage; 130 interrupted.\n",
	.options = sweep_option_table,
	.size = sizeof(struct sweep_command),
	.least = 1,
	.most = 1,
	.run = run_sweep_command,
};
