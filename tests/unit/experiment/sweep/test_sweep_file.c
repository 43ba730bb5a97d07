/* tests/unit/experiment/sweep/test_sweep_file.c -- sweep files as they are read, and what is told of those
 * that are wrong. */
#include "experiment/sweep/file/file.h"
#include "tests/unit/experiment/rig.h"

static struct sweep_file *file;

static void stop(void)
{
	sweep_file_free(file);
	file = NULL;
	rig_stop();
}

TestSuite(sweep_file, .init = rig_start, .fini = stop);

static void read_file(const char *text)
{
	put("my.sweep.yaml", text);
	sweep_file_free(file);
	file = sweep_file_read(at("my.sweep.yaml"), &diags);
}

static void accept(const char *text)
{
	read_file(text);
	expect_told("");
	cr_assert_not_null(file);
}

static void expect_refused(const char *text, const char *told)
{
	read_file(text);
	cr_expect_null(file, "accepted: %s", text);
	expect_told(told);
}

static void expect_texts(const struct sweep_texts *t, const char *expected)
{
	char text[512] = "";

	for (size_t i = 0; i < t->count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "|" : "", t->items[i]);
	cr_expect_str_eq(text, expected);
}

Test(sweep_file, a_full_file_is_read)
{
	accept("name: n\nsize: tiny\nworkloads:\n- a/b\n- {name: c, size: paper}\n- {name: d, arguments: [1, "
	       "two words]}\n"
	       "- {label: l, program: ./p, arguments: 7, inputs: [x, y]}\n"
	       "base: [g1, g2]\noverlays: o.yaml\nset: {a.b: 1, c: x}\n"
	       "factors: {f: {p: {a.c: 5, config: [m, n]}, q: {}, r: }, g: {s: {b: }}}\n"
	       "exclude: [{f: p, g: [s]}, {workload: [a, b], base: g1, seed: 3}]\nseeds: [3, 0, 4294967295]\n"
	       "limits: {time: 5, memory: 6, retries: 0}\nseries: 10:x.y\nbaseline: {f: q, base: g2}\n"
	       "derived: {u: a.b, v: {value: 1 + u, unit: ms, mean: geometric}}\nreport: [{figure: bars}]\n");
	cr_expect_str_eq(file->name, "n");
	cr_expect_str_eq(file->folder, here);
	cr_expect_eq(file->item_count, 4);
	cr_expect_str_eq(file->items[0].word, "a/b");
	cr_expect_null(file->items[0].size);
	cr_expect_str_eq(file->items[1].size, "paper");
	cr_expect(file->items[2].has_arguments);
	expect_texts(&file->items[2].arguments, "1|two words");
	cr_expect_null(file->items[3].word);
	cr_expect_str_eq(file->items[3].label, "l");
	expect_texts(&file->items[3].arguments, "7");
	expect_texts(&file->items[3].inputs, "x|y");
	expect_texts(&file->bases, "g1|g2");
	expect_texts(&file->common.configs, "o.yaml");
	expect_texts(&file->common.paths, "a.b|c");
	expect_texts(&file->common.values, "1|x");
	cr_expect_eq(file->factor_count, 2);
	cr_expect_eq(file->factors[0].count, 3);
	expect_texts(&file->factors[0].levels[0].changes.configs, "m|n");
	expect_texts(&file->factors[0].levels[0].changes.paths, "a.c");
	cr_expect_eq(file->factors[0].levels[1].changes.paths.count, 0);
	expect_texts(&file->factors[1].levels[0].changes.values, "");
	cr_expect_eq(file->factors[1].levels[0].changes.values.count, 1);
	cr_expect_eq(file->exclude_count, 2);
	expect_texts(&file->excludes[1].values[0], "a|b");
	cr_expect_eq(file->seed_count, 3);
	cr_expect_eq(file->seeds[2], UINT32_MAX);
	cr_expect_eq(file->seconds, 5);
	cr_expect_eq(file->mebibytes, 6);
	cr_expect_eq(file->retries, 0);
	cr_expect_str_eq(file->series, "10:x.y");
	expect_texts(&file->baseline.keys, "f|base");
	cr_expect_eq(file->derived_count, 2);
	cr_expect_str_eq(file->derived[0].mean, "arithmetic");
	cr_expect_str_eq(file->derived[1].formula, "1 + u");
	cr_expect_str_eq(file->derived[1].unit, "ms");
	cr_expect_eq(sweep_factor_find(file, "g"), &file->factors[1]);
	cr_expect_null(sweep_factor_find(file, "h"));
	cr_expect_eq(sweep_level_find(&file->factors[0], "r"), &file->factors[0].levels[2]);
	cr_expect_null(sweep_level_find(&file->factors[0], "s"));
}

Test(sweep_file, what_a_file_leaves_out_has_its_default)
{
	accept("workloads: all\n");
	cr_expect_str_eq(file->name, "my.sweep");
	cr_expect_str_eq(file->size, "small");
	expect_texts(&file->bases, "gtx480");
	cr_expect_eq(file->seed_count, 0);
	cr_expect_eq(file->seconds, 0);
	cr_expect_eq(file->mebibytes, 0);
	cr_expect_eq(file->retries, 2);
	cr_expect_eq(file->baseline.node, 0);
	cr_expect_null(file->series);
}

Test(sweep_file, the_folder_is_where_the_file_truly_is)
{
	cr_assert(folder_make(at("real"), &diags));
	put("real/s.yaml", "workloads: all\n");
	cr_assert_eq(symlink(at("real/s.yaml"), at("link.yaml")), 0);
	file = sweep_file_read(at("link.yaml"), &diags);
	cr_assert_not_null(file);
	cr_expect_str_eq(file->folder, at("real"));
	cr_expect_str_eq(file->name, "link");
}

Test(sweep_file, what_cannot_be_read_is_told)
{
	cr_expect_null(sweep_file_read(at("none.yaml"), &diags));
	expect_told_of("none.yaml cannot be read: No such file or directory");
	cr_expect_null(sweep_file_read(here, &diags));
	expect_told_of("cannot be read: Is a directory");
}

Test(sweep_file, every_key_of_the_wrong_kind_is_refused)
{
	static const char *const keys[] = { "name", "size", "base", "overlays", "set", "factors", "exclude",
		"seeds", "limits", "series", "baseline", "derived" };
	static const char *const values[] = { "[[]]", "{a: {b: [c]}}", "[a, b, {c: d}]", "[]", "[[a], [b]]",
		"\"a\\nb\"" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++) {
			char text[256];
			bool may = !strcmp(values[v], "[]") &&
				(!strcmp(keys[k], "overlays") || !strcmp(keys[k], "exclude"));

			snprintf(text, sizeof(text), "workloads: all\n%s: %s\n", keys[k], values[v]);
			read_file(text);
			cr_expect_eq(file != NULL, may, "%s", text);
			cr_expect_eq(diags.errors == 0, may, "%s", text);
			diag_fini(&diags);
			diag_init(&diags);
		}
	}
}

Test(sweep_file, a_file_without_workloads_or_with_other_keys_is_refused)
{
	expect_refused("base: gtx480\n",
		"1:1 no workloads: expected a key workloads with names, suites or "
		"tags of 'lockstep bench list'\n");
	expect_refused("workloads: []\n", "1:12 no workloads: the list is empty\n");
	expect_refused("workloads:\n", "1:11 workloads: expected a text\n");
	expect_refused("workload: all\n",
		"1:1 unknown key workload; did you mean workloads?\n"
		"1:1 no workloads: expected a key workloads with names, suites or "
		"tags of 'lockstep bench list'\n");
	expect_refused("just a text\n", "1:1 expected \"key: value\" lines: workloads, base, factors ...\n");
	expect_refused("[workloads]\n", "1:1 expected \"key: value\" lines: workloads, base, factors ...\n");
}

Test(sweep_file, all_that_is_wrong_is_told_at_once)
{
	expect_refused("workloads: all\nsize: huge\nseeds: [x, -1, 1.5, 4294967296]\nlimits: {time: 0, "
		       "memory: 1M, tries: 1}\n",
		"2:7 size: expected tiny, small, repro or paper\n3:9 seeds: expected a whole number from "
		"0\n3:12 "
		"seeds: expected a whole number from 0\n"
		"3:16 seeds: expected a whole number from 0\n3:21 seeds: expected a whole number from 0\n"
		"4:31 unknown key tries\n4:16 time, in seconds: expected a whole number from 1\n4:27 memory, "
		"in MiB: expected a whole number from 1\n");
}

Test(sweep_file, names_of_sweeps_are_no_paths)
{
	expect_refused("name: a/b\nworkloads: all\n",
		"1:7 name: expected one without slashes that does not begin with a dot\n");
	expect_refused("name: .hidden\nworkloads: all\n",
		"1:7 name: expected one without slashes that does not begin with a dot\n");
}

Test(sweep_file, workloads_that_contradict_themselves_are_refused)
{
	expect_refused("workloads: [{size: tiny}]\n",
		"1:13 a workload has a name (of 'lockstep bench list') or a program, one of them\n");
	expect_refused("workloads: [{name: a, program: b}]\n",
		"1:13 a workload has a name (of 'lockstep bench list') or a program, one of them\n");
	expect_refused("workloads: [{name: a, size: tiny, arguments: 1}]\n",
		"1:13 size is for a benchmark without arguments of its own\n");
	expect_refused("workloads: [{program: a, size: tiny}]\n",
		"1:13 size is for a benchmark without arguments of its own\n");
	expect_refused("workloads: [{name: a, label: b}]\n",
		"1:30 label is for a program; benchmarks have their names\n");
	expect_refused("workloads: [{program: a, argument: 1}]\n",
		"1:26 unknown key argument; did you mean arguments?\n");
	expect_refused("workloads: [{program: a, arguments: [\"\"]}]\n", "1:38 arguments: expected a text\n");
}

Test(sweep_file, what_is_given_twice_is_refused)
{
	expect_refused("workloads: all\nbase: [a, b, a]\n", "2:14 base: a is given twice\n");
	expect_refused("workloads: all\nseeds: [1, 2, 1]\n", "2:15 seeds: 1 is given twice\n");
	expect_refused("workloads: all\nseeds: [1, 01]\n",
		"2:12 seeds: expected a whole number from 0 (01 has zeros in front)\n");
	expect_refused("workloads: all\nseeds: []\n", "2:8 seeds: the list is empty\n");
	expect_refused("workloads: all\nbase: []\n", "2:7 base: the list is empty\n");
}

Test(sweep_file, factors_that_cannot_be_are_refused)
{
	expect_refused("workloads: all\nfactors: {seed: {a: }}\n",
		"2:11 a factor cannot be called seed, which every point has\n");
	expect_refused("workloads: all\nfactors: {f: {}}\n",
		"2:14 factor f: expected levels, as in {lrr: {sm.scheduler.policy: lrr}}\n");
	expect_refused("workloads: all\nfactors: {f: [a]}\n",
		"2:14 factor f: expected levels, as in {lrr: {sm.scheduler.policy: lrr}}\n");
	expect_refused("workloads: all\nfactors: {f: {a: x}}\n",
		"2:18 expected parameters with their values, as in {sm.l1d.ways: 8}\n");
	expect_refused("workloads: all\nfactors: {f: {a: {sm: {ways: 8}}}}\n",
		"2:23 sm: expected a value (paths of parameters are written with dots: sm.l1d.ways: 8)\n");
}

Test(sweep_file, rules_name_what_there_is)
{
	static const char head[] = "workloads: all\nfactors: {sched: {lrr: , gto: }}\n";
	char text[256];

	snprintf(text, sizeof(text), "%sexclude: [{sched: lrx}, {schd: lrr}, {}, x]\n", head);
	expect_refused(text,
		"3:19 factor sched has no level lrx; did you mean lrr?\n3:26 there is no factor "
		"schd; did you mean sched?\n"
		"3:38 expected factors with levels, as in {scheduler: lrr, l1: 16K}\n"
		"3:42 expected factors with levels, as in {scheduler: lrr, l1: 16K}\n");
	snprintf(text, sizeof(text), "%sbaseline: {sched: [lrr, gto]}\n", head);
	expect_refused(text, "3:12 the baseline has one level of sched\n");
	snprintf(text, sizeof(text), "%sbaseline: {workload: a}\n", head);
	expect_refused(text, "3:12 there is no factor workload\n");
}

Test(sweep_file, kernels_are_numbers_and_names)
{
	accept("workloads:\n- {name: a/b, kernels: [2, k1, 13]}\n- {label: l, program: ./p, kernels: k}\n- "
	       "c\n"
	       "derived: {u: {value: kernel.cycles, kernels: each}, v: {value: kernel.cycles, kernels: "
	       "harmonic}}\n");
	expect_texts(&file->items[0].kernels, "2|k1|13");
	expect_texts(&file->items[1].kernels, "k");
	cr_expect_eq(file->items[2].kernels.count, 0);
	cr_expect(file->derived[0].is_each && !file->derived[0].kernels);
	cr_expect(!file->derived[1].is_each);
	cr_expect_str_eq(file->derived[1].kernels, "harmonic");
	for (const char *const *wrong = (const char *const[]){ "0", "-2", "00", "12345678", NULL }; *wrong;
		wrong++) {
		char text[128], told[160];

		snprintf(text, sizeof(text), "workloads: [{name: a, kernels: [1, %s]}]\n", *wrong);
		snprintf(told, sizeof(told),
			"1:36 kernels: expected numbers from 1 (in the order of first launch) or names, "
			"not %s\n",
			*wrong);
		expect_refused(text, told);
	}
	expect_refused("workloads: a\nderived: {u: {value: a.b, kernels: every}}\n",
		"2:36 kernels: expected each, geometric, harmonic, arithmetic or none\n");
	expect_refused("workloads: a\nderived: {u: {value: a.b, mean: each}}\n",
		"2:33 mean: expected geometric, harmonic, arithmetic or none\n");
}

Test(sweep_file, derived_values_have_names_that_formulas_can_use)
{
	static const char told[] =
		"a derived value is called by letters, digits and _, and not like a word of formulas\n";
	static const char *const names[] = { "speed-up", "a.b", "2x", "max", "base", "case", "speed up" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char text[128], expected[256];

		snprintf(text, sizeof(text), "workloads: all\nderived: {%s: 1}\n", names[i]);
		snprintf(expected, sizeof(expected), "2:11 %s: %s", names[i], told);
		expect_refused(text, expected);
	}
	expect_refused("workloads: all\nderived: {a: {unit: x}}\n",
		"2:14 a has no value: expected a formula of statistics\n");
	expect_refused("workloads: all\nderived: {a: {value: 1, mean: median}}\n",
		"2:31 mean: expected geometric, harmonic, arithmetic or none\n");
	expect_refused("workloads: all\nderived: {a: [1, 2, 3]}\n", "2:14 value: expected a text\n");
	expect_refused("workloads: all\nlimits: [1, 2]\n",
		"2:9 limits: expected time (seconds), memory (MiB), retries\n");
}

/* -- levels that stand for others -- */

static void expect_levels(size_t factor, const char *expected)
{
	char text[512] = "";

	for (size_t i = 0; i < file->factors[factor].count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "|" : "",
			file->factors[factor].levels[i].name);
	cr_expect_str_eq(text, expected);
}

Test(sweep_file, a_range_of_levels_is_one_for_each_number)
{
	accept("workloads: all\nfactors:\n  f:\n    none: {}\n    \"w-{1..3,8}x\": {a.b: \"{}\", c.d: "
	       "\"<{}>\", e: 5, config: \"c-{}\"}\n    last: {}\n");
	expect_levels(0, "none|w-1x|w-2x|w-3x|w-8x|last");
	expect_texts(&file->factors[0].levels[1].changes.values, "1|<1>|5");
	expect_texts(&file->factors[0].levels[4].changes.paths, "a.b|c.d|e");
	expect_texts(&file->factors[0].levels[4].changes.values, "8|<8>|5");
	expect_texts(&file->factors[0].levels[4].changes.configs, "c-8");
	accept("workloads: all\nfactors:\n  f:\n    \"{10..11}\": {}\n");
	expect_levels(0, "10|11");
}

Test(sweep_file, ranges_of_levels_that_are_wrong_are_told)
{
	static const char *const wrong[] = { "w-{}", "w-{1..3", "w-{3..1}", "w-{a}", "w-{1,}", "w-{1...3}",
		"w-{-1..3}", "w-{0..1000}" };
	char text[128];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(text, sizeof(text), "workloads: all\nfactors:\n  f:\n    \"%s\": {}\n", wrong[i]);
		expect_refused(text,
			"4:5 a range of levels is like swl-{1..4,8}: numbers, at most 1000; {} in the values "
			"stands for each\n");
	}
	expect_refused("workloads: all\nfactors:\n  f:\n    \"w-{1..2}\": {}\n    w-2: {}\n",
		"5:5 level w-2 of factor f is given twice\n");
	expect_refused("workloads: all\nfactors:\n  f:\n    \"w-{1,1}\": {}\n",
		"4:5 level w-1 of factor f is given twice\n");
}

#define F "workloads: all\nfactors: {f: {none: {}, w-1: {}, w-2: {}, v: {}}, g: {x: {}}}\n"

Test(sweep_file, the_best_of_levels_is_a_level)
{
	const struct sweep_best *best;

	accept(F "best:\n  b: {of: {f: [v, \"w-*\"]}, by: gpu.cycles}\n  c: {of: {f: \"*\"}, by: gpu.ipc, "
		 "least: false}\n");
	expect_levels(0, "none|w-1|w-2|v|b|c");
	expect_levels(1, "x");
	best = file->factors[0].levels[4].best;
	cr_assert_not_null(best);
	cr_expect_str_eq(best->by, "gpu.cycles");
	cr_expect(best->least);
	cr_expect(!best->of[0] && best->of[1] && best->of[2] && best->of[3]);
	best = file->factors[0].levels[5].best;
	cr_assert_not_null(best);
	cr_expect_not(best->least);
	cr_expect(best->of[0] && best->of[3]);
	cr_expect_null(file->factors[0].levels[3].best);
}

Test(sweep_file, bests_that_are_wrong_are_told)
{
	expect_refused(F "best: [b]\n", "3:7 best: expected names with what they are the best of\n");
	expect_refused(F "best: {b: x}\n",
		"3:8 expected what it is the best of, and by which statistic: {of: {machine: [swl-1, "
		"swl-2]}, by: gpu.cycles}\n");
	expect_refused(F "best: {b: {of: {f: w-1}, bye: gpu.cycles, by: a.b}}\n",
		"3:26 unknown key bye; did you mean by?\n");
	expect_refused(F "best: {b: {of: w-1, by: a.b}}\n",
		"3:16 of: expected one factor with levels, as in {of: {machine: [swl-1, swl-2]}}\n");
	expect_refused(F "best: {b: {of: {f: w-1, g: x}, by: a.b}}\n",
		"3:16 of: expected one factor with levels, as in {of: {machine: [swl-1, swl-2]}}\n");
	expect_refused(
		F "best: {b: {of: {ff: w-1}, by: a.b}}\n", "3:17 there is no factor ff; did you mean f?\n");
	expect_refused(F "best: {b: {of: {f: [w-1, w-9, \"u*\"]}, by: a.b}}\n",
		"3:26 factor f has no level w-9 to choose from\n3:31 factor f has no level u* to choose "
		"from\n");
	expect_refused(F "best: {v: {of: {f: w-1}, by: a.b}}\n", "3:8 factor f has a level v already\n");
	expect_refused(
		F "best: {b: {of: {f: w-1}, by: a.b, least: no}}\n", "3:42 least: expected true or false\n");
	expect_refused(F "best: {b: {of: {f: w-1}, by: a.b}, c: {of: {f: b}, by: a.b}}\n",
		"3:48 factor f has no level b to choose from\n");
}

Test(sweep_file, rules_name_levels_by_patterns)
{
	accept(F "exclude: [{f: \"w-*\", g: x}]\n");
	expect_refused(F "exclude: [{f: \"u-*\"}]\n", "3:15 factor f has no level u-*\n");
	expect_refused(F "baseline: {f: \"w-*\"}\n", "3:12 the baseline has one level of f\n");
}
