/* sim/stats/stat_select.h -- statistics chosen by name, and what they counted since they were last read.
 *
 * Names are resolved once; reading follows pointers alone. Names are those of stats.txt: "gpu.ipc",
 * "sm.l1d.hits" (the sum of all), "sm[3].l1d.hits" (one), "sm.issue_slots::barrier", "sm.load_latency::mean".
 * A vector's name alone stands for its elements and their total, a histogram's for its samples and mean. In a
 * name * stands for any characters, ? for one; objects one by one are chosen only by names with a bracket, as
 * in "sm[*].l1d.misses", elements beyond those above only by names with "::". */
#ifndef SIM_STATS_STAT_SELECT_H
#define SIM_STATS_STAT_SELECT_H

#include "sim/stats/stat.h"

struct stat_selection;

/* An error in a list of names: the name that matches nothing, and a similar name (empty: none). */
struct stat_select_error {
	char name[128], nearest[128];
};

/* error may be NULL: looking for a similar name takes longest. names: separated by commas or blanks; each
 * statistic is chosen once, in the order of the names, then of the tree. NULL, with *error, if one names
 * nothing, or (error->name is empty then) if there is none. The tree and its objects must outlive the
 * selection, and nothing more may be registered. What has been counted up to now counts as read. */
struct stat_selection *stat_select(
	const struct stat_tree *tree, const char *names, struct stat_select_error *error);
void stat_selection_free(struct stat_selection *selection);

size_t stat_selection_count(const struct stat_selection *selection);
const char *stat_selection_name(const struct stat_selection *selection, size_t i); /* "sm.l1d.hits" */

/* Reads what was counted since the last call. Returns whether the objects counted anything, chosen or not. */
bool stat_selection_step(struct stat_selection *selection);
/* The value of the period that the last step ended: differences of counters; formulas of these; of a
 * histogram's maximum the present value. Integers are in `count` (is_whole), others in `real`, which may
 * be NAN. */
struct stat_number {
	bool is_whole;
	uint64_t whole;
	double real;
};
struct stat_number stat_selection_value(const struct stat_selection *selection, size_t i);

/* Whether the name fits the pattern (* and ?). */
bool stat_name_fits(const char *pattern, const char *name);

#endif
