/* sim/stats/stat_estimate_print.c -- each statistic as it is estimated, with its interval: all of them are
 * computed once from the estimate, and once from each of its replicates. */
#include "sim/text/c_locale.h"
#include "sim/base/student.h"
#include "sim/text/text_buffer.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat_estimate.h"
#include "sim/stats/stat_internal.h"
#include <inttypes.h>
#include <math.h>

#define NAME_COLUMN  48
#define VALUE_COLUMN 16

/* Objects of a group: with what is estimated in all, as the replicates have it, and what was counted. */
enum { ALL = STAT_REPLICATES, COUNTED, OBJECTS };

/* A number of a statistic; elements of vectors and buckets of histograms are 0 and more. */
enum { WHOLE = -1, TOTAL = -2, SAMPLES = -3, MEAN = -4 };

struct number {
	const struct sim_stat *stat;
	int element;
	const char *name; /* of the element; NULL: none */
	bool is_count;
	double value, half; /* of the interval; NAN: not known */
};

typedef void show(const char *path, const struct number *number, void *context);

struct printer {
	const struct stat_estimate *estimate;
	struct stat_trust trust;
	char *objects[OBJECTS]; /* of the present group */
	const char *path;
	show *show;
	void *context;
};

static double read_stat(const struct sim_stat *s, int element, const char *object)
{
	const uint64_t *field = (const uint64_t *)(object + s->offset);
	const struct sim_histogram *h = (const struct sim_histogram *)field;
	double total = 0;

	if (s->type == SIM_STAT_FORMULA)
		return s->formula(object);
	switch (element) {
	case TOTAL:
		for (size_t i = 0; s->names[i]; i++)
			total += (double)field[i];
		return total;
	case SAMPLES:
		return (double)h->samples;
	case MEAN:
		return h->samples ? (double)h->sum / (double)h->samples : NAN;
	case WHOLE:
		return (double)*field;
	default:
		return (double)(s->type == SIM_STAT_HIST ? h->bucket[element] : field[element]);
	}
}

/* Degrees of freedom of a variance that is known from these differences: one less than there are, but if a
 * few are much larger than the others, which then say little, as many as these few would have. */
static uint32_t degrees_of(const double off[STAT_REPLICATES], double squares)
{
	double fourths = 0, effective;
	uint32_t count = 0;

	for (int i = 0; i < STAT_REPLICATES; i++) {
		fourths += off[i] * off[i] * off[i] * off[i];
		count += off[i] != 0;
	}
	/* two or three that are alike: 2; sixteen of a normal distribution: about six */
	effective = fourths > 0 ? 3 * squares * squares / fourths - 3.9 : 1;
	if (count < 3 || effective < 1)
		return 1;
	return effective < count - 1 ? (uint32_t)effective : count - 1;
}

/* Half the 95 % interval of a number that is estimated: of the jackknife, and what is allowed for. */
static double half_interval_of_number(const struct printer *p, const struct number *n)
{
	double squares = 0, replicates = __builtin_popcount(p->estimate->used), systematic, half;
	double counted = read_stat(n->stat, n->element, p->objects[COUNTED]), off[STAT_REPLICATES];
	bool differs = counted != n->value && !isnan(n->value);

	for (int i = 0; i < STAT_REPLICATES; i++) {
		off[i] = read_stat(n->stat, n->element, p->objects[i]) - n->value;
		squares += off[i] * off[i];
		differs |= off[i] != 0 && !isnan(off[i]);
	}
	if (!differs)
		return 0;
	if (replicates < 2)
		return NAN;
	systematic = p->trust.allowance *
		(n->is_count ? fabs(n->value - counted) : p->trust.share * fabs(n->value));
	half = student_95(degrees_of(off, squares)) * sqrt((replicates - 1) / replicates * squares);
	return sqrt(half * half + systematic * systematic);
}

static void visit_number(const struct printer *p, const struct sim_stat *s, int element, const char *name)
{
	struct number n = { s, element, name, s->type != SIM_STAT_FORMULA && element != MEAN, 0, 0 };

	n.value = read_stat(s, element, p->objects[ALL]);
	n.half = half_interval_of_number(p, &n);
	p->show(p->path, &n, p->context);
}

static void visit_statistic(const struct printer *p, const struct sim_stat *s)
{
	const struct sim_histogram *h = (const struct sim_histogram *)(p->objects[ALL] + s->offset);
	char name[32];

	switch (s->type) {
	case SIM_STAT_VECTOR:
		for (int i = 0; s->names[i]; i++)
			visit_number(p, s, i, s->names[i]);
		visit_number(p, s, TOTAL, "total");
		break;
	case SIM_STAT_HIST:
		visit_number(p, s, SAMPLES, "samples");
		visit_number(p, s, MEAN, "mean");
		for (int i = 0; i < SIM_HIST_BUCKETS; i++)
			if (h->bucket[i]) {
				stat_bucket_name(name, sizeof(name), i);
				visit_number(p, s, i, name);
			}
		break;
	default:
		visit_number(p, s, WHOLE, NULL);
	}
}

static double word_of(const struct stat_part *part, size_t at)
{
	return part && at < part->count ? part->words[at] : 0;
}

/* Sets the counters of an object to those counted and known, and with them those that are estimated, from
 * `first` on. */
static void fill_counters(const struct stat_group *g, char *object, const uint64_t *counted,
	const struct stat_part *part, const struct stat_part *known, size_t first)
{
	const size_t *words = g->words_of;
	size_t at = first;

	for (const struct sim_stat *s = g->table; s->type != SIM_STAT_END_TYPE; s++, words++) {
		uint64_t *field = (uint64_t *)(object + s->offset);

		for (size_t i = 0; i < *words; i++, at++) {
			double more = word_of(part, at) + word_of(known, at);
			double sum = (double)counted[at - first] + more;

			field[i] = more == 0 ? counted[at - first] : sum > 0 ? (uint64_t)(sum + 0.5) : 0;
		}
	}
}

bool stat_estimate_object(
	const struct stat_tree *tree, const struct stat_estimate *e, const void *object, void *to)
{
	size_t first = 0;

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		if (g->members && g->members->object == object && !g->members->next) {
			uint64_t *counted = stat_copy_words(g, object);

			fill_counters(g, to, counted, &e->all, &e->known, first);
			free(counted);
			return true;
		}
		first += g->words;
	}
	return false;
}

static void visit_all(const struct stat_tree *tree, struct printer *p)
{
	size_t first = 0;

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		uint64_t *counted = stat_copy_words(g, stat_gather(g, NULL, NULL));

		for (int i = 0; i < OBJECTS; i++) {
			p->objects[i] = xcalloc(1, g->size);
			fill_counters(g, p->objects[i], counted,
				i == COUNTED       ? NULL
					: i == ALL ? &p->estimate->all
						   : &p->estimate->without[i],
				&p->estimate->known, first);
		}
		p->path = g->path;
		for (const struct sim_stat *s = g->table; s->type != SIM_STAT_END_TYPE; s++)
			visit_statistic(p, s);
		for (int i = 0; i < OBJECTS; i++)
			free(p->objects[i]);
		free(counted);
		first += g->words;
	}
}

/* ---- lines ---- */

static double low_of(const struct number *n)
{
	double low = n->value - n->half;

	return n->is_count && low < 0 ? 0 : low;
}

static void put_end(struct text_buffer *line, const struct number *n, double value)
{
	if (n->is_count)
		text_buffer_put_integer(line, (uint64_t)(value + 0.5), 0);
	else
		text_buffer_put_digits(line, value, 0);
}

static void put_interval(struct text_buffer *line, const struct number *n)
{
	if (isnan(n->half)) {
		text_buffer_put_text(line, " [uncertain]");
		return;
	}
	text_buffer_put_text(line, " [95 %: ");
	put_end(line, n, low_of(n));
	text_buffer_put_text(line, " to ");
	put_end(line, n, n->value + n->half);
	text_buffer_put_char(line, ']');
}

static size_t put_name(struct text_buffer *line, const char *path, const struct number *n)
{
	text_buffer_put_text(line, path);
	text_buffer_put_char(line, '.');
	text_buffer_put_text(line, n->stat->name);
	if (!n->name)
		return strlen(path) + 1 + strlen(n->stat->name);
	text_buffer_put_text(line, "::");
	text_buffer_put_text(line, n->name);
	return strlen(path) + 1 + strlen(n->stat->name) + 2 + strlen(n->name);
}

static void show_line(const char *path, const struct number *n, void *context)
{
	struct text_buffer *line = context;

	text_buffer_put_spaces(line, NAME_COLUMN - (int)put_name(line, path, n));
	text_buffer_put_char(line, ' ');
	if (n->is_count)
		text_buffer_put_integer(line, (uint64_t)n->value, VALUE_COLUMN);
	else if (isnan(n->value))
		text_buffer_put_text(line, "             nan");
	else if (n->value != 0 && fabs(n->value) < 0.001)
		text_buffer_put_digits(line, n->value, VALUE_COLUMN);
	else
		text_buffer_put_fixed(line, n->value, VALUE_COLUMN);
	text_buffer_put(line, " # ", 3);
	text_buffer_put_text(line, n->stat->help);
	if (*n->stat->unit) {
		text_buffer_put(line, " (", 2);
		text_buffer_put_text(line, n->stat->unit);
		text_buffer_put_char(line, ')');
	}
	if (n->half != 0)
		put_interval(line, n);
	text_buffer_put_char(line, '\n');
}

void stat_print_estimate(
	const struct stat_tree *tree, const struct stat_estimate *e, struct stat_trust trust, FILE *stream)
{
	struct text_buffer line = { .stream = stream };
	struct printer p = { .estimate = e, .trust = trust, .show = show_line, .context = &line };
	locale_t before = c_locale_enter();

	visit_all(tree, &p);
	text_buffer_flush(&line);
	c_locale_leave(before);
}

/* ---- JSON ---- */

struct json {
	struct text_buffer line;
	int indent;
	bool comma;
};

static void put_json(struct json *j, const struct number *n, double value)
{
	if (!isfinite(value))
		text_buffer_put_text(&j->line, "null");
	else if (n->is_count)
		text_buffer_put_integer(&j->line, (uint64_t)(value + 0.5), 0);
	else
		text_buffer_put_general(&j->line, value);
}

static void show_json(const char *path, const struct number *n, void *context)
{
	struct json *j = context;

	text_buffer_put_text(&j->line, j->comma ? ",\n" : "\n");
	text_buffer_put_spaces(&j->line, j->indent + 2);
	text_buffer_put_char(&j->line, '"');
	put_name(&j->line, path, n);
	text_buffer_put_text(&j->line, "\": [");
	put_json(j, n, n->value);
	text_buffer_put_text(&j->line, ", ");
	put_json(j, n, low_of(n));
	text_buffer_put_text(&j->line, ", ");
	put_json(j, n, n->value + n->half);
	text_buffer_put_char(&j->line, ']');
	j->comma = true;
}

void stat_print_estimate_json(const struct stat_tree *tree, const struct stat_estimate *e,
	struct stat_trust trust, FILE *stream, int indent)
{
	struct json json = { .line.stream = stream, .indent = indent };
	struct printer p = { .estimate = e, .trust = trust, .show = show_json, .context = &json };
	locale_t before = c_locale_enter();

	text_buffer_put_char(&json.line, '{');
	visit_all(tree, &p);
	text_buffer_put_char(&json.line, '\n');
	text_buffer_put_spaces(&json.line, indent);
	text_buffer_put_char(&json.line, '}');
	text_buffer_flush(&json.line);
	c_locale_leave(before);
}

/* ---- one value ---- */

struct wanted {
	const char *name;
	double value, low, high;
};

static void compare_number(const char *path, const struct number *n, void *context)
{
	struct wanted *w = context;
	size_t size = strlen(path), length = strlen(n->stat->name);
	const char *rest = w->name + size + 1;

	if (strncmp(w->name, path, size) || w->name[size] != '.' || strncmp(rest, n->stat->name, length))
		return;
	rest += length;
	if (n->name ? strncmp(rest, "::", 2) || strcmp(rest + 2, n->name) : *rest)
		return;
	w->value = n->value;
	w->low = low_of(n);
	w->high = n->value + n->half;
}

double stat_estimate_value(const struct stat_tree *tree, const struct stat_estimate *e,
	struct stat_trust trust, const char *name, double *low, double *high)
{
	struct wanted wanted = { name, NAN, NAN, NAN };
	struct printer p = { .estimate = e, .trust = trust, .show = compare_number, .context = &wanted };

	visit_all(tree, &p);
	if (low)
		*low = wanted.low;
	if (high)
		*high = wanted.high;
	return wanted.value;
}
