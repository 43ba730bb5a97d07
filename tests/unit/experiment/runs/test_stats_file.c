/* Reading stats.txt back: sections, values, units, provenance, and what is refused with its line. */
#include "tests/unit/experiment/runs/stats_text.h"
#include "sim/stats/stat.h"
#include "sim/base/xalloc.h"
#include "tests/unit/hang_guard.h"
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>

#define BEGIN "---------- Begin Simulation Statistics ----------  # "
#define END   "---------- End Simulation Statistics   ----------\n"
#define LINE  "gpu.cycles 7 # cycles (cycles)\n"

static struct stats_file *parse(const char *text, struct diag_list *diags)
{
	diag_init(diags);
	return read_stats_text(text, strlen(text), diags);
}

static struct stats_file *parse_well(const char *text)
{
	struct diag_list diags;
	struct stats_file *f = parse(text, &diags);

	cr_assert(f, "%s", diags.count ? diags.items[0].message : "");
	cr_assert_eq(diags.count, 0);
	diag_fini(&diags);
	return f;
}

/* Refused once, at that line, with that text in the message. */
static void refuse(const char *text, uint32_t line, const char *message)
{
	struct diag_list diags;
	struct stats_file *f = parse(text, &diags);

	cr_expect(!f, "accepted: %s", text);
	cr_assert_eq(diags.count, 1, "%zu messages for: %s", diags.count, text);
	cr_expect_eq(diags.items[0].line, line, "line %u, not %u, for: %s", diags.items[0].line, line, text);
	cr_expect(strstr(diags.items[0].message, message), "\"%s\" for: %s", diags.items[0].message, text);
	cr_expect(strstr(diags.items[0].file, "/lockstep-stats-"), "%s", diags.items[0].file);
	stats_file_free(f);
	diag_fini(&diags);
}

static const struct stats_value *find(const struct stats_file *f, struct stats_section *s, const char *name)
{
	struct diag_list diags;

	diag_init(&diags);
	cr_assert(stats_section_index(f, s, &diags));
	diag_fini(&diags);
	return stats_section_find(s, name);
}

Test(stats_file, sections_and_their_marks)
{
	struct stats_file *f = parse_well(
		BEGIN "kernel 1 gemm grid 32,16,1 block 16,8,2\n" LINE END "\n" BEGIN
		      "kernel 12 _Z1kPf grid 1,1,1 block 32,1,1 functional timing-limit interrupted\n" END
		      "\n" BEGIN "kernel 13 k grid 1,1,1 block 32,1,1 warm-up repeated fault\n" END "\n" BEGIN
		      "by kernel name\nkernels.cycles::_Z1kPf 2 # of it (cycles)\n" END "\n" BEGIN
		      "streams\nstream.kernels 2 # launches (kernels)\n" END "\n" BEGIN
		      "total of 3 kernels interrupted\n" LINE END);
	const struct stats_section *s = f->sections;

	cr_assert_eq(f->section_count, 6);
	cr_expect_eq(s[0].kind, STATS_KERNEL);
	cr_expect_str_eq(s[0].name, "gemm");
	cr_expect(s[0].id == 1 && s[0].grid[0] == 32 && s[0].grid[1] == 16 && s[0].grid[2] == 1);
	cr_expect(s[0].block[0] == 16 && s[0].block[1] == 8 && s[0].block[2] == 2);
	cr_expect(!s[0].is_functional && !s[0].is_timing_limited && !s[0].is_warmup && !s[0].is_fault &&
		!s[0].is_interrupted);
	cr_expect_eq(s[0].count, 1);
	cr_expect(s[1].id == 12 && s[1].is_functional && s[1].is_timing_limited && s[1].is_interrupted &&
		!s[1].is_warmup && !s[1].count);
	cr_expect(s[2].is_warmup && s[2].is_repeated && s[2].is_fault && !s[2].is_timing_limited);
	cr_expect_eq(s[3].kind, STATS_KERNELS);
	cr_expect_str_eq(s[3].values[0].name, "kernels.cycles::_Z1kPf");
	cr_expect_eq(s[4].kind, STATS_STREAMS);
	cr_expect_str_eq(s[4].values[0].name, "stream.kernels");
	cr_expect(s[5].kind == STATS_TOTAL && s[5].kernels == 3 && s[5].is_interrupted);
	cr_expect_eq(s[5].line, 19);
	cr_expect_eq(stats_file_total(f), &f->sections[5]);
	cr_expect_eq(stats_file_streams(f), &f->sections[4]);
	cr_expect_eq(stats_file_kernels(f), &f->sections[3]);
	stats_file_free(f);
}

Test(stats_file, estimates_have_intervals)
{
	struct stats_file *f = parse_well(
		BEGIN "estimates of all 2 kernels sampled\n"
		      "a.counted            7 # was counted (cycles)\n"
		      "a.estimated          70 # was not, in [brackets] (cycles) [95 %: 60 to 80.5]\n"
		      "a.plain              0.5 # no unit [95 %: -1e-05 to 2]\n"
		      "a.unknown            9 # x (y) [uncertain]\n"
		      "a.other              1 # no interval [95 %: of it]\n" END BEGIN
		      "total of 2 kernels\na.counted 7 # was counted (cycles)\n" END);
	struct stats_section *s = stats_file_results(f);
	const struct stats_value *v;

	cr_assert_eq(s, &f->sections[0]);
	cr_expect(s->kind == STATS_ESTIMATES && s->kernels == 2);
	cr_expect_eq(stats_file_total(f), &f->sections[1]);
	v = find(f, s, "a.counted");
	cr_expect(!v->is_estimated && v->low == 7 && v->high == 7);
	v = find(f, s, "a.estimated");
	cr_expect(v->is_estimated && v->whole == 70 && v->low == 60 && v->high == 80.5);
	cr_expect_str_eq(v->help, "was not, in [brackets]");
	cr_expect_str_eq(v->unit, "cycles");
	v = find(f, s, "a.plain");
	cr_expect(v->is_estimated && v->low == -1e-5 && v->high == 2 && !*v->unit);
	cr_expect_str_eq(v->help, "no unit");
	v = find(f, s, "a.unknown");
	cr_expect(v->is_estimated && isnan(v->low) && isnan(v->high));
	cr_expect_str_eq(v->unit, "y");
	v = find(f, s, "a.other");
	cr_expect(!v->is_estimated);
	cr_expect_str_eq(v->help, "no interval [95 %: of it]");
	stats_file_free(f);
}

Test(stats_file, without_a_total_estimates_are_no_results)
{
	struct stats_file *f = parse_well(BEGIN "estimates of all 1 kernels sampled\na.b 1 # c\n" END);

	cr_expect_null(stats_file_results(f));
	stats_file_free(f);
}

Test(stats_file, a_section_of_all_launches_of_a_kernel)
{
	struct stats_file *f = parse_well(BEGIN "launches of _Z1kPf\n" LINE END BEGIN "launches of l\n" END);

	cr_assert_eq(f->section_count, 2);
	cr_expect_eq(f->sections[0].kind, STATS_LAUNCHES);
	cr_expect_str_eq(f->sections[0].name, "_Z1kPf");
	cr_expect_eq(f->sections[0].count, 1);
	cr_expect_str_eq(f->sections[1].name, "l");
	stats_file_free(f);
}

Test(stats_file, values_texts_units_and_help)
{
	struct stats_file *f = parse_well(BEGIN
		"total of 1 kernel\n"
		"a.whole              18446744073709551615 # the largest (cycles)\n"
		"a.real                           0.250000 # a ratio (of two), in parts (ratio)\n"
		"a.none                                nan # nothing was counted (instructions/cycle)\n"
		"a.plain                                 3 # number of its stream; 0: the default # stream\n"
		"a.less                          -2.500000 # below nothing (a (b) c)\n"
		"sm[3].issue_slots::issued                    12 # issue slots (slots)\n" END);
	struct stats_section *s = stats_file_total(f);
	const struct stats_value *v = s->values;

	cr_assert_eq(s->count, 6);
	cr_expect(v[0].is_whole && v[0].whole == UINT64_MAX);
	cr_expect_str_eq(v[0].text, "18446744073709551615");
	cr_expect_str_eq(v[0].unit, "cycles");
	cr_expect_str_eq(v[0].help, "the largest");
	cr_expect(!v[1].is_whole && v[1].value == 0.25);
	cr_expect_str_eq(v[1].unit, "ratio");
	cr_expect_str_eq(v[1].help, "a ratio (of two), in parts");
	cr_expect(!v[2].is_whole && isnan(v[2].value));
	cr_expect_str_eq(v[2].unit, "instructions/cycle");
	cr_expect_str_eq(v[3].unit, "");
	cr_expect_str_eq(v[3].help, "number of its stream; 0: the default # stream");
	cr_expect_eq(v[4].value, -2.5);
	cr_expect(stats_is_instance(v[5].name) && !stats_is_instance(v[0].name) &&
		!stats_is_instance("l2.bank0.x"));
	cr_expect_eq(find(f, s, "a.real"), &v[1]);
	cr_expect_eq(find(f, s, "sm[3].issue_slots::issued"), &v[5]);
	cr_expect_null(find(f, s, "a.rea"));
	stats_file_free(f);
}

Test(stats_file, provenance_is_read_from_the_first_lines)
{
	struct stats_file *f = parse_well("# lockstep 0.1.0, build 0123456789abcdef, seed 42\n"
					  "# command: lockstep run -- ./a, b seed 3\n# something else\n" BEGIN
					  "total of 0 kernels\n" END);

	cr_expect_str_eq(f->version, "0.1.0");
	cr_expect_str_eq(f->build, "0123456789abcdef");
	cr_expect_str_eq(f->seed, "42");
	cr_expect_str_eq(f->command, "lockstep run -- ./a, b seed 3");
	stats_file_free(f);
	f = parse_well(BEGIN "total of 0 kernels\n" END);
	cr_expect(!f->version && !f->build && !f->seed && !f->command);
	stats_file_free(f);
}

Test(stats_file, a_run_that_was_killed_has_no_total)
{
	struct stats_file *f = parse_well("# lockstep 0.1.0, build 0123456789abcdef, seed 1\n");

	cr_expect_null(stats_file_total(f));
	cr_expect_null(stats_file_streams(f));
	stats_file_free(f);
}

Test(stats_file, what_is_no_statistics_file_is_refused_with_its_line)
{
	refuse("", 0, "no statistics");
	refuse("\n\n", 2, "no statistics");
	refuse("gpu:\n", 1, "outside of any section");
	refuse(LINE, 1, "outside of any section");
	refuse(BEGIN "total of 1 kernel\n" LINE, 2, "in the middle of a section");
	refuse(BEGIN "total of 1 kernel\n" LINE BEGIN "streams\n" END, 3, "in the middle of another");
	refuse(END, 1, "not begun");
	refuse(BEGIN "total of 1 kernel\n" LINE END "gpu.cycles 7", 4, "middle of a line");
	refuse(BEGIN "total of 1 kernel\n" END BEGIN "total of 1 kernel\n" END, 3, "behind the total");
	refuse(BEGIN "total of 1 kernel\n" END END, 3, "not begun");
	refuse("---------- Begin Simulation Statistics ----------\n", 1, "neither");
}

Test(stats_file, titles_that_say_nothing_known_are_refused)
{
	static const char *const titles[] = { "", "kernel", "kernel one k grid 1,1,1 block 1,1,1",
		"kernel 1 k grid 1,1 block 1,1,1", "kernel 1 k grid 1,1,1",
		"kernel 1 k grid 1,1,1 block 1,1,1 abandoned", "total of kernels", "total of 3",
		"total of -3 kernels", "total of 99999999999999999999 kernels", "streams 2", "device 1" };
	char text[256];

	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
		snprintf(text, sizeof text, "\n" BEGIN "%s\n" END, titles[i]);
		refuse(text, 2, "a section of what?");
	}
}

Test(stats_file, lines_that_are_no_statistics_are_refused)
{
	static const char *const lines[] = { "gpu.cycles", "gpu.cycles 7", "gpu.cycles 7 (cycles)",
		"gpu.cycles # cycles (cycles)", "gpu.cycles    # cycles (cycles)", " 7 # cycles",
		"gpu.cycles seven # cycles", "gpu.cycles 7 8 # cycles", "gpu.cycles 7x # cycles",
		"gpu.cycles 18446744073709551616 # one too many" };
	char text[512];

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		snprintf(text, sizeof text, BEGIN "total of 1 kernel\n" LINE "%s\n" END, lines[i]);
		refuse(text, 3, "no statistic");
	}
}

Test(stats_file, a_zero_byte_is_refused)
{
	static const char text[] = BEGIN "total of 1 kernel\ngpu.cycles 7 # a\0b\n" END;
	struct diag_list diags;

	diag_init(&diags);
	cr_expect_null(read_stats_text(text, sizeof text - 1, &diags));
	cr_assert_eq(diags.count, 1);
	cr_expect_eq(diags.items[0].line, 2);
	diag_fini(&diags);
}

Test(stats_file, a_name_twice_in_a_section_is_refused_when_it_is_looked_up)
{
	struct stats_file *f = parse_well(BEGIN "total of 1 kernel\n" LINE "gpu.ipc 1 # x\n" LINE END);
	struct diag_list diags;

	for (int again = 0; again < 2; again++) {
		diag_init(&diags);
		cr_expect(!stats_section_index(f, stats_file_total(f), &diags));
		cr_assert_eq(diags.count, 1);
		cr_expect_eq(diags.items[0].line, 4);
		cr_expect_str_eq(diags.items[0].message, "gpu.cycles stands twice in this section");
		diag_fini(&diags);
	}
	stats_file_free(f);
}

Test(stats_file, a_folder_or_a_file_that_is_not_there)
{
	struct diag_list diags;

	diag_init(&diags);
	cr_expect_null(stats_file_read("/nonexistent", &diags));
	cr_expect_null(stats_file_read("/", &diags));
	cr_assert_eq(diags.count, 2);
	cr_expect(strstr(diags.items[0].message, "/nonexistent cannot be read: No such file"));
	cr_expect(strstr(diags.items[1].message, "stats.txt cannot be read"));
	diag_fini(&diags);
}

/* What the printer writes is what the reader reads, whatever it was. */
struct counts {
	uint64_t count, vector[3];
	struct sim_histogram histogram;
};
static const char *const elements[] = { "one", "two", "three", NULL };
static double third(const void *object)
{
	const struct counts *c = object;

	return c->count ? (double)c->count / 3 : NAN;
}
static const struct sim_stat table[] = { SIM_COUNT(struct counts, count, "cycles", "counted"),
	SIM_VECTOR(struct counts, vector, elements, "slots (of two)", "by kind (three)"),
	SIM_HIST(struct counts, histogram, "", "spread"), SIM_FORMULA("third", third, "ratio", "a third"),
	SIM_STAT_END };

Test(stats_file, reads_what_is_printed)
{
	struct counts objects[2] = { { .count = UINT64_MAX / 4, .vector = { 1, 0, 3 } }, { .count = 0 } };
	struct stat_tree *tree = stat_tree_new();
	struct stats_file *f;
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	sim_hist_add(&objects[0].histogram, 5);
	for (int i = 0; i < 2; i++)
		stat_register(tree, "sm.part", i, table, &objects[i], sizeof objects[i]);
	fputs(BEGIN "total of 1 kernel\n", stream);
	stat_print_text(tree, NULL, stream);
	fputs(END, stream);
	fclose(stream);
	f = parse_well(text);
	struct stats_section *s = stats_file_total(f);
	cr_expect_eq(find(f, s, "sm.part.count")->whole, UINT64_MAX / 4);
	cr_expect_eq(find(f, s, "sm[0].part.vector::three")->whole, 3);
	cr_expect_eq(find(f, s, "sm.part.vector::total")->whole, 4);
	cr_expect_str_eq(find(f, s, "sm.part.vector::one")->unit, "slots (of two)");
	cr_expect_str_eq(find(f, s, "sm.part.vector::one")->help, "by kind (three)");
	cr_expect_eq(find(f, s, "sm.part.histogram::4-7")->whole, 1);
	cr_expect(isnan(find(f, s, "sm[1].part.third")->value));
	stats_file_free(f);
	stat_tree_free(tree);
	free(text);
}

/* As large as a chip of 128 SMs writes it: no more than a pass over it. */
Test(stats_file, a_large_file_is_read_and_looked_up, HANG_GUARD)
{
	enum { LINES = 200000 };
	char *text, name[64];
	size_t size;
	FILE *stream = open_memstream(&text, &size);
	struct stats_file *f;

	fputs(BEGIN "total of 1 kernel\n", stream);
	for (int i = 0; i < LINES; i++)
		fprintf(stream, "sm[%d].slots::cause_%d %d # issue slots (slots)\n", i % 128, i, i);
	fputs(END, stream);
	fclose(stream);
	f = parse_well(text);
	for (int i = 0; i < LINES; i += 7) {
		snprintf(name, sizeof name, "sm[%d].slots::cause_%d", i % 128, i);
		cr_assert_eq(find(f, stats_file_total(f), name)->whole, (uint64_t)i);
	}
	stats_file_free(f);
	free(text);
}
