/* sim/text/text_buffer.c -- formats numbers exactly as printf does, but without calling printf for whole
 * numbers. */
#include "sim/text/text_buffer.h"
#include <math.h>
#include <stdbool.h>

#define DIGITS 20 /* of the largest 64-bit number */

void text_buffer_flush(struct text_buffer *l)
{
	fwrite(l->text, 1, l->used, l->stream);
	l->used = 0;
}

void text_buffer_put_long(struct text_buffer *l, const char *text, size_t size)
{
	text_buffer_flush(l);
	fwrite(text, 1, size, l->stream);
}

static int digits_in(uint64_t value)
{
	int count = 1;

	for (; value >= 10000; value /= 10000)
		count += 4;
	return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

void text_buffer_put_integer(struct text_buffer *l, uint64_t value, int width)
{
	int size = digits_in(value);
	char *at;

	text_buffer_put_spaces(l, width - size);
	at = text_buffer_reserve(l, DIGITS) + size;
	l->used += (size_t)size;
	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
}

/* Whether both formats write the value as an integer with all its digits. */
static bool is_whole_number(double value)
{
	return !signbit(value) && value < 1e15 && value == (double)(uint64_t)value;
}

static void put_formatted(struct text_buffer *l, const char *format, int width, double value)
{
	char text[400]; /* "%.6f" of the largest number has 316 characters */
	int size = snprintf(text, sizeof(text), format, width, value);

	text_buffer_put(l, text, (size_t)size);
}

/* A value from 0 to 10^9 in millionths, rounded as printf rounds: exactly, ties to even. */
static uint64_t millionths_of(double value)
{
	int exponent, shift;
	unsigned __int128 scaled = (unsigned __int128)ldexp(frexp(value, &exponent), 53) * 1000000u, half,
			  rest;
	uint64_t whole;

	shift = 53 - exponent; /* value = 53 bits / 2^shift; 23 or more */
	if (shift > 100)
		return 0;
	whole = (uint64_t)(scaled >> shift);
	half = (unsigned __int128)1 << (shift - 1);
	rest = scaled & (2 * half - 1);
	return whole + (rest > half || (rest == half && whole & 1));
}

void text_buffer_put_fixed(struct text_buffer *l, double value, int width)
{
	char digits[] = ".000000";
	uint64_t millionths;

	if (signbit(value) || !(value <= 1e9)) {
		put_formatted(l, "%*.6f", width, value);
		return;
	}
	millionths = millionths_of(value);
	text_buffer_put_integer(l, millionths / 1000000, width - 7);
	millionths %= 1000000;
	for (int i = 6; millionths; millionths /= 10)
		digits[i--] = (char)('0' + millionths % 10);
	text_buffer_put(l, digits, 7);
}

void text_buffer_put_digits(struct text_buffer *l, double value, int width)
{
	put_formatted(l, "%*.6g", width, value);
}

void text_buffer_put_general(struct text_buffer *l, double value)
{
	if (is_whole_number(value))
		text_buffer_put_integer(l, (uint64_t)value, 0);
	else
		put_formatted(l, "%*.15g", 0, value);
}
