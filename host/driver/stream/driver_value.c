/* host/driver/stream/driver_value.c -- streams that wait for a value in memory, or write one.
 *
 * A wait that its stream has reached is looked at whenever something has ended, and every few microseconds of
 * simulated time while kernels run, which may write the value. If nothing runs and every thread of the
 * program waits, nobody can bring it: that is said, and the context has a fault, as after a kernel that
 * hangs. */
#include "host/driver/driver.h"
#include "host/driver/recording/recorder.h"

#define WAIT_FLAGS ((unsigned)CU_STREAM_WAIT_VALUE_NOR)

static struct operation *waiting; /* the one that came first is first */

static uint64_t read_word(const struct operation_value *v)
{
	if (v->bytes == 4)
		return __atomic_load_n((const uint32_t *)v->at, __ATOMIC_ACQUIRE);
	return __atomic_load_n((const uint64_t *)v->at, __ATOMIC_ACQUIRE);
}

static bool is_met(const struct operation_value *v)
{
	uint64_t now = read_word(v), ones = v->bytes == 4 ? UINT32_MAX : UINT64_MAX;

	switch (v->flags & WAIT_FLAGS) {
	case CU_STREAM_WAIT_VALUE_GEQ: /* around the end of the numbers, too */
		return !((now - v->value) >> (v->bytes * 8 - 1) & 1);
	case CU_STREAM_WAIT_VALUE_EQ:
		return now == v->value;
	case CU_STREAM_WAIT_VALUE_AND:
		return now & v->value;
	default:
		return ~(now | v->value) & ones;
	}
}

void value_await(struct operation *o)
{
	struct operation **link = &waiting;

	while (*link)
		link = &(*link)->next_waiting;
	o->next_waiting = NULL;
	*link = o;
}

bool value_is_awaited(void)
{
	return waiting;
}

struct operation *value_take(bool is_finishing)
{
	for (struct operation **link = &waiting; *link; link = &(*link)->next_waiting) {
		struct operation *o = *link;

		if (!is_finishing && !o->context->fault && !is_met(&o->as.value))
			continue;
		if (is_finishing && !o->context->fault && !is_met(&o->as.value))
			driver_say("the program has ended while a stream waits for a value at %p",
				o->as.value.at);
		*link = o->next_waiting;
		return o;
	}
	return NULL;
}

void value_give_up(void)
{
	const struct operation_value *v = &waiting->as.value;

	char who[32] = "a graph";

	if (waiting->stream)
		snprintf(who, sizeof who, "stream %u", waiting->stream->id);
	driver_say(
		"hang: %s waits for a value at %p, which is %llu; nothing that could write it is under way",
		who, v->at, (unsigned long long)read_word(v));
	waiting->context->fault = CUDA_ERROR_LAUNCH_TIMEOUT;
}

void value_put(const struct operation_value *v)
{
	if (v->bytes == 4)
		__atomic_store_n((uint32_t *)v->at, (uint32_t)v->value, __ATOMIC_RELEASE);
	else
		__atomic_store_n((uint64_t *)v->at, v->value, __ATOMIC_RELEASE);
	if (session_sanitizer(driver.session))
		sanitizer_written(session_sanitizer(driver.session), (uintptr_t)v->at, v->bytes);
}

/* -- the program's calls -- */

static CUresult make_value_operation(const CUstreamBatchMemOpParams *p, struct operation *o)
{
	bool is_wait = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
		p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
	unsigned bytes = p->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
			p->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32
		? 4
		: 8;
	const struct CUstreamMemOpWaitValueParams_st *v = &p->waitValue; /* both kinds have the same shape */

	if (is_wait && (v->flags & CU_STREAM_WAIT_VALUE_FLUSH))
		return CUDA_ERROR_NOT_SUPPORTED; /* as the device's attribute says */
	if (v->flags > (is_wait ? WAIT_FLAGS : CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) ||
		v->address % bytes || !v->address || !memory_is_pinned(memory_host(v->address), bytes))
		return CUDA_ERROR_INVALID_VALUE;
	*o = (struct operation){ .kind = is_wait ? OPERATION_AWAIT_VALUE : OPERATION_PUT_VALUE,
		.as.value = {
			memory_host(v->address), bytes == 4 ? v->value : v->value64, bytes, v->flags } };
	return CUDA_SUCCESS;
}

CUresult value_operation(const CUstreamBatchMemOpParams *p, struct operation *o)
{
	switch (p->operation) {
	case CU_STREAM_MEM_OP_WAIT_VALUE_32:
	case CU_STREAM_MEM_OP_WAIT_VALUE_64:
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		return make_value_operation(p, o);
	case CU_STREAM_MEM_OP_BARRIER: /* operations of a stream are in order anyway */
		*o = (struct operation){ .kind = OPERATION_WAIT };
		return p->memoryBarrier.flags <= 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

/* At most 256, as NVIDIA's documentation says. */
CUresult value_operations_check(unsigned count, const CUstreamBatchMemOpParams *operations, unsigned flags)
{
	struct operation o;

	if ((count && !operations) || count > 256 || flags)
		return CUDA_ERROR_INVALID_VALUE;
	for (unsigned i = 0; i < count; i++) {
		CUresult result = value_operation(&operations[i], &o);

		if (result != CUDA_SUCCESS)
			return result;
	}
	recorder_refuse("a stream of the program waits for a value, or writes one");
	return CUDA_SUCCESS;
}

/* All of them or none. */
static CUresult batch(
	CUstream stream, unsigned count, const CUstreamBatchMemOpParams *operations, unsigned flags)
{
	struct operation o;

	DRIVER_CALL(NEED_CONTEXT);
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = value_operations_check(count, operations, flags);
	if (result == CUDA_SUCCESS && stream->capture)
		return capture_batch(stream, count, operations);
	if (result == CUDA_SUCCESS)
		result = capture_check_implicit(stream);
	if (result != CUDA_SUCCESS)
		return result;
	for (unsigned i = 0; i < count; i++)
		if (value_operation(&operations[i], &o) == CUDA_SUCCESS)
			queue_add(&o, stream);
	return CUDA_SUCCESS;
}

CUresult cuStreamBatchMemOp(
	CUstream stream, unsigned int count, CUstreamBatchMemOpParams *operations, unsigned int flags)
{
	return batch(stream, count, operations, flags);
}
EXPORT_PTSZ(cuStreamBatchMemOp, (CUstream s, unsigned count, CUstreamBatchMemOpParams *o, unsigned flags),
	batch(of_thread(s), count, o, flags));
EXPORT_AS(cuStreamBatchMemOp, "cuStreamBatchMemOp");

/* The first versions have the same parameters; they differ in the fences around them. */
#define VALUE(name, type, kind, member) \
	static CUresult DRIVER_JOIN(one_, name)( \
		CUstream stream, CUdeviceptr address, type value, unsigned flags) \
	{ \
		CUstreamBatchMemOpParams p = { \
			.waitValue = { .operation = kind, .address = address, .flags = flags } \
		}; \
\
		p.waitValue.member = value; \
		return batch(stream, 1, &p, 0); \
	} \
	CUresult name(CUstream stream, CUdeviceptr address, type value, unsigned int flags) \
	{ \
		return DRIVER_JOIN(one_, name)(stream, address, value, flags); \
	} \
	EXPORT_PTSZ(name, (CUstream s, CUdeviceptr address, type value, unsigned int flags), \
		DRIVER_JOIN(one_, name)(of_thread(s), address, value, flags))

VALUE(cuStreamWaitValue32, cuuint32_t, CU_STREAM_MEM_OP_WAIT_VALUE_32, value);
VALUE(cuStreamWaitValue64, cuuint64_t, CU_STREAM_MEM_OP_WAIT_VALUE_64, value64);
VALUE(cuStreamWriteValue32, cuuint32_t, CU_STREAM_MEM_OP_WRITE_VALUE_32, value);
VALUE(cuStreamWriteValue64, cuuint64_t, CU_STREAM_MEM_OP_WRITE_VALUE_64, value64);
EXPORT_AS(cuStreamWaitValue32, "cuStreamWaitValue32");
EXPORT_AS(cuStreamWaitValue64, "cuStreamWaitValue64");
EXPORT_AS(cuStreamWriteValue32, "cuStreamWriteValue32");
EXPORT_AS(cuStreamWriteValue64, "cuStreamWriteValue64");
CUresult first_ptsz_batch(CUstream s, unsigned count, CUstreamBatchMemOpParams *o, unsigned flags) __asm__(
	"cuStreamBatchMemOp_ptsz");
CUresult first_ptsz_batch(CUstream s, unsigned count, CUstreamBatchMemOpParams *o, unsigned flags)
{
	return batch(of_thread(s), count, o, flags);
}
#define FIRST_PTSZ(name, type) \
	CUresult DRIVER_JOIN(first_, name)( \
		CUstream s, CUdeviceptr address, type value, unsigned flags) __asm__(#name "_ptsz"); \
	CUresult DRIVER_JOIN(first_, name)(CUstream s, CUdeviceptr address, type value, unsigned flags) \
	{ \
		return name(of_thread(s), address, value, flags); \
	} \
	_Static_assert(1, "")
FIRST_PTSZ(cuStreamWaitValue32, cuuint32_t);
FIRST_PTSZ(cuStreamWaitValue64, cuuint64_t);
FIRST_PTSZ(cuStreamWriteValue32, cuuint32_t);
FIRST_PTSZ(cuStreamWriteValue64, cuuint64_t);
