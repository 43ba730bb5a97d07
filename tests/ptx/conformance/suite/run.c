/* tests/ptx/conformance/suite/run.c -- forms into modules, modules onto the machine, results against the
 * reference.
 *
 * Forms with one head go into modules of up to MODULE_FORMS. A module that is refused is halved until the
 * forms at fault are alone. Forms that end in a fault run in a child process each: on a GPU a fault breaks
 * the process's context for good. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "run.h"

enum {
	MODULE_FORMS = 64,
	SHOWN = 3,
	SHOWN_VERBOSE = 24,
	PATTERNS = 4096,
	STOPPED = 99,
	DEAD = 2,
	NO_FORM = -1,
	SECONDS = 60
};

/* What the children leave behind. */
struct shared {
	struct tally tallies[TABLES];
	uint32_t current; /* the number of the form that runs, or ran last */
	uint32_t loading; /* the number of the first form of a module of several that is being loaded;
			     NO_FORM: none is */
	int error;        /* a CUresult; -1: the module was refused; -2: nothing came */
};

static struct shared *shared;
/* A module of several forms made a child crash: each is loaded alone from here on. */
static bool is_careful;

static void expect(const struct form *f, struct tuples *t)
{
	if (f->reference_all) {
		f->reference_all(f, t);
		return;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t in[FORM_INS] = { 0 }, out[FORM_OUTS] = { 0 };

		for (uint32_t k = 0; k < f->ins; k++)
			in[k] = t->in[k][i];
		t->is_open[i] = !f->reference(f, in, out);
		for (uint32_t k = 0; k < f->outs; k++)
			t->want[k][i] = out[k];
	}
}

static void print_value(enum type type, uint64_t bits)
{
	printf(" %0*llx", (int)(type_bits(type) == 8 ? 4 : (type_bits(type) + 3) / 4),
		(unsigned long long)bits);
	if (type == F32 || type == F64 || type == F16 || type == BF16)
		printf(" (%.9g)", value_of(type, bits));
}

static void print_wrong(const struct form *f, const struct tuples *t, uint32_t i, uint32_t k)
{
	printf("  [%u]", i);
	for (uint32_t j = 0; j < f->ins; j++)
		print_value(f->in[j], t->in[j][i]);
	printf(" gives");
	if (f->outs > 1)
		printf(" (result %u)", k);
	print_value(f->out[k], t->got[k][i]);
	printf(", not");
	print_value(f->compare[k] > COMPARE_NAN ? F64 : f->out[k], t->want[k][i]);
	putchar('\n');
}

/* Whether every result is right; prints the first ones that are not. */
static bool check_results(struct run *run, const struct form *f, const struct tuples *t)
{
	uint32_t wrong = 0, open = 0, shown = run->options->is_verbose ? SHOWN_VERBOSE : SHOWN;
	const char *property;

	for (uint32_t i = 0; i < t->count; i++) {
		if (t->is_open[i]) {
			open++;
			continue;
		}
		for (uint32_t k = 0; k < f->outs; k++) {
			if (is_right(f, k, t, i))
				continue;
			if (wrong == 0)
				printf("FAILED %s: %s\n", table_name(f), f->name);
			if (wrong++ < shown)
				print_wrong(f, t, i, k);
		}
	}
	if (wrong)
		printf("  %u of %u results are wrong\n", wrong, (t->count - open) * f->outs);
	if (open == t->count) {
		printf("FAILED %s: %s: nothing is compared\n", table_name(f), f->name);
		return false;
	}
	if (!wrong && f->property && (property = f->property(f, t))) {
		printf("FAILED %s: %s: %s\n", table_name(f), f->name, property);
		return false;
	}
	return wrong == 0;
}

static void count(const struct form *f, enum outcome outcome)
{
	struct tally *t = &shared->tallies[f->table];

	*(outcome == PASSED ? &t->passed : outcome == FAILED ? &t->failed : &t->refused) += 1;
}

static void run_form(struct run *run, CUmodule module, const struct form *f)
{
	struct tuples *t = tuples_new(f);
	const char *difference;
	char error[256];
	bool is_ok;

	shared->current = f->number;
	alarm(SECONDS);
	fflush(stdout);
	device_run(module, f, t, error, sizeof error);
	if (error[0]) {
		bool is_expected = refused_names(f);

		if (!is_expected || run->options->is_verbose)
			printf("%s %s: %s: %s\n", is_expected ? "refused" : "FAILED", table_name(f), f->name,
				error);
		refused_use(f);
		count(f, is_expected ? REFUSED : FAILED);
		fflush(NULL);
		_exit(STOPPED);
	}
	expect(f, t);
	is_ok = check_results(run, f, t);
	if (run->record)
		record_form(f, t);
	if (run->compare && (difference = compare_form(f, t))) {
		printf("DIFFERS %s: %s: %s\n", table_name(f), f->name, difference);
		is_ok = false;
	}
	count(f, is_ok ? PASSED : FAILED);
	tuples_free(t);
}

static void refuse(struct run *run, const struct form *f, const char *log)
{
	bool is_expected = !run->refused || refused_names(f);

	refused_use(f);
	if (!is_expected || run->options->is_verbose)
		printf("%s %s: %s: %.*s\n", is_expected ? "refused" : "FAILED (refused)", table_name(f),
			f->name, (int)strcspn(log, "\n"), log);
	count(f, is_expected ? REFUSED : FAILED);
}

static void run_list(struct run *run, struct form *const *list, uint32_t count)
{
	char log[1024];
	CUmodule module;

	alarm(10 * SECONDS);
	if (count == 1)
		shared->current = list[0]->number;
	else
		shared->loading = list[0]->number;
	module = device_load(list, count, log, sizeof log);
	shared->loading = (uint32_t)NO_FORM;
	if (!module && count == 1) {
		refuse(run, list[0], log);
		return;
	}
	if (!module) {
		run_list(run, list, count / 2);
		run_list(run, list + count / 2, count - count / 2);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		run_form(run, module, list[i]);
	device_unload(module);
}

static pid_t fork_child(const struct form *f)
{
	pid_t child;

	fflush(NULL);
	if ((child = fork()) < 0)
		die("no process for %s", f->name);
	return child;
}

/* A form that must end in a fault. */
static void run_fault(struct run *run, const struct form *f)
{
	int status;
	pid_t child;

	shared->error = -2;
	child = fork_child(f);
	if (child == 0) {
		if (!run->options->is_verbose && !freopen("/dev/null", "w", stderr))
			_exit(1);
		shared->error = device_fault(f);
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (shared->error == -1) {
		refuse(run, f, "not loaded");
		return;
	}
	if (shared->error != f->fault)
		printf("FAILED %s: %s: the launch returns %d, not %d\n", table_name(f), f->name,
			shared->error, f->fault);
	count(f, shared->error == f->fault ? PASSED : FAILED);
}

/* The wanted forms from *next on that go into one module with it; moves *next behind the last. */
static uint32_t gather(struct run *run, struct form **next, struct form **list)
{
	uint32_t count = 0;
	struct form *f = *next;

	for (; f && count < (is_careful ? 1 : MODULE_FORMS) && has_same_head(f, *next) && !form_is_alone(f);
		f = f->next)
		if (run->is_wanted(f))
			list[count++] = f;
	*next = f;
	return count;
}

/* The child's work: all forms from first on. */
static _Noreturn void run_from(struct run *run, struct form *first)
{
	struct form *list[MODULE_FORMS];

	device_open();
	for (struct form *next = first; next;) {
		uint32_t count;

		if (form_is_alone(next)) {
			next = next->next;
			continue;
		}
		count = gather(run, &next, list);
		if (count)
			run_list(run, list, count);
	}
	exit(0);
}

/* The form behind the one at which the child stopped. */
static struct form *behind_current(struct form *first)
{
	while (first && first->number <= shared->current)
		first = first->next;
	return first;
}

static struct form *form_at(uint32_t number)
{
	struct form *f = forms;

	while (f->number != number)
		f = f->next;
	return f;
}

/* What a child that ended early leaves to do: the form from which to go on. */
static struct form *after_stop(int status, struct form *first)
{
	const struct form *at = form_at(shared->current);

	if (WIFEXITED(status) && WEXITSTATUS(status) == STOPPED)
		return behind_current(first);
	if (shared->loading != (uint32_t)NO_FORM) {
		is_careful = true;
		return form_at(shared->loading);
	}
	printf("FAILED %s: %s: %s\n", table_name(at), at->name,
		WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the process ended");
	count(at, FAILED);
	return behind_current(first);
}

static void run_in_children(struct run *run)
{
	struct form *first = forms;

	while (first) {
		int status;
		pid_t child;

		if (!run->is_wanted(first)) {
			first = first->next;
			continue;
		}
		shared->current = first->number;
		shared->loading = (uint32_t)NO_FORM;
		child = fork_child(first);
		if (child == 0)
			run_from(run, first);
		waitpid(child, &status, 0);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			return;
		if (WIFEXITED(status) && WEXITSTATUS(status) == DEAD) /* it has said why */
			exit(DEAD);
		first = after_stop(status, first);
	}
}

struct tally *run_all(struct run *run)
{
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("no memory");
	if (run->refused)
		refused_read(run->refused);
	if (run->record && !record_open(run->record))
		die("%s: cannot be written", run->record);
	if (run->compare && !compare_open(run->compare))
		die("%s: cannot be read", run->compare);
	for (struct form *f = forms; f; f = f->next)
		if (form_is_alone(f) && run->is_wanted(f))
			run_fault(run, f);
	run_in_children(run);
	if (run->record && !record_close())
		die("%s: cannot be written", run->record);
	if (run->compare)
		compare_close();
	if (run->refused && !run->options->filter && !run->options->table && run->options->every == 1)
		refused_say_stale(run->refused);
	return shared->tallies;
}
