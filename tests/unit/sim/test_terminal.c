/* tests/unit/sim/test_terminal.c -- lines that fit a terminal. */
#include "sim/text/terminal.h"

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

Test(terminal, lines_are_broken_behind_the_last_comma_that_fits)
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

Test(terminal, names_are_shortened_in_their_middle)
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

static void breaks(const char *text, const char *columns, const char *expected)
{
	struct terminal_rows rows;
	char *printed;
	size_t size;
	FILE *f = open_memstream(&printed, &size);

	setenv("COLUMNS", columns, 1);
	terminal_rows_begin(&rows);
	fputs(text, rows.text);
	terminal_rows_end(&rows, f);
	fclose(f);
	cr_assert_str_eq(printed, expected, "%s columns: %s", columns, printed);
	free(printed);
}

Test(terminal, rows_go_on_below_their_last_cell)
{
	const char *row = "  key  1  one two three four five six seven eight\n\nend\n";

	breaks(row, "1000", row);
	breaks(row, "49", row);
	breaks(row, "48", "  key  1  one two three four five six seven\n          eight\n\nend\n");
	/* fewer than 30 columns are left for the cell */
	breaks(row, "40", "  key  1  one two three four five six\n          seven eight\n\nend\n");
	breaks(row, "39", "  key  1\n      one two three four five six seven\n      eight\n\nend\n");
}

Test(terminal, rows_of_one_cell)
{
	breaks("one two three", "9", "one two\nthree\n");
	breaks("  one two three\n", "9", "  one two\n  three\n");
	breaks("/a/long/path and more\n", "9", "/a/long/path\nand more\n");
	breaks("", "9", "");
}
