/* tests/unit/experiment/engine/test_job.c -- jobs: how they end, how often they run, and who may run them. */
#include "experiment/engine/job.h"
#include "tests/unit/experiment/rig.h"
#include "tests/unit/hang_guard.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>

TestSuite(job, .init = rig_start, .fini = rig_stop);

static struct job_result result;

#define SH(text) ((char *[]){ (char *)"/bin/sh", (char *)"-c", (char *)(text), NULL })

static char *folder(void)
{
	return at("job-1");
}

static enum job_ready prepare(char *const *words, struct job_limits limits)
{
	return job_prepare(folder(), words, NULL, limits, &diags);
}

/* Prepares and runs; the outcome must be that one, in the file as well. */
static void expect_limited(char *const *words, struct job_limits limits, enum job_outcome outcome)
{
	int status;

	cr_assert_eq(prepare(words, limits), JOB_READY);
	status = job_run(folder());
	cr_expect_eq(status, outcome != JOB_DONE);
	cr_assert(job_result_read(folder(), &result));
	cr_expect_str_eq(job_outcome_names[result.outcome], job_outcome_names[outcome], "%s: %s", words[2],
		result.message);
}

static void expect(char *const *words, enum job_outcome outcome)
{
	expect_limited(words, (struct job_limits){ 0 }, outcome);
}

static void nap(int milliseconds)
{
	nanosleep(&(struct timespec){ .tv_nsec = milliseconds * 1000000L }, NULL);
}

enum { NAPS = HANG_SECONDS * 1000 / 5 }; /* of 5 ms: of something that hangs */

/* A file that the job writes. */
static void wait_for(const char *name)
{
	for (int i = 0; i < NAPS && access(at(name), F_OK); i++)
		nap(5);
	cr_assert_eq(access(at(name), F_OK), 0, "%s does not appear", name);
}

static pid_t run_beside(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(job_run(folder()));
	return child;
}

static int ended(pid_t child)
{
	int status = 0;

	cr_assert_eq(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool is_running(pid_t process)
{
	char path[64], state = 'X';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fscanf(f, "%*d %*s %c", &state) != 1)
		state = 'X';
	fclose(f);
	return state != 'Z' && state != 'X';
}

static pid_t process_in(const char *name)
{
	char *text = file_read(at(name), NULL);
	pid_t process = (pid_t)strtol(text, NULL, 10);

	free(text);
	cr_assert(process > 1);
	return process;
}

static void expect_gone(pid_t process)
{
	for (int i = 0; i < NAPS && is_running(process); i++)
		nap(5);
	cr_expect_not(is_running(process));
}

/* -- how it ends -- */

Test(job, a_command_that_ends_well_is_done_with_its_host_time_and_log)
{
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	expect(SH("echo hello; echo there >&2"), JOB_DONE);
	cr_expect_eq(result.status, 0);
	cr_expect_str_eq(result.message, "");
	cr_expect_str_eq(result.host, host);
	cr_expect(result.seconds >= 0 && result.seconds < HANG_SECONDS);
	cr_expect(result.peak_kib > 100);
	cr_expect(llabs(result.started - (long long)time(NULL)) < HANG_SECONDS);
	expect_content("job-1/log.txt", "hello\nthere\n");
}

Test(job, another_exit_status_is_told_with_the_last_words)
{
	expect(SH("echo first; echo last; echo; exit 3"), JOB_FAILED);
	cr_expect_eq(result.status, 3);
	cr_expect_str_eq(result.message, "exit status 3: last");
	expect(SH("exit 1"), JOB_FAILED);
	cr_expect_str_eq(result.message, "exit status 1: no word on why");
	expect(SH("echo; echo 'x.ptx:1: error: no'; echo 'see above'; exit 1"), JOB_FAILED);
	cr_expect_str_eq(result.message, "exit status 1: x.ptx:1: error: no");
	expect(SH("printf 'a\\tb\\033[1m \\001'; exit 1"), JOB_FAILED);
	cr_expect_str_eq(result.message, "exit status 1: a b [1m  ");
}

Test(job, long_last_words_are_cut)
{
	expect(SH("i=0; while [ $i -lt 2000 ]; do printf x; i=$((i+1)); done; exit 1"), JOB_FAILED);
	cr_expect_gt(strlen(result.message), 300);
	cr_expect_lt(strlen(result.message), sizeof(result.message));
}

Test(job, words_that_are_no_text_do_no_harm)
{
	expect(SH("printf 'a\\000b\\nc\\377\\n'; exit 1"), JOB_FAILED);
	cr_expect_str_eq(result.message, "exit status 1: a"); /* up to the NUL */
}

Test(job, a_crash_is_its_own_doing)
{
	expect(SH("echo word; kill -SEGV $$"), JOB_FAILED);
	cr_expect_eq(result.status, 128 + SIGSEGV);
	cr_expect_str_eq(result.message, "ended by signal 11 (Segmentation fault): word");
	expect(SH("kill -ABRT $$"), JOB_FAILED);
	expect(SH("kill -TRAP $$"), JOB_FAILED);
}

Test(job, somebody_elses_signal_is_not)
{
	expect(SH("echo word; kill -KILL $$"), JOB_KILLED);
	cr_expect_eq(result.status, 128 + SIGKILL);
	cr_expect_str_eq(result.message, "ended by signal 9 (Killed)");
	expect(SH("kill -TERM $$"), JOB_KILLED);
	expect(SH("exit 130"), JOB_KILLED);
	cr_expect_str_eq(result.message, "interrupted (exit status 130)");
}

Test(job, a_limit_of_time_ends_it)
{
	double before = (double)time(NULL);

	expect_limited(SH("sleep 10000"), (struct job_limits){ .seconds = 1 }, JOB_TIMEOUT);
	cr_expect_str_eq(result.message, "stopped after its limit of 1 s");
	cr_expect(result.seconds >= 1);
	cr_expect((double)time(NULL) - before < HANG_SECONDS);
}

/* A shell that holds 50 MB; one that holds less passes. */
Test(job, a_limit_of_memory_ends_it)
{
	static const char hold[] = "a=xxxxxxxxxx; for i in 1 2 3 4 5 6; do a=$a$a$a$a$a$a$a$a$a$a; [ ${#a} "
				   "-lt 10000000 ] || break; done; b=$a$a$a$a; sleep 10000; :";

	expect_limited(SH(hold), (struct job_limits){ .mebibytes = 8 }, JOB_MEMORY);
	cr_expect_str_eq(result.message, "stopped: it held more than its limit of 8 MiB");
	cr_expect_gt(result.peak_kib, 8 * 1024);
	expect_limited(
		SH("sleep 0.15"), (struct job_limits){ .mebibytes = 500, .seconds = HANG_SECONDS }, JOB_DONE);
}

Test(job, a_program_that_is_not_there_is_told)
{
	expect((char *[]){ at("none"), (char *)"x", (char *)"y", NULL }, JOB_FAILED);
	cr_expect_eq(result.status, 127);
	cr_expect_not_null(strstr(result.message, "none: cannot be run: No such file or directory"), "%s",
		result.message);
	put("text", "no program");
	expect((char *[]){ at("text"), (char *)"x", (char *)"y", NULL }, JOB_FAILED);
	cr_expect_eq(result.status, 126);
	cr_expect_not_null(
		strstr(result.message, "text: cannot be run: Permission denied"), "%s", result.message);
}

Test(job, children_left_behind_are_ended)
{
	char line[256];

	snprintf(line, sizeof(line), "sleep 60 & echo $! >%s", at("pid"));
	expect(SH(line), JOB_DONE);
	expect_gone(process_in("pid"));
}

/* -- words -- */

Test(job, words_arrive_as_they_were_given)
{
	char *words[] = { at("show"), (char *)"two  words ", (char *)"",
		(char *)"it's \"quoted\" $HOME `x` \\n", (char *)"word x", (char *)"seconds 1",
		(char *)"\xc3\xa4\t\x01\r", (char *)"-", NULL };

	put_program("show", "#!/bin/sh\nfor w; do printf '<%s>' \"$w\"; done\n");
	expect(words, JOB_DONE);
	expect_content("job-1/log.txt",
		"<two  words ><><it's \"quoted\" $HOME `x` \\n><word x><seconds 1><\xc3\xa4\t\x01\r><->");
}

Test(job, words_with_line_breaks_are_refused)
{
	cr_expect_eq(prepare(SH("echo a\necho b"), (struct job_limits){ 0 }), JOB_CANNOT);
	expect_told_of("a word of a job's command has a line break");
}

/* -- how often it runs -- */

Test(job, what_is_done_is_not_run_again)
{
	char line[256];

	snprintf(line, sizeof(line), "echo x >>%s", at("count"));
	expect(SH(line), JOB_DONE);
	cr_expect_eq(job_run(folder()), 0);
	expect(SH(line), JOB_DONE);
	expect_content("count", "x\n");
}

Test(job, what_failed_is_run_anew_from_nothing)
{
	char line[512];

	snprintf(line, sizeof(line),
		"echo x >>%s; [ ! -e %s ] || exit 9; mkdir -p %s/inner; echo y >>%s/inner/f; [ -e %s ]",
		at("count"), at("job-1/out"), at("job-1/out"), at("job-1/out"), at("go"));
	expect(SH(line), JOB_FAILED);
	cr_expect_eq(result.status, 1);
	cr_expect_eq(job_run(folder()), 1);
	cr_assert(job_result_read(folder(), &result));
	cr_expect_eq(result.status, 1, "the folder out was not emptied");
	put("go", "");
	expect(SH(line), JOB_DONE);
	expect_content("count", "x\nx\nx\n");
	expect_content("job-1/out/inner/f", "y\n");
}

Test(job, preparing_forgets_a_result_that_is_not_done)
{
	expect(SH("exit 1"), JOB_FAILED);
	cr_expect_eq(prepare(SH("exit 1"), (struct job_limits){ 0 }), JOB_READY);
	cr_expect_not(job_result_read(folder(), &result));
	cr_expect_eq(result.outcome, JOB_LOST);
}

Test(job, a_folder_without_a_job_is_none)
{
	cr_expect_eq(job_run(at("nothing")), 2);
	cr_expect_not(is_there(at("nothing")));
	cr_assert(folder_make(folder(), &diags));
	cr_expect_eq(job_run(folder()), 2);
	put("job-1/job", "seconds 5\nmebibytes 0\n");
	cr_expect_eq(job_run(folder()), 2);
}

Test(job, removing_removes_all)
{
	char line[256];

	snprintf(line, sizeof(line), "mkdir -p %s", at("job-1/out/a/b"));
	expect(SH(line), JOB_DONE);
	job_remove(folder());
	cr_expect_not(is_there(folder()));
	cr_expect_not(job_result_read(folder(), &result));
	cr_expect_eq(job_run(folder()), 2);
}

/* -- who may run it -- */

Test(job, while_one_process_runs_it_no_other_does)
{
	char line[256];
	pid_t first;

	snprintf(line, sizeof(line), "echo x >>%s; while [ ! -e %s ]; do sleep 0.02; done", at("started"),
		at("go"));
	cr_assert_eq(prepare(SH(line), (struct job_limits){ 0 }), JOB_READY);
	first = run_beside();
	wait_for("started");
	cr_expect_eq(job_run(folder()), JOB_BUSY);
	cr_expect_eq(prepare(SH("exit 1"), (struct job_limits){ 0 }), JOB_RUNS_NOW);
	expect_told("");
	put("go", "");
	cr_expect_eq(ended(first), 0);
	cr_expect_eq(job_run(folder()), 0);
	expect_content("started", "x\n");
}

Test(job, a_folder_that_cannot_be_locked_is_told_and_not_waited_for)
{
	cr_assert_eq(prepare(SH("exit 0"), (struct job_limits){ 0 }), JOB_READY);
	file_remove(folder(), "lock");
	cr_assert(folder_make(at("job-1/lock"), &diags));
	cr_expect_eq(job_run(folder()), 1);
	cr_expect_eq(prepare(SH("exit 0"), (struct job_limits){ 0 }), JOB_CANNOT);
	expect_told_of("cannot be locked: Is a directory");
}

Test(job, a_signal_to_the_job_ends_its_program_and_is_told)
{
	char line[256];
	pid_t job;

	snprintf(line, sizeof(line), "echo $$ >%s.new; mv %s.new %s; sleep 10000", at("pid"), at("pid"),
		at("pid"));
	cr_assert_eq(prepare(SH(line), (struct job_limits){ 0 }), JOB_READY);
	job = run_beside();
	wait_for("pid");
	kill(job, SIGTERM);
	cr_expect_eq(ended(job), 1);
	cr_assert(job_result_read(folder(), &result));
	cr_expect_eq(result.outcome, JOB_KILLED);
	cr_expect_str_eq(result.message, "stopped: the job got signal 15 (Terminated)");
	expect_gone(process_in("pid"));
}

Test(job, a_killed_job_takes_its_program_along_and_can_be_run_again)
{
	char line[256];
	pid_t job;

	snprintf(line, sizeof(line), "[ -e %s ] && exit 0; echo $$ >%s.new; mv %s.new %s; exec sleep 10000",
		at("pid"), at("pid"), at("pid"), at("pid"));
	cr_assert_eq(prepare(SH(line), (struct job_limits){ 0 }), JOB_READY);
	job = run_beside();
	wait_for("pid");
	kill(job, SIGKILL);
	cr_expect_eq(ended(job), 128 + SIGKILL);
	cr_expect_not(job_result_read(folder(), &result));
	expect_gone(process_in("pid"));
	cr_expect_eq(job_run(folder()), 0);
}

Test(job, ignored_ends_of_children_do_not_keep_it_waiting, HANG_GUARD)
{
	signal(SIGCHLD, SIG_IGN); /* as some who start programs leave it */
	expect(SH("exit 4"), JOB_FAILED);
	cr_expect_eq(result.status, 4);
}

/* -- results that are none -- */

Test(job, cut_results_are_none)
{
	char *text;
	size_t size;

	expect(SH("exit 0"), JOB_DONE);
	text = file_read(at("job-1/result"), &size);
	for (size_t i = 0; i < size; i++) {
		put_bytes("job-1/result", text, i);
		cr_expect_not(job_result_read(folder(), &result), "cut at %zu of %zu", i, size);
		cr_expect_eq(result.outcome, JOB_LOST);
	}
	put("job-1/result", text);
	cr_expect(job_result_read(folder(), &result));
	free(text);
}

Test(job, broken_results_are_none)
{
	static const char *const bad[] = { "outcome well\nstatus 0\nmessage \n", "status 0\nmessage \n",
		"outcome done\nmessage \nmore\n", "outcome done\nstatus x\nmessage \n",
		"outcome done\nseconds nan\nmessage \n", "\x01\x02\n", "message \n\n",
		"outcome done\nmessage \n\n" };

	cr_assert(folder_make(folder(), &diags));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		put("job-1/result", bad[i]);
		cr_expect_not(job_result_read(folder(), &result), "%s", bad[i]);
	}
}

Test(job, a_broken_result_has_the_job_run)
{
	expect(SH("exit 0"), JOB_DONE);
	put("job-1/result", "outcome done\n");
	cr_expect_eq(job_run(folder()), 0);
	cr_expect(job_result_read(folder(), &result));
}
