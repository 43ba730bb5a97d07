/* core/energy/coefficients.c -- model files. */
#include "core/energy/coefficients.h"
#include "core/energy/transfer.h"
#include "sim/text/c_locale.h"
#include "sim/files/file_read.h"
#include "sim/base/xalloc.h"
#include "sim/config/document.h"
#include <errno.h>
#include <math.h>

#define MOST 1e9 /* 1 mJ, or 1 GW */

static const char *const model_keys[] = { "chip", "base", "model_error", "clock", "voltage_slope", "voltages",
	"scales", "coefficients", NULL };
static const char *const item_keys[] = { "name", "component", "event", "column", "unit", "value", "error",
	"optional", "scale", "place", "source", NULL };
static const char *const scale_names[] = { "unit", "voltage2", "voltage", "none", "clocked", NULL };
/* where it is counted, or an enum energy_place_kind */
static const char *const place_names[] = { "counted", "sm", "l2", "dram", "network", NULL };

static char *copy_value(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

struct coefficient *coefficients_add(struct coefficients *m, const char *name, const char *column,
	bool is_watts, double value, double error, const char *source)
{
	m->items = xrealloc(m->items, (m->count + 1) * sizeof(*m->items));
	m->items[m->count] = (struct coefficient){ .name = xstrdup(name),
		.column = xstrdup(column ? column : name),
		.is_watts = is_watts,
		.value = value,
		.error = error,
		.source = copy_value(source) };
	return &m->items[m->count++];
}

struct coefficient *coefficients_find(const struct coefficients *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->items[i].name, name) == 0)
			return &m->items[i];
	return NULL;
}

const char *coefficient_file(const struct coefficients *m, const struct coefficient *c)
{
	return c->file < m->file_count ? m->files[c->file] : NULL;
}

double coefficient_factor(
	const struct coefficients *m, const struct coefficient *c, size_t scale, double *error)
{
	const struct scale *s = &m->scales[scale];
	int power = s->is_voltage ? coefficient_exponent(c) : 1;
	bool applies = c->scales >> scale & 1 && power;

	*error = applies ? power * s->error / s->value : 0;
	return applies ? pow(s->value, power) : 1;
}

void coefficients_widen(struct coefficients *m)
{
	for (size_t i = 0; i < m->count; i++) {
		struct coefficient *c = &m->items[i];
		double squares = c->error * c->error, error;

		for (size_t s = 0; s < m->scale_count; s++) {
			coefficient_factor(m, c, s, &error);
			squares += c->value * error * c->value * error;
		}
		c->error = sqrt(squares);
		c->scales = 0;
	}
}

static void add_model_file(struct coefficients *m, const char *path)
{
	m->files = xrealloc(m->files, (m->file_count + 1) * sizeof(*m->files));
	m->files[m->file_count++] = xstrdup(path);
}

void coefficients_free(struct coefficients *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		free(m->items[i].name);
		free(m->items[i].column);
		free(m->items[i].source);
		free(m->items[i].component);
		free(m->items[i].event);
	}
	for (size_t i = 0; i < m->scale_count; i++) {
		free(m->scales[i].name);
		free(m->scales[i].of);
		free(m->scales[i].source);
	}
	for (size_t i = 0; i < m->file_count; i++)
		free(m->files[i]);
	free(m->files);
	free(m->items);
	voltage_curve_free(&m->voltages);
	free(m->chip);
	free(m);
}

/* -- reading -- */

double coefficients_number(
	const struct document *d, doc_node item, const char *key, bool needed, struct diag_list *diags)
{
	doc_node node = doc_get(d, item, key);
	const char *text = doc_text(d, node);
	struct diag_location at = doc_location(d, node ? node : item);
	char *end = NULL;
	double value = text ? strtod(text, &end) : 0;

	if (!node && needed)
		diag_error(diags, &at, "%s: a number was expected, and there is none", key);
	else if (node && (!text || end == text || *end || !isfinite(value) || value < 0))
		diag_error(diags, &at, "%s: a finite number that is not negative was expected", key);
	else if (value > MOST)
		diag_error(diags, &at, "%s: %g is more than %g, which no event of a chip takes", key, value,
			MOST);
	else
		return value;
	return 0;
}

/* The texts among which a key chooses; false: it has none of them, which is said. */
bool coefficients_choice(const struct document *d, doc_node item, const char *key, const char *const *names,
	uint8_t *value, struct diag_list *diags)
{
	doc_node node = doc_get(d, item, key);
	const char *text = doc_text(d, node);
	struct diag_location at = doc_location(d, node);

	*value = 0;
	if (!node)
		return true;
	for (; names[*value]; ++*value)
		if (text && strcmp(text, names[*value]) == 0)
			return true;
	diag_error(diags, &at, "%s: there is no %s", key, text ? text : "such value");
	return false;
}

/* In names of statistics. */
static bool is_word(const char *text)
{
	return *text &&
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		strlen(text);
}

bool coefficient_name_is_word(const struct coefficient *c)
{
	return is_word(c->name);
}

int coefficient_exponent(const struct coefficient *c)
{
	switch (c->scale) {
	case SCALE_VOLTAGE2:
	case SCALE_CLOCKED:
		return 2;
	case SCALE_VOLTAGE:
		return 1;
	case SCALE_NONE:
		return 0;
	default:
		return !c->is_watts ? 2 : strcmp(c->name, CONSTANT) != 0;
	}
}

double coefficients_voltage(const struct coefficients *m, double core_mhz)
{
	if (m->voltages.count)
		return voltage_curve_at(&m->voltages, core_mhz) / voltage_curve_at(&m->voltages, m->clock);
	return m->clock > 0 ? 1 + m->voltage_slope * (core_mhz / m->clock - 1) : 1;
}

double coefficient_at(
	const struct coefficients *m, const struct coefficient *c, double voltage, double core_mhz)
{
	bool follows = c->scale == SCALE_CLOCKED && m->clock > 0;

	return pow(voltage, coefficient_exponent(c)) * (follows ? core_mhz / m->clock : 1);
}

void coefficients_words(const struct document *d, doc_node item, const char *key, struct diag_list *diags)
{
	doc_node node = doc_get(d, item, key);
	const char *text = doc_text(d, node);
	struct diag_location at = doc_location(d, node);

	if (node && (!text || !is_word(text)))
		diag_error(diags, &at, "%s: a word of letters, digits and _ was expected", key);
}

static void read_coefficient(
	struct coefficients *m, const struct document *d, doc_node item, struct diag_list *diags)
{
	static const char *const truths[] = { "false", "true", NULL }, *const units[] = { "pJ", "W", NULL };
	struct diag_location at = doc_location(d, item);
	const char *name = doc_text(d, doc_get(d, item, "name"));
	uint8_t unit, is_optional, scale, place;
	struct coefficient *c;

	if (!doc_is_mapping(d, item)) {
		diag_error(diags, &at, "a coefficient { name: ..., unit: pJ or W, value: ... } was expected");
		return;
	}
	if (!doc_allow(d, item, item_keys, diags))
		return;
	if (!name || !doc_get(d, item, "unit") ||
		!coefficients_choice(d, item, "unit", units, &unit, diags)) {
		diag_error(diags, &at, "a coefficient needs a name and a unit, pJ or W");
		return;
	}
	if (coefficients_find(m, name))
		diag_error(diags, &at, "the coefficient %s is there twice", name);
	coefficients_words(d, item, "component", diags);
	coefficients_choice(d, item, "optional", truths, &is_optional, diags);
	coefficients_choice(d, item, "scale", scale_names, &scale, diags);
	coefficients_choice(d, item, "place", place_names, &place, diags);
	c = coefficients_add(m, name, doc_text(d, doc_get(d, item, "column")), unit == 1,
		coefficients_number(d, item, "value", true, diags),
		coefficients_number(d, item, "error", false, diags), doc_text(d, doc_get(d, item, "source")));
	c->component = copy_value(doc_text(d, doc_get(d, item, "component")));
	c->event = copy_value(doc_text(d, doc_get(d, item, "event")));
	c->is_optional = is_optional;
	c->scale = scale;
	c->place = place;
	c->line = at.line;
	if (scale == SCALE_CLOCKED && (!c->is_watts || m->clock <= 0))
		diag_error(diags, &at, "scale: clocked is for W, and needs the model's clock");
}

static void read_voltages(struct coefficients *m, const struct document *d, struct diag_list *diags)
{
	doc_node list = doc_get(d, document_root(d), "voltages");
	struct diag_location at = doc_location(d, list);

	voltage_curve_read(&m->voltages, d, list, diags);
	if (m->voltages.count && m->clock <= 0)
		diag_error(
			diags, &at, "voltages need clock: the one, in MHz, at which the coefficients hold");
	if (m->voltages.count && m->voltage_slope > 0)
		diag_error(diags, &at, "voltages and voltage_slope say the same: one of them was expected");
}

static void read_items(
	struct coefficients *m, const struct document *d, unsigned depth, struct diag_list *diags)
{
	doc_node root = document_root(d), list = doc_get(d, root, "coefficients"),
		 base = doc_get(d, root, "base");
	struct diag_location at = doc_location(d, list ? list : root);

	doc_allow(d, root, model_keys, diags);
	if ((list || !base) && (!doc_is_list(d, list) || !doc_count(d, list))) {
		diag_error(diags, &at, "a list of coefficients was expected");
		return;
	}
	m->model_error = coefficients_number(d, root, "model_error", false, diags);
	m->clock = coefficients_number(d, root, "clock", false, diags);
	m->voltage_slope = coefficients_number(d, root, "voltage_slope", false, diags);
	read_voltages(m, d, diags);
	m->chip = copy_value(doc_text(d, doc_get(d, root, "chip")));
	for (size_t i = 0; list && i < doc_count(d, list); i++)
		read_coefficient(m, d, doc_item(d, list, i), diags);
	transfer_read(m, d, depth, diags);
}

struct coefficients *coefficients_read_at(const char *path, unsigned depth, struct diag_list *diags)
{
	struct coefficients *m = xcalloc(1, sizeof(*m));
	struct document *d = NULL;
	size_t size;
	char *text = file_read(path, &size);
	locale_t before = c_locale_enter();

	add_model_file(m, path);
	if (text)
		d = document_parse(path, text, size, diags);
	else
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
	if (d)
		read_items(m, d, depth, diags);
	c_locale_leave(before);
	document_free(d);
	free(text);
	if (!diags->errors)
		return m;
	coefficients_free(m);
	return NULL;
}

struct coefficients *coefficients_read(const char *path, struct diag_list *diags)
{
	return coefficients_read_at(path, 0, diags);
}

/* -- writing -- */

static void print_quoted_text(const char *text, FILE *to)
{
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
	fputc('"', to);
}

static void print_text(const char *key, const char *text, FILE *to)
{
	if (!text)
		return;
	fprintf(to, ", %s: ", key);
	print_quoted_text(text, to);
}

static void print_item(const struct coefficient *c, FILE *to)
{
	fputs("  - { name: ", to);
	print_quoted_text(c->name, to);
	print_text("component", c->component, to);
	print_text("event", c->event, to);
	print_text("column", strcmp(c->name, c->column) != 0 ? c->column : NULL, to);
	fprintf(to, ", unit: %s, value: %.9g, error: %.9g", c->is_watts ? "W" : "pJ", c->value, c->error);
	if (c->is_optional)
		fputs(", optional: true", to);
	if (c->scale)
		fprintf(to, ", scale: %s", scale_names[c->scale]);
	if (c->place)
		fprintf(to, ", place: %s", place_names[c->place]);
	print_text("source", c->source, to);
	fputs(" }\n", to);
}

static void print_voltages(const struct voltage_curve *c, FILE *to)
{
	if (c->count)
		fputs("voltages:\n", to);
	for (size_t i = 0; i < c->count; i++) {
		fprintf(to, "  - { MHz: %.6g, V: %.6g", c->points[i].mhz, c->points[i].volts);
		print_text("source", c->points[i].source, to);
		fputs(" }\n", to);
	}
}

void coefficients_print(const struct coefficients *m, const char *comment, FILE *to)
{
	if (comment)
		fprintf(to, "# %s\n", comment);
	if (m->chip) {
		fputs("chip: ", to);
		print_quoted_text(m->chip, to);
		fputc('\n', to);
	}
	if (m->model_error > 0)
		fprintf(to, "model_error: %.4g\n", m->model_error);
	if (m->clock > 0)
		fprintf(to, "clock: %.6g\n", m->clock);
	if (m->clock > 0 && !m->voltages.count)
		fprintf(to, "voltage_slope: %.6g\n", m->voltage_slope);
	print_voltages(&m->voltages, to);
	fputs("coefficients:\n", to);
	for (size_t i = 0; i < m->count; i++)
		print_item(&m->items[i], to);
}
