/* host/driver_queue.c -- the operations that wait, in the order of the calls that made them. */
#include "host/driver.h"

#include <unistd.h>

static struct operation *first, **last = &first;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static bool is_busy;                      /* a function of the program's runs, without the lock */
static __thread bool is_calling;

bool queue_is_calling(void)
{
	return is_calling;
}

void queue_add(const struct operation *operation, CUstream stream)
{
	struct operation *o = xmalloc(sizeof *o);

	*o = *operation;
	o->next = NULL;
	o->context = context_current();
	o->stream = stream;
	*last = o;
	last = &o->next;
	if (stream)
		stream->pending++;
	if (o->kind == OPERATION_RECORD)
		o->as.event->pending++;
}

static struct operation *queue_take(void)
{
	struct operation *o = first;

	first = o->next;
	if (!first)
		last = &first;
	return o;
}

static CUresult fault_error(enum fault_kind kind)
{
	switch (kind) {
	case FAULT_NONE:
		return CUDA_SUCCESS;
	case FAULT_OUT_OF_BOUNDS:
	case FAULT_SHARED_OUT_OF_BOUNDS:
	case FAULT_LOCAL_OUT_OF_BOUNDS:
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	case FAULT_MISALIGNED:
		return CUDA_ERROR_MISALIGNED_ADDRESS;
	case FAULT_ILLEGAL_INSTRUCTION:
		return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	case FAULT_STACK_OVERFLOW:
		return CUDA_ERROR_HARDWARE_STACK_ERROR;
	case FAULT_HANG:
	case FAULT_BARRIER_DEADLOCK: /* a chip notices neither; its watchdog ends the kernel */
		return CUDA_ERROR_LAUNCH_TIMEOUT;
	case FAULT_INVALID_PC:
		return CUDA_ERROR_INVALID_PC;
	case FAULT_ADDRESS_SPACE:
		return CUDA_ERROR_INVALID_ADDRESS_SPACE;
	case FAULT_ASSERT:
		return CUDA_ERROR_ASSERT;
	case FAULT_SURFACE_MISALIGNED:
		return CUDA_ERROR_MISALIGNED_ADDRESS;
	case FAULT_NO_TEXTURE:
	case FAULT_UNBOUND_TEXTURE:
	case FAULT_FREED_TEXTURE:
	case FAULT_NO_CUBE:
	case FAULT_SURFACE_OUT_OF_BOUNDS:
	case FAULT_TRAP:
		break;
	}
	return CUDA_ERROR_LAUNCH_FAILED;
}

static void run_launch(struct operation *o)
{
	struct launch_result result = { 0 };

	session_launch(driver.session, &o->as.launch, &result);
	if (result.outcome == GPU_FAULT)
		o->context->fault = fault_error(result.fault.kind);
	if (result.outcome != GPU_INTERRUPTED)
		return;
	driver_close();
	exit(session_interrupt_status());
}

void operation_copy_run(const struct operation_copy *c)
{
	uint64_t bytes = (uint64_t)c->width * c->height * c->depth;

	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			memmove(c->to + z * c->to_slice + y * c->to_pitch,
				c->from + z * c->from_slice + y * c->from_pitch, c->width);
	if (bytes && c->to_host != c->from_host)
		gpu_account_copy(driver.gpu, bytes);
}

static void run_set(const struct operation_set *s)
{
	for (size_t y = 0; y < s->height; y++) {
		uint8_t *row = s->to + y * s->pitch;
		if (s->bytes == 1) {
			memset(row, (int)s->value, s->width);
			continue;
		}
		for (size_t x = 0; x < s->width; x++)
			memcpy(row + x * s->bytes, &s->value, s->bytes);   /* little-endian, as the device */
	}
}

static void run_record(struct operation *o)
{
	o->as.event->time = gpu_now(driver.gpu);
	o->as.event->is_recorded = true;
}

/* The program's own function: it may wait for another thread of its own that calls us, so we let go of the lock. */
static void run_call(const struct operation *o)
{
	const struct operation_call *c = &o->as.call;
	CUstream stream = o->stream;
	CUresult status = o->context->fault;

	is_busy = is_calling = true;
	pthread_mutex_unlock(driver_lock());
	if (c->callback)
		c->callback(stream, status, c->user);
	else
		c->function(c->user);
	pthread_mutex_lock(driver_lock());
	is_busy = is_calling = false;
	pthread_cond_broadcast(&idle);
}

static void operation_run(struct operation *o)
{
	switch (o->kind) {
	case OPERATION_LAUNCH:
		run_launch(o);
		break;
	case OPERATION_COPY:
		operation_copy_run(&o->as.copy);
		break;
	case OPERATION_SET:
		run_set(&o->as.set);
		break;
	case OPERATION_RECORD:
		run_record(o);
		break;
	case OPERATION_WAIT:
		break;
	case OPERATION_CALL:
		run_call(o);
		break;
	}
}

static void operation_end(struct operation *o)
{
	if (o->stream)
		o->stream->pending--;
	if (o->kind == OPERATION_RECORD)
		o->as.event->pending--;
	free(o->owned);
	free(o);
}

/* Runs operations until *pending is zero; all of them if pending is NULL. After a fault nothing runs in its context any
 * more but callbacks, which are told. */
static void run_until(const uint64_t *pending)
{
	for (;;) {
		while (is_busy)
			pthread_cond_wait(&idle, driver_lock());
		if (!first || driver.is_closed || (pending && !*pending))
			return;
		struct operation *o = queue_take();
		bool is_told = o->kind == OPERATION_CALL && o->as.call.callback;
		if (!o->context->fault || is_told)
			operation_run(o);
		operation_end(o);
	}
}

CUresult queue_run(CUcontext context, CUstream stream)
{
	run_until(stream ? &stream->pending : NULL);
	return context->fault;
}

CUresult queue_run_all(void)
{
	return queue_run(context_current(), NULL);
}

void queue_run_event(CUevent event)
{
	run_until(&event->pending);
}

void queue_finish(void)
{
	while (first && !driver.is_closed) {
		struct operation *o = queue_take();
		bool is_for_host = o->kind == OPERATION_CALL ||
			(o->kind == OPERATION_COPY && (o->as.copy.to_host || (o->as.copy.from_host && !o->owned)));
		if (!o->context->fault && !is_for_host)
			operation_run(o);
		operation_end(o);
	}
}
