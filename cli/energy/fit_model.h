/* cli/energy/fit_model.h -- the model that a fit writes: what was fitted, what was fitted together, and what
 * the prior alone knows. */
#ifndef CLI_ENERGY_FIT_MODEL_H
#define CLI_ENERGY_FIT_MODEL_H

#include "cli/energy/fit_report.h"
#include "experiment/energy/merge.h"

struct fit_parts {
	struct coefficients *unmeasured; /* of the prior, for which the activity has no column */
	struct merged *merged;           /* NULL: nothing was to be merged */
};

/* Takes the coefficients for which the activity has no column out of the model, into a list of their own. */
struct coefficients *fit_take_unmeasured(struct coefficients *model, const struct csv_table *activity);
/* Notes, a line each. */
void fit_print_parts(const struct fit_parts *parts, const struct coefficients *model);
/* The fitted value, and in its source what it was before. */
void fit_take_value(struct coefficient *c, double value, double error, bool has_prior);
/* As YAML; activity and power: the names of the files, for a comment. */
bool fit_write_model(const struct fit_report *report, const struct fit_parts *parts, const char *path,
	const char *activity, const char *power, struct diag_list *diags);

#endif
