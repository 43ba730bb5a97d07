/* experiment/report/claims.h -- what papers print, beside what was measured: the rows of figures of kind
 * `printed`, taken out of a report. */
#ifndef EXPERIMENT_REPORT_CLAIMS_H
#define EXPERIMENT_REPORT_CLAIMS_H

#include "experiment/report/figure/verdict.h"
#include "experiment/report/text.h"
#include "sim/base/diag.h"

struct report_claim {
	const char *table, *what;
	const char *text;      /* what is printed, "at least 50"; NULL: nothing */
	const char *over;      /* "harmonic mean of 12" */
	const char *source;    /* where in the paper */
	const char *unchecked; /* why it is not checked; NULL: it is */
	const char *why;       /* why the measured number differs, if it does; NULL: nobody has said */
	double measured;       /* NAN: unknown */
	struct printed printed;
};

/* Whether something is printed at all. */
bool claim_is_printed(const struct report_claim *claim);

struct report_claims {
	struct keeper keeper; /* of their texts */
	struct report_claim *items;
	size_t count;
};

/* Copies the claim and its texts. */
void report_claims_add(struct report_claims *claims, const struct report_claim *claim);
void report_claims_fini(struct report_claims *claims);
/* Claims of a measurement that is no sweep, from a CSV file with the columns what, measured, printed and, if
 * they are there, table, quantity, bound, over, source, unchecked, why: each as in a row of a sweep file
 * (docs/user/reports.md). An empty field says nothing. false, with diagnostics. */
bool report_claims_read(struct report_claims *claims, const char *path, struct diag_list *diags);
/* Writes those that are printed as such a file: read again, they have the same verdicts. */
void report_claims_write(const struct report_claims *claims, FILE *to);

#endif
