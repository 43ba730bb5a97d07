/* experiment/report/figure/figure.h -- figures of a report: what is asked for, and the kinds that there are.
 *
 * A kind is one file figure_<kind>.c that ends in its struct figure_kind, and one line in figure.def. */
#ifndef EXPERIMENT_REPORT_FIGURE_FIGURE_H
#define EXPERIMENT_REPORT_FIGURE_FIGURE_H

#include "experiment/report/claims.h"
#include "experiment/report/figure/canvas.h"
#include "experiment/report/figure/verdict.h"
#include "experiment/report/table.h"
#include "experiment/report/value.h"

/* What a figure shows. */
struct figure_spec {
	const struct figure_kind *kind;
	const char *name;    /* of its files and its anchor */
	const char *title;   /* NULL: made from the values */
	const char **values; /* names, NULL behind them */
	bool normalise;
	enum report_mean mean;  /* MEANS: as the value says */
	double from;            /* where the axis of bars begins; NAN: at 0 */
	size_t *rows, *columns; /* that it shows */
	size_t row_count, column_count;
	bool of_kernels;               /* its rows are kernels, not programs */
	const char *selection;         /* what of the sweep that is, for the caption; "" all */
	struct diag_location location; /* in the sweep file; file NULL: none */
	doc_node node;                 /* there; 0: none */
};

struct figure {
	const struct figure_spec *spec;
	struct report_data *data;
	const char *title, *caption; /* the kind's to set */
	const char *note;            /* that runs were cut, for the end of the caption; "" */
	struct canvas **panels;
	struct report_table **tables;
	size_t panel_count, table_count;
	struct printed_counts printed; /* of a figure of kind printed */
	struct report_claim *claims;   /* and its rows */
	size_t claim_count;
};

struct figure_kind {
	const char *name, *help;
	size_t least_values, most_values; /* most 0: any number */
	bool takes_patterns;              /* of statistics' names */
	bool needs_series;                /* values are of the table `series` */
	bool is_table;                    /* and nothing else: `lockstep report --print` shows it */
	bool has_rows;                    /* a key `rows`, with the values in it */
	/* Adds panels and tables, sets caption. false, with a diagnostic. */
	bool (*draw)(struct figure *figure, struct diag_list *diags);
};
extern const struct figure_kind *const figure_kinds[]; /* NULL behind them */
const struct figure_kind *figure_kind_named(const char *name);

void figure_add_panel(struct figure *figure, struct canvas *canvas);
void figure_add_table(struct figure *figure, struct report_table *table);

/* The figures that the sweep file asks for, or --value, or those that make sense; kept. false, with
 * diagnostics. */
struct figure_specs {
	struct figure_spec *items;
	size_t count;
};
bool figure_specs_read(struct report_data *data, const char *const *values, size_t value_count,
	struct figure_specs *specs, struct diag_list *diags);
/* Its rows are all kernels, or all programs. */
void figure_spec_rows(struct figure_spec *spec, const struct report_data *data, bool of_kernels);
/* A figure of the whole sweep, with a row for each program. */
struct figure_spec *figure_spec_add(
	struct figure_specs *specs, struct report_data *data, const struct figure_kind *kind);
void figure_specs_default(struct figure_specs *specs, struct report_data *data, struct diag_list *diags);

/* -- what kinds share (figure.c) -- */

/* A colour for each configuration: the levels of the last factor share the hue of those before it, if there
 * are 2 or 3. */
const char *figure_colour(const struct figure *figure, size_t column);
struct column_look {
	size_t hue, tint, tints; /* tint: of tints that share the hue */
};
struct column_look figure_look(const struct figure *figure, size_t column);
struct legend_entry *figure_legend(const struct figure *figure);
/* A bounded range of the rows that belong together: a suite, in spec->rows. */
struct row_group {
	const char *name;
	size_t first, count;
};
struct row_group *figure_suites(const struct figure *figure, size_t *count);
enum report_mean figure_mean_kind(const struct figure *figure, const struct report_value *value);
/* The means of spec->rows[first..], by column (of spec->columns), over those of them that complete[] marks.
 */
void figure_means(const struct figure *figure, enum report_mean kind, const double *cells, size_t first,
	size_t count, const bool *complete, double *means);
/* "IPC (instructions/cycle)", "speedup: base(gpu.cycles) / gpu.cycles" ... for captions and axes. */
const char *figure_axis(const struct figure *figure, const struct report_value *value);
const char *figure_value_text(const struct figure *figure, const struct report_value *value);
/* Whether any of the cells that the figure shows has a value: gnuplot warns of nothing to draw. */
bool figure_has_values(const struct figure *figure, const double *cells);
/* How far the first of labels that stand turned by 45 degrees under groups of that width, ending at their
 * middles, reach to the left of the first group. */
double figure_overhang(const char *label, size_t group, double width);
/* Which rows are not in the means, for captions, after "Means are ..."; "." if all are. */
const char *figure_incomplete_text(const struct figure *figure, const bool *complete, size_t completed);
/* The table of a value: rows down, columns across, means at its foot. */
struct report_table *figure_value_table(const struct figure *figure, const struct report_value *value);
/* What its rows are, for texts: "workload" or "kernel". */
const char *figure_row_word(const struct figure *figure);
/* The anchor of the first point of a row and a column; NULL if there is none. */
const char *figure_point_link(const struct figure *figure, size_t row, size_t column);
const char *figure_row_name(const struct figure *figure, size_t row); /* suite/name */

/* -- what the page says of the parts of a drawing (marks.c) -- */

/* "speedup 1.25", with all digits. */
const char *figure_exact(const struct figure *figure, const struct report_value *value, double number);
/* A field of the point of a row and a column of the data. value: what it shows, as figure_exact has it. */
void figure_point_field(const struct figure *figure, struct canvas *canvas, struct canvas_box box, size_t row,
	size_t column, const char *value);
/* Likewise of a mean; what: "geometric mean of polybench". */
void figure_mean_field(const struct figure *figure, struct canvas *canvas, struct canvas_box box,
	const char *what, size_t column, const char *value);

#endif
