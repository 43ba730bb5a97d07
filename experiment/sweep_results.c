/* experiment/sweep_results.c -- reads stats.txt (its last section: the total) and series.csv. */
#include "experiment/sweep_results.h"
#include "experiment/files.h"
#include "experiment/stats_file.h"
#include "sim/xalloc.h"
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

/* A number as the simulator writes it: whole, or with a point. false: none, or not finite. */
static bool read_value(const char *text, struct result_row *row)
{
	char *end;

	errno = 0;
	row->whole = strtoll(text, &end, 10);
	row->is_whole = !*end && !errno;
	if (row->is_whole)
		return true;
	row->real = strtod(text, &end);
	return !*end && end != text && isfinite(row->real);
}

static void give(struct reading *r, const struct stats_value *v)
{
	struct result_row row = { .name = v->name, .unit = v->unit, .help = v->help, .cycle = -1, .is_whole = v->is_whole && v->whole <= INT64_MAX,
		.whole = (long long)v->whole, .real = v->value };

	if (isfinite(v->value) && !stats_is_instance(v->name))
		r->row(r->user, &row);
}

static void read_total(struct reading *r, const char *path)
{
	const struct stats_section *total;
	struct stats_file *file;
	struct diag_list diags;

	diag_init(&diags);
	file = stats_file_read(path, &diags);
	total = file ? stats_file_total(file) : NULL;
	if (!file)
		snprintf(r->message, r->size, "stats.txt, line %u: %s", diags.items[0].line, diags.items[0].message);
	else if (!total)
		snprintf(r->message, r->size, "stats.txt has no total: the run was stopped");
	else if (total->is_interrupted)
		snprintf(r->message, r->size, "the run was interrupted: its statistics are partial");
	for (size_t i = 0; total && !*r->message && i < total->count; i++)
		give(r, &total->values[i]);
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

enum { SERIES_FIXED = 3, SERIES_MOST = 512 };

static void read_series_line(struct reading *r, char *line, char *const *names, size_t count)
{
	struct result_row row = { .unit = "", .help = "" };
	char *rest = line, *field = next_field(&rest);

	row.cycle = field ? strtoll(field, NULL, 10) : 0;
	for (size_t i = 1; i < count && (field = next_field(&rest)); i++) {
		row.name = names[i];
		if (i >= SERIES_FIXED && read_value(field, &row))
			r->row(r->user, &row);
	}
}

static void read_series(struct reading *r, char *text)
{
	char *names[SERIES_MOST], *rest = text, *line = strsep(&rest, "\n"), *field;
	size_t count = 0;

	while (line && count < SERIES_MOST && (field = next_field(&line)))
		names[count++] = field;
	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			read_series_line(r, line, names, count);
}

void results_read(const char *folder, void (*row)(void *user, const struct result_row *row), void *user, char *message, size_t size)
{
	struct reading r = { row, user, message, size };
	char *path = file_path(folder, "stats.txt"), *text;

	*message = 0;
	if (access(path, F_OK) == 0)
		read_total(&r, path);
	else
		snprintf(message, size, "there are no statistics: the program did not use the simulated GPU");
	free(path);
	path = file_path(folder, "series.csv");
	text = *message ? NULL : file_read(path, NULL);
	if (text)
		read_series(&r, text);
	free(text);
	free(path);
}
