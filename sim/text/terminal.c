/* sim/text/terminal.c -- lines that fit a terminal. */
#include "sim/text/terminal.h"
#include "sim/base/types.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define INDENT  4
#define COLUMNS 110 /* where there is no terminal */
#define NARROW  30  /* less room than this is little for a cell */

int terminal_width(int descriptor)
{
	struct winsize size;

	if (!isatty(descriptor) || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

int terminal_columns(int descriptor)
{
	int width = terminal_width(descriptor);
	const char *columns = getenv("COLUMNS");

	if (width || isatty(descriptor))
		return width;
	width = columns ? atoi(columns) : 0;
	return width > 2 * INDENT ? width : COLUMNS;
}

/* The length of the part of text up to the last place within room columns where it may be broken, or else up
 * to the first one behind them; 0: there is none. kept: bytes of the separator that stay before the break. */
static size_t part_up_to(const char *text, size_t room, const char *separator, size_t kept)
{
	size_t fits = 0;

	for (const char *at = strstr(text, separator); at; at = strstr(at + 1, separator)) {
		size_t length = (size_t)(at - text) + kept;

		if (fits && length > room)
			break;
		if (length)
			fits = length;
	}
	return fits;
}

/* The length of the part of text that goes into room columns: up to its last comma in them, or else its last
 * blank, or else up to the first place behind them, or all. */
static size_t part_that_fits(const char *text, size_t room)
{
	size_t comma, blank;

	if (strlen(text) <= room)
		return strlen(text);
	comma = part_up_to(text, room, ", ", 1);
	if (comma && comma <= room)
		return comma;
	blank = part_up_to(text, room, " ", 0);
	if (blank && (blank <= room || !comma || blank < comma))
		return blank;
	return comma ? comma : strlen(text);
}

void terminal_print_folded(FILE *stream, const char *text, int width)
{
	size_t room = width > 0 ? (size_t)width : strlen(text);
	size_t part = part_that_fits(text, room);

	fprintf(stream, "%.*s\n", (int)part, text);
	room = room > 2 * INDENT ? room - INDENT : room;
	while (text += part, text += *text == ' ', *text) {
		part = part_that_fits(text, room);
		fprintf(stream, "%*s%.*s\n", INDENT, "", (int)part, text);
	}
}

void terminal_print_lines(FILE *stream, const char *text)
{
	int width = terminal_columns(fileno(stream));
	char *copy = strdup(text), *rest = copy;

	for (char *line; copy && (line = strsep(&rest, "\n"));)
		if (*line)
			terminal_print_folded(stream, line, width);
	free(copy);
}

/* Where the last cell of a row begins. */
static size_t last_cell(const char *line)
{
	size_t cell = strspn(line, " ");

	for (size_t i = cell + 2; i < strlen(line); i++)
		if (line[i - 2] == ' ' && line[i - 1] == ' ' && line[i] != ' ')
			cell = i;
	return cell;
}

/* The text from its column on, in lines of at most width columns where it has blanks; later ones are
 * indented. */
static void print_table_cell(FILE *stream, const char *text, size_t column, size_t indent, size_t width)
{
	for (;;) {
		size_t room = width > column ? width - column : 1, part = strlen(text);

		if (part > room)
			part = part_up_to(text, room, " ", 0);
		if (!part)
			part = strlen(text);
		fprintf(stream, "%.*s\n", (int)part, text);
		text += part;
		text += *text == ' ';
		if (!*text)
			return;
		fprintf(stream, "%*s", (int)indent, "");
		column = indent;
	}
}

static void print_table_row(FILE *stream, const char *line, size_t width)
{
	size_t first = strspn(line, " "), cell = last_cell(line), column = cell, indent = cell, head = cell;

	if (cell > first && strlen(line) > width && width < cell + NARROW) {
		column = indent = first + INDENT;
		while (line[head - 1] == ' ')
			head--;
	}
	fprintf(stream, "%.*s", (int)head, line);
	if (head < cell)
		fprintf(stream, "\n%*s", (int)indent, "");
	print_table_cell(stream, line + cell, column, indent, width);
}

void terminal_rows_begin(struct terminal_rows *rows)
{
	rows->text = open_memstream(&rows->lines, &rows->size);
	bug_if(!rows->text, "out of memory");
}

void terminal_rows_end(struct terminal_rows *rows, FILE *stream)
{
	int width = terminal_columns(fileno(stream));
	char *rest;

	fclose(rows->text);
	rest = rows->lines;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (rest || *line)
			print_table_row(stream, line, width > 0 ? (size_t)width : strlen(line));
	free(rows->lines);
}

void terminal_shorten(char *text, size_t width)
{
	size_t length = strlen(text), kept = width - 3, tail = kept / 2;

	if (length <= width)
		return;
	memcpy(text + kept - tail, "...", 3);
	memmove(text + width - tail, text + length - tail, tail + 1);
}
