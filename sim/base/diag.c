/* sim/base/diag.c -- messages with a source location, collected in a list and printed as compilers print
 * them.
 *
 * This file depends on no other: libptx consists of frontend/ and this file, so that allocation and
 * running out of memory are handled here and not by sim/base/xalloc.h. Columns count bytes from 1. Text
 * quoted from the user is made printable first: a control character becomes a space, so that it cannot end
 * the line or control the terminal. */
#include "sim/base/diag.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LIMIT 20
#define LONGEST_LINE  320 /* bytes of source that a message quotes */
#define LONGEST_NAME  127 /* longer names are never treated as misspellings */

static void *grow_list(void *memory, size_t size)
{
	memory = realloc(memory, size);
	if (!memory) {
		fputs("lockstep: out of memory\n", stderr);
		abort();
	}
	return memory;
}

void diag_init(struct diag_list *list)
{
	memset(list, 0, sizeof(*list));
}

static void free_texts(struct diag *d)
{
	free(d->file);
	free(d->message);
	free(d->source);
	free(d->hint);
}

static bool is_same_hint(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Those that were only counted. */
static void drop_words(struct diag_list *list, const char *hint)
{
	for (size_t i = 0; i < list->words_count; i++) {
		struct diag_words *w = &list->words[i];

		if (!is_same_hint(w->hint, hint))
			continue;
		list->warnings -= w->count > list->alike ? w->count - list->alike : 0;
		w->count = 0;
	}
}

void diag_drop(struct diag_list *list, enum diag_kind kind, const char *hint)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct diag *d = &list->items[i];

		if (d->kind != kind || !is_same_hint(d->hint, hint)) {
			list->items[kept++] = *d;
			continue;
		}
		free_texts(d);
		*(kind == DIAG_ERROR ? &list->errors : &list->warnings) -= 1;
	}
	list->count = kept;
	if (kind == DIAG_WARNING)
		drop_words(list, hint);
}

void diag_fini(struct diag_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free_texts(&list->items[i]);
	for (size_t i = 0; i < list->words_count; i++)
		free(list->words[i].hint);
	free(list->items);
	free(list->words);
	diag_init(list);
}

/* A copy of size bytes, owned by the caller, in which every control character is a space, except tabs if
 * keep_tabs is set. */
static char *printable(const char *text, size_t size, bool keep_tabs)
{
	char *copy = grow_list(NULL, size + 1);

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		copy[i] = (c < ' ' && !(keep_tabs && c == '\t')) || c == 0x7f ? ' ' : (char)c;
	}
	copy[size] = 0;
	return copy;
}

static char *printable_string(const char *text)
{
	return text ? printable(text, strlen(text), false) : NULL;
}

static char *sentence(const char *format, va_list arguments)
{
	char *text, *clean;

	if (vasprintf(&text, format, arguments) < 0)
		return printable_string("(a message that could not be formatted)");
	clean = printable_string(text);
	free(text);
	return clean;
}

/* The line of the text at a location, or NULL if the text ends before it. */
static char *quoted_line(const struct diag_location *location)
{
	const char *at = location->text, *end = at + location->text_size, *stop;

	if (!at || !location->line)
		return NULL;
	for (uint32_t line = 1; line < location->line; line++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			return NULL;
		at++;
	}
	stop = memchr(at, '\n', (size_t)(end - at));
	if (!stop)
		stop = end;
	if (stop > at && stop[-1] == '\r')
		stop--;
	return printable(at, (size_t)(stop - at), true);
}

/* Counts a warning; false: there were enough in these words. */
static bool is_warning_wanted(struct diag_list *list, const char *format, const char *hint)
{
	size_t i = 0;

	while (i < list->words_count &&
		(strcmp(list->words[i].format, format) || !is_same_hint(list->words[i].hint, hint)))
		i++;
	if (i == list->words_count) {
		list->words = grow_list(list->words, (i + 1) * sizeof(*list->words));
		list->words[list->words_count++] = (struct diag_words){ format, printable_string(hint), 0 };
	}
	return ++list->words[i].count <= list->alike;
}

void diag_addv(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, va_list arguments)
{
	if (kind == DIAG_WARNING && list->alike && !is_warning_wanted(list, format, hint)) {
		list->warnings++;
		return;
	}
	struct diag d = {
		.kind = kind, .message = sentence(format, arguments), .hint = printable_string(hint)
	};

	if (location) {
		d.file = printable_string(location->file);
		d.line = location->line;
		d.column = location->column;
		d.source = quoted_line(location);
	}
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 8;
		list->items = grow_list(list->items, list->capacity * sizeof(*list->items));
	}
	list->items[list->count++] = d;
	if (kind == DIAG_ERROR)
		list->errors++;
	else
		list->warnings++;
}

void diag_add(struct diag_list *list, enum diag_kind kind, const struct diag_location *location,
	const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	diag_addv(list, kind, location, hint, format, arguments);
	va_end(arguments);
}

bool diag_is_full(const struct diag_list *list)
{
	return list->errors >= (list->limit ? list->limit : DEFAULT_LIMIT);
}

static void print_location(const struct diag *d, FILE *stream)
{
	if (!d->file)
		return;
	fputs(d->file, stream);
	if (d->line)
		fprintf(stream, ":%u", d->line);
	if (d->line && d->column)
		fprintf(stream, ":%u", d->column);
	fputs(": ", stream);
}

/* Prints blanks as wide as the text from begin to the column: tabs stay tabs, and the later bytes of a
 * UTF-8 character take no width. */
static void print_blanks(const struct diag *d, size_t begin, FILE *stream)
{
	for (size_t i = begin; i + 1 < d->column && d->source[i]; i++) {
		if (d->source[i] == '\t')
			fputc('\t', stream);
		else if (((unsigned char)d->source[i] & 0xc0) != 0x80)
			fputc(' ', stream);
	}
}

static bool within_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The part of the line to print: the whole line, or, of a very long line (a binary, generated code), the
 * text around the column. */
static void choose_window(const struct diag *d, size_t *begin, size_t *end)
{
	size_t length = strlen(d->source), column = d->column ? d->column - 1 : 0;

	*begin = 0;
	*end = length;
	if (length <= LONGEST_LINE)
		return;
	if (column > length)
		column = length;
	if (column > LONGEST_LINE / 2)
		*begin = column - LONGEST_LINE / 2;
	if (length - *begin > LONGEST_LINE)
		*end = *begin + LONGEST_LINE;
	while (*begin < *end && within_character(d->source[*begin]))
		++*begin;
	while (*end > *begin && within_character(d->source[*end]))
		--*end;
}

static void print_source(const struct diag *d, FILE *stream)
{
	int width = fprintf(stream, "%5u", d->line);
	size_t begin, end;

	choose_window(d, &begin, &end);
	fprintf(stream, " | %s%.*s%s\n", begin ? "..." : "", (int)(end - begin), d->source + begin,
		d->source[end] ? "..." : "");
	if (!d->column && !d->hint)
		return;
	fprintf(stream, "%*s | %s", width, "", begin ? "   " : "");
	if (d->column) {
		print_blanks(d, begin, stream);
		fputc('^', stream);
	}
	if (d->hint)
		fprintf(stream, "%s%s", d->column ? " " : "", d->hint);
	fputc('\n', stream);
}

/* The hint follows the message if there is no source line to print. */
static void print_one(const struct diag *d, FILE *stream)
{
	print_location(d, stream);
	fprintf(stream, "%s: %s", d->kind == DIAG_ERROR ? "error" : "warning", d->message);
	if (d->hint && !d->source)
		fprintf(stream, " (%s)", d->hint);
	fputc('\n', stream);
	if (d->source)
		print_source(d, stream);
}

/* The words of a format without what changes from message to message. */
static void print_words(const char *format, FILE *stream)
{
	for (const char *at = format; *at; at++) {
		if (*at != '%') {
			fputc(*at, stream);
			continue;
		}
		at += 1 + strspn(at + 1, "-+ #0123456789.*hlzjt");
		fputs(*at == '%' ? "%" : "...", stream);
		if (!*at)
			return;
	}
}

static void print_more(const struct diag_list *list, FILE *stream)
{
	for (size_t i = 0; i < list->words_count; i++) {
		const struct diag_words *w = &list->words[i];

		if (w->count <= list->alike)
			continue;
		fprintf(stream, "warning: %zu more like this: ", w->count - list->alike);
		print_words(w->format, stream);
		fputc('\n', stream);
	}
}

void diag_print(const struct diag_list *list, FILE *stream)
{
	for (size_t i = 0; i < list->count; i++)
		print_one(&list->items[i], stream);
	print_more(list, stream);
}

char *diag_render(const struct diag_list *list, enum diag_kind kind)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return printable("", 0, false);
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].kind == kind)
			print_one(&list->items[i], stream);
	}
	if (kind == DIAG_WARNING)
		print_more(list, stream);
	fclose(stream);
	return text ? text : printable("", 0, false);
}

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau's edit distance: insertions, deletions, substitutions and swaps of neighbours; upper and lower
 * case count as equal. Both lengths are at most LONGEST_NAME. Three rows of the usual table suffice for
 * the swaps. */
static unsigned edit_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
	unsigned rows[3][LONGEST_NAME + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_size; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a_size; i++) {
		unsigned *oldest = before;

		before = above;
		above = row;
		row = oldest;
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_size; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
				same_letter(a[i - 2], b[j - 1]))
				row[j] = min(row[j], before[j - 2] + 1);
		}
	}
	return row[b_size];
}

const char *diag_nearest(const char *name, const char *const *candidates, size_t count)
{
	size_t size = strlen(name);
	unsigned best = size >= 6 ? (unsigned)size / 3 : 1;
	const char *nearest = NULL;

	if (size > LONGEST_NAME)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(candidates[i]);
		unsigned distance;

		if (other > LONGEST_NAME)
			continue;
		distance = edit_distance(name, size, candidates[i], other);
		/* Two different single letters are not a misspelling: the names must have something in
		 * common. */
		if (distance > best || distance >= (size > other ? size : other) ||
			(nearest && distance == best))
			continue;
		best = distance;
		nearest = candidates[i];
	}
	return nearest;
}
