/* tests/unit/sim/test_config_yaml.c -- what is no configuration: broken YAML, odd bytes, duplicate keys, deep
 * nesting. */
#include "tests/unit/sim/config_rig.h"

TestSuite(config_yaml, .init = start, .fini = stop);

/* The text must be refused with exactly these messages. */
static void expect_refused(const char *text, const char *expected)
{
	cr_expect_not(load(text));
	expect_errors(expected);
}

/* -- what is no configuration -- */

Test(config_yaml, broken_yaml_is_shown_where_it_breaks)
{
	expect_refused("sm:\n  l1: 4\n bad: 5\n",
		"a.yaml:3:2: error: not valid YAML: did not find expected key while parsing a block mapping\n"
		"    3 |  bad: 5\n"
		"      |  ^\n");
}

Test(config_yaml, bytes_that_are_no_text_are_shown_where_they_are)
{
	expect_refused("a: 1\nb: \xff\n",
		"a.yaml:2:4: error: not valid YAML: invalid leading UTF-8 octet\n"
		"    2 | b: \xff\n"
		"      |    ^\n");
}

Test(config_yaml, a_duplicate_key_names_the_first)
{
	expect_refused("sm:\n  ways: 1\n  ways: 2\n",
		"a.yaml:3:3: error: key sm.ways is set twice\n"
		"    3 |   ways: 2\n"
		"      |   ^ first on line 2\n");
}

Test(config_yaml, lists_anchors_aliases_and_tags_are_refused_in_one_run)
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

Test(config_yaml, a_file_that_is_a_list_or_a_word_is_refused)
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

Test(config_yaml, a_second_document_is_refused)
{
	expect_refused("a: 1\n---\nb: 2\n",
		"a.yaml:2:1: error: a second document: one file holds one configuration\n"
		"    2 | ---\n"
		"      | ^\n");
}

Test(config_yaml, keys_that_are_no_names_are_refused)
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

Test(config_yaml, a_text_with_a_nul_character_is_refused)
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

Test(config_yaml, sixty_four_levels_are_accepted_and_one_more_is_not)
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

Test(config_yaml, a_refused_text_changes_nothing)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect_not(load("sm: {l1: {ways: 3, size: []}}"));
	read_cache();
	cr_expect_eq(cache.ways, 2);
}
