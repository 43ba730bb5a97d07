/* tests/unit/experiment/plan_rig.h -- sweep files over small programs of the test's own, and their plans. */
#ifndef TESTS_EXPERIMENT_PLAN_RIG_H
#define TESTS_EXPERIMENT_PLAN_RIG_H

#include "experiment/paths.h"
#include "experiment/sweep/plan/plan.h"
#include "tests/unit/experiment/rig.h"

static struct sweep_file *file;
static struct sweep_plan *plan;

static inline void plan_forget(void)
{
	sweep_plan_free(plan);
	sweep_file_free(file);
	plan = NULL;
	file = NULL;
}

/* A configuration of Lockstep, beside the sweep file: within the tests' program the library does not know
 * where it stands. */
static inline void link_config(const char *name, const char *as)
{
	char *folder = paths_configs(), target[4096];

	cr_assert_not_null(folder);
	snprintf(target, sizeof(target), "%s/%s.yaml", folder, name);
	cr_assert_eq(symlink(target, at(as)), 0);
	free(folder);
}

/* Programs p and q, their input; a machine's name is as good as another to them. */
static inline void plan_start(void)
{
	rig_start();
	put_program("p", "#!/bin/sh\nexit 0\n");
	put_program("q", "#!/bin/sh\nexit 1\n");
	put("in", "1 2 3\n");
	link_config("gtx480", "gtx480");
	link_config("gtx480", "gtx480.yaml"); /* the base of the next */
	link_config("gtx470", "gtx470");
}

static inline void plan_stop(void)
{
	plan_forget();
	rig_stop();
}

/* NULL, with what was told, where it is refused. */
static inline struct sweep_plan *plan_of(const char *text)
{
	plan_forget();
	put("s.yaml", text);
	file = sweep_file_read(at("s.yaml"), &diags);
	plan = file ? sweep_plan_make(file, &diags) : NULL;
	return plan;
}

static inline void plan_or_fail(const char *text)
{
	if (!plan_of(text))
		expect_told("");
	cr_assert_not_null(plan, "%s", text);
	expect_told("");
}

#endif
