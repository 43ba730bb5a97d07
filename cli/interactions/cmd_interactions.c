/* cli/interactions/cmd_interactions.c -- lockstep interactions: which mechanisms help or fight each other. */
#include "cli/command.h"
#include "cli/interactions/heat.h"
#include "cli/interactions/origin.h"
#include "cli/interactions/print.h"
#include "cli/machine.h"
#include "cli/sweep_command.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"

#define DRAWS 2000 /* of the bootstrap */
#define MOST  20   /* interactions that are printed */

struct interactions_options {
	const char *database, *jobs, *engine, *engine_options, *sweep, *csv, *heat;
	struct option_list values, whys;
	bool all, quiet;
};

static const struct option interactions_option_table[] = {
	OPTION_TEXT(struct interactions_options, database, 'o', "output", "FILE",
		"result database of the sweep (default: NAME.db)"),
	OPTION_TEXT(struct interactions_options, jobs, 'j', "jobs", "N",
		"run N jobs at a time, as in lockstep sweep"),
	OPTION_TEXT(
		struct interactions_options, engine, 0, "engine", "NAME", "where jobs run: local or slurm"),
	OPTION_TEXT(struct interactions_options, engine_options, 0, "engine-options", "WORDS",
		"options for the batch system"),
	OPTION_TEXT(struct interactions_options, sweep, 0, "sweep", "NAME",
		"name of the sweep, if the database has several"),
	OPTION_LIST(struct interactions_options, values, 0, "value", "NAME",
		"study this statistic or derived value (ratios; more is better) instead of those of the\n"
		"section 'interactions'; may be repeated"),
	OPTION_LIST(struct interactions_options, whys, 0, "why", "FACTOR=LEVEL,FACTOR=LEVEL",
		"where the interaction of these two comes from: misses, traffic, issue slots with\n"
		"neither, one, and both; may be repeated"),
	OPTION_TEXT(struct interactions_options, csv, 0, "csv", "FILE",
		"all effects, with the value of each workload, as CSV (several values: FILE is a\n"
		"folder)"),
	OPTION_TEXT(struct interactions_options, heat, 0, "heat", "FILE",
		"heat map of the interactions as SVG, drawn by gnuplot (several values: FILE is a\n"
		"folder)"),
	OPTION_FLAG(
		struct interactions_options, all, 'a', "all", "print all interactions, not only the largest"),
	OPTION_FLAG(struct interactions_options, quiet, 'q', "quiet", "print no progress on the terminal"),
	OPTION_END
};

struct totals {
	size_t effects, beyond;
};

/* FILE, or FILE/NAME.SUFFIX if there are several values; malloc'ed. */
static char *table_path(const char *path, const struct study_table *t, bool is_folder, const char *suffix)
{
	char *file = NULL;

	if (!is_folder)
		return xstrdup(path);
	if (asprintf(&file, "%s/%s.%s", path, t->response->name, suffix) < 0)
		bug("out of memory");
	return file;
}

static bool write_table_csv(
	const struct study_table *t, const struct effects *e, const char *path, struct diag_list *diags)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool fine;

	bug_if(!to, "out of memory");
	print_effects_csv(t, e, to);
	fclose(to);
	fine = file_replace(path, text, size, diags);
	free(text);
	return fine;
}

static bool write_table_files(const struct study_table *t, const struct effects *e,
	const struct interactions_options *o, bool is_folder, struct diag_list *diags)
{
	char *csv = o->csv ? table_path(o->csv, t, is_folder, "csv") : NULL;
	char *heat = o->heat ? table_path(o->heat, t, is_folder, "svg") : NULL;
	bool fine = true;

	if (csv)
		fine = (!is_folder || folder_make(o->csv, diags)) && write_table_csv(t, e, csv, diags);
	if (fine && heat)
		fine = (!is_folder || folder_make(o->heat, diags)) && draw_heat(t, e, heat, diags);
	free(csv);
	free(heat);
	return fine;
}

static bool study(struct report_data *d, const struct study_section *section, const struct study_response *r,
	const struct interactions_options *o, struct totals *totals, struct diag_list *diags)
{
	struct study_table *t = study_table_make(d, section, r, diags);
	struct effects *e = t ? effects_find(&t->study, DRAWS, 1) : NULL;
	bool fine = e != NULL;

	if (t && !e)
		diag_error(diags, NULL,
			"%s: the points with a value cannot tell main effects and interactions apart in two "
			"workloads",
			r->name);
	if (e) {
		print_study(t, e, stdout);
		print_effects(t, e, o->all ? 0 : MOST, stdout);
		print_classes(t, e, stdout);
		print_best(t, stdout);
		totals->effects += e->count;
		totals->beyond += count_beyond(e);
	}
	for (size_t i = 0; i < o->whys.count && fine; i++)
		fine = print_origin(t, o->whys.items[i], stdout, diags);
	fine = fine && write_table_files(t, e, o, section->response_count > 1, diags);
	effects_free(e);
	return fine;
}

static void take_values(struct report_data *d, struct study_section *s, const struct option_list *values)
{
	if (!values->count)
		return;
	s->response_count = values->count;
	s->responses = keep_alloc(&d->keeper, values->count * sizeof(*s->responses));
	for (size_t i = 0; i < values->count; i++)
		s->responses[i] = (struct study_response){ .name = values->items[i] };
}

static bool analyse_database(
	const struct interactions_options *o, const char *database, struct diag_list *diags)
{
	struct store *store = store_open(database, STORE_READ, diags);
	struct report_data *d = store ? report_data_load(store, o->sweep, diags) : NULL;
	struct study_section section;
	struct totals totals = { 0, 0 };
	bool fine = d && study_section_read(d, &section, diags);

	if (fine)
		take_values(d, &section, &o->values);
	for (size_t i = 0; fine && i < section.response_count; i++)
		fine = study(d, &section, &section.responses[i], o, &totals, diags);
	if (fine)
		printf("\ninteractions: %zu points, %zu effects, %zu of them beyond their interval\n",
			d->done, totals.effects, totals.beyond);
	report_data_free(d);
	store_close(store);
	return fine;
}

static bool is_database(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && strcmp(path + n - 3, ".db") == 0;
}

static int run_interactions_command(
	const struct command *self, const void *object, char **operands, size_t count)
{
	const struct interactions_options *o = object;
	char *database = NULL;
	struct diag_list diags;
	int status = STATUS_FINE;
	bool fine;

	if (is_database(operands[0]))
		database = xstrdup(operands[0]);
	else
		status = sweep_command_run(&(struct sweep_command){ .database = o->database,
						   .jobs = o->jobs,
						   .engine = o->engine,
						   .engine_options = o->engine_options,
						   .quiet = o->quiet },
			operands[0], &database);
	if (status != STATUS_FINE) {
		free(database);
		return status;
	}
	diag_init(&diags);
	fine = analyse_database(o, database, &diags);
	free(database);
	if (!fine)
		return failed(&diags);
	diag_fini(&diags);
	return STATUS_FINE;
}

const struct command command_interactions = {
	.name = "interactions",
	.operands = "STUDY.yaml | DATABASE.db",
	.summary = "which mechanisms help or fight each other: effects of a factorial sweep",
	.details = "Runs what is missing of a sweep file (docs/user/interactions.md) and tells apart, for "
		   "each value that its section\n"
		   "'interactions' names, what each level does (main effects) and what two levels do "
		   "together beyond that, with intervals over the workloads; the best combinations; with "
		   "--why the causes of a pair.\n"
		   "\n"
		   "  lockstep interactions sweeps/interactions-tiny.yaml\n"
		   "  lockstep interactions interactions-tiny.db --why scheduler=gto,l1=mrpb\n",
	.options = interactions_option_table,
	.size = sizeof(struct interactions_options),
	.least = 1,
	.most = 1,
	.run = run_interactions_command,
};
