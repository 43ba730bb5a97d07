/* experiment/runs/stats_compare.h -- the statistics of two runs side by side: which moved, and by how much.
 */
#ifndef EXPERIMENT_RUNS_STATS_COMPARE_H
#define EXPERIMENT_RUNS_STATS_COMPARE_H

#include "experiment/runs/stats_file.h"

/* One statistic of both, or of one of them. */
struct stats_move {
	const struct stats_value *a, *b; /* NULL: it has none */
	double change;                   /* b - a; NAN unless both are numbers */
	double percent;                  /* of |a|; INFINITY (either sign) if a is 0, NAN like change */
	bool is_equal;                   /* the same number, or both "nan" */
	size_t position;                 /* in a, then those of b alone */
};

/* Which statistics are looked at. */
struct stats_filter {
	const char *const *patterns; /* sim/stats/stat_select.h: names with * and ?, "sm.issue_slots" for all
					sm.issue_slots::..., objects one by one only by names with a bracket;
					none: all */
	size_t pattern_count;
	bool with_instances; /* also those of one of several objects */
};
bool stats_filter_takes(const struct stats_filter *filter, const char *name);
bool stats_pattern_fits(const char *pattern, const char *name);

struct stats_moves {
	struct stats_move *items;
	size_t count, capacity;
};
/* Adds a move for each statistic of the sections (NULL: an empty one) that the filter takes, in the order of
 * a, then those that b alone has. The texts are the files'. False, with diagnostics, if a section has a name
 * twice. */
bool stats_compare(struct stats_moves *moves, const struct stats_file *file_a, struct stats_section *a,
	const struct stats_file *file_b, struct stats_section *b, const struct stats_filter *filter,
	struct diag_list *diags);
void stats_moves_fini(struct stats_moves *moves);

/* BY_PERCENT, BY_CHANGE: the largest first, whatever its sign; what one run alone has stands last. */
enum stats_order { BY_PERCENT, BY_CHANGE, BY_NAME, BY_FILE };
void stats_moves_sort(struct stats_moves *moves, enum stats_order order);

/* "+12", "-0.25", exact for whole numbers; empty where there is none. */
void stats_format_change(const struct stats_move *move, char *text, size_t size);

/* Sections of a kind that are of kernels (STATS_KERNEL, STATS_LAUNCHES) in two files, the first of a name
 * with the first of that name, and so on: for each section of a (by its index) the index in b, or
 * STATS_NO_PARTNER; those of other kinds have none. Malloc'ed, file_a->section_count of them. */
#define STATS_NO_PARTNER SIZE_MAX
size_t *stats_match_kernels(
	const struct stats_file *file_a, const struct stats_file *file_b, enum stats_kind kind);

#endif
