/* sim/base/diag.h -- messages with a place: what the user's files did wrong, or what looks suspicious in
 * them.
 *
 * Library code never prints: it adds to a struct diag_list, its last argument, and the caller decides. Stands
 * by itself (the only header of sim/ that frontend/ may include). */
#ifndef SIM_BASE_DIAG_H
#define SIM_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum diag_kind { DIAG_ERROR, DIAG_WARNING };

/* A place in a text. line and column count from 1; 0 means "not known". file may be a path or a label such as
 * "--set argument 2". text, if not NULL, is the whole source text that the line is quoted from; it is only
 * read during the call that receives it. */
struct diag_location {
	const char *file;
	const char *text;
	size_t text_size;
	uint32_t line, column;
};

struct diag {
	enum diag_kind kind;
	char *file; /* NULL if none */
	uint32_t line, column;
	char *message; /* one sentence, no newline, no final stop */
	char *source;  /* the offending line, tabs kept; NULL if none */
	char *hint;    /* printed beside the caret; NULL if none */
};

struct diag_list {
	struct diag *items;
	size_t count, capacity;
	size_t errors, warnings;
	size_t limit; /* errors after which diag_is_full() says stop; 0 means 20 */
};

void diag_init(struct diag_list *list);
void diag_fini(struct diag_list *list);

/* Adds a message; place may be NULL. The v forms take a va_list. hint may be NULL. Everything is copied. */
void diag_add(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
void diag_addv(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, va_list arguments);
#define diag_error(list, location, ...)   diag_add(list, DIAG_ERROR, location, NULL, __VA_ARGS__)
#define diag_warning(list, location, ...) diag_add(list, DIAG_WARNING, location, NULL, __VA_ARGS__)

bool diag_is_full(const struct diag_list *list);

/* The rendered form, as compilers print it:
 *   file:line:column: error: message
 *      14 | the line
 *         |   ^ hint
 * diag_print writes all of them; diag_render returns a malloc'ed string of those of one kind ("" if none). */
void diag_print(const struct diag_list *list, FILE *stream);
char *diag_render(const struct diag_list *list, enum diag_kind kind);

/* The candidate nearest to name by edit distance (Damerau), or NULL if none is near enough to be a likely
 * misspelling (distance at most one third of the length, at least 1). */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);

#endif
