/* experiment/report/report.h -- lockstep report: from a sweep's database to a page with tables and figures,
 * and their files for papers.
 *
 *   FOLDER/index.html                       one file, whole in itself
 *   FOLDER/figures/NAME.svg .png .gp .dat   each panel: drawn, gnuplot's commands and data
 *   FOLDER/tables/NAME.csv .tex
 *
 * All of them or, after a signal or an error, none: those of an earlier report stay. The same database gives
 * the same bytes (with the same gnuplot). */
#ifndef EXPERIMENT_REPORT_REPORT_H
#define EXPERIMENT_REPORT_REPORT_H

#include "experiment/report/claims.h"
#include "experiment/report/data.h"
#include "experiment/store.h"

struct report_options {
	const char *folder;
	const char *sweep;         /* NULL: the only one */
	const char *baseline;      /* FACTOR=LEVEL,...; NULL: the sweep file's */
	const char *const *values; /* figures of these instead */
	size_t value_count;
	bool no_png;
	const char *figures;          /* a sweep file whose section `report` is taken instead; NULL */
	bool print;                   /* the tables among the figures on standard output, and nothing else */
	bool markdown;                /* and these as Markdown */
	struct report_claims *claims; /* nothing is written nor printed: the rows of figures of kind `printed`
					 go there; NULL */
};

struct report_summary {
	size_t points, done, failed, open, figures, tables;
	struct printed_counts printed;
	int interrupted; /* the signal that ended it; 0: none */
};

/* Checks the section `report` of a sweep whose points are in the database while no job has run yet: kinds,
 * keys, names of values, workloads, factors and levels. false, with diagnostics. */
bool report_check(
	struct store *store, const char *sweep, const struct report_before *before, struct diag_list *diags);

/* false, with diagnostics or a signal in the summary. */
bool report_make(struct store *store, const struct report_options *options, struct report_summary *summary,
	struct diag_list *diags);

#endif
