/* experiment/report/figure/stacked.h -- classes as shares of their sum: what the parts of a stacked figure
 * share. */
#ifndef EXPERIMENT_REPORT_FIGURE_STACKED_H
#define EXPERIMENT_REPORT_FIGURE_STACKED_H

#include "experiment/report/figure/figure.h"

#define STACKED_LEFT 40.0 /* pixels for the axis */

struct class
{
	const char *label;
	const double **cells; /* of the values that it is the sum of */
	size_t count;
};

struct stacked {
	struct figure *figure;
	struct report_value **values;
	size_t value_count;
	struct class *classes;
	size_t class_count;
	const char *others; /* what "other" is, for the caption; "" */
	const char *zeros;  /* that are 0 everywhere */
	struct legend_entry *legend;
	struct row_group *suites;
	size_t suite_count;
};

size_t stacked_cell(const struct figure *figure, size_t row, size_t column); /* of the figure's rows and
										columns */
/* A class's share of the whole in a cell; NAN if the cell has no value, or all classes are 0. */
double stacked_share(const struct stacked *stacked, size_t class, size_t cell);

/* "issued 40.1 %, memory 59.9 %": the shares of a stack. */
const char *stacked_text(const struct stacked *stacked, const double *shares);

/* A line of data: where the stack stands, and the ends of its classes in percent. */
void stacked_write(FILE *to, double x, const double *shares, size_t count);
/* The commands that draw the stacks of a block of the data; half: of their width. */
void stacked_plot_setup(struct canvas *canvas);
void stacked_plot(
	const struct stacked *stacked, struct canvas *canvas, size_t index, double half, double xmax);

void stacked_draw_means(struct stacked *stacked);  /* stacked_means.c */
void stacked_draw_strips(struct stacked *stacked); /* stacked_strips.c */

#endif
