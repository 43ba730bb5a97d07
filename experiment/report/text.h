/* experiment/report/text.h -- texts of a report: kept until its end, measured, escaped for where they go. */
#ifndef EXPERIMENT_REPORT_TEXT_H
#define EXPERIMENT_REPORT_TEXT_H

#include "sim/base/types.h"
#include <stdio.h>

/* Memory that lives as long as the report. */
struct keeper {
	void **items;
	size_t count;
};
/* Zeroed. */
void *keep_alloc(struct keeper *keeper, size_t size);
char *keep_copy(struct keeper *keeper, const char *text);
char *keep_print(struct keeper *keeper, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes over what was malloc'ed. */
void *keep(struct keeper *keeper, void *memory);
void keeper_fini(struct keeper *keeper);

/* A text that grows. Its text is NUL-terminated after text_done, which hands it to the keeper. */
struct text {
	FILE *stream;
	char *memory;
	size_t size;
};
void text_init(struct text *text);
char *text_done(struct text *text, struct keeper *keeper);

/* Pixels that a line of text takes at so many pixels a letter's height, in DejaVu Sans, the widest of the
 * usual fonts without serifs: with any other it takes no more. Letters beyond ASCII count as wide ones. */
double text_width(const char *text, double size);
/* Bytes of the character at text, which has at least one; 0: none that XML has (not UTF-8, or a control
 * character other than the end of a line and the tab). */
size_t text_character(const char *text);
/* Cut so that it takes at most so many pixels, with an ellipsis. */
char *text_fit(struct keeper *keeper, const char *text, double size, double width);

/* Four significant digits for reading; "" if it is NAN. */
char *number_short(struct keeper *keeper, double value);
/* The shortest digits that read back as the same value, as the database has it; "" if it is NAN. */
char *number_exact(struct keeper *keeper, double value);

/* A text of a database may be anything: what is no character (text_character) becomes ?, for gnuplot a blank.
 */
void print_xml(FILE *to, const char *text); /* element content and attributes in double quotes */
void print_latex(FILE *to, const char *text);
void print_gnuplot(FILE *to, const char *text); /* in single quotes, with them */
void print_data(FILE *to, const char *text); /* in gnuplot's data: in double quotes, which become single ones
						in it */
void print_markdown(FILE *to, const char *text); /* in a cell of a table */
/* Letters, digits and - only: for file names and anchors. */
char *text_stem(struct keeper *keeper, const char *text);

#endif
