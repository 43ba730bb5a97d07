/* host/driver/recording/recorder_operation.c -- an operation as an entry. What it reads from the host's
 * memory is taken when it is added: a program must not change that before the operation has ended. */
#include "host/driver/recording/recorder.h"

static void put_operation_head(struct recording_writer *w, enum recording_kind kind,
	const struct operation *o, size_t bytes, uint64_t context, uint64_t stream)
{
	recording_put(w, kind, 3 * sizeof(uint64_t) + bytes);
	recording_put_number(w, o->task.order);
	recording_put_number(w, context);
	recording_put_number(w, stream);
}

static void put_numbers(struct recording_writer *w, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		recording_put_number(w, numbers[i]);
}

/* 7 bits of shared_percent behind the first, 5 for each dimension of a cluster, from bit 9 on. */
static uint32_t launch_flags(const struct launch *l)
{
	return l->is_cooperative | l->shared_percent << 1 | (uint32_t)l->is_graph_node << 8 |
		l->cluster[0] << 9 | l->cluster[1] << 14 | l->cluster[2] << 19 |
		(uint32_t)l->starts_early << 24;
}

static void put_window(struct recording_writer *w, const struct access_window *window)
{
	const uint64_t numbers[] = { window->start, window->bytes, window->hit_ratio,
		window->hit | (uint64_t)window->miss << 8 };

	if (window->bytes)
		recording_put_numbers(w, RECORDING_WINDOW, numbers, sizeof numbers / sizeof *numbers);
}

static void put_launch(
	struct recording_writer *w, const struct operation *o, uint64_t context, uint64_t stream)
{
	const struct launch *l = &o->as.launch;
	const struct ptx_kernel *k = l->kernel;
	uint64_t kernel = (uint64_t)(o->function - o->function->module->functions);
	const uint64_t numbers[] = { o->function->module->recorded, kernel, l->grid[0], l->grid[1],
		l->grid[2], l->block[0], l->block[1], l->block[2], l->dynamic_shared, l->stack_limit,
		l->stream, launch_flags(l), k->register_cap };

	put_window(w, &l->window);
	put_operation_head(w, RECORDING_LAUNCH, o,
		sizeof numbers + sizeof(uint64_t) + strlen(k->name) + k->param_bytes, context, stream);
	put_numbers(w, numbers, sizeof numbers / sizeof *numbers);
	recording_put_text(w, k->name);
	recording_put_bytes(w, l->params, k->param_bytes);
}

static void put_rows(struct recording_writer *w, const struct operation_copy *c)
{
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			recording_put_bytes(w, c->from + z * c->from_slice + y * c->from_pitch, c->width);
}

/* A side outside the device's region has address 0. */
static void put_copy(struct recording_writer *w, const struct operation *o, uint64_t context, uint64_t stream)
{
	const struct operation_copy *c = &o->as.copy;
	addr to = (uintptr_t)c->to, from = (uintptr_t)c->from;
	bool is_to_region = memory_is_in_region(to), is_from_region = memory_is_in_region(from);
	bool has_rows = is_to_region && !is_from_region;
	const uint64_t numbers[] = { is_to_region ? to : 0, is_from_region ? from : 0, c->to_pitch,
		c->to_slice, c->from_pitch, c->from_slice, c->width, c->height, c->depth, c->to_host,
		c->from_host, o->owned != NULL };

	put_operation_head(w, RECORDING_COPY, o,
		sizeof numbers + (has_rows ? c->width * c->height * c->depth : 0), context, stream);
	put_numbers(w, numbers, sizeof numbers / sizeof *numbers);
	if (has_rows)
		put_rows(w, c);
}

void recorder_put_operation(struct recording_writer *w, const struct operation *o)
{
	uint64_t context = recorder_context(o->context), stream = recorder_stream(o->stream);
	const struct operation_set *s = &o->as.set;
	const uint64_t set[] = { (uintptr_t)s->to, s->pitch, s->width, s->height, s->bytes, s->value };

	switch (o->kind) {
	case OPERATION_LAUNCH:
		put_launch(w, o, context, stream);
		break;
	case OPERATION_COPY:
		put_copy(w, o, context, stream);
		break;
	case OPERATION_SET:
		put_operation_head(w, RECORDING_SET, o, sizeof set, context, stream);
		put_numbers(w, set, sizeof set / sizeof *set);
		break;
	case OPERATION_FREE:
		put_operation_head(w, RECORDING_FREE, o, sizeof(uint64_t), context, stream);
		recording_put_number(w, (uintptr_t)o->as.allocation->handle.key);
		break;
	case OPERATION_RECORD:
	case OPERATION_WAIT:
	case OPERATION_CALL:
	case OPERATION_GRAPH_END:
	case OPERATION_AWAIT_VALUE: /* with these the recording has been refused */
	case OPERATION_GRAPH_BEGIN:
	case OPERATION_CONDITION:
	case OPERATION_PUT_VALUE:
		put_operation_head(w, RECORDING_POINT, o, 0, context, stream);
		break;
	case OPERATION_MARK: /* waits are recorded as such */
		break;
	}
}
