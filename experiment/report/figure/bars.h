/* experiment/report/figure/bars.h -- bars in groups: what a figure of bars and its panels share. */
#ifndef EXPERIMENT_REPORT_FIGURE_BARS_H
#define EXPERIMENT_REPORT_FIGURE_BARS_H

#include "experiment/report/figure/figure.h"

#define BARS_LEFT   64.0
#define BARS_RIGHT  12.0
#define BARS_HEIGHT 220.0 /* of the plot */
#define BARS_LEAST  5.0
#define BARS_MOST   16.0
#define BARS_GAP    8.0 /* between groups */

/* A group of bars on the axis. */
struct cluster {
	const char *label;
	const double *values; /* by column of the figure */
	size_t suite;         /* which suite it belongs to; NONE: all of them */
	size_t row;           /* of the data; NONE: a mean */
	const char *what;     /* "geometric mean of polybench"; NULL: it is no mean */
	bool is_mean;
};

struct bars {
	struct figure *figure;
	const struct report_value *value;
	const struct report_value *low95, *high95; /* ends of its intervals; NULL: there are none */
	const struct row_group *suites;
	struct cluster *clusters;
	size_t count, suite_count;
	double low, top, step; /* of the axis */
	bool has_cut;          /* a bar beyond it, in some panel */
};

/* A panel of count groups, in a file of the figure's name with the suffix (bars_panel.c). */
void bars_draw_panel(struct bars *bars, const struct cluster *clusters, size_t count, const char *suffix,
	const char *alt, bool with_suites);

#endif
