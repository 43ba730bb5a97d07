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

enum value { NO_VALUE, NO_NUMBER, NUMBER };

/* As the simulator writes them: whole, or with a point, or nan where there is none. */
static enum value read_value(const char *text, struct result_row *row)
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

/* "name  value # help (unit)", cut up in place. false: the line is none. */
static bool read_statistic(char *line, struct result_row *row, enum value *kind)
{
	char *value = line + strcspn(line, " "), *mark = strstr(line, " # "), *unit;

	if (value == line || !*value || !mark || mark < value)
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
	*kind = read_value(value, row);
	return *kind != NO_VALUE;
}

static void read_total(struct reading *r, char *text)
{
	static const char begin[] = "---------- Begin Simulation Statistics", end[] = "---------- End";
	char *rest = text, *line;
	bool in_total = false, has_end = false;

	while (rest && (line = strsep(&rest, "\n"))) {
		struct result_row row;
		enum value kind;

		if (!strncmp(line, begin, sizeof(begin) - 1)) {
			in_total = strstr(line, "# total of") != NULL;
			if (in_total && strstr(line, " interrupted"))
				snprintf(r->message, r->size, "the run was interrupted: its statistics are partial");
		} else if (!strncmp(line, end, sizeof(end) - 1)) {
			has_end |= in_total;
			in_total = false;
		} else if (in_total && *line) {
			if (!read_statistic(line, &row, &kind)) {
				snprintf(r->message, r->size, "stats.txt has a line that is no statistic: %.100s", line);
				return;
			}
			if (kind == NUMBER && !strchr(row.name, '['))
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
		kind = read_value(field, &row);
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
