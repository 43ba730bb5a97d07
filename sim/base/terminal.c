/* sim/base/terminal.c -- lines that fit a terminal. */
#include "sim/base/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define INDENT 4

int terminal_width(int descriptor)
{
	struct winsize size;

	if (!isatty(descriptor) || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

/* The length of the part of text that goes into room columns: up to its last comma in them, or else up to the
 * first comma behind them, or all. */
static size_t part_that_fits(const char *text, size_t room)
{
	size_t fits = 0;

	if (strlen(text) <= room)
		return strlen(text);
	for (const char *comma = strstr(text, ", "); comma; comma = strstr(comma + 1, ", ")) {
		size_t length = (size_t)(comma - text) + 1;

		if (fits && length > room)
			break;
		fits = length;
	}
	return fits ? fits : strlen(text);
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

void terminal_shorten(char *text, size_t width)
{
	size_t length = strlen(text), kept = width - 3, tail = kept / 2;

	if (length <= width)
		return;
	memcpy(text + kept - tail, "...", 3);
	memmove(text + width - tail, text + length - tail, tail + 1);
}
