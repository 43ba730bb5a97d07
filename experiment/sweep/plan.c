/* experiment/sweep/plan.c -- the product of workloads, bases, levels and seeds, without what is excluded;
 * machines and jobs for it. */
#include "experiment/sweep/plan.h"
#include "experiment/paths.h"
#include "experiment/process.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

struct planner {
	struct sweep_plan *plan;
	const struct sweep_file *file;
	struct diag_list *diags;
	size_t *machine_of; /* by base, levels and seed; SIZE_MAX: not made yet, SIZE_MAX - 1: cannot be made
			     */
	bool *excluded;     /* by point, before they are taken out */
};

static size_t combinations(const struct sweep_file *f)
{
	size_t n = 1;

	for (size_t i = 0; i < f->factor_count; i++)
		n *= f->factors[i].count;
	return n;
}

static size_t seeds(const struct sweep_file *f)
{
	return f->seed_count ? f->seed_count : 1;
}

/* -- points -- */

#define MOST_POINTS 1000000

static void add_point(struct planner *p, size_t program, size_t base, size_t combination, size_t seed)
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
	double most = (double)p->plan->program_count * (double)f->bases.count * (double)seeds(f);

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
			for (size_t c = 0; c < combinations(f); c++)
				for (size_t s = 0; s < seeds(f); s++)
					add_point(p, w, b, c, s);
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
	remove_excluded(p);
	return p->diags->errors == errors;
}

/* -- machines -- */

static size_t machine_index(const struct planner *p, const struct plan_point *point)
{
	const struct sweep_file *f = p->file;
	size_t index = point->base, seed = 0;

	for (size_t i = 0; i < f->factor_count; i++)
		index = index * f->factors[i].count + point->levels[i];
	while (f->seed_count && f->seeds[seed] != point->seed)
		seed++;
	return index * seeds(f) + seed;
}

/* Which machine a point runs on, made when it is asked for first; SIZE_MAX if it cannot be made. */
static size_t machine_for(struct planner *p, const struct plan_point *point)
{
	struct sweep_location location = { point->base, point->levels, point->has_seed, point->seed };
	size_t *known = &p->machine_of[machine_index(p, point)];
	struct sweep_machine machine;

	if (*known == SIZE_MAX) {
		*known = SIZE_MAX - 1;
		if (sweep_machine_make(&machine, p->file, &location, p->diags)) {
			p->plan->machines =
				xrealloc(p->plan->machines, (p->plan->machine_count + 1) * sizeof(machine));
			*known = p->plan->machine_count;
			p->plan->machines[p->plan->machine_count++] = machine;
		} else {
			sweep_machine_free(&machine);
		}
	}
	return *known == SIZE_MAX - 1 ? SIZE_MAX : *known;
}

/* -- jobs -- */

static char *seed_text(const struct plan_point *point)
{
	char *text = NULL;

	if (asprintf(&text, "%u", point->seed) < 0)
		bug("out of memory");
	return text;
}

/* Ours take --seed; other programs get it through the machine alone. */
static bool takes_seed(const struct sweep_plan *plan, const struct plan_point *point)
{
	return point->has_seed && plan->programs[point->program].workload;
}

static struct hash job_hash(const struct sweep_plan *plan, const struct plan_point *point, size_t machine)
{
	const struct sweep_program *program = &plan->programs[point->program];
	char number[24];
	struct hasher h;

	hasher_init(&h);
	hasher_add_text(&h, plan->build.text);
	hasher_add_text(&h, program->hash.text);
	hasher_add_text(&h, plan->machines[machine].hash.text);
	for (size_t i = 0; program->arguments[i]; i++)
		hasher_add_text(&h, program->arguments[i]);
	snprintf(number, sizeof(number), "limit %" PRIu64, program->limit);
	hasher_add_text(&h, number);
	if (takes_seed(plan, point)) {
		snprintf(number, sizeof(number), "seed %u", point->seed);
		hasher_add_text(&h, number);
	}
	return hasher_end(&h);
}

static size_t count_words(char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

char **plan_arguments(const struct sweep_plan *plan, const struct plan_job *job, const char *output)
{
	static char run[] = "run", quiet[] = "-q", to[] = "-o", limit[] = "--max-run-instructions",
		    end[] = "--";
	const struct sweep_program *program = &plan->programs[job->program];
	char *const *machine = plan->machines[job->machine].arguments;
	char **words = xcalloc(count_words(machine) + count_words(program->arguments) + 16, sizeof(*words)),
	     **at = words;

	*at++ = plan->self;
	*at++ = run;
	*at++ = quiet;
	for (size_t i = 0; machine[i]; i++)
		*at++ = machine[i];
	if (program->limit) {
		*at++ = limit;
		*at++ = (char *)program->limit_text;
	}
	if (output) {
		*at++ = to;
		*at++ = (char *)output;
	}
	*at++ = end;
	*at++ = program->path;
	for (size_t i = 0; program->arguments[i]; i++)
		*at++ = program->arguments[i];
	if (job->seed) {
		static char seed[] = "--seed";

		*at++ = seed;
		*at++ = job->seed;
	}
	return words;
}

static char *command_of(const struct sweep_plan *plan, const struct plan_job *job)
{
	char **words = plan_arguments(plan, job, NULL), *line = process_command_line("lockstep", words + 1);

	free(words);
	return line;
}

/* Jobs by hash while the plan is made: open addressing, twice as many places as points. */
struct job_table {
	size_t *places, size;
};

static size_t *job_place(const struct job_table *t, const struct sweep_plan *plan, const struct hash *hash)
{
	size_t at = strtoull((char[]){ hash->text[0], hash->text[1], hash->text[2], hash->text[3],
				     hash->text[4], hash->text[5], hash->text[6], 0 },
			    NULL, 16) %
		t->size;

	while (t->places[at] != SIZE_MAX && strcmp(plan->jobs[t->places[at]].hash.text, hash->text))
		at = (at + 1) % t->size;
	return &t->places[at];
}

static void make_job(struct planner *p, struct job_table *table, struct plan_point *point, size_t machine)
{
	struct sweep_plan *plan = p->plan;
	struct hash hash = job_hash(plan, point, machine);
	size_t *location = job_place(table, plan, &hash);
	struct plan_job *job;

	if (*location == SIZE_MAX) {
		*location = plan->job_count++;
		job = &plan->jobs[*location];
		*job = (struct plan_job){ .hash = hash, .program = point->program, .machine = machine };
		job->seed = takes_seed(plan, point) ? seed_text(point) : NULL;
		job->command = command_of(plan, job);
	}
	point->job = *location;
}

static void make_jobs(struct planner *p)
{
	struct sweep_plan *plan = p->plan;
	struct job_table table = { .size = 2 * plan->point_count + 1 };
	size_t machines = p->file->bases.count * combinations(p->file) * seeds(p->file);

	table.places = xmalloc(table.size * sizeof(*table.places));
	memset(table.places, 0xff, table.size * sizeof(*table.places));
	p->machine_of = xmalloc(machines * sizeof(*p->machine_of));
	memset(p->machine_of, 0xff, machines * sizeof(*p->machine_of));
	plan->jobs = xcalloc(plan->point_count + 1, sizeof(*plan->jobs));
	for (size_t i = 0; i < plan->point_count && !diag_is_full(p->diags); i++) {
		size_t machine = SIZE_MAX;

		plan->points[i].job = NO_JOB;
		if (!plan_best(plan, &plan->points[i]))
			machine = machine_for(p, &plan->points[i]);
		if (machine != SIZE_MAX)
			make_job(p, &table, &plan->points[i], machine);
	}
	free(p->machine_of);
	free(table.places);
}

/* -- the plan -- */

/* The simulator is what its two libraries are. */
static bool hash_build(struct planner *p)
{
	static const char *const libraries[] = { "liblockstep.so", "libcuda.so.1" };
	struct hasher h;
	bool fine = true;

	hasher_init(&h);
	for (size_t i = 0; i < 2; i++) {
		char *path = paths_library(libraries[i]);

		if (!path)
			diag_error(p->diags, NULL,
				"%s is not where it should be, in the folder lib beside that of the lockstep "
				"program",
				libraries[i]);
		fine &= path && hasher_add_file(&h, path, p->diags);
		free(path);
	}
	p->plan->build = hasher_end(&h);
	return fine;
}

/* Each benchmark is asked what it is, which takes time. */
static bool wants_benchmarks(const struct sweep_file *f)
{
	for (size_t i = 0; i < f->item_count; i++)
		if (f->items[i].word)
			return true;
	return false;
}

static bool make(struct planner *p)
{
	struct sweep_plan *plan = p->plan;
	size_t errors = p->diags->errors;

	plan->self = realpath("/proc/self/exe", NULL);
	if (!process_use_libcuda(p->diags) || !hash_build(p))
		return false;
	if (wants_benchmarks(p->file) && !workloads_find(&plan->workloads, p->diags))
		return false;
	plan->programs = sweep_programs_find(p->file, &plan->workloads, &plan->program_count, p->diags);
	if (!plan->programs || !make_points(p) || !apply_rules(p))
		return false;
	make_jobs(p);
	return p->diags->errors == errors;
}

struct sweep_plan *sweep_plan_make(const struct sweep_file *file, struct diag_list *diags)
{
	struct sweep_plan *plan = xcalloc(1, sizeof(*plan));
	struct planner p = { .plan = plan, .file = file, .diags = diags };
	bool fine;

	plan->file = file;
	fine = make(&p);
	free(p.excluded);
	if (fine)
		return plan;
	sweep_plan_free(plan);
	return NULL;
}

void sweep_plan_free(struct sweep_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->job_count; i++) {
		free(plan->jobs[i].command);
		free(plan->jobs[i].seed);
	}
	for (size_t i = 0; i < plan->machine_count; i++)
		sweep_machine_free(&plan->machines[i]);
	for (size_t i = 0; i < plan->point_count; i++)
		free(plan->points[i].levels);
	sweep_programs_free(plan->programs, plan->program_count);
	workloads_fini(&plan->workloads);
	free(plan->jobs);
	free(plan->machines);
	free(plan->points);
	free(plan->self);
	free(plan);
}
