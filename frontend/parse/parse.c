/* frontend/parse/parse.c -- ptx_parse: one text through scanner, grammar and checks; and the messages of all
 * three.
 */
#include "frontend/ptx.h"
#include "frontend/parse/parser.h"
#include "ptx_grammar.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WARNINGS 50

/* of the generated scanner; yy_size_t is size_t */
typedef struct yy_buffer_state *YY_BUFFER_STATE;
int ptxyylex_init_extra(struct ptx_parser *extra, void **scanner);
int ptxyylex_destroy(void *scanner);
YY_BUFFER_STATE ptxyy_scan_buffer(char *base, size_t size, void *scanner);
void ptxyy_delete_buffer(YY_BUFFER_STATE buffer, void *scanner);

static void add_message(struct ptx_parser *p, enum diag_kind kind, struct ptx_location location,
	const char *hint, const char *format, va_list arguments)
{
	struct diag_location where = {
		.file = p->module->file,
		.text = p->module->text,
		.text_size = p->module->text_size,
		.line = location.line,
		.column = location.column,
	};

	/* the line is quoted from the text, which the scanner has cut behind its token */
	if (p->cut)
		*p->cut = p->cut_char;
	diag_addv(p->diags, kind, &where, hint, format, arguments);
	if (p->cut)
		*p->cut = 0;
}

/* One error a place: what several checks object to is wrong for the first reason. What is wrong with the
 * module as a whole stands at 1:1, and there may be several things. */
void parse_error(
	struct ptx_parser *p, struct ptx_location location, const char *hint, const char *format, ...)
{
	va_list arguments;

	if (p->is_quiet || diag_is_full(p->diags) ||
		(location.column > 1 && location.line == p->last_error.line &&
			location.column == p->last_error.column))
		return;
	p->last_error = location;
	va_start(arguments, format);
	add_message(p, DIAG_ERROR, location, hint, format, arguments);
	va_end(arguments);
}

void parse_warning(
	struct ptx_parser *p, struct ptx_location location, const char *hint, const char *format, ...)
{
	va_list arguments;

	if (p->is_quiet || (!p->diags->alike && p->diags->warnings >= MOST_WARNINGS))
		return;
	va_start(arguments, format);
	add_message(p, DIAG_WARNING, location, hint, format, arguments);
	va_end(arguments);
}

void parse_syntax_error(struct ptx_parser *p, struct ptx_location location, bool at_end, const char *expected)
{
	bool was_quiet = p->is_quiet;
	char found[48], hint[96] = "";

	snprintf(found, sizeof(found), "%.*s", (int)(p->token_length < 40 ? p->token_length : 40), p->token);
	if (found[0] == '.') {
		const char *nearest = nearest_directive(found);

		if (nearest && strcmp(nearest, found))
			snprintf(hint, sizeof(hint), "did you mean '%s%s'?", nearest[0] == '.' ? "" : ".",
				nearest);
	}
	if (p->function)
		p->function->has_syntax_errors = true;
	p->is_quiet = false;
	if (at_end)
		parse_error(p, location, NULL, "unexpected end of the file%s", expected);
	else
		parse_error(p, location, hint[0] ? hint : NULL, "unexpected '%s'%s", found, expected);
	p->is_quiet = was_quiet;
}

void parse_bad_byte(struct ptx_parser *p, struct ptx_location location, unsigned char byte)
{
	if (isprint(byte))
		parse_error(p, location, NULL, "'%c' has no meaning here", byte);
	else
		parse_error(p, location, NULL, "byte 0x%02x has no meaning in PTX", byte);
}

struct ptx_name *last_word(struct ptx_parser *p)
{
	return names_intern(&p->names, p->token, p->token_length);
}

/* The scanner ends each token with a zero for as long as it is looked at, and puts back what stood there: it
 * works in the module's own copy of the text, which two zeros end. */
static void read_text(struct ptx_parser *p, char *buffer, size_t size)
{
	void *scanner;
	YY_BUFFER_STATE state;

	if (ptxyylex_init_extra(p, &scanner))
		abort();
	p->line = 1;
	p->line_start = buffer;
	p->token = buffer;
	state = ptxyy_scan_buffer(buffer, size + 2, scanner);
	ptxyyparse(p, scanner);
	if (p->cut)
		*p->cut = p->cut_char;
	p->cut = NULL;
	ptxyy_delete_buffer(state, scanner);
	ptxyylex_destroy(scanner);
}

/* Followed by the two zeros that flex wants. */
static char *copy_for_scanner(struct ptx_arena *arena, const char *text, size_t size)
{
	char *copy = arena_alloc(arena, size + 2);

	memcpy(copy, text, size);
	return copy;
}

static struct ptx_module *module_new(const char *text, size_t size, const char *name)
{
	struct ptx_arena *arena = arena_new();
	struct ptx_module *module = arena_new_of(arena, struct ptx_module);

	module->arena = arena;
	module->file = arena_string(arena, name ? name : "", name ? strlen(name) : 0);
	module->text = copy_for_scanner(arena, text, size);
	module->text_size = size;
	module->address_bits = 64;
	module->has_narrow_addresses = true;
	return module;
}

/* Names are resolved when their scope ends and types are checked last; the reader wants the text's order. */
static int by_place(const void *a, const void *b)
{
	const struct diag *first = a, *second = b;

	if (first->line != second->line)
		return first->line < second->line ? -1 : 1;
	return (first->column > second->column) - (first->column < second->column);
}

struct ptx_module *ptx_parse(const char *text, size_t size, const char *name, struct diag_list *diags)
{
	struct ptx_module *module = module_new(text, size, name);
	struct ptx_parser p = { .module = module, .arena = module->arena, .diags = diags };
	size_t before = diags->count, errors = diags->errors;

	p.scratch = arena_new();
	names_init(&p.names, p.arena);
	module_begin(&p);
	read_text(&p, (char *)module->text, size);
	module_end(&p);
	p.has_errors = diags->errors > errors;
	if (!diag_is_full(diags))
		check_module(&p);
	names_fini(&p.names);
	free(p.insns);
	arena_free(p.scratch);
	if (diags->count > before + 1)
		qsort(diags->items + before, diags->count - before, sizeof(*diags->items), by_place);
	if (diags->errors == errors)
		return module;
	ptx_module_free(module);
	return NULL;
}

void ptx_module_free(struct ptx_module *module)
{
	if (module)
		arena_free(module->arena);
}
