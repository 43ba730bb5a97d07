/* Text for statistics: the same as printf's, whatever the number and wherever the buffer ends. */
#include "sim/text/text_buffer.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const uint64_t wholes[] = { 0, 1, 9, 10, 99, 100, 4294967295u, 4294967296u, 9999999999999999u,
	UINT64_MAX };
static const double reals[] = { 0.0, -0.0, 1, -1, 0.5, 0.1, 1e-7, 123456.789, 999999999999999.0, 1e15,
	1e15 + 2, 1e16, 1.5e300, 1e-300, -123.25, 2.0 / 3, 99.9999996, 4503599627370497.5, INFINITY,
	-INFINITY,
	/* ties of the last of six digits, to the even one; and where millionths end */
	1.0 / 128, 3.0 / 128, 1.0 / 128 + 1e-17, 5e-7, 4.9999999e-7, 999999999.9999996, 1e9,
	1000000000.0000001, 5e-324 };
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static char *put_all(void)
{
	struct text_buffer l = { 0 };
	char *text;
	size_t size;

	l.stream = open_memstream(&text, &size);
	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < COUNT(wholes); i++) {
			text_buffer_put_integer(&l, wholes[i], 0);
			text_buffer_put_char(&l, ' ');
			text_buffer_put_integer(&l, wholes[i], 16);
			text_buffer_put_text(&l, "\n");
		}
		for (size_t i = 0; i < COUNT(reals); i++) {
			text_buffer_put_fixed(&l, reals[i], 16);
			text_buffer_put_spaces(&l, 3);
			text_buffer_put_general(&l, reals[i]);
			text_buffer_put_text(&l, "\n");
		}
	}
	text_buffer_flush(&l);
	fclose(l.stream);
	return text;
}

static char *print_all(void)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < COUNT(wholes); i++)
			fprintf(f, "%" PRIu64 " %16" PRIu64 "\n", wholes[i], wholes[i]);
		for (size_t i = 0; i < COUNT(reals); i++)
			fprintf(f, "%16.6f   %.15g\n", reals[i], reals[i]);
	}
	fclose(f);
	return text;
}

Test(text_buffer, numbers_are_printfs)
{
	char *put = put_all(), *printed = print_all();

	cr_assert_str_eq(put, printed);
	free(put);
	free(printed);
}

/* A number of any kind that statistics have: ratios, sums, whole ones near the borders of both ways to print,
 * any bits. */
static double any_real(uint64_t random, uint64_t more)
{
	uint64_t whole = random >> (more % 64);
	double bits;

	switch (more >> 8 & 7) {
	case 0:
		return (double)whole;
	case 1:
		return (double)whole / (double)(1 + (more >> 16));
	case 2:
		return (double)(whole % 2000000) / 1000000 + 0.0000005;
	case 3:
		return 1e15 + (double)(int64_t)(random % 2000) - 1000;
	case 4:
		return (double)whole + 0.5;
	case 5:
		return -(double)whole;
	default:
		memcpy(&bits, &random, sizeof(bits));
		return isnan(bits) ? 0 : bits;
	}
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state ^ *state >> 29;
}

Test(text_buffer, any_number_is_printfs)
{
	uint64_t state = 1;

	for (int i = 0; i < 200000; i++) {
		uint64_t random = next_random(&state), more = next_random(&state);
		double real = any_real(random, more);
		int width = (int)(more >> 40 & 31);
		struct text_buffer l = { 0 };
		char printed[1024];
		int size = snprintf(printed, sizeof(printed), "%*" PRIu64 "|%*.6f|%.15g|", width,
			random >> (more % 64), width, real, real);

		text_buffer_put_integer(&l, random >> (more % 64), width);
		text_buffer_put_char(&l, '|');
		text_buffer_put_fixed(&l, real, width);
		text_buffer_put_char(&l, '|');
		text_buffer_put_general(&l, real);
		text_buffer_put_char(&l, '|');
		cr_assert(l.used == (size_t)size && !memcmp(l.text, printed, l.used), "%.*s instead of %s",
			(int)l.used, l.text, printed);
	}
}

Test(text_buffer, a_text_longer_than_the_buffer)
{
	struct text_buffer l = { 0 };
	char *long_text = calloc(1, 2 * sizeof(l.text)), *text;
	size_t size;

	memset(long_text, 'x', 2 * sizeof(l.text) - 1);
	l.stream = open_memstream(&text, &size);
	text_buffer_put_text(&l, "a");
	text_buffer_put_text(&l, long_text);
	text_buffer_put_text(&l, "b");
	text_buffer_flush(&l);
	fclose(l.stream);
	cr_assert_eq(size, 2 * sizeof(l.text) + 1);
	cr_assert(text[0] == 'a' && text[1] == 'x' && text[size - 2] == 'x' && text[size - 1] == 'b');
	free(text);
	free(long_text);
}
