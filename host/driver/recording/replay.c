/* host/driver/recording/replay.c -- from entry to entry of a recording. */
#include "host/driver/recording/recorder.h"
#include "host/driver/recording/replay.h"

#include <inttypes.h>

#define PART ((size_t)1 << 24) /* bytes that are read without a look at signals */

CUcontext replay_context(struct replay *r, uint64_t number)
{
	if (!number || number > r->context_count + 1 || number > 1024) {
		recording_wrong(r->reader, "there is no context %" PRIu64, number);
		return NULL;
	}
	if (number > r->context_count) {
		r->contexts = xrealloc(r->contexts, number * sizeof *r->contexts);
		if (cuCtxCreate(&r->contexts[r->context_count], 0, 0) != CUDA_SUCCESS) {
			recording_wrong(r->reader, "context %" PRIu64 " cannot be made", number);
			return NULL;
		}
		cuCtxPopCurrent(NULL);
		r->context_count++;
	}
	return r->contexts[number - 1];
}

/* The operation of that number; NULL, with the error noted, if there is none. */
static struct replay_operation *replay_operation(struct replay *r, uint64_t number)
{
	size_t low = 0, high = r->operation_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (r->operations[middle]->number == number)
			return r->operations[middle];
		if (r->operations[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	recording_wrong(r->reader, "there is no operation %" PRIu64, number);
	return NULL;
}

/* -- streams -- */

/* Default streams come with their contexts; the others are made in the order of their first use. */
static bool add_stream(struct replay *r)
{
	CUcontext context = replay_context(r, recording_take_number(r->reader));
	uint64_t id = recording_take_number(r->reader), rule = recording_take_number(r->reader);
	CUstream made;

	if (!context)
		return false;
	if (rule > STREAM_LEGACY || id > UINT32_MAX)
		return recording_wrong(r->reader, "there is no such stream");
	if (rule == STREAM_LEGACY) {
		made = &context->legacy;
	} else {
		cuCtxPushCurrent(context);
		cuStreamCreate(&made, rule == STREAM_FREE ? CU_STREAM_NON_BLOCKING : 0);
		cuCtxPopCurrent(NULL);
	}
	made->id = (unsigned)id;
	r->streams = xrealloc(r->streams, (r->stream_count + 1) * sizeof *r->streams);
	r->streams[r->stream_count++] = made;
	return true;
}

/* -- order -- */

static bool put_behind(struct replay *r)
{
	struct replay_operation *o = replay_operation(r, recording_take_number(r->reader));
	uint64_t number = recording_take_number(r->reader);
	struct replay_operation *before = replay_operation(r, number & ~RECORDED_TRIGGER);

	if (!o || !before)
		return false;
	if (!o->is_waiting)
		return recording_wrong(r->reader, "operation %" PRIu64 " was submitted before", o->number);
	if (number & RECORDED_TRIGGER && before->queued)
		queue_behind_trigger(o->queued, before->queued);
	else
		queue_behind(o->queued, before->queued);
	return true;
}

static bool replay_submit(struct replay *r)
{
	struct replay_operation *o = replay_operation(r, recording_take_number(r->reader));

	if (!o)
		return false;
	if (!o->is_waiting)
		return recording_wrong(r->reader, "operation %" PRIu64 " was submitted before", o->number);
	o->is_waiting = false;
	queue_submit(o->queued);
	return true;
}

/* Every operation must have been submitted by then: else the wait would never end. */
static bool can_wait(struct replay *r)
{
	for (size_t i = r->operation_count; i; i--)
		if (r->operations[i - 1]->is_waiting)
			return recording_wrong(r->reader, "operation %" PRIu64 " was never submitted",
				r->operations[i - 1]->number);
	return true;
}

static bool replay_await(struct replay *r)
{
	struct replay_operation *o = replay_operation(r, recording_take_number(r->reader));

	if (!o || !can_wait(r))
		return false;
	if (o->queued)
		queue_run_operation(o->queued);
	return true;
}

static bool await_all(struct replay *r)
{
	CUcontext context = replay_context(r, recording_take_number(r->reader));
	uint64_t stream = recording_take_number(r->reader);

	if (!context || !can_wait(r))
		return false;
	if (stream > r->stream_count)
		return recording_wrong(r->reader, "there is no stream %" PRIu64, stream);
	queue_run(context, stream ? r->streams[stream - 1] : NULL);
	return true;
}

static bool replay_finish(struct replay *r)
{
	if (!can_wait(r))
		return false;
	queue_finish();
	r->is_finished = true;
	return true;
}

/* -- what persists in the L2 -- */

static bool replay_set_aside(struct replay *r)
{
	gpu_set_aside(driver.gpu, recording_take_number(r->reader));
	return true;
}

static bool replay_reset_persisting(struct replay *r)
{
	recording_take_number(r->reader);
	gpu_reset_persisting(driver.gpu);
	return true;
}

static bool replay_window(struct replay *r)
{
	struct access_window *w = &r->window;
	uint64_t properties;

	w->start = recording_take_number(r->reader);
	w->bytes = recording_take_number(r->reader);
	w->hit_ratio = recording_take_number(r->reader);
	properties = recording_take_number(r->reader);
	w->hit = properties & 3;
	w->miss = properties >> 8 & 3;
	return true;
}

/* -- all entries -- */

static bool replay_limit(struct replay *r, bool (*set)(struct gpu *, uint64_t))
{
	return set(driver.gpu, recording_take_number(r->reader)) ||
		recording_wrong(r->reader, "the limit cannot be set");
}

static bool replay_entry(struct replay *r, enum recording_kind kind)
{
	if (r->is_finished && kind != RECORDING_MEMORY)
		return recording_wrong(r->reader, "it stands behind the end of the program");
	switch (kind) {
	case RECORDING_PROGRAM:
		return true;
	case RECORDING_MODULE:
		return replay_module(r);
	case RECORDING_HEAP:
		return replay_limit(r, gpu_set_heap);
	case RECORDING_OUTPUT:
		return replay_limit(r, gpu_set_output);
	case RECORDING_SET_ASIDE:
		return replay_set_aside(r);
	case RECORDING_RESET_PERSISTING:
		return replay_reset_persisting(r);
	case RECORDING_WINDOW:
		return replay_window(r);
	case RECORDING_STREAM:
		return add_stream(r);
	case RECORDING_LAUNCH:
	case RECORDING_COPY:
	case RECORDING_SET:
	case RECORDING_FREE:
	case RECORDING_POINT:
		return replay_add(r, kind);
	case RECORDING_BEHIND:
		return put_behind(r);
	case RECORDING_SUBMIT:
		return replay_submit(r);
	case RECORDING_AWAIT:
		return replay_await(r);
	case RECORDING_AWAIT_ALL:
		return await_all(r);
	case RECORDING_FINISH:
		return replay_finish(r);
	case RECORDING_CHECKPOINT:
		return recording_wrong(
			r->reader, "this is a checkpoint: give its recording, and this file with --from");
	default:
		return replay_memory(r, kind);
	}
}

static bool is_faulty(const struct replay *r)
{
	for (size_t i = 0; i < r->context_count; i++)
		if (r->contexts[i]->fault)
			return true;
	return false;
}

/* A replay has the driver's lock all the time, so that nobody else can end it. */
static void look_for_interruption(void)
{
	if (!session_interrupted())
		return;
	kernels_interrupt();
	driver_end_interrupted();
}

void replay_take_bytes(struct replay *r, void *to, size_t bytes)
{
	for (size_t at = 0, part; at < bytes; at += part) {
		part = bytes - at < PART ? bytes - at : PART;
		look_for_interruption();
		recording_take_bytes(r->reader, (char *)to + at, part);
	}
}

/* false: it ended before its end, and why was said. */
static bool replay_run(struct replay *r)
{
	enum recording_kind kind;

	while ((kind = recording_next(r->reader))) {
		look_for_interruption();
		if (!replay_entry(r, kind) || recording_error(r->reader))
			break;
		if (is_faulty(r)) {
			driver_say("the replay ends here: a kernel did not run to its end");
			return false;
		}
	}
	if (!recording_error(r->reader) && !r->is_finished)
		recording_wrong(r->reader, "the recording ends before the program");
	if (recording_error(r->reader))
		driver_say("%s", recording_error(r->reader));
	return !recording_error(r->reader);
}

static int replay_verdict(const struct replay *r)
{
	if (!r->differences)
		return 0;
	driver_say("the device memory has another content than in the recording, in %" PRIu64
		   " places, the first one of %" PRIu64 " bytes at 0x%" PRIx64
		   "; so the results differ, as they may where a kernel depends on the order of its threads",
		r->differences, r->first_difference.end - r->first_difference.start,
		r->first_difference.start);
	return 1;
}

static void replay_free(struct replay *r)
{
	recording_reader_free(r->reader);
	free(r->contexts);
	free(r->streams);
	free(r->modules);
	for (size_t i = 0; i < r->operation_count; i++) {
		if (r->operations[i]->queued) /* the replay has ended before it */
			r->operations[i]->queued->place = NULL;
		free(r->operations[i]);
	}
	free(r->operations);
}

int lockstep_replay(const char *path)
{
	struct replay r = { 0 };
	struct diag_list diags;
	int status;

	driver.is_replay = true;
	diag_init(&diags);
	r.reader = recording_reader_open(path, &diags);
	diag_print(&diags, stderr);
	diag_fini(&diags);
	if (!r.reader)
		return 1;
	if (cuInit(0) != CUDA_SUCCESS) {
		recording_reader_free(r.reader);
		return 1;
	}
	struct driver_call call = driver_enter(NEED_INIT);
	status = replay_run(&r) ? replay_verdict(&r) : 1;
	driver_leave(&call);
	replay_free(&r);
	return status;
}
