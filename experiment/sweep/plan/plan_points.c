/* experiment/sweep/plan/plan_points.c -- the points of a sweep: the product of workloads, bases, levels and
 * seeds, without what is excluded. */
#include "experiment/sweep/plan/plan_internal.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat_select.h"

size_t plan_combinations(const struct sweep_file *f)
{
	size_t n = 1;

	for (size_t i = 0; i < f->factor_count; i++)
		n *= f->factors[i].count;
	return n;
}

size_t plan_seeds(const struct sweep_file *f)
{
	return f->seed_count ? f->seed_count : 1;
}

/* -- points -- */

#define MOST_POINTS 1000000

static void add_plan_point(struct planner *p, size_t program, size_t base, size_t combination, size_t seed)
{
	const struct sweep_file *f = p->file;
	struct plan_point *point = &p->plan->points[p->plan->point_count++];

	*point = (struct plan_point){ .program = program,
		.base = base,
		.has_seed = f->seed_count,
		.seed = f->seed_count ? f->seeds[seed] : 0 };
	point->levels = xcalloc(f->factor_count + 1, sizeof(*point->levels));
	for (size_t i = f->factor_count; i-- > 0; combination /= f->factors[i].count)
		point->levels[i] = combination % f->factors[i].count;
}

static bool make_points(struct planner *p)
{
	const struct sweep_file *f = p->file;
	double most = (double)p->plan->program_count * (double)f->bases.count * (double)plan_seeds(f);

	for (size_t i = 0; i < f->factor_count; i++)
		most *= (double)f->factors[i].count;
	if (most > MOST_POINTS) {
		diag_error(p->diags, NULL, "%s: %.0f points; a sweep has at most %d", f->path, most,
			MOST_POINTS);
		return false;
	}
	p->plan->points = xcalloc((size_t)most + 1, sizeof(*p->plan->points));
	for (size_t w = 0; w < p->plan->program_count; w++)
		for (size_t b = 0; b < f->bases.count; b++)
			for (size_t c = 0; c < plan_combinations(f); c++)
				for (size_t s = 0; s < plan_seeds(f); s++)
					add_plan_point(p, w, b, c, s);
	return true;
}

/* -- rules -- */

const char *plan_value(
	const struct sweep_plan *plan, const struct plan_point *point, const char *key, char buffer[16])
{
	const struct sweep_file *f = plan->file;

	if (!strcmp(key, "workload"))
		return plan->programs[point->program].label;
	if (!strcmp(key, "size"))
		return plan->programs[point->program].size;
	if (!strcmp(key, "base"))
		return f->bases.items[point->base];
	if (!strcmp(key, "seed")) {
		snprintf(buffer, 16, "%u", point->seed);
		return point->has_seed ? buffer : "";
	}
	for (size_t i = 0; i < f->factor_count; i++)
		if (!strcmp(f->factors[i].name, key))
			return f->factors[i].levels[point->levels[i]].name;
	return NULL;
}

static bool is_value(
	const struct sweep_plan *plan, const struct plan_point *point, const char *key, const char *text)
{
	const struct workload *w = plan->programs[point->program].workload;
	char buffer[16];
	const char *value = plan_value(plan, point, key, buffer);

	return value &&
		(stat_name_fits(text, value) || (!strcmp(key, "workload") && w && workload_is(w, text)));
}

static bool has_value(const struct sweep_plan *plan, const struct plan_point *point, const char *key,
	const struct sweep_texts *values)
{
	for (size_t i = 0; i < values->count; i++)
		if (is_value(plan, point, key, values->items[i]))
			return true;
	return false;
}

bool plan_fits(const struct sweep_plan *plan, const struct plan_point *point, const struct sweep_rule *rule)
{
	for (size_t i = 0; i < rule->keys.count; i++)
		if (!has_value(plan, point, rule->keys.items[i], &rule->values[i]))
			return false;
	return true;
}

/* A value that no point has is a mistake, though others in the list may exclude something. */
static void check_values(struct planner *p, const struct sweep_rule *rule)
{
	for (size_t i = 0; i < rule->keys.count; i++) {
		for (size_t k = 0; k < rule->values[i].count; k++) {
			struct diag_location location =
				doc_location(p->file->document, rule->values[i].nodes[k]);
			bool found = false;

			for (size_t n = 0; n < p->plan->point_count && !found; n++)
				found = is_value(p->plan, &p->plan->points[n], rule->keys.items[i],
					rule->values[i].items[k]);
			if (!found)
				diag_error(p->diags, &location, "no point of the sweep has %s %s",
					rule->keys.items[i], rule->values[i].items[k]);
		}
	}
}

static void exclude(struct planner *p, const struct sweep_rule *rule)
{
	struct diag_location location = doc_location(p->file->document, rule->node);
	bool any = false;

	for (size_t i = 0; i < p->plan->point_count; i++) {
		if (!plan_fits(p->plan, &p->plan->points[i], rule))
			continue;
		any = true;
		p->excluded[i] = true;
	}
	if (!any)
		diag_error(p->diags, &location, "this excludes nothing: no point of the sweep is like that");
}

/* A level of which nothing is left contradicts its being there. */
static void check_levels(struct planner *p)
{
	const struct sweep_file *f = p->file;

	for (size_t i = 0; i < f->factor_count; i++) {
		for (size_t k = 0; k < f->factors[i].count; k++) {
			struct diag_location location =
				doc_location(f->document, f->factors[i].levels[k].node);
			bool is_left = false;

			for (size_t n = 0; n < p->plan->point_count && !is_left; n++)
				is_left = !p->excluded[n] && p->plan->points[n].levels[i] == k;
			if (!is_left)
				diag_error(p->diags, &location,
					"level %s of factor %s is excluded everywhere",
					f->factors[i].levels[k].name, f->factors[i].name);
		}
	}
}

static void check_programs(struct planner *p)
{
	for (size_t w = 0; w < p->plan->program_count; w++) {
		const struct sweep_program *program = &p->plan->programs[w];
		struct diag_location location = doc_location(p->file->document, program->item->node);
		bool is_left = false;

		for (size_t n = 0; n < p->plan->point_count && !is_left; n++)
			is_left = !p->excluded[n] && p->plan->points[n].program == w;
		if (!is_left)
			diag_error(p->diags, &location, "%s is excluded everywhere", program->label);
	}
}

/* -- the best of others -- */

const struct sweep_best *plan_best(const struct sweep_plan *plan, const struct plan_point *point)
{
	const struct sweep_file *f = plan->file;

	for (size_t i = 0; i < f->factor_count; i++)
		if (f->factors[i].levels[point->levels[i]].best)
			return f->factors[i].levels[point->levels[i]].best;
	return NULL;
}

/* Whether it has a machine, and differs from the other in the factor alone of which that is a best level. */
static bool is_candidate(
	const struct sweep_plan *plan, const struct plan_point *candidate, const struct plan_point *point)
{
	const struct sweep_file *f = plan->file;

	if (candidate->program != point->program || candidate->base != point->base ||
		candidate->seed != point->seed)
		return false;
	for (size_t i = 0; i < f->factor_count; i++) {
		const struct sweep_best *best = f->factors[i].levels[point->levels[i]].best;

		if (f->factors[i].levels[candidate->levels[i]].best ||
			(best ? !best->of[candidate->levels[i]] : candidate->levels[i] != point->levels[i]))
			return false;
	}
	return true;
}

static size_t count_best(const struct sweep_plan *plan, const struct plan_point *point)
{
	const struct sweep_file *f = plan->file;
	size_t n = 0;

	for (size_t i = 0; i < f->factor_count; i++)
		n += f->factors[i].levels[point->levels[i]].best != NULL;
	return n;
}

/* Points of a program stand together. */
size_t *plan_candidates(const struct sweep_plan *plan, size_t number, size_t *count)
{
	const struct plan_point *point = &plan->points[number];
	size_t first = number, *found = NULL;

	*count = 0;
	while (first && plan->points[first - 1].program == point->program)
		first--;
	for (size_t i = first; i < plan->point_count && plan->points[i].program == point->program; i++)
		if (is_candidate(plan, &plan->points[i], point)) {
			found = xrealloc(found, (*count + 1) * sizeof(*found));
			found[(*count)++] = i;
		}
	return found;
}

/* A best without anything to choose from is no point, nor is the best of bests. */
static void exclude_empty_bests(struct planner *p)
{
	for (size_t i = 0; i < p->plan->point_count; i++) {
		size_t bests = count_best(p->plan, &p->plan->points[i]), count, *candidates;
		bool any = false;

		if (!bests)
			continue;
		candidates = plan_candidates(p->plan, i, &count);
		for (size_t k = 0; k < count; k++)
			any |= !p->excluded[candidates[k]];
		free(candidates);
		p->excluded[i] |= bests > 1 || !any;
	}
}

static void remove_excluded(struct planner *p)
{
	struct sweep_plan *plan = p->plan;
	size_t left = 0;

	for (size_t i = 0; i < plan->point_count; i++) {
		if (p->excluded[i])
			free(plan->points[i].levels);
		else
			plan->points[left++] = plan->points[i];
	}
	plan->point_count = left;
}

static bool apply_rules(struct planner *p)
{
	size_t errors = p->diags->errors;
	bool any = false;

	for (size_t i = 0; i < p->file->exclude_count; i++)
		check_values(p, &p->file->excludes[i]);
	check_values(p, &p->file->baseline);
	if (p->diags->errors != errors)
		return false;
	p->excluded = xcalloc(p->plan->point_count + 1, sizeof(*p->excluded));
	for (size_t i = 0; i < p->file->exclude_count; i++)
		exclude(p, &p->file->excludes[i]);
	exclude_empty_bests(p);
	for (size_t i = 0; i < p->plan->point_count; i++)
		any |= !p->excluded[i];
	if (!any) {
		struct diag_location location = p->file->exclude_count
			? doc_location(p->file->document, p->file->excludes[0].node)
			: (struct diag_location){ 0 };

		diag_error(p->diags, &location, "the exclusions leave no point to run");
	} else if (p->file->exclude_count) {
		check_levels(p);
		check_programs(p);
	}
	if (p->file->design_node && p->diags->errors == errors)
		plan_apply_design(p);
	remove_excluded(p);
	return p->diags->errors == errors;
}

bool plan_make_points(struct planner *p)
{
	return make_points(p) && apply_rules(p);
}
