/* tests/unit/sim/test_config.c -- configurations: loading, bases, overlays, reading, messages, printing. */
#include "sim/config/config.h"
#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum policy { LRR, GTO, TWO_LEVEL };
static const char *const policies[] = { "lrr", "gto", "two_level", NULL };

struct cache {
	uint32_t ways;
	uint64_t size;
	double volts;
	bool sectored;
	uint32_t policy;
	const char *trace, *label;
};
static const struct sim_param cache_params[] = {
	SIM_U32(struct cache, ways, 4, 1, 64, "lines", "associativity"),
	SIM_U64(struct cache, size, 16384, 0, 0x1p64, "bytes", "capacity"),
	SIM_F64(struct cache, volts, 1.05, 0.5, 2, "V", "supply"),
	SIM_BOOL(struct cache, sectored, false, "whether lines have sectors"),
	SIM_ENUM(struct cache, policy, GTO, policies, "who goes first"),
	SIM_STRING(struct cache, trace, NULL, "where to write a trace"),
	SIM_STRING(struct cache, label, "plain", "name in reports"),
	SIM_END,
};

struct mrpb {
	uint32_t entries;
};
static const struct sim_param mrpb_params[] = {
	SIM_U32(struct mrpb, entries, 8, 1, 4096, "requests", "capacity of one queue"),
	SIM_END,
};

static struct config *config;
static struct diag_list list;
static struct cache cache;

static void start(void)
{
	config = config_new();
	diag_init(&list);
}

static void stop(void)
{
	config_free(config);
	diag_fini(&list);
}

static void expect_errors(const char *expected)
{
	char *text = diag_render(&list, DIAG_ERROR);

	cr_expect_str_eq(text, expected, "got:\n%s", text);
	free(text);
}

static bool load(const char *text)
{
	return config_load_text(config, "a.yaml", text, &list);
}

static void read_cache(void)
{
	config_read(config, "sm.l1", cache_params, &cache, &list);
}

/* The text must be refused with exactly these messages. */
static void expect_refused(const char *text, const char *expected)
{
	cr_expect_not(load(text));
	expect_errors(expected);
}

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

/* -- what is no configuration -- */

Test(config, broken_yaml_is_shown_where_it_breaks)
{
	expect_refused("sm:\n  l1: 4\n bad: 5\n",
		"a.yaml:3:2: error: not valid YAML: did not find expected key while parsing a block mapping\n"
		"    3 |  bad: 5\n"
		"      |  ^\n");
}

Test(config, bytes_that_are_no_text_are_shown_where_they_are)
{
	expect_refused("a: 1\nb: \xff\n",
		"a.yaml:2:4: error: not valid YAML: invalid leading UTF-8 octet\n"
		"    2 | b: \xff\n"
		"      |    ^\n");
}

Test(config, a_duplicate_key_names_the_first)
{
	expect_refused("sm:\n  ways: 1\n  ways: 2\n",
		"a.yaml:3:3: error: key sm.ways is set twice\n"
		"    3 |   ways: 2\n"
		"      |   ^ first on line 2\n");
}

Test(config, lists_anchors_aliases_and_tags_are_refused_in_one_run)
{
	expect_refused("a: [1, {b: 2}]\nc: &x 4\nd: *x\ne: !!int 5\n",
		"a.yaml:1:4: error: a: lists are not supported\n"
		"    1 | a: [1, {b: 2}]\n"
		"      |    ^\n"
		"a.yaml:2:4: error: anchors are not supported: &x\n"
		"    2 | c: &x 4\n"
		"      |    ^\n"
		"a.yaml:3:4: error: aliases are not supported: *x\n"
		"    3 | d: *x\n"
		"      |    ^\n"
		"a.yaml:4:4: error: tags are not supported: tag:yaml.org,2002:int\n"
		"    4 | e: !!int 5\n"
		"      |    ^\n");
}

Test(config, a_file_that_is_a_list_or_a_word_is_refused)
{
	expect_refused("- a\n- b\n",
		"a.yaml:1:1: error: expected \"key: value\" lines\n"
		"    1 | - a\n"
		"      | ^\n");
	diag_fini(&list);
	expect_refused("word\n",
		"a.yaml:1:1: error: expected \"key: value\" lines\n"
		"    1 | word\n"
		"      | ^\n");
}

Test(config, a_second_document_is_refused)
{
	expect_refused("a: 1\n---\nb: 2\n",
		"a.yaml:2:1: error: a second document: one file holds one configuration\n"
		"    2 | ---\n"
		"      | ^\n");
}

Test(config, keys_that_are_no_names_are_refused)
{
	expect_refused("\"\": 1\n{x: y}: 2\nsm.l1: 3\n",
		"a.yaml:1:1: error: expected a name as key\n"
		"    1 | \"\": 1\n"
		"      | ^\n"
		"a.yaml:2:1: error: expected a name as key\n"
		"    2 | {x: y}: 2\n"
		"      | ^\n"
		"a.yaml:3:1: error: key sm.l1: write one level a line, "
		"without dots\n"
		"    3 | sm.l1: 3\n"
		"      | ^\n");
}

Test(config, a_text_with_a_nul_character_is_refused)
{
	expect_refused("a: \"x\\0y\"\n",
		"a.yaml:1:4: error: a NUL character in a text\n"
		"    1 | a: \"x\\0y\"\n"
		"      |    ^\n");
}

static char *nested(int levels)
{
	char *text = calloc(1, (size_t)levels * 5 + 2);

	for (int i = 0; i < levels; i++)
		strcat(text, "{a: ");
	strcat(text, "1");
	for (int i = 0; i < levels; i++)
		strcat(text, "}");
	return text;
}

Test(config, sixty_four_levels_are_accepted_and_one_more_is_not)
{
	char *most = nested(64), *more = nested(65), *huge = nested(9000);

	cr_expect(load(most));
	cr_expect_eq(list.count, 0);
	cr_expect_not(load(more));
	cr_expect_eq(list.errors, 1);
	cr_expect_str_eq(list.items[0].message, "nested too deeply: 64 levels are the limit");
	cr_expect_eq(list.items[0].column, 257);
	cr_expect_not(load(huge));
	free(most);
	free(more);
	free(huge);
}

Test(config, a_refused_text_changes_nothing)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect_not(load("sm: {l1: {ways: 3, size: []}}"));
	read_cache();
	cr_expect_eq(cache.ways, 2);
}

/* -- files and bases -- */

static char folder[64];

static void start_in_folder(void)
{
	strcpy(folder, "/tmp/lockstep-config-XXXXXX");
	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	start();
}

static void stop_in_folder(void)
{
	char command[96];

	stop();
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect_eq(system(command), 0);
}

static void write_file(const char *name, const char *text)
{
	FILE *stream = fopen(name, "w");

	cr_assert(stream);
	fputs(text, stream);
	fclose(stream);
}

TestSuite(config_files, .init = start_in_folder, .fini = stop_in_folder);

Test(config_files, a_base_lies_underneath_key_by_key)
{
	write_file("b.yaml", "sm: {l1: {ways: 2, size: 99}}\n");
	write_file("a.yaml", "base: b.yaml\nsm: {l1: {ways: 3}}\n");
	cr_expect(config_load(config, "a.yaml", &list));
	read_cache();
	config_check_unknown(config, &list);
	cr_expect_eq(cache.ways, 3);
	cr_expect_eq(cache.size, 99);
	expect_errors("");
}

Test(config_files, a_base_is_sought_beside_the_file_that_names_it)
{
	cr_assert_eq(system("mkdir sub"), 0);
	write_file("a.yaml", "sm: {l1: {ways: 7}}\n");
	write_file("sub/b.yaml", "base: ../a.yaml\n");
	cr_expect(config_load(config, "sub/b.yaml", &list));
	read_cache();
	cr_expect_eq(cache.ways, 7);
	expect_errors("");
}

Test(config_files, a_section_without_keys_hides_nothing_of_its_base)
{
	write_file("b.yaml", "sm: {l1: {ways: 2}}\n");
	write_file("a.yaml", "base: b.yaml\nsm:\n");
	cr_expect(config_load(config, "a.yaml", &list));
	read_cache();
	cr_expect_eq(cache.ways, 2);
}

Test(config_files, a_missing_file_is_named)
{
	cr_expect_not(config_load(config, "nowhere.yaml", &list));
	expect_errors("error: cannot read nowhere.yaml: No such file or directory\n");
}

Test(config_files, a_folder_is_no_file)
{
	cr_expect_not(config_load(config, ".", &list));
	expect_errors("error: cannot read .: Is a directory\n");
}

Test(config_files, a_missing_base_is_shown_where_it_is_named)
{
	write_file("a.yaml", "sm:\nbase: nowhere.yaml\n");
	cr_expect_not(config_load(config, "a.yaml", &list));
	expect_errors("a.yaml:2:7: error: cannot read nowhere.yaml: No such file or directory\n"
		      "    2 | base: nowhere.yaml\n"
		      "      |       ^\n");
}

Test(config_files, bases_in_a_loop_are_refused)
{
	write_file("a.yaml", "base: b.yaml\n");
	write_file("b.yaml", "base: ./a.yaml\n");
	cr_expect_not(config_load(config, "a.yaml", &list));
	expect_errors(
		"b.yaml:1:7: error: base = ./a.yaml: the bases form a loop: a.yaml, its base b.yaml, its "
		"base ./a.yaml\n"
		"    1 | base: ./a.yaml\n"
		"      |       ^\n");
}

Test(config_files, a_chain_of_bases_has_an_end)
{
	char name[32], text[32];

	for (int i = 0; i < 34; i++) {
		snprintf(name, sizeof name, "c%d.yaml", i);
		snprintf(text, sizeof text, i < 33 ? "base: c%d.yaml\n" : "sm: {l1: {ways: 7}}\n", i + 1);
		write_file(name, text);
	}
	cr_expect(config_load(config, "c1.yaml", &list), "32 bases");
	expect_errors("");
	cr_expect_not(config_load(config, "c0.yaml", &list), "33 bases");
	expect_errors(
		"c32.yaml:1:7: error: base = c33.yaml: more than 32 files are each the base of another\n"
		"    1 | base: c33.yaml\n"
		"      |       ^\n");
}

Test(config_files, a_name_is_a_configuration_whatever_lies_here)
{
	write_file("gtx480", "not: a configuration\n");
	write_file("mine", "sm: {l1: {ways: 7}}\n");
	write_file("a.yaml", "base: gtx480\n");
	cr_expect(config_load(config, "gtx480", &list));
	cr_expect(config_load(config, "a.yaml", &list));
	cr_expect_null(config_location(config, "", "not").file);
	cr_expect(config_load(config, "mine", &list), "the name of no configuration is a file's");
	read_cache();
	cr_expect_eq(cache.ways, 7);
	cr_expect(config_load(config, "./gtx480", &list), "with a slash it is a file");
	cr_expect_str_eq(config_location(config, "", "not").file, "./gtx480");
	expect_errors("");
}

Test(config_files, a_base_that_is_no_path_is_refused)
{
	write_file("a.yaml", "base: {x: 1}\n");
	cr_expect_not(config_load(config, "a.yaml", &list));
	write_file("a.yaml", "base:\n");
	cr_expect_not(config_load(config, "a.yaml", &list));
	expect_errors("a.yaml:1:1: error: base: expected a YAML file or the name of a configuration\n"
		      "    1 | base: {x: 1}\n"
		      "      | ^\n"
		      "a.yaml:1:6: error: base: expected a YAML file or the name of a configuration\n"
		      "    1 | base:\n"
		      "      |      ^\n");
}

Test(config_files, an_error_in_a_base_shows_the_base)
{
	write_file("b.yaml", "sm:\n  l1: {ways: 0}\n");
	write_file("a.yaml", "base: b.yaml\n");
	cr_expect(config_load(config, "a.yaml", &list));
	read_cache();
	expect_errors("b.yaml:2:14: error: sm.l1.ways = 0: expected 1 to 64 lines\n"
		      "    2 |   l1: {ways: 0}\n"
		      "      |              ^ default: 4\n");
}

/* -- overlays: files whose names begin with + -- */

/* Each a file of its own: "+a.yaml" and a line under sm.l1. */
static void load_all(const char *const files[][2])
{
	for (size_t i = 0; files[i][0]; i++) {
		char text[256];

		snprintf(text, sizeof(text), "sm:\n  l1:\n    %s\n", files[i][1]);
		cr_assert(config_load_text(config, files[i][0], text, &list));
	}
	read_cache();
}

#define WAYS_CONTRADICT \
	"configs/+b.yaml:3:11: error: sm.l1.ways = 2, but +a.yaml:3:11 has sm.l1.ways = 8: overlays must " \
	"not contradict each other\n" \
	"    3 |     ways: 2\n" \
	"      |           ^ to decide between them, set the value in a later file without +, or with " \
	"--set\n"

Test(config, an_overlay_is_told_by_its_name)
{
	cr_expect(config_is_overlay("+pric"));
	cr_expect(config_is_overlay("some/where/+pric.yaml"));
	cr_expect_not(config_is_overlay("+some/where.yaml"));
	cr_expect_not(config_is_overlay("a+b.yaml"));
	cr_expect_not(config_is_overlay(""));
}

Test(config, overlays_override_what_is_none)
{
	load_all((const char *const[][2]){ { "a.yaml", "ways: 2" }, { "+a.yaml", "ways: 8" },
		{ "+b.yaml", "size: 99" }, { NULL, NULL } });
	cr_expect_eq(cache.ways, 8);
	cr_expect_eq(cache.size, 99);
	expect_errors("");
}

Test(config, overlays_that_contradict_each_other_are_both_named)
{
	load_all((const char *const[][2]){
		{ "+a.yaml", "ways: 8" }, { "configs/+b.yaml", "ways: 2" }, { NULL, NULL } });
	expect_errors(WAYS_CONTRADICT);
}

Test(config, a_contradiction_in_what_is_read_often_is_told_once)
{
	load_all((const char *const[][2]){
		{ "+a.yaml", "ways: 8" }, { "configs/+b.yaml", "ways: 2" }, { NULL, NULL } });
	read_cache();
	expect_errors(WAYS_CONTRADICT);
}

/* 16K and 16384, yes and true; and the first of three is compared with the third. */
Test(config, overlays_that_say_the_same_in_other_words_agree)
{
	load_all((const char *const[][2]){ { "+a.yaml", "{ size: 16K, sectored: yes }" },
		{ "+b.yaml", "{ size: 16384, sectored: true }" }, { "+a.yaml", "{ size: 0x4000 }" },
		{ NULL, NULL } });
	cr_expect_eq(cache.size, 16384);
	cr_expect(cache.sectored);
	expect_errors("");
}

Test(config, the_first_of_three_overlays_contradicts_the_third)
{
	load_all((const char *const[][2]){ { "+a.yaml", "ways: 8" }, { "+b.yaml", "ways: 0x8" },
		{ "+c.yaml", "ways: 9" }, { NULL, NULL } });
	expect_errors("+c.yaml:3:11: error: sm.l1.ways = 9, but +b.yaml:3:11 has sm.l1.ways = 0x8: overlays "
		      "must not contradict each other\n"
		      "    3 |     ways: 9\n"
		      "      |           ^ to decide between them, set the value in a later "
		      "file without +, or with --set\n");
}

Test(config, what_is_no_overlay_decides_between_two)
{
	load_all((const char *const[][2]){ { "+a.yaml", "ways: 8" }, { "+b.yaml", "ways: 2" },
		{ "a.yaml", "ways: 3" }, { NULL, NULL } });
	cr_expect_eq(cache.ways, 3);
	expect_errors("");
}

Test(config, a_set_decides_between_two_overlays)
{
	cr_assert(config_load_text(config, "+a.yaml", "sm: {l1: {ways: 8}}\n", &list));
	cr_assert(config_load_text(config, "+b.yaml", "sm: {l1: {ways: 2}}\n", &list));
	cr_assert(config_set(config, "sm.l1.ways=5", &list));
	read_cache();
	cr_expect_eq(cache.ways, 5);
	expect_errors("");
}

Test(config, what_lies_between_two_overlays_ends_the_memory_of_the_first)
{
	load_all((const char *const[][2]){ { "+a.yaml", "ways: 8" }, { "a.yaml", "ways: 3" },
		{ "+b.yaml", "ways: 2" }, { NULL, NULL } });
	cr_expect_eq(cache.ways, 2);
	expect_errors("");
}

Test(config_files, an_overlay_may_override_its_base)
{
	write_file("+a.yaml", "sm: {l1: {ways: 8, size: 99}}\n");
	write_file("+b.yaml", "base: +a.yaml\nsm: {l1: {ways: 2}}\n");
	cr_expect(config_load(config, "+b.yaml", &list));
	read_cache();
	cr_expect_eq(cache.ways, 2);
	cr_expect_eq(cache.size, 99);
	expect_errors("");
}

/* +b overrides what +a, its base, says; +c agrees with +b. */
Test(config_files, what_an_overlay_has_overridden_contradicts_nobody)
{
	write_file("+a.yaml", "sm: {l1: {ways: 8}}\n");
	write_file("+b.yaml", "base: +a.yaml\nsm: {l1: {ways: 2}}\n");
	write_file("+c.yaml", "sm: {l1: {ways: 2}}\n");
	cr_expect(config_load(config, "+c.yaml", &list));
	cr_expect(config_load(config, "+b.yaml", &list));
	read_cache();
	expect_errors("");
}

Test(config_files, the_base_of_an_overlay_contradicts_as_the_overlay_would)
{
	write_file("a.yaml", "sm: {l1: {ways: 8}}\n");
	write_file("+b.yaml", "base: a.yaml\nsm: {l1: {size: 99}}\n");
	write_file("+c.yaml", "sm: {l1: {ways: 2}}\n");
	cr_expect(config_load(config, "+b.yaml", &list));
	cr_expect(config_load(config, "+c.yaml", &list));
	read_cache();
	expect_errors("+c.yaml:1:17: error: sm.l1.ways = 2, but a.yaml:1:17 has sm.l1.ways = 8: overlays "
		      "must not contradict each other\n"
		      "    1 | sm: {l1: {ways: 2}}\n"
		      "      |                 ^ to decide between them, set the value in a later "
		      "file without +, or with --set\n");
}

/* a.yaml is a machine made of an overlay: that counts as if it had been named beside it. */
Test(config_files, an_overlay_as_base_of_what_is_none_contradicts_others)
{
	write_file("+b.yaml", "sm: {l1: {ways: 8}}\n");
	write_file("a.yaml", "base: +b.yaml\nsm: {l1: {size: 99}}\n");
	write_file("+c.yaml", "sm: {l1: {ways: 2}}\n");
	cr_expect(config_load(config, "a.yaml", &list));
	cr_expect(config_load(config, "+c.yaml", &list));
	read_cache();
	expect_errors("+c.yaml:1:17: error: sm.l1.ways = 2, but +b.yaml:1:17 has sm.l1.ways = 8: overlays "
		      "must not contradict each other\n"
		      "    1 | sm: {l1: {ways: 2}}\n"
		      "      |                 ^ to decide between them, set the value in a later "
		      "file without +, or with --set\n");
}

/* -- --set -- */

Test(config, a_later_set_overrides_an_earlier_one_and_the_file)
{
	cr_expect(load("sm: {l1: {ways: 2, size: 7}}"));
	cr_expect(config_set(config, "sm.l1.ways=3", &list));
	cr_expect(config_set(config, " sm.l1.ways = 5 ", &list));
	read_cache();
	cr_expect_eq(cache.ways, 5);
	cr_expect_eq(cache.size, 7);
}

Test(config, a_set_value_may_hold_equals_signs_and_be_empty)
{
	config_set(config, "sm.l1.label=a=b", &list);
	read_cache();
	cr_expect_str_eq(cache.label, "a=b");
	config_set(config, "sm.l1.trace=", &list);
	read_cache();
	cr_expect_null(cache.trace);
	expect_errors("");
}

Test(config, a_set_that_is_no_assignment_is_refused)
{
	static const char *const bad[] = { "sm.l1.ways", "", "=4", "sm..ways=4", ".ways=4", "sm.=4",
		"base=b.yaml" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(config_set(config, bad[i], &list));
	expect_errors("--set sm.l1.ways: error: no '=': expected path.to.key=value\n"
		      "--set : error: no '=': expected path.to.key=value\n"
		      "--set =4: error: no path before '=': expected path.to.key=value\n"
		      "--set sm..ways=4: error: a name is missing beside a dot: expected path.to.key=value\n"
		      "--set .ways=4: error: a name is missing beside a dot: expected path.to.key=value\n"
		      "--set sm.=4: error: a name is missing beside a dot: expected path.to.key=value\n"
		      "--set base=b.yaml: error: base belongs in a file: expected path.to.key=value\n");
}

Test(config, a_set_that_puts_a_value_on_a_section_is_refused_when_read)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect(config_set(config, "sm.l1=4", &list));
	read_cache();
	expect_errors("--set sm.l1=4: error: sm.l1 = 4: expected a section of keys\n");
}

/* -- places -- */

Test(config, a_component_can_point_at_a_value)
{
	struct diag_location location;

	cr_expect(load("sm:\n  l1:\n    ways: 2\n"));
	location = config_location(config, "sm.l1", "ways");
	diag_error(&list, &location, "too few");
	expect_errors("a.yaml:3:11: error: too few\n"
		      "    3 |     ways: 2\n"
		      "      |           ^\n");
}

Test(config, a_value_that_was_not_configured_has_no_place)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect_null(config_location(config, "sm.l1", "size").file);
	cr_expect_null(config_location(config, "sm.l2", "ways").file);
	cr_expect_null(config_location(config, "sm.l1.ways", "x").file);
}

/* -- printing -- */

typedef void print(const struct config *config, FILE *stream);

static char *printed(print *how)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	how(config, stream);
	fclose(stream);
	return text;
}

Test(config, the_resolved_form_shows_each_value_and_its_origin)
{
	char *text;

	cr_expect(load("sm:\n  l1:\n    ways: 0x8\n"));
	cr_expect(config_set(config, "sm.l1.size=32K", &list));
	read_cache();
	config_read(config, "sm.l1.mrpb", mrpb_params, NULL, &list);
	text = printed(config_print_resolved);
	cr_expect_str_eq(text,
		"sm:\n"
		"  l1:\n"
		"    ways: 8                              # a.yaml:3\n"
		"    size: 32768                          # --set sm.l1.size=32K\n"
		"    volts: 1.05                          # default\n"
		"    sectored: false                      # default\n"
		"    policy: gto                          # default\n"
		"    trace: ~                             # default\n"
		"    label: \"plain\"                       # default\n"
		"    mrpb:\n"
		"      entries: 8                         # default\n",
		"got:\n%s", text);
	free(text);
}

Test(config, the_manual_tells_key_default_range_unit_and_help)
{
	char *text;

	config_read(config, "sm.l1.mrpb", mrpb_params, NULL, &list);
	read_cache();
	text = printed(config_print_doc);
	cr_expect_str_eq(text,
		"sm.l1\n"
		"  key       default  range                      unit   help\n"
		"  ways      4        1 to 64                    lines  associativity\n"
		"  size      16384    0 to 18446744073709551615  bytes  capacity\n"
		"  volts     1.05     0.5 to 2                   V      supply\n"
		"  sectored  false    true or false              -      whether lines have sectors\n"
		"  policy    gto      lrr, gto, two_level        -      who goes first\n"
		"  trace     none     a text                     -      where to write a trace\n"
		"  label     \"plain\"  a text                     -      name in reports\n"
		"\n"
		"sm.l1.mrpb\n"
		"  key      default  range      unit      help\n"
		"  entries  8        1 to 4096  requests  capacity of one queue\n",
		"got:\n%s", text);
	free(text);
}

Test(config, what_two_tables_of_a_section_share_is_printed_once)
{
	static const struct sim_param again[] = { SIM_U32(struct mrpb, entries, 9, 1, 9, "", "same"),
		SIM_END };
	char *text;

	config_read(config, "q", mrpb_params, NULL, &list);
	config_read(config, "q", again, NULL, &list);
	text = printed(config_print_resolved);
	cr_expect_str_eq(text, "q:\n  entries: 8                             # default\n", "got:\n%s", text);
	free(text);
}

/* Prints, loads what was printed into a new configuration, and reads that. */
static struct cache through_print(void)
{
	struct cache again;
	char *text = printed(config_print_resolved);

	config_free(config);
	config = config_new();
	cr_expect(config_load_text(config, "resolved", text, &list), "%s", text);
	config_read(config, "sm.l1", cache_params, &again, &list);
	config_check_unknown(config, &list);
	expect_errors("");
	free(text);
	return again;
}

Test(config, a_resolved_configuration_reads_back_the_same)
{
	struct cache again;

	cr_expect(load(
		"sm: {l1: {ways: 64, size: 0xffffffffffffffff, volts: 1.1000000000000003, sectored: on,\n"
		"  policy: lrr, trace: \"\", label: \"q\\\"\\\\ \\t\\n\\x85\\u20ac\\U0001f600 # ~\"}}\n"));
	read_cache();
	again = through_print();
	cr_expect_eq(again.ways, 64);
	cr_expect_eq(again.size, UINT64_MAX);
	cr_expect_eq(again.volts, 1.1000000000000003);
	cr_expect(again.sectored);
	cr_expect_eq(again.policy, LRR);
	cr_expect_str_eq(again.trace, "");
	cr_expect_str_eq(again.label, "q\"\\ \t\n\xc2\x85\xe2\x82\xac\xf0\x9f\x98\x80 # ~");
}

Test(config, resolved_defaults_read_back_as_the_defaults)
{
	struct cache again;

	read_cache();
	again = through_print();
	cr_expect_eq(again.volts, 1.05);
	cr_expect_null(again.trace);
	cr_expect_str_eq(again.label, "plain");
}

Test(config, a_strange_file_name_does_not_spoil_the_resolved_form)
{
	cr_expect(config_load_text(config, "a\n\x01\xff\xc3\xa9.yaml", "sm: {l1: {ways: 3}}", &list));
	read_cache();
	cr_expect_eq(through_print().ways, 3);
}

/* -- properties -- */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void mutate(char *text, size_t *size, size_t capacity, uint64_t *state)
{
	static const char likely[] = "{}[]:,#&*!|>'\"%@`-? \n\t\\~0aZ.\x80\xc3\xff\x01";
	size_t at = next_random(state) % (*size + 1);
	char byte = likely[next_random(state) % (sizeof(likely) - 1)];

	switch (next_random(state) % 3) {
	case 0:
		if (at < *size)
			text[at] = byte;
		break;
	case 1:
		if (*size + 1 < capacity) {
			memmove(text + at + 1, text + at, *size - at);
			text[at] = byte;
			++*size;
		}
		break;
	default:
		if (at < *size) {
			memmove(text + at, text + at + 1, *size - at - 1);
			--*size;
		}
	}
	text[*size] = 0;
}

Test(config_property, a_mutated_text_loads_or_is_diagnosed)
{
	static const char valid[] =
		"# chip\nsm:\n  l1:\n    ways: 8\n    size: 32K # bytes\n    volts: 1.1\n"
		"    sectored: yes\n    policy: lrr\n    label: \"a \\u20ac\"\n  count: 15\n";
	uint64_t state = 20240229;
	unsigned loaded = 0;

	for (int round = 0; round < 4000; round++) {
		char text[512], *resolved;
		size_t size = sizeof(valid) - 1;
		bool good;

		start();
		memcpy(text, valid, sizeof(valid));
		for (uint64_t n = 1 + next_random(&state) % 6; n; n--)
			mutate(text, &size, sizeof(text), &state);
		good = load(text);
		loaded += good;
		cr_assert(good ? !list.errors : list.errors > 0, "%s", text);
		read_cache();
		config_check_unknown(config, &list);
		cr_assert(cache.ways >= 1 && cache.ways <= 64 && cache.volts >= 0.5 && cache.volts <= 2);
		resolved = printed(config_print_resolved);
		diag_fini(&list);
		cr_assert(config_load_text(config, "resolved", resolved, &list), "%s", resolved);
		free(resolved);
		stop();
	}
	cr_expect_gt(loaded, 400, "%u of 4000 loaded", loaded);
	cr_expect_lt(loaded, 3600, "%u of 4000 loaded", loaded);
}
