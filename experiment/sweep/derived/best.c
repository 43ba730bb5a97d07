/* experiment/sweep/derived/best.c -- points that are the best of others (best static warp limit of each
 * workload): found when all of these are done.
 *
 * Until then such a point has a job in its place that nobody runs, open or failed; afterwards the best one's.
 * So whoever reads the database never takes the best of some for the best. */
#include "experiment/sweep/store.h"
#include "sim/base/xalloc.h"

struct hash sweep_best_hash(const struct sweep_plan *plan, size_t point)
{
	const struct sweep_best *best = plan_best(plan, &plan->points[point]);
	size_t count, *candidates = plan_candidates(plan, point, &count);
	struct hasher h;

	hasher_init(&h);
	hasher_add_text(&h, best->least ? "least" : "greatest");
	hasher_add_text(&h, best->by);
	for (size_t i = 0; i < count; i++)
		hasher_add_text(&h, plan->jobs[plan->points[candidates[i]].job].hash.text);
	free(candidates);
	return hasher_end(&h);
}

long long sweep_best_job(
	struct store *s, const struct sweep_plan *plan, size_t point, struct diag_list *diags)
{
	size_t count, *candidates = plan_candidates(plan, point, &count);
	const struct plan_job *first = &plan->jobs[plan->points[candidates[0]].job];
	struct hash hash = sweep_best_hash(plan, point);
	bool fine = store_run(s, diags,
		"INSERT OR IGNORE INTO jobs(hash, program, config, build, command) VALUES(?, ?, ?, ?, ?)",
		"ttttt", hash.text, plan->programs[first->program].hash.text,
		plan->machines[first->machine].hash.text, plan->build.text, "");

	free(candidates);
	return fine ? store_number(s, diags, 0, "SELECT id FROM jobs WHERE hash = ?", "t", hash.text) : 0;
}

struct found {
	const char *state; /* of the best: of its job in its place too */
	char message[512];
	long long job; /* that is best; 0: not known */
	double value;
};

/* The level in which the candidate differs. */
static const char *level_of(const struct sweep_plan *plan, size_t candidate, size_t point)
{
	const struct sweep_file *f = plan->file;

	for (size_t i = 0; i < f->factor_count; i++)
		if (plan->points[candidate].levels[i] != plan->points[point].levels[i])
			return f->factors[i].levels[plan->points[candidate].levels[i]].name;
	return "";
}

/* Looks at a candidate; false: the best is not to be known. */
static bool look_at_candidate(
	struct found *found, const struct sweep_best *best, sqlite3_stmt *q, const char *level)
{
	const char *state = (const char *)sqlite3_column_text(q, 1);
	double value = sqlite3_column_double(q, 2);

	if (strcmp(state, "done")) {
		found->state = strcmp(state, "open") ? "failed" : "open";
		snprintf(found->message, sizeof(found->message), "%s %s", level,
			strcmp(state, "open") ? "has failed" : "has not run");
		return false;
	}
	if (sqlite3_column_type(q, 2) == SQLITE_NULL) {
		found->state = "failed";
		snprintf(found->message, sizeof(found->message), "%s has no %s", level, best->by);
		return false;
	}
	if (!found->job || (best->least ? value < found->value : value > found->value)) {
		found->job = sqlite3_column_int64(q, 0);
		found->value = value;
		snprintf(found->message, sizeof(found->message), "%s", level);
	}
	return true;
}

static struct found find_best(
	struct store *s, const struct sweep_plan *plan, size_t point, struct diag_list *diags)
{
	const struct sweep_best *best = plan_best(plan, &plan->points[point]);
	size_t count, *candidates = plan_candidates(plan, point, &count);
	struct found found = { .state = "done" };
	bool fine = true;

	for (size_t i = 0; i < count && fine; i++) {
		sqlite3_stmt *q = store_prepare(s, diags,
			"SELECT j.id, j.state, r.value FROM jobs j LEFT JOIN statistics t ON t.name = ?2 "
			"LEFT JOIN results r ON r.job = j.id AND r.statistic = t.id WHERE j.hash = ?1",
			"tt", plan->jobs[plan->points[candidates[i]].job].hash.text, best->by);

		fine = q && sqlite3_step(q) == SQLITE_ROW &&
			look_at_candidate(&found, best, q, level_of(plan, candidates[i], point));
		sqlite3_finalize(q);
	}
	free(candidates);
	if (!fine)
		found.job = 0;
	return found;
}

bool sweep_best_store(
	struct store *s, const struct sweep_plan *plan, long long sweep, struct diag_list *diags)
{
	size_t errors = diags->errors;
	bool fine = true;

	for (size_t i = 0; i < plan->point_count && fine; i++) {
		struct hash hash;
		struct found found;

		if (plan->points[i].job != NO_JOB)
			continue;
		hash = sweep_best_hash(plan, i);
		found = find_best(s, plan, i, diags);
		fine = diags->errors == errors &&
			store_run(s, diags, "UPDATE jobs SET state = ?, message = ? WHERE hash = ?", "ttt",
				found.state, found.message, hash.text) &&
			store_run(s, diags,
				"UPDATE points SET job = coalesce(nullif(?1, 0), (SELECT id FROM jobs WHERE "
				"hash = ?2)) WHERE sweep = ?3 AND number = ?4",
				"itii", found.job, hash.text, sweep, (long long)i + 1);
	}
	return fine;
}
