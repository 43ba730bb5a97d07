/* cli/energy/cmd_energy.c -- lockstep energy fit: an energy model from measured power. */
#include "cli/command.h"
#include "cli/energy/fit_report.h"
#include "cli/machine.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_errno.h>
#include <math.h>

struct energy_options {
	const char *output, *prior, *names, *aliases, *seconds, *cycles, *clock, *watts, *ridge, *folds;
	struct option_list levels, ignored;
	bool robust, relative;
};

static const struct option energy_option_table[] = { OPTION_TEXT(struct energy_options, output, 'o', "output",
							     "FILE", "write the fitted model, as YAML"),
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
	OPTION_END };

/* -- the command line -- */

static bool positive(const char *option, const char *text, double *value, struct diag_list *diags)
{
	char *end;

	*value = strtod(text, &end);
	if (end != text && !*end && isfinite(*value) && *value > 0)
		return true;
	diag_error(diags, NULL, "--%s %s: a number above 0 was expected", option, text);
	return false;
}

static struct measurement_options measurement_options(const struct energy_options *o, struct diag_list *diags)
{
	struct measurement_options m = { .names = o->names,
		.aliases = o->aliases,
		.seconds = o->seconds,
		.cycles = o->cycles,
		.watts = o->watts,
		.levels = { o->levels.items, o->levels.count },
		.ignored = { o->ignored.items, o->ignored.count } };

	if (o->seconds && o->cycles)
		diag_error(diags, NULL, "--seconds and --cycles: one of them was expected");
	else if (o->cycles && !o->clock)
		diag_error(diags, NULL, "--cycles needs --clock");
	else if (o->cycles)
		positive("clock", o->clock, &m.mhz, diags);
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
		positive("ridge", how, &p->lambda, diags);
	}
}

/* -- the fit -- */

struct fit_data {
	struct coefficients *model;
	struct measurements *rows;
	double *weights, *prior, *scale, *left_out, *folded;
	struct fit_problem problem;
	struct fit_result result;
};

/* Without a prior all coefficients but the constant are pulled towards 0, by what they contribute. */
static double scale_of(const struct fit_data *d, const struct fit_problem *p, size_t column)
{
	double length = fit_length(p, column);

	if (strcmp(d->model->items[column].name, CONSTANT) == 0 || !(length > 0))
		return 0;
	return 1 / length;
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
	for (size_t i = 0; i < p->rows; i++)
		if (!(p->y[i] > 0))
			diag_error(diags, NULL, "the power of %s is 0", d->rows->kernels[i]);
}

static bool solve(struct fit_data *d, const struct energy_options *o, size_t folds, struct diag_list *diags)
{
	struct fit_problem *p = &d->problem;

	d->left_out = xcalloc(p->rows, sizeof(*d->left_out));
	d->folded = folds ? xcalloc(p->rows, sizeof(*d->folded)) : NULL;
	if (p->rows < 2 || folds > p->rows || !fit_cross_validate(p, p->rows, d->left_out) ||
		(folds && !fit_cross_validate(p, folds, d->folded)) || !fit_solve(p, &d->result)) {
		diag_error(diags, NULL,
			"%zu rows are too few for %zu coefficients%s; measure more kernels, leave columns "
			"out "
			"(--ignore), or give a --prior",
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
}

/* The coefficients of the prior for which the activity has no column: these data say nothing of them, and they
 * stay as they are. They leave the model for a list of their own. */
static struct coefficients *take_unmeasured(struct coefficients *model, const struct csv_table *activity)
{
	struct coefficients *apart = xcalloc(1, sizeof(*apart));
	size_t kept = 0;

	apart->items = xcalloc(model->count + 1, sizeof(*apart->items));
	for (size_t i = 0; i < model->count; i++) {
		const struct coefficient *c = &model->items[i];

		if (strcmp(c->name, CONSTANT) == 0 || csv_table_column(activity, c->column) != NO_COLUMN)
			model->items[kept++] = *c;
		else
			apart->items[apart->count++] = *c;
	}
	model->count = kept;
	return apart;
}

static void print_unmeasured(const struct coefficients *apart)
{
	if (!apart->count)
		return;
	fputs("note: not in the activity, so as the prior has it:", stdout);
	for (size_t i = 0; i < apart->count; i++)
		printf(" %s", apart->items[i].name);
	putchar('\n');
}

/* The relative errors of kernels that are left out: the root of their mean square. */
static double model_error(const struct fit_report *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->data->rows; i++) {
		double off = r->left_out[i] / r->data->watts[i] - 1;

		sum += off * off;
	}
	return sqrt(sum / (double)r->data->rows);
}

/* What was fitted, and what the prior alone knows. */
static void print_model(
	const struct fit_report *r, const struct coefficients *apart, const char *comment, FILE *to)
{
	struct coefficients all = { .chip = r->model->chip,
		.model_error = model_error(r),
		.items = xcalloc(r->model->count + apart->count + 1, sizeof(*all.items)),
		.count = r->model->count + apart->count };

	memcpy(all.items, r->model->items, r->model->count * sizeof(*all.items));
	memcpy(all.items + r->model->count, apart->items, apart->count * sizeof(*all.items));
	coefficients_print(&all, comment, to);
	free(all.items);
}

static bool write_model(const struct fit_report *r, const struct coefficients *apart, const char *path,
	const char *activity, const char *power, struct diag_list *diags)
{
	char *text = NULL, *comment;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	bool fine;

	if (!to ||
		asprintf(&comment, "fitted by lockstep energy fit to %s and %s: %zu kernels", activity, power,
			r->data->rows) < 0)
		bug("out of memory");
	print_model(r, apart, comment, to);
	fclose(to);
	fine = file_replace(path, text, size, diags);
	free(comment);
	free(text);
	return fine;
}

/* The fitted value, and in its source what it was before. */
static void take_value(struct coefficient *c, double value, double error, bool has_prior)
{
	char *source = NULL;

	if (has_prior && asprintf(&source, "fitted; prior %.4g +- %.2g%s%s", c->value, c->error,
				 c->source ? ": " : "", c->source ? c->source : "") < 0)
		bug("out of memory");
	free(c->source);
	c->source = source;
	c->value = value;
	c->error = error;
}

static bool report(struct fit_data *d, const struct energy_options *o, const struct coefficients *prior,
	const struct coefficients *apart, size_t folds, char **files, struct diag_list *diags)
{
	struct fit_report r = { d->model, prior, d->rows, &d->problem, &d->result, d->left_out, d->folded,
		folds };

	for (size_t j = 0; j < d->model->count; j++)
		take_value(&d->model->items[j], d->result.value[j], d->result.error[j], prior != NULL);
	if (*d->rows->unmatched)
		printf("note: rows without a partner in the other file: %s\n", d->rows->unmatched);
	print_unmeasured(apart);
	fit_print_coefficients(&r);
	fit_print_warnings(&r);
	fit_print_kernels(&r);
	if (o->output && !write_model(&r, apart, o->output, files[0], files[1], diags))
		return false;
	fit_print_end(&r);
	return true;
}

static void fit(const struct energy_options *o, char **files, struct diag_list *diags)
{
	struct measurement_options m = measurement_options(o, diags);
	struct csv_table *activity = csv_table_read(files[0], diags),
			 *power = csv_table_read(files[1], diags);
	struct coefficients *prior = o->prior ? coefficients_read(o->prior, diags) : NULL, *apart = NULL;
	struct fit_data d = { 0 };
	char *zeros = NULL;
	uint64_t folds = 0;

	if (o->folds && (!parse_count(o->folds, 1000000, &folds) || folds < 2))
		diag_error(diags, NULL, "--folds %s: a number of at least 2 was expected", o->folds);
	if (!diags->errors)
		d.model = o->prior ? coefficients_read(o->prior, diags)
				   : measurements_design(activity, &m, &zeros, diags);
	if (d.model && zeros && *zeros)
		printf("note: 0 in every row, so not known from these data: %s\n", zeros);
	if (d.model)
		apart = take_unmeasured(d.model, activity);
	if (d.model && o->prior)
		coefficients_free(take_unmeasured(prior, activity));
	if (d.model)
		d.rows = measurements_join(activity, power, d.model, &m, diags);
	if (d.rows)
		make_problem(&d, o, diags);
	if (d.rows && !diags->errors && solve(&d, o, (size_t)folds, diags))
		report(&d, o, prior, apart, (size_t)folds, files, diags);
	free(zeros);
	data_free(&d);
	coefficients_free(prior);
	coefficients_free(apart);
	csv_table_free(activity);
	csv_table_free(power);
}

static int run(const struct command *self, const void *object, char **operands, size_t count)
{
	struct diag_list diags;
	int status;

	if (strcmp(operands[0], "fit") != 0)
		return usage_error(self, "'%s' is no action: fit was expected", operands[0]);
	if (count != 3)
		return usage_error(self, "fit takes two files: ACTIVITY.csv POWER.csv");
	gsl_set_error_handler_off();
	diag_init(&diags);
	fit(object, operands + 1, &diags);
	status = diags.errors ? STATUS_FAILED : STATUS_FINE;
	diag_print(&diags, stderr);
	diag_fini(&diags);
	return status;
}

const struct command command_energy = {
	.name = "energy",
	.operands = "fit ACTIVITY.csv POWER.csv",
	.summary = "fit an energy model to measured power",
	.details =
		"Watts are explained as a constant, plus an energy for each event (pJ), plus a power for "
		"each\n"
		"unit of a level (W); no coefficient is negative. docs/energy.md explains files and tables.\n"
		"\n"
		"  lockstep energy fit activity.csv power.csv --seconds seconds -o model.yaml\n"
		"  lockstep energy fit activity.csv power.csv --prior base.yaml -o model.yaml\n",
	.options = energy_option_table,
	.size = sizeof(struct energy_options),
	.least = 1,
	.run = run,
};
