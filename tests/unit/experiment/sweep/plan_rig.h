/* tests/unit/experiment/sweep/plan_rig.h -- sweep files over small programs of the test's own, and their
 * plans. */
#ifndef TESTS_EXPERIMENT_PLAN_RIG_H
#define TESTS_EXPERIMENT_PLAN_RIG_H

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

/* Programs p and q, their input; a machine's name is as good as another to them. */
static inline void plan_start(void)
{
	rig_start();
	put_program("p", "#!/bin/sh\nexit 0\n");
	put_program("q", "#!/bin/sh\nexit 1\n");
	put("in", "1 2 3\n");
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
