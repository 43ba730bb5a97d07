/* core/runtime/services.c -- what the system does for kernels. */
#include "core/runtime/services.h"
#include "core/diagnose/fault.h"
#include "core/exec/memory/narrow.h"
#include "core/kernel/kernel_run.h"
#include "core/runtime/device_printf.h"
#include "core/runtime/heap.h"
#include "core/simt/warp.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

struct services {
	struct device_memory *memory;
	uint64_t heap_bytes, output_bytes;
	struct heap *heap; /* NULL before the first malloc, or if there was no room */
	bool heap_is_made;
	struct device_output *output;         /* NULL before the first printf */
	const struct heap_listener *listener; /* NULL: nobody */
	device_call_function answer;          /* NULL: nobody */
	void *answer_user;
};

struct services *services_new(struct device_memory *memory)
{
	struct services *s = xcalloc(1, sizeof(*s));

	s->memory = memory;
	s->heap_bytes = SERVICES_HEAP_BYTES;
	s->output_bytes = SERVICES_OUTPUT_BYTES;
	return s;
}

void services_free(struct services *s)
{
	if (!s)
		return;
	heap_free(s->heap);
	device_output_free(s->output);
	free(s);
}

void services_listen(struct services *s, const struct heap_listener *listener)
{
	s->listener = listener;
}

bool services_has_heap(const struct services *s)
{
	return s->heap_is_made;
}

bool services_set_heap(struct services *s, uint64_t bytes)
{
	if (s->heap_is_made)
		return false;
	s->heap_bytes = bytes;
	return true;
}

bool services_set_output(struct services *s, uint64_t bytes)
{
	if (s->output)
		return false;
	s->output_bytes = bytes;
	return true;
}

void services_flush(struct services *s, FILE *out, FILE *error)
{
	uint64_t lost = s->output ? device_output_flush(s->output, out, error) : 0;

	if (lost)
		fprintf(error,
			"lockstep: the first %" PRIu64
			" of what the kernel printed are lost: its buffer has %" PRIu64 " bytes\n",
			lost, s->output_bytes);
}

static struct heap *heap_of(struct services *s)
{
	if (s->heap_is_made)
		return s->heap;
	s->heap_is_made = true;
	s->heap = heap_new(s->memory, s->heap_bytes);
	if (s->heap && s->listener)
		s->listener->made(s->listener->user, heap_base(s->heap), s->heap_bytes);
	return s->heap;
}

static struct device_output *output_of(struct services *s)
{
	if (!s->output)
		s->output = device_output_new(s->output_bytes);
	return s->output;
}

void services_answer(struct services *s, device_call_function answer, void *user)
{
	s->answer = answer;
	s->answer_user = user;
}

static uint64_t argument(const struct exec_write *w, unsigned row, unsigned lane)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)w->data[row] + 8 * lane, 8);
	return value;
}

static void put_result(const struct exec_write *w, unsigned lane, uint64_t value, unsigned bytes)
{
	if (w->uop->dst[0] != UOP_NONE)
		memcpy((uint8_t *)w->registers[w->uop->dst[0]] + bytes * lane, &value, bytes);
}

/* The call is of a module with 32-bit addresses. */
static bool is_narrow(const struct exec_write *w)
{
	return w->uop->mods & MOD_SAT;
}

static struct lane_memory memory_of(const struct exec *x, const struct exec_write *w, unsigned lane)
{
	const struct kernel_run *run = w->warp->cta->run;

	return (struct lane_memory){ .memory = x->memory,
		.shared = w->warp->cta->shared,
		.shared_bytes = run->shared_bytes,
		.local = w->warp->local + (size_t)lane * run->local_bytes,
		.local_bytes = run->local_bytes,
		.is_narrow = is_narrow(w) };
}

/* The lane's call cannot be done. `detail` has been filled in, or stays empty. */
static void fail_call(struct exec *x, const struct exec_write *w, unsigned lane, enum fault_kind kind)
{
	x->faulted = true;
	x->fault->kind = kind;
	x->fault->lane = lane;
	x->fault->line = w->uop->line;
	fault_explain(x->fault, w->warp, w->uop);
}

static void fail_access(struct exec *x, const struct exec_write *w, unsigned lane, addr wrong)
{
	x->fault->address = wrong;
	x->fault->bytes = 1;
	x->fault->is_store = false;
	x->fault->nearest = memory_nearest(x->memory, wrong);
	fail_call(x, w, lane, FAULT_OUT_OF_BOUNDS);
}

static void do_printf(struct exec *x, const struct exec_write *w, unsigned lane)
{
	struct lane_memory m = memory_of(x, w, lane);
	struct text text = { 0 };
	int count = device_printf(&text, &m, argument(w, 0, lane), argument(w, 2, lane));

	if (count == -2) {
		free(text.data);
		fail_access(x, w, lane, m.wrong);
		return;
	}
	if (text.size)
		device_output_add(output_of(x->services), DEVICE_STDOUT, &text);
	put_result(w, lane, (uint64_t)(int64_t)count, 4);
}

static void do_malloc(struct exec *x, const struct exec_write *w, unsigned lane)
{
	struct heap *heap = heap_of(x->services);
	uint64_t bytes = argument(w, 0, lane);
	addr object = heap ? heap_allocate(heap, bytes) : 0;
	bool is_reached = !is_narrow(w) || object - DEVICE_BASE < NARROW_SHARED;

	if (object && !is_reached) {
		heap_release(heap, object);
		object = 0;
	}

	if (object && x->services->listener)
		x->services->listener->allocated(x->services->listener->user, object, bytes);
	put_result(w, lane, object, is_narrow(w) ? 4 : 8);
}

static void do_free(struct exec *x, const struct exec_write *w, unsigned lane)
{
	addr address = argument(w, 0, lane);

	if (!address)
		return;
	if (is_narrow(w))
		address = narrow_completed((uint32_t)address);
	if (x->services->heap && heap_release(x->services->heap, address)) {
		if (x->services->listener)
			x->services->listener->released(x->services->listener->user, address);
		return;
	}
	snprintf(x->fault->detail, sizeof(x->fault->detail),
		"free of 0x%" PRIx64 ", which malloc did not give out or which has been freed already",
		address);
	fail_call(x, w, lane, FAULT_ILLEGAL_INSTRUCTION);
}

static void append_number(struct text *text, const char *format, uint32_t number)
{
	char buffer[64];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	text_append(text, buffer, (size_t)snprintf(buffer, sizeof(buffer), format, number));
#pragma GCC diagnostic pop
}

/* "block: [x,y,z], thread: [x,y,z]" */
static void append_place(struct text *text, const struct warp *w, unsigned lane)
{
	const uint32_t *b = w->cta->run->launch->block;
	uint32_t thread = (uint32_t)w->index * WARP_SIZE + lane;
	char buffer[160];
	int size = snprintf(buffer, sizeof(buffer), "block: [%u,%u,%u], thread: [%u,%u,%u]", w->cta->id[0],
		w->cta->id[1], w->cta->id[2], thread % b[0], thread / b[0] % b[1], thread / b[0] / b[1]);

	text_append(text, buffer, (size_t)size);
}

static bool append_string(struct text *text, struct lane_memory *m, addr address)
{
	uint64_t length;
	const char *string = lane_memory_string(m, address, UINT64_MAX, &length);

	if (string)
		text_append(text, string, length);
	return string;
}

/* The line that a failed assertion prints; false if one of its strings cannot be read. */
static bool describe_assertion(const struct exec_write *w, unsigned lane, struct lane_memory *m,
	struct text *text, struct text *message)
{
	if (!append_string(message, m, argument(w, 0, lane)) || !append_string(text, m, argument(w, 2, lane)))
		return false;
	append_number(text, ":%u: ", w->data[4][lane]);
	if (!append_string(text, m, argument(w, 5, lane)))
		return false;
	text_append(text, ": ", 2);
	append_place(text, w->warp, lane);
	text_append(text, " Assertion `", 12);
	text_append(text, message->data, message->size);
	text_append(text, "` failed.\n", 10);
	return true;
}

/* Every lane says what failed; the first one's message goes into the fault. */
static void do_assertfail(struct exec *x, const struct exec_write *w, unsigned lane)
{
	struct lane_memory m = memory_of(x, w, lane);
	struct text text = { 0 }, message = { 0 };
	bool is_read = describe_assertion(w, lane, &m, &text, &message);

	if (is_read && !x->fault->detail[0])
		snprintf(x->fault->detail, sizeof(x->fault->detail), "`%.*s` failed", (int)message.size,
			message.data);
	if (is_read)
		device_output_add(output_of(x->services), DEVICE_STDERR, &text);
	free(text.data);
	free(message.data);
	if (!is_read)
		fail_access(x, w, lane, m.wrong);
}

/* The arguments of one lane; the words of a block, one by one. */
static void take_arguments(const struct exec_write *w, unsigned lane, uint64_t *values)
{
	const struct ptx_syscall_form *form = ptx_syscall_form((unsigned)w->uop->imm);
	unsigned row = 0;

	for (unsigned i = 0; form->argument_bits[i]; i++) {
		if (form->argument_bits[i] == 64) {
			*values++ = argument(w, row, lane);
			row += 2;
			continue;
		}
		for (unsigned word = 0; word < form->argument_bits[i] / 32u; word++)
			*values++ = w->data[row++][lane];
	}
}

/* What whoever starts kernels answers. */
static void do_device_call(struct exec *x, const struct exec_write *w, unsigned lane)
{
	const struct ptx_syscall_form *form = ptx_syscall_form((unsigned)w->uop->imm);
	struct lane_memory m = memory_of(x, w, lane);
	uint64_t values[PTX_SYSCALL_ROWS], result;
	struct device_call call = { .which = (unsigned)w->uop->imm,
		.run = w->warp->cta->run,
		.cta = w->warp->cta->linear,
		.thread = (uint64_t)w->warp->index * WARP_SIZE + lane,
		.arguments = values,
		.memory = &m };

	if (!x->services->answer) {
		snprintf(x->fault->detail, sizeof(x->fault->detail),
			"%s, which only kernels of a program can call", form->name);
		fail_call(x, w, lane, FAULT_ILLEGAL_INSTRUCTION);
		return;
	}
	take_arguments(w, lane, values);
	result = x->services->answer(x->services->answer_user, &call);
	if (m.wrong)
		fail_access(x, w, lane, m.wrong);
	else
		put_result(w, lane, result, form->result_bits / 8u);
}

static void apply_lane(struct exec *x, const struct exec_write *w, unsigned lane)
{
	switch ((enum ptx_syscall)w->uop->imm) {
	case PTX_SYSCALL_VPRINTF:
		do_printf(x, w, lane);
		return;
	case PTX_SYSCALL_MALLOC:
		do_malloc(x, w, lane);
		return;
	case PTX_SYSCALL_FREE:
		do_free(x, w, lane);
		return;
	case PTX_SYSCALL_ASSERTFAIL:
		do_assertfail(x, w, lane);
		return;
	default:
		do_device_call(x, w, lane);
	}
}

void services_apply(struct exec *x, const struct exec_write *w)
{
	if (x->fault->kind != FAULT_NONE)
		return;
	for (lane_mask rest = w->mask; rest && !x->faulted; rest &= rest - 1)
		apply_lane(x, w, (unsigned)__builtin_ctz(rest));
	if (w->uop->imm == PTX_SYSCALL_ASSERTFAIL && !x->faulted)
		fail_call(x, w, (unsigned)__builtin_ctz(w->mask), FAULT_ASSERT);
}
