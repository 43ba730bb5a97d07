/* tests/unit/experiment/sweep/test_sweep_plan.c -- points in their order, what is left out, and what makes
 * a job another one. */
#include "experiment/sweep/store.h"
#include "tests/unit/experiment/sweep/plan_rig.h"

TestSuite(sweep_plan, .init = plan_start, .fini = plan_stop);

#define P     "workloads: [{program: p}]\n"
#define SCHED "  sched: {lrr: {sm.scheduler.policy: lrr}, gto: {sm.scheduler.policy: gto}}\n"
#define L1    "  l1: {small: {sm.l1d.ways: 2}, same: {}, big: {sm.l1d.ways: 8}}\n"

/* Points one a line: "label[size] base level level seed job". */
static void expect_points(const char *expected)
{
	size_t size;
	char *text, seed[16];
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < plan->point_count; i++) {
		const struct plan_point *p = &plan->points[i];

		fprintf(f, "%s[%s] %s", plan_value(plan, p, "workload", seed),
			plan_value(plan, p, "size", seed), plan_value(plan, p, "base", seed));
		for (size_t k = 0; k < file->factor_count; k++)
			fprintf(f, " %s", plan_value(plan, p, file->factors[k].name, seed));
		fprintf(f, " %s %zu\n", p->has_seed ? plan_value(plan, p, "seed", seed) : "-", p->job);
	}
	fclose(f);
	cr_expect_str_eq(text, expected, "expected:\n%sgot:\n%s", expected, text);
	free(text);
}

static void expect_refused(const char *text, const char *told)
{
	cr_expect_null(plan_of(text), "accepted: %s", text);
	expect_told(told);
}

/* -- points -- */

Test(sweep_plan, the_last_factor_changes_fastest_then_the_seed)
{
	plan_or_fail("workloads: [{program: p, arguments: [1]}, {program: p, arguments: [2]}]\nbase: "
		     "[gtx480, gtx470]\n"
		     "factors:\n" SCHED "  w: {w2: {sm.l1d.ways: 2}, w3: {sm.l1d.ways: 8}}\nseeds: [7, 3]\n");
	cr_expect_eq(plan->point_count, 2 * 2 * 2 * 2 * 2);
	cr_expect_eq(plan->job_count, 32);
	cr_expect_eq(plan->machine_count, 16);
	plan->point_count = 9;
	expect_points("p[1] gtx480 lrr w2 7 0\np[1] gtx480 lrr w2 3 1\np[1] gtx480 lrr w3 7 2\np[1] gtx480 "
		      "lrr w3 3 3\n"
		      "p[1] gtx480 gto w2 7 4\np[1] gtx480 gto w2 3 5\np[1] gtx480 gto w3 7 6\np[1] gtx480 "
		      "gto w3 3 7\np[1] gtx470 lrr w2 7 8\n");
	plan->point_count = 32;
	cr_expect_null(plan_value(plan, plan->points, "nothing", (char[16]){ 0 }));
}

/* Over the sweep's, under those of levels; a machine for itself only where it has such. */
Test(sweep_plan, a_workload_may_have_parameters_of_its_own)
{
	plan_or_fail("workloads: [{program: p, arguments: [1]}, {program: p, arguments: [2]},\n"
		     "  {program: p, arguments: [3], set: {sm.l1d.ways: 8, sm.scheduler.policy: lrr}}]\n"
		     "set: {sm.l1d.ways: 2}\nfactors:\n" SCHED);
	cr_expect_eq(plan->point_count, 6);
	cr_expect_eq(plan->job_count, 6);
	cr_expect_eq(plan->machine_count, 4);
	cr_expect(strstr(plan->jobs[0].command, "sm.l1d.ways=2"));
	cr_expect_null(strstr(plan->jobs[0].command, "sm.l1d.ways=8"));
	cr_expect(strstr(plan->machines[plan->jobs[4].machine].text, "sm.l1d.ways = 8"));
	cr_expect(strstr(plan->machines[plan->jobs[5].machine].text, "sm.scheduler.policy = gto"));
	expect_refused("workloads: [{program: p, set: {sm.l1d.way: 8}}]\n", "1:32 unknown key sm.l1d.way\n");
	expect_refused("workloads: [{program: p}, {program: p, set: {sm.l1d.ways: 8}}]\n",
		"1:27 p  is there already, with other parameters\n");
}

Test(sweep_plan, points_that_do_the_same_are_one_job)
{
	/* four ways are what the machine has anyway */
	plan_or_fail(
		P "factors:\n" SCHED "  l1: {same: {}, four: {sm.l1d.ways: 4}, two: {sm.l1d.ways: 2}}\n");
	expect_points("p[] gtx480 lrr same - 0\np[] gtx480 lrr four - 0\np[] gtx480 lrr two - 1\n"
		      "p[] gtx480 gto same - 2\np[] gtx480 gto four - 2\np[] gtx480 gto two - 3\n");
	cr_expect_eq(plan->job_count, 4);
}

static bool ends_with(const char *text, const char *end)
{
	return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

/* The machine is the same, the job another one. */
Test(sweep_plan, levels_may_add_arguments_of_the_program)
{
	plan_or_fail("workloads: [{program: ./p, arguments: [7]}]\nfactors:\n"
		     "  stages: {\"{1,3}\": {arguments: [--stages, \"{}\"]}}\n"
		     "  more: {none: {}, some: {arguments: [x]}}\n");
	cr_assert_eq(plan->job_count, 4);
	cr_expect(ends_with(plan->jobs[0].command, "/p 7 --stages 1"), "%s", plan->jobs[0].command);
	cr_expect(ends_with(plan->jobs[3].command, "/p 7 --stages 3 x"), "%s", plan->jobs[3].command);
	cr_expect_null(plan_of("workloads: [{program: ./p}]\nset: {arguments: [x]}\n"));
}

Test(sweep_plan, a_later_level_overrides_an_earlier_one)
{
	plan_or_fail(P "set: {sm.l1d.ways: 2}\nfactors: {a: {x: {sm.l1d.ways: 4}, y: {sm.l1d.ways: 8}}, b: "
		       "{z: {sm.l1d.ways: 4}}}\n");
	cr_expect_eq(plan->point_count, 2);
	cr_expect_eq(plan->job_count, 1);
}

Test(sweep_plan, exclusions_take_out_what_fits_all_their_keys)
{
	plan_or_fail(P "factors:\n" SCHED L1
		       "exclude: [{sched: gto, l1: [small, same]}, {sched: lrr, l1: big}]\n");
	expect_points("p[] gtx480 lrr small - 0\np[] gtx480 lrr same - 1\np[] gtx480 gto big - 2\n");
}

Test(sweep_plan, exclusions_name_workloads_sizes_bases_and_seeds)
{
	plan_or_fail(
		"workloads: [{program: p}, {program: q, arguments: [5]}]\nbase: [gtx480, gtx470]\nseeds: [1, "
		"2]\n"
		"exclude: [{workload: p, base: gtx470}, {size: 5, base: gtx480}, {seed: 2, workload: q}]\n");
	expect_points("p[] gtx480 1 0\np[] gtx480 2 1\nq[5] gtx470 1 2\n");
}

Test(sweep_plan, exclusions_that_contradict_the_rest_are_refused)
{
	expect_refused(P "factors:\n" SCHED "exclude: [{sched: lrr}]\n",
		"3:11 level lrr of factor sched is excluded everywhere\n");
	expect_refused(P "factors:\n" SCHED "exclude: [{sched: [lrr, gto]}]\n",
		"4:11 the exclusions leave no point to run\n");
	expect_refused("workloads: [{program: p}, {program: q}]\nexclude: [{workload: q}]\n",
		"1:27 q is excluded everywhere\n");
	expect_refused(P "factors:\n" SCHED L1
			 "exclude: [{sched: lrr, l1: big}, {sched: lrr, l1: [small, same]}]\n",
		"3:11 level lrr of factor sched is excluded everywhere\n");
}

Test(sweep_plan, values_that_no_point_has_are_refused)
{
	expect_refused("workloads: [{program: p}, {program: q}]\nexclude: [{workload: [p, r]}, {size: tiny}, "
		       "{base: gtx470}, {seed: 1}]\n",
		"2:26 no point of the sweep has workload r\n2:38 no point of the sweep has size tiny\n2:52 "
		"no point of the sweep has base gtx470\n"
		"2:68 no point of the sweep has seed 1\n");
	expect_refused(P "base: [gtx480, gtx470]\nbaseline: {base: ga100}\n",
		"3:18 no point of the sweep has base ga100\n");
	expect_refused(P "factors:\n" SCHED "exclude: [{sched: []}]\n",
		"4:11 this excludes nothing: no point of the sweep is like that\n");
}

Test(sweep_plan, more_points_than_a_sweep_has_are_refused_at_once)
{
	char text[8192] = P "factors:\n";

	for (int i = 0; i < 70; i++)
		sprintf(text + strlen(text), "  f%d: {a: {}, b: {}}\n", i);
	expect_refused(text, "0:0 ./s.yaml: 1180591620717411303424 points; a sweep has at most 1000000\n");
}

#define FOUR "factors: {a: {x: {}, y: {}}, b: {x: {}, y: {}}, c: {x: {}, y: {}}, d: {x: {}, y: {}}}\n"

Test(sweep_plan, a_design_is_a_part_of_the_combinations_the_same_for_all_workloads)
{
	size_t count = 0;

	plan_or_fail("workloads: [{program: p}, {program: q}]\n" FOUR
		     "baseline: {a: y, b: x, c: y, d: x}\ndesign: {runs: 12}\n");
	cr_assert_eq(plan->point_count, 24);
	for (size_t i = 0; i < 12; i++) {
		const size_t *l = plan->points[i].levels;

		cr_expect_arr_eq(l, plan->points[i + 12].levels, 4 * sizeof(*l));
		count += l[0] == 1 && l[1] == 0 && l[2] == 1 && l[3] == 0;
	}
	cr_expect_eq(count, 1); /* the baseline is always there */
}

Test(sweep_plan, designs_that_tell_nothing_are_refused)
{
	expect_refused(P FOUR "design: {runs: 10}\n",
		"3:9 design: 10 of 16 combinations cannot tell all main effects and two-way interactions "
		"apart (11 "
		"parameters)\n");
	expect_refused(P "design: {runs: 4}\n", "2:9 design: there are no factors\n");
	expect_refused(P FOUR "design: {seed: 4}\n",
		"3:9 design: expected runs, the number of combinations, and perhaps seed\n");
}

/* -- programs -- */

Test(sweep_plan, the_same_program_twice_is_once_there)
{
	plan_or_fail("workloads: [{program: p, arguments: [a, b]}, {program: ./p, arguments: [a, b]}, "
		     "{program: p, arguments: [a]}]\n");
	expect_points("p[a b] gtx480 - 0\np[a] gtx480 - 1\n");
}

Test(sweep_plan, two_programs_of_one_name_are_told_and_labels_tell_them_apart)
{
	cr_assert(folder_make(at("v2"), &diags));
	put_program("v2/p", "#!/bin/sh\nexit 5\n");
	expect_refused("workloads: [{program: p}, {program: v2/p}]\n",
		"1:27 p  is there already, and is another program: give one of them a label\n");
	expect_refused("workloads: [{program: p, arguments: [a b]}, {program: p, arguments: [a, b]}]\n",
		"1:45 p a b is there already, and is another program: give one of them a label\n");
	plan_or_fail("workloads: [{program: p}, {program: v2/p, label: new}]\n");
	expect_points("p[] gtx480 - 0\nnew[] gtx480 - 1\n");
}

Test(sweep_plan, programs_and_inputs_that_are_not_there_are_told)
{
	expect_refused("workloads: [{program: none}]\n",
		"1:13 program ./none cannot be run: No such file or directory\n");
	expect_refused(
		"workloads: [{program: in}]\n", "1:13 program ./in cannot be run: Permission denied\n");
	expect_refused("workloads: [{program: p, inputs: [in, none]}]\n",
		"1:39 ./none cannot be read: No such file or directory\n");
	expect_refused("workloads: [{program: .}]\n", "1:13 . cannot be read: Is a directory\n");
}

Test(sweep_plan, machines_that_cannot_be_are_told_once_at_their_place)
{
	expect_refused(P "set: {sm.l1d.wais: 4}\nfactors:\n" SCHED, "2:7 unknown key sm.l1d.wais\n");
	expect_refused(P "factors: {l1: {bad: {sm.l1d.ways: many}, good: {}}}\nseeds: [1, 2, 3]\n",
		"2:22 sm.l1d.ways = many: expected a whole number, 1 to 1048576 lines\n");
	expect_refused(P "base: [gtx480, gtx999]\nseeds: [1, 2, 3]\n",
		"2:16 no configuration gtx999: neither a file beside the sweep file nor one of 'lockstep "
		"list configs'\n");
	expect_refused(P "overlays: here.yaml\n",
		"2:11 no configuration here.yaml: neither a file beside "
		"the sweep file nor one of 'lockstep list configs'\n");
	expect_refused(P "series: 1000:gpu.nothing\n",
		"2:9 observe.series.statistics: there is no statistic gpu.nothing\n");
}

#define MODEL "coefficients: [{name: constant, unit: W, value: 2"

Test(sweep_plan, energy_models_lie_beside_the_sweep_file_and_count_by_their_contents)
{
	char first[64];

	put("model.yaml", MODEL "0}]\n");
	plan_or_fail(P "set: {energy.model: model.yaml}\n");
	snprintf(first, sizeof(first), "%s", plan->jobs[0].hash.text);
	put("model.yaml", MODEL "1}]\n");
	plan_or_fail(P "set: {energy.model: model.yaml}\n");
	cr_expect_neq(strcmp(plan->jobs[0].hash.text, first), 0);
	put("model.yaml", MODEL "0}]\n");
	plan_or_fail(P "set: {energy.model: model.yaml}\n");
	cr_expect_str_eq(plan->jobs[0].hash.text, first);
	expect_refused(P "set: {energy.model: none.yaml}\n",
		"0:0 ./none.yaml cannot be read: No such file or directory\n");
}

/* -- what a job is -- */

static char before[64];

/* The plan's one job is (or is not) the one of before. */
static void expect_same(const char *text, bool same)
{
	plan_or_fail(text);
	cr_assert_eq(plan->job_count, 1, "%s", text);
	cr_expect_eq(!strcmp(plan->jobs[0].hash.text, before), same, "%s", text);
}

static const char *one(const char *workload, const char *level, const char *rest)
{
	static char text[512];

	snprintf(text, sizeof(text), "workloads: [{%s}]\nfactors: {f: {l: {%s}}}\n%s", workload, level, rest);
	return text;
}

#define WORK "program: p, arguments: [x], inputs: [in]"
#define WAYS "sm.l1d.ways: 2"
#define SEED "seeds: [7]\n"

Test(sweep_plan, a_job_is_another_one_where_anything_changes_that_counts)
{
	plan_or_fail(one(WORK, WAYS, SEED));
	strcpy(before, plan->jobs[0].hash.text);
	expect_same(one("program: p, arguments: [y], inputs: [in]", WAYS, SEED), false);
	expect_same(one("program: p, arguments: [x, \"1\"], inputs: [in]", WAYS, SEED), false);
	expect_same(one("program: p, arguments: [], inputs: [in]", WAYS, SEED), false);
	expect_same(one("program: q, arguments: [x], inputs: [in]", WAYS, SEED), false);
	expect_same(one("program: p, arguments: [x]", WAYS, SEED), false);
	expect_same(one(WORK, "sm.l1d.ways: 8", SEED), false);
	expect_same(one(WORK, WAYS, "seeds: [2]\n"), false);
	expect_same(one(WORK, WAYS, ""), false);
	expect_same(one(WORK, WAYS, SEED "base: gtx470\n"), false);
	expect_same(one(WORK, WAYS, SEED "series: 1000:gpu.ipc\n"), false);
	expect_same(one(WORK, WAYS, SEED), true);
	put("in", "1 2 4\n");
	expect_same(one(WORK, WAYS, SEED), false);
	put("in", "1 2 3\n");
	expect_same(one(WORK, WAYS, SEED), true);
	put_program("p", "#!/bin/sh\nexit  0\n");
	expect_same(one(WORK, WAYS, SEED), false);
}

Test(sweep_plan, and_stays_the_same_where_nothing_does)
{
	plan_or_fail(one(WORK, WAYS, SEED));
	strcpy(before, plan->jobs[0].hash.text);
	expect_same(one(WORK, WAYS,
			    "# a comment\n" SEED
			    "name: other\nlimits: {time: 5}\nderived: {d: gpu.cycles}\nbaseline: {f: l}\n"),
		true);
	expect_same("factors: {other: {level: {sm.l1d.ways: 2}}}\nseeds: 7\nworkloads: {program: ./p, label: "
		    "new, arguments: x, inputs: in}\n",
		true);
	expect_same("workloads: [{" WORK "}]\nset: {" WAYS "}\n" SEED, true);
	put("o.yaml", "# over\nsm:\n  l1d:\n    ways: 2\n");
	expect_same("workloads: [{" WORK "}]\noverlays: o.yaml\n" SEED, true);
	expect_same(one(WORK, "config: o.yaml", SEED), true);
	expect_same(one(WORK, "config: o.yaml, sm.l1d.ways: 0x2", SEED), true);
}

/* -- commands -- */

Test(sweep_plan, commands_say_all)
{
	static const char head[] = "lockstep run -q -c ";
	const char *end;

	plan_or_fail("workloads: [{program: p, arguments: [two words, it's]}]\nset: {sm.l1d.ways: 2}\nseeds: "
		     "[5]\n");
	cr_expect_eq(strncmp(plan->jobs[0].command, head, strlen(head)), 0, "%s", plan->jobs[0].command);
	end = strstr(plan->jobs[0].command, "/configs/gtx480.yaml --set ");
	cr_assert_not_null(end, "%s", plan->jobs[0].command);
	cr_expect_not_null(strstr(end, " --set sm.l1d.ways=2 --set gpu.seed=5 -- "));
	end = strstr(end, "/p ");
	cr_assert_not_null(end);
	cr_expect_str_eq(end, "/p 'two words' 'it'\\''s'");
}

/* -- baselines -- */

static void expect_checked(const char *text, const char *told)
{
	plan_or_fail(text);
	cr_expect_eq(sweep_derived_check(plan, &diags), !*told);
	expect_told(told);
}

Test(sweep_plan, formulas_are_checked_before_the_first_job)
{
	expect_checked(
		P "derived: {ipc: gpu.ipc * 2, twice: ipc + ipc, slots: \"sm.issue_slots::issued\"}\n", "");
	expect_checked(P "derived: {a: gpu.cycels}\n",
		"2:14 a: no statistic gpu.cycels; did you mean "
		"gpu.cycles?; 'lockstep list stats' shows them\n");
	expect_checked(P "derived: {a: b, b: gpu.cycles}\n",
		"2:14 a: b is no statistic (those have a dot), no "
		"value derived before this one, and no function\n");
	expect_checked(P "derived: {a: gpu.cycles +}\n", "2:14 a: no formula: near \")\": syntax error\n");
	expect_checked(P "derived: {a: base(gpu.cycles)}\n",
		"2:14 a: base() means the baseline, and the sweep has no key baseline\n");
	expect_checked(P "derived: {a: \"gpu.*\"}\n",
		"2:14 a: gpu is no statistic (those have a dot), no "
		"value derived before this one, and no function\n");
}

Test(sweep_plan, the_baseline_must_be_among_the_points)
{
	expect_checked(P "factors:\n" SCHED L1
			 "baseline: {sched: lrr}\nderived: {s: base(gpu.cycles) / gpu.cycles}\n",
		"");
	expect_checked(P "factors:\n" SCHED L1 "exclude: [{sched: lrr, l1: big}]\nbaseline: {sched: lrr, l1: "
			 "small}\nderived: {s: base(gpu.cycles)}\n",
		"");
	expect_checked(P
		"factors:\n" SCHED L1
		"exclude: [{sched: lrr, l1: big}]\nbaseline: {sched: lrr}\nderived: {s: base(gpu.cycles)}\n",
		"6:11 there is no such point for p: it is excluded, and formulas with base() need it\n");
	expect_checked(P
		"factors:\n" SCHED L1
		"exclude: [{sched: lrr, l1: big}]\nbaseline: {sched: lrr}\nderived: {s: gpu.cycles}\n",
		"");
}

/* -- the best of others -- */

#define BEST "best: {top: {of: {l1: [small, big]}, by: gpu.cycles}}\n"

static void expect_candidates(size_t point, const char *expected)
{
	size_t count, *found = plan_candidates(plan, point, &count);
	char text[256] = "";

	for (size_t i = 0; i < count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%zu", i ? " " : "", found[i]);
	free(found);
	cr_expect_str_eq(text, expected);
}

/* Points: a lrr small 0, same 1, big 2, top 3; a gto ...; each with two seeds. */
Test(sweep_plan, a_best_chooses_among_points_like_it)
{
	plan_or_fail("workloads: [{program: p, arguments: a}, {program: p, arguments: b}]\nseeds: [1, "
		     "2]\nfactors:\n" SCHED L1 BEST);
	cr_expect_eq(plan->point_count, 2 * 2 * 4 * 2);
	cr_expect_eq(plan->job_count, 2 * 2 * 3 * 2);
	cr_expect_eq(plan->machine_count, 2 * 3 * 2);
	cr_expect_eq(plan->points[6].job, NO_JOB);
	cr_expect_null(plan_best(plan, &plan->points[5]));
	cr_expect_not_null(plan_best(plan, &plan->points[6]));
	expect_candidates(6, "0 4");
	expect_candidates(7, "1 5");
	expect_candidates(16 + 8 + 7, "25 29");
}

Test(sweep_plan, what_is_excluded_is_not_chosen_and_without_anything_there_is_no_best)
{
	/* lrr: small same top; gto: same big top */
	plan_or_fail(
		P "factors:\n" SCHED L1 BEST "exclude: [{sched: lrr, l1: big}, {sched: gto, l1: small}]\n");
	cr_expect_eq(plan->point_count, 6);
	cr_expect_eq(plan->points[2].job, NO_JOB);
	expect_candidates(2, "0");
	expect_candidates(5, "4");
	/* lrr: all; gto: same */
	plan_or_fail(P "factors:\n" SCHED L1 BEST "exclude: [{sched: gto, l1: [small, big]}]\n");
	cr_expect_eq(plan->point_count, 5);
	plan_or_fail(P "factors:\n" SCHED L1 BEST "exclude: [{sched: lrr, l1: \"t*\"}]\n");
	cr_expect_eq(plan->point_count, 7);
	expect_refused(P "factors:\n" SCHED L1 BEST "exclude: [{l1: [small, big]}]\n",
		"4:8 level small of factor l1 is excluded everywhere\n4:43 level big of factor l1 is "
		"excluded everywhere\n"
		"5:8 level top of factor l1 is excluded everywhere\n");
}

Test(sweep_plan, there_is_no_best_of_bests)
{
	plan_or_fail(P "factors:\n" SCHED L1 "best:\n  top: {of: {l1: [small, big]}, by: gpu.cycles}\n  "
		       "quick: {of: {sched: \"*\"}, by: gpu.cycles}\n");
	cr_expect_eq(plan->point_count, 3 * 4 - 1);
	cr_expect_eq(plan->job_count, 6);
}

Test(sweep_plan, what_bests_are_by_is_checked_and_parameters_are)
{
	expect_checked(P "factors:\n" SCHED L1 BEST "derived: {w: parameter(sm.l1d.ways)}\n", "");
	expect_checked(P "factors:\n" SCHED L1 "best: {top: {of: {l1: small}, by: gpu.cycels}}\n",
		"5:8 top: no statistic gpu.cycels; did you mean gpu.cycles?; 'lockstep list stats' shows "
		"them\n");
	expect_checked(P "derived: {w: parameter(sm.l1d.weighs)}\n",
		"2:14 w: no parameter sm.l1d.weighs; 'lockstep config doc' shows them\n");
}
