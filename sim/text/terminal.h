/* sim/text/terminal.h -- lines that fit a terminal. */
#ifndef SIM_TEXT_TERMINAL_H
#define SIM_TEXT_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The width of the terminal behind a file descriptor in columns, now (a window may change); 0 if the
 * descriptor is no terminal, or one that does not know its width. */
int terminal_width(int descriptor);

/* How wide lines may be there: as wide as the terminal; elsewhere (a pipe, a file) as the environment
 * variable COLUMNS says, or 110. */
int terminal_columns(int descriptor);

/* Prints the text, which has no end of line, as one line or several: it is broken behind commas, or at blanks
 * where there is none, with the later lines indented by four blanks, so that none has more than width columns
 * where that is possible. width 0: one line, however long. */
void terminal_print_folded(FILE *stream, const char *text, int width);
/* Each line of the text folded to what is behind the stream. */
void terminal_print_lines(FILE *stream, const char *text);

/* Lines that may be rows of tables: what is written to `text` between begin and end goes to the stream then.
 * A line that is too long for what is behind the stream is broken at blanks, and goes on below its last cell,
 * which begins behind two blanks or more; a line of one cell goes on two columns further in, unless it begins
 * at the margin. A last cell for which little room is left goes to lines of its own. */
struct terminal_rows {
	FILE *text;
	char *lines;
	size_t size;
};
void terminal_rows_begin(struct terminal_rows *rows);
void terminal_rows_end(struct terminal_rows *rows, FILE *stream);

/* Shortens a text in place to at most width bytes (at least 8) by "..." in its middle. */
void terminal_shorten(char *text, size_t width);

#endif
