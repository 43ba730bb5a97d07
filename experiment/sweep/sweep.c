/* experiment/sweep/sweep.c -- the loop of a sweep: submit, poll, collect, store. */
#include "sim/base/host_clock.h"
#include "experiment/files.h"
#include "experiment/paths.h"
#include "experiment/stop.h"
#include "experiment/sweep/sweep_internal.h"
#include "experiment/sweep/watch.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define POLL_MS     500
#define AT_A_TIME   1000 /* jobs submitted together, and ends collected */
#define ELSEWHERE_S 0.3  /* how long until a job that another sweep runs is looked at again */

const char *sweep_name_of(const struct sweep *s, size_t job)
{
	return s->plan->jobs[job].hash.text;
}

char *sweep_folder_of(const struct sweep *s, size_t job)
{
	return file_path(s->options->work, sweep_name_of(s, job));
}

static const char *label_of(const struct sweep *s, size_t job)
{
	return s->plan->programs[s->plan->jobs[job].program].label;
}

static size_t job_named(const struct sweep *s, const char *name)
{
	for (size_t i = 0; i < s->plan->job_count; i++)
		if (sweep_name_of(s, i) == name)
			return i;
	bug("an engine speaks of a job that it was not given: %s", name);
}

/* -- ends -- */

/* The job is settled, by us (ran) or by another sweep. */
static void settle_job(struct sweep *s, size_t job, enum stored_state state, bool ran)
{
	s->tasks[job].stage = ENDED;
	s->stored[job].state = state;
	s->left--;
	s->counts->done += state == STORED_DONE;
	s->counts->failed += state == STORED_FAILED;
	s->counts->run_now += ran;
	forks_release(s, job);
	sweep_progress_ended(&s->progress, ran);
}

void sweep_wait_again(struct sweep *s, size_t job, double delay)
{
	s->tasks[job].stage = WAITING;
	s->tasks[job].not_before = host_seconds() + delay;
	if (job < s->next)
		s->next = job;
}

/* What the job is from now on. Who was killed or stopped is run again, a few times. */
static enum stored_state job_verdict(struct sweep *s, size_t job, struct job_result *r)
{
	char message[sizeof(r->message)];

	if (r->outcome == JOB_DONE)
		return STORED_DONE;
	if (r->outcome == JOB_FAILED)
		return STORED_FAILED;
	if (s->tasks[job].attempts++ < s->plan->file->retries)
		return STORED_OPEN;
	snprintf(message, sizeof(message), "%.480s (attempt %u of %u)", r->message, s->tasks[job].attempts,
		s->plan->file->retries + 1);
	snprintf(r->message, sizeof(r->message), "%s", message);
	return STORED_FAILED;
}

/* Whether a limit may leave all launches of a kernel of the job without timing. */
static bool may_leave_kernels(const struct sweep *s, size_t job)
{
	return s->plan->file->allow_untimed_kernels ||
		s->plan->programs[s->plan->jobs[job].program].item->allow_untimed_kernels;
}

/* Stores how a job ended, and goes on from there. */
static void sweep_take_result(struct sweep *s, size_t job, struct job_result *result)
{
	char *folder = sweep_folder_of(s, job), *out = file_path(folder, "out");
	enum stored_state state = job_verdict(s, job, result);
	bool ended_well = result->outcome == JOB_DONE;

	s->failed |= !sweep_store_result(s->store, s->stored[job].id, s->options->engine->name, result, out,
		state, may_leave_kernels(s, job), s->diags);
	state = s->failed ? STORED_UNKNOWN : sweep_store_state(s->store, s->stored[job].id, s->diags);
	if (state == STORED_DONE && !s->options->keep)
		job_remove(folder);
	if (state == STORED_FAILED && ended_well)
		file_remove(folder, "result"); /* its statistics are unreadable: --retry runs it anew */
	if (state == STORED_OPEN || state == STORED_FAILED)
		sweep_progress_say(&s->progress, "%s: %s%s", label_of(s, job), result->message,
			state == STORED_OPEN ? "; it is run again" : "");
	if (state == STORED_FAILED)
		sweep_watch_failed(s->watch, sweep_name_of(s, job), label_of(s, job), result->message);
	if (state == STORED_OPEN)
		sweep_wait_again(s, job, 0);
	else if (state != STORED_UNKNOWN)
		settle_job(s, job, state, true);
	free(out);
	free(folder);
}

static void collect_results(struct sweep *s, const char *name)
{
	size_t job = job_named(s, name);
	struct job_result result;

	s->options->engine->collect(s->engine, name, &result);
	if (!forks_collect(s, job, &result))
		return;
	if (result.outcome == JOB_LOST && result.status == JOB_BUSY)
		sweep_wait_again(s, job, ELSEWHERE_S);
	else
		sweep_take_result(s, job, &result);
}

/* -- beginnings -- */

/* Whether another sweep has settled the job meanwhile. */
bool sweep_is_synced_elsewhere(struct sweep *s, size_t job)
{
	enum stored_state state = sweep_store_state(s->store, s->stored[job].id, s->diags);

	if (state == STORED_OPEN)
		return false;
	s->failed |= state == STORED_UNKNOWN;
	if (state != STORED_UNKNOWN)
		settle_job(s, job, state, false);
	return true;
}

/* The job's folder is made. */
static enum job_ready prepare_alone(struct sweep *s, size_t job)
{
	struct job_limits limits = { s->plan->file->seconds, s->plan->file->mebibytes };
	char *folder = sweep_folder_of(s, job), *out = file_path(folder, "out");
	char **arguments = plan_arguments(s->plan, &s->plan->jobs[job], out);
	enum job_ready ready = job_prepare(folder, arguments, NULL, limits, s->diags);

	free(arguments);
	free(out);
	free(folder);
	return ready;
}

/* false: it need not be submitted now. */
static bool prepare_job(struct sweep *s, size_t job)
{
	enum job_ready ready = s->tasks[job].leader == job ? forks_prepare(s, job) : prepare_alone(s, job);

	s->failed |= ready == JOB_CANNOT;
	if (ready == JOB_RUNS_NOW)
		sweep_wait_again(s, job, ELSEWHERE_S);
	return ready == JOB_READY;
}

static bool adopt(struct sweep *s, size_t job)
{
	const struct engine_class *e = s->options->engine;

	if (!e->reattach || !e->reattach(s->engine, sweep_name_of(s, job)))
		return false;
	s->tasks[job].stage = UNDER_WAY;
	s->tasks[job].since = host_seconds();
	return true;
}

/* A job may have ended well under a sweep that was killed before it had stored it. */
bool sweep_has_result(struct sweep *s, size_t job)
{
	char *folder = sweep_folder_of(s, job);
	struct job_result result;
	bool is_done = job_result_read(folder, &result) && result.outcome == JOB_DONE;

	free(folder);
	if (is_done)
		sweep_take_result(s, job, &result);
	return is_done;
}

/* Waiting jobs, at most `most`, ready to be submitted. */
static size_t choose_waiting_jobs(struct sweep *s, size_t most, size_t *chosen)
{
	double t = host_seconds();
	size_t n = 0;

	while (s->next < s->plan->job_count && s->tasks[s->next].stage != WAITING)
		s->next++;
	for (size_t i = s->next; i < s->plan->job_count && n < most && !s->failed; i++) {
		bool waits =
			s->tasks[i].stage == WAITING && s->tasks[i].not_before <= t && !forks_follows(s, i);

		if (waits && !sweep_is_synced_elsewhere(s, i) && !adopt(s, i) && prepare_job(s, i) &&
			!sweep_has_result(s, i))
			chosen[n++] = i;
	}
	return n;
}

static void submit_jobs(struct sweep *s)
{
	const struct engine_class *e = s->options->engine;
	size_t room = e->room(s->engine), chosen[AT_A_TIME], count, submitted = 0;
	const char *names[AT_A_TIME];

	count = room ? choose_waiting_jobs(s, room < AT_A_TIME ? room : AT_A_TIME, chosen) : 0;
	for (size_t i = 0; i < count; i++)
		names[i] = sweep_name_of(s, chosen[i]);
	if (!count || s->failed)
		return;
	s->failed |= !e->submit(s->engine, names, count, &submitted, s->diags);
	for (size_t i = 0; i < submitted; i++) {
		s->tasks[chosen[i]].stage = UNDER_WAY;
		s->tasks[chosen[i]].since = host_seconds();
	}
	sweep_watch_update(s->watch);
}

/* -- the loop -- */

static void loop(struct sweep *s)
{
	const char *ended[AT_A_TIME];

	while (s->left && !s->failed && !stop_signal()) {
		size_t n;

		submit_jobs(s);
		if (!s->left || s->failed || stop_signal())
			break;
		n = s->options->engine->poll(s->engine, POLL_MS, ended, AT_A_TIME);
		for (size_t i = 0; i < n && !s->failed; i++)
			collect_results(s, ended[i]);
		sweep_watch_update(s->watch);
		sweep_progress_show(&s->progress);
	}
}

/* What a sweep left that was killed after it had stored a result. */
static void remove_done(struct sweep *s)
{
	size_t count;
	char **names = paths_list(s->options->work, "", &count);

	for (size_t i = 0; i < count && !s->options->keep; i++) {
		char *folder = file_path(s->options->work, names[i]);

		if (store_number(s->store, s->diags, 0,
			    "SELECT 1 FROM jobs WHERE hash = ? AND state = 'done'", "t", names[i]))
			job_remove(folder);
		free(folder);
	}
	paths_list_free(names, count);
}

/* A job of another sweep, which permits what this one does not. */
static void check_done(struct sweep *s, size_t job)
{
	char *kernel = may_leave_kernels(s, job)
		? NULL
		: sweep_untimed_kernel(s->store, s->stored[job].id, s->diags);

	if (kernel)
		diag_error(s->diags, NULL,
			"%s: kernel %s was never timed in a job that is done already: a limit "
			"(gpu.timing_limit) "
			"ended the timing before its first launch; 'allow_untimed_kernels: true' permits "
			"this",
			label_of(s, job), kernel);
	s->failed |= kernel != NULL;
	free(kernel);
}

static void begin_tasks(struct sweep *s)
{
	for (size_t i = 0; i < s->plan->job_count; i++)
		if (s->stored[i].state == STORED_DONE)
			check_done(s, i);
	for (size_t i = 0; i < s->plan->job_count; i++) {
		enum stored_state state = s->stored[i].state;

		s->tasks[i].stage = state == STORED_OPEN ? WAITING : ENDED;
		s->tasks[i].leader = NO_JOB;
		s->left += state == STORED_OPEN;
		s->counts->done += state == STORED_DONE;
		s->counts->failed += state == STORED_FAILED;
	}
}

static void run_open(struct sweep *s)
{
	const struct sweep_options *o = s->options;
	struct engine_options engine = { .self = s->plan->self,
		.work = o->work,
		.at_once = o->at_once,
		.seconds = s->plan->file->seconds,
		.mebibytes = s->plan->file->mebibytes,
		.arguments = o->engine_arguments };

	s->engine = o->engine->open(&engine, s->diags);
	if (!s->engine) {
		s->failed = true;
		return;
	}
	forks_find(s);
	sweep_progress_begin(&s->progress, s->plan->job_count, s->counts->done + s->counts->failed, o->quiet);
	if (o->monitor && !(s->watch = sweep_watch_start(s, o->monitor, s->diags)))
		s->failed = true;
	stop_begin();
	loop(s);
	s->counts->interrupted = stop_signal();
	if (stop_signal() || s->failed)
		o->engine->cancel(s->engine);
	stop_end();
	sweep_progress_end(&s->progress);
	sweep_watch_stop(s->watch);
	o->engine->close(s->engine);
}

/* MiB that the file system of a path has left; the path's folder, if it is not there itself. */
static double free_mebibytes(const char *path)
{
	char *folder = xstrdup(path), *slash;
	struct statvfs fs;
	int code;

	while ((code = statvfs(folder, &fs)) && (slash = strrchr(folder, '/')) && slash != folder)
		*slash = 0;
	if (code && !strchr(folder, '/'))
		code = statvfs(".", &fs);
	free(folder);
	return code ? 0 : (double)fs.f_bavail * (double)fs.f_frsize / 1048576;
}

static bool has_disk_room(const char *path, double mebibytes, struct diag_list *diags)
{
	double left = free_mebibytes(path);

	if (left >= mebibytes)
		return true;
	diag_error(diags, NULL, "%s: its file system has %.1f MiB left, and the results need about %.1f",
		path, left, mebibytes);
	return false;
}

/* Whether folder and files can be made is found before the first job, and whether the results fit. Of a job
 * about 12 KiB stay in the database, and as many in its journal and in CSV; its own folder takes below 1 MiB
 * while it is there. */
static bool check_room(const struct sweep_options *o, size_t jobs, struct diag_list *diags)
{
	double results = (double)jobs * 24 / 1024,
	       folders = (double)(o->keep || jobs < o->at_once ? jobs : o->at_once);

	return has_disk_room(o->database, results, diags) && has_disk_room(o->work, folders, diags);
}

bool sweep_run(const struct sweep_plan *plan, const struct sweep_options *options,
	struct sweep_counts *counts, struct diag_list *diags)
{
	struct sweep s = { .plan = plan, .options = options, .counts = counts, .diags = diags };
	long long sweep = 0;

	*counts = (struct sweep_counts){ 0 };
	s.stored = xcalloc(plan->job_count, sizeof(*s.stored));
	s.tasks = xcalloc(plan->job_count, sizeof(*s.tasks));
	s.store =
		folder_make(options->work, diags) ? store_open(options->database, STORE_WRITE, diags) : NULL;
	s.failed = !s.store || !(sweep = sweep_store_plan(s.store, plan, options->retry, s.stored, diags));
	if (!s.failed) {
		remove_done(&s);
		begin_tasks(&s);
		counts->begun = !s.failed && check_room(options, s.left, diags);
		s.failed = !counts->begun;
		if (s.left && counts->begun)
			run_open(&s);
		s.failed |= !sweep_derived_store(s.store, plan, sweep, diags);
		counts->open = s.left;
	}
	if (!s.failed && !counts->interrupted && !options->keep)
		rmdir(options->work); /* if nothing failed */
	store_close(s.store);
	free(s.stored);
	free(s.tasks);
	return !s.failed;
}
