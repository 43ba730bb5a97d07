/* host/driver/recording/replay_operation.c -- an entry becomes an operation, which is checked as the
 * program's call was. */
#include "host/driver/recording/recorder.h"
#include "host/driver/recording/replay.h"

#include <inttypes.h>

static bool take_limited(struct replay *r, uint32_t *value)
{
	uint64_t number = recording_take_number(r->reader);

	*value = (uint32_t)number;
	return number <= UINT32_MAX || recording_wrong(r->reader, "%" PRIu64 " is too large", number);
}

static bool take_numbers(struct replay *r, uint32_t *values, size_t count)
{
	bool fine = true;

	for (size_t i = 0; i < count; i++)
		fine &= take_limited(r, &values[i]);
	return fine;
}

/* -- launches -- */

static CUfunction replayed_function(struct replay *r, uint64_t module, uint64_t kernel)
{
	if (module && module <= r->module_count && r->modules[module - 1] &&
		kernel < r->modules[module - 1]->image->kernel_count)
		return &r->modules[module - 1]->functions[kernel];
	recording_wrong(r->reader, "there is no kernel %" PRIu64 " in module %" PRIu64, kernel, module);
	return NULL;
}

static bool take_params(struct replay *r, struct operation *o)
{
	struct ptx_kernel *k = o->function->kernel;
	char *name = recording_take_text(r->reader);
	bool is_same = strcmp(name, k->name) == 0;

	free(name);
	if (!is_same || recording_left(r->reader) != k->param_bytes)
		return recording_wrong(r->reader, "it is of another kernel than %s", k->name);
	o->owned = xcalloc(1, k->param_bytes);
	o->as.launch.params = o->owned;
	recording_take_bytes(r->reader, o->owned, k->param_bytes);
	return true;
}

static bool take_launch(struct replay *r, struct operation *o)
{
	struct launch *l = &o->as.launch;
	uint64_t module = recording_take_number(r->reader), kernel = recording_take_number(r->reader);
	uint32_t flags, cap; /* flags: as launch_flags has them */

	o->kind = OPERATION_LAUNCH;
	o->function = replayed_function(r, module, kernel);
	if (!o->function || !take_numbers(r, l->grid, 3) || !take_numbers(r, l->block, 3) ||
		!take_limited(r, &l->dynamic_shared) || !take_limited(r, &l->stack_limit) ||
		!take_limited(r, &l->stream) || !take_limited(r, &flags) || !take_limited(r, &cap) ||
		!take_params(r, o))
		return false;
	l->kernel = o->function->kernel;
	l->kernel->register_cap = cap;
	l->window = r->window;
	r->window = (struct access_window){ 0 };
	l->is_cooperative = flags & 1;
	l->shared_percent = flags >> 1 & 127;
	l->is_graph_node = flags >> 8 & 1;
	l->starts_early = flags >> 24 & 1;
	for (int i = 0; i < 3; i++)
		l->cluster[i] = flags >> (9 + 5 * i) & 31;
	o->function->is_non_portable = true;
	if (o->function->max_dynamic_shared < l->dynamic_shared)
		o->function->max_dynamic_shared = l->dynamic_shared; /* the program had asked for it */
	if (launch_check(o->function, l) == CUDA_SUCCESS)
		return true;
	return recording_wrong(r->reader, "kernel %s cannot be launched on this machine", l->kernel->name);
}

/* -- copies and fills -- */

/* Whether a box lies in one live allocation. Its rows and slices lie behind each other, so that there are no
 * more of them than bytes. */
static bool box_lies(const void *start, size_t pitch, size_t slice, const struct operation_copy *c)
{
	size_t rows, slices, span;

	if (!c->width || !c->height || !c->depth)
		return true;
	if (__builtin_mul_overflow(c->height - 1, pitch, &rows) ||
		__builtin_add_overflow(rows, c->width, &rows) || (c->height > 1 && pitch < c->width) ||
		(c->depth > 1 && slice < rows))
		return false;
	return !__builtin_mul_overflow(c->depth - 1, slice, &slices) &&
		!__builtin_add_overflow(rows, slices, &span) && memory_is_device((uintptr_t)start, span);
}

/* Rows that the program copied from its memory; they lie behind each other. */
static bool take_rows(struct replay *r, struct operation *o)
{
	struct operation_copy *c = &o->as.copy;
	size_t bytes;

	if (__builtin_mul_overflow(c->width, c->height, &bytes) ||
		__builtin_mul_overflow(bytes, c->depth, &bytes) || bytes != recording_left(r->reader))
		return recording_wrong(r->reader, "it has %zu bytes", recording_left(r->reader));
	o->owned = xmalloc(bytes ? bytes : 1);
	replay_take_bytes(r, o->owned, bytes);
	c->from = o->owned;
	c->from_pitch = c->width;
	c->from_slice = c->width * c->height;
	return true;
}

static bool take_copy(struct replay *r, struct operation *o)
{
	struct operation_copy *c = &o->as.copy;

	o->kind = OPERATION_COPY;
	c->to = memory_host(recording_take_number(r->reader));
	c->from = memory_host(recording_take_number(r->reader));
	c->to_pitch = recording_take_number(r->reader);
	c->to_slice = recording_take_number(r->reader);
	c->from_pitch = recording_take_number(r->reader);
	c->from_slice = recording_take_number(r->reader);
	c->width = recording_take_number(r->reader);
	c->height = recording_take_number(r->reader);
	c->depth = recording_take_number(r->reader);
	c->to_host = recording_take_number(r->reader);
	c->from_host = recording_take_number(r->reader);
	o->is_stand_in = !recording_take_number(r->reader);
	if (c->from && !box_lies(c->from, c->from_pitch, c->from_slice, c))
		return recording_wrong(r->reader, "it reads what is not allocated");
	if (c->to && !box_lies(c->to, c->to_pitch, c->to_slice, c))
		return recording_wrong(r->reader, "it writes what is not allocated");
	return !c->to || c->from || take_rows(r, o);
}

static bool take_set(struct replay *r, struct operation *o)
{
	struct operation_set *s = &o->as.set;

	o->kind = OPERATION_SET;
	s->to = memory_host(recording_take_number(r->reader));
	s->pitch = recording_take_number(r->reader);
	s->width = recording_take_number(r->reader);
	s->height = recording_take_number(r->reader);
	if (!take_limited(r, &s->bytes) || !take_limited(r, &s->value))
		return false;
	return ((s->bytes == 1 || s->bytes == 2 || s->bytes == 4) && set_check(s) == CUDA_SUCCESS) ||
		recording_wrong(r->reader, "it fills what is not allocated");
}

/* Memory that its stream gives back. */
static bool take_free(struct replay *r, struct operation *o)
{
	addr address = recording_take_number(r->reader);
	struct memory_range range = memory_find(driver.memory, address);
	struct allocation *a;

	if (range.start == range.end || range.start != address)
		return recording_wrong(r->reader, "nothing was allocated at 0x%" PRIx64, address);
	a = xcalloc(1, sizeof *a);
	a->handle.key = memory_host(address);
	a->bytes = range.end - range.start;
	o->kind = OPERATION_FREE;
	o->as.allocation = a;
	return true;
}

static bool take_operation(struct replay *r, enum recording_kind kind, struct operation *o)
{
	switch (kind) {
	case RECORDING_LAUNCH:
		return take_launch(r, o);
	case RECORDING_COPY:
		return take_copy(r, o);
	case RECORDING_SET:
		return take_set(r, o);
	case RECORDING_FREE:
		return take_free(r, o);
	default: /* whatever it was, it does nothing here */
		o->kind = OPERATION_WAIT;
		return true;
	}
}

/* -- into the queue -- */

static struct replay_operation *place_for(struct replay *r, uint64_t number)
{
	struct replay_operation *last = r->operation_count ? r->operations[r->operation_count - 1] : NULL;

	if (!number || (last && last->number >= number)) {
		recording_wrong(r->reader, "operation %" PRIu64 " comes out of order", number);
		return NULL;
	}
	if (r->operation_count == r->operation_room) {
		r->operation_room = r->operation_room ? 2 * r->operation_room : 64;
		r->operations = xrealloc(r->operations, r->operation_room * sizeof *r->operations);
	}
	last = xcalloc(1, sizeof *last);
	last->number = number;
	return r->operations[r->operation_count++] = last;
}

bool replay_add(struct replay *r, enum recording_kind kind)
{
	struct replay_operation *place = place_for(r, recording_take_number(r->reader));
	CUcontext context = replay_context(r, recording_take_number(r->reader));
	uint64_t stream = recording_take_number(r->reader);
	struct operation o = { .kind = OPERATION_WAIT };

	if (!place || !context)
		return false;
	if (stream > r->stream_count || (stream && r->streams[stream - 1]->handle.context != context))
		return recording_wrong(r->reader, "there is no stream %" PRIu64, stream);
	if (!take_operation(r, kind, &o) || recording_error(r->reader)) {
		free(o.owned);
		return false;
	}
	o.place = &place->queued;
	place->queued = queue_prepare(&o, context, stream ? r->streams[stream - 1] : NULL);
	place->is_waiting = true;
	if (kind == RECORDING_COPY && !o.as.copy.to) /* into the program's memory: its time alone counts */
		place->queued->as.copy.depth = 0;
	return true;
}
