/* experiment/sweep/results.c -- reads stats.txt (the total, and what is by kernel) and series.csv. */
#include "experiment/sweep/results.h"
#include "experiment/files.h"
#include "experiment/runs/stats_file.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct reading {
	void (*row)(void *user, const struct result_row *row);
	void *user;
	char *message;
	size_t size;
};

enum value { NO_VALUE, NO_NUMBER, NUMBER };

/* As the simulator writes them: whole, or with a point, or nan where there is none. */
static enum value read_stat_value(const char *text, struct result_row *row)
{
	char *end;

	if (text[strspn(text, "-+.0123456789abcdefinty")]) /* no blanks, no hexadecimal digits */
		return NO_VALUE;
	errno = 0;
	row->whole = strtoll(text, &end, 10);
	row->is_whole = end != text && !*end && !errno;
	if (row->is_whole)
		return NUMBER;
	row->real = strtod(text, &end);
	if (*end || end == text)
		return NO_VALUE;
	return isfinite(row->real) ? NUMBER : NO_NUMBER;
}

/* kernel: NULL: of the whole run. */
static void give_row(struct reading *r, const struct stats_value *v, const char *kernel)
{
	struct result_row row = { .name = v->name,
		.unit = v->unit,
		.help = v->help,
		.kernel = kernel,
		.cycle = -1,
		.is_whole = v->is_whole && v->whole <= INT64_MAX,
		.whole = (long long)v->whole,
		.real = v->value };

	if (isfinite(v->value) && !stats_is_instance(v->name))
		r->row(r->user, &row);
}

/* An end of the 95 % interval of what is estimated: a statistic of its own, "sm.l1d.misses::low95". */
static void give_end(struct reading *r, const struct stats_value *v, const char *end, double value)
{
	struct result_row row = { .unit = v->unit, .help = v->help, .cycle = -1, .real = value };
	char *name = NULL;

	if (!isfinite(value) || stats_is_instance(v->name))
		return;
	if (asprintf(&name, "%s::%s", v->name, end) < 0)
		bug("out of memory");
	row.name = name;
	r->row(r->user, &row);
	free(name);
}

static void give_result(struct reading *r, const struct stats_value *v)
{
	give_row(r, v, NULL);
	if (!v->is_estimated)
		return;
	give_end(r, v, "low95", v->low);
	give_end(r, v, "high95", v->high);
}

/* kernel.* stand in another section, too, where the database has them from. */
static void give_kernel(struct reading *r, const struct stats_section *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (strncmp(s->values[i].name, "kernel.", 7) != 0)
			give_row(r, &s->values[i], s->name);
}

static void read_total(struct reading *r, const char *path)
{
	const struct stats_section *total, *results, *kernels;
	struct stats_file *file;
	struct diag_list diags;

	diag_init(&diags);
	file = stats_file_read(path, &diags);
	total = file ? stats_file_total(file) : NULL;
	if (!file)
		snprintf(r->message, r->size, "stats.txt, line %u: %s", diags.items[0].line,
			diags.items[0].message);
	else if (!total)
		snprintf(r->message, r->size, "stats.txt has no total: the run was stopped");
	else if (total->is_interrupted)
		snprintf(r->message, r->size, "the run was interrupted: its statistics are partial");
	results = file ? stats_file_results(file) : NULL;
	for (size_t i = 0; total && !*r->message && i < results->count; i++)
		give_result(r, &results->values[i]);
	kernels = total && !*r->message ? stats_file_kernels(file) : NULL;
	for (size_t i = 0; kernels && i < kernels->count; i++)
		give_row(r, &kernels->values[i], NULL);
	for (size_t i = 0; total && !*r->message && i < file->section_count; i++)
		if (file->sections[i].kind == STATS_LAUNCHES)
			give_kernel(r, &file->sections[i]);
	stats_file_free(file);
	diag_fini(&diags);
}

/* -- series.csv: cycle,time_ps,kernels,NAME,NAME...; kernels may be quoted -- */

/* The next field of a line of CSV, cut off; *rest behind it. */
static char *next_field(char **rest)
{
	char *field = *rest, *to, *from;

	if (!field)
		return NULL;
	if (*field != '"')
		return strsep(rest, ",");
	for (to = from = ++field; *from && !(from[0] == '"' && from[1] != '"'); from++) {
		from += from[0] == '"';
		*to++ = *from;
	}
	*rest = *from && from[1] ? from + 2 : NULL;
	*to = 0;
	return field;
}

enum { SERIES_FIXED = 3 };

/* false: it has not as many fields as there are names, or other things than values. */
static bool read_series_line(struct reading *r, char *line, char *const *names, size_t count)
{
	struct result_row row = { .unit = "", .help = "" };
	char *rest = line, *field, *end;

	for (size_t i = 0; i < count; i++) {
		enum value kind;

		field = next_field(&rest);
		if (!field)
			return false;
		if (!i) {
			errno = 0;
			row.cycle = strtoll(field, &end, 10);
			if (*end || end == field || errno || row.cycle < 0)
				return false;
		}
		if (i < SERIES_FIXED)
			continue;
		row.name = names[i];
		kind = read_stat_value(field, &row);
		if (kind == NO_VALUE)
			return false;
		if (kind == NUMBER)
			r->row(r->user, &row);
	}
	return !rest;
}

/* The names of the first line, in it; malloc'ed. NULL: they are not those of a series. */
static char **read_series_names(char *line, size_t *count)
{
	static const char *const fixed[SERIES_FIXED] = { "cycle", "time_ps", "kernels" };
	char **names = NULL, *field;

	for (*count = 0; (field = next_field(&line)); ++*count) {
		if (*count < SERIES_FIXED ? strcmp(field, fixed[*count]) != 0 : !*field)
			break;
		names = xrealloc(names, (*count + 1) * sizeof(*names));
		names[*count] = field;
	}
	if (!field && *count >= SERIES_FIXED)
		return names;
	free(names);
	return NULL;
}

static void read_series(struct reading *r, char *text)
{
	char *rest = text, *line = strsep(&rest, "\n"), **names = NULL;
	size_t count = 0;
	bool fine = rest && (names = read_series_names(line, &count));

	while (fine && (line = strsep(&rest, "\n")) && rest)
		fine = read_series_line(r, line, names, count);
	if (!fine || *line) /* what stands behind the last line break is cut */
		snprintf(r->message, r->size, "series.csv is cut or broken: %.100s", line);
	free(names);
}

void results_read(const char *folder, void (*row)(void *user, const struct result_row *row), void *user,
	char *message, size_t size)
{
	struct reading r = { row, user, message, size };
	char *path = file_path(folder, "stats.txt"), *part = file_path(folder, "stats.txt.part"), *text;

	*message = 0;
	if (access(path, F_OK) == 0)
		read_total(&r, path);
	else if (access(part, F_OK) == 0)
		snprintf(message, size, "there is no stats.txt, only a part of it: the run was stopped");
	else
		snprintf(message, size, "there are no statistics: the program did not use the simulated GPU");
	free(path);
	free(part);
	path = file_path(folder, "series.csv");
	text = *message ? NULL : file_read(path, NULL);
	if (text)
		read_series(&r, text);
	free(text);
	free(path);
}
