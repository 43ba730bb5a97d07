/* tests/unit/sim/test_config.c -- configurations: loading, bases, overlays, reading, messages, printing. */
#include "tests/unit/sim/config_rig.h"

/* One line under sm.l1, refused when it is read. */
static void expect_bad_value(const char *line, const char *expected)
{
	char text[512];

	snprintf(text, sizeof(text), "sm:\n  l1:\n    %s\n", line);
	cr_assert(load(text));
	read_cache();
	expect_errors(expected);
}

/* -- reading -- */

TestSuite(config, .init = start, .fini = stop);

Test(config, without_any_file_every_value_is_the_default)
{
	read_cache();
	cr_expect_eq(cache.ways, 4);
	cr_expect_eq(cache.size, 16384);
	cr_expect_eq(cache.volts, 1.05);
	cr_expect_not(cache.sectored);
	cr_expect_eq(cache.policy, GTO);
	cr_expect_null(cache.trace);
	cr_expect_str_eq(cache.label, "plain");
	expect_errors("");
}

Test(config, values_of_every_type_are_read)
{
	cr_expect(load("sm:\n  l1:\n    ways: 8\n    size: 0x8000\n    volts: 1.2e0\n    sectored: Yes\n"
		       "    policy: two_level\n    trace: t.txt\n    label: \"a # b\"\n"));
	read_cache();
	cr_expect_eq(cache.ways, 8);
	cr_expect_eq(cache.size, 32768);
	cr_expect_eq(cache.volts, 1.2);
	cr_expect(cache.sectored);
	cr_expect_eq(cache.policy, TWO_LEVEL);
	cr_expect_str_eq(cache.trace, "t.txt");
	cr_expect_str_eq(cache.label, "a # b");
	expect_errors("");
}

Test(config, suffixes_are_powers_of_two)
{
	cr_expect(load("sm: {l1: {size: 32K}}"));
	read_cache();
	cr_expect_eq(cache.size, 32768);
	config_set(config, "sm.l1.size=3M", &list);
	read_cache();
	cr_expect_eq(cache.size, 3 << 20);
	config_set(config, "sm.l1.size=2g", &list);
	read_cache();
	cr_expect_eq(cache.size, 2ULL << 30);
	expect_errors("");
}

Test(config, truth_has_six_names)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };

	for (int i = 0; i < 6; i++) {
		char text[64];

		snprintf(text, sizeof(text), "sm.l1.sectored=%s", words[i]);
		cr_expect(config_set(config, text, &list));
		read_cache();
		cr_expect_eq(cache.sectored, i % 2 == 1, "%s", words[i]);
	}
	expect_errors("");
}

Test(config, the_largest_number_is_read_to_the_last_digit)
{
	cr_expect(load("sm: {l1: {size: 18446744073709551615}}"));
	read_cache();
	cr_expect_eq(cache.size, UINT64_MAX);
	expect_errors("");
}

Test(config, a_section_with_nothing_in_it_is_all_defaults)
{
	cr_expect(load("sm:\n  l1:\n    # nothing yet\n"));
	read_cache();
	cr_expect_eq(cache.ways, 4);
	config_check_unknown(config, &list);
	expect_errors("");
}

Test(config, an_empty_file_and_one_of_comments_are_configurations)
{
	cr_expect(load(""));
	cr_expect(load("# nothing\n"));
	cr_expect(load("---\n"));
	expect_errors("");
}

Test(config, a_byte_order_mark_is_ignored)
{
	cr_expect(load("\xef\xbb\xbfsm: {l1: {ways: 2}}\nx: 0\n"));
	read_cache();
	cr_expect_eq(cache.ways, 2);
	expect_errors("");
}

Test(config, parameters_at_the_top_need_no_section)
{
	struct mrpb mrpb;

	cr_expect(load("entries: 3\n"));
	config_read(config, "", mrpb_params, &mrpb, &list);
	config_check_unknown(config, &list);
	cr_expect_eq(mrpb.entries, 3);
	expect_errors("");
}

Test(config, a_policy_that_was_not_chosen_is_checked_without_an_object)
{
	cr_expect(load("l1:\n  mrpb:\n    entries: 0\n"));
	config_read(config, "l1.mrpb", mrpb_params, NULL, &list);
	config_check_unknown(config, &list);
	expect_errors("a.yaml:3:14: error: l1.mrpb.entries = 0: expected 1 to 4096 requests\n"
		      "    3 |     entries: 0\n"
		      "      |              ^ default: 8\n");
}

Test(config, a_table_whose_default_is_out_of_range_is_a_bug, .signal = SIGABRT)
{
	static const struct sim_param table[] = { SIM_U32(struct mrpb, entries, 0, 1, 9, "", "bad"),
		SIM_END };

	config_read(config, "x", table, NULL, &list);
}

/* -- values that are refused -- */

Test(config, a_value_out_of_range_names_range_unit_and_default)
{
	expect_bad_value("ways: 65",
		"a.yaml:3:11: error: sm.l1.ways = 65: expected 1 to 64 lines\n"
		"    3 |     ways: 65\n"
		"      |           ^ default: 4\n");
	cr_expect_eq(cache.ways, 4, "the default stays");
}

Test(config, a_negative_number_is_out_of_range)
{
	expect_bad_value("size: -1",
		"a.yaml:3:11: error: sm.l1.size = -1: expected 0 to 18446744073709551615 bytes\n"
		"    3 |     size: -1\n"
		"      |           ^ default: 16384\n");
}

Test(config, a_number_beyond_64_bits_is_out_of_range)
{
	expect_bad_value("ways: 18446744073709551616",
		"a.yaml:3:11: error: sm.l1.ways = 18446744073709551616: expected 1 to 64 lines\n"
		"    3 |     ways: 18446744073709551616\n"
		"      |           ^ default: 4\n");
}

Test(config, a_suffix_that_overflows_64_bits_is_out_of_range)
{
	expect_bad_value("size: 0xffffffffffffffffK",
		"a.yaml:3:11: error: sm.l1.size = 0xffffffffffffffffK: "
		"expected 0 to 18446744073709551615 bytes\n"
		"    3 |     size: 0xffffffffffffffffK\n"
		"      |           ^ default: 16384\n");
}

Test(config, junk_behind_a_number_makes_it_none)
{
	expect_bad_value("ways: 4 lines",
		"a.yaml:3:11: error: sm.l1.ways = 4 lines: expected a whole number, 1 to 64 lines\n"
		"    3 |     ways: 4 lines\n"
		"      |           ^ default: 4\n");
}

Test(config, a_fraction_is_no_whole_number)
{
	expect_bad_value("ways: 4.0",
		"a.yaml:3:11: error: sm.l1.ways = 4.0: expected a whole number, 1 to 64 lines\n"
		"    3 |     ways: 4.0\n"
		"      |           ^ default: 4\n");
}

Test(config, what_is_no_finite_decimal_number_is_refused)
{
	static const char *const bad[] = { "nan", "inf", "-inf", ".inf", "0x1p1", "1e", ".", "e5", "1 V",
		"--1" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[64], expected[256];

		snprintf(text, sizeof(text), "sm.l1.volts=%s", bad[i]);
		snprintf(expected, sizeof(expected),
			"--set %s: error: sm.l1.volts = %s: expected a number, 0.5 to 2 V (default: 1.05)\n",
			text, bad[i]);
		cr_expect(config_set(config, text, &list));
		read_cache();
		expect_errors(expected);
		cr_expect_eq(cache.volts, 1.05);
		diag_fini(&list);
	}
}

Test(config, a_real_number_out_of_range_or_too_large_for_a_double_is_refused)
{
	config_set(config, "sm.l1.volts=2.0001", &list);
	read_cache();
	config_set(config, "sm.l1.volts=1e999", &list);
	read_cache();
	expect_errors(
		"--set sm.l1.volts=2.0001: error: sm.l1.volts = 2.0001: expected 0.5 to 2 V (default: 1.05)\n"
		"--set sm.l1.volts=1e999: error: sm.l1.volts = 1e999: expected 0.5 to 2 V (default: 1.05)\n");
}

Test(config, an_unknown_choice_lists_the_choices_and_the_nearest)
{
	expect_bad_value("policy: gtoo",
		"a.yaml:3:13: error: sm.l1.policy = gtoo: expected one of lrr, gto, two_level\n"
		"    3 |     policy: gtoo\n"
		"      |             ^ did you mean gto? default: gto\n");
}

Test(config, a_truth_that_is_neither_is_refused)
{
	expect_bad_value("sectored: maybe",
		"a.yaml:3:15: error: sm.l1.sectored = maybe: expected true or false\n"
		"    3 |     sectored: maybe\n"
		"      |               ^ default: false\n");
}

Test(config, a_key_without_a_value_is_refused)
{
	expect_bad_value("ways:",
		"a.yaml:3:10: error: sm.l1.ways has no value: expected 1 to 64 lines\n"
		"    3 |     ways:\n"
		"      |          ^ default: 4\n");
}

Test(config, a_text_may_be_none_only_where_none_is_the_default)
{
	cr_expect(load("sm: {l1: {trace: ~, label: ~}}"));
	read_cache();
	cr_expect_null(cache.trace);
	cr_expect_str_eq(cache.label, "plain");
	expect_errors("a.yaml:1:28: error: sm.l1.label has no value: expected a text\n"
		      "    1 | sm: {l1: {trace: ~, label: ~}}\n"
		      "      |                            ^ default: \"plain\"\n");
}

Test(config, a_section_where_a_value_is_expected_is_refused)
{
	expect_bad_value("ways: {count: 4}",
		"a.yaml:3:5: error: sm.l1.ways is a section: expected 1 to 64 lines\n"
		"    3 |     ways: {count: 4}\n"
		"      |     ^ default: 4\n");
}

Test(config, a_value_where_a_section_is_expected_is_refused_once)
{
	cr_expect(load("sm: 4\n"));
	read_cache();
	config_read(config, "sm.l1.mrpb", mrpb_params, NULL, &list);
	config_check_unknown(config, &list);
	expect_errors("a.yaml:1:5: error: sm = 4: expected a section of keys\n"
		      "    1 | sm: 4\n"
		      "      |     ^\n");
}

Test(config, a_mistake_in_a_section_that_is_read_often_is_told_once)
{
	cr_expect(load("sm: {l1: {ways: 0}}\n"));
	read_cache();
	read_cache();
	cr_expect_eq(list.errors, 1);
}

Test(config, several_mistakes_are_told_in_one_run)
{
	cr_expect(load("sm: {l1: {ways: 0, volts: x, policy: y}}\n"));
	read_cache();
	cr_expect_eq(list.errors, 3);
}

Test(config, columns_count_bytes_where_characters_have_several)
{
	cr_expect(load("sm: {l1: {label: \"\xc3\xa9\", ways: 0}}\n"));
	read_cache();
	expect_errors("a.yaml:1:30: error: sm.l1.ways = 0: expected 1 to 64 lines\n"
		      "    1 | sm: {l1: {label: \"\xc3\xa9\", ways: 0}}\n"
		      "      |                             ^ default: 4\n");
}

/* -- unknown keys -- */

Test(config, an_unknown_key_is_shown_with_the_nearest_of_its_section)
{
	cr_expect(load("sm:\n  l1:\n    wayz: 4\n"));
	read_cache();
	config_check_unknown(config, &list);
	expect_errors("a.yaml:3:5: error: unknown key sm.l1.wayz\n"
		      "    3 |     wayz: 4\n"
		      "      |     ^ did you mean sm.l1.ways?\n");
}

Test(config, a_key_in_the_wrong_section_is_shown_the_right_one)
{
	cr_expect(load("l1:\n  ways: 4\n"));
	read_cache();
	config_check_unknown(config, &list);
	expect_errors("a.yaml:1:1: error: unknown key l1\n"
		      "    1 | l1:\n"
		      "      | ^ did you mean sm.l1?\n");
}

Test(config, a_key_that_nothing_resembles_stands_alone)
{
	cr_expect(config_set(config, "bananas=4", &list));
	read_cache();
	config_check_unknown(config, &list);
	expect_errors("--set bananas=4: error: unknown key bananas\n");
}

Test(config, what_became_of_a_parameter_is_said)
{
	static const char *const former[] = { "lines", "renamed to old.ways", "port", "is gone", NULL };
	static const struct sim_param table[] = { SIM_U32(struct mrpb, entries, 4, 1, 9, "", "entries"),
		SIM_END_FORMER(former) };
	struct mrpb m;

	cr_expect(load("old:\n  lines: 4\n"));
	cr_expect(config_set(config, "old.port=4", &list));
	cr_expect(config_set(config, "old.line=4", &list));
	config_read(config, "old", table, &m, &list);
	config_check_unknown(config, &list);
	expect_errors("a.yaml:2:3: error: key old.lines: renamed to old.ways\n"
		      "    2 |   lines: 4\n"
		      "      |   ^\n"
		      "--set old.port=4: error: key old.port: is gone\n"
		      "--set old.line=4: error: unknown key old.line\n");
}

Test(config, a_misspelt_base_is_recognised)
{
	cr_expect(load("bsae: x.yaml\n"));
	config_check_unknown(config, &list);
	expect_errors("a.yaml:1:1: error: unknown key bsae\n"
		      "    1 | bsae: x.yaml\n"
		      "      | ^ did you mean base?\n");
}
