/* tests/unit/sim/test_diag.c -- messages with a place: rendering, counting, nearest names. */
#include "sim/base/diag.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct diag_list list;

static void start(void)
{
	diag_init(&list);
}

static void stop(void)
{
	diag_fini(&list);
}

static void expect_rendered(enum diag_kind kind, const char *expected)
{
	char *text = diag_render(&list, kind);

	cr_expect_str_eq(text, expected, "got:\n%s", text);
	free(text);
}

static struct diag_location at(const char *text, uint32_t line, uint32_t column)
{
	return (struct diag_location){ "a.ptx", text, strlen(text), line, column };
}

TestSuite(diag, .init = start, .fini = stop);

Test(diag, a_message_shows_its_line_and_a_caret_with_the_hint)
{
	struct diag_location location = at("one\n  two 0\nthree\n", 2, 7);

	diag_add(&list, DIAG_ERROR, &location, "default: 8", "two = %d: expected 1 to %d", 0, 9);
	expect_rendered(DIAG_ERROR,
		"a.ptx:2:7: error: two = 0: expected 1 to 9\n"
		"    2 |   two 0\n"
		"      |       ^ default: 8\n");
}

Test(diag, tabs_before_the_column_are_kept_before_the_caret)
{
	struct diag_location location = at("\tadd\tx;", 1, 6);

	diag_error(&list, &location, "what is x");
	expect_rendered(DIAG_ERROR,
		"a.ptx:1:6: error: what is x\n"
		"    1 | \tadd\tx;\n"
		"      | \t   \t^\n");
}

Test(diag, a_character_of_several_bytes_is_one_column_wide)
{
	struct diag_location location = at("\xc3\xa9 x", 1, 4);

	diag_error(&list, &location, "no x");
	expect_rendered(DIAG_ERROR,
		"a.ptx:1:4: error: no x\n"
		"    1 | \xc3\xa9 x\n"
		"      |   ^\n");
}

Test(diag, the_margin_grows_with_the_line_number)
{
	char text[200001];
	struct diag_location location;

	memset(text, '\n', 200000);
	text[200000] = 0;
	memcpy(text + 123455, "x\n", 2);
	location = at(text, 123456, 1);
	diag_error(&list, &location, "far");
	expect_rendered(DIAG_ERROR,
		"a.ptx:123456:1: error: far\n"
		"123456 | x\n"
		"       | ^\n");
}

Test(diag, a_carriage_return_before_the_newline_is_not_quoted)
{
	struct diag_location location = at("x\r\ny\r\n", 2, 1);

	diag_error(&list, &location, "y");
	cr_expect_str_eq(list.items[0].source, "y");
}

Test(diag, control_characters_become_spaces)
{
	struct diag_location location = at("a\x1b[31mb", 1, 1);

	diag_add(&list, DIAG_ERROR, &location, "see\nthere", "bad \"%s\"", "x\ny");
	expect_rendered(DIAG_ERROR,
		"a.ptx:1:1: error: bad \"x y\"\n"
		"    1 | a [31mb\n"
		"      | ^ see there\n");
}

Test(diag, a_line_behind_the_end_of_the_text_is_not_quoted)
{
	struct diag_location location = at("one", 7, 1);

	diag_error(&list, &location, "lost");
	expect_rendered(DIAG_ERROR, "a.ptx:7:1: error: lost\n");
}

Test(diag, a_column_behind_the_end_of_the_line_puts_the_caret_after_it)
{
	struct diag_location location = at("one", 1, 99);

	diag_error(&list, &location, "lost");
	expect_rendered(DIAG_ERROR,
		"a.ptx:1:99: error: lost\n"
		"    1 | one\n"
		"      |    ^\n");
}

Test(diag, of_a_very_long_line_only_what_surrounds_the_column_is_quoted)
{
	static char text[100001];
	struct diag_location location;
	char *rendered, *caret, *source;

	memset(text, 'a', sizeof(text) - 1);
	text[70000] = 'X';
	location = at(text, 1, 70001);
	diag_error(&list, &location, "no X");
	rendered = diag_render(&list, DIAG_ERROR);
	cr_expect_lt(strlen(rendered), 1000, "%zu bytes", strlen(rendered));
	source = strstr(rendered, "    1 | ...a");
	caret = strstr(rendered, "      |    ");
	cr_assert_not_null(source);
	cr_assert_not_null(caret);
	cr_expect_eq(strchr(source, 'X') - source, strchr(caret, '^') - caret, "got:\n%s", rendered);
	free(rendered);
}

Test(diag, a_long_line_of_characters_of_several_bytes_is_cut_between_them)
{
	static char text[30001];
	struct diag_location location;
	char *rendered;

	for (size_t i = 0; i + 3 < sizeof(text); i += 3)
		memcpy(text + i, "\xe2\x82\xac", 3);
	for (uint32_t column = 1; column < 3000; column += 100) {
		location = at(text, 1, column);
		diag_error(&list, &location, "euro");
	}
	rendered = diag_render(&list, DIAG_ERROR);
	for (char *dots = rendered; (dots = strstr(dots, "...")); dots += 3)
		cr_expect_neq((unsigned char)dots[3] & 0xc0, 0x80);
	free(rendered);
}

Test(diag, an_unknown_column_gives_no_caret)
{
	struct diag_location location = at("one", 1, 0);

	diag_error(&list, &location, "somewhere");
	expect_rendered(DIAG_ERROR, "a.ptx:1: error: somewhere\n    1 | one\n");
}

Test(diag, without_a_line_the_hint_follows_the_message)
{
	struct diag_location location = { .file = "--set l1.ways=0" };

	diag_add(&list, DIAG_ERROR, &location, "default: 4", "l1.ways = 0: expected 1 to 64 lines");
	expect_rendered(
		DIAG_ERROR, "--set l1.ways=0: error: l1.ways = 0: expected 1 to 64 lines (default: 4)\n");
}

Test(diag, without_a_place_only_the_kind_and_the_message_are_printed)
{
	diag_error(&list, NULL, "cannot read x");
	expect_rendered(DIAG_ERROR, "error: cannot read x\n");
}

Test(diag, kinds_are_counted_and_rendered_apart)
{
	diag_error(&list, NULL, "one");
	diag_warning(&list, NULL, "two");
	diag_error(&list, NULL, "three");
	cr_expect_eq(list.errors, 2);
	cr_expect_eq(list.warnings, 1);
	expect_rendered(DIAG_WARNING, "warning: two\n");
	expect_rendered(DIAG_ERROR, "error: one\nerror: three\n");
}

Test(diag, nothing_renders_as_the_empty_text)
{
	expect_rendered(DIAG_ERROR, "");
}

Test(diag, the_list_is_full_at_twenty_errors_unless_told_otherwise)
{
	for (int i = 0; i < 19; i++)
		diag_error(&list, NULL, "again");
	for (int i = 0; i < 30; i++)
		diag_warning(&list, NULL, "never mind");
	cr_expect_not(diag_is_full(&list));
	diag_error(&list, NULL, "again");
	cr_expect(diag_is_full(&list));
	list.limit = 21;
	cr_expect_not(diag_is_full(&list));
}

Test(diag, of_many_warnings_in_the_same_words_the_first_are_kept_and_the_rest_counted)
{
	list.alike = 2;
	for (int i = 0; i < 9; i++)
		diag_warning(&list, NULL, "%%r%d of %s is never read", i, "f");
	diag_warning(&list, NULL, "another");
	diag_error(&list, NULL, "wrong");
	diag_error(&list, NULL, "wrong");
	diag_error(&list, NULL, "wrong");
	cr_expect_eq(list.warnings, 10);
	expect_rendered(DIAG_WARNING,
		"warning: %r0 of f is never read\nwarning: %r1 of f is never read\nwarning: another\n"
		"warning: 7 more like this: %r... of ... is never read\n");
	expect_rendered(DIAG_ERROR, "error: wrong\nerror: wrong\nerror: wrong\n");
}

Test(diag, warnings_that_are_dropped_are_not_counted_either)
{
	list.alike = 2;
	for (int i = 0; i < 5; i++) {
		diag_add(&list, DIAG_WARNING, NULL, "later", "%d is said later", i);
		diag_add(&list, DIAG_WARNING, NULL, NULL, "%d is said now", i);
	}
	diag_drop(&list, DIAG_WARNING, "later");
	cr_expect_eq(list.warnings, 5);
	expect_rendered(DIAG_WARNING,
		"warning: 0 is said now\nwarning: 1 is said now\nwarning: 3 more like this: ... is said "
		"now\n");
}

Test(diag, everything_is_copied)
{
	char text[] = "ways: 0", name[] = "f";
	struct diag_location location = { name, text, 7, 1, 7 };

	diag_error(&list, &location, "bad");
	memset(text, 'x', 7);
	name[0] = 'x';
	expect_rendered(DIAG_ERROR, "f:1:7: error: bad\n    1 | ways: 0\n      |       ^\n");
}

static const char *const words[] = { "ways", "sets", "entries", "scheduler", "mshr_entries", "L2" };

static const char *nearest(const char *name)
{
	return diag_nearest(name, words, sizeof(words) / sizeof(words[0]));
}

Test(nearest, a_missing_an_extra_and_a_wrong_letter_are_misspellings)
{
	cr_expect_str_eq(nearest("way"), "ways");
	cr_expect_str_eq(nearest("entriess"), "entries");
	cr_expect_str_eq(nearest("scheduker"), "scheduler");
}

Test(nearest, a_swap_of_neighbours_counts_once)
{
	cr_expect_str_eq(nearest("wasy"), "ways");
}

Test(nearest, case_counts_nothing)
{
	cr_expect_str_eq(nearest("l2"), "L2");
	cr_expect_str_eq(nearest("MSHR_Entries"), "mshr_entries");
}

Test(nearest, a_third_of_the_length_may_differ_and_no_more)
{
	cr_expect_str_eq(nearest("xxxeduler"), "scheduler");
	cr_expect_null(nearest("xxxxduler"));
}

Test(nearest, what_has_nothing_in_common_is_not_near)
{
	cr_expect_null(nearest("q"));
	cr_expect_null(nearest(""));
	cr_expect_null(nearest("bananas"));
	cr_expect_null(diag_nearest("x", NULL, 0));
}

Test(nearest, the_nearer_of_two_wins_and_the_first_of_equals)
{
	static const char *const two[] = { "abcdefgh", "abcdefxy" }, *const equal[] = { "cat", "car" };

	cr_expect_str_eq(diag_nearest("abcdefxz", two, 2), "abcdefxy");
	cr_expect_str_eq(diag_nearest("caz", equal, 2), "cat");
}

Test(nearest, overlong_names_are_nobody_s_misspelling)
{
	char name[1001];

	memset(name, 'a', 1000);
	name[1000] = 0;
	cr_expect_null(nearest(name));
	cr_expect_null(diag_nearest("ways", (const char *const[]){ name }, 1));
}
