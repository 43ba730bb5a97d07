/* cli/interactions/heat.h -- a heat map of interactions: which pairs of levels help and which fight. */
#ifndef CLI_INTERACTIONS_HEAT_H
#define CLI_INTERACTIONS_HEAT_H

#include "experiment/interactions/study.h"

/* Draws it with gnuplot as SVG. Rows and columns are the levels of all factors but the baseline's; the
 * diagonal has the main effects. Green: better together than apart; red: worse; a frame: beyond chance after
 * Holm. False, with diagnostics: gnuplot is not there, or the file cannot be written. */
bool draw_heat(const struct study_table *table, const struct effects *effects, const char *path,
	struct diag_list *diags);

#endif
