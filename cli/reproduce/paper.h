/* cli/reproduce/paper.h -- the claims of a paper: what it prints, and what was measured of it. */
#ifndef CLI_REPRODUCE_PAPER_H
#define CLI_REPRODUCE_PAPER_H

#include "experiment/report/report.h"

/* A file that claims come from: a sweep's database, or a CSV file of claims. */
struct paper_source {
	const char *path;
	bool is_sweep;
	struct report_summary made; /* of a sweep */
	size_t first, count;        /* its claims */
};

struct paper {
	const char *name, *title; /* title NULL: the name */
	struct paper_source *sources;
	size_t source_count;
	struct report_claims claims;
};

/* Numbers and statements in words together; docs/user/reproduce.md defines each count. */
struct paper_counts {
	size_t claims, in_direction, unchecked;
	size_t numbers, numbers_unchecked, within;
	size_t differing, unexplained; /* of the checked: they differ; and no reason is given */
};

/* Whether it is checked and does not hold: a number that is not within 25 %, a statement that is not so. */
bool claim_differs(const struct report_claim *claim);

/* Adds the claims of a file. false, with diagnostics. */
bool paper_read(struct paper *paper, const char *path, struct diag_list *diags);
struct paper_counts paper_count(const struct paper *paper);
void paper_counts_add(struct paper_counts *to, const struct paper_counts *more);
void paper_fini(struct paper *paper);

#endif
