/* tests/ptx/conformance/suite/form.c -- the list of forms. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "suite.h"

struct form *forms;
uint32_t form_count;
uint32_t current_table;

static char *format_text(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		die("no memory");
	return text;
}

struct form *form_add(
	reference_function *reference, const enum type *out, const enum type *in, const char *format, ...)
{
	static struct form **last = &forms;
	struct form *f = calloc(1, sizeof *f);
	va_list arguments;

	if (!f)
		die("no memory");
	va_start(arguments, format);
	f->name = format_text(format, arguments);
	va_end(arguments);
	f->reference = reference;
	for (; out[f->outs]; f->outs++)
		f->out[f->outs] = out[f->outs];
	for (; in[f->ins]; f->ins++)
		f->in[f->ins] = in[f->ins];
	f->version = 80;
	f->target = "sm_75";
	f->block = 128;
	f->samples = 1024;
	f->table = current_table;
	f->number = form_count++;
	*last = f;
	last = &f->next;
	return f;
}

struct form *form_body(struct form *f, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	f->body = format_text(format, arguments);
	va_end(arguments);
	return f;
}

struct form *form_prelude(struct form *f, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	f->prelude = format_text(format, arguments);
	va_end(arguments);
	return f;
}

bool has_same_head(const struct form *a, const struct form *b)
{
	return a->version == b->version && !strcmp(a->target, b->target) && a->table == b->table;
}
