/* sim/base/terminal.h -- lines that fit a terminal. */
#ifndef SIM_BASE_TERMINAL_H
#define SIM_BASE_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/* The width of the terminal behind a file descriptor in columns, now (a window may change); 0 if the
 * descriptor is no terminal, or one that does not know its width. */
int terminal_width(int descriptor);

/* Prints the text, which has no end of line, as one line or several: it is broken behind commas, with the
 * later lines indented by four blanks, so that none has more than width columns where that is possible.
 * width 0: one line, however long. */
void terminal_print_folded(FILE *stream, const char *text, int width);

/* Shortens a text in place to at most width bytes (at least 8) by "..." in its middle. */
void terminal_shorten(char *text, size_t width);

#endif
