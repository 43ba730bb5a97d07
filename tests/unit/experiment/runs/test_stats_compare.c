/* Two runs' statistics side by side: what is equal, how far the others moved, their order; kernels by name;
 * configurations. */
#include "experiment/runs/config_values.h"
#include "experiment/runs/stats_compare.h"
#include "tests/unit/experiment/runs/stats_text.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>
#include <math.h>
#include <unistd.h>

#define BEGIN "---------- Begin Simulation Statistics ----------  # "
#define END   "---------- End Simulation Statistics   ----------\n"

static struct diag_list diags;

static struct stats_file *parse(const char *text)
{
	struct stats_file *f;

	diag_init(&diags);
	f = read_stats_text(text, strlen(text), &diags);
	cr_assert(f, "%s", diags.count ? diags.items[0].message : "");
	return f;
}

static struct stats_file *total(const char *lines)
{
	char text[4096];

	snprintf(text, sizeof text, BEGIN "total of 1 kernel\n%s" END, lines);
	return parse(text);
}

static struct stats_moves compare(
	const struct stats_file *a, const struct stats_file *b, const struct stats_filter *filter)
{
	struct stats_moves moves = { 0 };

	cr_assert(stats_compare(&moves, a, stats_file_total(a), b, stats_file_total(b), filter, &diags));
	return moves;
}

static const struct stats_move *move(const struct stats_moves *moves, const char *name)
{
	for (size_t i = 0; i < moves->count; i++)
		if (!strcmp((moves->items[i].a ? moves->items[i].a : moves->items[i].b)->name, name))
			return &moves->items[i];
	cr_assert_fail("%s is not among them", name);
	return NULL;
}

static void check(
	const struct stats_moves *moves, const char *name, bool is_equal, const char *change, double percent)
{
	const struct stats_move *m = move(moves, name);
	char text[64];

	stats_format_change(m, text, sizeof text);
	cr_expect_eq(m->is_equal, is_equal, "%s", name);
	cr_expect_str_eq(text, change, "%s: %s", name, text);
	cr_expect(isnan(percent) ? isnan(m->percent) : m->percent == percent, "%s: %g %%", name, m->percent);
}

Test(stats_compare, how_far_statistics_moved)
{
	struct stats_file *a = total("same 5 # x\nup 100 # x\ndown 8 # x\nreal 0.500000 # x\nfrom_zero 0 # "
				     "x\nboth_nan nan # x\nfrom_nan nan # x\n"
				     "to_nan 1.000000 # x\nlarge 9007199254740993 # x\nhuge "
				     "18446744073709551615 # x\nnegative -2.000000 # x\nalone_a 1 # x\n");
	struct stats_file *b = total("same 5 # x\nup 150 # x\ndown 6 # x\nreal 0.250000 # x\nfrom_zero 3 # "
				     "x\nboth_nan nan # x\nfrom_nan 2.000000 # x\n"
				     "to_nan nan # x\nlarge 9007199254740992 # x\nhuge 0 # x\nnegative "
				     "-1.000000 # x\nalone_b 2 # x\n");
	struct stats_moves m = compare(a, b, &(struct stats_filter){ 0 });

	cr_assert_eq(m.count, 13);
	check(&m, "same", true, "+0", 0);
	check(&m, "up", false, "+50", 50);
	check(&m, "down", false, "-2", -25);
	check(&m, "real", false, "-0.250000", -50);
	check(&m, "from_zero", false, "+3", INFINITY);
	check(&m, "both_nan", true, "", NAN);
	check(&m, "from_nan", false, "", NAN);
	check(&m, "to_nan", false, "", NAN);
	check(&m, "large", false, "-1", -100 / 9007199254740993.0); /* the same as doubles */
	check(&m, "huge", false, "-18446744073709551615", -100);
	check(&m, "negative", false, "+1.000000", 50);
	cr_expect(move(&m, "alone_a")->a && !move(&m, "alone_a")->b && !move(&m, "alone_b")->a &&
		move(&m, "alone_b")->b);
	cr_expect(!move(&m, "alone_a")->is_equal && !move(&m, "alone_b")->is_equal);
	stats_moves_fini(&m);
	stats_file_free(a);
	stats_file_free(b);
	diag_fini(&diags);
}

static void check_order(struct stats_moves *m, enum stats_order order, const char *expected)
{
	char names[256] = "";

	stats_moves_sort(m, order);
	for (size_t i = 0; i < m->count; i++)
		sprintf(names + strlen(names), "%s ", (m->items[i].a ? m->items[i].a : m->items[i].b)->name);
	cr_expect_str_eq(names, expected, "order %d: %s", (int)order, names);
}

Test(stats_compare, moves_are_sorted_by_change_percent_name_or_file)
{
	struct stats_file *a = total("d 100 # x\nc 10 # x\nb 0 # x\na 5 # x\ne nan # x\n");
	struct stats_file *b = total("d 50 # x\nc 19 # x\nb 1 # x\na 5 # x\ne 1.000000 # x\nf 9 # x\n");
	struct stats_moves m = compare(a, b, &(struct stats_filter){ 0 });

	check_order(&m, BY_PERCENT, "e b c d a f ");
	check_order(&m, BY_CHANGE, "e d c b a f ");
	check_order(&m, BY_NAME, "a b c d e f ");
	check_order(&m, BY_FILE, "d c b a e f ");
	stats_moves_fini(&m);
	stats_file_free(a);
	stats_file_free(b);
	diag_fini(&diags);
}

static bool takes(const char *pattern, bool with_instances, const char *name)
{
	const struct stats_filter filter = { &pattern, pattern ? 1 : 0, with_instances };

	return stats_filter_takes(&filter, name);
}

Test(stats_compare, patterns_choose_statistics_by_name)
{
	cr_expect(takes(NULL, false, "sm.cycles") && !takes(NULL, false, "sm[3].cycles") &&
		takes(NULL, true, "sm[3].cycles"));
	cr_expect(takes("sm.*", false, "sm.cycles") && !takes("sm.*", false, "l2.cycles") &&
		!takes("sm*", false, "sm[3].cycles"));
	cr_expect(takes("sm[*].cycles", false, "sm[3].cycles") && takes("sm*", true, "sm[3].cycles"));
	cr_expect(takes("sm.issue_slots", false, "sm.issue_slots::issued") &&
		takes("sm.issue_slots::i*", false, "sm.issue_slots::issued"));
	cr_expect(!takes("sm.slot", false, "sm.issue_slots::issued") &&
		!takes("sm.issue_slots::", false, "sm.issue_slots::issued"));
	cr_expect(takes("gpu.ip?", false, "gpu.ipc"));
}

Test(stats_compare, kernels_are_matched_by_name_and_order)
{
	struct stats_file *a = parse(BEGIN "kernel 1 k grid 1,1,1 block 1,1,1\n" END BEGIN
					   "kernel 2 x grid 1,1,1 block 1,1,1\n" END BEGIN
					   "kernel 3 k grid 1,1,1 block 1,1,1\n" END BEGIN
					   "kernel 4 k grid 1,1,1 block 1,1,1\n" END BEGIN
					   "streams\n" END BEGIN "total of 4 kernels\n" END);
	struct stats_file *b =
		parse(BEGIN "kernel 1 y grid 1,1,1 block 1,1,1\n" END BEGIN
			    "kernel 2 k grid 1,1,1 block 1,1,1\n" END BEGIN
			    "kernel 3 k grid 2,1,1 block 1,1,1\n" END BEGIN "total of 3 kernels\n" END);
	size_t *partner = stats_match_kernels(a, b, STATS_KERNEL);
	const size_t expected[] = { 1, STATS_NO_PARTNER, 2, STATS_NO_PARTNER, STATS_NO_PARTNER,
		STATS_NO_PARTNER };

	for (size_t i = 0; i < a->section_count; i++)
		cr_expect_eq(partner[i], expected[i], "section %zu", i);
	free(partner);
	stats_file_free(a);
	stats_file_free(b);
	diag_fini(&diags);
}

/* ---- configurations ---- */

static bool read_config(struct config_values *values, const char *text)
{
	char path[] = "/tmp/lockstep-config-XXXXXX";
	int file = mkstemp(path);
	bool fine;

	cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	diag_init(&diags);
	fine = config_values_read(values, path, &diags);
	unlink(path);
	return fine;
}

Test(config_values, dotted_keys)
{
	struct config_values v;

	cr_assert(read_config(&v,
		"# a comment\ngpu:\n  name: \"a: b\"  # x\n  deep:\n    er: 3\n  sms: 15\nsm:\n  l1d:\n    "
		"ways: 4\ntop: ~\n"));
	cr_assert_eq(v.count, 5);
	cr_expect_str_eq(config_values_find(&v, "gpu.name"), "a: b");
	cr_expect_str_eq(config_values_find(&v, "gpu.deep.er"), "3");
	cr_expect_str_eq(config_values_find(&v, "gpu.sms"), "15");
	cr_expect_str_eq(config_values_find(&v, "sm.l1d.ways"), "4");
	cr_expect_str_eq(config_values_find(&v, "top"), "~");
	cr_expect_null(config_values_find(&v, "sm.l1d"));
	config_values_fini(&v);
	diag_fini(&diags);
}

static void refuse(const char *text, uint32_t line)
{
	struct config_values v;

	cr_expect(!read_config(&v, text), "accepted: %s", text);
	cr_assert_eq(diags.count, 1);
	cr_expect_eq(diags.items[0].line, line, "line %u for: %s", diags.items[0].line, text);
	config_values_fini(&v);
	diag_fini(&diags);
}

Test(config_values, what_is_no_configuration_is_refused)
{
	refuse("gpu:\n  sms: [1, 2]\n", 2);
	refuse("word\n", 1);
	refuse("- a\n", 1);
	refuse("gpu: {\n", 2);
	refuse("gpu: &a 3\nsm: *a\n", 2);
	refuse("{a: 1}: b\n", 1);
	refuse("a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: {o: {p: {q: 1}}}}}}}}}}}}}}}}\n", 1);
}

Test(config_values, an_empty_file_has_none)
{
	struct config_values v;

	cr_expect(read_config(&v, ""));
	cr_expect_eq(v.count, 0);
	config_values_fini(&v);
	diag_fini(&diags);
}
