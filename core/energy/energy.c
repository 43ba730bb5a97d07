/* core/energy/energy.c -- the energy of a run as statistics.
 *
 * Sums are kept as real numbers since the beginning of the run, and rounded to whole picojoules only when
 * they are written to the counters, so that differences between two times are right to the picojoule. */
#include "core/energy/energy.h"
#include "core/energy/energy_event.h"
#include "core/energy/energy_stats.h"
#include "core/chip/chip.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include "sim/stats/stat_estimate.h"
#include <math.h>
#include <unistd.h>

const struct sim_param energy_params[] = {
	SIM_STRING(struct energy_config, model, "",
		"energy model: the name of one that comes with Lockstep (configs/energy), or a file; empty: "
		"none (--energy)"),
	SIM_F64(struct energy_config, voltage, 0, 0, 3, "",
		"supply voltage of the core relative to the one that the model was made at: energies of "
		"events in the core grow with its square, leakage in proportion (DVFS, with gpu.core_mhz "
		"and the other clocks); 0: what the model has for gpu.core_mhz, or 1 if it has nothing"),
	SIM_END,
};

struct energy {
	struct chip *chip;
	char *path;
	struct coefficients *model;
	struct energy_events events;
	double voltage; /* of the core, relative to that of the coefficients */
	bool voltage_is_set;
	double *factor; /* pJ of an event, by coefficient: value, voltage, and the cycle of a level */
	struct energy_layout layout;
	struct energy_places places;
	struct energy_counts counts;
};

/* ---- building ---- */

/* pJ for each unit of its activity: an event, or of a level a core cycle; of the constant, a picosecond. */
static void find_factors(struct energy *e, const struct energy_config *config)
{
	double core_mhz = e->chip->config->core_mhz, cycle = 1e6 / core_mhz; /* ps */

	e->voltage_is_set = config->voltage > 0;
	e->voltage = config->voltage > 0 ? config->voltage : coefficients_voltage(e->model, core_mhz);
	e->factor = xcalloc(e->model->count, sizeof(*e->factor));
	for (size_t i = 0; i < e->model->count; i++) {
		const struct coefficient *c = &e->model->items[i];

		e->factor[i] = coefficient_at(e->model, c, e->voltage, core_mhz) *
			(c->is_watts && c->event ? cycle : 1);
	}
}

static bool check_model(const struct energy *e, struct diag_list *diags)
{
	size_t errors = diags->errors;

	if (e->model->count > ENERGY_COEFFICIENTS)
		diag_error(diags, NULL, "%s has %zu coefficients, and at most %d are possible", e->path,
			e->model->count, ENERGY_COEFFICIENTS);
	for (size_t i = 0; i < e->model->count; i++) {
		const struct coefficient *c = &e->model->items[i];
		struct diag_location at = { .file = coefficient_file(e->model, c), .line = c->line };

		if (!c->event && strcmp(c->name, CONSTANT) != 0)
			diag_error(diags, &at,
				"coefficient %s has no event: the statistics that count its activity",
				c->name);
		if (!coefficient_name_is_word(c))
			diag_error(
				diags, &at, "coefficient %s: letters, digits and _ were expected", c->name);
		if (c->event && strcmp(c->name, CONSTANT) == 0)
			diag_error(diags, &at, "coefficient " CONSTANT " has an event");
		if (strcmp(c->name, CONSTANT) == 0 && !c->is_watts)
			diag_error(diags, &at, "coefficient " CONSTANT " is not in W");
	}
	return diags->errors == errors;
}

static char *find_model(const char *name, struct config *config, struct diag_list *diags)
{
	struct diag_location at = config_location(config, "energy", "model");
	char *path = config_path(CONFIG_ENERGY, name);

	if (strchr(path, '/') || access(path, F_OK) == 0)
		return path;
	diag_error(diags, &at, "energy.model: there is no model %s in configs/energy, and no file %s", name,
		name);
	free(path);
	return NULL;
}

struct energy *energy_new(
	struct chip *chip, const struct energy_config *energy, struct config *config, struct diag_list *diags)
{
	struct energy *e;

	if (!*energy->model)
		return NULL;
	e = xcalloc(1, sizeof(*e));
	e->chip = chip;
	e->path = find_model(energy->model, config, diags);
	e->model = e->path ? coefficients_read(e->path, diags) : NULL;
	if (e->model && check_model(e, diags) &&
		energy_events_find(&e->events, e->model, chip->stat_tree, diags) &&
		energy_layout_make(&e->layout, e->model, e->path, diags)) {
		find_factors(e, energy);
		energy_places_new(&e->places, chip->stat_tree);
		stat_register(chip->stat_tree, "energy", -1, e->layout.stats, &e->counts, sizeof(e->counts));
		return e;
	}
	energy_free(e);
	return NULL;
}

void energy_free(struct energy *e)
{
	if (!e)
		return;
	energy_events_free(&e->events);
	energy_places_free(&e->places);
	coefficients_free(e->model);
	free(e->factor);
	free(e->path);
	free(e);
}

/* ---- counting ---- */

/* What the error of a scale makes of the energy of a component (SIZE_MAX: of all), in pJ: all that it
 * multiplies is off in the same direction. */
static double scale_deviation(
	const struct energy *e, const struct energy_counts *counts, size_t scale, size_t component)
{
	double sum = 0, error;

	for (size_t i = 0; i < e->model->count; i++) {
		coefficient_factor(e->model, &e->model->items[i], scale, &error);
		if (component == SIZE_MAX || component == e->layout.component_of[i])
			sum += error * (double)counts->coefficient[i];
	}
	return sum;
}

void energy_account(struct energy *e)
{
	struct energy_counts *to;
	double sum[ENERGY_COMPONENTS] = { 0 }, total = 0;

	if (!e)
		return;
	to = &e->counts;
	energy_events_step(&e->events);
	to->picoseconds = e->chip->stats.picoseconds;
	to->core_cycles = e->chip->stats.cycles;
	to->thread_instructions = e->chip->stats.thread_instructions;
	for (size_t i = 0; i < e->model->count; i++) {
		const struct coefficient *c = &e->model->items[i];
		double activity = c->event ? e->events.of[i].sum : (double)to->picoseconds;
		double pj = activity * e->factor[i];

		to->activity[i] = whole_picojoules(activity);
		to->coefficient[i] = whole_picojoules(pj * c->value);
		to->deviation[i] = whole_picojoules(pj * c->error);
		sum[e->layout.component_of[i]] += pj * c->value;
		total += pj * c->value;
	}
	for (size_t i = 0; i < e->layout.component_count; i++)
		to->component[i] = whole_picojoules(sum[i]);
	for (size_t s = 0; s < e->model->scale_count; s++)
		to->scale_deviation[s] = whole_picojoules(scale_deviation(e, to, s, SIZE_MAX));
	to->model_deviation = whole_picojoules(total * e->model->model_error);
	to->total = energy_places_account(
		&e->places, e->model, &e->events, e->factor, to->picoseconds, to->place);
}

/* ---- for reports ---- */

const struct coefficients *energy_model(const struct energy *e)
{
	return e->model;
}

const char *energy_model_path(const struct energy *e)
{
	return e->path;
}

size_t energy_component_count(const struct energy *e)
{
	return e->layout.component_count;
}

const char *energy_component(const struct energy *e, size_t i)
{
	return e->layout.components[i];
}

struct energy_counts energy_since(const struct energy *e, const struct energy_counts *before)
{
	struct energy_counts c = e->counts;

	for (size_t i = 0; before && i < sizeof(c) / sizeof(uint64_t); i++)
		((uint64_t *)&c)[i] -= ((const uint64_t *)before)[i];
	return c;
}

void energy_counts_add(struct energy_counts *sum, const struct energy_counts *more)
{
	for (size_t i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
		((uint64_t *)sum)[i] += ((const uint64_t *)more)[i];
}

struct energy_counts energy_estimated(const struct energy *e, const struct stat_estimate *estimate)
{
	struct energy_counts counts = e->counts;

	stat_estimate_object(e->chip->stat_tree, estimate, &e->counts, &counts);
	return counts;
}

double energy_voltage(const struct energy *e)
{
	return e->voltage;
}

bool energy_clock_is_beyond(const struct energy *e)
{
	const struct voltage_curve *c = &e->model->voltages;

	return c->count && !e->voltage_is_set && !voltage_curve_has(c, e->chip->config->core_mhz);
}

double energy_interval(const struct energy *e, const struct energy_counts *counts, size_t component)
{
	double sum = 0;

	for (size_t i = 0; i < e->model->count; i++)
		if (component == SIZE_MAX || component == e->layout.component_of[i])
			sum += (double)counts->deviation[i] * (double)counts->deviation[i];
	for (size_t s = 0; s < e->model->scale_count; s++)
		sum += pow(scale_deviation(e, counts, s, component), 2);
	if (component == SIZE_MAX)
		sum += (double)counts->model_deviation * (double)counts->model_deviation;
	return ENERGY_CONFIDENCE * sqrt(sum);
}
