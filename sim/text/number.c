/* sim/text/number.c -- numbers as users write them. */
#include "sim/text/number.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The factor of a suffix K, M or G (powers of two), which it skips; 1 if there is none. */
static uint64_t take_suffix(const char **text)
{
	static const char suffixes[] = "KMG";
	const char *found = **text ? strchr(suffixes, toupper((unsigned char)**text)) : NULL;

	if (!found)
		return 1;
	++*text;
	return (uint64_t)1 << (10 * (found - suffixes + 1));
}

static int digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

static bool has_zeros_in_front(const char *text)
{
	text += *text == '-' || *text == '+';
	return text[0] == '0' && isdigit((unsigned char)text[1]);
}

enum number_fit number_read(const char *text, const char **end, uint64_t *value)
{
	bool negative = *text == '-', over = false;
	int base = 10;

	*end = text;
	if (has_zeros_in_front(text))
		return NUMBER_WRONG_FORM;
	text += *text == '-' || *text == '+';
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (digit_value(*text) >= base)
		return NUMBER_WRONG_FORM;
	for (*value = 0; digit_value(*text) < base; text++) {
		over |= __builtin_mul_overflow(*value, (uint64_t)base, value);
		over |= __builtin_add_overflow(*value, (uint64_t)digit_value(*text), value);
	}
	over |= __builtin_mul_overflow(*value, take_suffix(&text), value);
	*end = text;
	return over || (negative && *value) ? NUMBER_OUT_OF_RANGE : NUMBER_FITS;
}

bool number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	const char *end;

	return isdigit((unsigned char)*text) && number_read(text, &end, value) == NUMBER_FITS && !*end &&
		*value >= least && *value <= most;
}

static const char *skip_digits(const char *text)
{
	while (isdigit((unsigned char)*text))
		text++;
	return text;
}

/* The end of a decimal number, or NULL. Stricter than strtod, which also accepts nan, inf and 0x1p3. */
static const char *end_of_decimal(const char *text)
{
	const char *start, *dot, *digits;

	start = text + (*text == '-' || *text == '+');
	dot = skip_digits(start);
	text = *dot == '.' ? skip_digits(dot + 1) : dot;
	if (text - start == (*dot == '.'))
		return NULL;
	if (*text != 'e' && *text != 'E')
		return text;
	text++;
	digits = text + (*text == '-' || *text == '+');
	text = skip_digits(digits);
	return text > digits ? text : NULL;
}

enum number_fit number_real(const char *text, double *value)
{
	const char *end = has_zeros_in_front(text) ? NULL : end_of_decimal(text);
	uint64_t whole;

	if (!strncasecmp(text, "0x", 2) && number_parse(text, 0, UINT64_MAX, &whole)) {
		*value = (double)whole;
		return NUMBER_FITS;
	}
	if (!end)
		return NUMBER_WRONG_FORM;
	*value = strtod(text, NULL) * (double)take_suffix(&end);
	if (*end)
		return NUMBER_WRONG_FORM;
	return isfinite(*value) ? NUMBER_FITS : NUMBER_OUT_OF_RANGE;
}

const char *number_hint(const char *text)
{
	static _Thread_local char hint[80];

	snprintf(hint, sizeof hint, " (%.32s has zeros in front)", text);
	return has_zeros_in_front(text) ? hint : "";
}
