/* host/driver/stream/driver_queue.c -- the operations that wait, and the loop that runs them while the host
 * waits.
 *
 * Two things happen in turn: whatever can start at the present moment starts; then simulated time goes on
 * until something ends. Only one thread at a time does this, and time goes on only when no other thread of
 * the program can do anything first (threads/driver_turn.c). While a function of the program's runs nobody
 * does, so that it takes no simulated time. After a fault nothing runs in its context any more but callbacks,
 * which are told. */
#include "host/driver/recording/recorder.h"

#define WHILE 1000000000 /* picoseconds that a question waits, or work that comes late for earlier work */
#define SLICE 10000000   /* picoseconds after which a program sees what kernels have written */

static struct schedule schedule;
static uint64_t observed;     /* operations whose effects the program can see without a call */
static uint64_t value_waits;  /* queued, and not ended */
static bool host_sees_memory; /* that kernels and copies write */
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static bool is_busy;      /* a function of the program's runs, without the lock */
static bool is_finishing; /* the process ends: its memory and its functions are let alone */
static __thread bool is_calling;

bool queue_is_calling(void)
{
	return is_calling;
}

bool queue_is_finishing(void)
{
	return is_finishing;
}

void queue_host_sees_memory(void)
{
	host_sees_memory = !driver.is_replay; /* of which the host is no program */
}

bool queue_is_observed(void)
{
	return observed;
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
	recorder_operation(o);
	return o;
}

struct operation *queue_add(const struct operation *operation, CUstream stream)
{
	turn_queues();
	struct operation *o = operation_new(operation, stream->handle.context, stream);

	queue_submit(o);
	return o;
}

struct operation *queue_prepare(const struct operation *operation, CUcontext context, CUstream stream)
{
	turn_queues();
	return operation_new(operation, context, stream);
}

void queue_behind(struct operation *operation, struct operation *before)
{
	if (!before)
		return;
	task_after(&operation->task, &before->task);
	recorder_behind(operation, before->task.order);
}

void queue_behind_trigger(struct operation *operation, struct operation *before)
{
	if (operation->kind != OPERATION_LAUNCH || before->kind != OPERATION_LAUNCH) {
		queue_behind(operation, before);
		return;
	}
	task_after_trigger(&operation->task, &before->task);
	recorder_behind(operation, before->task.order | RECORDED_TRIGGER);
}

void queue_submit(struct operation *operation)
{
	operation->is_observed = operation->kind == OPERATION_CALL || host_sees_memory;
	observed += operation->is_observed;
	value_waits += operation->kind == OPERATION_AWAIT_VALUE;
	recorder_submit(operation);
	task_submit(&schedule, &operation->task);
	if (operation->is_observed)
		background_wake();
}

/* What matters is the event's most recent record now; one that was reached, or never made, holds nobody up.
 */
void queue_add_wait(CUevent event, CUstream stream)
{
	const struct operation wait = { .kind = OPERATION_WAIT };

	turn_queues();
	struct operation *o = operation_new(&wait, stream->handle.context, stream);

	if (event->record)
		task_after(&o->task, &event->record->task);
	recorder_behind(o, event->record_order);
	recorder_submit(o);
	task_submit(&schedule, &o->task);
}

/* -- ending -- */

static void end_free(struct allocation *a)
{
	if (session_sanitizer(driver.session))
		sanitizer_freed(session_sanitizer(driver.session), (uintptr_t)a->handle.key);
	recorder_freed((uintptr_t)a->handle.key);
	allocation_end(a);
}

static bool is_for_host(const struct operation *o)
{
	return o->kind == OPERATION_CALL ||
		(o->kind == OPERATION_COPY &&
			(o->as.copy.to_host || (o->as.copy.from_host && (!o->owned || o->is_stand_in))));
}

/* Whether it has any effect. */
static bool is_live(const struct operation *o)
{
	return !o->context->fault && !(is_finishing && is_for_host(o));
}

static void operation_end(struct operation *o)
{
	struct operation *parent;
	CUstream stream = o->stream;

	if (family_holds(o)) {
		schedule_kernel_left(&schedule);
		return;
	}
	if (o->kind == OPERATION_RECORD)
		event_reached(o);
	if (o->kind == OPERATION_MARK)
		*o->as.is_done = true;
	if (o->kind == OPERATION_FREE)
		end_free(o->as.allocation);
	if (o->kind == OPERATION_GRAPH_END)
		exec_reached(o);
	if (o->kind == OPERATION_GRAPH_BEGIN)
		exec_begins(o);
	if (o->kind == OPERATION_CONDITION)
		condition_reached(o, is_live(o));
	observed -= o->is_observed;
	value_waits -= o->kind == OPERATION_AWAIT_VALUE;
	if (stream && driver.gpu)
		stream->ended = gpu_now(driver.gpu);
	if (o->place)
		*o->place = NULL;
	if (driver.gpu)
		operation_in_timeline(o);
	schedule_end(&schedule, &o->task);
	operation_give_workspace(o);
	parent = o->born_in ? family_left(o->born_in) : NULL;
	free(o->owned);
	free(o->sources);
	free(o);
	if (stream)
		stream_release(stream);
	if (parent)
		operation_end(parent);
}

static void operation_due(struct operation *o)
{
	if (is_live(o))
		operation_perform(o);
	operation_end(o);
}

/* -- running -- */

/* A function of the program's that runs. It may end its thread by pthread_exit; then all that has begun in
 * the calls that it interrupts is ended where it was begun, by variables with a clean-up. */
struct program_call {
	struct operation *operation;
	locale_t ours;
	bool has_returned;
};

static void call_ends(struct program_call *call)
{
	guard_open();
	driver_locale_leave(call->ours);
	pthread_mutex_lock(driver_lock());
	is_busy = is_calling = false;
	turn_call_end();
	if (!call->has_returned && !driver_thread_of_ours())
		driver_say("a function that a stream ran has called pthread_exit, which ends the thread that "
			   "waited for the stream; on a GPU it is a thread of the driver's");
	operation_end(call->operation);
	pthread_cond_broadcast(&idle);
}

/* It may wait for another thread of its own that calls us, so we let go of the lock. */
static void run_call(struct operation *o)
{
	const struct operation_call *c = &o->as.call;
	CUresult status = o->context->fault;

	is_busy = is_calling = true;
	turn_call_begin();
	__attribute__((cleanup(call_ends))) struct program_call call = { o, driver_locale_of_program(),
		false };
	pthread_mutex_unlock(driver_lock());
	guard_close();
	if (c->callback)
		c->callback(o->stream->name, status, c->user);
	else
		c->function(c->user);
	call.has_returned = true;
}

static void start_call(struct operation *o)
{
	if (is_live(o) || (o->as.call.callback && !is_finishing))
		run_call(o);
	else
		operation_end(o);
}

static void start_launch(struct operation *o)
{
	o->as.launch.waited = gpu_now(driver.gpu) - o->queued;
	if (is_live(o) && (!o->node || node_renews(o)) && !kernels_start(o)) {
		schedule_refuse(&schedule, &o->task);
		return;
	}
	device_launch_starts(o);
	if (!o->run)
		operation_end(o);
}

/* Starts what can start first. false: nothing can, at this moment. */
static bool start_one(void)
{
	struct operation *o = value_take(is_finishing);

	if (o) {
		operation_end(o);
		return true;
	}
	o = (struct operation *)schedule_start(&schedule, gpu_now(driver.gpu));
	if (!o)
		return false;
	if (o->kind == OPERATION_AWAIT_VALUE) {
		value_await(o);
		return true;
	}
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

/* A thread that nobody waits for may read and write memory at any time: it is shown what kernels have
 * written, and let in. As long as it can change memory, no kernel is proven to hang. */
static bool is_sliced(void)
{
	return host_sees_memory && turn_somebody_is_given_up() && !is_finishing;
}

/* Ends what is due, or lets time go on until something is, at most up to a time. false: nothing is under way.
 */
static bool advance_queue(picoseconds until)
{
	picoseconds now = gpu_now(driver.gpu), due = schedule_due(&schedule);

	if (end_due(now))
		return true;
	if (due == SIM_NEVER && !kernels_are_under_way())
		return false;
	if (kernels_trigger(&schedule))
		return true;
	until = due < until ? due : until;
	if ((is_sliced() || value_is_awaited()) && until > now + SLICE)
		until = now + SLICE;
	if (!kernels_advance(until, operation_end))
		end_due(SIM_NEVER); /* what still runs ends without waiting for its time */
	return true;
}

bool queue_step(void)
{
	return !is_busy && (start_one() || advance_queue(SIM_NEVER));
}

/* Runs until *is_done, or up to a time. */
static void run_until(const bool *is_done, picoseconds until)
{
	unsigned pause = 0;

	for (;;) {
		while (is_busy && !is_finishing)
			pthread_cond_wait(&idle, driver_lock());
		if (driver.is_closed || *is_done)
			return;
		if (start_one())
			continue;
		if (gpu_now(driver.gpu) >= until)
			return;
		if (!is_finishing && !turn_of_time()) {
			turn_pause(&pause);
			continue;
		}
		pause = 0;
		if (advance_queue(until))
			continue;
		if (value_is_awaited() && !is_finishing) {
			if (until != SIM_NEVER)
				return;
			if (turn_somebody_is_given_up()) /* who may bring the value */
				turn_pause(&pause);
			else
				value_give_up();
			continue;
		}
		bug_if(!is_finishing, "%llu operations wait for each other",
			(unsigned long long)schedule.pending);
		return;
	}
}

static picoseconds after_a_while(void)
{
	return gpu_now(driver.gpu) + WHILE;
}

bool queue_catch_up(void)
{
	picoseconds until = after_a_while();

	while (!driver.is_closed && schedule.pending && gpu_now(driver.gpu) < until)
		if (!start_one() && !advance_queue(until))
			break;
	return !schedule.pending;
}

/* -- waiting -- */

static struct operation *mark_new(CUcontext context)
{
	const struct operation mark = { .kind = OPERATION_MARK };

	return operation_new(&mark, context, NULL);
}

/* A mark that is not reached yet outlives the wait. */
struct wait {
	struct operation *mark;
	bool is_done;
};

static void wait_ends(struct wait *wait)
{
	static bool nobody;

	turn_wait_end();
	if (!wait->is_done && !driver.is_closed)
		wait->mark->as.is_done = &nobody;
}

static CUresult run_to(struct operation *mark, picoseconds until)
{
	CUcontext context = mark->context;
	__attribute__((cleanup(wait_ends))) struct wait wait = { mark, false };

	mark->as.is_done = &wait.is_done;
	task_submit(&schedule, &mark->task);
	turn_wait_begin(&wait.is_done);
	run_until(&wait.is_done, until);
	recorder_waited();
	return wait.is_done || driver.is_closed ? context->fault : CUDA_ERROR_NOT_READY;
}

static CUresult run_streams(CUcontext context, CUstream stream, picoseconds until)
{
	struct operation *mark = mark_new(context);

	recorder_await_all(context, stream);
	turn_awaits(stream && !stream->tasks.pending && stream->ended < gpu_now(driver.gpu));
	if (stream)
		task_after(&mark->task, stream->tasks.last);
	for (struct task_stream *s = stream ? NULL : context->group.streams; s; s = s->next)
		task_after(&mark->task, s->last);
	return run_to(mark, until);
}

static CUresult run_operation(struct operation *operation, picoseconds until)
{
	struct operation *mark = mark_new(operation->context);

	recorder_await(operation->task.order);
	turn_awaits(false);
	task_after(&mark->task, &operation->task);
	return run_to(mark, until);
}

CUresult queue_run(CUcontext context, CUstream stream)
{
	return run_streams(context, stream, SIM_NEVER);
}

CUresult queue_run_operation(struct operation *operation)
{
	return run_operation(operation, SIM_NEVER);
}

/* A kernel or a stream may be waiting for the program, which asks whether it is done. */
static picoseconds question_ends(void)
{
	return host_sees_memory || value_waits ? after_a_while() : SIM_NEVER;
}

CUresult queue_ask(CUcontext context, CUstream stream)
{
	return run_streams(context, stream, question_ends());
}

CUresult queue_ask_operation(struct operation *operation)
{
	return run_operation(operation, question_ends());
}

CUresult queue_run_all(void)
{
	return queue_run(context_current(), NULL);
}

void queue_finish(void)
{
	const bool never = false;

	recorder_finish();
	is_finishing = true;
	run_until(&never, SIM_NEVER);
}
