/* cli/diff/diff_table.h -- what lockstep diff prints: two columns of values, as a table or as CSV. */
#ifndef CLI_DIFF_DIFF_TABLE_H
#define CLI_DIFF_DIFF_TABLE_H

#include "experiment/runs/stats_compare.h"
#include <stdio.h>

/* Which of the moves are shown. */
struct diff_choice {
	double threshold; /* percent: those that moved by more */
	bool with_equal;
};

struct diff_counts {
	size_t equal, moved, shown, only_a, only_b; /* shown: of moved, above the threshold */
};
void diff_count(
	struct diff_counts *counts, const struct stats_moves *moves, const struct diff_choice *choice);

/* Those that both runs have, with change, percent and unit; then those that one alone has. Nothing if there
 * is nothing to show. */
void diff_print_table(const struct stats_moves *moves, const struct diff_choice *choice, FILE *to);
/* First what one asks first, moved or not: cycles, IPC, miss rates, DRAM bytes; those that both runs have. */
void diff_print_summary(const struct stats_moves *moves, FILE *to);
/* "1234 statistics: 1200 equal, 30 moved (4 of them by more than 5 %), 4 only in A" */
void diff_print_counts(const struct diff_counts *counts, const struct diff_choice *choice, FILE *to);

void diff_print_csv_head(FILE *to);
void diff_print_csv(
	const struct stats_moves *moves, const struct diff_choice *choice, const char *section, FILE *to);

#endif
