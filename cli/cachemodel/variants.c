/* cli/cachemodel/variants.c -- the same trace on other caches (HPCA 2014, section 7, Figure 12). */
#include "cli/cachemodel/cachemodel.h"
#include "sim/base/xalloc.h"
#include <math.h>

#define WIDTH 26 /* of names */

const double variant_factors[VARIANT_FACTORS] = { 0.25, 0.5, 1, 2, 4 };
static const char *const parameters[] = { "associativity", "size", "line", "mshrs" };
#define PARAMETERS (sizeof(parameters) / sizeof(*parameters))

/* False: the result is no whole number, or none that the model can do. */
static bool scale_value(uint32_t *value, double factor, uint32_t least, uint32_t most)
{
	double scaled = *value * factor;

	if (scaled < least || scaled > most || scaled != floor(scaled))
		return false;
	*value = (uint32_t)scaled;
	return true;
}

/* Associativity keeps the size of the cache, size keeps the ways, and the line keeps both. */
static bool scale_parameter(struct model_config *m, const char *parameter, double factor)
{
	if (factor == 1)
		return true;
	if (strcmp(parameter, "associativity") == 0)
		return scale_value(&m->ways, factor, 1, 4096) &&
			scale_value(&m->sets, 1 / factor, 1, 1 << 20);
	if (strcmp(parameter, "size") == 0)
		return scale_value(&m->sets, factor, 1, 1 << 20);
	if (strcmp(parameter, "line") == 0)
		return scale_value(&m->line_bytes, factor, 32, 1024) &&
			scale_value(&m->sets, 1 / factor, 1, 1 << 20);
	return scale_value(&m->mshrs, factor, 1, 1 << 20);
}

static bool is_parameter_swept(const char *sweep, const char *parameter)
{
	return sweep && (strcmp(sweep, "all") == 0 || strcmp(sweep, parameter) == 0);
}

struct variant *variants_new(const struct model_config *model, const char *sweep, bool with_mshr_effect,
	size_t *count, struct diag_list *diags)
{
	struct variant *v = xcalloc(2 + PARAMETERS * VARIANT_FACTORS, sizeof(*v));
	bool is_known = !sweep;

	*count = 0;
	v[(*count)++] = (struct variant){ NULL, 1, true, *model };
	if (with_mshr_effect) {
		v[*count] = (struct variant){ "mshr-effect", 1, true, *model };
		v[(*count)++].model.mshr_limit = false;
	}
	for (size_t p = 0; p < PARAMETERS; p++)
		for (size_t f = 0; f < VARIANT_FACTORS && is_parameter_swept(sweep, parameters[p]); f++) {
			struct variant *new = &v[(*count)++];

			*new = (struct variant){ parameters[p], variant_factors[f], true, *model };
			new->is_possible = scale_parameter(&new->model, parameters[p], variant_factors[f]);
			is_known = true;
		}
	if (is_known)
		return v;
	diag_error(diags, NULL, "--sweep %s: associativity, size, line, mshrs or all was expected", sweep);
	free(v);
	return NULL;
}

static void print_variant_row(const struct results *r, size_t first, const char *name, size_t kernel)
{
	printf("%-*.*s", WIDTH, WIDTH, name);
	for (size_t v = first; v < first + VARIANT_FACTORS; v++) {
		struct model_counts counts =
			kernel < r->count ? r->kernels[kernel].variants[v] : cachemodel_total(r, v);

		if (r->variants[v].is_possible)
			printf(" %8.2f", 100 * model_miss_rate(&counts));
		else
			printf(" %8s", "-");
	}
	putchar('\n');
}

void variants_print(const struct results *r)
{
	for (size_t v = 0; v < r->variant_count; v++) {
		if (!r->variants[v].parameter || r->variants[v].factor != variant_factors[0])
			continue;
		printf("\nmiss rate in %%, by %s\n%-*s", r->variants[v].parameter, WIDTH, "kernel");
		for (size_t f = 0; f < VARIANT_FACTORS; f++)
			printf(" %7gx", variant_factors[f]);
		putchar('\n');
		for (size_t k = 0; k < r->count; k++)
			if (model_accesses(&r->kernels[k].variants[0]))
				print_variant_row(r, v, r->kernels[k].name, k);
		print_variant_row(r, v, "all", r->count);
	}
}
