/* cli/energy/show.c -- an energy model as it is after its bases have been read. */
#include "cli/energy/show.h"
#include "cli/command.h"
#include "cli/machine.h"
#include "core/energy/coefficients.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_scales(const struct coefficients *m)
{
	if (m->scale_count)
		printf("\n%-16s %9s %9s  %s\n", "scale", "value", "+-", "of; source");
	for (size_t i = 0; i < m->scale_count; i++) {
		const struct scale *s = &m->scales[i];

		printf("%-16s %9.4g %9.3g  %s%s; %s\n", s->name, s->value, s->error, s->of,
			s->is_voltage ? ", as the voltage" : "", s->source);
	}
}

/* The file, and what has been made of its value there: "gv100.yaml 235 x process 0.63". */
static void print_origin(const struct coefficients *m, const struct coefficient *c)
{
	double value = c->value, error;

	for (size_t i = 0; i < m->scale_count; i++)
		value /= coefficient_factor(m, c, i, &error);
	printf("%s", base_name(coefficient_file(m, c)));
	if (c->scales)
		printf(" %.4g", value);
	for (size_t i = 0; i < m->scale_count; i++)
		if (c->scales >> i & 1)
			printf(" x %s %.3g", m->scales[i].name, coefficient_factor(m, c, i, &error));
}

static void print_model_items(const struct coefficients *m, const struct coefficients *wide)
{
	printf("\n%-22s %-14s %-4s %9s %9s  %s\n", "coefficient", "component", "unit", "value", "+-",
		"origin; source");
	for (size_t i = 0; i < m->count; i++) {
		const struct coefficient *c = &m->items[i];

		printf("%-22s %-14s %-4s %9.4g %9.3g  ", c->name, c->component ? c->component : "other",
			c->is_watts ? "W" : "pJ", c->value, wide->items[i].error);
		print_origin(m, c);
		printf("%s%s\n", c->source ? "; " : "", c->source ? c->source : "");
	}
}

int show_model(const char *name)
{
	char *path = config_path(CONFIG_ENERGY, name);
	struct diag_list diags;
	struct coefficients *m, *wide;
	int status;

	diag_init(&diags);
	m = coefficients_read(path, &diags);
	wide = m ? coefficients_read(path, &diags) : NULL;
	if (wide) {
		coefficients_widen(wide);
		printf("%s (%s): %zu coefficients, model error %.3g %%\n", m->chip ? m->chip : name, path,
			m->count, 100 * m->model_error);
		print_scales(m);
		print_model_items(m, wide);
	}
	status = diags.errors ? refusal_status(&diags) : STATUS_FINE;
	diag_print(&diags, stderr);
	diag_fini(&diags);
	coefficients_free(m);
	coefficients_free(wide);
	free(path);
	return status;
}
