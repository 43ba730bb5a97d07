/* tests/unit/experiment/sweep/test_forks.c -- which jobs of a sweep begin alike, and what becomes of a group
 * (forks.c). The whole is held by tests/branches.sh. */
#include "experiment/store.h"
#include "experiment/sweep/store.h"
#include "experiment/sweep/sweep_internal.h"
#include "tests/unit/experiment/sweep/plan_rig.h"

#define P      "workloads: [{program: p}]\n"
#define WARM   "set: {gpu.warmup.kernels: 2}\n"
#define WAYS   "factors: {w: {w2: {sm.l1d.ways: 2}, w4: {sm.l1d.ways: 4}, w8: {sm.l1d.ways: 8}}}\n"
#define NOBODY SIZE_MAX

static struct sweep_options options;
static struct sweep sweep;

static void start(void)
{
	plan_start();
	options = (struct sweep_options){ .work = here, .at_once = 1 };
}

static void stop(void)
{
	free(sweep.tasks);
	sweep = (struct sweep){ 0 };
	plan_stop();
}

TestSuite(forks, .init = start, .fini = stop);

/* A sweep whose jobs all wait, but for one that has ended. */
static void begin(const char *text, size_t ended)
{
	plan_or_fail(text);
	free(sweep.tasks);
	sweep = (struct sweep){ .plan = plan, .options = &options, .diags = &diags, .left = plan->job_count };
	sweep.tasks = xcalloc(plan->job_count, sizeof(*sweep.tasks));
	for (size_t i = 0; i < plan->job_count; i++)
		sweep.tasks[i].leader = NO_JOB;
	if (ended != NOBODY) {
		sweep.tasks[ended].stage = ENDED;
		sweep.left--;
	}
	forks_find(&sweep);
}

/* The leader of each job, or "-". */
static void expect_leaders(const char *expected)
{
	char text[256] = "", one[16];

	for (size_t i = 0; i < plan->job_count; i++) {
		snprintf(one, sizeof(one), "%s%d", i ? " " : "", (int)sweep.tasks[i].leader);
		strcat(text, sweep.tasks[i].leader == NO_JOB ? (i ? " -" : "-") : one);
	}
	cr_expect_str_eq(text, expected, "expected: %s\ngot:      %s", expected, text);
}

Test(forks, jobs_with_the_same_warm_up_are_a_group)
{
	begin(P WARM WAYS, NOBODY);
	expect_leaders("0 0 0");
	cr_expect_not(forks_follows(&sweep, 0));
	cr_expect(forks_follows(&sweep, 1));
	begin(P WAYS, NOBODY);
	expect_leaders("- - -");
	begin(P WARM WAYS "fork: false\n", NOBODY);
	expect_leaders("- - -");
	begin(P "set: {gpu.warmup.ctas: 5}\n" WAYS, NOBODY);
	expect_leaders("- - -");
}

Test(forks, what_the_beginning_depends_on_parts_them)
{
	begin(P "factors: {w: {two: {gpu.warmup.kernels: 2}, also: {gpu.warmup.kernels: 2, sm.l1d.ways: 2},\n"
		"  three: {gpu.warmup.kernels: 3}, none: {}}}\n",
		NOBODY);
	expect_leaders("0 0 - -");
	begin(P WARM "factors: {w: {a: {}, b: {gpu.memory: 67108864}, c: {gpu.memory: 67108864, sm.l1d.ways: "
		     "2}}}\n",
		NOBODY);
	expect_leaders("- 1 1");
	begin("workloads: [{program: p}, {program: q}, {program: p, arguments: [1]}]\n" WARM
	      "factors: {w: {w2: {sm.l1d.ways: 2}, w4: {sm.l1d.ways: 4}}}\n",
		NOBODY);
	expect_leaders("0 0 2 2 4 4");
	begin(P WARM "seeds: [1, 2]\nfactors: {w: {w2: {sm.l1d.ways: 2}, w4: {sm.l1d.ways: 4}}}\n", NOBODY);
	/* a program that is no benchmark gets no seed, and what the model does with it comes later */
	expect_leaders("0 0 0 0");
	for (size_t i = 0; i < plan->job_count; i++) {
		sweep.tasks[i].leader = NO_JOB;
		plan->jobs[i].seed = xstrdup(i % 2 ? "1" : "2"); /* as a benchmark's */
	}
	forks_find(&sweep);
	expect_leaders("0 1 0 1");
}

Test(forks, a_group_is_no_larger_than_all_places_need)
{
	options.at_once = 2;
	begin(P WARM
		"factors: {w: {a: {}, b: {sm.l1d.ways: 2}, c: {sm.l1d.ways: 8}, d: {sm.l1d.ways: 16}}}\n",
		NOBODY);
	expect_leaders("0 0 2 2");
	options.at_once = 100; /* two at least, or it would be no group */
	begin(P WARM WAYS, NOBODY);
	expect_leaders("0 0 -");
}

Test(forks, who_has_ended_is_in_no_group)
{
	begin(P WARM WAYS, 0);
	expect_leaders("- 1 1");
	begin(P WARM "factors: {w: {w2: {sm.l1d.ways: 2}, w4: {sm.l1d.ways: 4}}}\n", 1);
	expect_leaders("- -");
}

Test(forks, with_a_point_those_go_together_that_differ_only_behind_it)
{
	begin(P "at: cycle:1000\nfactors:\n  s: {lrr: {sm.scheduler.policy: lrr}, gto: {sm.scheduler.policy: "
		"gto}}\n"
		"  w: {w2: {sm.l1d.ways: 2}, w4: {sm.l1d.ways: 4}}\n",
		NOBODY);
	expect_leaders("0 1 0 1");
}

Test(forks, the_folders_of_a_group_have_its_branches)
{
	char *text, name[512];

	begin(P WARM WAYS, NOBODY);
	sweep.stored = xcalloc(plan->job_count, sizeof(*sweep.stored));
	sweep.store = store_open(at("r.db"), STORE_WRITE, &diags);
	cr_assert_not_null(sweep.store);
	cr_assert(sweep_store_plan(sweep.store, plan, false, sweep.stored, &diags));
	cr_assert_eq(forks_prepare(&sweep, 0), JOB_READY);
	expect_told("");
	cr_expect_eq(sweep.tasks[0].stage, WAITING, "the sweep submits it");
	cr_expect_eq(sweep.tasks[1].stage, UNDER_WAY);
	cr_expect_eq(sweep.tasks[2].stage, UNDER_WAY);
	snprintf(name, sizeof(name), "%s/branch", sweep_name_of(&sweep, 1));
	text = file_read(at(name), NULL);
	cr_assert_not_null(text, "%s", name);
	cr_expect(strstr(text, "set sm.l1d.ways=4\n"), "%s", text);
	cr_expect(strstr(text, "set gpu.warmup.kernels=2\n"), "%s", text);
	free(text);

	/* the leader did not become a group: the others wait again, alone */
	forks_release(&sweep, 0);
	expect_leaders("- - -");
	cr_expect_eq(sweep.tasks[1].stage, WAITING);
	cr_expect_eq(sweep.tasks[2].stage, WAITING);
	forks_release(&sweep, 0); /* who is in no group releases nobody */
	expect_leaders("- - -");
	store_close(sweep.store);
	free(sweep.stored);
}

Test(forks, a_branch_without_a_result_runs_again_alone)
{
	struct job_result done = { .outcome = JOB_DONE };

	begin(P WARM WAYS, NOBODY);
	sweep.tasks[0].stage = sweep.tasks[1].stage = UNDER_WAY;
	sweep.tasks[2].stage = WAITING; /* it could not go with them */
	cr_expect(forks_collect(&sweep, 0, &done), "the leader's own result counts");
	expect_leaders("- - -");
	cr_expect_eq(sweep.tasks[0].stage, UNDER_WAY);
	cr_expect_eq(sweep.tasks[1].stage, WAITING);
	cr_expect_eq(sweep.tasks[2].stage, WAITING);
	cr_expect(forks_collect(&sweep, 1, &done), "who led nobody ended for itself");
}
