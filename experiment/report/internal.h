/* experiment/report/internal.h -- what the parts of a report share while it is made. */
#ifndef EXPERIMENT_REPORT_INTERNAL_H
#define EXPERIMENT_REPORT_INTERNAL_H

#include "experiment/report/report.h"
#include "experiment/report/figure/figure.h"

struct report {
	const struct report_options *options;
	const char *folder; /* inside the user's, for files until all are there */
	struct report_data *data;
	struct figure *figures;
	size_t figure_count;
	struct report_table **tables; /* all, those of the figures too */
	size_t table_count;
	struct report_table *means, *failures, *points; /* of them; NULL where there is nothing to say */
	const char **mean_names;                        /* the values of the means' columns */
	size_t mean_count;
	bool means_leave_out; /* workloads without a value somewhere */
	struct report_config *configs;
	size_t config_count;
	int interrupted;  /* the signal that has ended it; 0: none */
	const char **svg; /* of the panels, in the order of the figures */
};

/* A configuration, and what sets it apart from that of the baseline (of the first point, if there is no
 * baseline). */
struct report_config {
	const char *hash, *anchor, *columns; /* columns: the configurations' names that have it */
	const char **differences;            /* "sm.scheduler.policy = gto (baseline: lrr)" */
	size_t count;
};

/* What a report says beside its figures (page/about.c). */
bool report_about(struct report *report, struct diag_list *diags);
void report_collect_configs(struct report *report, struct diag_list *diags); /* page/configs.c */
const struct report_config *report_config_of(const struct report *report, const char *hash);

/* Draws all panels: figures/NAME.svg and .png; false, with diagnostics: no gnuplot, one that complains, a
 * full disk (figure/gnuplot.c). */
bool report_draw(struct report *report, struct diag_list *diags);

/* A file of the folder, "figures/x.gp"; false, with a diagnostic, if it cannot be written whole. */
bool report_write(const struct report *report, const char *name, const char *text, struct diag_list *diags);

/* The page (html.c), a table of it (html_table.c), a figure in it (svg.c); NULL, with diagnostics: a database
 * that cannot be read. */
char *report_page(struct report *report, struct diag_list *diags);
/* The values of all points, as JSON for the page's script (values.c). false, with diagnostics. */
bool html_values(struct report *report, FILE *to, struct diag_list *diags);
void html_table(const struct report_table *table, struct keeper *keeper, const char *more_classes, FILE *to);
/* Inline: gnuplot's SVG of a canvas without what a page does not need, with the fields of the canvas; ids get
 * its name as a prefix. */
void html_svg(const char *svg, const struct canvas *canvas, FILE *to);

#endif
