/* core/energy/energy.h -- energy of a run: the activity of the machine times the coefficients of a model
 * (coefficients.h). Group "energy", in picojoules: since 1 W is 1 pJ in 1 ps, no factor stands in between.
 *
 * The estimate only reads statistics: the model of the machine does not know of it. */
#ifndef CORE_ENERGY_ENERGY_H
#define CORE_ENERGY_ENERGY_H

#include "core/energy/coefficients.h"
#include "core/energy/energy_place.h"
#include "sim/config/config.h"
#include "sim/stats/stat.h"

#define ENERGY_COEFFICIENTS 128
#define ENERGY_COMPONENTS   32
#define ENERGY_CONFIDENCE   1.96 /* standard deviations: half a 95 % interval */

struct energy_config {
	const char *model; /* name or path; "": none */
	double voltage;
};
extern const struct sim_param energy_params[];

/* The counters of the group: of the run so far, or, in a scratch object, since a snapshot. */
struct energy_counts {
	uint64_t picoseconds, core_cycles, thread_instructions; /* as in group gpu */
	uint64_t total;                                         /* pJ: the sum of places */
	uint64_t place[PLACE_KINDS];                            /* pJ */
	uint64_t component[ENERGY_COMPONENTS];                  /* pJ */
	uint64_t coefficient[ENERGY_COEFFICIENTS];              /* pJ */
	uint64_t deviation[ENERGY_COEFFICIENTS]; /* pJ: a standard error of the coefficient times its activity
						  */
	uint64_t scale_deviation[ENERGY_SCALES]; /* pJ: the same of what a scale multiplies, all together */
	uint64_t model_deviation;                /* pJ: the model's own error */
	uint64_t activity[ENERGY_COEFFICIENTS];  /* events, or cycles of a level */
};

struct energy;
struct chip;

/* Reads the model and finds its statistics; the machine is complete but for the series. NULL if no model is
 * configured, and, with diagnostics, if it is wrong. */
struct energy *energy_new(struct chip *chip, const struct energy_config *energy, struct config *config,
	struct diag_list *diags);
void energy_free(struct energy *energy);
/* All other statistics have been brought up to date (gpu_account): so is the estimate now. energy may be
 * NULL. */
void energy_account(struct energy *energy);

/* --- for reports --- */

const struct coefficients *energy_model(const struct energy *energy);
const char *energy_model_path(const struct energy *energy);
/* Of the core, relative to that at which the coefficients hold. */
double energy_voltage(const struct energy *energy);
/* The core's clock lies outside of the model's voltages, so that the voltage is that of their end. */
bool energy_clock_is_beyond(const struct energy *energy);
size_t energy_component_count(const struct energy *energy);
const char *energy_component(const struct energy *energy, size_t i);
/* What was counted since `before` (NULL: since the beginning), as gpu_energy_counts gave it. */
struct energy_counts energy_since(const struct energy *energy, const struct energy_counts *before);
void energy_counts_add(struct energy_counts *sum, const struct energy_counts *more);
/* The counts of a run with sampling, as they would be without it (gpu_estimates). */
struct stat_estimate;
struct energy_counts energy_estimated(const struct energy *energy, const struct stat_estimate *estimate);
/* The half width of the 95 % confidence interval of the energy of a component (SIZE_MAX: of the total), in
 * pJ: standard errors of coefficients are taken as independent, and for the total the model's own error is
 * added. */
double energy_interval(const struct energy *energy, const struct energy_counts *counts, size_t component);

#endif
