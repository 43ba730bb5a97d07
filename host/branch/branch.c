/* host/branch/branch.c -- the point of a run from which it goes on in several ways, and what happens there.
 */
#include "host/checkpoint/checkpoint.h"
#include "core/gpu/change.h"
#include "core/gpu/point.h"
#include "sim/files/folder.h"

#include <time.h>
#include <unistd.h>

static void (*on_branch)(struct session *session); /* in the process of a branch; NULL: nobody */
static bool is_branching;

bool session_is_branching(void)
{
	return is_branching;
}

void session_on_branch(void (*function)(struct session *session))
{
	on_branch = function;
}

/* -- in the process of a branch, or of the run itself -- */

/* Policies change at work. */
static bool apply_changes(struct session *s, const struct branch *branch, struct diag_list *diags)
{
	char note[400];

	if (!branch->is_changed)
		return true;
	if (!gpu_change(s->gpu, branch->config, diags))
		return false;
	snprintf(note, sizeof note, "from %s on: %s", s->branches->at, branch->changes);
	session_note(s, note);
	return true;
}

/* The machine becomes another one. The session before is left as it is: its files are the parent's. */
static struct session *succeed(
	struct session *s, struct branch *branch, const char *folder, struct diag_list *diags)
{
	picoseconds now = gpu_now(s->gpu);
	struct session *next = session_succeed(s, branch->config, branch->config_path, folder, diags);

	if (!next)
		return NULL;
	branch->config = NULL; /* the next one's */
	branch_launches_repeat(s->branches, next, now);
	session_forget(s);
	return next;
}

static bool is_untimed(const struct session *s)
{
	const struct session_branches *b = s->branches;

	return b->point == BRANCH_AT_KERNEL && !b->is_spoilt && !b->is_timed &&
		b->launch_count == s->launched;
}

static void fail_branch(const struct branch *branch, const struct diag_list *diags)
{
	diag_print(diags, stderr);
	fprintf(stderr, "lockstep: branch %s cannot go on from here\n", branch->name);
	fflush(NULL);
	_exit(1);
}

static void become_branch(struct session *s, struct branch *branch, const char *folder)
{
	struct session *next = s;
	struct diag_list diags;

	diag_init(&diags);
	run_records_forget(&s->records); /* its files are the parent's */
	if (branch->is_changed && is_untimed(s)) {
		next = succeed(s, branch, folder, &diags);
	} else if (branch->forbidden) {
		diag_error(&diags, NULL,
			"%s cannot change while kernels are timed: all launches before the point must be "
			"warm-up "
			"(--warmup)",
			branch->forbidden);
		next = NULL;
	} else if (!output_branch(s, folder, &diags) || !apply_changes(s, branch, &diags)) {
		next = NULL;
	}
	if (!next)
		fail_branch(branch, &diags);
	diag_fini(&diags);
	branch_is_ready();
	session_forked(next);
	if (on_branch)
		on_branch(next);
}

/* -- at the point -- */

static unsigned threads_of_process(void)
{
	char line[256];
	unsigned threads = 1;
	FILE *f = fopen("/proc/self/status", "re");

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "Threads: %u", &threads) == 1)
			break;
	if (f)
		fclose(f);
	return threads;
}

static double processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns true in a branch. */
static bool fork_all(struct session *s)
{
	struct session_branches *b = s->branches;

	for (size_t i = 0; i < b->count; i++) {
		double processor = processor_time();
		char *folder;
		bool is_child;

		if (asprintf(&folder, "%s/%s", s->output.folder, b->branches[i].name) < 0 ||
			!folder_make_all(folder))
			bug("%s cannot be made", folder);
		is_branching = true;
		is_child = branch_fork(s, &b->branches[i], folder);
		is_branching = false;
		if (is_child) {
			if (b->point != BRANCH_AT_KERNEL) /* gpu_advance is under way */
				gpu_forked(s->gpu, processor);
			become_branch(s, &b->branches[i], folder);
		}
		free(folder);
		if (is_child)
			return true;
	}
	return false;
}

static void wait_for_all(struct session *s)
{
	struct session_branches *b = s->branches;

	for (size_t i = 0; i < b->count; i++)
		if (b->branches[i].process)
			b->failed |= !branch_wait(s, &b->branches[i]);
}

static void save_checkpoint(struct session *s)
{
	struct session_branches *b = s->branches;
	struct diag_list diags;

	diag_init(&diags);
	if (!checkpoint_save(b->save, s, b->recording, &diags))
		b->failed = true;
	diag_print(&diags, stderr);
	diag_fini(&diags);
}

static void take_branches(void *user)
{
	struct session *s = user;
	struct session_branches *b = s->branches;
	struct diag_list diags;

	b->is_taken = true;
	if (b->save)
		save_checkpoint(s);
	if (b->count && threads_of_process() > 2) { /* one waits for Ctrl-C */
		fprintf(stderr, "lockstep: there are no branches: the program has several threads\n");
		b->failed = true;
	} else if (fork_all(s)) {
		return;
	}
	if (b->at_once)
		wait_for_all(s);
	if (!b->has_then)
		return;
	diag_init(&diags);
	if (!apply_changes(s, &b->branches[b->count], &diags)) {
		diag_print(&diags, stderr);
		b->failed = true;
	}
	diag_fini(&diags);
}

/* -- on the way -- */

void branches_begin(struct session *s)
{
	struct session_branches *b = s->branches;

	static const enum gpu_point_kind kinds[] = { [BRANCH_AT_CYCLE] = POINT_CYCLE,
		[BRANCH_AT_INSTRUCTIONS] = POINT_INSTRUCTIONS,
		[BRANCH_WITHIN] = POINT_WITHIN };

	if (b && b->point != BRANCH_AT_KERNEL)
		gpu_set_point(s->gpu,
			&(struct gpu_point){ .kind = kinds[b->point],
				.value = b->value,
				.launch = b->launch,
				.reached = take_branches,
				.user = s });
}

void session_before_launch(struct session *s)
{
	struct session_branches *b = s->branches;

	if (!b)
		return;
	if (b->point == BRANCH_AT_KERNEL && !b->is_taken && s->launched + 1 == b->value)
		take_branches(s);
}

void branches_launch_ended(struct session *s, const struct launch *launch, const struct launch_result *result)
{
	if (s->branches && !s->branches->is_taken)
		branch_launch_keep(s, launch, result);
}

void branches_unload(struct session *s)
{
	if (s->branches && s->branches->launch_count)
		s->branches->is_spoilt = true; /* a kernel of these may be gone */
}

bool branches_end(struct session *s)
{
	struct session_branches *b = s->branches;

	if (!b)
		return true;
	if (!b->is_taken) {
		fprintf(stderr, "lockstep: error: the run ended before %s: nothing has changed\n", b->at);
		b->failed = true;
	}
	wait_for_all(s);
	if (b->count && s->output.folder)
		b->failed |= !branches_list(s);
	return !b->failed;
}
