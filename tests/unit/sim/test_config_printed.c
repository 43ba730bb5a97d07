/* tests/unit/sim/test_config_printed.c -- --set, places of values, printing a configuration, damaged texts.
 */
#include "tests/unit/sim/config_rig.h"

TestSuite(config_printed, .init = start, .fini = stop);

/* -- --set -- */

Test(config_printed, a_later_set_overrides_an_earlier_one_and_the_file)
{
	cr_expect(load("sm: {l1: {ways: 2, size: 7}}"));
	cr_expect(config_set(config, "sm.l1.ways=3", &list));
	cr_expect(config_set(config, " sm.l1.ways = 5 ", &list));
	read_cache();
	cr_expect_eq(cache.ways, 5);
	cr_expect_eq(cache.size, 7);
}

Test(config_printed, a_set_value_may_hold_equals_signs_and_be_empty)
{
	config_set(config, "sm.l1.label=a=b", &list);
	read_cache();
	cr_expect_str_eq(cache.label, "a=b");
	config_set(config, "sm.l1.trace=", &list);
	read_cache();
	cr_expect_null(cache.trace);
	expect_errors("");
}

Test(config_printed, a_set_that_is_no_assignment_is_refused)
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

Test(config_printed, a_set_that_puts_a_value_on_a_section_is_refused_when_read)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect(config_set(config, "sm.l1=4", &list));
	read_cache();
	expect_errors("--set sm.l1=4: error: sm.l1 = 4: expected a section of keys\n");
}

/* -- places -- */

Test(config_printed, a_component_can_point_at_a_value)
{
	struct diag_location location;

	cr_expect(load("sm:\n  l1:\n    ways: 2\n"));
	location = config_location(config, "sm.l1", "ways");
	diag_error(&list, &location, "too few");
	expect_errors("a.yaml:3:11: error: too few\n"
		      "    3 |     ways: 2\n"
		      "      |           ^\n");
}

Test(config_printed, a_value_that_was_not_configured_has_no_place)
{
	cr_expect(load("sm: {l1: {ways: 2}}"));
	cr_expect_null(config_location(config, "sm.l1", "size").file);
	cr_expect_null(config_location(config, "sm.l2", "ways").file);
	cr_expect_null(config_location(config, "sm.l1.ways", "x").file);
}

/* -- printing -- */

static char *printed(print *how)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	how(config, stream);
	fclose(stream);
	return text;
}

Test(config_printed, the_resolved_form_shows_each_value_and_its_origin)
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

Test(config_printed, the_manual_tells_key_default_range_unit_and_help)
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

Test(config_printed, what_two_tables_of_a_section_share_is_printed_once)
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

Test(config_printed, a_resolved_configuration_reads_back_the_same)
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

Test(config_printed, resolved_defaults_read_back_as_the_defaults)
{
	struct cache again;

	read_cache();
	again = through_print();
	cr_expect_eq(again.volts, 1.05);
	cr_expect_null(again.trace);
	cr_expect_str_eq(again.label, "plain");
}

Test(config_printed, a_strange_file_name_does_not_spoil_the_resolved_form)
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
