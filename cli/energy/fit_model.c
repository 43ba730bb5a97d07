/* cli/energy/fit_model.c -- the model that a fit writes. */
#include "cli/energy/fit_model.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <math.h>

struct coefficients *fit_take_unmeasured(struct coefficients *model, const struct csv_table *activity)
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

void fit_print_parts(const struct fit_parts *parts, const struct coefficients *model)
{
	const struct coefficients *u = parts->unmeasured;

	if (u->count)
		fputs("note: not in the activity, so as the prior has it:", stdout);
	for (size_t i = 0; i < u->count; i++)
		printf(" %s%s", u->items[i].name, i + 1 < u->count ? "" : "\n");
	for (size_t i = 0; parts->merged && i < parts->merged->members->count; i++)
		printf("note: these data cannot tell %s and %s apart (likeness %.4f): one coefficient for "
		       "both\n",
			model->items[parts->merged->into[i]].name, parts->merged->members->items[i].name,
			parts->merged->likeness[i]);
}

void fit_take_value(struct coefficient *c, double value, double error, bool has_prior)
{
	char *source = NULL;

	if (has_prior &&
		asprintf(&source, "fitted; prior %.4g +- %.2g%s%s", c->value, c->error, c->source ? ": " : "",
			c->source ? c->source : "") < 0)
		bug("out of memory");
	free(c->source);
	c->source = source;
	c->value = value;
	c->error = error;
}

static void copy_items(struct coefficients *to, const struct coefficients *from)
{
	memcpy(to->items + to->count, from->items, from->count * sizeof(*to->items));
	to->count += from->count;
}

static void print_model(
	const struct fit_report *r, const struct fit_parts *parts, const char *comment, FILE *to)
{
	static char source[] = "fitted together with another: these data do not tell them apart";
	struct coefficients all = *r->model;
	size_t merged = parts->merged ? parts->merged->members->count : 0;

	all.model_error = fit_model_error(r);
	if (r->prior && all.clock <= 0) { /* the data have one clock: what the prior says of others holds */
		all.clock = r->prior->clock;
		all.voltage_slope = r->prior->voltage_slope;
		all.voltages = r->prior->voltages;
	}
	all.items = xcalloc(r->model->count + parts->unmeasured->count + merged + 1, sizeof(*all.items));
	all.count = 0;
	copy_items(&all, r->model);
	copy_items(&all, parts->unmeasured);
	for (size_t i = 0; i < merged; i++) {
		struct coefficient c = parts->merged->members->items[i];

		c.value = r->model->items[parts->merged->into[i]].value;
		c.error = r->model->items[parts->merged->into[i]].error;
		c.source = source;
		all.items[all.count++] = c;
	}
	coefficients_print(&all, comment, to);
	free(all.items);
}

bool fit_write_model(const struct fit_report *r, const struct fit_parts *parts, const char *path,
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
	print_model(r, parts, comment, to);
	fclose(to);
	fine = file_replace(path, text, size, diags);
	free(comment);
	free(text);
	return fine;
}
