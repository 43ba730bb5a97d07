/* experiment/sweep/store.c -- the plan of a sweep in the database, and results as they come. */
#include "experiment/sweep/store.h"
#include "experiment/sweep/results.h"
#include "sim/base/build_id.h"
#include "sim/base/xalloc.h"

/* -- the plan -- */

static bool store_sweep(
	struct store *s, const struct sweep_plan *plan, long long *sweep, struct diag_list *diags)
{
	const struct sweep_file *f = plan->file;

	if (!store_run(s, diags,
		    "INSERT INTO sweeps(name, text, path) VALUES(?, ?, ?) ON CONFLICT(name) DO UPDATE SET "
		    "text = excluded.text, path = excluded.path",
		    "ttt", f->name, f->text, f->path))
		return false;
	*sweep = store_number(s, diags, 0, "SELECT id FROM sweeps WHERE name = ?", "t", f->name);
	return *sweep && store_run(s, diags, "DELETE FROM levels WHERE sweep = ?", "i", *sweep) &&
		store_run(s, diags, "DELETE FROM points WHERE sweep = ?", "i", *sweep) &&
		store_run(s, diags, "DELETE FROM derived WHERE sweep = ?", "i", *sweep);
}

/* What a level changes, as on a command line; or what it is the best of. */
static char *changes_text(const struct sweep_factor *factor, const struct sweep_level *level)
{
	const struct sweep_changes *c = &level->changes;
	size_t size, n = 0;
	char *text;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (size_t i = 0; level->best && i < factor->count; i++)
		if (!factor->levels[i].best && level->best->of[i])
			fprintf(f, "%s%s", n++ ? ", " : "the best of ", factor->levels[i].name);
	if (level->best)
		fprintf(f, " by the %s %s", level->best->least ? "least" : "greatest", level->best->by);
	for (size_t i = 0; i < c->configs.count; i++)
		fprintf(f, "%s-c %s", i ? " " : "", c->configs.items[i]);
	for (size_t i = 0; i < c->paths.count; i++)
		fprintf(f, "%s--set %s=%s", i || c->configs.count ? " " : "", c->paths.items[i],
			c->values.items[i]);
	fclose(f);
	return text;
}

static bool store_levels(
	struct store *s, const struct sweep_plan *plan, long long sweep, struct diag_list *diags)
{
	const struct sweep_file *f = plan->file;
	bool fine = true;

	for (size_t i = 0; i < f->factor_count; i++) {
		for (size_t k = 0; k < f->factors[i].count && fine; k++) {
			char *changes = changes_text(&f->factors[i], &f->factors[i].levels[k]);

			fine = store_run(s, diags, "INSERT INTO levels VALUES(?, ?, ?, ?, ?, ?)", "ititit",
				sweep, f->factors[i].name, (long long)i + 1, f->factors[i].levels[k].name,
				(long long)k + 1, changes);
			free(changes);
		}
	}
	return fine;
}

static bool store_build(struct store *s, const struct sweep_plan *plan, struct diag_list *diags)
{
	return store_run(s, diags, "INSERT OR IGNORE INTO builds VALUES(?, ?, ?)", "ttt", plan->build.text,
		LOCKSTEP_VERSION, build_id());
}

static bool store_jobs(struct store *s, const struct sweep_plan *plan, bool retry, struct stored_job *jobs,
	struct diag_list *diags)
{
	sqlite3_stmt *config = store_prepare(s, diags, "INSERT OR IGNORE INTO configs VALUES(?, ?)", "");
	sqlite3_stmt *job = store_prepare(s, diags,
		"INSERT OR IGNORE INTO jobs(hash, program, config, build, command) VALUES(?, ?, ?, ?, ?)",
		"");
	bool fine = config && job;

	for (size_t i = 0; i < plan->machine_count && fine; i++)
		fine = store_again(
			s, diags, config, "tt", plan->machines[i].hash.text, plan->machines[i].text);
	for (size_t i = 0; i < plan->job_count && fine; i++) {
		const struct plan_job *j = &plan->jobs[i];

		fine = store_again(s, diags, job, "ttttt", j->hash.text, plan->programs[j->program].hash.text,
			plan->machines[j->machine].hash.text, plan->build.text, j->command);
		jobs[i].id = fine
			? store_number(s, diags, 0, "SELECT id FROM jobs WHERE hash = ?", "t", j->hash.text)
			: 0;
		if (fine && retry)
			fine = store_run(s, diags,
				"UPDATE jobs SET state = 'open', message = '' WHERE id = ? AND state = "
				"'failed'",
				"i", jobs[i].id);
		fine = fine && jobs[i].id;
		if (fine)
			jobs[i].state = sweep_store_state(s, jobs[i].id, diags);
	}
	sqlite3_finalize(config);
	sqlite3_finalize(job);
	return fine;
}

static bool store_points(struct store *s, const struct sweep_plan *plan, long long sweep,
	const struct stored_job *jobs, struct diag_list *diags)
{
	const struct sweep_file *f = plan->file;
	sqlite3_stmt *point =
		store_prepare(s, diags, "INSERT INTO points VALUES(?, ?, ?, ?, ?, nullif(?, ''), ?)", "");
	sqlite3_stmt *level = store_prepare(s, diags, "INSERT INTO point_levels VALUES(?, ?, ?, ?)", "");
	bool fine = point && level;
	char seed[16];

	for (size_t i = 0; i < plan->point_count && fine; i++) {
		const struct plan_point *p = &plan->points[i];
		long long job = p->job == NO_JOB ? sweep_best_job(s, plan, i, diags) : jobs[p->job].id;

		fine = job &&
			store_again(s, diags, point, "iiitttt", sweep, (long long)i + 1, job,
				plan->programs[p->program].label, plan->programs[p->program].size,
				plan_value(plan, p, "seed", seed), f->bases.items[p->base]);
		for (size_t k = 0; k < f->factor_count && fine; k++)
			fine = store_again(s, diags, level, "iitt", sweep, (long long)i + 1,
				f->factors[k].name, f->factors[k].levels[p->levels[k]].name);
	}
	sqlite3_finalize(point);
	sqlite3_finalize(level);
	return fine;
}

static bool store_derived_names(
	struct store *s, const struct sweep_plan *plan, long long sweep, struct diag_list *diags)
{
	const struct sweep_file *f = plan->file;
	bool fine = true;

	for (size_t i = 0; i < f->derived_count && fine; i++) {
		const struct sweep_derived *d = &f->derived[i];

		fine = store_run(s, diags, "INSERT INTO derived VALUES(?, ?, ?, ?, ?, ?)", "itittt", sweep,
			d->name, (long long)i + 1, d->formula, d->unit, d->mean);
		if (fine && d->is_each)
			fine = store_run(s, diags, "INSERT INTO derived_of_kernels VALUES(?, ?)", "it", sweep,
				d->name);
	}
	return fine;
}

long long sweep_store_plan(struct store *s, const struct sweep_plan *plan, bool retry,
	struct stored_job *jobs, struct diag_list *diags)
{
	long long sweep = 0;
	bool fine = store_begin(s, diags);

	if (!fine)
		return 0;
	fine = store_sweep(s, plan, &sweep, diags) && store_build(s, plan, diags) &&
		store_levels(s, plan, sweep, diags) && store_jobs(s, plan, retry, jobs, diags) &&
		store_points(s, plan, sweep, jobs, diags) && sweep_best_store(s, plan, sweep, diags) &&
		store_derived_names(s, plan, sweep, diags);
	return store_end(s, fine, diags) ? sweep : 0;
}

enum stored_state sweep_store_state(struct store *s, long long job, struct diag_list *diags)
{
	return (enum stored_state)store_number(s, diags, STORED_UNKNOWN,
		"SELECT CASE state WHEN 'open' THEN 0 WHEN 'done' THEN 1 ELSE 2 END FROM jobs WHERE id = ?",
		"i", job);
}

/* -- results -- */

static bool store_attempt(struct store *s, long long job, const char *engine, const struct job_result *r,
	struct diag_list *diags)
{
	long long number =
		store_number(s, diags, 0, "SELECT max(number) FROM attempts WHERE job = ?", "i", job) + 1;

	return store_run(s, diags, "INSERT INTO attempts VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iititttiri",
		job, number, job_outcome_names[r->outcome], (long long)r->status, r->message, engine, r->host,
		r->started, r->seconds, (long long)r->peak_kib);
}

struct storing {
	struct store *store;
	struct diag_list *diags;
	long long job;
	sqlite3_stmt *name, *find, *value, *point, *kernel, *kernel_value;
	long long kernels; /* that have been stored */
	bool fine;
};

static long long statistic_id(struct storing *t, const char *name, const char *unit, const char *help)
{
	long long id = 0;

	t->fine &= store_again(t->store, t->diags, t->name, "ttt", name, unit, help);
	sqlite3_bind_text(t->find, 1, name, -1, SQLITE_TRANSIENT);
	if (sqlite3_step(t->find) == SQLITE_ROW)
		id = sqlite3_column_int64(t->find, 0);
	sqlite3_reset(t->find);
	t->fine &= id > 0;
	return id;
}

/* The kernels of the job stand in stats.txt in the order of first launch, with their launches first. */
static void store_kernel(struct storing *t, const struct result_row *row)
{
	static const char prefix[] = "kernels.launches::";

	if (!strncmp(row->name, prefix, strlen(prefix)))
		t->fine = store_again(t->store, t->diags, t->kernel, "iit", t->job, ++t->kernels,
			row->name + strlen(prefix));
}

static void store_kernel_value(struct storing *t, const struct result_row *row, long long id)
{
	t->fine = row->is_whole ? store_again(t->store, t->diags, t->kernel_value, "iiit", id, row->whole,
					  t->job, row->kernel)
				: store_again(t->store, t->diags, t->kernel_value, "irit", id, row->real,
					  t->job, row->kernel);
}

static void store_statistic(void *user, const struct result_row *row)
{
	struct storing *t = user;
	long long id = t->fine ? statistic_id(t, row->name, row->unit, row->help) : 0;

	if (!t->fine)
		return;
	if (row->kernel) {
		store_kernel_value(t, row, id);
		return;
	}
	store_kernel(t, row);
	if (!t->fine)
		return;
	if (row->cycle >= 0)
		t->fine = row->is_whole ? store_again(t->store, t->diags, t->point, "iiii", t->job,
						  row->cycle, id, row->whole)
					: store_again(t->store, t->diags, t->point, "iiir", t->job,
						  row->cycle, id, row->real);
	else
		t->fine = row->is_whole
			? store_again(t->store, t->diags, t->value, "iii", t->job, id, row->whole)
			: store_again(t->store, t->diags, t->value, "iir", t->job, id, row->real);
}

/* Statistics and series; *message, of size, says what is wrong with the files, if something is. */
static bool store_statistics(
	struct store *s, long long job, const char *out, char *message, size_t size, struct diag_list *diags)
{
	struct storing t = { .store = s,
		.diags = diags,
		.job = job,
		.name = store_prepare(s, diags,
			"INSERT INTO statistics(name, unit, help) VALUES(?, ?, ?) ON CONFLICT(name) DO "
			"UPDATE SET unit = excluded.unit, help = excluded.help "
			"WHERE unit = '' AND help = ''",
			""), /* a series knows the name alone */
		.find = store_prepare(s, diags, "SELECT id FROM statistics WHERE name = ?", ""),
		.value = store_prepare(s, diags, "INSERT OR REPLACE INTO results VALUES(?, ?, ?)", ""),
		.point = store_prepare(s, diags, "INSERT OR REPLACE INTO series VALUES(?, ?, ?, ?)", ""),
		.kernel = store_prepare(s, diags, "INSERT OR REPLACE INTO job_kernels VALUES(?, ?, ?)", ""),
		.kernel_value = store_prepare(s, diags,
			"INSERT OR REPLACE INTO kernel_results SELECT job, position, ?1, ?2 FROM job_kernels "
			"WHERE "
			"job = ?3 AND name = ?4",
			"") };

	t.fine = t.name && t.find && t.value && t.point && t.kernel && t.kernel_value;
	if (t.fine)
		results_read(out, store_statistic, &t, message, size);
	sqlite3_finalize(t.name);
	sqlite3_finalize(t.find);
	sqlite3_finalize(t.value);
	sqlite3_finalize(t.point);
	sqlite3_finalize(t.kernel);
	sqlite3_finalize(t.kernel_value);
	return t.fine;
}

/* -- kernels without timing -- */

char *sweep_untimed_kernel(struct store *s, long long job, struct diag_list *diags)
{
	sqlite3_stmt *q = store_prepare(s, diags,
		"SELECT substr(t.name, length('kernels.never_timed::') + 1) FROM results r JOIN statistics t "
		"ON "
		"t.id = r.statistic WHERE r.job = ? AND t.name GLOB 'kernels.never_timed::*' AND r.value = 1 "
		"ORDER BY t.id",
		"");
	char *name = NULL;

	if (!q)
		return NULL;
	sqlite3_bind_int64(q, 1, job);
	if (sqlite3_step(q) == SQLITE_ROW)
		name = xstrdup((const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return name;
}

/* *message, of size, says which kernel the statistics know nothing of, if there is one. */
static void check_kernels(struct store *s, long long job, char *message, size_t size, struct diag_list *diags)
{
	char *name = sweep_untimed_kernel(s, job, diags);

	if (name)
		snprintf(message, size,
			"kernel %.200s was never timed: a limit (gpu.timing_limit) ended the timing before "
			"its "
			"first launch; 'allow_untimed_kernels: true' in the sweep file permits this",
			name);
	free(name);
}

static bool update_state(
	struct store *s, long long job, enum stored_state state, const char *message, struct diag_list *diags)
{
	static const char *const names[] = { "open", "done", "failed" };

	return store_run(s, diags, "UPDATE jobs SET state = ?, message = ? WHERE id = ?", "tti", names[state],
		message, job);
}

bool sweep_store_result(struct store *s, long long job, const char *engine, struct job_result *r,
	const char *out, enum stored_state state, bool may_leave_kernels, struct diag_list *diags)
{
	char wrong[sizeof(r->message)] = "";
	bool fine;

	if (!store_begin(s, diags))
		return false;
	if (sweep_store_state(s, job, diags) == STORED_DONE)
		return store_end(s, true, diags);
	fine = state != STORED_DONE || store_statistics(s, job, out, wrong, sizeof(wrong), diags);
	if (fine && !*wrong && state == STORED_DONE && !may_leave_kernels)
		check_kernels(s, job, wrong, sizeof(wrong), diags);
	if (fine && *wrong) {
		if (!store_end(s, false, diags) && diags->errors)
			return false;
		r->outcome = JOB_FAILED;
		snprintf(r->message, sizeof(r->message), "%s", wrong);
		return sweep_store_result(s, job, engine, r, out, STORED_FAILED, true, diags);
	}
	fine = fine && store_attempt(s, job, engine, r, diags) &&
		update_state(s, job, state, state == STORED_FAILED ? r->message : "", diags);
	return store_end(s, fine, diags);
}
