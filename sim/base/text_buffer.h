/* sim/base/text_buffer.h -- text on its way to a stream, gathered in a buffer: statistics are tens of
 * thousands of numbers, and a formatted print of the C library for each would cost more than a short kernel's
 * simulation.
 *
 * Whatever is put is the same text as printf's; line_flush hands over what is left. */
#ifndef SIM_BASE_TEXT_BUFFER_H
#define SIM_BASE_TEXT_BUFFER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct line {
	FILE *stream;
	size_t used;
	char text[8192];
};

void line_flush(struct line *l);
/* Texts that do not fit in the buffer at once. */
void line_put_long(struct line *l, const char *text, size_t size);
/* As "%*llu". */
void line_put_whole(struct line *l, uint64_t value, int width);
/* As "%*.6f" and, without a width, "%.15g"; the value is finite or infinite. */
void line_put_fixed(struct line *l, double value, int width);
void line_put_general(struct line *l, double value);

/* Room for so many characters (no more than the buffer holds), which the caller writes and adds to `used`. */
static inline char *line_reserve(struct line *l, size_t size)
{
	if (l->used + size > sizeof(l->text))
		line_flush(l);
	return l->text + l->used;
}
static inline void line_put_char(struct line *l, char c)
{
	if (l->used == sizeof(l->text))
		line_flush(l);
	l->text[l->used++] = c;
}
static inline void line_put(struct line *l, const char *text, size_t size)
{
	if (l->used + size > sizeof(l->text)) {
		line_put_long(l, text, size);
		return;
	}
	memcpy(l->text + l->used, text, size);
	l->used += size;
}
static inline void line_put_text(struct line *l, const char *text)
{
	line_put(l, text, strlen(text));
}
static inline void line_put_spaces(struct line *l, int count)
{
	for (int some; count > 0; count -= some) {
		some = count < 64 ? count : 64;
		memset(line_reserve(l, 64), ' ', 64); /* of one size: a few moves */
		l->used += (size_t)some;
	}
}

#endif
