/* core/energy/coefficients.h -- an energy model: energy is the sum of coefficients times activity. A
 * coefficient in pJ is the energy of one event; one in W is the power of one unit of a level, such as one
 * idle SM; `constant` is always there. Model files are YAML:
 *
 *   chip: Quadro GV100
 *   model_error: 0.09
 *   coefficients:
 *     - { name: constant, component: board, unit: W, value: 32.3, error: 5, source: "..." }
 *     - { name: l1_read_hits, component: l1, event: sm.l1d.hits, column: L1_RH, unit: pJ, value: 90,
 *         error: 40 }
 *
 * A model of another chip can name its base, whose coefficients it scales or replaces
 * (core/energy/transfer.h). docs/user/energy.md describes the keys. */
#ifndef CORE_ENERGY_COEFFICIENTS_H
#define CORE_ENERGY_COEFFICIENTS_H

#include "core/energy/voltage_curve.h"
#include "sim/base/diag.h"
#include <stddef.h>
#include <stdio.h>

#define CONSTANT      "constant"
#define ENERGY_SCALES 16 /* of a model with all its bases */

/* How a coefficient follows the supply voltage of the core, relative to the one that the model was made at.
 */
enum coefficient_scale {
	SCALE_BY_UNIT,  /* pJ as its square, W in proportion, `constant` not at all */
	SCALE_VOLTAGE2, /* as its square: dynamic energy */
	SCALE_VOLTAGE,  /* in proportion: leakage */
	SCALE_NONE,     /* not at all: other supplies, such as that of DRAM */
	SCALE_CLOCKED /* W: as its square, and in proportion to the clock of the core: what every cycle takes
		       */
};

struct coefficient {
	char *name;
	char *column; /* of the activity */
	bool is_watts;
	double value, error; /* error 0: none is known */
	char *source;        /* or NULL */
	char *component;     /* to which its energy is counted, or NULL */
	char *event;         /* statistics joined by + and -; NULL: the model is for fits alone */
	bool is_optional;    /* the machine may lack the statistic */
	uint8_t scale;       /* enum coefficient_scale */
	uint8_t place; /* 1 + enum energy_place_kind: spread evenly over these; 0: where it is counted */
	uint32_t line, file; /* where it stands: of the model's files */
	uint32_t scales;     /* bit s: it was multiplied by the model's scale s */
};

/* A factor between a chip and the one that the base is of. Its error is common to all that it scales. */
struct scale {
	char *name, *of, *source; /* of: coefficients and components, separated by blanks */
	double value, error;
	bool is_voltage; /* a coefficient follows it as it follows the supply voltage */
};

struct coefficients {
	char *chip; /* or NULL */
	/* The relative standard deviation of the model for kernels that it was not fitted to; 0: unknown. */
	double model_error;
	/* At another core clock than `clock` (MHz; 0: unknown) the voltage follows the curve or, without one,
	 * is 1 + voltage_slope (other / clock - 1) times that at `clock`. */
	double clock, voltage_slope;
	struct voltage_curve voltages;
	struct coefficient *items;
	size_t count;
	struct scale scales[ENERGY_SCALES];
	size_t scale_count;
	char **files; /* read for it: those of the bases first */
	size_t file_count;
};

/* NULL, with diagnostics and their places, if it cannot be read or is no model. */
struct coefficients *coefficients_read(const char *path, struct diag_list *diags);
void coefficients_free(struct coefficients *model);
/* Adds one; texts are copied. column NULL: as the name. Returns it, valid until the next is added. */
struct coefficient *coefficients_add(struct coefficients *model, const char *name, const char *column,
	bool is_watts, double value, double error, const char *source);
/* The file in which it stands; NULL: in none. */
const char *coefficient_file(const struct coefficients *model, const struct coefficient *coefficient);
/* By what it was multiplied for a scale of the model; 1: not at all. *error: relative, of this factor. */
double coefficient_factor(
	const struct coefficients *model, const struct coefficient *coefficient, size_t scale, double *error);
/* Lets the errors of coefficients contain those of scales, which the model then has no longer. */
void coefficients_widen(struct coefficients *model);
/* The voltage at a core clock relative to that of the coefficients; 1 if the model does not say. */
double coefficients_voltage(const struct coefficients *model, double core_mhz);
/* With what a coefficient is multiplied at this relative voltage and clock. */
double coefficient_at(const struct coefficients *model, const struct coefficient *coefficient, double voltage,
	double core_mhz);
/* The power of the relative voltage with which it grows: 0, 1 or 2. */
int coefficient_exponent(const struct coefficient *coefficient);
/* Whether its name can stand in names of statistics: letters, digits and _. */
bool coefficient_name_is_word(const struct coefficient *coefficient);
/* As YAML that coefficients_read reads; comment: a line at the top, or NULL. */
void coefficients_print(const struct coefficients *model, const char *comment, FILE *to);

#endif
