/* cli/options.c -- the command line against a table of declared options. */
#include "cli/options.h"
#include "sim/base/diag.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <string.h>

#define MAX_OPTIONS 32
#define HELP_COLUMN 26

/* -- values -- */

static bool parse_dim3(const char *text, uint32_t dim[3])
{
	char part[16];

	for (int i = 0; i < 3; i++) {
		size_t length = strcspn(text, ",");
		uint64_t value;

		if (length >= sizeof(part))
			return false;
		memcpy(part, text, length);
		part[length] = 0;
		if (!number_parse(part, 1, UINT32_MAX, &value))
			return false;
		dim[i] = (uint32_t)value;
		text += length;
		if (!*text) {
			for (i++; i < 3; i++)
				dim[i] = 1;
			return true;
		}
		text++;
	}
	return false;
}

/* item: malloc'ed, from now on the list's. */
static void list_add(struct option_list *list, const char *item)
{
	list->items = xrealloc(list->items, (list->count + 1) * sizeof(*list->items));
	list->items[list->count++] = item;
}

#define COUNT_MOST UINT64_C(1000000000000000000) /* as the parameters have it */

static char *setting_text(const char *path, uint64_t number)
{
	char *text;

	if (asprintf(&text, "%s=%llu", path, (unsigned long long)number) < 0)
		bug("out of memory");
	return text;
}

static char *text_setting(const char *path, const char *value)
{
	char *text;

	if (asprintf(&text, "%s=%s", path, value) < 0)
		bug("out of memory");
	return text;
}

/* To the setting that the list has of that parameter, or as a new one. */
static void add_file(struct option_list *list, const char *path, const char *file)
{
	char *absolute = realpath(file, NULL), *text;
	size_t length = strlen(path);

	if (!absolute)
		absolute = xstrdup(file); /* whoever opens it will say so */
	for (size_t i = 0; i < list->count; i++) {
		const char *item = list->items[i];

		if (strncmp(item, path, length) != 0 || item[length] != '=')
			continue;
		if (asprintf(&text, "%s,%s", item, absolute) < 0)
			bug("out of memory");
		free((char *)item);
		list->items[i] = text;
		free(absolute);
		return;
	}
	list_add(list, text_setting(path, absolute));
	free(absolute);
}

/* "error=3%" or "error=0.03": more than 0, at most a half. */
static bool parse_error(const char *text, double *error)
{
	static const char key[] = "error=";
	char number[32] = "";
	bool is_percent;

	if (strncmp(text, key, sizeof(key) - 1) != 0 || strlen(text) >= sizeof(key) - 1 + sizeof(number))
		return false;
	strcpy(number, text + sizeof(key) - 1);
	is_percent = *number && number[strlen(number) - 1] == '%';
	number[strlen(number) - is_percent] = '\0';
	if (number_real(number, error) != NUMBER_FITS)
		return false;
	*error /= is_percent ? 100 : 1;
	return *error > 0 && *error <= 0.5;
}

static char *error_setting(const char *path, double error)
{
	char *text;

	if (asprintf(&text, "%s=%.12g", path, error) < 0)
		bug("out of memory");
	return text;
}

static bool store_option(const struct option *o, void *object, const char *value, char *message, size_t size)
{
	void *field = (char *)object + o->offset;
	uint64_t number;
	double error;

	switch (o->type) {
	case OPTION_FLAG_TYPE:
		*(bool *)field = true;
		return true;
	case OPTION_TEXT_TYPE:
		*(const char **)field = value;
		return true;
	case OPTION_LIST_TYPE:
		list_add(field, xstrdup(value));
		return true;
	case OPTION_SET_TEXT_TYPE:
		list_add(field, text_setting(o->path, value));
		return true;
	case OPTION_SET_FILE_TYPE:
		add_file(field, o->path, value);
		return true;
	case OPTION_SET_TYPE:
		if (number_parse(value, 0, COUNT_MOST, &number)) {
			list_add(field, setting_text(o->path, number));
			return true;
		}
		snprintf(message, size,
			"--%s %s: expected a number, as in --%s 1000000 or --%s 16K (0: none)%s", o->name,
			value, o->name, o->name, number_hint(value));
		return false;
	case OPTION_SET_ERROR_TYPE:
		if (parse_error(value, &error)) {
			list_add(field, error_setting(o->path, error));
			return true;
		}
		snprintf(message, size,
			"--%s %s: expected the error that is allowed, more than 0 and at most 50 %%, as in "
			"--%s error=3%% or --%s error=0.03",
			o->name, value, o->name, o->name);
		return false;
	case OPTION_DIM3_TYPE:
		if (parse_dim3(value, field))
			return true;
		snprintf(message, size,
			"--%s %s: expected one to three numbers from 1 to 4294967295, as in --%s 64 or --%s "
			"16,16,1%s",
			o->name, value, o->name, o->name, number_hint(value));
		return false;
	case OPTION_BYTES_TYPE:
		if (number_parse(value, 0, UINT32_MAX, &number)) {
			*(uint32_t *)field = (uint32_t)number;
			return true;
		}
		snprintf(message, size, "--%s %s: expected a number of bytes, as in --%s 4096 or --%s 4K%s",
			o->name, value, o->name, o->name, number_hint(value));
		return false;
	case OPTION_END_TYPE:
		break;
	}
	bug("option --%s has no type", o->name);
}

/* -- names -- */

static const struct option *find_letter(const struct option *table, char letter)
{
	for (; table->type != OPTION_END_TYPE; table++)
		if (table->letter == letter)
			return table;
	return NULL;
}

static const struct option *find_name(const struct option *table, const char *name, size_t length)
{
	for (; table->type != OPTION_END_TYPE; table++)
		if (strncmp(table->name, name, length) == 0 && !table->name[length])
			return table;
	return NULL;
}

static void say_unknown(const struct option *table, const char *argument, char *message, size_t size)
{
	const char *names[MAX_OPTIONS], *nearest = NULL;
	size_t count = 0, length = strcspn(argument, "=");
	char name[64];

	for (; table->type != OPTION_END_TYPE && count < MAX_OPTIONS; table++)
		names[count++] = table->name;
	snprintf(name, sizeof(name), "%.*s", (int)length, argument);
	if (strncmp(name, "--", 2) == 0)
		nearest = diag_nearest(name + 2, names, count);
	snprintf(message, size, "unknown option %s%s%s%s", name, nearest ? "; did you mean --" : "",
		nearest ? nearest : "", nearest ? "?" : "");
}

/* -- reading -- */

struct reader {
	const struct option *table;
	void *object;
	char **arguments;
	size_t count, at; /* at: the argument being read */
	char *message;
	size_t size;
};

/* The value of an option: what follows it in the same argument, else the next argument. */
static bool read_option_value(struct reader *r, const struct option *o, const char *attached)
{
	if (!o->value && attached) {
		snprintf(r->message, r->size, "option --%s takes no value", o->name);
		return false;
	}
	if (o->value && !attached) {
		if (r->at + 1 >= r->count) {
			snprintf(r->message, r->size, "option --%s needs a value: --%s %s", o->name, o->name,
				o->value);
			return false;
		}
		attached = r->arguments[++r->at];
	}
	return store_option(o, r->object, attached, r->message, r->size);
}

static bool read_long(struct reader *r, const char *argument)
{
	size_t length = strcspn(argument + 2, "=");
	const struct option *o = find_name(r->table, argument + 2, length);

	if (!o) {
		say_unknown(r->table, argument, r->message, r->size);
		return false;
	}
	return read_option_value(r, o, argument[2 + length] ? argument + 3 + length : NULL);
}

/* -q, -c FILE, -cFILE. */
static bool read_short(struct reader *r, const char *argument)
{
	const struct option *o = find_letter(r->table, argument[1]);

	if (!o) {
		say_unknown(r->table, argument, r->message, r->size);
		return false;
	}
	return read_option_value(r, o, argument[2] ? argument + 2 : NULL);
}

enum options_outcome options_read(const struct option *table, void *object, char **arguments, size_t count,
	bool stop_at_operand, size_t *operands, char *message, size_t size)
{
	struct reader r = { table, object, arguments, count, 0, message, size };
	bool only_operands = false;

	*operands = 0;
	for (; r.at < count; r.at++) {
		char *a = arguments[r.at];

		if (only_operands || a[0] != '-' || !a[1]) {
			arguments[(*operands)++] = a;
			only_operands |= stop_at_operand;
		} else if (strcmp(a, "--") == 0) {
			only_operands = true;
		} else if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
			return OPTIONS_HELP;
		} else if (!(a[1] == '-' ? read_long : read_short)(&r, a)) {
			return OPTIONS_WRONG;
		}
	}
	return OPTIONS_READ;
}

static void list_fini(struct option_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)list->items[i]);
	free(list->items);
}

void options_fini(const struct option *table, void *object)
{
	for (; table->type != OPTION_END_TYPE; table++)
		if (table->type == OPTION_LIST_TYPE)
			list_fini((struct option_list *)((char *)object + table->offset));
}

/* -- help -- */

/* A newline in the help is a blank: the lines are as wide as the terminal. */
static void print_option(const struct option *o, FILE *stream)
{
	char head[64], letter[8] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	snprintf(head, sizeof(head), "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
		o->value ? o->value : "");
	if (strlen(head) > HELP_COLUMN - 2)
		fprintf(stream, "%s\n%*s", head, HELP_COLUMN, "");
	else
		fprintf(stream, "%-*s", HELP_COLUMN, head);
	for (const char *c = o->help; *c; c++)
		fputc(*c == '\n' ? ' ' : *c, stream);
	fputc('\n', stream);
}

void options_print_help(const struct option *table, FILE *stream)
{
	static const struct option help = { OPTION_FLAG_TYPE, 'h', "help", NULL, 0, "print this text", 0 };

	for (; table->type != OPTION_END_TYPE; table++)
		print_option(table, stream);
	print_option(&help, stream);
}
