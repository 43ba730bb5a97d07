/* experiment/sweep/derived/each.c -- the kernels of points and the values of each. */
#include "experiment/sweep/derived/each.h"
#include "experiment/files.h"
#include "experiment/sweep/derived/kernels.h"
#include "sim/base/xalloc.h"
#include <ctype.h>
#include <math.h>

struct each_kernel {
	char *name;
	bool is_timed, is_chosen;
	double *values; /* by derived value */
};

struct each_point {
	struct each_kernel *kernels;
	size_t count;
};

struct each_values {
	struct store *store;
	const struct sweep_plan *plan;
	long long sweep;
	struct diag_list *diags;
	struct each_point *points;
	sqlite3_stmt *find, *find_own; /* a statistic of a kernel; one of those that stats.txt has by name */
};

/* -- the kernels of points -- */

static void add_kernel(const struct each_values *e, struct each_point *p, const char *name, bool is_timed)
{
	size_t count = e->plan->file->derived_count;
	struct each_kernel *k;

	p->kernels = xrealloc(p->kernels, (p->count + 1) * sizeof(*p->kernels));
	k = &p->kernels[p->count++];
	*k = (struct each_kernel){ .name = xstrdup(name), .is_timed = is_timed };
	k->values = xcalloc(count + 1, sizeof(*k->values));
	for (size_t i = 0; i < count; i++)
		k->values[i] = NAN;
}

static bool load_kernels(struct each_values *e)
{
	sqlite3_stmt *q = store_prepare(e->store, e->diags,
		"SELECT p.number, k.name, r.value > 0 FROM points p JOIN jobs j ON j.id = p.job AND j.state "
		"= 'done' "
		"JOIN job_kernels k ON k.job = p.job LEFT JOIN statistics t ON t.name = "
		"'kernels.timed_launches::' "
		"|| k.name LEFT JOIN results r ON r.job = p.job AND r.statistic = t.id WHERE p.sweep = ? "
		"ORDER BY p.number, k.position",
		"i", e->sweep);
	int code = SQLITE_ERROR;

	while (q && (code = sqlite3_step(q)) == SQLITE_ROW)
		add_kernel(e, &e->points[sqlite3_column_int64(q, 0) - 1],
			(const char *)sqlite3_column_text(q, 1), sqlite3_column_int(q, 2));
	sqlite3_finalize(q);
	return code == SQLITE_DONE;
}

struct each_values *each_new(
	struct store *store, const struct sweep_plan *plan, long long sweep, struct diag_list *diags)
{
	struct each_values *e = xcalloc(1, sizeof(*e));

	*e = (struct each_values){ .store = store, .plan = plan, .sweep = sweep, .diags = diags };
	e->points = xcalloc(plan->point_count + 1, sizeof(*e->points));
	e->find = store_prepare(store, diags,
		"SELECT r.value FROM points p JOIN kernel_results r ON r.job = p.job JOIN statistics t ON "
		"t.id = "
		"r.statistic WHERE p.sweep = ? AND p.number = ? AND t.name = ? AND r.kernel = ?",
		"");
	e->find_own = store_prepare(store, diags,
		"SELECT r.value FROM points p JOIN results r ON r.job = p.job JOIN statistics t ON t.id = "
		"r.statistic WHERE p.sweep = ? AND p.number = ? AND t.name = ?",
		"");
	if (e->find && e->find_own && load_kernels(e))
		return e;
	each_free(e);
	return NULL;
}

void each_free(struct each_values *e)
{
	if (!e)
		return;
	for (size_t p = 0; p < e->plan->point_count; p++) {
		for (size_t k = 0; k < e->points[p].count; k++) {
			free(e->points[p].kernels[k].name);
			free(e->points[p].kernels[k].values);
		}
		free(e->points[p].kernels);
	}
	sqlite3_finalize(e->find);
	sqlite3_finalize(e->find_own);
	free(e->points);
	free(e);
}

size_t each_kernel_count(const struct each_values *e, size_t point)
{
	return e->points[point].count;
}

const char *each_kernel_name(const struct each_values *e, size_t point, size_t kernel)
{
	return e->points[point].kernels[kernel].name;
}

/* SIZE_MAX: the point has none of the name. */
static size_t kernel_named(const struct each_point *p, const char *name)
{
	for (size_t k = 0; k < p->count; k++)
		if (!strcmp(p->kernels[k].name, name))
			return k;
	return SIZE_MAX;
}

/* -- values -- */

double each_statistic(struct each_values *e, size_t point, const char *kernel, const char *name)
{
	size_t k = kernel_named(&e->points[point], kernel);
	bool is_own = is_kernel_counter(name);
	sqlite3_stmt *q = is_own ? e->find_own : e->find;
	char *statistic = is_own ? kernel_statistic(name, kernel) : xstrdup(name);
	double value = NAN;

	if (k != SIZE_MAX && e->points[point].kernels[k].is_timed) {
		sqlite3_bind_int64(q, 1, e->sweep);
		sqlite3_bind_int64(q, 2, (sqlite3_int64)point + 1);
		sqlite3_bind_text(q, 3, statistic, -1, SQLITE_TRANSIENT);
		if (!is_own)
			sqlite3_bind_int64(q, 4, (sqlite3_int64)k + 1);
		if (sqlite3_step(q) == SQLITE_ROW)
			value = sqlite3_column_double(q, 0);
		sqlite3_reset(q);
	}
	free(statistic);
	return value;
}

double each_value(const struct each_values *e, size_t derived, size_t point, const char *kernel)
{
	size_t k = kernel_named(&e->points[point], kernel);

	return k == SIZE_MAX ? NAN : e->points[point].kernels[k].values[derived];
}

void each_set(struct each_values *e, size_t derived, size_t point, size_t kernel, double value)
{
	e->points[point].kernels[kernel].values[derived] = value;
}

/* -- which kernels the sweep file chooses -- */

/* A number from 1; 0: a name. */
static size_t column_number(const char *text)
{
	return isdigit((unsigned char)*text) ? strtoul(text, NULL, 10) : 0;
}

/* numbered: p's kernels are in the order of first launch. */
static void refuse(const struct sweep_program *program, const struct each_point *p, size_t which,
	bool numbered, const struct sweep_plan *plan, struct diag_list *diags)
{
	const struct sweep_texts *asked = &program->item->kernels;
	struct diag_location location = doc_location(plan->file->document, asked->nodes[which]);
	const char **names = xcalloc(p->count + 1, sizeof(*names)), *nearest;
	size_t size;
	char *all;
	FILE *f = open_memstream(&all, &size);

	bug_if(!f, "out of memory");
	for (size_t k = 0; k < p->count; k++) {
		names[k] = p->kernels[k].name;
		fprintf(f, "%s%.0zu%s%s", k ? ", " : "", numbered ? k + 1 : 0, numbered ? " " : "", names[k]);
	}
	fclose(f);
	nearest = column_number(asked->items[which]) ? NULL
						     : diag_nearest(asked->items[which], names, p->count);
	diag_error(diags, &location, "kernels: %s has no kernel %s%s%s%s; %s %s", program->label,
		asked->items[which], nearest ? "; did you mean " : "", nearest ? nearest : "",
		nearest ? "?" : "", numbered ? "it launched" : "its PTX has", all);
	free(names);
	free(all);
}

/* false, with a diagnostic for the first that the point does not have. */
static bool choose_values(const struct each_values *e, size_t point)
{
	const struct sweep_program *program = &e->plan->programs[e->plan->points[point].program];
	const struct sweep_texts *asked = &program->item->kernels;
	struct each_point *p = &e->points[point];

	for (size_t k = 0; k < p->count; k++)
		p->kernels[k].is_chosen = !asked->count && p->kernels[k].is_timed;
	for (size_t i = 0; p->count && i < asked->count; i++) {
		size_t number = column_number(asked->items[i]),
		       k = number ? number - 1 : kernel_named(p, asked->items[i]);

		if (k >= p->count) {
			refuse(program, p, i, true, e->plan, e->diags);
			return false;
		}
		p->kernels[k].is_chosen = true;
	}
	return true;
}

/* Programs whose kernels are not what the file says are named once, not for each of their points. */
static bool choose_all(struct each_values *e)
{
	const struct sweep_plan *plan = e->plan;
	bool *is_wrong = xcalloc(plan->program_count + 1, sizeof(*is_wrong)), fine = true;

	for (size_t p = 0; p < plan->point_count; p++) {
		bool *wrong = &is_wrong[plan->points[p].program];

		*wrong = *wrong || !choose_values(e, p);
		fine &= !*wrong;
	}
	free(is_wrong);
	return fine;
}

/* -- storing -- */

static bool store_kernel(struct each_values *e, size_t point, size_t kernel)
{
	const struct sweep_file *f = e->plan->file;
	const struct each_kernel *k = &e->points[point].kernels[kernel];
	long long number = (long long)point + 1, position = (long long)kernel + 1;
	bool fine = store_run(e->store, e->diags, "INSERT INTO point_kernels VALUES(?, ?, ?, ?)", "iiit",
		e->sweep, number, position, k->name);

	for (size_t i = 0; i < f->derived_count && fine; i++)
		if (!isnan(k->values[i]))
			fine = store_run(e->store, e->diags,
				"INSERT INTO derived_kernel_results VALUES(?, ?, ?, ?, ?)", "itiir", e->sweep,
				f->derived[i].name, number, position, k->values[i]);
	return fine;
}

bool each_store(struct each_values *e)
{
	bool fine = choose_all(e) &&
		store_run(e->store, e->diags, "DELETE FROM point_kernels WHERE sweep = ?", "i", e->sweep) &&
		store_run(e->store, e->diags, "DELETE FROM derived_kernel_results WHERE sweep = ?", "i",
			e->sweep);

	for (size_t p = 0; p < e->plan->point_count && fine; p++)
		for (size_t k = 0; k < e->points[p].count && fine; k++)
			if (e->points[p].kernels[k].is_chosen)
				fine = store_kernel(e, p, k);
	return fine;
}

/* -- before the first job -- */

/* The next kernel of a PTX text: behind the word .entry; NULL: there is none. *length of its name. */
static const char *next_entry(const char *text, size_t *length)
{
	text = strstr(text, ".entry");
	if (!text)
		return NULL;
	text += strlen(".entry");
	text += strspn(text, " \t\r\n");
	*length = strcspn(text, " \t\r\n({");
	return text;
}

/* The kernels of the PTX, in its order: more than the program launches, perhaps. */
static void load_entries(struct each_point *p, const char *ptx)
{
	size_t length;

	for (const char *name = ptx; (name = next_entry(name, &length)); name += length) {
		p->kernels = xrealloc(p->kernels, (p->count + 1) * sizeof(*p->kernels));
		p->kernels[p->count] = (struct each_kernel){ .name = strndup(name, length) };
		bug_if(!p->kernels[p->count].name, "out of memory");
		p->count++;
	}
}

static bool check_program(
	const struct sweep_program *program, const struct sweep_plan *plan, struct diag_list *diags)
{
	const struct sweep_texts *asked = &program->item->kernels;
	struct each_point p = { 0 };
	char *ptx = asked->count && program->workload && program->workload->ptx
		? file_read(program->workload->ptx, NULL)
		: NULL;
	bool fine = true;

	if (ptx)
		load_entries(&p, ptx);
	for (size_t i = 0; ptx && i < asked->count; i++) {
		size_t number = column_number(asked->items[i]);

		if (number ? number <= p.count : kernel_named(&p, asked->items[i]) != SIZE_MAX)
			continue;
		refuse(program, &p, i, false, plan, diags);
		fine = false;
	}
	for (size_t k = 0; k < p.count; k++)
		free(p.kernels[k].name);
	free(p.kernels);
	free(ptx);
	return fine;
}

bool each_check(const struct sweep_plan *plan, struct diag_list *diags)
{
	bool fine = true;

	for (size_t i = 0; i < plan->program_count; i++)
		fine &= check_program(&plan->programs[i], plan, diags);
	return fine;
}
