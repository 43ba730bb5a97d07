/* sim/text/text_buffer.h -- a buffer for text that is written to a stream. Statistics are tens of
 * thousands of numbers, and one call of printf for each would take longer than the simulation of a short
 * kernel.
 *
 * The functions write the same text as the printf formats that they name. text_buffer_flush writes the
 * rest of the buffer to the stream. */
#ifndef SIM_TEXT_TEXT_BUFFER_H
#define SIM_TEXT_TEXT_BUFFER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct text_buffer {
	FILE *stream;
	size_t used;
	char text[8192];
};

void text_buffer_flush(struct text_buffer *l);
/* For texts that do not fit in the rest of the buffer. */
void text_buffer_put_long(struct text_buffer *l, const char *text, size_t size);
/* As "%*llu". */
void text_buffer_put_integer(struct text_buffer *l, uint64_t value, int width);
/* As "%*.6f", "%*.6g" and, without a width, "%.15g"; the value is finite or infinite. */
void text_buffer_put_fixed(struct text_buffer *l, double value, int width);
void text_buffer_put_digits(struct text_buffer *l, double value, int width);
void text_buffer_put_general(struct text_buffer *l, double value);

/* Returns room for `size` characters (at most the size of the buffer). The caller writes them and adds
 * their number to `used`. */
static inline char *text_buffer_reserve(struct text_buffer *l, size_t size)
{
	if (l->used + size > sizeof(l->text))
		text_buffer_flush(l);
	return l->text + l->used;
}
static inline void text_buffer_put_char(struct text_buffer *l, char c)
{
	if (l->used == sizeof(l->text))
		text_buffer_flush(l);
	l->text[l->used++] = c;
}
static inline void text_buffer_put(struct text_buffer *l, const char *text, size_t size)
{
	if (l->used + size > sizeof(l->text)) {
		text_buffer_put_long(l, text, size);
		return;
	}
	memcpy(l->text + l->used, text, size);
	l->used += size;
}
static inline void text_buffer_put_text(struct text_buffer *l, const char *text)
{
	text_buffer_put(l, text, strlen(text));
}
static inline void text_buffer_put_spaces(struct text_buffer *l, int count)
{
	for (int some; count > 0; count -= some) {
		some = count < 64 ? count : 64;
		memset(text_buffer_reserve(l, 64), ' ', 64); /* a constant size, which the compiler turns into
								a few stores */
		l->used += (size_t)some;
	}
}

#endif
