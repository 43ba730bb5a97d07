/* host/driver/stream/driver_queue.c -- the operations that wait, and the loop that runs them while the host
 * waits.
 *
 * Two things happen in turn: whatever can start at the present moment starts; then simulated time goes on
 * until something ends. Only one thread at a time does this; before time goes on it lets other threads of the
 * program in. While a function of the program's runs nobody does, so that it takes no simulated time. After a
 * fault nothing runs in its context any more but callbacks, which are told. */
#include "host/driver/driver.h"

static struct schedule schedule;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static bool is_busy;      /* a function of the program's runs, without the lock */
static bool is_finishing; /* the process ends: its memory and its functions are let alone */
static __thread bool is_calling;

bool queue_is_calling(void)
{
	return is_calling;
}

/* -- adding -- */

static struct operation *operation_new(const struct operation *operation, CUcontext context, CUstream stream)
{
	struct operation *o = xmalloc(sizeof *o);

	*o = *operation;
	o->context = context;
	o->stream = stream;
	o->queued = gpu_now(driver.gpu);
	operation_cost(o);
	task_add(&schedule, &o->task, stream ? &stream->tasks : NULL);
	return o;
}

/* Threads reach us in the order that the host gives them. */
static void note_thread(void)
{
	static __thread bool has_queued;
	static unsigned threads;

	if (!has_queued && ++threads == 2)
		driver_say(
			"several threads of the program queue work: unless the program itself orders them, "
			"the order is the host's, and statistics may differ from run to run");
	has_queued = true;
}

struct operation *queue_add(const struct operation *operation, CUstream stream)
{
	note_thread();
	struct operation *o = operation_new(operation, stream->handle.context, stream);

	task_submit(&schedule, &o->task);
	return o;
}

struct operation *queue_prepare(const struct operation *operation, CUcontext context, CUstream stream)
{
	note_thread();
	return operation_new(operation, context, stream);
}

void queue_behind(struct operation *operation, struct operation *before)
{
	if (before)
		task_after(&operation->task, &before->task);
}

void queue_submit(struct operation *operation)
{
	task_submit(&schedule, &operation->task);
}

/* What matters is the event's most recent record now; one that was reached, or never made, holds nobody up.
 */
void queue_add_wait(CUevent event, CUstream stream)
{
	const struct operation wait = { .kind = OPERATION_WAIT };
	struct operation *o = operation_new(&wait, stream->handle.context, stream);

	if (event->record)
		task_after(&o->task, &event->record->task);
	task_submit(&schedule, &o->task);
}

/* -- ending -- */

static void end_free(struct allocation *a)
{
	if (session_sanitizer(driver.session))
		sanitizer_freed(session_sanitizer(driver.session), (uintptr_t)a->handle.key);
	allocation_end(a);
}

static void operation_end(struct operation *o)
{
	CUstream stream = o->stream;

	if (o->kind == OPERATION_RECORD)
		event_reached(o);
	if (o->kind == OPERATION_MARK)
		*o->as.is_done = true;
	if (o->kind == OPERATION_FREE)
		end_free(o->as.allocation);
	if (o->kind == OPERATION_GRAPH_END)
		exec_reached(o);
	schedule_end(&schedule, &o->task);
	operation_give_workspace(o);
	free(o->owned);
	free(o);
	if (stream)
		stream_release(stream);
}

static bool is_for_host(const struct operation *o)
{
	return o->kind == OPERATION_CALL ||
		(o->kind == OPERATION_COPY && (o->as.copy.to_host || (o->as.copy.from_host && !o->owned)));
}

/* Whether it has any effect. */
static bool is_live(const struct operation *o)
{
	return !o->context->fault && !(is_finishing && is_for_host(o));
}

static void operation_due(struct operation *o)
{
	if (is_live(o))
		operation_perform(o);
	operation_end(o);
}

/* -- running -- */

/* The program's own function: it may wait for another thread of its own that calls us, so we let go of the
 * lock. */
static void run_call(const struct operation *o)
{
	const struct operation_call *c = &o->as.call;
	CUresult status = o->context->fault;

	is_busy = is_calling = true;
	locale_t ours = driver_locale_of_program();
	pthread_mutex_unlock(driver_lock());
	if (c->callback)
		c->callback(o->stream->name, status, c->user);
	else
		c->function(c->user);
	driver_locale_leave(ours);
	pthread_mutex_lock(driver_lock());
	is_busy = is_calling = false;
	pthread_cond_broadcast(&idle);
}

static void start_call(struct operation *o)
{
	if (is_live(o) || (o->as.call.callback && !is_finishing))
		run_call(o);
	operation_end(o);
}

static void start_launch(struct operation *o)
{
	o->as.launch.waited = gpu_now(driver.gpu) - o->queued;
	if (!is_live(o))
		operation_end(o);
	else if (!kernels_start(o))
		schedule_refuse(&schedule, &o->task);
	else if (!o->run)
		operation_end(o);
}

/* Starts what can start first. false: nothing can, at this moment. */
static bool start_one(void)
{
	struct operation *o = (struct operation *)schedule_start(&schedule, gpu_now(driver.gpu));

	if (!o)
		return false;
	if (o->kind == OPERATION_CALL)
		start_call(o);
	else if (o->kind == OPERATION_LAUNCH)
		start_launch(o);
	else if (o->task.lane == LANE_NONE || !is_live(o))
		operation_due(o);
	return true;
}

/* Ends the task whose end has come by time now. */
static bool end_due(picoseconds now)
{
	struct operation *o = (struct operation *)schedule_take_due(&schedule, now);

	if (o)
		operation_due(o);
	return o;
}

/* Ends what is due, or lets time go on until something is. false: nothing is under way. */
static bool go_on(void)
{
	picoseconds due = schedule_due(&schedule);

	if (end_due(gpu_now(driver.gpu)))
		return true;
	if (due == SIM_NEVER && !kernels_are_under_way())
		return false;
	if (!kernels_advance(due, operation_end))
		end_due(SIM_NEVER); /* what still runs ends without waiting for its time */
	return true;
}

static void run_until(const bool *is_done)
{
	bool has_given_way = false;

	for (;;) {
		while (is_busy && !is_finishing)
			pthread_cond_wait(&idle, driver_lock());
		if (driver.is_closed || *is_done)
			return;
		if (start_one())
			continue;
		if (!has_given_way && !is_finishing) {
			driver_give_way(); /* what they queue now belongs to this moment of simulated time */
			has_given_way = true;
			continue;
		}
		has_given_way = false;
		if (go_on())
			continue;
		bug_if(!is_finishing, "%llu operations wait for each other",
			(unsigned long long)schedule.pending);
		return;
	}
}

/* -- waiting -- */

static struct operation *mark_new(CUcontext context, bool *is_done)
{
	const struct operation mark = { .kind = OPERATION_MARK, .as.is_done = is_done };

	return operation_new(&mark, context, NULL);
}

CUresult queue_run(CUcontext context, CUstream stream)
{
	bool is_done = false;
	struct operation *mark = mark_new(context, &is_done);

	if (stream)
		task_after(&mark->task, stream->tasks.last);
	for (struct task_stream *s = stream ? NULL : context->group.streams; s; s = s->next)
		task_after(&mark->task, s->last);
	task_submit(&schedule, &mark->task);
	run_until(&is_done);
	return context->fault;
}

CUresult queue_run_all(void)
{
	return queue_run(context_current(), NULL);
}

CUresult queue_run_operation(struct operation *operation)
{
	bool is_done = false;
	CUcontext context = operation->context;
	struct operation *mark = mark_new(context, &is_done);

	task_after(&mark->task, &operation->task);
	task_submit(&schedule, &mark->task);
	run_until(&is_done);
	return context->fault;
}

void queue_finish(void)
{
	const bool never = false;

	is_finishing = true;
	run_until(&never);
}
