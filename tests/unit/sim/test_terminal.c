/* tests/unit/sim/test_terminal.c -- lines that fit a terminal. */
#include "sim/base/terminal.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void folds(const char *text, int width, const char *expected)
{
	char *printed;
	size_t size;
	FILE *f = open_memstream(&printed, &size);

	terminal_print_folded(f, text, width);
	fclose(f);
	cr_assert_str_eq(printed, expected, "width %d: %s", width, printed);
	free(printed);
}

Test(terminal, fold)
{
	folds("one, two, three", 0, "one, two, three\n");
	folds("one, two, three", 15, "one, two, three\n");
	folds("one, two, three", 14, "one, two,\n    three\n");
	folds("one, two, three", 8, "one,\n    two,\n    three\n");
	folds("one, two, three", 1, "one,\n    two,\n    three\n");
	folds("withoutaplacetobreak", 10, "withoutaplacetobreak\n");
	folds("long words first, then short", 12, "long words\n    first,\n    then\n    short\n");
	folds("", 10, "\n");
}

static void shortens(const char *text, size_t width, const char *expected)
{
	char copy[64];

	snprintf(copy, sizeof copy, "%s", text);
	terminal_shorten(copy, width);
	cr_assert_str_eq(copy, expected, "%s", copy);
}

Test(terminal, shorten)
{
	shortens("matrixMul", 9, "matrixMul");
	shortens("matrixMul", 8, "mat...ul");
	shortens("_Z9transposePfS_ii", 11, "_Z9t...S_ii");
	shortens("a", 8, "a");
}

Test(terminal, lines_without_commas_are_broken_at_blanks)
{
	folds("one two three four five six", 14, "one two three\n    four five\n    six\n");
	folds("a, bcdefghijklmnopqrstuvwxyz d", 10, "a,\n    bcdefghijklmnopqrstuvwxyz\n    d\n");
}
