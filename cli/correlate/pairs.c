/* cli/correlate/pairs.c -- launches paired by kernel and order; errors and their distribution by GSL. */
#include "cli/correlate/pairs.h"
#include "sim/base/xalloc.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "void scale<int>(int *)" is named "scale<int>": profilers print a function's type or leave it out. */
static size_t bare_name(const char *name, const char **start)
{
	size_t depth = 0, n = 0;

	if (strncmp(name, "void ", 5) == 0)
		name += 5;
	*start = name;
	for (; name[n] && (depth || name[n] != '('); n++)
		depth += name[n] == '<' ? 1 : name[n] == '>' && depth ? (size_t)-1 : 0;
	return n;
}

static bool is_same_name(const char *a, const char *b)
{
	const char *a_start, *b_start;
	size_t n = bare_name(a, &a_start);

	return n == bare_name(b, &b_start) && n && memcmp(a_start, b_start, n) == 0;
}

/* `simple` names "simple<int>", too: a profiler's base names have no template arguments. */
static bool is_base_name(const char *base, const char *full)
{
	const char *start;
	size_t n = strlen(base);

	return bare_name(full, &start) > n && memcmp(start, base, n) == 0 && start[n] == '<';
}

static bool is_same_kernel(const struct measured_launch *ours, const struct measured_launch *card)
{
	return strcmp(ours->kernel, card->kernel) == 0 || is_same_name(ours->kernel, card->kernel) ||
		(*ours->demangled &&
			(is_same_name(ours->demangled, card->kernel) ||
				is_base_name(card->kernel, ours->demangled)));
}

static bool is_same_size(const struct measured_launch *a, const struct measured_launch *b)
{
	return memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
		memcmp(a->block, b->block, sizeof(a->block)) == 0;
}

static void add_pair(struct pairs *to, const struct measured_launch *ours, const struct measured_launch *card,
	unsigned launch)
{
	struct pair *p;

	to->list = xrealloc(to->list, (to->count + 1) * sizeof(*to->list));
	p = &to->list[to->count++];
	p->kernel = *ours->demangled ? ours->demangled : ours->kernel;
	p->launch = launch;
	for (int m = 0; m < METRICS; m++) {
		bool both = !isnan(ours->value[m]) && !isnan(card->value[m]) && card->value[m] > 0;

		p->ours[m] = both ? ours->value[m] : NAN;
		p->card[m] = both ? card->value[m] : NAN;
	}
}

static void warn_sizes(const struct measured_launches *in, const struct measured_launch *ours,
	const struct measured_launch *card, unsigned launch, struct diag_list *diags)
{
	struct diag_location at = { .file = in->table->path, .line = card->line };

	diag_warning(diags, &at,
		"launch %u of %s has %ux%ux%u CTAs of %ux%ux%u threads, and %ux%ux%u of %ux%ux%u in the run: "
		"it is left out",
		launch, card->kernel, card->grid[0], card->grid[1], card->grid[2], card->block[0],
		card->block[1], card->block[2], ours->grid[0], ours->grid[1], ours->grid[2], ours->block[0],
		ours->block[1], ours->block[2]);
}

/* A kernel of the run. */
struct kernel_seen {
	const char *name;
	unsigned launches;
	size_t next; /* where the card's next launch of it is sought */
};

static struct kernel_seen *see_kernel(struct kernel_seen *seen, size_t *count, const char *name)
{
	size_t k = 0;

	while (k < *count && strcmp(seen[k].name, name))
		k++;
	if (k == *count)
		seen[(*count)++] = (struct kernel_seen){ .name = name };
	seen[k].launches++;
	return &seen[k];
}

void pairs_add(struct pairs *to, const struct measured_launches *ours, const struct measured_launches *card,
	struct diag_list *diags)
{
	struct kernel_seen *seen = xcalloc(ours->count + 1, sizeof(*seen));
	bool *is_taken = xcalloc(card->count + 1, sizeof(*is_taken));
	size_t kernels = 0, taken = 0;

	for (size_t i = 0; i < ours->count; i++) {
		const struct measured_launch *l = &ours->launches[i];
		struct kernel_seen *k = see_kernel(seen, &kernels, l->kernel);

		while (k->next < card->count &&
			(is_taken[k->next] || !is_same_kernel(l, &card->launches[k->next])))
			k->next++;
		if (k->next == card->count) {
			to->only_ours++;
			continue;
		}
		is_taken[k->next] = true;
		taken++;
		if (is_same_size(l, &card->launches[k->next]))
			add_pair(to, l, &card->launches[k->next], k->launches);
		else
			warn_sizes(card, l, &card->launches[k->next], k->launches, diags);
	}
	to->only_card += card->count - taken;
	free(is_taken);
	free(seen);
}

void pairs_sum(struct pairs *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		size_t k = 0;

		while (k < kept && strcmp(p->list[k].kernel, p->list[i].kernel))
			k++;
		if (k == kept) {
			p->list[kept] = p->list[i];
			p->list[kept++].launch = 1;
			continue;
		}
		p->list[k].launch++;
		for (int m = 0; m < METRICS; m++) {
			p->list[k].ours[m] += p->list[i].ours[m];
			p->list[k].card[m] += p->list[i].card[m];
		}
	}
	p->count = kept;
	p->are_sums = true;
}

void pairs_fini(struct pairs *p)
{
	free(p->list);
}

/* ---- errors ---- */

double pair_error(const struct pair *p, enum metric m)
{
	return 100 * (p->ours[m] / p->card[m] - 1);
}

/* Of those where both are above 0. */
static double correlation_of(const struct pairs *p, enum metric m)
{
	double *x = xcalloc(p->count + 1, sizeof(*x)), *y = xcalloc(p->count + 1, sizeof(*y)), r = NAN;
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->list[i].ours[m] > 0 && p->list[i].card[m] > 0) {
			x[n] = log(p->list[i].card[m]);
			y[n++] = log(p->list[i].ours[m]);
		}
	if (n >= 3 && gsl_stats_variance(x, 1, n) > 0 && gsl_stats_variance(y, 1, n) > 0)
		r = gsl_stats_correlation(x, 1, y, 1, n);
	free(x);
	free(y);
	return r;
}

struct spread spread_of(const struct pairs *p, enum metric m)
{
	struct spread s = {
		.sorted = xcalloc(p->count + 1, sizeof(*s.sorted)), .worst = -1, .correlation = NAN
	};

	for (size_t i = 0; i < p->count; i++) {
		double error = pair_error(&p->list[i], m);

		if (isnan(error))
			continue;
		s.sorted[s.count++] = fabs(error);
		s.bias += error;
		if (fabs(error) > s.worst) {
			s.worst = fabs(error);
			s.worst_pair = &p->list[i];
		}
	}
	if (!s.count)
		return s;
	gsl_sort(s.sorted, 1, s.count);
	s.bias /= (double)s.count;
	s.mean = gsl_stats_mean(s.sorted, 1, s.count);
	s.median = gsl_stats_median_from_sorted_data(s.sorted, 1, s.count);
	s.percentile_90 = gsl_stats_quantile_from_sorted_data(s.sorted, 1, s.count, 0.9);
	s.correlation = correlation_of(p, m);
	return s;
}

void spread_fini(struct spread *s)
{
	free(s->sorted);
}
