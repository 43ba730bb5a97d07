/* tests/unit/experiment/engine/test_slurm.c -- the Slurm engine with stand-ins for Slurm's programs: what
 * it asks them for, what it makes of their answers and refusals. tests/slurm has a real cluster. */
#include "experiment/files.h"
#include "experiment/engine/slurm.h"
#include "tests/unit/hang_guard.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- what the controller says -- */

Test(slurm_queue, takes_tasks_of_its_own_arrays_only)
{
	struct slurm_line line;

	cr_assert(slurm_parse_line("17|3|lockstep-abc-XyZ123", "lockstep-abc-", &line));
	cr_expect_eq(line.array, 17);
	cr_expect_eq(line.task, 3);
	cr_expect_str_eq(line.id, "XyZ123");
	cr_expect_not(slurm_parse_line("17|3|lockstep-abd-XyZ123", "lockstep-abc-", &line));
	cr_expect_not(slurm_parse_line("17|3|lockstep-abc-XyZ1234", "lockstep-abc-", &line));
	cr_expect_not(slurm_parse_line("17|N/A|lockstep-abc-XyZ123", "lockstep-abc-", &line));
	cr_expect_not(slurm_parse_line("", "lockstep-abc-", &line));
}

static struct job_result judged(const char *text, enum job_outcome before)
{
	struct job_result r = { .outcome = before, .message = "its own" };
	struct slurm_end end;

	slurm_parse_end(text, &end);
	slurm_judge(&end, "/work", "XyZ123", &r);
	return r;
}

#define JOB_(state, code) \
	"JobId=9 ArrayJobId=8 JobName=x JobState=" state " Reason=r ExitCode=" code \
	" ReqNodeList=(null) NodeList=n7 NumNodes=1\n"

Test(slurm_queue, says_why_a_job_ended)
{
	cr_expect_eq(judged(JOB_("TIMEOUT", "0:15"), JOB_KILLED).outcome, JOB_TIMEOUT);
	cr_expect_eq(judged(JOB_("DEADLINE", "0:15"), JOB_LOST).outcome, JOB_TIMEOUT);
	cr_expect_eq(judged(JOB_("OUT_OF_MEMORY", "0:125"), JOB_KILLED).outcome, JOB_MEMORY);
	cr_expect_eq(judged(JOB_("CANCELLED", "0:15"), JOB_LOST).outcome, JOB_KILLED);
	cr_expect_eq(judged(JOB_("PREEMPTED", "0:15"), JOB_LOST).outcome, JOB_KILLED);
	cr_expect_eq(judged(JOB_("NODE_FAIL", "0:0"), JOB_LOST).outcome, JOB_LOST);
	cr_expect_str_eq(
		judged(JOB_("NODE_FAIL", "0:0"), JOB_LOST).message, "Slurm gave up its node (n7, NODE_FAIL)");
	cr_expect_str_eq(
		judged(JOB_("FAILED", "1:0"), JOB_KILLED).message, "its own", "the job knows better");
	cr_expect(strstr(judged(JOB_("FAILED", "72:0"), JOB_LOST).message,
		"n7 does not see /work: the work folder must be on a file system"));
	cr_expect(strstr(judged(JOB_("FAILED", "127:0"), JOB_LOST).message,
		"the lockstep program cannot be run on n7"));
	cr_expect(strstr(judged(JOB_("FAILED", "137:0"), JOB_LOST).message, "ended by signal 9"));
	cr_expect_eq(judged(JOB_("FAILED", "137:0"), JOB_LOST).status, 137);
	cr_expect(strstr(judged(JOB_("FAILED", "0:9"), JOB_LOST).message, "ended by signal 9"));
	cr_expect(strstr(judged(JOB_("COMPLETED", "0:0"), JOB_LOST).message, "left no result in /work"));
	cr_expect(strstr(judged("", JOB_LOST).message, "no longer knows"));
}

/* -- stand-ins -- */

struct stand {
	char folder[64], work[96];
	struct diag_list diags;
	struct engine_options options;
	struct engine *engine;
};

static void program(const struct stand *s, const char *name, const char *text)
{
	char *path = file_path(s->folder, name);
	FILE *f = fopen(path, "w");

	cr_assert(f);
	fprintf(f, "#!/bin/sh\ncd %s\n[ \"$1\" != --version ] || exit 0\n%s\n", s->folder, text);
	fclose(f);
	chmod(path, 0755);
	free(path);
}

/* sbatch keeps its words, one a line, in `words`, and says 41; squeue prints the file `queue`, if there is
 * one. */
static void set_up(struct stand *s)
{
	char *path = NULL;

	*s = (struct stand){ .folder = "/tmp/lockstep-slurm-XXXXXX" };
	cr_assert(mkdtemp(s->folder));
	snprintf(s->work, sizeof(s->work), "%s/wo rk", s->folder);
	mkdir(s->work, 0777);
	cr_assert(asprintf(&path, "%s:/usr/bin:/bin", s->folder) > 0);
	setenv("PATH", path, 1);
	free(path);
	program(s, "sbatch", "for word; do echo \"$word\"; done >words; echo 41");
	program(s, "squeue", "[ ! -f queue ] || cat queue");
	program(s, "scontrol", "echo MaxArraySize = 4");
	program(s, "scancel", "echo \"$@\" >cancelled; rm -f queue");
	program(s, "sinfo", "echo elsewhere");
	diag_init(&s->diags);
	s->options = (struct engine_options){
		.self = "/bin/lock step", .work = s->work, .at_once = 2, .seconds = 61, .mebibytes = 800
	};
}

static void open_it(struct stand *s)
{
	s->engine = engine_find("slurm")->open(&s->options, &s->diags);
}

static void tear_down(struct stand *s)
{
	if (s->engine)
		engine_find("slurm")->close(s->engine);
	diag_fini(&s->diags);
	folder_remove(s->folder);
}

static const char *const jobs[] = { "a", "b", "c", "d", "e", "f" };

static size_t submit(struct stand *s, size_t count, bool is_fine)
{
	size_t submitted;

	for (size_t i = 0; i < count; i++) {
		char *folder = file_path(s->work, jobs[i]);

		mkdir(folder, 0777);
		free(folder);
	}
	cr_expect_eq(engine_find("slurm")->submit(s->engine, jobs, count, &submitted, &s->diags), is_fine);
	return submitted;
}

static char *kept(const struct stand *s, const char *name)
{
	char *path = file_path(s->folder, name), *text = file_read(path, NULL);

	free(path);
	cr_assert(text, "there is no %s", name);
	return text;
}

#define expect_words(s, ...) \
	do { \
		static const char *const lines[] = { __VA_ARGS__ }; \
		char *text = kept(s, "words"); \
		for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) \
			cr_expect(strstr(text, lines[i]), "no %s in %s", lines[i], text); \
		free(text); \
	} while (0)

Test(slurm_engine, asks_sbatch_for_an_array)
{
	struct stand s;
	char *note;

	set_up(&s);
	s.options.arguments = " --partition=long;rm  $HOME --account='x' ";
	open_it(&s);
	cr_assert(s.engine);
	cr_expect_eq(s.diags.warnings, 1, "a node elsewhere, and no shared file system");
	cr_expect_eq(submit(&s, 3, true), 3);
	expect_words(&s, "--no-requeue\n", "--time=4\n", "--mem=964M\n",
		"--partition=long;rm\n$HOME\n--account='x'\n", "--array=0-2%2\n", "--parsable\n",
		"--open-mode=append\n", "/script\n/bin/lock step\n", "wo rk\n");
	note = kept(&s, "wo rk/b/slurm");
	cr_expect_str_eq(note + 6, " 1\n");
	free(note);
	tear_down(&s);
}

Test(slurm_engine, arrays_beyond_the_limit_wait_for_those_before)
{
	struct stand s;

	set_up(&s);
	open_it(&s);
	cr_expect_eq(submit(&s, 6, true), 6);
	expect_words(&s, "--array=0-1\n", "--dependency=afterany:41\n");
	tear_down(&s);
}

Test(slurm_engine, a_site_that_takes_few_tasks_gets_few)
{
	struct stand s;

	set_up(&s);
	program(&s, "sbatch",
		"case \"$*\" in *--array=0-0*) [ -f taken ] || { touch taken; echo 5; exit 0; } ;; esac\n"
		"echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1");
	open_it(&s);
	cr_expect_eq(submit(&s, 3, true), 1);
	cr_expect_eq(engine_find("slurm")->room(s.engine), 0, "until one has ended");
	tear_down(&s);
}

Test(slurm_engine, a_refusal_is_told)
{
	struct stand s;

	set_up(&s);
	program(&s, "sbatch",
		"echo 'sbatch: error: invalid partition specified: x' >&2; echo 'sbatch: error: no' >&2; "
		"exit 1");
	open_it(&s);
	cr_expect_eq(submit(&s, 3, false), 0);
	cr_assert_eq(s.diags.errors, 1);
	cr_expect_str_eq(s.diags.items[s.diags.count - 1].message,
		"engine slurm: sbatch: sbatch: error: invalid partition specified: x sbatch: error: no");
	tear_down(&s);
}

/* sbatch was heard, and says it was not: the array is found by its name. */
Test(slurm_engine, an_array_that_sbatch_does_not_know_of_is_found)
{
	struct stand s;

	set_up(&s);
	program(&s, "sbatch",
		"for word; do case $word in --job-name=*) echo \"77|0|${word#--job-name=}\" >queue ;; esac; "
		"done\n"
		"echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1");
	open_it(&s);
	cr_expect_eq(submit(&s, 1, true), 1);
	engine_find("slurm")->cancel(s.engine);
	{
		char *text = kept(&s, "cancelled");

		cr_expect_str_eq(text, "--quiet 77\n");
		free(text);
	}
	tear_down(&s);
}

Test(slurm_engine, a_controller_that_comes_back_is_waited_for)
{
	struct stand s;
	const char *ended[4];
	struct job_result r;
	char *folder;

	set_up(&s);
	open_it(&s);
	cr_expect_eq(submit(&s, 1, true), 1);
	program(&s, "squeue",
		"[ -f back ] || { touch back; echo 'Unable to contact slurm controller' >&2; exit 1; }");
	program(&s, "scontrol", "echo 'x JobState=CANCELLED ExitCode=0:0'");
	cr_expect_eq(
		engine_find("slurm")->poll(s.engine, 100, ended, 4), 0, "not lost because nobody answers");
	folder = file_path(s.work, "a/result");
	cr_assert(file_replace(folder, "outcome done\nstatus 0\nmessage \n", 31, &s.diags));
	free(folder);
	cr_assert_eq(engine_find("slurm")->poll(s.engine, HANG_SECONDS * 1000, ended, 4), 1);
	cr_expect_eq(ended[0], jobs[0]);
	engine_find("slurm")->collect(s.engine, ended[0], &r);
	cr_expect_eq(r.outcome, JOB_DONE);
	tear_down(&s);
}

Test(slurm_engine, no_slurm_is_told_with_what_was_tried)
{
	struct stand s;
	char *path;

	set_up(&s);
	program(&s, "squeue",
		"echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; "
		"exit 1");
	open_it(&s);
	cr_expect_null(s.engine);
	cr_assert_eq(s.diags.errors, 1);
	cr_expect_str_eq(s.diags.items[0].message,
		"engine slurm: Slurm's controller does not answer; squeue says: "
		"slurm_load_jobs error: Unable to contact slurm controller (connect failure)");
	path = file_path(s.folder, "sbatch");
	unlink(path);
	free(path);
	setenv("PATH", s.folder, 1);
	open_it(&s);
	cr_assert_eq(s.diags.errors, 2);
	cr_expect_str_eq(s.diags.items[1].message,
		"engine slurm: 'sbatch --version': sbatch: No such file or directory");
	tear_down(&s);
}
