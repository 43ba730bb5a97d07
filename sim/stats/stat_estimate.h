/* sim/stats/stat_estimate.h -- statistics of a run of which only parts were counted: each is estimated from
 * parts that were measured, with an interval, formulas and means of histograms too.
 *
 * A part has counters, and a size (of a kernel: its warp instructions). What was not counted is taken to have
 * as much of each counter, by its size, as the parts have together (a ratio estimate). How uncertain that is
 * follows from the delete-a-group jackknife (K. M. Wolter, Introduction to Variance Estimation, chapter 4):
 * the parts are dealt out to STAT_REPLICATES groups, all is estimated once more without each group, and the
 * differences of these replicates are the variance of whatever is computed from them. */
#ifndef SIM_STATS_STAT_ESTIMATE_H
#define SIM_STATS_STAT_ESTIMATE_H

#include "sim/stats/stat.h"
#include <stdbool.h>

enum { STAT_REPLICATES = 16 };

/* Counters of some stretches of time added up; not those of a histogram's maximum. Zero bytes: none. */
struct stat_part {
	double *words;
	size_t count;
	double size;
};
/* Adds what was counted from the one to the other, in a stretch of that size. */
void stat_part_add(
	struct stat_part *part, const struct stat_vector *from, const struct stat_vector *to, double size);
void stat_part_join(struct stat_part *part, const struct stat_part *more);
void stat_part_clear(struct stat_part *part);
void stat_part_free(struct stat_part *part);

/* Parts that were measured and are like each other. Zero bytes: none. */
struct stat_parts {
	struct stat_part group[STAT_REPLICATES];
	double measured; /* size of them, each once */
};
/* One more, which stands for `weight` parts; number: of the part, by which it is dealt out. */
void stat_parts_add(struct stat_parts *parts, const struct stat_part *part, double weight, uint32_t number);
void stat_parts_free(struct stat_parts *parts);

/* What is estimated of a run, beside what was counted. Zero bytes: nothing. */
struct stat_estimate {
	struct stat_part all, without[STAT_REPLICATES];
	struct stat_part known; /* what was not counted, but is known */
	uint32_t used;          /* groups that had any part, a bit each */
};
/* So large a stretch was not counted, and is like the parts. That its own parts differ, too, is in the
 * replicates. */
void stat_estimate_add(struct stat_estimate *e, const struct stat_parts *parts, double size);
/* What was not counted is so many times the part; without[i]: as the replicate without group i has it. The
 * part is of group `own`. */
struct stat_weights {
	double all, without[STAT_REPLICATES];
};
void stat_estimate_add_times(struct stat_estimate *e, const struct stat_part *part,
	const struct stat_weights *times, uint32_t own);
/* That was counted and is estimated, too: it counts no more. */
void stat_estimate_take_off(struct stat_estimate *e, const struct stat_part *part);
/* What the other one estimates, too. */
void stat_estimate_join(struct stat_estimate *e, const struct stat_estimate *more);
/* Of a statistic of the machine that is a count ("gpu.cycles") so much was not counted: it is estimated
 * better, and replicates are moved by as much; or it is known, and has no interval. */
void stat_estimate_set(
	struct stat_estimate *e, const struct stat_tree *tree, const char *name, double more, bool is_known);
/* A copy of an object that is the only one of its group, with what is estimated: its statistics alone are
 * set, in `to`, which is as large. False: it is no such object. */
bool stat_estimate_object(
	const struct stat_tree *tree, const struct stat_estimate *e, const void *object, void *to);
void stat_estimate_free(struct stat_estimate *e);

/* Prints what was counted and estimated together, as stat_print_text does, of groups of objects their sums;
 * behind a line of which something is estimated stands its 95 % interval, " [95 %: LOW to HIGH]", or "
 * [uncertain]" where nothing is known about it. allowance: half an interval is at least this part of what is
 * estimated; share: of the run, by its size, that was estimated. What the largest value of a histogram would
 * be is not estimated. */
struct stat_trust {
	double allowance, share;
};
void stat_print_estimate(
	const struct stat_tree *tree, const struct stat_estimate *e, struct stat_trust trust, FILE *stream);
/* The same as one JSON object: names as in stats.txt, each with an array of value, low and high. */
void stat_print_estimate_json(const struct stat_tree *tree, const struct stat_estimate *e,
	struct stat_trust trust, FILE *stream, int indent);
/* One value, by its name; NAN if there is none of that name. low and high may be NULL. */
double stat_estimate_value(const struct stat_tree *tree, const struct stat_estimate *e,
	struct stat_trust trust, const char *name, double *low, double *high);

#endif
