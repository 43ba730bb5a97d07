/* Text for statistics: the same as printf's, whatever the number and wherever the buffer ends. */
#include "sim/line.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const uint64_t wholes[] = { 0, 1, 9, 10, 99, 100, 4294967295u, 4294967296u, 9999999999999999u, UINT64_MAX };
static const double reals[] = { 0.0, -0.0, 1, -1, 0.5, 0.1, 1e-7, 123456.789, 999999999999999.0, 1e15, 1e15 + 2, 1e16, 1.5e300, 1e-300,
	-123.25, 2.0 / 3, 99.9999996, 4503599627370497.5, INFINITY, -INFINITY };
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static char *put_all(void)
{
	struct line l = { 0 };
	char *text;
	size_t size;

	l.stream = open_memstream(&text, &size);
	for (int round = 0; round < 100; round++) {
		for (size_t i = 0; i < COUNT(wholes); i++) {
			line_put_whole(&l, wholes[i], 0);
			line_put_char(&l, ' ');
			line_put_whole(&l, wholes[i], 16);
			line_put_text(&l, "\n");
		}
		for (size_t i = 0; i < COUNT(reals); i++) {
			line_put_fixed(&l, reals[i], 16);
			line_put_spaces(&l, 3);
			line_put_general(&l, reals[i]);
			line_put_text(&l, "\n");
		}
	}
	line_flush(&l);
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

Test(line, numbers_are_printfs)
{
	char *put = put_all(), *printed = print_all();

	cr_assert_str_eq(put, printed);
	free(put);
	free(printed);
}

Test(line, a_text_longer_than_the_buffer)
{
	struct line l = { 0 };
	char *long_text = calloc(1, 2 * sizeof(l.text)), *text;
	size_t size;

	memset(long_text, 'x', 2 * sizeof(l.text) - 1);
	l.stream = open_memstream(&text, &size);
	line_put_text(&l, "a");
	line_put_text(&l, long_text);
	line_put_text(&l, "b");
	line_flush(&l);
	fclose(l.stream);
	cr_assert_eq(size, 2 * sizeof(l.text) + 1);
	cr_assert(text[0] == 'a' && text[1] == 'x' && text[size - 2] == 'x' && text[size - 1] == 'b');
	free(text);
	free(long_text);
}
