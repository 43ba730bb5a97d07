/* experiment/runs/stats_compare.c -- statistic by statistic, kernel by kernel. */
#include "experiment/runs/stats_compare.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>

/* ---- which ---- */

/* "sm.issue_slots" fits "sm.issue_slots::barrier" too. */
bool stats_pattern_fits(const char *pattern, const char *name)
{
	const char *element = strstr(name, "::");
	char stem[256];

	if (stat_name_fits(pattern, name))
		return true;
	if (!element || strstr(pattern, "::") || (size_t)(element - name) >= sizeof(stem))
		return false;
	snprintf(stem, sizeof(stem), "%.*s", (int)(element - name), name);
	return stat_name_fits(pattern, stem);
}

bool stats_filter_takes(const struct stats_filter *filter, const char *name)
{
	bool is_instance = stats_is_instance(name);

	if (!filter->pattern_count)
		return filter->with_instances || !is_instance;
	for (size_t i = 0; i < filter->pattern_count; i++)
		if ((!is_instance || filter->with_instances || strchr(filter->patterns[i], '[')) &&
			stats_pattern_fits(filter->patterns[i], name))
			return true;
	return false;
}

/* ---- moves ---- */

static void weigh(struct stats_move *m)
{
	const struct stats_value *a = m->a, *b = m->b;

	m->change = m->percent = NAN;
	if (!a || !b)
		return;
	m->is_equal = (isnan(a->value) && isnan(b->value)) ||
		(a->is_whole && b->is_whole ? a->whole == b->whole : a->value == b->value);
	if (isnan(a->value) || isnan(b->value))
		return;
	m->change = b->value - a->value;
	if (a->is_whole && b->is_whole)
		m->change =
			a->whole < b->whole ? (double)(b->whole - a->whole) : -(double)(a->whole - b->whole);
	m->percent = m->is_equal ? 0 : 100 * m->change / fabs(a->value);
}

static void add_move(struct stats_moves *moves, const struct stats_value *a, const struct stats_value *b)
{
	struct stats_move *m;

	if (moves->count == moves->capacity) {
		moves->capacity = moves->capacity ? 2 * moves->capacity : 256;
		moves->items = xrealloc(moves->items, moves->capacity * sizeof(*moves->items));
	}
	m = &moves->items[moves->count];
	*m = (struct stats_move){ .a = a, .b = b, .position = moves->count };
	weigh(m);
	moves->count++;
}

bool stats_compare(struct stats_moves *moves, const struct stats_file *file_a, struct stats_section *a,
	const struct stats_file *file_b, struct stats_section *b, const struct stats_filter *filter,
	struct diag_list *diags)
{
	if ((a && !stats_section_index(file_a, a, diags)) || (b && !stats_section_index(file_b, b, diags)))
		return false;
	for (size_t i = 0; a && i < a->count; i++)
		if (stats_filter_takes(filter, a->values[i].name))
			add_move(moves, &a->values[i], b ? stats_section_find(b, a->values[i].name) : NULL);
	for (size_t i = 0; b && i < b->count; i++)
		if (stats_filter_takes(filter, b->values[i].name) &&
			(!a || !stats_section_find(a, b->values[i].name)))
			add_move(moves, NULL, &b->values[i]);
	return true;
}

void stats_moves_fini(struct stats_moves *moves)
{
	free(moves->items);
	*moves = (struct stats_moves){ 0 };
}

/* ---- order ---- */

static int by_file(const void *x, const void *y)
{
	const struct stats_move *a = x, *b = y;

	return a->position < b->position ? -1 : a->position > b->position;
}

static int moves_by_name(const void *x, const void *y)
{
	const struct stats_move *a = x, *b = y;

	return strcmp((a->a ? a->a : a->b)->name, (b->a ? b->a : b->b)->name);
}

/* Larger than any number: from or to "nan"; smaller than any: of one run alone. */
static double weight_of_move(const struct stats_move *m, double of)
{
	if (!m->a || !m->b)
		return -1;
	return isnan(of) ? m->is_equal ? 0 : INFINITY : fabs(of);
}

static int by_weight(double a, double b)
{
	return a > b ? -1 : a < b;
}

static int by_change(const void *x, const void *y)
{
	const struct stats_move *a = x, *b = y;
	int order = by_weight(weight_of_move(a, a->change), weight_of_move(b, b->change));

	return order ? order : by_file(x, y);
}

static int by_percent(const void *x, const void *y)
{
	const struct stats_move *a = x, *b = y;
	int order = by_weight(weight_of_move(a, a->percent), weight_of_move(b, b->percent));

	return order ? order : by_change(x, y);
}

void stats_moves_sort(struct stats_moves *moves, enum stats_order order)
{
	static int (*const orders[])(const void *, const void *) = { [BY_PERCENT] = by_percent,
		[BY_CHANGE] = by_change,
		[BY_NAME] = moves_by_name,
		[BY_FILE] = by_file };

	if (moves->count)
		qsort(moves->items, moves->count, sizeof(*moves->items), orders[order]);
}

/* Others as exactly as they were printed: to six digits behind the point. */
void stats_format_change(const struct stats_move *m, char *text, size_t size)
{
	if (isnan(m->change))
		*text = 0;
	else if (!m->a->is_whole || !m->b->is_whole)
		snprintf(text, size, "%+.6f", m->change);
	else if (m->a->whole <= m->b->whole)
		snprintf(text, size, "+%" PRIu64, m->b->whole - m->a->whole);
	else
		snprintf(text, size, "-%" PRIu64, m->a->whole - m->b->whole);
}

/* ---- kernels ---- */

struct named {
	const char *name;
	size_t index;
};

static int by_name_and_index(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static struct named *kernels_by_name(const struct stats_file *f, enum stats_kind kind, size_t *count)
{
	struct named *list = xcalloc(f->section_count, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < f->section_count; i++)
		if (f->sections[i].kind == kind)
			list[(*count)++] = (struct named){ f->sections[i].name, i };
	if (*count)
		qsort(list, *count, sizeof(*list), by_name_and_index);
	return list;
}

size_t *stats_match_kernels(
	const struct stats_file *file_a, const struct stats_file *file_b, enum stats_kind kind)
{
	size_t *partner = xcalloc(file_a->section_count, sizeof(*partner)), a_count, b_count;
	struct named *a = kernels_by_name(file_a, kind, &a_count),
		     *b = kernels_by_name(file_b, kind, &b_count);

	for (size_t i = 0; i < file_a->section_count; i++)
		partner[i] = STATS_NO_PARTNER;
	for (size_t i = 0, k = 0; i < a_count && k < b_count;) {
		int order = strcmp(a[i].name, b[k].name);

		if (!order)
			partner[a[i].index] = b[k].index;
		i += order <= 0;
		k += order >= 0;
	}
	free(a);
	free(b);
	return partner;
}
