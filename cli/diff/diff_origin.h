/* cli/diff/diff_origin.h -- what differs between two runs before anything was counted: version, build, seed,
 * command, configuration. */
#ifndef CLI_DIFF_DIFF_ORIGIN_H
#define CLI_DIFF_DIFF_ORIGIN_H

#include "experiment/runs/stats_file.h"
#include <stdio.h>

/* Prints which files they are, what differs in where they come from, and which of them was interrupted or
 * stopped by a fault. Their config.yaml stand beside them; where one is missing that is said. False, with
 * diagnostics, if one is broken. */
bool diff_print_origin(
	const struct stats_file *a, const struct stats_file *b, struct diag_list *diags, FILE *to);

#endif
