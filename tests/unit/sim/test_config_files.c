/* tests/unit/sim/test_config_files.c -- configurations from files: bases and overlays. */
#include "tests/unit/sim/config_rig.h"

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

TestSuite(config_files, .init = start_in_folder, .fini = stop_in_folder);
TestSuite(config_overlays, .init = start, .fini = stop);

static void write_file(const char *name, const char *text)
{
	FILE *stream = fopen(name, "w");

	cr_assert(stream);
	fputs(text, stream);
	fclose(stream);
}

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

Test(config_overlays, an_overlay_is_told_by_its_name)
{
	cr_expect(config_is_overlay("+pric"));
	cr_expect(config_is_overlay("some/where/+pric.yaml"));
	cr_expect_not(config_is_overlay("+some/where.yaml"));
	cr_expect_not(config_is_overlay("a+b.yaml"));
	cr_expect_not(config_is_overlay(""));
}

Test(config_overlays, overlays_override_what_is_none)
{
	load_all((const char *const[][2]){ { "a.yaml", "ways: 2" }, { "+a.yaml", "ways: 8" },
		{ "+b.yaml", "size: 99" }, { NULL, NULL } });
	cr_expect_eq(cache.ways, 8);
	cr_expect_eq(cache.size, 99);
	expect_errors("");
}

Test(config_overlays, overlays_that_contradict_each_other_are_both_named)
{
	load_all((const char *const[][2]){
		{ "+a.yaml", "ways: 8" }, { "configs/+b.yaml", "ways: 2" }, { NULL, NULL } });
	expect_errors(WAYS_CONTRADICT);
}

Test(config_overlays, a_contradiction_in_what_is_read_often_is_told_once)
{
	load_all((const char *const[][2]){
		{ "+a.yaml", "ways: 8" }, { "configs/+b.yaml", "ways: 2" }, { NULL, NULL } });
	read_cache();
	expect_errors(WAYS_CONTRADICT);
}

/* 16K and 16384, yes and true; and the first of three is compared with the third. */
Test(config_overlays, overlays_that_say_the_same_in_other_words_agree)
{
	load_all((const char *const[][2]){ { "+a.yaml", "{ size: 16K, sectored: yes }" },
		{ "+b.yaml", "{ size: 16384, sectored: true }" }, { "+a.yaml", "{ size: 0x4000 }" },
		{ NULL, NULL } });
	cr_expect_eq(cache.size, 16384);
	cr_expect(cache.sectored);
	expect_errors("");
}

Test(config_overlays, the_first_of_three_overlays_contradicts_the_third)
{
	load_all((const char *const[][2]){ { "+a.yaml", "ways: 8" }, { "+b.yaml", "ways: 0x8" },
		{ "+c.yaml", "ways: 9" }, { NULL, NULL } });
	expect_errors("+c.yaml:3:11: error: sm.l1.ways = 9, but +b.yaml:3:11 has sm.l1.ways = 0x8: overlays "
		      "must not contradict each other\n"
		      "    3 |     ways: 9\n"
		      "      |           ^ to decide between them, set the value in a later "
		      "file without +, or with --set\n");
}

Test(config_overlays, what_is_no_overlay_decides_between_two)
{
	load_all((const char *const[][2]){ { "+a.yaml", "ways: 8" }, { "+b.yaml", "ways: 2" },
		{ "a.yaml", "ways: 3" }, { NULL, NULL } });
	cr_expect_eq(cache.ways, 3);
	expect_errors("");
}

Test(config_overlays, a_set_decides_between_two_overlays)
{
	cr_assert(config_load_text(config, "+a.yaml", "sm: {l1: {ways: 8}}\n", &list));
	cr_assert(config_load_text(config, "+b.yaml", "sm: {l1: {ways: 2}}\n", &list));
	cr_assert(config_set(config, "sm.l1.ways=5", &list));
	read_cache();
	cr_expect_eq(cache.ways, 5);
	expect_errors("");
}

Test(config_overlays, what_lies_between_two_overlays_ends_the_memory_of_the_first)
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
