/* experiment/sweep/forks.c -- jobs that begin alike. Where the first launches of a program are executed
 * without timing (gpu.warmup.kernels), what differs between machines does not matter up to there, but for
 * device memory and the code of kernels. So jobs of one program whose machines agree in these are one
 * process, which forks behind the warm-up: each branch goes on with the machine of its job. With the key
 * `at` machines that differ only in what changes there are one process up to that point. Statistics are those
 * of separate runs, to the byte. What cannot be a branch runs alone. */
#include "experiment/files.h"
#include "experiment/sweep/sweep_internal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <unistd.h>

#define KERNELS "gpu.warmup.kernels = "

/* -- which jobs begin alike -- */

static bool begins_with(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* What a machine's parameters must be for it to be a branch of another. */
static bool is_of_beginning(const char *line)
{
	return begins_with(line, "gpu.memory ") || begins_with(line, "gpu.warmup.") ||
		begins_with(line, "frontend.");
}

/* Launches without timing; 0: none, or what a branch cannot have. */
static uint64_t warmup(const struct sweep_plan *plan, const struct plan_job *job)
{
	const char *text = plan->machines[job->machine].text, *line = strstr(text, KERNELS);

	if (plan->file->series || !line || (line != text && line[-1] != '\n'))
		return 0;
	return strtoull(line + strlen(KERNELS), NULL, 10);
}

static void add_beginning_of_text(struct hasher *h, const char *machine)
{
	char *text = xstrdup(machine), *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (is_of_beginning(line))
			hasher_add_text(h, line);
	free(text);
}

/* Jobs with the same hash begin alike: up to file->at, or to the end of the warm-up. */
static struct hash beginning(const struct sweep_plan *plan, const struct plan_job *job)
{
	const struct sweep_machine *m = &plan->machines[job->machine];
	char number[48];
	struct hasher h;

	hasher_init(&h);
	for (size_t i = 0; plan->file->at && m->arguments[i]; i++)
		hasher_add_text(&h, m->arguments[i]);
	if (!plan->file->at)
		add_beginning_of_text(&h, m->text);
	for (const char **word = m->words; *word; word++)
		hasher_add_text(&h, *word);
	snprintf(number, sizeof(number), "program %zu, limit %d", job->program,
		plan->programs[job->program].limit != 0);
	hasher_add_text(&h, number);
	hasher_add_text(&h, job->seed ? job->seed : "");
	return hasher_end(&h);
}

/* Of many jobs that begin alike so many are a group that all places have work. */
static size_t most_of_group(const struct sweep *s)
{
	size_t most = (s->left + s->options->at_once - 1) / s->options->at_once;

	return most < 2 ? 2 : most;
}

/* Those behind the first that begin as it does. */
static void gather_followers(struct sweep *s, size_t leader, struct hash *begins)
{
	size_t members = 1, most = most_of_group(s);

	for (size_t i = leader + 1; i < s->plan->job_count && members < most; i++) {
		if (s->tasks[i].stage != WAITING || s->tasks[i].leader != NO_JOB || !*begins[i].text ||
			strcmp(begins[i].text, begins[leader].text) != 0)
			continue;
		s->tasks[i].leader = leader;
		members++;
	}
	if (members > 1)
		s->tasks[leader].leader = leader;
}

void forks_find(struct sweep *s)
{
	const struct sweep_plan *plan = s->plan;
	struct hash *begins = xcalloc(plan->job_count + 1, sizeof(*begins));

	for (size_t i = 0; i < plan->job_count && plan->file->forks; i++)
		if (plan->file->at || warmup(plan, &plan->jobs[i]))
			begins[i] = beginning(plan, &plan->jobs[i]);
	for (size_t i = 0; i < plan->job_count; i++)
		if (s->tasks[i].stage == WAITING && s->tasks[i].leader == NO_JOB && *begins[i].text)
			gather_followers(s, i, begins);
	free(begins);
}

bool forks_follows(const struct sweep *s, size_t job)
{
	return s->tasks[job].leader != NO_JOB && s->tasks[job].leader != job;
}

/* -- a group's folders -- */

/* The file with a branch's machine: what `lockstep run` would have as -c and --set. */
static char *branch_text(const struct sweep_plan *plan, const struct plan_job *job)
{
	char *const *words = plan->machines[job->machine].arguments, *text;
	const char *limit =
		plan->programs[job->program].limit ? plan->programs[job->program].limit_text : NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (size_t i = 0; words[i] && words[i + 1]; i += 2)
		fprintf(f, "%s %s\n", strcmp(words[i], "-c") ? "set" : "config", words[i + 1]);
	if (limit)
		fprintf(f, "set gpu.timing_limit.run_instructions=%s\n", limit);
	fclose(f);
	return text;
}

/* Whether the job waits, and its folder could be made. */
static bool prepare_branch(struct sweep *s, size_t job, char **file)
{
	struct job_limits limits = { s->plan->file->seconds, s->plan->file->mebibytes };
	char *folder = sweep_folder_of(s, job), *out = file_path(folder, "out");
	char **arguments = plan_arguments(s->plan, &s->plan->jobs[job], out),
	     *text = branch_text(s->plan, &s->plan->jobs[job]);
	bool fine = job_prepare(folder, arguments, NULL, limits, s->diags) == JOB_READY &&
		!sweep_has_result(s, job);

	*file = file_path(folder, "branch");
	fine = fine && file_replace(*file, text, strlen(text), s->diags);
	free(arguments);
	free(text);
	free(out);
	free(folder);
	return fine;
}

/* A list of words with more of them behind the third (lockstep run -q). */
struct words {
	char **items, **added;
	size_t added_count;
};

static void add_branch_word(struct words *w, char *word)
{
	w->added = xrealloc(w->added, (w->added_count + 2) * sizeof(*w->added));
	w->added[w->added_count++] = word;
	w->added[w->added_count] = NULL;
}

/* Its machine is in a file or, with a point, its changes there are in the machine. */
static void add_branch(struct words *w, const char *name, const char *file, const struct sweep_plan *plan,
	const struct plan_job *job)
{
	const char *then = plan->machines[job->machine].then;
	char *text = NULL;

	if (asprintf(&text, "%s:%s%s", name, plan->file->at ? "" : "@",
		    !plan->file->at ? file
			    : then  ? then
				    : "") < 0)
		bug("out of memory");
	add_branch_word(w, xstrdup("--branch"));
	add_branch_word(w, text);
}

/* Of the leader, which says it by itself if it changes there, too. */
static void add_branch_point(struct words *w, const struct sweep_plan *plan, const struct plan_job *job)
{
	char *text = NULL;

	add_branch_word(w, xstrdup("--branch-jobs"));
	add_branch_word(w, xstrdup("1"));
	if (plan->machines[job->machine].then)
		return;
	if (plan->file->at)
		text = xstrdup(plan->file->at);
	else if (asprintf(&text, "kernel:%" PRIu64, warmup(plan, job) + 1) < 0)
		bug("out of memory");
	add_branch_word(w, xstrdup("--at"));
	add_branch_word(w, text);
}

static enum job_ready prepare_leader(
	struct sweep *s, size_t leader, const struct words *w, const char *const *names, size_t members)
{
	struct job_limits limits = { s->plan->file->seconds * (uint32_t)(members + 1),
		s->plan->file->mebibytes };
	char *folder = sweep_folder_of(s, leader), *out = file_path(folder, "out");
	char **own = plan_arguments(s->plan, &s->plan->jobs[leader], out), **all;
	size_t count = 0;
	enum job_ready ready;

	while (own[count])
		count++;
	all = xcalloc(count + w->added_count + 1, sizeof(*all));
	memcpy(all, own, 3 * sizeof(*all));
	memcpy(all + 3, w->added, w->added_count * sizeof(*all));
	memcpy(all + 3 + w->added_count, own + 3, (count - 3) * sizeof(*all));
	ready = job_prepare(folder, all, names, limits, s->diags);
	free(all);
	free(own);
	free(out);
	free(folder);
	return ready;
}

/* The first job is not submitted yet: nor are the others. */
static void wait_for_leader(struct sweep *s, size_t leader)
{
	for (size_t i = leader + 1; i < s->plan->job_count; i++)
		if (s->tasks[i].leader == leader && s->tasks[i].stage == UNDER_WAY)
			s->tasks[i].stage = WAITING;
}

enum job_ready forks_prepare(struct sweep *s, size_t leader)
{
	const char **names = xcalloc(s->plan->job_count + 1, sizeof(*names));
	struct words w = { 0 };
	size_t members = 0;
	enum job_ready ready;

	add_branch_point(&w, s->plan, &s->plan->jobs[leader]);
	for (size_t i = leader + 1; i < s->plan->job_count && !s->failed; i++) {
		char *file = NULL;

		if (s->tasks[i].leader != leader)
			continue;
		if (s->tasks[i].stage == WAITING && !sweep_is_synced_elsewhere(s, i) &&
			prepare_branch(s, i, &file)) {
			s->tasks[i].stage = UNDER_WAY;
			names[members++] = sweep_name_of(s, i);
			add_branch(&w, names[members - 1], file, s->plan, &s->plan->jobs[i]);
		} else {
			s->tasks[i].leader = NO_JOB;
		}
		free(file);
	}
	if (!members)
		w.added_count = 0;
	ready = prepare_leader(s, leader, &w, members ? names : NULL, members);
	if (ready != JOB_READY)
		wait_for_leader(s, leader);
	for (size_t i = 0; w.added && w.added[i]; i++)
		free(w.added[i]);
	free(w.added);
	free(names);
	return ready;
}

/* -- its end -- */

static bool take_branch(struct sweep *s, size_t job)
{
	if (sweep_has_result(s, job))
		return true;
	sweep_wait_again(s, job, 0);
	return false;
}

void forks_release(struct sweep *s, size_t leader)
{
	if (s->tasks[leader].leader != leader)
		return;
	s->tasks[leader].leader = NO_JOB;
	for (size_t i = leader + 1; i < s->plan->job_count; i++) {
		if (s->tasks[i].leader != leader)
			continue;
		s->tasks[i].leader = NO_JOB;
		if (s->tasks[i].stage == UNDER_WAY)
			sweep_wait_again(s, i, 0);
	}
}

bool forks_collect(struct sweep *s, size_t leader, const struct job_result *result)
{
	size_t left = 0;

	if (s->tasks[leader].leader != leader)
		return true;
	for (size_t i = leader + 1; i < s->plan->job_count; i++) {
		if (s->tasks[i].leader != leader)
			continue;
		s->tasks[i].leader = NO_JOB;
		left += s->tasks[i].stage == UNDER_WAY && !take_branch(s, i);
	}
	s->tasks[leader].leader = NO_JOB;
	if (result->outcome == JOB_DONE)
		return true;
	sweep_progress_say(&s->progress,
		"%zu jobs that begin alike could not all be branches of one run, and run alone", left + 1);
	sweep_wait_again(s, leader, 0);
	return false;
}
