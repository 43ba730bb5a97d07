/* experiment/sweep_results.c -- reads stats.txt (its last section: the total) and series.csv. */
#include "experiment/sweep_results.h"
#include "experiment/files.h"
#include "sim/xalloc.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>

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

/* "name  value # help (unit)", cut up in place. false: the line is none. */
static bool read_statistic(char *line, struct result_row *row, bool *is_number)
{
	char *value = line + strcspn(line, " "), *mark = strstr(line, " # "), *unit;

	if (!*value || !mark || mark < value)
		return false;
	*value++ = 0;
	value += strspn(value, " ");
	if (value >= mark)
		return false;
	*mark = 0;
	row->name = line;
	row->help = mark + 3;
	row->unit = "";
	row->cycle = -1;
	unit = strrchr(mark + 3, '(');
	if (unit && unit > mark + 3 && unit[-1] == ' ' && line[0] && unit[strlen(unit) - 1] == ')') {
		unit[-1] = 0;
		unit[strlen(unit + 1)] = 0;
		row->unit = unit + 1;
	}
	*is_number = read_value(value, row);
	return true;
}

static void read_total(struct reading *r, char *text)
{
	static const char begin[] = "---------- Begin Simulation Statistics", end[] = "---------- End";
	char *rest = text, *line;
	bool in_total = false, has_end = false;

	while (rest && (line = strsep(&rest, "\n"))) {
		struct result_row row;
		bool is_number;

		if (!strncmp(line, begin, sizeof(begin) - 1)) {
			in_total = strstr(line, "# total of") != NULL;
			if (in_total && strstr(line, " interrupted"))
				snprintf(r->message, r->size, "the run was interrupted: its statistics are partial");
		} else if (!strncmp(line, end, sizeof(end) - 1)) {
			has_end |= in_total;
			in_total = false;
		} else if (in_total && *line) {
			if (!read_statistic(line, &row, &is_number)) {
				snprintf(r->message, r->size, "stats.txt has a line that is no statistic: %.100s", line);
				return;
			}
			if (is_number && !strchr(row.name, '['))
				r->row(r->user, &row);
		}
	}
	if (!has_end && !*r->message)
		snprintf(r->message, r->size, "stats.txt has no total: the run did not use the simulated GPU, or was stopped");
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
	char *path = file_path(folder, "stats.txt"), *text = file_read(path, NULL);

	*message = 0;
	if (text)
		read_total(&r, text);
	else
		snprintf(message, size, "stats.txt cannot be read: %s", strerror(errno));
	free(text);
	free(path);
	path = file_path(folder, "series.csv");
	text = *message ? NULL : file_read(path, NULL);
	if (text)
		read_series(&r, text);
	free(text);
	free(path);
}
