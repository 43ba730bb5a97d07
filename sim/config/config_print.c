/* sim/config/config_print.c -- prints the configuration in effect as YAML that can be loaded again, and
 * the manual of all declared parameters. Both are in the order in which the components read. */
#include "sim/text/c_locale.h"
#include "sim/config/config_internal.h"
#include <stdlib.h>
#include <string.h>

#define ORIGIN_COLUMN 40

/* -- texts -- */

/* The next character of a UTF-8 text; 0xfffd, advancing by one byte, if the text is not UTF-8. */
static uint32_t next_character(const unsigned char **text)
{
	const unsigned char *t = *text;
	unsigned more = t[0] >= 0xf0 ? 3 : t[0] >= 0xe0 ? 2 : t[0] >= 0xc0;
	uint32_t c = more ? t[0] & (0x3fU >> more) : t[0];

	*text += 1;
	if (t[0] >= 0xf8 || (t[0] >= 0x80 && !more))
		return 0xfffd;
	for (unsigned i = 1; i <= more; i++) {
		if ((t[i] & 0xc0) != 0x80)
			return 0xfffd;
		c = c << 6 | (t[i] & 0x3f);
	}
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || (more && c < 0x80))
		return 0xfffd;
	*text += more;
	return c;
}

static void print_quoted_value(const char *value, FILE *stream)
{
	const unsigned char *at = (const unsigned char *)value;

	fputc('"', stream);
	while (*at) {
		uint32_t c = next_character(&at);

		if (c == '"' || c == '\\')
			fprintf(stream, "\\%c", (char)c);
		else if (c >= ' ' && c < 0x7f)
			fputc((char)c, stream);
		else if (c < 0x100)
			fprintf(stream, "\\x%02x", c);
		else
			fprintf(stream, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	}
	fputc('"', stream);
}

void config_print_comment(const char *text, FILE *stream)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		const unsigned char *start = at;
		uint32_t c = next_character(&at);

		if (c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
			(c >= 0xfffd && c < 0x10000))
			fputc('?', stream);
		else
			fwrite(start, 1, (size_t)(at - start), stream);
	}
}

/* -- the configuration in effect -- */

static bool is_word(const char *text)
{
	return *text &&
		!text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")];
}

/* The value as YAML text: its width determines the column of the comment. */
static const char *yaml_value(
	struct config *config, const struct sim_param *p, const struct config_value *value)
{
	const char *text = config_show_value(config, p, value);
	char *yaml, *copy;
	size_t size;
	FILE *stream;

	if (p->type == SIM_PARAM_STRING && !value->text)
		return "~";
	if (p->type != SIM_PARAM_STRING && (p->type != SIM_PARAM_ENUM || is_word(text)))
		return text;
	stream = open_memstream(&yaml, &size);
	bug_if(!stream, "out of memory");
	print_quoted_value(text, stream);
	fclose(stream);
	copy = config_format(config, "%s", yaml);
	free(yaml);
	return copy;
}

static void print_value_origin(const struct config_node *from, FILE *stream)
{
	if (!from) {
		fputs("default", stream);
		return;
	}
	config_print_comment(from->file->name, stream);
	if (from->line)
		fprintf(stream, ":%u", from->line);
}

static void print_parameter_row(struct config *config, const struct sim_param *p,
	const struct config_value *value, int indent, FILE *stream)
{
	const char *text = yaml_value(config, p, value);
	int width = fprintf(stream, "%*s%s: %s", indent, "", p->name, text);

	fprintf(stream, "%*s # ", width < ORIGIN_COLUMN ? ORIGIN_COLUMN - width : 0, "");
	print_value_origin(value->from, stream);
	fputc('\n', stream);
}

/* A name that two tables of a section declare is printed once, as the first table declares it. */
static void print_rows(struct config *config, const struct config_section *section, int indent, FILE *stream)
{
	for (const struct config_reading *r = section->readings; r; r = r->next) {
		for (size_t i = 0; r->table[i].type != SIM_PARAM_END; i++) {
			if (config_row(section, r->table[i].name) == &r->table[i])
				print_parameter_row(config, &r->table[i], &r->values[i], indent, stream);
		}
	}
}

static bool has_rows(const struct config_section *section)
{
	for (const struct config_reading *r = section->readings; r; r = r->next) {
		if (r->table->type != SIM_PARAM_END)
			return true;
	}
	return false;
}

static bool is_empty(const struct config_section *section)
{
	for (const struct config_section *s = section->first; s; s = s->next) {
		if (!is_empty(s))
			return false;
	}
	return !has_rows(section);
}

static void print_section(
	struct config *config, const struct config_section *section, int indent, FILE *stream)
{
	print_rows(config, section, indent, stream);
	for (const struct config_section *s = section->first; s; s = s->next) {
		if (is_empty(s))
			continue;
		fprintf(stream, "%*s%s:\n", indent, "", s->name);
		print_section(config, s, indent + 2, stream);
	}
}

/* Temporary texts are allocated in an arena of their own. */
void config_print_resolved(const struct config *config, FILE *stream)
{
	struct config *scratch = config_new();
	locale_t before = c_locale_enter();

	print_section(scratch, config->top, 0, stream);
	c_locale_leave(before);
	config_free(scratch);
}

static void print_flat(struct config *config, const struct config_section *section, FILE *stream)
{
	for (const struct config_reading *r = section->readings; r; r = r->next)
		for (size_t i = 0; r->table[i].type != SIM_PARAM_END; i++)
			if (config_row(section, r->table[i].name) == &r->table[i])
				fprintf(stream, "%s%s%s = %s\n", section->path, *section->path ? "." : "",
					r->table[i].name, yaml_value(config, &r->table[i], &r->values[i]));
	for (const struct config_section *s = section->first; s; s = s->next)
		print_flat(config, s, stream);
}

void config_print_flat(const struct config *config, FILE *stream)
{
	struct config *scratch = config_new();
	locale_t before = c_locale_enter();

	print_flat(scratch, config->top, stream);
	c_locale_leave(before);
	config_free(scratch);
}

/* -- the manual -- */

#define WIDEST 40 /* cell for which a column is widened */

enum { KEY, DEFAULT, RANGE, UNIT, HELP, COLUMNS };

struct line {
	const char *cell[COLUMNS];
};

static struct line manual_line(struct config *config, const struct sim_param *p)
{
	struct config_value value = config_value_default(p);
	const char *text = config_show_value(config, p, &value);
	const char *quoted = p->type == SIM_PARAM_STRING && p->text ? yaml_value(config, p, &value) : text;

	return (struct line){ { p->name, quoted, config_show_range(config, p), *p->unit ? p->unit : "-",
		p->help } };
}

static void widen_columns(const struct line *line, int width[COLUMNS])
{
	for (int i = 0; i < HELP; i++) {
		int size = (int)strlen(line->cell[i]);

		if (size > width[i] && size <= WIDEST)
			width[i] = size;
	}
}

static void print_columns(const struct line *line, const int width[COLUMNS], FILE *stream)
{
	for (int i = 0; i < HELP; i++)
		fprintf(stream, "  %-*s", width[i], line->cell[i]);
	fprintf(stream, "  %s\n", line->cell[HELP]);
}

/* Two passes over the rows: the first finds the widths of the columns, the second prints. */
static void print_table(struct config *config, const struct config_section *section, FILE *stream)
{
	static const struct line heading = { { "key", "default", "range", "unit", "help" } };
	int width[COLUMNS] = { 0 };

	widen_columns(&heading, width);
	for (int pass = 0; pass < 2; pass++) {
		if (pass)
			print_columns(&heading, width, stream);
		for (const struct config_reading *r = section->readings; r; r = r->next) {
			for (const struct sim_param *p = r->table; p->type != SIM_PARAM_END; p++) {
				struct line line = manual_line(config, p);

				if (pass)
					print_columns(&line, width, stream);
				else
					widen_columns(&line, width);
			}
		}
	}
}

static void print_manual(
	struct config *config, const struct config_section *section, bool *first, FILE *stream)
{
	if (has_rows(section)) {
		fprintf(stream, "%s%s\n", *first ? "" : "\n", *section->path ? section->path : "(top)");
		print_table(config, section, stream);
		*first = false;
	}
	for (const struct config_section *s = section->first; s; s = s->next)
		print_manual(config, s, first, stream);
}

void config_print_doc(const struct config *config, FILE *stream)
{
	struct config *scratch = config_new();
	locale_t before = c_locale_enter();
	bool first = true;

	print_manual(scratch, config->top, &first, stream);
	c_locale_leave(before);
	config_free(scratch);
}
