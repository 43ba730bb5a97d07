/* cli/energy/cmd_energy.c -- lockstep energy fit: an energy model from measured power; and the entry to
 * lockstep energy characterise. */
#include "cli/command.h"
#include "cli/energy/characterise.h"
#include "cli/energy/fit_model.h"
#include "cli/energy/show.h"
#include "cli/machine.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_errno.h>
#include <math.h>

#define ALIKE 0.9995 /* columns with this cosine are fitted as one, unless a prior divides them */

struct energy_options {
	const char *output, *prior, *names, *aliases, *seconds, *cycles, *clock, *watts, *ridge, *folds,
		*dvfs;
	struct option_list levels, ignored;
	bool robust, relative;
	struct characterise_options characterise;
};

static const struct option energy_option_table[] = {
	OPTION_TEXT(struct energy_options, output, 'o', "output", "FILE",
		"fit: write the fitted model, as YAML; characterise: the rows (default: activity.csv)"),
	OPTION_TEXT(struct energy_options, prior, 0, "prior", "FILE",
		"a model: its coefficients are fitted, and pulled towards its values by its errors"),
	OPTION_TEXT(struct energy_options, names, 0, "name", "COLUMN,...",
		"columns of ACTIVITY that name a row, joined by / (default: the first)"),
	OPTION_TEXT(struct energy_options, aliases, 0, "aliases", "FILE",
		"CSV file with the columns activity,power: the names in both files"),
	OPTION_TEXT(struct energy_options, seconds, 0, "seconds", "COLUMN",
		"column with the time of a row (default: seconds)"),
	OPTION_TEXT(struct energy_options, cycles, 0, "cycles", "COLUMN", "or with its cycles, of --clock"),
	OPTION_TEXT(struct energy_options, clock, 0, "clock", "MHZ", "clock of --cycles"),
	OPTION_TEXT(struct energy_options, dvfs, 0, "dvfs", "COLUMN",
		"column with the core's clock in MHz of rows at several clocks: also fits how the\n"
		"voltage follows the clock"),
	OPTION_TEXT(struct energy_options, watts, 0, "power", "COLUMN",
		"column of POWER with the watts (default: the second)"),
	OPTION_LIST(struct energy_options, levels, 0, "level", "COLUMN",
		"a column that is no count of events but a level, such as idle SMs: watts for each\n"
		"unit; may be repeated"),
	OPTION_LIST(struct energy_options, ignored, 0, "ignore", "COLUMN",
		"a column that is not used; may be repeated"),
	OPTION_TEXT(struct energy_options, ridge, 0, "ridge", "HOW",
		"how much coefficients are pulled towards the prior, or towards 0: evidence (with a\n"
		"prior the default: its errors at their word, and the scatter of the measurements\n"
		"that is then most likely), gcv (generalised cross-validation, the default without),\n"
		"lcurve, none, or the value of lambda"),
	OPTION_TEXT(struct energy_options, folds, 0, "folds", "K", "also cross-validate with K folds"),
	OPTION_FLAG(struct energy_options, robust, 0, "robust",
		"rows that are far off count less (Tukey's bisquare)"),
	OPTION_FLAG(struct energy_options, relative, 0, "relative",
		"weigh rows by 1 / watts^2: errors in per cent count, not in watts"),
	CHARACTERISE_OPTIONS(struct energy_options, characterise.), OPTION_END
};

/* -- the command line -- */

static bool positive_option(const char *option, const char *text, double *value, struct diag_list *diags)
{
	if (number_real(text, value) == NUMBER_FITS && *value > 0)
		return true;
	diag_error(diags, NULL, "--%s %s: a number above 0 was expected%s", option, text, number_hint(text));
	return false;
}

static struct measurement_options measurement_options(const struct energy_options *o, struct diag_list *diags)
{
	struct measurement_options m = { .names = o->names,
		.aliases = o->aliases,
		.seconds = o->seconds,
		.cycles = o->cycles,
		.clock = o->dvfs,
		.watts = o->watts,
		.levels = { o->levels.items, o->levels.count },
		.ignored = { o->ignored.items, o->ignored.count } };

	if (o->seconds && o->cycles)
		diag_error(diags, NULL, "--seconds and --cycles: one of them was expected");
	else if (o->cycles && !o->clock)
		diag_error(diags, NULL, "--cycles needs --clock");
	else if (o->cycles)
		positive_option("clock", o->clock, &m.mhz, diags);
	else if (!o->seconds)
		m.seconds = "seconds";
	return m;
}

static void choose_ridge(struct fit_problem *p, const char *how, bool has_prior, struct diag_list *diags)
{
	if (!how)
		how = has_prior ? "evidence" : "gcv";
	if (strcmp(how, "gcv") == 0) {
		p->ridge = FIT_RIDGE_GCV;
	} else if (strcmp(how, "evidence") == 0) {
		p->ridge = FIT_RIDGE_EVIDENCE;
		if (!has_prior)
			diag_error(diags, NULL, "--ridge evidence: the errors are those of a --prior");
	} else if (strcmp(how, "lcurve") == 0) {
		p->ridge = FIT_RIDGE_LCURVE;
	} else if (strcmp(how, "none") == 0) {
		p->ridge = FIT_NO_RIDGE;
	} else {
		p->ridge = FIT_RIDGE_FIXED;
		positive_option("ridge", how, &p->lambda, diags);
	}
}

/* -- the fit -- */

struct fit_data {
	struct coefficients *model;
	struct measurements *rows;
	double *weights, *prior, *scale, *left_out, *folded;
	uint8_t *exponent;
	double clock; /* MHz, that coefficients are for; 0: rows have none */
	struct fit_problem problem;
	struct fit_result result;
	struct fit_parts parts;
};

/* Without a prior all coefficients but the constant are pulled towards 0, by what they contribute. */
static double scale_of(const struct fit_data *d, const struct fit_problem *p, size_t column)
{
	double length = fit_length(p, column);

	if (strcmp(d->model->items[column].name, CONSTANT) == 0 || !(length > 0))
		return 0;
	return 1 / length;
}

/* Clocks relative to that of the prior, or to the highest; exponents as the estimate has them. */
static void make_clocks(struct fit_data *d, struct diag_list *diags)
{
	struct fit_problem *p = &d->problem;
	double *clock = d->rows->clock, least = clock[0], most = clock[0];

	for (size_t i = 0; i < p->rows; i++) {
		least = fmin(least, clock[i]);
		most = fmax(most, clock[i]);
	}
	if (!(least > 0) || !(least < most))
		diag_error(diags, NULL, "--dvfs: clocks above 0 were expected, and more than one");
	d->clock = d->model->clock > 0 ? d->model->clock : most;
	d->exponent = xcalloc(p->columns, sizeof(*d->exponent));
	for (size_t i = 0; i < p->rows; i++)
		clock[i] /= d->clock;
	for (size_t j = 0; j < p->columns; j++)
		d->exponent[j] = (uint8_t)coefficient_exponent(&d->model->items[j]);
	p->clock = clock;
	p->exponent = d->exponent;
}

static void make_problem(struct fit_data *d, const struct energy_options *o, struct diag_list *diags)
{
	struct fit_problem *p = &d->problem;

	*p = (struct fit_problem){ .rows = d->rows->rows,
		.columns = d->rows->columns,
		.x = d->rows->x,
		.y = d->rows->watts,
		.robust = o->robust };
	choose_ridge(p, o->ridge, o->prior != NULL, diags);
	if (o->relative) {
		d->weights = xcalloc(p->rows, sizeof(*d->weights));
		for (size_t i = 0; i < p->rows; i++)
			d->weights[i] = 1 / (p->y[i] * p->y[i]);
		p->weights = d->weights;
	}
	d->scale = xcalloc(p->columns, sizeof(*d->scale));
	p->scale = d->scale;
	if (o->prior) {
		d->prior = xcalloc(p->columns, sizeof(*d->prior));
		p->prior = d->prior;
	}
	for (size_t j = 0; j < p->columns; j++) {
		if (o->prior)
			d->prior[j] = d->model->items[j].value;
		d->scale[j] = o->prior ? d->model->items[j].error : scale_of(d, p, j);
	}
	if (o->dvfs)
		make_clocks(d, diags);
	for (size_t i = 0; i < p->rows; i++)
		if (!(p->y[i] > 0))
			diag_error(diags, NULL, "the power of %s is 0", d->rows->kernels[i]);
}

static bool solve_fit(
	struct fit_data *d, const struct energy_options *o, size_t folds, struct diag_list *diags)
{
	struct fit_problem *p = &d->problem;

	d->left_out = xcalloc(p->rows, sizeof(*d->left_out));
	d->folded = folds ? xcalloc(p->rows, sizeof(*d->folded)) : NULL;
	if (p->rows < 2 || folds > p->rows || !fit_cross_validate(p, p->rows, d->left_out) ||
		(folds && !fit_cross_validate(p, folds, d->folded)) || !fit_solve(p, &d->result)) {
		diag_error(diags, NULL,
			"%zu rows are too few for %zu coefficients%s; measure more kernels, leave "
			"columns out (--ignore), or give a --prior",
			p->rows, p->columns, p->ridge == FIT_NO_RIDGE ? " without a ridge" : "");
		return false;
	}
	return true;
}

static void data_free(struct fit_data *d)
{
	coefficients_free(d->model);
	measurements_free(d->rows);
	fit_result_free(&d->result);
	free(d->weights);
	free(d->prior);
	free(d->scale);
	free(d->left_out);
	free(d->folded);
	free(d->exponent);
	coefficients_free(d->parts.unmeasured);
	merged_free(d->parts.merged);
}

static bool report_fit(struct fit_data *d, const struct energy_options *o, const struct coefficients *prior,
	size_t folds, char **files, struct diag_list *diags)
{
	struct fit_report r = { d->model, prior, d->rows, &d->problem, &d->result, d->left_out, d->folded,
		folds };

	for (size_t j = 0; j < d->model->count; j++)
		fit_take_value(&d->model->items[j], d->result.value[j], d->result.error[j], prior != NULL);
	if (d->clock > 0) {
		d->model->clock = d->clock;
		d->model->voltage_slope = d->result.slope;
	}
	if (*d->rows->unmatched)
		printf("note: rows without a partner in the other file: %s\n", d->rows->unmatched);
	fit_print_parts(&d->parts, d->model);
	fit_print_coefficients(&r);
	fit_print_warnings(&r);
	fit_print_kernels(&r);
	if (o->output && !fit_write_model(&r, &d->parts, o->output, files[0], files[1], diags))
		return false;
	fit_print_end(&r);
	return true;
}

/* A fit takes errors as independent, also those of what was scaled together. */
static struct coefficients *read_prior(const char *path, struct diag_list *diags)
{
	struct coefficients *m = coefficients_read(path, diags);

	if (m)
		coefficients_widen(m);
	return m;
}

static void fit_files(const struct energy_options *o, char **files, struct diag_list *diags)
{
	struct measurement_options m = measurement_options(o, diags);
	struct csv_table *activity = csv_table_read(files[0], NULL, diags),
			 *power = csv_table_read(files[1], NULL, diags);
	struct coefficients *prior = o->prior ? read_prior(o->prior, diags) : NULL;
	struct fit_data d = { 0 };
	char *zeros = NULL;
	uint64_t folds = 0;

	if (o->folds && !number_parse(o->folds, 2, 1000000, &folds))
		diag_error(diags, NULL, "--folds %s: a number of at least 2 was expected", o->folds);
	if (!diags->errors)
		d.model = o->prior ? read_prior(o->prior, diags)
				   : measurements_design(activity, &m, &zeros, diags);
	if (d.model && zeros && *zeros)
		printf("note: 0 in every row, so not known from these data: %s\n", zeros);
	if (d.model)
		d.parts.unmeasured = fit_take_unmeasured(d.model, activity);
	if (d.model && o->prior)
		coefficients_free(fit_take_unmeasured(prior, activity));
	if (d.model)
		d.rows = measurements_join(activity, power, d.model, &m, diags);
	if (d.rows && !o->prior)
		d.parts.merged = merge_alike(d.model, d.rows, ALIKE);
	if (d.rows)
		make_problem(&d, o, diags);
	if (d.rows && !diags->errors && solve_fit(&d, o, (size_t)folds, diags))
		report_fit(&d, o, prior, (size_t)folds, files, diags);
	free(zeros);
	data_free(&d);
	coefficients_free(prior);
	csv_table_free(activity);
	csv_table_free(power);
}

static int run_energy_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct energy_options *options = object;
	struct diag_list diags;
	int status;

	if (strcmp(operands[0], "characterise") == 0)
		return count == 1 ? characterise(&options->characterise, options->output)
				  : usage_error(self, "characterise takes no file");
	if (strcmp(operands[0], "show") == 0)
		return count == 2 ? show_model(operands[1]) : usage_error(self, "show takes one model");
	if (strcmp(operands[0], "fit") != 0)
		return usage_error(
			self, "'%s' is no action: fit, characterise or show was expected", operands[0]);
	if (count != 3)
		return usage_error(self, "fit takes two files: ACTIVITY.csv POWER.csv");
	gsl_set_error_handler_off();
	diag_init(&diags);
	fit_files(object, operands + 1, &diags);
	status = diags.errors ? refusal_status(&diags) : STATUS_FINE;
	diag_print(&diags, stderr);
	diag_fini(&diags);
	return status;
}

const struct command command_energy = {
	.name = "energy",
	.operands = "fit ACTIVITY.csv POWER.csv | characterise | show MODEL",
	.summary = "fit an energy model to measured power, or show one",
	.details = "  fit           an energy model from activity and measured power\n"
		   "  characterise  run the micro-benchmarks, which exercise a component each, and write "
		   "their activity\n"
		   "  show          the coefficients of a model, and what each was made from\n"
		   "\n"
		   "Watts are explained as a constant, plus an energy for each event (pJ), plus a power for "
		   "each\n"
		   "unit of a level (W); no coefficient is negative. docs/user/energy.md explains files and "
		   "tables.\n"
		   "\n"
		   "  lockstep energy characterise -c gtx480 -o activity.csv\n"
		   "  lockstep energy fit activity.csv power.csv --seconds seconds -o model.yaml\n"
		   "  lockstep energy fit activity.csv power.csv --prior base.yaml -o model.yaml\n",
	.options = energy_option_table,
	.size = sizeof(struct energy_options),
	.least = 1,
	.run = run_energy_command,
};
