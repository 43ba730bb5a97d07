/* frontend/parse/literal.c -- the values of PTX literals: integers of 64 bits, signed unless they are too
 * large for that or end in U; floats as bits. */
#include "frontend/parse/literal.h"
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static unsigned digit_of(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* The number of digits in front that a base needs: 0x, 0b, 0. */
static const char *skip_base(const char *text, size_t length, unsigned *base)
{
	*base = 10;
	if (text[0] != '0' || length < 2)
		return text;
	switch (text[1] | 0x20) {
	case 'x':
		*base = 16;
		return text + 2;
	case 'b':
		*base = 2;
		return text + 2;
	default:
		*base = 8;
		return text + 1;
	}
}

bool literal_integer(const char *text, size_t length, struct ptx_value *value)
{
	const char *end = text + length;
	bool is_unsigned = length && end[-1] == 'U', fits = true;
	uint64_t sum = 0;
	unsigned base;

	if (is_unsigned)
		end--;
	for (const char *at = skip_base(text, (size_t)(end - text), &base); at < end; at++) {
		fits = fits && !(sum >> 63);
		sum = sum * base + digit_of(*at);
	}
	value->kind = is_unsigned || sum >> 63 ? PTX_UINT : PTX_INT;
	value->bits = sum;
	return fits;
}

static locale_t c_locale;

static void make_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

struct ptx_value literal_decimal(const char *text)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct ptx_value value = { PTX_FLOAT64_BITS, 0 };
	double number;

	pthread_once(&once, make_locale);
	number = c_locale ? strtod_l(text, NULL, c_locale) : strtod(text, NULL);
	memcpy(&value.bits, &number, sizeof(number));
	return value;
}

struct ptx_value literal_bits(const char *text, int kind)
{
	struct ptx_value value = { kind, 0 };

	for (const char *at = text + 2; *at; at++)
		value.bits = value.bits << 4 | digit_of(*at);
	return value;
}

const char *literal_fault(const char *text)
{
	if (text[0] != '0')
		return "a name cannot begin with a digit";
	switch (text[1] | 0x20) {
	case 'f':
		return "'0f' needs exactly 8 hexadecimal digits";
	case 'd':
		return "'0d' needs exactly 16 hexadecimal digits";
	case 'x':
		return "not a hexadecimal number";
	case 'b':
		return "not a binary number";
	default:
		return "digits of an octal number are 0 to 7";
	}
}
