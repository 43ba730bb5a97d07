/* sim/base/diag.h -- messages with a source location: errors in the user's files, and what looks
 * suspicious in them.
 *
 * Library code never prints. It adds messages to a struct diag_list, its last argument, and the caller
 * decides what to do with them. This is the only header of sim/ that frontend/ may include; it includes
 * none itself. */
#ifndef SIM_BASE_DIAG_H
#define SIM_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum diag_kind { DIAG_ERROR, DIAG_WARNING };

/* A location in a text. line and column count from 1; 0 means "not known". file may be a path or a label
 * such as "--set argument 2". text, if not NULL, is the whole source text, from which the line is quoted;
 * it is read only during the call that receives it. */
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
	char *source;  /* the source line that contains the error, with its tabs; NULL if none */
	char *hint;    /* printed beside the caret; NULL if none */
};

struct diag_words {
	const char *format;
	char *hint; /* NULL if none */
	size_t count;
};

struct diag_list {
	struct diag *items;
	size_t count, capacity;
	size_t errors, warnings;
	size_t limit; /* number of errors from which diag_is_full() returns true; 0 means 20 */
	size_t alike; /* of warnings in the same words so many are kept, the others counted; 0 means all */
	struct diag_words *words; /* in which warnings were given, if alike is set */
	size_t words_count;
};

void diag_init(struct diag_list *list);
void diag_fini(struct diag_list *list);

/* Adds a message; location and hint may be NULL. The v form takes a va_list. All texts are copied. */
void diag_add(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
void diag_addv(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, va_list arguments);
#define diag_error(list, location, ...)   diag_add(list, DIAG_ERROR, location, NULL, __VA_ARGS__)
#define diag_warning(list, location, ...) diag_add(list, DIAG_WARNING, location, NULL, __VA_ARGS__)

/* Takes out the messages of that kind with that hint. */
void diag_drop(struct diag_list *list, enum diag_kind kind, const char *hint);

bool diag_is_full(const struct diag_list *list);

/* Prints messages as compilers do:
 *   file:line:column: error: message
 *      14 | the line
 *         |   ^ hint
 * and, of warnings that were only counted, a line for each kind. diag_print writes all of them; diag_render
 * returns those of one kind as a malloc'ed string ("" if there are none). */
void diag_print(const struct diag_list *list, FILE *stream);
char *diag_render(const struct diag_list *list, enum diag_kind kind);

/* The candidate nearest to name by edit distance (Damerau), or NULL if none is near enough to be a likely
 * misspelling (distance at most one third of the length, at least 1). */
const char *diag_nearest(const char *name, const char *const *candidates, size_t count);

#endif
