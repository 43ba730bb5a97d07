/* experiment/interactions/effects.c -- linear models by block, contrasts, and what they say together. */
#include "experiment/interactions/effects.h"
#include "experiment/interactions/model.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* ---- which effects ---- */

static struct effect *add_effect(struct effects *e, size_t blocks)
{
	e->items = xrealloc(e->items, (e->count + 1) * sizeof(*e->items));
	e->items[e->count] = (struct effect){ .of_block = xcalloc(blocks, sizeof(double)) };
	return &e->items[e->count++];
}

static void list_main(struct effects *e, const struct study *s)
{
	for (size_t f = 0; f < s->factors; f++)
		for (size_t l = 0; l < s->levels[f]; l++)
			if (l != s->baseline[f]) {
				struct effect *x = add_effect(e, s->blocks);

				x->factor[0] = f;
				x->level[0] = l;
			}
}

static void list_pairs_of(struct effects *e, const struct study *s, size_t f, size_t g)
{
	for (size_t l = 0; l < s->levels[f]; l++)
		for (size_t m = 0; m < s->levels[g]; m++)
			if (l != s->baseline[f] && m != s->baseline[g]) {
				struct effect *x = add_effect(e, s->blocks);

				x->is_pair = true;
				x->factor[0] = f;
				x->factor[1] = g;
				x->level[0] = l;
				x->level[1] = m;
			}
}

static void list_effects(struct effects *e, const struct study *s)
{
	list_main(e, s);
	for (size_t f = 0; f < s->factors; f++)
		for (size_t g = f + 1; g < s->factors; g++)
			list_pairs_of(e, s, f, g);
}

/* ---- over the blocks ---- */

static size_t values_of(const struct effect *x, size_t blocks, double *values)
{
	size_t n = 0;

	for (size_t b = 0; b < blocks; b++)
		if (!isnan(x->of_block[b]))
			values[n++] = x->of_block[b];
	return n;
}

static void student(struct effect *x, const double *values, size_t n)
{
	double error = gsl_stats_sd(values, 1, n) / sqrt((double)n), df = (double)n - 1;
	double half = gsl_cdf_tdist_Pinv(0.975, df) * error;

	x->value = gsl_stats_mean(values, 1, n);
	x->low = x->value - half;
	x->high = x->value + half;
	if (error > 0)
		x->p = 2 * gsl_cdf_tdist_Q(fabs(x->value) / error, df);
	else
		x->p = x->value == 0 ? 1 : 0; /* the same in all blocks, as of a level that changes nothing */
}

static void bootstrap(struct effect *x, const double *values, size_t n, size_t draws, gsl_rng *random)
{
	double *means = xcalloc(draws, sizeof(*means));

	for (size_t i = 0; i < draws; i++) {
		for (size_t k = 0; k < n; k++)
			means[i] += values[gsl_rng_uniform_int(random, n)];
		means[i] /= (double)n;
	}
	gsl_sort(means, 1, draws);
	x->boot_low = gsl_stats_quantile_from_sorted_data(means, 1, draws, 0.025);
	x->boot_high = gsl_stats_quantile_from_sorted_data(means, 1, draws, 0.975);
	free(means);
}

void effects_adjust(double *p, size_t count)
{
	size_t *order = xcalloc(count + 1, sizeof(*order)), n = 0;
	double *known = xcalloc(count + 1, sizeof(*known)), least = 0;

	for (size_t i = 0; i < count; i++)
		known[i] = isnan(p[i]) ? 2 : p[i];
	gsl_sort_index(order, known, 1, count);
	while (n < count && known[order[n]] <= 1)
		n++;
	for (size_t rank = 0; rank < n; rank++) {
		least = fmax(least, known[order[rank]] * (double)(n - rank));
		p[order[rank]] = fmin(least, 1);
	}
	free(order);
	free(known);
}

static void summarise_effects(struct effects *e, size_t draws, uint64_t seed)
{
	double *values = xcalloc(e->blocks, sizeof(*values)), *p = xcalloc(e->count + 1, sizeof(*p));
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	gsl_rng_set(random, seed);
	for (size_t i = 0; i < e->count; i++) {
		size_t n = values_of(&e->items[i], e->blocks, values);

		student(&e->items[i], values, n);
		bootstrap(&e->items[i], values, n, draws, random);
		p[i] = e->items[i].p;
	}
	effects_adjust(p, e->count);
	for (size_t i = 0; i < e->count; i++)
		e->items[i].adjusted = p[i];
	gsl_rng_free(random);
	free(values);
	free(p);
}

/* ---- all of it ---- */

static void fit_blocks(struct effects *e, const struct study *s)
{
	double *contrasts = xcalloc(e->count + 1, sizeof(*contrasts)), squares = 0;
	double *rows = xcalloc((e->count + 1) * e->parameters, sizeof(*rows));
	size_t freedom = 0;

	for (size_t i = 0; i < e->count; i++)
		model_contrast(s, &e->items[i], rows + i * e->parameters);
	for (size_t b = 0; b < s->blocks; b++) {
		struct model_fit fit = { 0 };
		bool fine = model_fit(s, &s->y[b * s->combinations], rows, e->count, contrasts, &fit);

		for (size_t i = 0; i < e->count; i++)
			e->items[i].of_block[b] = fine ? contrasts[i] : NAN;
		e->fitted += fine;
		squares += fine ? fit.squares : 0;
		freedom += fine ? fit.freedom : 0;
	}
	e->residual = freedom ? sqrt(squares / (double)freedom) : 0;
	free(contrasts);
	free(rows);
}

struct effects *effects_find(const struct study *s, size_t draws, uint64_t seed)
{
	struct effects *e = xcalloc(1, sizeof(*e));

	e->blocks = s->blocks;
	e->parameters = model_parameters(s);
	list_effects(e, s);
	if (model_quality(s, e))
		fit_blocks(e, s);
	if (e->fitted >= 2) {
		summarise_effects(e, draws, seed);
		return e;
	}
	effects_free(e);
	return NULL;
}

void effects_free(struct effects *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->count; i++)
		free(e->items[i].of_block);
	free(e->items);
	free(e);
}

/* ---- classes ---- */

double effects_differ(const struct effect *x, size_t blocks, const size_t *class_of, size_t classes)
{
	double *sum = xcalloc(classes, sizeof(*sum)), *square = xcalloc(classes, sizeof(*square));
	size_t *count = xcalloc(classes, sizeof(*count)), n = 0, used = 0;
	double total = 0, within = 0, between = 0, p = NAN;

	for (size_t b = 0; b < blocks; b++)
		if (!isnan(x->of_block[b]) && class_of[b] < classes) {
			sum[class_of[b]] += x->of_block[b];
			square[class_of[b]] += x->of_block[b] * x->of_block[b];
			count[class_of[b]]++;
		}
	for (size_t c = 0; c < classes; c++)
		if (count[c] >= 2) {
			total += sum[c];
			n += count[c];
			used++;
			within += square[c] - sum[c] * sum[c] / (double)count[c];
		}
	for (size_t c = 0; c < classes; c++)
		if (count[c] >= 2)
			between += (double)count[c] * pow(sum[c] / (double)count[c] - total / (double)n, 2);
	if (used >= 2 && within > 0)
		p = gsl_cdf_fdist_Q(between / (double)(used - 1) / (within / (double)(n - used)),
			(double)(used - 1), (double)(n - used));
	free(sum);
	free(square);
	free(count);
	return p;
}
