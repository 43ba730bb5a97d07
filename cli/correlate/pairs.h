/* cli/correlate/pairs.h -- simulated launches and the same ones of a card. */
#ifndef CLI_CORRELATE_PAIRS_H
#define CLI_CORRELATE_PAIRS_H

#include "cli/correlate/launches.h"

/* A launch, or all launches of a kernel that are on both sides added up. */
struct pair {
	const char *kernel;                  /* as a reader knows it */
	unsigned launch;                     /* from 1, among those of the kernel; of a sum: how many */
	double ours[METRICS], card[METRICS]; /* NAN: one of the two has not measured it */
};

struct pairs {
	struct pair *list;
	size_t count;
	bool are_sums;
	size_t only_ours, only_card; /* launches without a partner */
};

/* Adds those of one program: the first launch of a kernel is the card's first of that kernel, and so on. A
 * warning where grid or CTA of such a pair differ: it is left out. */
void pairs_add(struct pairs *to, const struct measured_launches *ours, const struct measured_launches *card,
	struct diag_list *diags);
/* The launches of a kernel become one. */
void pairs_sum(struct pairs *pairs);
void pairs_fini(struct pairs *pairs);

/* How far ours are from the card's, of one metric; percent, without signs. */
struct spread {
	size_t count;
	double *sorted;                                  /* the errors, rising */
	double mean, median, percentile_90, worst, bias; /* bias: the mean with signs */
	double correlation; /* Pearson's, of the logarithms; NAN: fewer than three, or all alike */
	const struct pair *worst_pair;
};
/* An error of a pair with its sign, in percent; NAN: the metric is not measured on both sides. */
double pair_error(const struct pair *pair, enum metric metric);
struct spread spread_of(const struct pairs *pairs, enum metric metric);
void spread_fini(struct spread *spread);

#endif
