/* cli/correlate/launches.c -- launches read from CSV: launches.csv of a run, and the two forms in which
 * Nsight Compute prints (NVIDIA, Nsight Compute CLI): --page raw has a row for each launch, below a row of
 * units; --page details has one for each counter of a launch. */
#include "cli/correlate/launches.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const metric_names[METRICS] = { "cycles", "time", "instructions", "dram" };
const char *const metric_units[METRICS] = { "cycles", "ns", "warp instructions", "bytes" };

/* The counters that say what a metric is, the best ones first; two are added up. By the names of the hardware
 * counters, and by those of the page `details`. */
static const struct {
	enum metric metric;
	const char *counters[2];
} sources[] = {
	{ METRIC_CYCLES, { "gpc__cycles_elapsed.max" } },
	{ METRIC_CYCLES, { "sm__cycles_elapsed.max" } },
	{ METRIC_CYCLES, { "Elapsed Cycles" } },
	{ METRIC_TIME, { "gpu__time_duration.sum" } },
	{ METRIC_TIME, { "Duration" } },
	{ METRIC_INSTRUCTIONS, { "smsp__inst_executed.sum" } },
	{ METRIC_INSTRUCTIONS, { "sm__inst_executed.sum" } },
	{ METRIC_INSTRUCTIONS, { "Executed Instructions" } },
	{ METRIC_DRAM, { "dram__bytes.sum" } },
	{ METRIC_DRAM, { "dram__bytes_read.sum", "dram__bytes_write.sum" } },
};
#define SOURCES (sizeof sources / sizeof *sources)

/* What a unit is in those of metric_units. */
static const struct {
	const char *unit;
	double scale;
} units[] = { { "", 1 }, { "cycle", 1 }, { "inst", 1 }, { "warp", 1 }, { "ns", 1 }, { "nsecond", 1 },
	{ "us", 1e3 }, { "usecond", 1e3 }, { "ms", 1e6 }, { "msecond", 1e6 }, { "s", 1e9 }, { "second", 1e9 },
	{ "byte", 1 }, { "Kbyte", 1e3 }, { "Mbyte", 1e6 }, { "Gbyte", 1e9 } };

static struct measured_launch *add_launch(struct measured_launches *to)
{
	struct measured_launch *l;

	to->launches = xrealloc(to->launches, (to->count + 1) * sizeof(*to->launches));
	l = &to->launches[to->count++];
	*l = (struct measured_launch){ .demangled = "" };
	for (int m = 0; m < METRICS; m++)
		l->value[m] = NAN;
	return l;
}

/* "4x2x1", "(4, 2, 1)" */
static bool read_size(const char *text, uint32_t size[3])
{
	return sscanf(text, "%ux%ux%u", &size[0], &size[1], &size[2]) == 3 ||
		sscanf(text, "(%u, %u, %u)", &size[0], &size[1], &size[2]) == 3;
}

static bool read_sizes(const struct csv_table *t, size_t row, size_t grid, size_t block,
	struct measured_launch *l, struct diag_list *diags)
{
	if (read_size(t->rows[row].fields[grid], l->grid) && read_size(t->rows[row].fields[block], l->block))
		return true;
	csv_table_error(t, row, diags, "'%s' and '%s' are no sizes of a grid and a CTA",
		t->rows[row].fields[grid], t->rows[row].fields[block]);
	return false;
}

/* ---- of a run ---- */

static bool add_run_row(
	struct measured_launches *to, size_t row, const size_t *column, struct diag_list *diags)
{
	const struct csv_table *t = to->table;
	struct measured_launch *l = add_launch(to);
	bool is_timed = strcmp(t->rows[row].fields[column[3]], "timed") == 0;

	l->kernel = t->rows[row].fields[column[0]];
	l->demangled = t->rows[row].fields[column[9]];
	l->line = t->rows[row].line;
	if (!read_sizes(t, row, column[1], column[2], l, diags))
		return false;
	l->value[METRIC_INSTRUCTIONS] = csv_table_number(t, row, column[7], diags);
	if (is_timed) {
		l->value[METRIC_CYCLES] = csv_table_number(t, row, column[6], diags);
		l->value[METRIC_TIME] = (csv_table_number(t, row, column[5], diags) -
						csv_table_number(t, row, column[4], diags)) /
			1e3;
		l->value[METRIC_DRAM] = csv_table_number(t, row, column[8], diags);
	}
	return !diags->errors;
}

bool launches_of_run(const char *path, struct measured_launches *to, struct diag_list *diags)
{
	static const char *const names[] = { "kernel", "grid", "block", "timing", "start_ps", "end_ps",
		"cycles", "warp_instructions", "dram_bytes", "demangled" };
	size_t column[sizeof names / sizeof *names];
	struct stat about;
	bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode), fine;
	char *file = is_folder ? file_path(path, "launches.csv") : xstrdup(path);

	*to = (struct measured_launches){ .table = csv_table_read(file, NULL, diags) };
	free(file);
	fine = to->table != NULL;
	for (size_t i = 0; fine && i < sizeof names / sizeof *names; i++)
		fine = (column[i] = csv_table_need(to->table, names[i], diags)) != NO_COLUMN;
	for (size_t r = 0; fine && r < to->table->row_count; r++)
		fine = add_run_row(to, r, column, diags);
	return fine;
}

/* ---- of a card ---- */

/* A number as ncu prints it: "1,234.5". False: it is none ("n/a"). */
static bool read_number(const char *text, double *value)
{
	char plain[64], *end;
	size_t n = 0;

	for (; *text && n + 1 < sizeof(plain); text++)
		if (*text != ',')
			plain[n++] = *text;
	plain[n] = '\0';
	*value = strtod(plain, &end);
	return end != plain && !*end && isfinite(*value) && *value >= 0;
}

static bool scale_of(const char *unit, double *scale)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].unit, unit) == 0) {
			*scale = units[i].scale;
			return true;
		}
	return false;
}

/* The counters of one launch, by source. */
struct counters {
	double sum[SOURCES];
	unsigned seen[SOURCES]; /* of its counters, by a bit each */
};

/* What the card's column or row of this name says; other names, and what is no number ("n/a"), do not count.
 */
static bool take_counter(struct counters *c, const struct csv_table *t, size_t row, const char *name,
	const char *text, const char *unit, struct diag_list *diags)
{
	double value, scale;

	for (size_t s = 0; s < SOURCES; s++)
		for (unsigned i = 0; i < 2 && sources[s].counters[i]; i++) {
			if (strcmp(name, sources[s].counters[i]) || c->seen[s] >> i & 1 ||
				!read_number(text, &value))
				continue;
			if (!scale_of(unit, &scale)) {
				csv_table_error(t, row, diags, "the unit '%s' is not known", unit);
				return false;
			}
			c->sum[s] += value * scale;
			c->seen[s] |= 1u << i;
		}
	return true;
}

/* A metric is what the first source says all of whose counters have been seen. */
static void set_values(struct measured_launch *l, struct counters *c)
{
	for (size_t s = SOURCES; s-- > 0;)
		if (c->seen[s] == (sources[s].counters[1] ? 3u : 1u))
			l->value[sources[s].metric] = c->sum[s];
	*c = (struct counters){ 0 };
}

/* Columns that both pages have. */
struct card_columns {
	size_t id, kernel, grid, block;
};

static struct measured_launch *add_card_row(
	struct measured_launches *to, size_t row, const struct card_columns *c, struct diag_list *diags)
{
	struct measured_launch *l = add_launch(to);

	l->kernel = to->table->rows[row].fields[c->kernel];
	l->line = to->table->rows[row].line;
	return read_sizes(to->table, row, c->grid, c->block, l, diags) ? l : NULL;
}

/* A row for each launch; that without an ID has the units. */
static bool read_raw(struct measured_launches *to, const struct card_columns *c, struct diag_list *diags)
{
	const struct csv_table *t = to->table;
	struct counters counters = { 0 };
	char **unit = NULL;

	for (size_t r = 0; r < t->row_count; r++) {
		char **fields = t->rows[r].fields;
		struct measured_launch *l;

		if (!*fields[c->id]) {
			unit = fields;
			continue;
		}
		l = add_card_row(to, r, c, diags);
		if (!l)
			return false;
		for (size_t i = 0; i < t->column_count; i++)
			if (!take_counter(
				    &counters, t, r, t->columns[i], fields[i], unit ? unit[i] : "", diags))
				return false;
		set_values(l, &counters);
	}
	return true;
}

/* A row for each counter of a launch. */
static bool read_details(struct measured_launches *to, const struct card_columns *c, struct diag_list *diags)
{
	const struct csv_table *t = to->table;
	size_t name = csv_table_need(t, "Metric Name", diags), unit = csv_table_need(t, "Metric Unit", diags),
	       value = csv_table_need(t, "Metric Value", diags);
	struct counters counters = { 0 };
	const char *id = NULL;

	if (name == NO_COLUMN || unit == NO_COLUMN || value == NO_COLUMN)
		return false;
	for (size_t r = 0; r < t->row_count; r++) {
		char **fields = t->rows[r].fields;

		if (!id || strcmp(id, fields[c->id])) {
			if (id)
				set_values(&to->launches[to->count - 1], &counters);
			if (!add_card_row(to, r, c, diags))
				return false;
			id = fields[c->id];
		}
		if (!take_counter(&counters, t, r, fields[name], fields[value], fields[unit], diags))
			return false;
	}
	set_values(&to->launches[to->count - 1], &counters);
	return true;
}

static bool has_metrics(const struct measured_launches *to, struct diag_list *diags)
{
	struct diag_location whole = { .file = to->table->path };

	for (size_t i = 0; i < to->count; i++)
		for (int m = 0; m < METRICS; m++)
			if (!isnan(to->launches[i].value[m]))
				return true;
	diag_error(diags, &whole,
		"there is none of the counters that can be compared: gpc__cycles_elapsed.max, "
		"gpu__time_duration.sum, smsp__inst_executed.sum, dram__bytes.sum");
	return false;
}

bool launches_of_card(const char *path, struct measured_launches *to, struct diag_list *diags)
{
	struct card_columns c;
	bool fine;

	*to = (struct measured_launches){ .table = csv_table_read(path, "ID", diags) };
	if (!to->table)
		return false;
	c = (struct card_columns){ csv_table_need(to->table, "ID", diags),
		csv_table_need(to->table, "Kernel Name", diags),
		csv_table_need(to->table, "Grid Size", diags),
		csv_table_need(to->table, "Block Size", diags) };
	if (diags->errors)
		return false;
	fine = csv_table_column(to->table, "Metric Name") == NO_COLUMN ? read_raw(to, &c, diags)
								       : read_details(to, &c, diags);
	return fine && has_metrics(to, diags);
}

void launches_fini(struct measured_launches *l)
{
	free(l->launches);
	csv_table_free(l->table);
}
