/* experiment/engine_slurm.c -- jobs as tasks of Slurm's job arrays. They live on when the sweep process dies, and the next one takes
 * charge of them again (experiment/slurm.h says how it finds them). */
#include "experiment/slurm.h"
#include "experiment/capture.h"
#include "experiment/files.h"
#include "experiment/hash.h"
#include "sim/xalloc.h"
#include <dirent.h>
#include <errno.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { MOST_UNDER_WAY = 5000 }; /* half of what a controller accepts unless it is told otherwise (MaxJobCount 10000) */

/* Seconds between readings of the queue: short while jobs end, longer and longer while none does, and never so short that the
 * controller spends more than one part in 20 of its time on us. */
#define PAUSE_LEAST   1.0
#define PAUSE_MOST    10.0
#define PAUSE_AWAY    60.0
#define PAUSE_GROWTH  1.25
#define PAUSE_PER_TIME 20.0

/* Seconds that a result may take to be seen: a network file system tells of new files late, 30 s and more where the folder was looked
 * at just before. A job that Slurm ended writes its result, if any, before. */
#define RESULT_EXITED 40.0
#define RESULT_ENDED  3.0
#define RESULT_LOOK   0.25

double slurm_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool slurm_sleep(double until)
{
	struct timespec t = { .tv_sec = (time_t)until, .tv_nsec = (long)((until - (double)(time_t)until) * 1e9) };

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0;
}

/* -- open and close -- */

/* The number behind "KEY" in what scontrol prints; otherwise if there is none. */
static uint32_t number_behind(const char *text, const char *key, uint32_t otherwise)
{
	const char *at = strstr(text, key);
	unsigned value;

	return at && sscanf(at + strlen(key) + strspn(at + strlen(key), " ="), "%u", &value) == 1 ? value : otherwise;
}

/* How many tasks an array may have here. */
static bool ask_limits(struct slurm *s, struct diag_list *diags)
{
	static const char *const arguments[] = { "scontrol", "show", "config", NULL };
	struct capture c = capture_run(arguments, SLURM_SECONDS);
	uint32_t tasks;

	s->largest = number_behind(c.out, "MaxArraySize", 1001);
	tasks = number_behind(c.out, "max_array_tasks", s->largest);
	if (tasks < s->largest)
		s->largest = tasks;
	if (s->largest > MOST_UNDER_WAY)
		s->largest = MOST_UNDER_WAY;
	if (c.status)
		diag_error(diags, NULL, "engine slurm: 'scontrol show config': %s", *c.err ? c.err : "no answer");
	else if (!s->largest)
		diag_error(diags, NULL, "engine slurm: this Slurm has job arrays switched off (MaxArraySize)");
	capture_free(&c);
	return !diags->errors;
}

static bool is_there(const char *program, struct diag_list *diags)
{
	const char *const arguments[] = { program, "--version", NULL };
	struct capture c = capture_run(arguments, SLURM_SECONDS);
	bool fine = c.status == 0;

	if (!fine)
		diag_error(diags, NULL, "engine slurm: '%s --version': %s", program, *c.err ? c.err : "no answer");
	capture_free(&c);
	return fine;
}

/* Magic numbers of file systems that no other machine sees (linux/magic.h; statfs(2)). */
static bool is_of_one_machine(const char *folder)
{
	static const unsigned long types[] = { 0x01021994 /* tmpfs */, 0x858458f6 /* ramfs */, 0x794c7630 /* overlayfs */, 0xef53 /* ext */,
		0x58465342 /* xfs */, 0x9123683e /* btrfs */ };
	struct statfs found;

	if (statfs(folder, &found))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((unsigned long)found.f_type == types[i])
			return true;
	return false;
}

/* A guess, as such file systems can be exported: a warning only. */
static void check_shared(const struct slurm *s, struct diag_list *diags)
{
	static const char *const arguments[] = { "sinfo", "--noheader", "--Node", "--format", "%n", NULL };
	char here[65] = "", *line, *rest;
	struct capture c;

	if (!is_of_one_machine(s->options.work))
		return;
	gethostname(here, sizeof(here) - 1);
	here[strcspn(here, ".")] = 0;
	c = capture_run(arguments, SLURM_SECONDS);
	for (rest = c.status ? NULL : c.out; rest && (line = strsep(&rest, "\n"));) {
		line[strcspn(line, ".")] = 0;
		if (!*line || !strcmp(line, here))
			continue;
		diag_warning(diags, NULL, "%s seems to be on a file system of this machine alone; Slurm's node %s must see it under the same path",
			s->options.work, line);
		break;
	}
	capture_free(&c);
}

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
		if (!b->open)
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

static struct engine *slurm_open(const struct engine_options *options, struct diag_list *diags)
{
	static const char *const programs[] = { "sbatch", "squeue", "scancel", "scontrol" };
	struct slurm *s = xcalloc(1, sizeof(*s));
	char *why = NULL;
	bool fine = true;

	s->options = *options;
	s->pause = PAUSE_LEAST;
	snprintf(s->name, sizeof(s->name), "lockstep-%.8s-", hash_of_text(options->work).text);
	split_words(s);
	for (size_t i = 0; fine && i < sizeof(programs) / sizeof(*programs); i++)
		fine = is_there(programs[i], diags);
	if (fine && !slurm_list(s, &why)) {
		diag_error(diags, NULL, "engine slurm: Slurm's controller does not answer; squeue says: %s", why);
		fine = false;
	}
	free(why);
	if (fine && ask_limits(s, diags)) {
		check_shared(s, diags);
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

	return s->is_away || s->under_way > MOST_UNDER_WAY / 2 ? 0 : MOST_UNDER_WAY - s->under_way;
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
	static const char *const words[] = { "unable to contact", "timed out", "temporarily", "zero bytes", "connection refused",
		"communication", "busy", NULL };

	return says_any(why, words);
}

/* The site limits how many jobs a user may have in the queue. */
static bool is_full(const char *why)
{
	static const char *const words[] = { "SubmitJobLimit", "job submit limit", "MaxSubmit", NULL };

	return says_any(why, words);
}

/* Says something once in a while of waiting; there is nobody to ask. */
static void say_away(struct slurm *s, const char *why)
{
	if (!s->is_away)
		fprintf(stderr, "lockstep: Slurm's controller does not answer; waiting for it (%s)\n", why);
	s->is_away = true;
}

/* One array, or several attempts at one. Fewer tasks than asked for if the site does not let us have so many: 0 if none at all now. */
static bool submit_some(struct slurm *s, const char *const *jobs, uint32_t count, uint32_t *done, char **why)
{
	for (*done = 0;;) {
		bool was_away = s->is_away;

		if (slurm_submit_array(s, jobs, count, why)) {
			*done = count;
			s->is_away = false;
			return true;
		}
		s->is_away = was_away;
		if (is_full(*why) && count > 1) {
			s->largest = count = count / 2;
		} else if (is_full(*why) && s->under_way) {
			return true;
		} else if (is_passing(*why)) {
			say_away(s, *why);
			if (!slurm_sleep(slurm_now() + PAUSE_MOST / 2))
				return false;
		} else {
			return false;
		}
		free(*why);
		*why = NULL;
	}
}

static bool slurm_submit(struct engine *engine, const char *const *jobs, size_t count, size_t *submitted, struct diag_list *diags)
{
	struct slurm *s = (struct slurm *)engine;

	for (*submitted = 0; *submitted < count;) {
		size_t rest = count - *submitted;
		uint32_t done;
		char *why = NULL;
		bool fine = submit_some(s, jobs + *submitted, rest < s->largest ? (uint32_t)rest : s->largest, &done, &why);

		if (!fine)
			diag_error(diags, NULL, "engine slurm: %s", why);
		free(why);
		if (!fine || !done)
			return fine;
		*submitted += done;
	}
	return true;
}

/* -- adopt -- */

static struct slurm_batch *find_batch(struct slurm *s, const char *id)
{
	struct slurm_batch *b = s->batches;

	while (b && strcmp(b->id, id))
		b = b->next;
	return b;
}

static const struct slurm_line *find_line(const struct slurm *s, const char *id, uint32_t task)
{
	for (size_t i = 0; i < s->line_count; i++)
		if (s->lines[i].task == task && !strcmp(s->lines[i].id, id))
			return &s->lines[i];
	return NULL;
}

static struct slurm_batch *adopt_batch(struct slurm *s, const struct slurm_line *line)
{
	struct slurm_batch *b = find_batch(s, line->id);

	if (!b) {
		b = xcalloc(1, sizeof(*b));
		*b = (struct slurm_batch){ .next = s->batches, .array = line->array, .seen = s->listing };
		memcpy(b->id, line->id, SLURM_ID);
		s->batches = b;
	}
	if (line->task >= b->count) {
		b->tasks = xrealloc(b->tasks, (line->task + 1) * sizeof(*b->tasks));
		memset(b->tasks + b->count, 0, (line->task + 1 - b->count) * sizeof(*b->tasks));
		b->count = line->task + 1;
	}
	return b;
}

/* The queue is read once for all, in open: what is adopted was submitted before. */
static bool slurm_adopt(struct engine *engine, const char *job)
{
	struct slurm *s = (struct slurm *)engine;
	const struct slurm_line *line;
	struct slurm_batch *b;
	char id[SLURM_ID];
	uint32_t task;

	if (!slurm_note_read(s, job, id, &task))
		return false;
	line = find_line(s, id, task);
	if (!line)
		return false;
	b = adopt_batch(s, line);
	if (!b->tasks[task].job) {
		b->tasks[task] = (struct slurm_task){ .job = job, .seen = s->listing };
		b->open++;
		s->under_way++;
	}
	return true;
}

/* -- poll -- */

/* Network file systems look again when a folder is opened. */
static bool has_result(const struct slurm *s, const char *job)
{
	char *folder = file_path(s->options.work, job), *path = file_path(folder, "result");
	DIR *look = opendir(folder);
	bool found;

	if (look)
		closedir(look);
	found = access(path, F_OK) == 0;
	free(path);
	free(folder);
	return found;
}

static void mark_lines(struct slurm *s)
{
	struct slurm_batch *b = s->batches;

	for (size_t i = 0; i < s->line_count; i++) {
		const struct slurm_line *line = &s->lines[i];

		if (!b || strcmp(b->id, line->id)) /* a batch's lines stand together */
			b = find_batch(s, line->id);
		if (!b)
			continue;
		b->seen = s->listing;
		if (line->task < b->count)
			b->tasks[line->task].seen = s->listing;
	}
}

/* It has left the queue. */
static void leave(struct slurm *s, const struct slurm_batch *b, struct slurm_task *t)
{
	bool exited;

	t->stage = SLURM_GONE;
	t->deadline = slurm_now();
	if (has_result(s, t->job))
		return;
	t->end = slurm_ask(b->array, (uint32_t)(t - b->tasks));
	exited = !*t->end.state || !strcmp(t->end.state, "COMPLETED") || (!strcmp(t->end.state, "FAILED") && t->end.status < SLURM_NO_LIST);
	t->deadline += exited ? RESULT_EXITED : RESULT_ENDED;
}

static void forget_empty(struct slurm *s)
{
	for (struct slurm_batch **at = &s->batches, *b; (b = *at);) {
		if (b->open || b->seen == s->listing) {
			at = &b->next;
			continue;
		}
		*at = b->next;
		slurm_batch_clean(s, b->id);
		free(b->tasks);
		free(b);
	}
}

/* Returns how many have left the queue. */
static size_t compare(struct slurm *s)
{
	size_t gone = 0;

	mark_lines(s);
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			struct slurm_task *t = &b->tasks[i];

			if (!t->job || t->stage != SLURM_UNDER_WAY || t->seen == s->listing)
				continue;
			leave(s, b, t);
			gone++;
		}
	}
	forget_empty(s);
	return gone;
}

static void look(struct slurm *s)
{
	double before = slurm_now(), took;
	bool was_away = s->is_away;
	char *why = NULL;

	if (slurm_list(s, &why)) {
		if (was_away)
			fprintf(stderr, "lockstep: Slurm's controller answers again\n");
		took = slurm_now() - before;
		s->pause = compare(s) || was_away ? PAUSE_LEAST : s->pause * PAUSE_GROWTH;
		s->pause = s->pause > PAUSE_MOST ? PAUSE_MOST : s->pause;
		s->pause = s->pause < PAUSE_PER_TIME * took ? PAUSE_PER_TIME * took : s->pause;
	} else {
		s->is_away = was_away;
		say_away(s, why);
		s->pause = s->pause * 2 > PAUSE_AWAY ? PAUSE_AWAY : s->pause * 2;
	}
	free(why);
	s->next_look = slurm_now() + s->pause;
}

/* Names those that left the queue and whose result is there, or will not come; *waiting: some may still get theirs. */
static size_t name_ended(struct slurm *s, const char **ended, size_t most, bool *waiting)
{
	size_t n = 0;

	*waiting = false;
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count && n < most; i++) {
			struct slurm_task *t = &b->tasks[i];

			if (!t->job || t->stage != SLURM_GONE)
				continue;
			if (slurm_now() < t->deadline && !has_result(s, t->job)) {
				*waiting = true;
				continue;
			}
			t->stage = SLURM_ENDED;
			s->under_way--;
			ended[n++] = t->job;
		}
	}
	return n;
}

static size_t slurm_poll(struct engine *engine, unsigned milliseconds, const char **ended, size_t most)
{
	struct slurm *s = (struct slurm *)engine;
	double until = slurm_now() + milliseconds * 1e-3;

	for (;;) {
		double wake = until;
		bool waiting;
		size_t n;

		if (slurm_now() >= s->next_look && s->under_way)
			look(s);
		n = name_ended(s, ended, most, &waiting);
		if (n || slurm_now() >= until)
			return n;
		if (waiting && slurm_now() + RESULT_LOOK < wake)
			wake = slurm_now() + RESULT_LOOK;
		if (s->under_way && s->next_look < wake)
			wake = s->next_look;
		if (!slurm_sleep(wake))
			return 0;
	}
}

/* -- collect and cancel -- */

static struct slurm_task *find_task(struct slurm *s, const char *job, struct slurm_batch **of)
{
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			if (!b->tasks[i].job || b->tasks[i].stage != SLURM_ENDED || strcmp(b->tasks[i].job, job))
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
	if (t && (!has || result->outcome == JOB_KILLED)) {
		if (!*t->end.state)
			t->end = slurm_ask(b->array, (uint32_t)(t - b->tasks));
		slurm_judge(&t->end, s->options.work, result);
	}
	if (!t)
		return;
	t->job = NULL;
	b->open--;
}

static bool call_scancel(const struct slurm *s)
{
	const char **arguments = xcalloc(3, sizeof(*arguments));
	size_t n = 0, count = 0;
	struct capture c;
	char (*numbers)[16];

	for (const struct slurm_batch *b = s->batches; b; b = b->next)
		count += b->open > 0;
	numbers = xcalloc(count, sizeof(*numbers));
	arguments = xrealloc(arguments, (count + 3) * sizeof(*arguments));
	arguments[n++] = "scancel";
	arguments[n++] = "--quiet"; /* those that have ended are no error */
	for (const struct slurm_batch *b = s->batches; b; b = b->next) {
		if (!b->open)
			continue;
		snprintf(numbers[n - 2], sizeof(*numbers), "%u", b->array);
		arguments[n] = numbers[n - 2];
		n++;
	}
	arguments[n] = NULL;
	c = capture_run(arguments, SLURM_SECONDS);
	capture_free(&c);
	free(numbers);
	free(arguments);
	return c.status == 0;
}

static bool any_in_queue(struct slurm *s)
{
	mark_lines(s);
	for (const struct slurm_batch *b = s->batches; b; b = b->next)
		if (b->open && b->seen == s->listing)
			return true;
	return false;
}

static void slurm_cancel(struct engine *engine)
{
	enum { TRIES = 120 };
	struct slurm *s = (struct slurm *)engine;
	int tries = 0;

	if (!s->under_way)
		return;
	while (tries++ < TRIES) {
		if (tries % 20 == 1)
			call_scancel(s);
		if (slurm_list(s, NULL) && !any_in_queue(s))
			break;
		slurm_sleep(slurm_now() + 0.5);
	}
	if (tries > TRIES)
		fprintf(stderr, "lockstep: jobs of this sweep are still in Slurm's queue, under names that begin with %s\n", s->name);
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		memset(b->tasks, 0, b->count * sizeof(*b->tasks));
		b->open = 0;
	}
	s->under_way = 0;
}

const struct engine_class engine_slurm = {
	.name = "slurm",
	.help = "job arrays of a Slurm cluster, at most -j at a time; programs and the work folder must be on a file system that all nodes share; "
		"--engine-options are sbatch's, as in '--partition=long --account=me'",
	.open = slurm_open, .room = slurm_room, .submit = slurm_submit, .adopt = slurm_adopt, .poll = slurm_poll, .collect = slurm_collect,
	.cancel = slurm_cancel, .close = slurm_close,
};
