/* experiment/engine/slurm_watch.c -- which of our tasks are in the queue: those of an earlier sweep process,
 * and those that have left it. */
#include "experiment/engine/slurm.h"
#include "experiment/files.h"
#include "sim/base/xalloc.h"
#include <dirent.h>
#include <math.h>
#include <unistd.h>

/* Seconds between readings of the queue: short while jobs end, longer and longer while none does, and as long
 * as the controller takes to answer, times 20, if it was slow twice: with large queues we are not to be its
 * main work. */
#define PAUSE_MOST   10.0
#define PAUSE_AWAY   60.0
#define PAUSE_GROWTH 1.25
#define PAUSE_TIMES  20.0

/* Seconds that a result may take to be seen: a network file system tells of new files late, 30 s and more
 * where the folder was looked at just before. A job that Slurm ended writes its result, if any, before. */
#define RESULT_EXITED 40.0
#define RESULT_ENDED  3.0

static struct slurm_batch *find_batch(struct slurm *s, const char *id)
{
	struct slurm_batch *b = s->batches;

	while (b && strcmp(b->id, id))
		b = b->next;
	return b;
}

static const struct slurm_line *find_queue_line(const struct slurm *s, const char *id, uint32_t task)
{
	for (size_t i = 0; i < s->line_count; i++)
		if (s->lines[i].task == task && !strcmp(s->lines[i].id, id))
			return &s->lines[i];
	return NULL;
}

static struct slurm_batch *reattach_batch(struct slurm *s, const struct slurm_line *line)
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

bool slurm_take(struct slurm *s, const char *job)
{
	const struct slurm_line *line;
	struct slurm_batch *b;
	char id[SLURM_ID];
	uint32_t task;

	if (!slurm_note_read(s, job, id, &task))
		return false;
	line = find_queue_line(s, id, task);
	if (!line && slurm_now() > s->listed_at + SLURM_PAUSE_LEAST && slurm_list(s, NULL))
		line = find_queue_line(s, id, task);
	if (!line)
		return false;
	b = reattach_batch(s, line);
	if (!b->tasks[task].job) {
		b->tasks[task] = (struct slurm_task){ .job = job, .seen = s->listing };
		b->open++;
		s->under_way++;
	}
	return true;
}

/* Is there a result? Network file systems look again when a folder is opened. */
static bool has_result(const struct slurm *s, const char *job)
{
	char *folder = file_path(s->options.work, job), *path = file_path(folder, "result");
	DIR *opened = opendir(folder);
	bool found;

	if (opened)
		closedir(opened);
	found = access(path, F_OK) == 0;
	free(path);
	free(folder);
	return found;
}

bool slurm_is_ours(const struct slurm *s, const struct slurm_batch *b, const struct slurm_task *t)
{
	char id[SLURM_ID];
	uint32_t task;

	return slurm_note_read(s, t->job, id, &task) && !strcmp(id, b->id) &&
		task == (uint32_t)(t - b->tasks);
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
static void task_left_queue(struct slurm *s, const struct slurm_batch *b, struct slurm_task *t)
{
	bool exited;

	t->stage = SLURM_GONE;
	t->deadline = slurm_now();
	if (has_result(s, t->job) || !slurm_is_ours(s, b, t))
		return;
	t->end = slurm_ask(b->array, (uint32_t)(t - b->tasks));
	exited = !*t->end.state || !strcmp(t->end.state, "COMPLETED") ||
		(!strcmp(t->end.state, "FAILED") && !t->end.signal && t->end.status < SLURM_NO_LIST);
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
static size_t compare_with_queue(struct slurm *s)
{
	size_t gone = 0;

	mark_lines(s);
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			struct slurm_task *t = &b->tasks[i];

			if (!t->job || t->stage != SLURM_UNDER_WAY || t->seen == s->listing)
				continue;
			task_left_queue(s, b, t);
			gone++;
		}
	}
	forget_empty(s);
	return gone;
}

void slurm_look(struct slurm *s)
{
	double before = slurm_now(), took;
	bool was_away = s->is_away;
	char *why = NULL;

	if (slurm_list(s, &why)) {
		if (was_away)
			fprintf(stderr, "lockstep: Slurm's controller answers again\n");
		took = slurm_now() - before;
		s->pause = compare_with_queue(s) || was_away ? SLURM_PAUSE_LEAST
							     : fmin(s->pause * PAUSE_GROWTH, PAUSE_MOST);
		s->pause = fmax(s->pause, fmin(PAUSE_TIMES * fmin(took, s->took), PAUSE_AWAY));
		s->took = took;
	} else {
		s->is_away = was_away;
		slurm_say_away(s, why);
		s->pause = fmin(s->pause * 2, PAUSE_AWAY);
	}
	free(why);
	s->next_look = slurm_now() + s->pause;
}

size_t slurm_name_ended(struct slurm *s, const char **ended, size_t most, bool *waiting)
{
	size_t n = 0;

	*waiting = false;
	for (struct slurm_batch *b = s->batches; b; b = b->next) {
		for (uint32_t i = 0; i < b->count && n < most; i++) {
			struct slurm_task *t = &b->tasks[i];

			if (!t->job || t->stage != SLURM_GONE)
				continue;
			if (slurm_now() < t->deadline && !has_result(s, t->job) && slurm_is_ours(s, b, t)) {
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

bool slurm_any_in_queue(struct slurm *s)
{
	mark_lines(s);
	for (const struct slurm_batch *b = s->batches; b; b = b->next)
		if (b->open && b->seen == s->listing)
			return true;
	return false;
}
