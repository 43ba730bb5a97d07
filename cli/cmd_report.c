/* cli/cmd_report.c -- lockstep report: a sweep's results as a page, figures and tables. */
#include "cli/command.h"
#include "cli/machine.h"
#include "experiment/report/report.h"

#define DEFAULT_FOLDER "lockstep-report"

struct report_command_options {
	const char *output, *sweep, *baseline;
	struct option_list values;
	bool no_png, print;
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
		"write no files: print the figures that are tables as text"),
	OPTION_END
};

static int run(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct report_command_options *o = object;
	struct report_options options = { .folder = o->output ? o->output : DEFAULT_FOLDER,
		.sweep = o->sweep,
		.baseline = o->baseline,
		.values = o->values.items,
		.value_count = o->values.count,
		.no_png = o->no_png,
		.print = o->print };
	struct report_summary made;
	struct diag_list diags;
	struct store *store;
	bool fine;

	diag_init(&diags);
	store = store_open(operands[0], STORE_READ, &diags);
	fine = store && report_make(store, &options, &made, &diags);
	store_close(store);
	if (!fine)
		return failed(&diags);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	if (!o->print)
		printf("%s/index.html: %zu points (%zu done, %zu failed, %zu not run), %zu figures, %zu "
		       "tables\n",
			options.folder, made.points, made.done, made.failed, made.open, made.figures,
			made.tables);
	return STATUS_FINE;
}

const struct command command_report = {
	.name = "report",
	.operands = "DATABASE",
	.summary = "make a page, figures and tables from a sweep's database",
	.details = "Reads the database of 'lockstep sweep', even of an unfinished sweep, and writes\n"
		   "  index.html                     one page that needs no other file: sortable tables, "
		   "figures,\n"
		   "                                 the origin of each number\n"
		   "  figures/NAME.svg .png .gp .dat each figure, and the files from which gnuplot draws it\n"
		   "  tables/NAME.csv .tex           each table, for programs and for LaTeX (booktabs)\n"
		   "\n"
		   "The section 'report' of the sweep file (docs/reports.md) selects the figures; without "
		   "one there are default figures.\n"
		   "\n"
		   "  lockstep report schedulers.db -o report\n"
		   "  lockstep report mrpb-overall.db --print\n"
		   "  lockstep report schedulers.db --value sm.l1d.miss_rate --baseline scheduler=gto\n",
	.options = report_option_table,
	.size = sizeof(struct report_command_options),
	.least = 1,
	.most = 1,
	.run = run,
};
