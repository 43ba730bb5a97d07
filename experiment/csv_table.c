/* experiment/csv_table.c -- CSV read whole. */
#include "experiment/csv_table.h"
#include "experiment/files.h"
#include "sim/text/csv.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct reader {
	struct csv_table *table;
	char *at;
	unsigned line;
	struct diag_list *diags;
};

static struct diag_location csv_location(const struct csv_table *t, unsigned line)
{
	return (struct diag_location){ .file = t->path, .line = line };
}

void csv_table_error(const struct csv_table *t, size_t row, struct diag_list *diags, const char *format, ...)
{
	struct diag_location at = csv_location(t, t->rows[row].line);
	char message[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	diag_error(diags, &at, "%s", message);
}

/* A field, ended by a NUL in place; *last: it ends its line. False: a quote is not closed. */
static bool read_field(struct reader *r, char **field, bool *last)
{
	bool is_quoted = *r->at == '"';
	char *to;
	char end;

	*field = to = r->at += is_quoted;
	while (*r->at && (is_quoted || (*r->at != ',' && *r->at != '\n' && *r->at != '\r'))) {
		if (*r->at == '"' && is_quoted) {
			if (r->at[1] != '"')
				break;
			r->at++;
		}
		r->line += *r->at == '\n';
		*to++ = *r->at++;
	}
	if (is_quoted && *r->at != '"')
		return false;
	r->at += is_quoted;
	if (*r->at == '\r' && r->at[1] == '\n')
		r->at++;
	end = *r->at;
	r->at += end != '\0';
	*to = '\0';
	*field = (char *)csv_text(*field);
	*last = end != ',';
	return end == ',' || end == '\n' || end == '\0';
}

static char **read_csv_line(struct reader *r, size_t *count)
{
	struct diag_location at = csv_location(r->table, r->line);
	char **fields = NULL;
	bool last = false;

	*count = 0;
	while (!last) {
		fields = xrealloc(fields, (*count + 1) * sizeof(*fields));
		if (!read_field(r, &fields[(*count)++], &last)) {
			diag_error(r->diags, &at, "a field in quotes does not end, or goes on behind them");
			free(fields);
			return NULL;
		}
	}
	r->line++;
	return fields;
}

static void skip_empty(struct reader *r)
{
	for (; *r->at == '\n' || (*r->at == '\r' && r->at[1] == '\n'); r->at += 1 + (*r->at == '\r'))
		r->line++;
}

/* To the line whose first field is that one; the first line if first is NULL. */
static bool find_header(struct reader *r, const char *first)
{
	size_t length = first ? strlen(first) : 0;
	struct diag_location whole = { .file = r->table->path };

	skip_empty(r);
	for (; first && *r->at; skip_empty(r)) {
		const char *field = r->at + (*r->at == '"'), *end = strchr(r->at, '\n');

		if (strncmp(field, first, length) == 0 && strchr("\",", field[length]) && field[length])
			return true;
		r->at = end ? (char *)end : r->at + strlen(r->at);
	}
	if (first)
		diag_error(r->diags, &whole, "there is no header: no line begins with the column %s", first);
	return !first;
}

static bool read_header(struct reader *r)
{
	struct csv_table *t = r->table;
	struct diag_location at = csv_location(t, r->line);

	t->columns = read_csv_line(r, &t->column_count);
	for (size_t i = 0; t->columns && i < t->column_count; i++)
		if (csv_table_column(t, t->columns[i]) != i)
			diag_error(r->diags, &at, "the column %s is there twice", t->columns[i]);
	return t->columns && !r->diags->errors;
}

static bool read_row(struct reader *r)
{
	struct csv_table *t = r->table;
	struct csv_row row = { .line = r->line };
	struct diag_location at = csv_location(t, r->line);
	size_t count;

	row.fields = read_csv_line(r, &count);
	if (!row.fields)
		return false;
	if (count != t->column_count) {
		diag_error(r->diags, &at, "%zu fields, where the header has %zu", count, t->column_count);
		free(row.fields);
		return false;
	}
	t->rows = xrealloc(t->rows, (t->row_count + 1) * sizeof(*t->rows));
	t->rows[t->row_count++] = row;
	return true;
}

struct csv_table *csv_table_read(const char *path, const char *first, struct diag_list *diags)
{
	struct csv_table *t = xcalloc(1, sizeof(*t));
	struct reader r = { t, NULL, 1, diags };
	struct diag_location whole = { .file = path };
	bool fine;

	t->path = xstrdup(path);
	t->text = file_read(path, NULL);
	if (!t->text) {
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		csv_table_free(t);
		return NULL;
	}
	r.at = t->text;
	fine = find_header(&r, first) && read_header(&r);
	for (skip_empty(&r); fine && *r.at; skip_empty(&r))
		fine = read_row(&r);
	if (fine && !t->row_count)
		diag_error(diags, &whole, "there is no row behind the header");
	if (fine && t->row_count)
		return t;
	csv_table_free(t);
	return NULL;
}

void csv_table_free(struct csv_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->row_count; i++)
		free(t->rows[i].fields);
	free(t->rows);
	free(t->columns);
	free(t->text);
	free(t->path);
	free(t);
}

size_t csv_table_column(const struct csv_table *t, const char *name)
{
	for (size_t i = 0; i < t->column_count; i++)
		if (strcmp(t->columns[i], name) == 0)
			return i;
	return NO_COLUMN;
}

size_t csv_table_need(const struct csv_table *t, const char *name, struct diag_list *diags)
{
	size_t column = csv_table_column(t, name);
	struct diag_location at = csv_location(t, 1);
	const char *nearest;

	if (column != NO_COLUMN)
		return column;
	nearest = diag_nearest(name, (const char *const *)t->columns, t->column_count);
	if (nearest)
		diag_error(diags, &at, "there is no column %s; did you mean %s?", name, nearest);
	else
		diag_error(diags, &at, "there is no column %s", name);
	return NO_COLUMN;
}

double csv_table_number(const struct csv_table *t, size_t row, size_t column, struct diag_list *diags)
{
	const char *text = t->rows[row].fields[column];
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value)) {
		csv_table_error(t, row, diags, "%s: '%s' is no finite number", t->columns[column], text);
		return 0;
	}
	if (value < 0) {
		csv_table_error(t, row, diags, "%s: %s is negative", t->columns[column], text);
		return 0;
	}
	return value;
}
