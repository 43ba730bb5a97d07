/* experiment/report/table.h -- a table of a report: on the page, as CSV and as LaTeX. */
#ifndef EXPERIMENT_REPORT_TABLE_H
#define EXPERIMENT_REPORT_TABLE_H

#include "experiment/report/text.h"

struct report_cell {
	const char *text; /* NULL: the number */
	double number;    /* NAN: none */
	const char *link; /* an anchor of the page, without #; NULL */
};

struct report_column_head {
	const char *text, *unit; /* unit: NULL or "" for none */
	bool is_text;            /* to the left */
	bool is_code, off_page;  /* a command; the same in all rows, so that the page says it once */
};

struct report_table {
	const char *name, *caption;
	struct report_column_head *heads;
	struct report_cell *cells; /* row by row */
	size_t columns, rows;
	size_t feet;     /* of the last rows: means, set apart and not sorted */
	bool pages_only; /* too wide for paper: no LaTeX */
};

struct report_table *table_new(struct keeper *keeper, const char *name, size_t columns, size_t rows);
void table_head(struct report_table *table, size_t column, const char *text, const char *unit, bool is_text);
void table_text(struct report_table *table, size_t row, size_t column, const char *text, const char *link);
void table_number(struct report_table *table, size_t row, size_t column, double number, const char *link);

/* Numbers with all their digits; units in brackets in the heading. */
void table_csv(const struct report_table *table, struct keeper *keeper, FILE *to);
/* tabular, or longtable when it is longer than a page, of booktabs; four digits. */
void table_latex(const struct report_table *table, struct keeper *keeper, FILE *to);

/* Columns in line, as on a terminal; four digits. */
void table_print(const struct report_table *table, struct keeper *keeper, FILE *to);
/* As a table of Markdown; four digits. */
void table_markdown(const struct report_table *table, struct keeper *keeper, FILE *to);

#endif
