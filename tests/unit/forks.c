/* tests/unit/forks.c -- `unit --forks JOBS`: every test in a fork of this process, so many at a time.
 *
 * Criterion executes the program anew for each test, which loads and links some twenty libraries: under
 * AddressSanitizer most of the time of most tests. A fork begins with the same untouched state, because no
 * test runs in the parent, at a fraction of the cost. With any other argument Criterion runs the tests, with
 * all its options (--filter, --verbose, --xml ...).
 *
 * The executable's symbols go before the library's: what tests call of Criterion comes here, and goes on to
 * Criterion where this is no fork.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What Criterion's macros leave of each test and suite. Sanitizers pad it with zeros. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[], *__stop_cr_sts[];

struct run {
	const struct criterion_test *test;
	size_t parameter; /* its number, in parameterized tests */
	pid_t child;
};

/* the tests that took most of the host's time */
static struct slow {
	const struct criterion_test *test;
	double seconds;
} slowest[6];

static const struct criterion_test *test; /* in a fork: the test that it runs */
static const struct criterion_suite *suite;
static void *parameter;
static bool failed;
static jmp_buf aborted;

/* ---- in a fork: what tests call ---- */

#define CRITERION(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void criterion_send_assert(struct criterion_assert_stats *assert)
{
	if (!test) {
		CRITERION(criterion_send_assert)(assert);
		return;
	}
	if (!assert->passed) {
		fprintf(stderr, "%s:%u: %s/%s: %s\n", assert->file, assert->line, test->category, test->name,
			assert->message ? assert->message : "");
		failed = true;
	}
}

void criterion_abort_test(void)
{
	if (!test)
		CRITERION(criterion_abort_test)();
	longjmp(aborted, 1);
}

void criterion_continue_test(void)
{
	if (!test)
		CRITERION(criterion_continue_test)();
}

void cri_asserts_passed_incr(void)
{
	if (!test)
		CRITERION(cri_asserts_passed_incr)();
}

void criterion_internal_test_setup(void)
{
	if (!test) {
		CRITERION(criterion_internal_test_setup)();
		return;
	}
	if (suite && suite->data->init)
		suite->data->init();
	if (test->data->init)
		test->data->init();
}

void criterion_internal_test_main(void (*function)(void))
{
	if (!test) {
		CRITERION(criterion_internal_test_main)(function);
		return;
	}
	if (setjmp(aborted))
		return;
	if (parameter)
		((void (*)(void *))function)(parameter);
	else
		function();
}

void criterion_internal_test_teardown(void)
{
	if (!test) {
		CRITERION(criterion_internal_test_teardown)();
		return;
	}
	if (test->data->fini)
		test->data->fini();
	if (suite && suite->data->fini)
		suite->data->fini();
}

/* ---- the runs ---- */

__attribute__((no_sanitize("address"))) static const struct criterion_suite *suite_of(
	const struct criterion_test *t)
{
	for (struct criterion_suite **s = __start_cr_sts; s < __stop_cr_sts; s++)
		if (*s && !strcmp((*s)->name, t->category))
			return *s;
	return NULL;
}

static struct criterion_test_params parameters_of(const struct criterion_test *t)
{
	struct criterion_test_params none = { .length = 1 };

	return t->data->kind_ == CR_TEST_PARAMETERIZED ? t->data->param_() : none;
}

static void start(struct run *run)
{
	struct criterion_test_params p = parameters_of(run->test);

	fflush(NULL);
	run->child = fork();
	if (run->child < 0) {
		perror("fork");
		exit(1);
	}
	if (run->child)
		return;
	test = run->test;
	suite = suite_of(test);
	parameter = p.params ? (char *)p.params + run->parameter * p.size : NULL;
	alarm((unsigned)test->data->timeout);
	test->test();
	fflush(NULL);
	_exit(failed);
}

/* Whether a test ended as it should, and a line about it if it did not */
static bool ended_well(const struct criterion_test *t, int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (signal == t->data->signal && code == t->data->exit_code)
		return true;
	fprintf(stderr, "not ok: %s/%s (%s:%u): ", t->category, t->name, t->data->file_, t->data->line_);
	if (signal)
		fprintf(stderr, "ended by signal %d (%s)\n", signal, strsignal(signal));
	else
		fprintf(stderr, "exit status %d\n", code);
	return false;
}

static void note_time(const struct criterion_test *t, const struct rusage *used)
{
	struct slow now = { t,
		(double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
			1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) },
		    last;

	for (size_t i = 0; i < sizeof(slowest) / sizeof(*slowest); i++) {
		if (now.seconds <= slowest[i].seconds)
			continue;
		last = slowest[i];
		slowest[i] = now;
		now = last;
	}
}

/* Waits until one of the runs has ended; whether it ended well. Its place is free then. */
static bool one_ends(struct run *runs, unsigned jobs)
{
	struct rusage used;
	int status;
	pid_t child = wait4(-1, &status, 0, &used);

	for (unsigned i = 0; i < jobs; i++) {
		if (runs[i].child != child || child <= 0)
			continue;
		runs[i].child = 0;
		note_time(runs[i].test, &used);
		return ended_well(runs[i].test, status);
	}
	fprintf(stderr, "not ok: a child is lost\n");
	exit(1);
}

static unsigned free_place(const struct run *runs, unsigned jobs)
{
	unsigned i = 0;

	while (i < jobs && runs[i].child)
		i++;
	return i;
}

__attribute__((no_sanitize("address"))) static int run_in_forks(unsigned jobs)
{
	struct run *runs = calloc(jobs, sizeof(*runs));
	unsigned count = 0, bad = 0, busy = 0, place;

	for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++) {
		size_t length = *t && !(*t)->data->disabled ? parameters_of(*t).length : 0;

		for (size_t i = 0; i < length; i++) {
			if (busy == jobs) {
				bad += !one_ends(runs, jobs);
				busy--;
			}
			place = free_place(runs, jobs);
			runs[place] = (struct run){ *t, i, 0 };
			start(&runs[place]);
			busy++;
			count++;
		}
	}
	for (; busy; busy--)
		bad += !one_ends(runs, jobs);
	free(runs);
	printf("seconds of the slowest unit tests:");
	for (size_t i = 0; i < sizeof(slowest) / sizeof(*slowest) && slowest[i].test; i++)
		printf(" %s/%s %.1f", slowest[i].test->category, slowest[i].test->name, slowest[i].seconds);
	printf("\nunit: %u tests, %u failed\n", count, bad);
	return bad || !count;
}

int main(int argc, char **argv)
{
	struct criterion_test_set *tests;
	int status;

	if (argc == 3 && !strcmp(argv[1], "--forks") && atoi(argv[2]) > 0)
		return run_in_forks((unsigned)atoi(argv[2]));
	tests = criterion_initialize();
	status = criterion_handle_args(argc, argv, true) ? !criterion_run_all_tests(tests) : 0;
	criterion_finalize(tests);
	return status;
}
