/* host/session/schedule.c -- which task of which stream may start when. */
#include "host/session/schedule.h"
#include "sim/event/event_kernel.h"
#include "sim/base/xalloc.h"

/* -- streams -- */

void task_stream_init(struct task_stream *stream, struct task_group *group, enum stream_rule rule)
{
	*stream = (struct task_stream){ .rule = rule, .group = group, .next = group->streams };
	group->streams = stream;
	if (rule == STREAM_LEGACY)
		group->legacy = stream;
}

void task_stream_fini(struct task_stream *stream)
{
	struct task_stream **link = &stream->group->streams;

	while (*link != stream)
		link = &(*link)->next;
	*link = stream->next;
	if (stream->group->legacy == stream)
		stream->group->legacy = NULL;
}

/* -- tasks -- */

static void list_add(struct task ***list, unsigned *count, struct task *task)
{
	unsigned n = (*count)++;

	if (!(n & (n - 1))) /* room grows at each power of two */
		*list = xrealloc(*list, (n ? 2 * n : 1) * sizeof **list);
	(*list)[n] = task;
}

void task_after(struct task *task, struct task *before)
{
	if (!before)
		return;
	list_add(&before->followers, &before->follower_count, task);
	task->waits++;
}

void task_after_trigger(struct task *task, struct task *before)
{
	list_add(&before->early, &before->early_count, task);
	task->waits += !before->has_triggered;
}

bool task_is_early(const struct task *task, const struct task *before)
{
	for (unsigned i = 0; i < before->early_count; i++)
		if (before->early[i] == task)
			return true;
	return false;
}

/* CUDA C Programming Guide, "Implicit Synchronization": the legacy default stream waits for all blocking
 * streams, and they for it. Since it is a stream itself, its last task stands for all before. */
static void default_stream_rule(struct task *task, struct task_stream *stream)
{
	struct task_group *group = stream->group;

	if (stream->rule == STREAM_BLOCKING && group->legacy)
		task_after(task, group->legacy->last);
	if (stream->rule != STREAM_LEGACY)
		return;
	for (struct task_stream *other = group->streams; other; other = other->next)
		if (other->rule == STREAM_BLOCKING)
			task_after(task, other->last);
}

void task_add(struct schedule *s, struct task *task, struct task_stream *stream)
{
	task->order = ++s->added;
	task->waits = 1; /* for task_submit */
	task->stream = stream;
	task->followers = task->early = NULL;
	task->follower_count = task->early_count = 0;
	task->has_triggered = false;
	s->pending++;
	if (!stream)
		return;
	if (task->starts_early && stream->last && stream->last->lane == LANE_KERNELS)
		task_after_trigger(task, stream->last);
	else
		task_after(task, stream->last);
	default_stream_rule(task, stream);
	stream->last = task;
	stream->pending++;
}

static void ready_insert(struct schedule *s, struct task *task)
{
	struct task **link = &s->ready[task->lane];

	while (*link && (*link)->order < task->order)
		link = &(*link)->next;
	task->next = *link;
	*link = task;
}

void task_submit(struct schedule *s, struct task *task)
{
	if (--task->waits == 0)
		ready_insert(s, task);
}

/* -- the lanes -- */

static bool is_timed(enum task_lane lane)
{
	return lane >= LANE_COPY;
}

static bool has_lane_room(const struct schedule *s, enum task_lane lane)
{
	return !s->running[lane] && !(lane == LANE_KERNELS && s->is_full);
}

struct task *schedule_start(struct schedule *s, picoseconds now)
{
	struct task *task = NULL;

	for (enum task_lane lane = 0; lane < LANES; lane++) {
		struct task *head = s->ready[lane];
		if (head && has_lane_room(s, lane) && (!task || head->order < task->order))
			task = head;
	}
	if (!task)
		return NULL;
	s->ready[task->lane] = task->next;
	if (is_timed(task->lane)) {
		task->end = now + task->duration;
		s->running[task->lane] = task;
	}
	return task;
}

void schedule_refuse(struct schedule *s, struct task *kernel)
{
	s->is_full = true;
	ready_insert(s, kernel);
}

void schedule_kernel_left(struct schedule *s)
{
	s->is_full = false;
}

void schedule_trigger(struct schedule *s, struct task *kernel)
{
	kernel->has_triggered = true;
	for (unsigned i = 0; i < kernel->early_count; i++)
		task_submit(s, kernel->early[i]);
}

static struct task *earliest(const struct schedule *s)
{
	struct task *first = NULL;

	for (enum task_lane lane = LANE_COPY; lane < LANES; lane++) {
		struct task *task = s->running[lane];
		if (!task)
			continue;
		if (!first || task->end < first->end ||
			(task->end == first->end && task->order < first->order))
			first = task;
	}
	return first;
}

picoseconds schedule_due(const struct schedule *s)
{
	const struct task *task = earliest(s);

	return task ? task->end : SIM_NEVER;
}

struct task *schedule_take_due(struct schedule *s, picoseconds now)
{
	struct task *task = earliest(s);

	if (!task || task->end > now)
		return NULL;
	s->running[task->lane] = NULL;
	return task;
}

void schedule_end(struct schedule *s, struct task *task)
{
	if (task->lane == LANE_KERNELS)
		s->is_full = false;
	if (s->running[task->lane] == task) /* cut off before its time */
		s->running[task->lane] = NULL;
	for (unsigned i = 0; i < task->follower_count; i++)
		task_submit(s, task->followers[i]);
	if (!task->has_triggered)
		schedule_trigger(s, task);
	free(task->followers);
	free(task->early);
	task->followers = task->early = NULL;
	task->follower_count = task->early_count = 0;
	s->pending--;
	if (!task->stream)
		return;
	if (task->stream->last == task)
		task->stream->last = NULL;
	task->stream->pending--;
}
