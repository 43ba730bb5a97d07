/* experiment/sweep/derived/derived.c -- the derived values of a sweep: checked before the first job,
 * evaluated from the database. */
#include "core/gpu/gpu.h"
#include "experiment/report/value.h"
#include "experiment/sweep/derived/each.h"
#include "experiment/sweep/derived/formula.h"
#include "experiment/sweep/derived/kernels.h"
#include "experiment/sweep/store.h"
#include "sim/config/config.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <math.h>

struct derivation {
	const struct sweep_plan *plan;
	struct store *store;
	struct diag_list *diags;
	long long sweep;
	const struct stored_job *jobs;
	struct formula *formulas;
	const char **names;           /* of those before; NULL-terminated */
	double **values;              /* by derived value and point */
	sqlite3_stmt *find, *configs; /* of a statistic's value; of a configuration's text */
	const char *kernel;           /* of which kernel.* is; NULL: none */
	struct each_values *each;     /* of values of each kernel: all names are of that one */
	bool is_each;                 /* the formula is one of these */
	size_t *baseline;             /* by point: the point that base() means; SIZE_MAX: none */
};

static bool uses_baseline(const struct formula *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->names[i].of_baseline)
			return true;
	return false;
}

/* -- the baseline of a point -- */

static bool is_baseline_of(
	const struct sweep_plan *plan, const struct plan_point *candidate, const struct plan_point *point)
{
	const struct sweep_file *f = plan->file;

	if (candidate->program != point->program || candidate->seed != point->seed ||
		!plan_fits(plan, candidate, &f->baseline))
		return false;
	for (size_t i = 0; i < f->factor_count; i++) {
		bool is_said = false;

		for (size_t k = 0; k < f->baseline.keys.count; k++)
			is_said |= !strcmp(f->baseline.keys.items[k], f->factors[i].name);
		if (!is_said && candidate->levels[i] != point->levels[i])
			return false;
	}
	for (size_t k = 0; k < f->baseline.keys.count; k++)
		if (!strcmp(f->baseline.keys.items[k], "base"))
			return true;
	return candidate->base == point->base;
}

/* Points of a program stand together; the search stays among them. */
static size_t find_baseline(const struct sweep_plan *plan, size_t number)
{
	const struct plan_point *point = &plan->points[number];

	for (size_t i = number; i < plan->point_count && plan->points[i].program == point->program; i++)
		if (is_baseline_of(plan, &plan->points[i], point))
			return i;
	for (size_t i = number; i-- > 0 && plan->points[i].program == point->program;)
		if (is_baseline_of(plan, &plan->points[i], point))
			return i;
	return SIZE_MAX;
}

static bool check_baselines(const struct sweep_plan *plan, struct diag_list *diags)
{
	struct diag_location location = doc_location(plan->file->document, plan->file->baseline.node);

	for (size_t i = 0; i < plan->point_count; i++) {
		if (find_baseline(plan, i) != SIZE_MAX)
			continue;
		diag_error(diags, &location,
			"there is no such point for %s: it is excluded, and formulas with base() need it",
			plan->programs[plan->points[i].program].label);
		return false;
	}
	return true;
}

/* -- checking -- */

static struct gpu *build_machine(const struct sweep_machine *m, struct config **config)
{
	char *then = m->then ? xstrdup(m->then) : NULL, *rest, *one;
	struct diag_list diags;
	struct gpu *gpu;

	diag_init(&diags);
	*config = config_new();
	for (size_t i = 0; m->arguments[i]; i += 2) {
		if (!strcmp(m->arguments[i], "-c"))
			config_load(*config, m->arguments[i + 1], &diags);
		else if (!strcmp(m->arguments[i], "--set"))
			config_set(*config, m->arguments[i + 1], &diags);
	}
	for (rest = then; rest && (one = strsep(&rest, ","));)
		config_set(*config, one, &diags);
	free(then);
	gpu = gpu_new(*config, &diags);
	diag_fini(&diags);
	return gpu;
}

/* Cuts the end of an interval off a name: "l2.reads::low95", which a machine with sampling has (results.c).
 */
static bool cut_end(char *name)
{
	static const char *const ends[] = { "::low95", "::high95" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t length = strlen(name), end = strlen(ends[i]);

		if (length <= end || strcmp(name + length - end, ends[i]) != 0)
			continue;
		name[length - end] = 0;
		return true;
	}
	return false;
}

bool sweep_is_statistic(const struct sweep_plan *plan, const char *asked, char *nearest, size_t size)
{
	char *name = xstrdup(asked);
	bool found = false, is_end = cut_end(name);

	*nearest = 0;
	for (size_t i = 0; i < plan->machine_count && !found; i++) {
		struct stat_select_error error;
		struct config *config;
		struct gpu *gpu = build_machine(&plan->machines[i], &config);
		struct stat_selection *selection = gpu ? stat_select(gpu_stats(gpu), name, &error) : NULL;

		found = selection && stat_selection_count(selection) == 1 &&
			(!is_end || !isnan(stat_value(gpu_stats(gpu), NULL, "sample.kernels"))) &&
			!strcmp(stat_selection_name(selection, 0), name);
		if (gpu && !selection)
			snprintf(nearest, size, "%s", error.nearest);
		else if (selection && !found)
			snprintf(nearest, size, "%s", stat_selection_name(selection, 0));
		stat_selection_free(selection);
		gpu_free(gpu);
		config_free(config);
	}
	free(name);
	return found;
}

/* What stands behind `path = ` in the text of a configuration; NULL: nothing. */
static const char *parameter_text(const char *text, const char *path)
{
	size_t length = strlen(path);

	for (; text; text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL)
		if (!strncmp(text, path, length) && !strncmp(text + length, " = ", 3))
			return text + length + 3;
	return NULL;
}

static bool is_parameter(const struct sweep_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->machine_count; i++)
		if (parameter_text(plan->machines[i].text, path))
			return true;
	return false;
}

static const struct sweep_derived *derived_named(const struct sweep_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->file->derived_count; i++)
		if (!strcmp(plan->file->derived[i].name, name))
			return &plan->file->derived[i];
	return NULL;
}

static bool counts_kernels(const struct sweep_plan *plan)
{
	bool counts = true;

	for (size_t i = 0; i < plan->machine_count; i++) {
		const char *text = parameter_text(plan->machines[i].text, "observe.kernels");

		counts &= text && !strncmp(text, "true", 4);
	}
	return counts;
}

/* What is wrong with a name that exists in a formula of the whole run, or of each kernel; NULL: nothing. */
static const char *wrong_kind(const struct sweep_plan *plan, const struct sweep_derived *d, const char *name)
{
	const struct sweep_derived *other = derived_named(plan, name);
	size_t length = strlen(name);

	if (other && other->is_each && !d->is_each)
		return "is of each kernel: so must be what is computed from it (kernels: each)";
	if (other)
		return d->is_each && !other->is_each
			? "is of the whole run, and this of each kernel: both need kernels: each"
			: NULL;
	if (!d->is_each || is_kernel_counter(name))
		return NULL;
	if (length > 5 && !strcmp(name + length - 5, "::max"))
		return "is not known of each kernel, only of the whole run";
	return counts_kernels(plan) ? NULL
				    : "of each kernel is counted only with set: {observe.kernels: true}";
}

static bool check_kind(const struct sweep_plan *plan, const struct sweep_derived *d,
	const struct formula_name *name, struct diag_list *diags)
{
	struct diag_location location = doc_location(plan->file->document, d->node);
	const char *wrong = name->is_parameter ? NULL : wrong_kind(plan, d, name->text);

	if (wrong)
		diag_error(diags, &location, "%s: %s %s", d->name, name->text, wrong);
	return !wrong;
}

static bool check_formula_names(const struct sweep_plan *plan, const struct sweep_derived *d,
	const struct formula *f, const char *const *derived, struct diag_list *diags)
{
	struct diag_location location = doc_location(plan->file->document, d->node);
	bool fine = true;

	for (size_t i = 0; i < f->count; i++) {
		char nearest[128];
		bool is_derived = false;

		for (size_t k = 0; derived[k]; k++)
			is_derived |= !strcmp(derived[k], f->names[i].text);
		if (f->names[i].is_parameter && !is_parameter(plan, f->names[i].text)) {
			diag_error(diags, &location, "%s: no parameter %s; 'lockstep config doc' shows them",
				d->name, f->names[i].text);
			fine = false;
		}
		if (!check_kind(plan, d, &f->names[i], diags)) {
			fine = false;
			continue;
		}
		if (is_kernel_counter(f->names[i].text) && !d->kernels && !d->is_each) {
			diag_error(diags, &location,
				"%s: %s is of each kernel: kernels: harmonic, or another mean, makes one "
				"value of them; kernels: each keeps them apart",
				d->name, f->names[i].text);
			fine = false;
			continue;
		}
		if (f->names[i].is_parameter || is_derived || is_kernel_counter(f->names[i].text) ||
			sweep_is_statistic(plan, f->names[i].text, nearest, sizeof(nearest)))
			continue;
		diag_error(diags, &location, "%s: no statistic %s%s%s%s; 'lockstep list stats' shows them",
			d->name, f->names[i].text, *nearest ? "; did you mean " : "", nearest,
			*nearest ? "?" : "");
		fine = false;
	}
	return fine;
}

static bool check_one(const struct sweep_plan *plan, size_t which, sqlite3 *db, const char *const *derived,
	bool *baseline, struct diag_list *diags)
{
	const struct sweep_derived *d = &plan->file->derived[which];
	struct diag_location location = doc_location(plan->file->document, d->node);
	struct formula formula;
	char message[256];
	bool fine = formula_parse(&formula, db, d->formula, derived, message, sizeof(message));

	if (!fine) {
		diag_error(diags, &location, "%s: %s", d->name, message);
		return false;
	}
	fine = check_formula_names(plan, d, &formula, derived, diags);
	*baseline |= uses_baseline(&formula);
	if (uses_baseline(&formula) && !plan->file->baseline.node) {
		diag_error(diags, &location,
			"%s: base() means the baseline, and the sweep has no key baseline", d->name);
		fine = false;
	}
	formula_free(&formula);
	return fine;
}

static bool check_bests(const struct sweep_plan *plan, struct diag_list *diags)
{
	const struct sweep_file *f = plan->file;
	bool fine = true;

	for (size_t i = 0; i < f->factor_count; i++) {
		for (size_t k = 0; k < f->factors[i].count; k++) {
			const struct sweep_level *level = &f->factors[i].levels[k];
			struct diag_location location = doc_location(f->document, level->node);
			char nearest[128];

			if (!level->best ||
				sweep_is_statistic(plan, level->best->by, nearest, sizeof(nearest)))
				continue;
			diag_error(diags, &location,
				"%s: no statistic %s%s%s%s; 'lockstep list stats' shows them", level->name,
				level->best->by, *nearest ? "; did you mean " : "", nearest,
				*nearest ? "?" : "");
			fine = false;
		}
	}
	return fine;
}

bool sweep_derived_check(const struct sweep_plan *plan, struct diag_list *diags)
{
	const char **derived = xcalloc(plan->file->derived_count + 1, sizeof(*derived));
	bool fine = check_bests(plan, diags) & each_check(plan, diags), baseline = false;
	sqlite3 *db = NULL;

	bug_if(sqlite3_open(":memory:", &db) != SQLITE_OK, "SQLite has no memory");
	for (size_t i = 0; i < plan->file->derived_count; i++) {
		fine &= check_one(plan, i, db, derived, &baseline, diags);
		derived[i] = plan->file->derived[i].name;
	}
	if (fine && baseline)
		fine = check_baselines(plan, diags);
	sqlite3_close(db);
	free(derived);
	return fine;
}

/* -- evaluating -- */

static double statistic_of(struct derivation *d, size_t point, const char *name)
{
	double value = NAN;

	sqlite3_bind_int64(d->find, 1, d->sweep);
	sqlite3_bind_int64(d->find, 2, (sqlite3_int64)point + 1);
	sqlite3_bind_text(d->find, 3, name, -1, SQLITE_STATIC);
	if (sqlite3_step(d->find) == SQLITE_ROW)
		value = sqlite3_column_double(d->find, 0);
	sqlite3_reset(d->find);
	return value;
}

/* NAN if it is no number, or the point's configuration has none of it. */
static double parameter_of(struct derivation *d, size_t point, const char *path)
{
	const char *text = NULL;
	double value = NAN;
	char *end;

	sqlite3_bind_int64(d->configs, 1, d->sweep);
	sqlite3_bind_int64(d->configs, 2, (sqlite3_int64)point + 1);
	if (sqlite3_step(d->configs) == SQLITE_ROW)
		text = parameter_text((const char *)sqlite3_column_text(d->configs, 0), path);
	if (text) {
		value = strtod(text, &end);
		value = end != text && *end == '\n' ? value : NAN;
	}
	sqlite3_reset(d->configs);
	return value;
}

/* A value derived before, or a statistic, of d->kernel at a point. */
static double value_of_kernel(struct derivation *d, const char *name, size_t point)
{
	for (size_t i = 0; d->names[i]; i++)
		if (!strcmp(d->names[i], name))
			return each_value(d->each, i, point, d->kernel);
	return each_statistic(d->each, point, d->kernel, name);
}

static double name_value(struct derivation *d, const struct formula_name *name, size_t point)
{
	size_t from = name->of_baseline ? d->baseline[point] : point;

	if (from == SIZE_MAX)
		return NAN;
	if (d->is_each && !name->is_parameter)
		return value_of_kernel(d, name->text, from);
	for (size_t i = 0; d->names[i]; i++)
		if (!name->is_parameter && !strcmp(d->names[i], name->text))
			return d->values[i][from];
	if (d->kernel && !name->is_parameter && is_kernel_counter(name->text)) {
		char *statistic = kernel_statistic(name->text, d->kernel);
		double value = statistic_of(d, from, statistic);

		free(statistic);
		return value;
	}
	return name->is_parameter ? parameter_of(d, from, name->text) : statistic_of(d, from, name->text);
}

static double value_at(struct derivation *d, struct formula *f, double *inputs, size_t point)
{
	for (size_t i = 0; i < f->count; i++)
		inputs[i] = name_value(d, &f->names[i], point);
	return formula_value(f, inputs);
}

/* The mean over the kernels that were timed; NAN if one of them has no value. */
static double value_over_kernels(
	struct derivation *d, struct formula *f, double *inputs, size_t point, const char *mean)
{
	char **kernels = point_kernels(d->store, d->sweep, (long long)point + 1, d->diags);
	double *values, value;
	bool is_whole = true;
	size_t count = 0;

	while (kernels[count])
		count++;
	values = xcalloc(count + 1, sizeof(*values));
	for (size_t i = 0; i < count; i++) {
		d->kernel = kernels[i];
		values[i] = value_at(d, f, inputs, point);
		is_whole &= !isnan(values[i]);
	}
	d->kernel = NULL;
	value = is_whole ? report_mean(report_mean_named(mean), values, count) : NAN;
	free(values);
	point_kernels_free(kernels);
	return value;
}

static void evaluate_each(struct derivation *d, size_t which, struct formula *f, double *inputs, size_t point)
{
	d->is_each = true;
	for (size_t k = 0; k < each_kernel_count(d->each, point); k++) {
		d->kernel = each_kernel_name(d->each, point, k);
		each_set(d->each, which, point, k, value_at(d, f, inputs, point));
	}
	d->kernel = NULL;
	d->is_each = false;
}

static bool evaluate(struct derivation *d, size_t which)
{
	const struct sweep_derived *derived = &d->plan->file->derived[which];
	struct formula *f = &d->formulas[which];
	double *inputs = xcalloc(f->count + 1, sizeof(*inputs));
	bool fine = true;

	for (size_t p = 0; p < d->plan->point_count && fine; p++) {
		if (derived->is_each) {
			evaluate_each(d, which, f, inputs, p);
			continue;
		}
		d->values[which][p] = derived->kernels ? value_over_kernels(d, f, inputs, p, derived->kernels)
						       : value_at(d, f, inputs, p);
		if (!isnan(d->values[which][p]))
			fine = store_run(d->store, d->diags, "INSERT INTO derived_results VALUES(?, ?, ?, ?)",
				"itir", d->sweep, derived->name, (long long)p + 1, d->values[which][p]);
	}
	free(inputs);
	return fine;
}

static bool evaluate_all(struct derivation *d)
{
	const struct sweep_file *f = d->plan->file;
	char message[256];
	bool fine =
		store_run(d->store, d->diags, "DELETE FROM derived_results WHERE sweep = ?", "i", d->sweep);

	for (size_t i = 0; i < f->derived_count && fine; i++) {
		d->values[i] = xcalloc(d->plan->point_count + 1, sizeof(**d->values));
		fine = formula_parse(&d->formulas[i], store_sqlite(d->store), f->derived[i].formula, d->names,
			       message, sizeof(message)) &&
			evaluate(d, i);
		d->names[i] = f->derived[i].name;
	}
	return fine && each_store(d->each);
}

bool sweep_derived_store(
	struct store *store, const struct sweep_plan *plan, long long sweep, struct diag_list *diags)
{
	size_t count = plan->file->derived_count;
	struct derivation d = { .plan = plan,
		.store = store,
		.diags = diags,
		.sweep = sweep,
		.formulas = xcalloc(count + 1, sizeof(*d.formulas)),
		.names = xcalloc(count + 1, sizeof(*d.names)),
		.values = xcalloc(count + 1, sizeof(*d.values)),
		.baseline = xcalloc(plan->point_count + 1, sizeof(*d.baseline)) };
	bool fine = store_begin(store, diags);

	d.find = store_prepare(store, diags,
		"SELECT r.value FROM points p JOIN results r ON r.job = p.job JOIN statistics t ON t.id = "
		"r.statistic WHERE p.sweep = ? AND p.number = ? AND t.name = ?",
		"");
	for (size_t i = 0; i < plan->point_count; i++)
		d.baseline[i] = plan->file->baseline.node ? find_baseline(plan, i) : SIZE_MAX;
	d.configs = store_prepare(store, diags,
		"SELECT c.text FROM points p JOIN jobs j ON j.id = p.job JOIN configs c ON c.hash = j.config "
		"WHERE p.sweep = ? AND p.number = ? AND j.state = 'done'",
		"");
	fine = fine && d.find && d.configs && sweep_best_store(store, plan, sweep, diags) &&
		(d.each = each_new(store, plan, sweep, diags)) && evaluate_all(&d);
	each_free(d.each);
	sqlite3_finalize(d.find);
	sqlite3_finalize(d.configs);
	fine = store_end(store, fine, diags);
	for (size_t i = 0; i < count; i++) {
		formula_free(&d.formulas[i]);
		free(d.values[i]);
	}
	free(d.formulas);
	free(d.names);
	free(d.values);
	free(d.baseline);
	return fine;
}
