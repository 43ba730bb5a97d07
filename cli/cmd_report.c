/* cli/cmd_report.c -- lockstep report: a sweep's results as a page, figures and tables. */
#include "cli/command.h"
#include "cli/machine.h"
#include "experiment/report/report.h"
#include "experiment/timeline/timeline_page.h"

#define DEFAULT_FOLDER "lockstep-report"

struct report_command_options {
	const char *output, *sweep, *baseline, *format, *figures;
	struct option_list values;
	bool no_png, print, timeline;
};

static const struct option report_option_table[] = {
	OPTION_TEXT(struct report_command_options, output, 'o', "output", "DIR",
		"folder for index.html, figures/ and tables/ (default: " DEFAULT_FOLDER ")"),
	OPTION_TEXT(struct report_command_options, sweep, 0, "sweep", "NAME",
		"name of the sweep, if the database has several"),
	OPTION_LIST(struct report_command_options, values, 0, "value", "NAME",
		"draw bars and a heat map of this statistic or derived value (with --baseline:\n"
		"divided by the baseline's) instead of the sweep file's figures; may be repeated"),
	OPTION_TEXT(struct report_command_options, baseline, 0, "baseline", "FACTOR=LEVEL,...",
		"compare with these levels instead of the sweep file's baseline"),
	OPTION_FLAG(struct report_command_options, no_png, 0, "no-png", "write figures only as SVG"),
	OPTION_FLAG(struct report_command_options, print, 'p', "print",
		"write no files: print the figures that are tables, and of the printed numbers\n"
		"how many agree; of several databases, if several are given"),
	OPTION_TEXT(struct report_command_options, format, 0, "format", "FORMAT",
		"of --print: text (default) or markdown"),
	OPTION_TEXT(struct report_command_options, figures, 0, "figures", "FILE",
		"take the section 'report' of this sweep file instead of the one in the database"),
	OPTION_FLAG(struct report_command_options, timeline, 0, "timeline",
		"make a page of the timeline of a run (lockstep run --timeline), or of two to compare,\n"
		"which are given in place of databases (docs/user/timeline.md)"),
	OPTION_END
};

/* How many printed numbers agree, in all databases together; docs/user/reports.md defines each count. */
static void print_printed_counts(const struct printed_counts *c)
{
	if (c->numbers || c->words)
		putchar('\n');
	if (c->words)
		printf("stated in words: %zu statements, %zu as stated, %zu not checked\n", c->words,
			c->words_as_stated, c->words_unchecked);
	if (c->numbers || c->words)
		printf("printed: %zu numbers, %zu in direction, %zu within 25 %% of the gain, %zu not "
		       "checked\n",
			c->numbers, c->in_direction, c->within, c->unchecked);
}

static bool report_one(const char *database, const struct report_options *options,
	struct report_summary *made, struct diag_list *diags)
{
	struct store *store = store_open(database, STORE_READ, diags);
	bool fine = store && report_make(store, options, made, diags);

	store_close(store);
	return fine;
}

static int make_reports(const struct report_options *options, char **databases, size_t count)
{
	struct printed_counts printed = { 0 };
	struct report_summary made = { 0 };
	struct diag_list diags;

	diag_init(&diags);
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar('\n');
		if (!report_one(databases[i], options, &made, &diags))
			return made.interrupted ? 128 + made.interrupted : failed(&diags);
		printed_counts_add(&printed, &made.printed);
	}
	diag_print(&diags, stderr);
	diag_fini(&diags);
	if (options->print)
		print_printed_counts(&printed);
	else
		printf("%s/index.html: %zu points (%zu done, %zu failed, %zu not run), %zu figures, %zu "
		       "tables\n",
			options->folder, made.points, made.done, made.failed, made.open, made.figures,
			made.tables);
	return STATUS_FINE;
}

static int make_timeline_page(const char *folder, char **files, size_t count)
{
	struct diag_list diags;
	size_t bytes;

	diag_init(&diags);
	if (!timeline_page_make(folder, files, count, &bytes, &diags))
		return failed(&diags);
	diag_fini(&diags);
	printf("%s/index.html: %zu KB\n", folder, (bytes + 1023) / 1024);
	return STATUS_FINE;
}

static int run_report_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct report_command_options *o = object;
	struct report_options options = { .folder = o->output ? o->output : DEFAULT_FOLDER,
		.sweep = o->sweep,
		.baseline = o->baseline,
		.values = o->values.items,
		.value_count = o->values.count,
		.figures = o->figures,
		.no_png = o->no_png,
		.print = o->print,
		.markdown = o->format && !strcmp(o->format, "markdown") };

	if (o->timeline &&
		(o->sweep || o->baseline || o->values.count || o->figures || o->print || o->format))
		return usage_error(self, "--timeline goes with -o alone");
	if (o->timeline && count > 2)
		return usage_error(self, "a page shows one timeline, or two");
	if (o->timeline)
		return make_timeline_page(options.folder, operands, count);
	if (o->format && !options.markdown && strcmp(o->format, "text") != 0)
		return usage_error(self, "--format: expected text or markdown, not '%s'", o->format);
	if (o->format && !o->print)
		return usage_error(self, "--format is for tables that are printed: --print");
	if (count > 1 && !o->print)
		return usage_error(self, "a page is of one database; --print takes several");
	if (count > 1 && o->figures)
		return usage_error(self, "--figures is for one database");
	return make_reports(&options, operands, count);
}

const struct command command_report = {
	.name = "report",
	.operands = "DATABASE|TIMELINE...",
	.summary = "make a page, figures and tables from a sweep's database",
	.details = "Reads the database of 'lockstep sweep', even of an unfinished sweep, and writes\n"
		   "  index.html                     one page that needs no other file: sortable tables, "
		   "figures,\n"
		   "                                 the origin of each number\n"
		   "  figures/NAME.svg .png .gp .dat each figure, and the files from which gnuplot draws "
		   "it\n"
		   "  tables/NAME.csv .tex           each table, for programs and for LaTeX (booktabs)\n"
		   "\n"
		   "The section 'report' of the sweep file (docs/user/reports.md) selects the figures; "
		   "without one there are default figures.\n"
		   "\n"
		   "  lockstep report schedulers.db -o report\n"
		   "  lockstep report mrpb-overall.db dwtcs.db --print\n"
		   "  lockstep report dwtcs.db --print --format markdown --figures sweeps/dwtcs.yaml\n"
		   "  lockstep report --timeline gemm.json.gz -o gemm\n"
		   "  lockstep report schedulers.db --value sm.l1d.miss_rate --baseline scheduler=gto\n",
	.options = report_option_table,
	.size = sizeof(struct report_command_options),
	.least = 1,
	.run = run_report_command,
};
