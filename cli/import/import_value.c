/* cli/import/import_value.c -- parts of a value, read from front to back; what is made of them. */
#include "cli/import/import_gpgpusim.h"
#include "sim/base/xalloc.h"
#include <ctype.h>

struct import_cursor import_cursor(struct import *import, struct import_option *option)
{
	return (struct import_cursor){ import, option, 0, false };
}

static char cursor_character(const struct import_cursor *c)
{
	return c->option->value[c->at];
}

void expected(struct import_cursor *c, const char *format, ...)
{
	struct diag_location location = import_location(c->option, c->at);
	char what[256];
	va_list arguments;

	if (c->failed)
		return;
	c->failed = true;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	diag_error(c->import->diags, &location, "-%s: expected %s", c->option->name, what);
}

double take_number(struct import_cursor *c, const char *what)
{
	const char *from = c->option->value + c->at;
	char *end;
	double value;

	if (c->failed)
		return 1;
	if (!isdigit((unsigned char)*from)) {
		expected(c, "a number: %s", what);
		return 1;
	}
	value = strtod(from, &end);
	if (value > 1e15 || (*from == '0' && (from[1] == 'x' || from[1] == 'X'))) {
		expected(c, "a decimal number up to 1e15: %s", what);
		return 1;
	}
	c->at += (size_t)(end - from);
	return value;
}

char take_letter(struct import_cursor *c, const char *letters, const char *what)
{
	char letter = cursor_character(c);

	if (c->failed)
		return '\0';
	if (!letter || !strchr(letters, letter)) {
		expected(c, "%s: one of %s", what, letters);
		return '\0';
	}
	c->at++;
	return letter;
}

bool take_if(struct import_cursor *c, char letter)
{
	if (c->failed || cursor_character(c) != letter)
		return false;
	c->at++;
	return true;
}

void take_end(struct import_cursor *c)
{
	if (!c->failed && cursor_character(c))
		expected(c, "nothing more");
}

double import_number(struct import *i, const char *name, double otherwise)
{
	const struct import_option *o = import_find(i, name);
	char *end;
	double value = o ? strtod(o->value, &end) : otherwise;

	/* what is wrong with it is told where the option itself is read */
	return o && (end == o->value || !(value > 0 && value <= 1e15)) ? otherwise : value;
}

void take_list(struct import *i, struct import_option *o, char separator, const struct import_part *parts,
	size_t least)
{
	struct import_cursor c = import_cursor(i, o);

	for (size_t n = 0; parts[n].what; n++) {
		double value;

		if (n && !take_if(&c, separator)) {
			if (n < least)
				expected(&c, "%c and %s", separator, parts[n].what);
			break;
		}
		value = take_number(&c, parts[n].what);
		if (!c.failed && parts[n].path)
			import_set_number(i, o, parts[n].path, value + parts[n].more);
	}
	take_end(&c);
}

bool import_is_on(struct import *i, const char *name, bool otherwise)
{
	const struct import_option *o = import_find(i, name);

	return o ? strcmp(o->value, "0") != 0 : otherwise;
}

/* -- results -- */

void import_set(struct import *i, struct import_option *option, const char *path, const char *format, ...)
{
	struct import_setting *s;
	va_list arguments;

	i->settings = xrealloc(i->settings, (i->setting_count + 1) * sizeof(*i->settings));
	s = &i->settings[i->setting_count++];
	*s = (struct import_setting){ .path = xstrdup(path), .option = option };
	va_start(arguments, format);
	bug_if(vasprintf(&s->value, format, arguments) < 0, "out of memory");
	va_end(arguments);
	option->is_carried = true;
}

void import_set_number(struct import *i, struct import_option *option, const char *path, double value)
{
	import_set(i, option, path, "%.15g", value);
}

void import_remark(
	struct import *i, enum import_kind kind, const struct import_option *option, const char *format, ...)
{
	struct import_remark *r;
	va_list arguments;

	i->remarks = xrealloc(i->remarks, (i->remark_count + 1) * sizeof(*i->remarks));
	r = &i->remarks[i->remark_count++];
	*r = (struct import_remark){ .kind = kind, .option = option };
	va_start(arguments, format);
	bug_if(vasprintf(&r->text, format, arguments) < 0, "out of memory");
	va_end(arguments);
}
