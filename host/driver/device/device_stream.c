/* host/driver/device/device_stream.c -- streams and events of a grid. Each CTA has a default stream, each
 * thread another; those that a kernel creates belong to its grid. They do not wait for each other but by
 * events (CUDA C++ Programming Guide, "Streams" and "Events" of dynamic parallelism). */
#include "host/driver/device/device.h"

#define OF_GRID       UINT64_MAX
#define NON_BLOCKING  1 /* the flag without which no stream is created */
#define WITHOUT_TIMES 2 /* the same of events */

static struct device_stream **stream_place(struct family *family, uint64_t cta, uint64_t name)
{
	struct device_stream **at = &family->streams[(cta * 31 + name) % FAMILY_STREAMS];

	while (*at && ((*at)->cta != cta || (*at)->name != name))
		at = &(*at)->next;
	return at;
}

static struct device_stream *stream_new(struct device_stream **at, uint64_t cta, uint64_t name)
{
	*at = xcalloc(1, sizeof **at);
	(*at)->cta = cta;
	(*at)->name = name;
	return *at;
}

struct device_stream *device_stream_find(const struct device_caller *caller, uint64_t name)
{
	struct family *family = family_of(caller->operation);
	const struct device_call *c = caller->call;
	struct device_stream **at;

	if (name >= DEVICE_STREAM_FIRST) {
		at = stream_place(family, OF_GRID, name);
		return *at && !(*at)->is_destroyed ? *at : NULL;
	}
	name = name == DEVICE_STREAM_PER_THREAD ? c->thread + 1 : 0;
	at = stream_place(family, c->cta, name);
	return *at ? *at : stream_new(at, c->cta, name);
}

void device_stream_add(const struct device_caller *caller, struct device_stream *stream, struct operation *o)
{
	family_add(family_of(caller->operation), o);
	if (stream) {
		queue_behind(o, stream->last);
		if (stream->last)
			stream->last->place = NULL;
		stream->last = o;
		o->place = &stream->last;
	}
	queue_submit(o);
	gpu_yield(driver.gpu);
}

void device_streams_free(struct family *family)
{
	for (unsigned i = 0; i < FAMILY_STREAMS; i++)
		while (family->streams[i]) {
			struct device_stream *stream = family->streams[i];

			family->streams[i] = stream->next;
			free(stream);
		}
	while (family->events) {
		struct device_event *event = family->events;

		family->events = event->next;
		free(event);
	}
}

static uint64_t new_name(struct family *family)
{
	return DEVICE_STREAM_FIRST + family->names++;
}

uint64_t device_stream_create(const struct device_caller *caller)
{
	struct family *family = family_of(caller->operation);

	if (caller->call->arguments[1] != NON_BLOCKING)
		return DEVICE_INVALID_VALUE;
	uint64_t name = new_name(family);
	stream_new(stream_place(family, OF_GRID, name), OF_GRID, name);
	return device_answer(caller, &name, sizeof name);
}

uint64_t device_stream_destroy(const struct device_caller *caller)
{
	uint64_t name = caller->call->arguments[0];
	struct device_stream *stream = name >= DEVICE_STREAM_FIRST ? device_stream_find(caller, name) : NULL;

	if (!stream)
		return DEVICE_INVALID_VALUE;
	stream->is_destroyed = true;
	return DEVICE_OK;
}

/* -- events: what is recorded is an operation of its own behind the stream's last -- */

static struct device_event **event_place(struct family *family, uint64_t name)
{
	struct device_event **at = &family->events;

	while (*at && (*at)->name != name)
		at = &(*at)->next;
	return at;
}

/* An operation that does nothing. */
static struct operation *new_point(const struct device_caller *caller)
{
	const struct operation point = { .kind = OPERATION_WAIT };

	return queue_prepare(&point, caller->operation->context, NULL);
}

/* Whether events may be recorded and awaited there. */
static struct device_stream *stream_of_events(const struct device_caller *caller, uint64_t name)
{
	return name == DEVICE_STREAM_TAIL || name == DEVICE_STREAM_FIRE_AND_FORGET
		? NULL
		: device_stream_find(caller, name);
}

static bool has_event_room(const struct family *family)
{
	size_t most = 2 * family->parent->context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT];

	for (const struct device_event *event = family->events; event && most; event = event->next)
		most--;
	return most;
}

uint64_t device_event_create(const struct device_caller *caller)
{
	struct family *family = family_of(caller->operation);

	if (caller->call->arguments[1] != WITHOUT_TIMES)
		return DEVICE_INVALID_VALUE;
	if (!has_event_room(family))
		return DEVICE_NO_MEMORY;
	struct device_event *event = xcalloc(1, sizeof *event);
	event->name = new_name(family);
	event->next = family->events;
	family->events = event;
	return device_answer(caller, &event->name, sizeof event->name);
}

uint64_t device_event_record(const struct device_caller *caller)
{
	struct family *family = family_of(caller->operation);
	struct device_event *event = *event_place(family, caller->call->arguments[0]);
	struct device_stream *stream = stream_of_events(caller, caller->call->arguments[1]);

	if (!event || !stream)
		return DEVICE_INVALID_VALUE;
	if (event->record)
		event->record->place = NULL;
	event->record = NULL;
	if (!stream->last)
		return DEVICE_OK;
	event->record = new_point(caller);
	queue_behind(event->record, stream->last);
	event->record->place = &event->record;
	device_stream_add(caller, NULL, event->record);
	return DEVICE_OK;
}

uint64_t device_stream_wait(const struct device_caller *caller)
{
	struct family *family = family_of(caller->operation);
	struct device_event *event = *event_place(family, caller->call->arguments[1]);
	struct device_stream *stream = stream_of_events(caller, caller->call->arguments[0]);

	if (!event || !stream || caller->call->arguments[2])
		return DEVICE_INVALID_VALUE;
	if (!event->record)
		return DEVICE_OK;
	struct operation *wait = new_point(caller);
	queue_behind(wait, event->record);
	device_stream_add(caller, stream, wait);
	return DEVICE_OK;
}

uint64_t device_event_destroy(const struct device_caller *caller)
{
	struct device_event **at = event_place(family_of(caller->operation), caller->call->arguments[0]);
	struct device_event *event = *at;

	if (!event)
		return DEVICE_INVALID_VALUE;
	if (event->record)
		event->record->place = NULL;
	*at = event->next;
	free(event);
	return DEVICE_OK;
}
