/* cli/bench/bench_batch.c -- see bench_batch.h. */
#include "cli/bench/bench_batch.h"
#include "cli/command.h"
#include "cli/forward.h"
#include "cli/machine.h"
#include "experiment/process.h"
#include "sim/files/folder.h"
#include "sim/text/terminal.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

/* A limit of instructions goes with the sizes paper and repro, unless a sample of the whole is timed. Without
 * a configuration a workload has that of its chip. */
static bool start_job(struct bench_batch *b, struct bench_job *job)
{
	const struct workload *w = job->workload;
	size_t n = 0;
	char **arguments = xcalloc(b->machine_count + 20, sizeof(*arguments)), *log = NULL, *stats = NULL,
	     *timeline = NULL, limit[32];

	if (asprintf(&job->folder, "%s/%s", b->output, w->label) < 0 ||
		asprintf(&log, "%s/log.txt", job->folder) < 0 ||
		asprintf(&stats, "%s/stats.txt", job->folder) < 0)
		bug("out of memory");
	if (b->options->timeline && asprintf(&timeline, "%s/timeline.json.gz", job->folder) < 0)
		bug("out of memory");
	arguments[n++] = b->self;
	arguments[n++] = "run";
	if (w->chip && !b->options->machine.configs.count) {
		arguments[n++] = "-c";
		arguments[n++] = w->chip;
	}
	for (size_t i = 0; i < b->machine_count; i++)
		arguments[n++] = b->machine[i];
	if (workload_limit(w, b->size) && !b->options->functional && !b->is_sampled) {
		snprintf(limit, sizeof(limit), "%" PRIu64, workload_limit(w, b->size));
		arguments[n++] = "--max-run-instructions";
		arguments[n++] = limit;
	}
	if (*b->seed) {
		arguments[n++] = "--seed";
		arguments[n++] = b->seed;
	}
	if (timeline) {
		arguments[n++] = "--timeline";
		arguments[n++] = timeline;
	}
	arguments[n++] = "-o";
	arguments[n++] = job->folder;
	arguments[n++] = "--";
	arguments[n++] = w->path;
	arguments[n++] = "--size";
	arguments[n++] = (char *)b->size;
	if (*b->seed) {
		arguments[n++] = "--seed";
		arguments[n++] = b->seed;
	}
	job->process = -1;
	if (folder_make_all(job->folder)) {
		unlink(stats); /* of an earlier run */
		job->process = forward_start(arguments, log, b->timeout);
	}
	if (job->process < 0)
		fprintf(stderr, "lockstep bench: %s cannot be run into %s: %s\n", w->label, job->folder,
			strerror(errno));
	free(arguments);
	free(stats);
	free(log);
	free(timeline);
	return job->process > 0;
}

static void report_job(struct bench_batch *b, const struct bench_job *job)
{
	struct bench_row row;

	bench_row_read(&row, &b->columns, job->folder, job->status);
	bench_table_print(&b->table, &row, &b->columns, job->workload, stdout);
	bench_row_csv(&row, &b->columns, job->workload, b->size, b->csv);
	for (size_t i = 0; i < b->columns.count; i++)
		b->columns.found[i] |= row.values[i] != NULL;
	if (b->is_sampled)
		bench_sample_add(&b->sample, &row, job->workload);
	b->verified += row.verified;
	b->interrupted += row.interrupted;
	bench_row_fini(&row);
}

/* On a terminal, one line below the table that goes again: how many have ended, and what is under way. A row
 * waits for those before it, so that a long run would otherwise hide how far the others are. */
static void clear_progress(const struct bench_batch *b)
{
	if (b->is_live)
		fputs("\r\033[K", stderr);
}

static void show_progress(const struct bench_batch *b)
{
	int room = terminal_width(STDERR_FILENO) - 1;
	char line[512];
	size_t ended = 0, length;

	if (!b->is_live)
		return;
	for (size_t i = 0; i < b->started; i++)
		ended += b->jobs[i].has_ended;
	length = (size_t)snprintf(line, sizeof(line), "%zu of %zu have ended; under way:", ended, b->count);
	for (size_t i = 0; i < b->started && length < sizeof(line); i++)
		if (!b->jobs[i].has_ended)
			length += (size_t)snprintf(
				line + length, sizeof(line) - length, " %s", b->jobs[i].workload->label);
	fprintf(stderr, "\r\033[K%.*s", room > 0 ? room : 79, line);
	fflush(stderr);
}

/* Waits for the next of those under way to end. */
static void wait_for_one(struct bench_batch *b, size_t started)
{
	int status;
	pid_t ended = wait(&status);

	for (size_t i = 0; i < started && ended > 0; i++) {
		if (b->jobs[i].process != ended)
			continue;
		b->jobs[i].status = status;
		b->jobs[i].has_ended = true;
		forward_ended(ended);
	}
	bug_if(ended < 0 && errno != EINTR, "no run is under way: %s", strerror(errno));
}

/* Runs all, at_once at a time, and reports them in their order; after the user's interruption, those under
 * way. */
static bool run_batch(struct bench_batch *b)
{
	size_t under_way = 0, reported = 0;

	while (reported < (forward_signal() ? b->started : b->count)) {
		if (b->started < b->count && under_way < b->at_once && !forward_signal()) {
			if (!start_job(b, &b->jobs[b->started++]))
				return false;
			under_way++;
			continue;
		}
		show_progress(b);
		wait_for_one(b, b->started);
		clear_progress(b);
		under_way = 0;
		for (size_t i = reported; i < b->started; i++)
			under_way += !b->jobs[i].has_ended;
		while (reported < b->started && b->jobs[reported].has_ended)
			report_job(b, &b->jobs[reported++]);
	}
	return true;
}

/* The last line. */
static void print_count(const struct bench_batch *b)
{
	printf("%zu verified, %zu failed", b->verified, b->started - b->verified - b->interrupted);
	if (b->interrupted || b->started < b->count)
		printf(", %zu interrupted, %zu not run", b->interrupted, b->count - b->started);
	putchar('\n');
	if (b->is_sampled)
		bench_sample_print(&b->sample, stdout);
}

/* The options of 'lockstep run' that are the same for all. */
static void machine_arguments(struct bench_batch *b)
{
	const struct bench_options *o = b->options;
	char **to = xcalloc(2 * (o->machine.configs.count + o->machine.sets.count) + 4, sizeof(*to));

	b->machine = to;
	for (size_t i = 0; i < o->machine.configs.count; i++) {
		*to++ = "-c";
		*to++ = (char *)o->machine.configs.items[i];
	}
	for (size_t i = 0; i < o->machine.sets.count; i++) {
		*to++ = "--set";
		*to++ = (char *)o->machine.sets.items[i];
	}
	if (o->functional)
		*to++ = "--functional";
	if (o->threads) {
		*to++ = "--threads";
		*to++ = (char *)o->threads;
	}
	b->machine_count = (size_t)(to - b->machine);
}

static void fit_table(struct bench_batch *b)
{
	size_t longest = 0;

	for (size_t i = 0; i < b->count; i++) {
		size_t length = strlen(b->jobs[i].workload->label);

		longest = length > longest ? length : longest;
	}
	b->table = bench_table_fit(longest, terminal_width(STDOUT_FILENO), b->is_sampled);
}

int bench_batch_run(struct bench_batch *b)
{
	char *folder = xstrdup(b->output);
	struct diag_list diags;
	bool ran;

	diag_init(&diags);
	folder_make_all(folder);
	free(folder);
	b->csv = whole_file_open_in(b->output, "bench.csv", "w", &diags);
	if (!b->csv)
		return failed(&diags);
	machine_arguments(b);
	fit_table(b);
	bench_table_print_head(&b->table, stdout);
	bench_row_csv_head(&b->columns, b->csv);
	b->is_live = isatty(STDERR_FILENO);
	forward_begin();
	ran = run_batch(b);
	forward_end();
	ran &= whole_file_close(b->csv);
	for (size_t i = 0; i < b->columns.count && b->options->stats; i++)
		if (!b->columns.found[i])
			fprintf(stderr,
				"lockstep bench: --stats: no run has a statistic %s; 'lockstep list stats' "
				"shows them\n",
				b->columns.names[i]);
	print_count(b);
	free(b->machine);
	diag_fini(&diags);
	if (forward_signal())
		return 128 + forward_signal();
	return ran && b->verified == b->count ? STATUS_FINE : STATUS_FAILED;
}
