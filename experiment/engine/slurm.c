/* experiment/engine/slurm.c -- jobs as tasks of Slurm's job arrays. They live on when the sweep process dies,
 * and the next one takes charge of them again (experiment/engine/slurm.h says how it finds them). */
#include "experiment/engine/slurm.h"
#include "experiment/capture.h"
#include "experiment/files.h"
#include "experiment/hash.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <time.h>

#define RESULT_LOOK 0.25 /* seconds between looks for a result that is late */
#define PATIENCE    5.0  /* seconds between calls of sbatch while the controller is away */

#define CANCEL_MOST \
	120.0 /* seconds until we no longer wait for cancelled jobs to end (Slurm's KillWait is 30 unless it \
		 is told otherwise), */
#define CANCEL_AGAIN 15.0 /* and between calls of scancel */

double slurm_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Sleeps until then. false: a signal came. */
static bool slurm_sleep(double until)
{
	struct timespec t = { .tv_sec = (time_t)until,
		.tv_nsec = (long)((until - (double)(time_t)until) * 1e9) };

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0;
}

/* -- open and close -- */

static void split_words(struct slurm *s)
{
	char *text = xstrdup(s->options.arguments ? s->options.arguments : ""), *rest = text, *word;

	s->words = xcalloc(1, sizeof(*s->words));
	while ((word = strsep(&rest, " \t\n"))) {
		if (!*word)
			continue;
		s->words = xrealloc(s->words, (s->word_count + 2) * sizeof(*s->words));
		s->words[s->word_count++] = xstrdup(word);
		s->words[s->word_count] = NULL;
	}
	free(text);
}

static void slurm_close(struct engine *engine)
{
	struct slurm *s = (struct slurm *)engine;

	for (struct slurm_batch *b = s->batches, *next; b; b = next) {
		next = b->next;
		if (!b->open && b->seen != s->listing)
			slurm_batch_clean(s, b->id);
		free(b->tasks);
		free(b);
	}
	for (size_t i = 0; i < s->word_count; i++)
		free(s->words[i]);
	free(s->words);
	free(s->lines);
	free(s);
}

/* One work folder has one name, whatever path leads there. */
static void name_arrays(struct slurm *s)
{
	char *path = realpath(s->options.work, NULL);

	snprintf(
		s->name, sizeof(s->name), "lockstep-%.8s-", hash_of_text(path ? path : s->options.work).text);
	free(path);
}

static struct engine *slurm_open(const struct engine_options *options, struct diag_list *diags)
{
	struct slurm *s = xcalloc(1, sizeof(*s));

	s->options = *options;
	s->pause = SLURM_PAUSE_LEAST;
	name_arrays(s);
	split_words(s);
	if (slurm_check(s, diags)) {
		slurm_clean_old(s);
		return (struct engine *)s;
	}
	slurm_close((struct engine *)s);
	return NULL;
}

/* -- submit -- */

/* Nothing, until half has ended: arrays of many tasks, not one for each job that ends. */
static size_t slurm_room(struct engine *engine)
{
	struct slurm *s = (struct slurm *)engine;

	if (s->is_away || s->under_way > SLURM_MOST / 2 || (s->full_at && s->under_way >= s->full_at))
		return 0;
	return SLURM_MOST - s->under_way;
}

static bool says_any(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcasestr(text, *words))
			return true;
	return false;
}

/* sbatch failed because of what passes: the controller is being restarted, or has too much to do. */
static bool is_passing(const char *why)
{
	static const char *const words[] = { "unable to contact", "timed out", "temporarily", "zero bytes",
		"connection refused", "communication", "busy", NULL };

	return says_any(why, words);
}

/* The site limits how many jobs a user may have in the queue. */
static bool is_full(const char *why)
{
	static const char *const words[] = { "SubmitJobLimit", "job submit limit", "MaxSubmit", NULL };

	return says_any(why, words);
}

void slurm_say_away(struct slurm *s, const char *why)
{
	if (!s->is_away)
		fprintf(stderr, "lockstep: Slurm's controller does not answer; waiting for it (%s)\n", why);
	s->is_away = true;
}

/* One array, or several attempts at one. Fewer tasks than asked for if the site does not let us have so many:
 * 0 if none at all now. */
static bool submit_some(struct slurm *s, const char *const *jobs, uint32_t count, uint32_t *done, char **why)
{
	for (*done = 0;;) {
		bool was_away = s->is_away;

		if (slurm_submit_array(s, jobs, count, why)) {
			*done = count;
			s->full_at = 0;
			s->is_away = false;
			return true;
		}
		s->is_away = was_away;
		if (is_full(*why) && count > 1) {
			s->largest = count = count / 2;
		} else if (is_full(*why) && s->under_way) {
			s->full_at = s->under_way;
			return true;
		} else if (is_passing(*why)) {
			slurm_say_away(s, *why);
			if (!slurm_sleep(slurm_now() + PATIENCE))
				return false;
		} else {
			return false;
		}
		free(*why);
		*why = NULL;
	}
}

static bool slurm_submit(struct engine *engine, const char *const *jobs, size_t count, size_t *submitted,
	struct diag_list *diags)
{
	struct slurm *s = (struct slurm *)engine;

	for (*submitted = 0; *submitted < count;) {
		size_t rest = count - *submitted;
		uint32_t done;
		char *why = NULL;
		bool fine = submit_some(
			s, jobs + *submitted, rest < s->largest ? (uint32_t)rest : s->largest, &done, &why);

		if (!fine)
			diag_error(diags, NULL, "engine slurm: %s", why);
		free(why);
		if (!fine || !done)
			return fine;
		*submitted += done;
	}
	return true;
}

/* -- adopt and poll -- */

static bool slurm_reattach(struct engine *engine, const char *job)
{
	return slurm_take((struct slurm *)engine, job);
}

static size_t slurm_poll(struct engine *engine, unsigned milliseconds, const char **ended, size_t most)
{
	struct slurm *s = (struct slurm *)engine;
	double until = slurm_now() + milliseconds * 1e-3;

	for (;;) {
		double wake = until;
		bool waiting;
		size_t n;

		if (slurm_now() >= s->next_look && (s->under_way || s->is_away))
			slurm_look(s);
		n = slurm_name_ended(s, ended, most, &waiting);
		if (n || slurm_now() >= until)
			return n;
		if (waiting)
			wake = fmin(wake, slurm_now() + RESULT_LOOK);
		if (s->under_way || s->is_away)
			wake = fmin(wake, s->next_look);
		if (!slurm_sleep(wake))
			return 0;
	}
}

/* -- collect and cancel -- */

static struct slurm_task *find_task(struct slurm *s, const char *job, struct slurm_batch **of)
{
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			if (!b->tasks[i].job || b->tasks[i].stage != SLURM_ENDED ||
				strcmp(b->tasks[i].job, job))
				continue;
			*of = b;
			return &b->tasks[i];
		}
	}
	return NULL;
}

/* "Stopped by a signal" may have been Slurm's doing: then it says why. */
static void slurm_collect(struct engine *engine, const char *job, struct job_result *result)
{
	struct slurm *s = (struct slurm *)engine;
	char *folder = file_path(s->options.work, job);
	bool has = job_result_read(folder, result);
	struct slurm_batch *b;
	struct slurm_task *t = find_task(s, job, &b);

	free(folder);
	if (t && !has && !slurm_is_ours(s, b, t)) {
		*result = (struct job_result){
			.outcome = JOB_LOST, .status = JOB_BUSY, .message = "another sweep looks after it"
		};
	} else if (t && (!has || result->outcome == JOB_KILLED)) {
		if (!*t->end.state)
			t->end = slurm_ask(b->array, (uint32_t)(t - b->tasks));
		slurm_judge(&t->end, s->options.work, b->id, result);
	}
	if (!t)
		return;
	t->job = NULL;
	b->open--;
}

/* All our arrays in one call. */
static bool call_scancel(const struct slurm *s)
{
	size_t count = 0, n = 0;
	const char **arguments;
	char(*numbers)[16];
	struct capture c;

	for (const struct slurm_batch *b = s->batches; b; b = b->next)
		count += b->open > 0;
	numbers = xcalloc(count, sizeof(*numbers));
	arguments = xcalloc(count + 3, sizeof(*arguments));
	arguments[0] = "scancel";
	arguments[1] = "--quiet"; /* those that have ended are no error */
	for (const struct slurm_batch *b = s->batches; b; b = b->next) {
		if (!b->open)
			continue;
		snprintf(numbers[n], sizeof(*numbers), "%u", b->array);
		arguments[2 + n] = numbers[n];
		n++;
	}
	c = capture_run(arguments, SLURM_SECONDS);
	capture_free(&c);
	free(numbers);
	free(arguments);
	return c.status == 0;
}

static void slurm_cancel(struct engine *engine)
{
	struct slurm *s = (struct slurm *)engine;
	double now = slurm_now(), until = now + CANCEL_MOST, again = now;
	bool are_gone = !s->under_way;

	for (; !are_gone && now < until; now = slurm_now()) {
		if (now >= again && call_scancel(s))
			again = now + CANCEL_AGAIN;
		are_gone = slurm_list(s, NULL) && !slurm_any_in_queue(s);
		if (!are_gone)
			slurm_sleep(now + 0.5);
	}
	if (!are_gone)
		fprintf(stderr,
			"lockstep: jobs of this sweep are still in Slurm's queue, under names that begin "
			"with %s\n",
			s->name);
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		memset(b->tasks, 0, b->count * sizeof(*b->tasks));
		b->open = 0;
	}
	s->under_way = 0;
}

const struct engine_class engine_slurm = {
	.name = "slurm",
	.help = "job arrays of a Slurm cluster, at most -j at a time; programs and the work folder must be "
		"on a file system that all nodes share; "
		"--engine-options are sbatch's, as in '--partition=long --account=me'",
	.open = slurm_open,
	.room = slurm_room,
	.submit = slurm_submit,
	.reattach = slurm_reattach,
	.poll = slurm_poll,
	.collect = slurm_collect,
	.cancel = slurm_cancel,
	.close = slurm_close,
};
