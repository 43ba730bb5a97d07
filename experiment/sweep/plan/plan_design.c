/* experiment/sweep/plan/plan_design.c -- a part of the combinations of levels, the same for all workloads
 * (`design` of a sweep file). */
#include "experiment/interactions/design.h"
#include "experiment/sweep/plan/plan_internal.h"
#include "sim/base/xalloc.h"

/* A point's combination of levels as one number. */
static size_t combination_of(const struct sweep_file *f, const struct plan_point *point)
{
	size_t number = 0;

	for (size_t i = 0; i < f->factor_count; i++)
		number = number * f->factors[i].count + point->levels[i];
	return number;
}

static void levels_of(const struct sweep_file *f, size_t combination, size_t *levels)
{
	for (size_t i = f->factor_count; i-- > 0; combination /= f->factors[i].count)
		levels[i] = combination % f->factors[i].count;
}

/* Whether no point of the combination is excluded. */
static bool *find_allowed(const struct planner *p)
{
	bool *allowed = xcalloc(plan_combinations(p->file) + 1, sizeof(*allowed));

	for (size_t i = 0; i < plan_combinations(p->file); i++)
		allowed[i] = true;
	for (size_t i = 0; i < p->plan->point_count; i++)
		if (p->excluded[i])
			allowed[combination_of(p->file, &p->plan->points[i])] = false;
	return allowed;
}

/* The combination that is the baseline in every factor; SIZE_MAX: the file names none. */
static size_t find_baseline(const struct planner *p)
{
	const struct sweep_rule *b = &p->file->baseline;
	size_t named = 0;

	for (size_t i = 0; i < p->file->factor_count; i++)
		for (size_t k = 0; k < b->keys.count; k++)
			named += !strcmp(b->keys.items[k], p->file->factors[i].name);
	for (size_t i = 0; named == p->file->factor_count && i < p->plan->point_count; i++)
		if (plan_fits(p->plan, &p->plan->points[i], b))
			return combination_of(p->file, &p->plan->points[i]);
	return SIZE_MAX;
}

static bool has_best(const struct sweep_file *f)
{
	for (size_t i = 0; i < f->factor_count; i++)
		for (size_t k = 0; k < f->factors[i].count; k++)
			if (f->factors[i].levels[k].best)
				return true;
	return false;
}

static void exclude_others(struct planner *p, const bool *wanted)
{
	for (size_t i = 0; i < p->plan->point_count; i++)
		if (!wanted[combination_of(p->file, &p->plan->points[i])])
			p->excluded[i] = true;
}

void plan_apply_design(struct planner *p)
{
	const struct sweep_file *f = p->file;
	struct diag_location at = doc_location(f->document, f->design_node);
	size_t all = plan_combinations(f), count = 0, baseline = find_baseline(p), keep = SIZE_MAX,
	       parameters = 0;
	bool *allowed = find_allowed(p), *chosen = xcalloc(all + 1, sizeof(*chosen));
	size_t *levels = xcalloc(f->factor_count + 1, sizeof(*levels)),
	       *number = xcalloc(all + 1, sizeof(*number));
	size_t *candidates = xcalloc(all * f->factor_count + 1, sizeof(*candidates));

	for (size_t i = 0; i < f->factor_count; i++)
		levels[i] = f->factors[i].count;
	for (size_t c = 0; c < all; c++)
		if (allowed[c]) {
			keep = c == baseline ? count : keep;
			levels_of(f, c, candidates + count * f->factor_count);
			number[count++] = c;
		}
	if (has_best(f))
		diag_error(p->diags, &at,
			"design: levels of `best` depend on others, which a part need not have");
	else if (!design_choose(f->factor_count, levels, candidates, count, keep, f->design_runs,
			 f->design_seed, chosen, &parameters))
		diag_error(p->diags, &at,
			"design: %u of %zu combinations cannot tell all main effects and two-way "
			"interactions "
			"apart (%zu parameters)",
			f->design_runs, count, parameters);
	else {
		bool *wanted = xcalloc(all + 1, sizeof(*wanted));

		for (size_t i = 0; i < count; i++)
			wanted[number[i]] = chosen[i];
		exclude_others(p, wanted);
		free(wanted);
	}
	free(allowed);
	free(chosen);
	free(levels);
	free(number);
	free(candidates);
}
