/* cli/energy/fit_report.c -- tables of a fit. */
#include "cli/energy/fit_report.h"
#include "core/energy/energy.h"
#include <math.h>
#include <string.h>

#define WIDTH      24
#define SO_ALIKE   0.99 /* cosine of the angle between two columns */
#define BAD_SYSTEM 1e3

void fit_print_coefficients(const struct fit_report *r)
{
	printf("%-*s %5s %12s %12s%s\n", WIDTH, "coefficient", "unit", "value", "std. error",
		r->prior ? "        prior" : "");
	for (size_t j = 0; j < r->model->count; j++) {
		const struct coefficient *c = &r->model->items[j];

		printf("%-*.*s %5s %12.5g %12.5g", WIDTH, WIDTH, c->name, c->is_watts ? "W" : "pJ", c->value,
			c->error);
		if (r->prior)
			printf(" %12.5g", r->prior->items[j].value);
		puts(c->value > 0 ? "" : "   held at 0: the data would have it negative");
	}
	if (r->problem->clock)
		printf("%-*s %5s %12.5g %12.5g   voltage by clock, both relative to those at %g MHz\n", WIDTH,
			"voltage slope", "", r->result->slope, r->result->slope_error, r->model->clock);
	printf("%zu rows, %.1f effective parameters; lambda %.3g; standard deviation of residuals %.2f W; "
	       "condition number %.3g\n",
		r->data->rows, (double)r->data->rows - r->result->freedom, r->result->lambda,
		r->result->residual, r->result->condition);
}

void fit_print_warnings(const struct fit_report *r)
{
	for (size_t a = 0; a < r->model->count; a++)
		for (size_t b = a + 1; b < r->model->count; b++)
			if (fabs(fit_likeness(r->problem, a, b)) > SO_ALIKE)
				printf("warning: these data can hardly tell %s and %s apart (likeness "
				       "%.4f): only what they cost together is known%s\n",
					r->model->items[a].name, r->model->items[b].name,
					fit_likeness(r->problem, a, b),
					r->prior ? "; the prior divides it" : "");
	if (r->result->condition > BAD_SYSTEM)
		printf("warning: the condition number is %.3g: some sums of coefficients are not known "
		       "from these data, and their standard errors say so\n",
			r->result->condition);
}

static double percent_off(const struct fit_report *r, const double *watts, size_t row)
{
	return 100 * (watts[row] - r->data->watts[row]) / r->data->watts[row];
}

void fit_print_kernels(const struct fit_report *r)
{
	printf("\n%-*s %9s %9s %9s %9s %9s\n", WIDTH, "kernel", "measured", "fitted", "error", "left out",
		"error");
	for (size_t i = 0; i < r->data->rows; i++)
		printf("%-*.*s %7.2f W %7.2f W %+7.2f %% %7.2f W %+7.2f %%\n", WIDTH, WIDTH,
			r->data->kernels[i], r->data->watts[i], r->result->fitted[i],
			percent_off(r, r->result->fitted, i), r->left_out[i], percent_off(r, r->left_out, i));
}

static void mean_errors(const struct fit_report *r, const double *watts, double *of_percent, double *of_watts)
{
	*of_percent = *of_watts = 0;
	for (size_t i = 0; i < r->data->rows; i++) {
		*of_percent += fabs(percent_off(r, watts, i)) / (double)r->data->rows;
		*of_watts += fabs(watts[i] - r->data->watts[i]) / (double)r->data->rows;
	}
}

double fit_model_error(const struct fit_report *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->data->rows; i++)
		sum += pow(r->left_out[i] / r->data->watts[i] - 1, 2);
	return sqrt(sum / (double)r->data->rows);
}

/* Of the kernels that were left out, those whose measured power lies in the interval of what was said of
 * them. */
static size_t kernels_in_interval(const struct fit_report *r, double half_width)
{
	size_t count = 0;

	for (size_t i = 0; i < r->data->rows; i++)
		count += fabs(r->data->watts[i] - r->left_out[i]) <= half_width * r->left_out[i];
	return count;
}

void fit_print_end(const struct fit_report *r)
{
	double share, watts, half_width = ENERGY_CONFIDENCE * fit_model_error(r);

	mean_errors(r, r->result->fitted, &share, &watts);
	printf("\nmean absolute error of the fit itself %.2f %% (%.2f W)\n", share, watts);
	if (r->folded) {
		mean_errors(r, r->folded, &share, &watts);
		printf("mean absolute error of %zu folds %.2f %% (%.2f W)\n", r->folds, share, watts);
	}
	printf("interval of 95 %% by the errors of kernels left out, +- %.1f %%: it holds %zu of %zu of "
	       "them\n",
		100 * half_width, kernels_in_interval(r, half_width), r->data->rows);
	mean_errors(r, r->left_out, &share, &watts);
	printf("fit: %zu kernels, %zu coefficients, leave-one-out mean absolute error %.2f %% (%.2f W)\n",
		r->data->rows, r->model->count, share, watts);
}
