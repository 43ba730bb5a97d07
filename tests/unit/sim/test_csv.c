/* tests/unit/sim/test_csv.c -- fields of CSV: written so that spreadsheets take no text for a formula, and
 * read back. */
#include "sim/text/csv.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_field(const char *text, const char *field)
{
	size_t size;
	char *written;
	FILE *f = open_memstream(&written, &size);

	csv_put(f, text);
	fclose(f);
	cr_expect_str_eq(written, field);
	if (*field != '"')
		cr_expect_str_eq(csv_text(written), text);
	free(written);
}

Test(csv, quotes_stand_where_they_must)
{
	expect_field("", "");
	expect_field("plain text", "plain text");
	expect_field("a \"b\", c", "\"a \"\"b\"\", c\"");
	expect_field("two\nlines", "\"two\nlines\"");
}

Test(csv, a_text_that_looks_like_a_formula_is_marked_as_text)
{
	expect_field("=1+1", "'=1+1");
	expect_field("+swl", "'+swl");
	expect_field("-", "'-");
	expect_field("@sum(a1)", "'@sum(a1)");
	expect_field("\t=1", "'\t=1");
	expect_field("=cmd|' /c calc'!A0,\"x\"", "\"'=cmd|' /c calc'!A0,\"\"x\"\"\"");
	expect_field("-1+1", "'-1+1");
	expect_field("-1e", "'-1e");
	expect_field("+.", "'+.");
	expect_field("a=1", "a=1");
}

Test(csv, a_number_is_not)
{
	static const char *const numbers[] = { "-1", "+1", "-0.5", "-.5", "-1.", "-1e9", "+1.5E-12" };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		expect_field(numbers[i], numbers[i]);
}

Test(csv, the_mark_is_read_back_and_no_other_quote_is)
{
	cr_expect_str_eq(csv_text("'=x"), "=x");
	cr_expect_str_eq(csv_text("'x"), "'x");
	cr_expect_str_eq(csv_text("'-1"), "'-1");
	cr_expect_str_eq(csv_text("'"), "'");
}
