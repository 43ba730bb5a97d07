/* sim/line.c -- numbers as printf writes them, without printf where the value is whole. */
#include "sim/line.h"
#include <math.h>
#include <stdbool.h>

#define DIGITS 20 /* of the largest 64-bit number */

void line_flush(struct line *l)
{
	fwrite(l->text, 1, l->used, l->stream);
	l->used = 0;
}

void line_put_long(struct line *l, const char *text, size_t size)
{
	line_flush(l);
	fwrite(text, 1, size, l->stream);
}

/* The digits, at the end of digits[]; returns the first. */
static char *digits_of(uint64_t value, char digits[DIGITS])
{
	char *at = digits + DIGITS;

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return at;
}

void line_put_whole(struct line *l, uint64_t value, int width)
{
	char digits[DIGITS], *first = digits_of(value, digits);
	int size = (int)(digits + DIGITS - first);

	line_put_spaces(l, width - size);
	line_put(l, first, (size_t)size);
}

/* Whole numbers that both formats write out with all their digits. */
static bool is_whole(double value)
{
	return !signbit(value) && value < 1e15 && value == (double)(uint64_t)value;
}

static void put_formatted(struct line *l, const char *format, int width, double value)
{
	char text[400]; /* "%.6f" of the largest number has 316 characters */
	int size = snprintf(text, sizeof(text), format, width, value);

	line_put(l, text, (size_t)size);
}

void line_put_fixed(struct line *l, double value, int width)
{
	static const char zeros[] = ".000000";

	if (!is_whole(value)) {
		put_formatted(l, "%*.6f", width, value);
		return;
	}
	line_put_whole(l, (uint64_t)value, width - (int)strlen(zeros));
	line_put_text(l, zeros);
}

void line_put_general(struct line *l, double value)
{
	if (is_whole(value))
		line_put_whole(l, (uint64_t)value, 0);
	else
		put_formatted(l, "%*.15g", 0, value);
}
