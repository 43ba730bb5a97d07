/* experiment/energy/coefficients.c -- model files. */
#include "experiment/energy/coefficients.h"
#include "experiment/document.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <math.h>

static const char *const model_keys[] = { "chip", "coefficients", NULL };
static const char *const item_keys[] = { "name", "column", "unit", "value", "error", "source", NULL };

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

void coefficients_add(struct coefficients *m, const char *name, const char *column, bool is_watts,
	double value, double error, const char *source)
{
	m->items = xrealloc(m->items, (m->count + 1) * sizeof(*m->items));
	m->items[m->count++] = (struct coefficient){ xstrdup(name), xstrdup(column ? column : name), is_watts,
		value, error, copy(source) };
}

void coefficients_free(struct coefficients *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++) {
		free(m->items[i].name);
		free(m->items[i].column);
		free(m->items[i].source);
	}
	free(m->items);
	free(m->chip);
	free(m);
}

/* -- reading -- */

static double number(
	const struct document *d, doc_node item, const char *key, bool needed, struct diag_list *diags)
{
	doc_node node = doc_get(d, item, key);
	const char *text = doc_text(d, node);
	struct diag_location at = doc_location(d, node ? node : item);
	char *end = NULL;
	double value = text ? strtod(text, &end) : 0;

	if (!node && needed)
		diag_error(diags, &at, "a coefficient needs a %s", key);
	else if (node && (!text || end == text || *end || !isfinite(value) || value < 0))
		diag_error(diags, &at, "%s: a finite number that is not negative was expected", key);
	else
		return value;
	return 0;
}

static bool has(const struct coefficients *m, const char *name)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->items[i].name, name) == 0)
			return true;
	return false;
}

static void read_item(
	struct coefficients *m, const struct document *d, doc_node item, struct diag_list *diags)
{
	struct diag_location at = doc_location(d, item);
	const char *name = doc_text(d, doc_get(d, item, "name")),
		   *unit = doc_text(d, doc_get(d, item, "unit"));

	if (!doc_is_mapping(d, item)) {
		diag_error(diags, &at, "a coefficient { name: ..., unit: pJ or W, value: ... } was expected");
		return;
	}
	if (!doc_allow(d, item, item_keys, diags))
		return;
	if (!name || !unit || (strcmp(unit, "pJ") != 0 && strcmp(unit, "W") != 0)) {
		diag_error(diags, &at, "a coefficient needs a name and a unit, pJ or W");
		return;
	}
	if (has(m, name))
		diag_error(diags, &at, "the coefficient %s is there twice", name);
	coefficients_add(m, name, doc_text(d, doc_get(d, item, "column")), *unit == 'W',
		number(d, item, "value", true, diags), number(d, item, "error", false, diags),
		doc_text(d, doc_get(d, item, "source")));
}

static void read_items(struct coefficients *m, const struct document *d, struct diag_list *diags)
{
	doc_node root = document_root(d), list = doc_get(d, root, "coefficients");
	struct diag_location at = doc_location(d, list ? list : root);

	doc_allow(d, root, model_keys, diags);
	if (!list || !doc_is_list(d, list) || !doc_count(d, list)) {
		diag_error(diags, &at, "a list of coefficients was expected");
		return;
	}
	m->chip = copy(doc_text(d, doc_get(d, root, "chip")));
	for (size_t i = 0; i < doc_count(d, list); i++)
		read_item(m, d, doc_item(d, list, i), diags);
}

struct coefficients *coefficients_read(const char *path, struct diag_list *diags)
{
	struct coefficients *m = xcalloc(1, sizeof(*m));
	struct document *d = NULL;
	size_t size;
	char *text = file_read(path, &size);

	if (text)
		d = document_parse(path, text, size, diags);
	else
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
	if (d)
		read_items(m, d, diags);
	document_free(d);
	free(text);
	if (!diags->errors)
		return m;
	coefficients_free(m);
	return NULL;
}

/* -- writing -- */

static void print_quoted(const char *text, FILE *to)
{
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
	}
	fputc('"', to);
}

void coefficients_print(const struct coefficients *m, const char *comment, FILE *to)
{
	if (comment)
		fprintf(to, "# %s\n", comment);
	if (m->chip) {
		fputs("chip: ", to);
		print_quoted(m->chip, to);
		fputc('\n', to);
	}
	fputs("coefficients:\n", to);
	for (size_t i = 0; i < m->count; i++) {
		const struct coefficient *c = &m->items[i];

		fputs("  - { name: ", to);
		print_quoted(c->name, to);
		if (strcmp(c->name, c->column) != 0) {
			fputs(", column: ", to);
			print_quoted(c->column, to);
		}
		fprintf(to, ", unit: %s, value: %.9g, error: %.9g", c->is_watts ? "W" : "pJ", c->value,
			c->error);
		if (c->source) {
			fputs(", source: ", to);
			print_quoted(c->source, to);
		}
		fputs(" }\n", to);
	}
}
