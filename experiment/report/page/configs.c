/* experiment/report/page/configs.c -- the configurations of a sweep, and what sets each apart from the
 * baseline's.
 */
#include "experiment/report/internal.h"
#include "sim/base/xalloc.h"

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in the order of their paths. */
static const char *sorted_lines(struct keeper *k, char *text)
{
	size_t count = 0;
	char **lines = xcalloc(strlen(text) + 1, sizeof(*lines)), *rest = NULL;
	struct text sorted;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		lines[count++] = line;
	qsort(lines, count, sizeof(*lines), by_line);
	text_init(&sorted);
	for (size_t i = 0; i < count; i++)
		fprintf(sorted.stream, "%s\n", lines[i]);
	free(lines);
	return text_done(&sorted, k);
}

static const char *config_text(struct report_data *d, const char *hash, struct diag_list *diags)
{
	sqlite3_stmt *q = report_query(
		d->store, "SELECT text FROM configs WHERE ?1 = ?1 AND hash = ?2", 0, hash, diags);
	int status = q ? sqlite3_step(q) : SQLITE_ERROR;
	const char *text = status == SQLITE_ROW ? report_column_text(d, q, 0) : "";

	if (q)
		report_query_end(d->store, q, status, diags);
	return sorted_lines(&d->keeper, keep_copy(&d->keeper, text));
}

/* A line `path = value` of a configuration; its length with the newline. */
static size_t line_at(const char *text)
{
	size_t length = strcspn(text, "\n");

	return length + (text[length] == '\n');
}

static size_t path_length(const char *line)
{
	const char *equals = strstr(line, " = ");

	return equals ? (size_t)(equals - line) : strcspn(line, "\n");
}

static int compare_paths(const char *a, const char *b)
{
	size_t x = path_length(a), y = path_length(b);
	int order = memcmp(a, b, x < y ? x : y);

	if (!*a || !*b)
		return !*a - !*b;
	return order ? order : (x < y ? ' ' : a[y]) - (y < x ? ' ' : b[x]); /* a blank follows the path */
}

static const char *parameter_value(struct keeper *k, const char *line)
{
	size_t path = path_length(line), whole = strcspn(line, "\n");

	return whole > path + 3 ? keep_print(k, "%.*s", (int)(whole - path - 3), line + path + 3) : "";
}

static void add_difference(struct report_config *c, struct keeper *k, const char *line, const char *before)
{
	const char **more = keep_alloc(k, (c->count + 1) * sizeof(*more));

	if (c->count)
		memcpy(more, c->differences, c->count * sizeof(*more));
	more[c->count++] = keep_print(k, "%.*s = %s (%s)", (int)path_length(line), line,
		before ? parameter_value(k, line) : "–", before ? before : parameter_value(k, line));
	c->differences = more;
}

/* Both texts are sorted by path. In brackets what the baseline has; a dash stands for a parameter that there
 * is not. */
static void compare_with_baseline(
	struct report_config *c, struct keeper *k, const char *text, const char *baseline)
{
	while (*text || *baseline) {
		int order = compare_paths(text, baseline);

		if (order < 0)
			add_difference(c, k, text, "–");
		else if (order > 0)
			add_difference(c, k, baseline, NULL);
		else if (strcmp(parameter_value(k, text), parameter_value(k, baseline)) != 0)
			add_difference(c, k, text, parameter_value(k, baseline));
		if (order <= 0)
			text += line_at(text);
		if (order >= 0)
			baseline += line_at(baseline);
	}
}

const struct report_config *report_config_of(const struct report *r, const char *hash)
{
	for (size_t i = 0; i < r->config_count; i++)
		if (!strcmp(r->configs[i].hash, hash))
			return &r->configs[i];
	return NULL;
}

static const char *columns_with(struct report *r, const char *hash)
{
	bool *has = keep_alloc(&r->data->keeper, r->data->column_count + 1);
	const char *text = "";

	for (size_t i = 0; i < r->data->point_count; i++)
		has[r->data->points[i].column] |= !strcmp(r->data->points[i].config, hash);
	for (size_t c = 0; c < r->data->column_count; c++)
		if (has[c])
			text = keep_print(&r->data->keeper, "%s%s%s", text, *text ? ", " : "",
				r->data->columns[c].label);
	return text;
}

void report_collect_configs(struct report *r, struct diag_list *diags)
{
	struct report_data *d = r->data;

	r->configs = keep_alloc(&d->keeper, (d->point_count + 1) * sizeof(*r->configs));
	for (size_t i = 0; i < d->point_count; i++) {
		const struct report_point *p = &d->points[i];
		size_t baseline = d->columns[p->column].baseline;
		struct report_config *c = &r->configs[r->config_count];

		if (report_config_of(r, p->config))
			continue;
		c->hash = p->config;
		c->columns = columns_with(r, p->config);
		c->anchor = keep_print(&d->keeper, "c%zu", ++r->config_count);
		compare_with_baseline(c, &d->keeper, config_text(d, p->config, diags),
			config_text(d, d->columns[baseline == NONE ? 0 : baseline].config, diags));
	}
}
