/* Jobs that are branches of another one: what its process leaves for them becomes theirs. */
#include "experiment/engine/job_internal.h"
#include "tests/unit/experiment/rig.h"

TestSuite(job_branches, .init = rig_start, .fini = rig_stop);

/* What lockstep run with two branches leaves in its folder: one has ended well, the other has not. */
#define LEAVES \
	"cd %s/job-1 && mkdir -p out/job-2 out/job-3 && echo said >out/job-2/output.txt && " \
	"echo 2 >out/job-2/stats.txt && echo failed >out/job-3/output.txt && " \
	"echo 'job-2 0 1.5 2000' >out/branches.txt && echo 'job-3 1 0.1 100' >>out/branches.txt && " \
	"echo 'job-9 0 1 1' >>out/branches.txt"

/* text: a format with the place of the test's folder */
static void prepare(const char *name, const char *text, const char *const *branches)
{
	char script[1024], *words[] = { (char *)"/bin/sh", (char *)"-c", script, NULL };

	snprintf(script, sizeof(script), text, here);

	cr_assert_eq(job_prepare(at(name), words, branches, (struct job_limits){ 0 }, &diags), JOB_READY);
}

static void prepare_all(void)
{
	static const char *const names[] = { "job-2", "job-3", NULL };

	prepare("job-2", "true # %s", NULL);
	prepare("job-3", "true # %s", NULL);
	prepare("job-1", LEAVES, names);
}

static bool is_text(const char *name, const char *expected)
{
	char *text = file_read(at(name), NULL);
	bool is = text && !strcmp(text, expected);

	free(text);
	return is;
}

Test(job_branches, one_that_ended_well_has_its_result_and_its_files)
{
	struct job_result result;

	prepare_all();
	cr_assert_eq(job_run(at("job-1")), 0);
	cr_assert(job_result_read(at("job-2"), &result));
	cr_expect_eq(result.outcome, JOB_DONE);
	cr_expect_eq(result.status, 0);
	cr_expect_float_eq(result.seconds, 1.5, 1e-9, "its own, not the whole process's");
	cr_expect_eq(result.peak_kib, 2000);
	cr_expect(is_text("job-2/out/stats.txt", "2\n"));
	cr_expect(is_text("job-2/log.txt", "said\n"));
	cr_expect_not(is_there(at("job-1/out/job-2")));
}

Test(job_branches, one_that_did_not_end_well_has_none)
{
	struct job_result result;

	prepare_all();
	cr_assert_eq(job_run(at("job-1")), 0);
	cr_expect_not(job_result_read(at("job-3"), &result));
	cr_expect_not(is_there(at("job-9")));
}

Test(job_branches, one_that_is_done_already_is_left_alone)
{
	struct job_result result = { .outcome = JOB_DONE, .seconds = 7 };

	prepare_all();
	cr_assert(job_result_write(at("job-2"), &result));
	cr_assert_eq(job_run(at("job-1")), 0);
	cr_assert(job_result_read(at("job-2"), &result));
	cr_expect_float_eq(result.seconds, 7, 1e-9);
	cr_expect_not(is_there(at("job-2/out/stats.txt")));
}

Test(job_branches, one_that_another_process_runs_is_left_alone)
{
	struct job_result result;
	int lock;

	prepare_all();
	cr_assert_eq(job_lock(at("job-2"), &lock), JOB_READY);
	cr_assert_eq(job_run(at("job-1")), 0);
	cr_expect_not(job_result_read(at("job-2"), &result));
	cr_expect_not(is_there(at("job-2/out/stats.txt")));
	close(lock);
}

Test(job_branches, without_a_list_of_branches_there_are_no_results)
{
	static const char *const names[] = { "job-2", NULL };
	struct job_result result;

	prepare("job-2", "true # %s", NULL);
	prepare("job-1", "mkdir -p %s/job-1/out", names);
	cr_assert_eq(job_run(at("job-1")), 0);
	cr_expect_not(job_result_read(at("job-2"), &result));
}
