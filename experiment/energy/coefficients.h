/* experiment/energy/coefficients.h -- an energy model: watts are the sum of coefficients times activity. A
 * coefficient in pJ is the energy of one event; one in W is the power of one unit of a level, such as one
 * idle SM; `constant` is always there. Model files are YAML:
 *
 *   chip: Quadro GV100
 *   coefficients:
 *     - { name: constant, unit: W, value: 32.3, error: 5, source: "..." }
 *     - { name: l1_read_hits, column: L1_RH, unit: pJ, value: 90, error: 40 } */
#ifndef EXPERIMENT_ENERGY_COEFFICIENTS_H
#define EXPERIMENT_ENERGY_COEFFICIENTS_H

#include "sim/base/diag.h"
#include <stddef.h>
#include <stdio.h>

#define CONSTANT "constant"

struct coefficient {
	char *name;
	char *column; /* of the activity */
	bool is_watts;
	double value, error; /* error 0: none is known */
	char *source;        /* or NULL */
};

struct coefficients {
	char *chip; /* or NULL */
	struct coefficient *items;
	size_t count;
};

/* NULL, with diagnostics and their places, if it cannot be read or is no model. */
struct coefficients *coefficients_read(const char *path, struct diag_list *diags);
void coefficients_free(struct coefficients *model);
/* Adds one; texts are copied. column NULL: as the name. */
void coefficients_add(struct coefficients *model, const char *name, const char *column, bool is_watts,
	double value, double error, const char *source);
/* As YAML that coefficients_read reads; comment: a line at the top, or NULL. */
void coefficients_print(const struct coefficients *model, const char *comment, FILE *to);

#endif
