/* experiment/sweep/plan/plan.c -- the plan of a sweep: machines and jobs for its points. */
#include "experiment/paths.h"
#include "experiment/process.h"
#include "experiment/sweep/plan/plan_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

/* -- machines -- */

static size_t machine_index(const struct planner *p, const struct plan_point *point)
{
	const struct sweep_file *f = p->file;
	size_t index = point->base, seed = 0;

	for (size_t i = 0; i < f->factor_count; i++)
		index = index * f->factors[i].count + point->levels[i];
	while (f->seed_count && f->seeds[seed] != point->seed)
		seed++;
	index = index * plan_seeds(f) + seed;
	return index * (f->own_count + 1) + p->plan->programs[point->program].item->own_number;
}

/* Which machine a point runs on, made when it is asked for first; SIZE_MAX if it cannot be made. */
static size_t machine_for(struct planner *p, const struct plan_point *point)
{
	struct sweep_location location = { p->plan->programs[point->program].item, point->base, point->levels,
		point->has_seed, point->seed };
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
	for (const char **word = plan->machines[machine].words; *word; word++)
		hasher_add_text(&h, *word);
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
	static char run[] = "run", replay[] = "replay", quiet[] = "-q", to[] = "-o",
		    limit[] = "--max-run-instructions", end[] = "--", point[] = "--at", changes[] = "--then";
	const struct sweep_program *program = &plan->programs[job->program];
	char *const *machine = plan->machines[job->machine].arguments,
		    *then = plan->machines[job->machine].then;
	char *const *more = (char *const *)plan->machines[job->machine].words;
	size_t count = count_words(machine) + count_words(program->arguments) + count_words(more) + 16;
	char **words = xcalloc(count, sizeof(*words)), **at = words;

	*at++ = plan->self;
	*at++ = program->is_recording ? replay : run;
	*at++ = quiet;
	for (size_t i = 0; machine[i]; i++)
		*at++ = machine[i];
	if (then) {
		*at++ = point;
		*at++ = (char *)plan->file->at;
		*at++ = changes;
		*at++ = then;
	}
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
	for (size_t i = 0; more[i]; i++)
		*at++ = more[i];
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

/* Jobs by hash while the plan is made: open addressing, twice as many entries as points. */
struct job_table {
	size_t *entries, size;
};

static size_t *job_entry(const struct job_table *t, const struct sweep_plan *plan, const struct hash *hash)
{
	size_t at = strtoull((char[]){ hash->text[0], hash->text[1], hash->text[2], hash->text[3],
				     hash->text[4], hash->text[5], hash->text[6], 0 },
			    NULL, 16) %
		t->size;

	while (t->entries[at] != SIZE_MAX && strcmp(plan->jobs[t->entries[at]].hash.text, hash->text))
		at = (at + 1) % t->size;
	return &t->entries[at];
}

static void make_job(struct planner *p, struct job_table *table, struct plan_point *point, size_t machine)
{
	struct sweep_plan *plan = p->plan;
	struct hash hash = job_hash(plan, point, machine);
	size_t *location = job_entry(table, plan, &hash);
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
	size_t machines = p->file->bases.count * plan_combinations(p->file) * plan_seeds(p->file) *
		(p->file->own_count + 1);

	table.entries = xmalloc(table.size * sizeof(*table.entries));
	memset(table.entries, 0xff, table.size * sizeof(*table.entries));
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
	free(table.entries);
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

static bool make_plan(struct planner *p)
{
	struct sweep_plan *plan = p->plan;
	size_t errors = p->diags->errors;

	plan->self = realpath("/proc/self/exe", NULL);
	if (!process_use_libcuda(p->diags) || !hash_build(p))
		return false;
	if (wants_benchmarks(p->file) && !workloads_find(&plan->workloads, p->diags))
		return false;
	plan->programs = sweep_programs_find(p->file, &plan->workloads, &plan->program_count, p->diags);
	if (!plan->programs || !plan_make_points(p))
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
	fine = make_plan(&p);
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
