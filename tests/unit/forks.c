/* tests/unit/forks.c -- `unit --forks JOBS`: the tests of each folder in a fork of this process, one after
 * the other, so many folders at a time.
 *
 * Criterion executes the program anew for each test, which loads and links some twenty libraries, and even a
 * fork for each copies the page tables of AddressSanitizer's memory. A process ends with the first test that
 * fails, and those behind it go on in another. The failed one is repeated in a process of its own, which
 * decides: what it has found may be what another has left. A test that must end its process (.signal,
 * .exit_code) has one of its own anyway. With any other argument Criterion runs the tests, with all its
 * options
 * (--filter, --verbose, --xml ...).
 *
 * The executable's symbols go before the library's: what tests call of Criterion comes here, and goes on to
 * Criterion where this is no fork.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What Criterion's macros leave of each test and suite. Sanitizers pad it with zeros. */
extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[], *__stop_cr_sts[];

struct run {
	const struct criterion_test *test;
	size_t parameter; /* its number, in parameterized tests */
	enum { WAITS, BEGAN, PASSED, FAILED } state;
	double seconds; /* of processor time */
};
static struct run *runs; /* of all tests, shared with the forks */
static size_t run_count;

/* the runs from `next` to before `end`, of which a process makes those before `stop` */
struct job {
	size_t next, stop, end;
	pid_t child; /* 0: there is none */
};

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

static double processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- tests that could hang ---- */

static double hang_limit, seen_at;
static unsigned look_every;

/* Of processor time, so that a busy host decides nothing: a test hangs that has used up its limit, or nothing
 * since it was last looked at. */
static void look_for_hang(int signal)
{
	double now = processor_time();

	if (now < hang_limit && now > seen_at + 0.01) {
		seen_at = now;
		alarm(look_every);
		return;
	}
	sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
	raise(signal);
}

static void watch_for_hang(double limit)
{
	seen_at = processor_time();
	hang_limit = seen_at + limit;
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = look_for_hang, .sa_flags = SA_RESTART }, NULL);
	look_every = (unsigned)limit;
	alarm(look_every);
}

/* In a fork: whether the test has passed */
static bool run_test(struct run *run)
{
	struct criterion_test_params p = parameters_of(run->test);
	double began = processor_time();

	test = run->test;
	suite = suite_of(test);
	parameter = p.params ? (char *)p.params + run->parameter * p.size : NULL;
	failed = false;
	run->state = BEGAN;
	watch_for_hang(test->data->timeout);
	test->test();
	watch_for_hang(0);
	fflush(NULL);
	run->seconds = processor_time() - began;
	run->state = failed ? FAILED : PASSED;
	return !failed;
}

static void start(struct job *job)
{
	fflush(NULL);
	job->child = fork();
	if (job->child < 0) {
		perror("fork");
		exit(1);
	}
	if (job->child)
		return;
	for (size_t i = job->next; i < job->stop && run_test(&runs[i]); i++)
		;
	_exit(failed);
}

/* A line about a test that did not end as it should */
static void say_not_ok(const struct criterion_test *t, const char *why, int number, const char *name)
{
	fprintf(stderr, "not ok: %s/%s (%s:%u): %s %d %s\n", t->category, t->name, t->data->file_,
		t->data->line_, why, number, name);
}

/* Whether a test that ended its process did so as it should */
static bool ended_well(const struct criterion_test *t, int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;

	if (signal == t->data->signal && code == t->data->exit_code)
		return true;
	if (signal)
		say_not_ok(t, "ended by signal", signal, strsignal(signal));
	else
		say_not_ok(t, "exit status", code, "");
	return false;
}

static bool stands_alone(const struct criterion_test *t)
{
	return t->data->signal || t->data->exit_code;
}

/* The process of a job has ended with this status: false if a test has failed for good. */
static bool judge(struct job *job, int status)
{
	size_t first = job->next;
	const struct run *run;
	bool is_good = true;

	job->child = 0;
	while (job->next < job->stop && runs[job->next].state == PASSED &&
		!stands_alone(runs[job->next].test))
		job->next++;
	if (job->next < job->stop && job->stop - first > 1) {
		run = &runs[job->next];
		fprintf(stderr, "note: %s/%s is repeated in a process of its own\n", run->test->category,
			run->test->name);
		job->stop = job->next + 1;
		return true;
	}
	if (job->next < job->stop) {
		run = &runs[job->next++];
		is_good = ended_well(run->test, status) && run->state != FAILED;
	}
	job->stop = job->end;
	return is_good;
}

static struct job *job_of(struct job *jobs, unsigned count, pid_t child)
{
	for (unsigned i = 0; i < count; i++)
		if (jobs[i].child == child)
			return &jobs[i];
	return NULL;
}

static bool same_folder(const char *a, const char *b)
{
	size_t length = (size_t)(strrchr(a, '/') - a);

	return length == (size_t)(strrchr(b, '/') - b) && !strncmp(a, b, length);
}

/* The run before which a process that begins with `first` ends */
static size_t end_of_group(size_t first)
{
	const struct criterion_test *t = runs[first].test;
	size_t i = first + 1;

	while (!stands_alone(t) && i < run_count && !stands_alone(runs[i].test) &&
		same_folder(t->data->file_, runs[i].test->data->file_))
		i++;
	return i;
}

__attribute__((no_sanitize("address"))) static void find_runs(void)
{
	size_t room = 0;

	for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++)
		room += *t && !(*t)->data->disabled ? parameters_of(*t).length : 0;
	runs = mmap(
		NULL, (room + 1) * sizeof(*runs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (runs == MAP_FAILED)
		exit(1);
	for (struct criterion_test **t = __start_cr_tst; t < __stop_cr_tst; t++) {
		size_t length = *t && !(*t)->data->disabled ? parameters_of(*t).length : 0;

		for (size_t i = 0; i < length; i++)
			runs[run_count++] = (struct run){ *t, i, WAITS, 0 };
	}
}

static int by_time(const void *a, const void *b)
{
	double x = ((const struct run *)a)->seconds, y = ((const struct run *)b)->seconds;

	return (x < y) - (x > y);
}

static void print_slowest(void)
{
	qsort(runs, run_count, sizeof(*runs), by_time);
	printf("seconds of the slowest unit tests:");
	for (size_t i = 0; i < 6 && i < run_count; i++)
		printf(" %s/%s %.1f", runs[i].test->category, runs[i].test->name, runs[i].seconds);
}

/* Waits until a process ends; false if a test has failed for good. */
static bool one_ends(struct job *jobs, unsigned count)
{
	int status;
	struct job *job = job_of(jobs, count, wait(&status));

	if (!job) {
		fprintf(stderr, "not ok: a child is lost\n");
		exit(1);
	}
	return judge(job, status);
}

/* Starts a process for what is left of a job or, if nothing is, for the next group; false: there is none. */
static bool find_work(struct job *job, size_t *next)
{
	if (job->next == job->end) {
		if (*next == run_count)
			return false;
		job->next = *next;
		*next = job->stop = job->end = end_of_group(*next);
	}
	start(job);
	return true;
}

static int run_in_forks(unsigned count)
{
	struct job *jobs = calloc(count, sizeof(*jobs));
	size_t next = 0;
	unsigned bad = 0;

	find_runs();
	for (;;) {
		unsigned busy = 0;

		for (unsigned i = 0; i < count; i++)
			busy += jobs[i].child || find_work(&jobs[i], &next);
		if (!busy)
			break;
		bad += !one_ends(jobs, count);
	}
	free(jobs);
	print_slowest();
	printf("\nunit: %zu tests, %u failed\n", run_count, bad);
	return bad || !run_count;
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
