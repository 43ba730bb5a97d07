/* experiment/runs/config_values.h -- the parameters in effect of a run, read back from its config.yaml:
 * "sm.l1d.ways" and "4". */
#ifndef EXPERIMENT_RUNS_CONFIG_VALUES_H
#define EXPERIMENT_RUNS_CONFIG_VALUES_H

#include "sim/base/diag.h"
#include <stdbool.h>
#include <stddef.h>

struct config_value_pair {
	char *key, *value; /* the value as written, without quotes */
};
struct config_values {
	struct config_value_pair *items; /* in the order of the file */
	size_t count;
};

/* False, with a diagnostic and its place, if the file cannot be read, or is no YAML of mappings and scalars.
 * Always ends with config_values_fini. */
bool config_values_read(struct config_values *values, const char *path, struct diag_list *diags);
void config_values_fini(struct config_values *values);
/* NULL: there is no such parameter. */
const char *config_values_find(const struct config_values *values, const char *key);

#endif
