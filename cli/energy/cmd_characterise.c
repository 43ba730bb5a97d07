/* cli/energy/cmd_characterise.c -- lockstep energy characterise: each micro-benchmark in a process of its
 * own, so that none finds what another has left in the caches. */
#include "cli/energy/characterise.h"
#include "cli/command.h"
#include "cli/energy/design.h"
#include "cli/forward.h"
#include "core/energy/energy.h"
#include "core/gpu/gpu.h"
#include "experiment/csv_table.h"
#include "experiment/files.h"
#include "experiment/paths.h"
#include "experiment/process.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM            "energymicro"
#define DEFAULT_OUTPUT_CSV "activity.csv"
#define DEFAULT_MODEL      "gtx480"
#define DEFAULT_REPEAT     "4"
/* The exit status of the program: its device lacks what the kernel needs. */
enum { NOT_ON_THIS_MACHINE = 3 };

struct job {
	char *kernel, *folder;
	pid_t process;
	int status;
	bool has_ended;
};

struct characterisation {
	const struct characterise_options *options;
	const char *model_name;
	struct coefficients *model;
	char *self, *program, *folder; /* of the outputs of all runs */
	struct job *jobs;
	size_t count, started, at_once, rows, failed, left_out;
	double *most; /* of each coefficient in any row */
	char *text;   /* of activity.csv */
	size_t size;
	FILE *to;
};

/* -- the kernels -- */

static char *list_of(const struct characterisation *c)
{
	const char *arguments[] = { c->program, "--list", c->options->only ? "--only" : NULL,
		c->options->only, NULL };

	return process_output((char *const *)arguments);
}

/* The first word of each line. */
static void make_jobs(struct characterisation *c, char *list)
{
	char *line;

	while ((line = strsep(&list, "\n"))) {
		if (!*line)
			continue;
		line[strcspn(line, " ")] = 0;
		c->jobs = xrealloc(c->jobs, (c->count + 1) * sizeof(*c->jobs));
		c->jobs[c->count++] =
			(struct job){ .kernel = xstrdup(line), .folder = file_path(c->folder, line) };
	}
}

/* -- a run -- */

static bool start_run(struct characterisation *c, struct job *job, struct diag_list *diags)
{
	const struct machine_options *m = &c->options->machine;
	const char **arguments = xcalloc(2 * (m->configs.count + m->sets.count) + 16, sizeof(*arguments));
	char *log = file_path(job->folder, "log.txt");
	size_t n = 0;

	arguments[n++] = c->self;
	arguments[n++] = "run";
	for (size_t i = 0; i < m->configs.count; i++) {
		arguments[n++] = "-c";
		arguments[n++] = m->configs.items[i];
	}
	for (size_t i = 0; i < m->sets.count; i++) {
		arguments[n++] = "--set";
		arguments[n++] = m->sets.items[i];
	}
	arguments[n++] = "--energy";
	arguments[n++] = c->model_name;
	arguments[n++] = "--stats-launches"; /* energy.csv has a row for each launch then */
	arguments[n++] = "all";
	arguments[n++] = "-q";
	arguments[n++] = "-o";
	arguments[n++] = job->folder;
	arguments[n++] = "--";
	arguments[n++] = c->program;
	arguments[n++] = "--repeat";
	arguments[n++] = c->options->repeat ? c->options->repeat : DEFAULT_REPEAT;
	arguments[n++] = job->kernel;
	job->process = folder_make(job->folder, diags) ? forward_start((char *const *)arguments, log, 0) : -1;
	if (job->process < 0)
		diag_error(diags, NULL, "%s cannot be run: %s", c->program, strerror(errno));
	free(arguments);
	free(log);
	return job->process > 0;
}

static void wait_for_one(struct characterisation *c)
{
	int status;
	pid_t ended = wait(&status);

	bug_if(ended < 0 && errno != EINTR, "no run is under way: %s", strerror(errno));
	for (size_t i = 0; i < c->started && ended > 0; i++) {
		if (c->jobs[i].process != ended)
			continue;
		c->jobs[i].status = status;
		c->jobs[i].has_ended = true;
		forward_ended(ended);
	}
}

/* -- rows -- */

/* The first coefficient of a column; fits may read one column for several. */
static bool has_column(const struct coefficients *model, size_t coefficient)
{
	if (!model->items[coefficient].event)
		return false;
	for (size_t i = 0; i < coefficient; i++)
		if (model->items[i].event &&
			strcmp(model->items[i].column, model->items[coefficient].column) == 0)
			return false;
	return true;
}

static void put_csv_head(struct characterisation *c)
{
	fputs("kernel,cycles,seconds", c->to);
	for (size_t i = 0; i < c->model->count; i++)
		if (has_column(c->model, i))
			fprintf(c->to, ",%s", c->model->items[i].column);
	fputc('\n', c->to);
}

static void put_activity(
	struct characterisation *c, const struct csv_table *t, size_t row, struct diag_list *diags)
{
	for (size_t i = 0; i < c->model->count && !diags->errors; i++) {
		size_t column = has_column(c->model, i) ? csv_table_need(t, c->model->items[i].name, diags)
							: NO_COLUMN;
		double value;

		if (column == NO_COLUMN)
			continue;
		value = csv_table_number(t, row, column, diags);
		c->most[i] = value > c->most[i] ? value : c->most[i];
		fprintf(c->to, ",%s", t->rows[row].fields[column]);
	}
}

/* The last launch is the one that counts; those before have warmed the caches. */
static void put_row(struct characterisation *c, const struct job *job, struct diag_list *diags)
{
	char *path = file_path(job->folder, "energy.csv");
	struct csv_table *t = csv_table_read(path, NULL, diags);

	if (t) {
		size_t row = t->row_count - 1, at_cycles = csv_table_need(t, "cycles", diags),
		       at_seconds = csv_table_need(t, "seconds", diags);

		if (!diags->errors) {
			fprintf(c->to, "%s,%s,%s", job->kernel, t->rows[row].fields[at_cycles],
				t->rows[row].fields[at_seconds]);
			printf("%-24s %10s cycles\n", job->kernel, t->rows[row].fields[at_cycles]);
			c->rows++;
		}
		put_activity(c, t, row, diags);
		fputc('\n', c->to);
	}
	csv_table_free(t);
	free(path);
}

static void put_log(const struct job *job, struct diag_list *diags)
{
	char *path = file_path(job->folder, "log.txt"), *text;
	size_t size;

	fprintf(stderr, "%s failed:\n", job->kernel);
	if ((text = paths_read(path, &size, diags)))
		fputs(text, stderr);
	free(text);
	free(path);
}

static void report_run(struct characterisation *c, const struct job *job, struct diag_list *diags)
{
	if (WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0) {
		put_row(c, job, diags);
	} else if (WIFEXITED(job->status) && WEXITSTATUS(job->status) == NOT_ON_THIS_MACHINE) {
		printf("%-24s left out: the machine lacks its instructions\n", job->kernel);
		c->left_out++;
	} else if (!forward_signal()) {
		put_log(job, diags);
		c->failed++;
	}
	fflush(stdout);
	folder_remove(job->folder);
}

static void run_all(struct characterisation *c, struct diag_list *diags)
{
	size_t under_way = 0, reported = 0;

	while (reported < (forward_signal() || diags->errors ? c->started : c->count)) {
		if (c->started < c->count && under_way < c->at_once && !forward_signal() && !diags->errors) {
			if (start_run(c, &c->jobs[c->started], diags)) {
				c->started++;
				under_way++;
			}
			continue;
		}
		wait_for_one(c);
		under_way = 0;
		for (size_t i = reported; i < c->started; i++)
			under_way += !c->jobs[i].has_ended;
		while (reported < c->started && c->jobs[reported].has_ended)
			report_run(c, &c->jobs[reported++], diags);
	}
}

/* -- the command -- */

/* A wrong configuration or model is reported once, and not by each run. */
static void read_machine(struct characterisation *c, struct diag_list *diags)
{
	struct machine_options machine = c->options->machine;
	struct machine_config read;
	struct config *config;
	struct gpu *gpu = NULL;
	char *set;

	if (asprintf(&set, "energy.model=%s", c->model_name) < 0)
		bug("out of memory");
	machine.sets.items = xcalloc(machine.sets.count + 1, sizeof(*machine.sets.items));
	if (machine.sets.count)
		memcpy(machine.sets.items, c->options->machine.sets.items,
			machine.sets.count * sizeof(*machine.sets.items));
	machine.sets.items[machine.sets.count++] = set;
	config = machine_configure(&machine, &read, diags);
	if (config) {
		gpu = gpu_new(config, diags);
		machine_config_fini(&read);
		config_free(config);
	}
	if (gpu)
		c->model = coefficients_read(energy_model_path(gpu_energy(gpu)), diags);
	if (c->model)
		c->most = xcalloc(c->model->count + 1, sizeof(*c->most));
	gpu_free(gpu);
	free(machine.sets.items);
	free(set);
}

static bool prepare_jobs(struct characterisation *c, struct diag_list *diags)
{
	const char *temporary = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char *benchmarks = paths_benchmarks(), *list;
	uint64_t jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN), repeat;

	if (c->options->jobs && !number_parse(c->options->jobs, 1, 1000, &jobs))
		diag_error(diags, NULL, "--jobs %s: a number from 1 to 1000 was expected%s", c->options->jobs,
			number_hint(c->options->jobs));
	if (c->options->repeat && !number_parse(c->options->repeat, 1, 1000, &repeat))
		diag_error(diags, NULL, "--repeat %s: a number from 1 to 1000 was expected%s",
			c->options->repeat, number_hint(c->options->repeat));
	c->at_once = jobs ? (size_t)jobs : 1;
	c->self = realpath("/proc/self/exe", NULL);
	c->program = benchmarks ? file_path(benchmarks, PROGRAM) : NULL;
	free(benchmarks);
	if (!c->program || access(c->program, X_OK))
		diag_error(diags, NULL, "the micro-benchmarks are not where they should be: bench/" PROGRAM);
	if (asprintf(&c->folder, "%s/lockstep-characterise-XXXXXX", temporary) < 0)
		bug("out of memory");
	if (!diags->errors && !mkdtemp(c->folder))
		diag_error(diags, NULL, "no temporary folder in %s: %s", temporary, strerror(errno));
	if (diags->errors || !process_use_libcuda(diags))
		return false;
	list = list_of(c);
	if (list && c->options->list)
		fputs(list, stdout);
	else if (list)
		make_jobs(c, list);
	else
		diag_error(diags, NULL, "there are no kernels to run");
	free(list);
	return !diags->errors;
}

static void print_next_step(const struct characterisation *c, const char *output)
{
	size_t columns = 0, zeros = 0;

	for (size_t i = 0; i < c->model->count; i++) {
		columns += has_column(c->model, i);
		if (!has_column(c->model, i) || c->most[i] > 0)
			continue;
		printf("%s %s", zeros++ ? "" : "note: 0 in every row:", c->model->items[i].column);
	}
	if (zeros)
		putchar('\n');
	printf("%s: %zu kernels, %zu columns, %zu left out, %zu failed\n", output, c->rows, columns,
		c->left_out, c->failed);
}

static void write_rows(struct characterisation *c, const char *output, struct diag_list *diags)
{
	c->to = open_memstream(&c->text, &c->size);
	bug_if(!c->to, "out of memory");
	put_csv_head(c);
	forward_begin();
	run_all(c, diags);
	forward_end();
	fclose(c->to);
	if (!diags->errors && !forward_signal() && c->rows && file_replace(output, c->text, c->size, diags)) {
		struct csv_table *written = csv_table_read(output, NULL, diags);

		if (written)
			design_print(written, c->model, diags);
		csv_table_free(written);
		print_next_step(c, output);
	}
}

static void free_all(struct characterisation *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->jobs[i].kernel);
		free(c->jobs[i].folder);
	}
	if (c->folder)
		folder_remove(c->folder);
	coefficients_free(c->model);
	free(c->jobs);
	free(c->most);
	free(c->text);
	free(c->self);
	free(c->program);
	free(c->folder);
}

int characterise(const struct characterise_options *options, const char *output)
{
	struct characterisation c = { .options = options,
		.model_name = options->model ? options->model : DEFAULT_MODEL };
	struct diag_list diags;
	int status;

	diag_init(&diags);
	if (prepare_jobs(&c, &diags) && !options->list)
		read_machine(&c, &diags);
	if (c.model && !diags.errors)
		write_rows(&c, output ? output : DEFAULT_OUTPUT_CSV, &diags);
	status = diags.errors || c.failed ? refusal_status(&diags)
		: forward_signal()        ? 128 + forward_signal()
					  : STATUS_FINE;
	diag_print(&diags, stderr);
	diag_fini(&diags);
	free_all(&c);
	return status;
}
