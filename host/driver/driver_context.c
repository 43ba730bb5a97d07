/* host/driver/driver_context.c -- contexts: the primary one, those a program makes, and each thread's stack
 * of them.
 *
 * A context owns what was made in it and carries the fault that a kernel of it ended with. All share the one
 * GPU. */
#include "host/driver/driver.h"

#define STACK_DEPTH 64
static __thread CUcontext stack[STACK_DEPTH];
static __thread unsigned depth;

static struct CUctx_st primary;
static unsigned primary_flags;

CUcontext context_current(void)
{
	return depth ? stack[depth - 1] : NULL;
}

static bool context_is_valid(CUcontext context)
{
	return handle_find(HANDLE_CONTEXT, context) != NULL;
}

static void context_init(CUcontext context, unsigned flags)
{
	*context = (struct CUctx_st){ .flags = flags, .references = 1, .id = ++driver.next_id };
	context->limits[CU_LIMIT_STACK_SIZE] = 1024;
	context->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
	context->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
	context->limits[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2;
	context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
	streams_init(context);
	handle_add(&context->handle, HANDLE_CONTEXT, context, NULL);
}

/* Waits for the context's work, then frees all that was made in it. */
static void context_end(CUcontext context)
{
	void *object;

	queue_run(context, NULL);
	if (context->fault) /* before the kernels go that it ended */
		session_recover(driver.session);
	for (enum handle_kind kind = HANDLE_TEXTURE_OBJECT; kind <= HANDLE_SURFACE_OBJECT; kind++)
		while ((object = handle_first_of(kind, context)))
			texture_object_free(object);
	graphs_free(context);
	while ((object = handle_first_of(HANDLE_MODULE, context)))
		module_unload(object);
	while ((object = handle_first_of(HANDLE_TEXREF, context)))
		texref_free(object);
	while ((object = handle_first_of(HANDLE_MIPMAPPED_ARRAY, context)))
		mipmapped_free(object);
	while ((object = handle_first_of(HANDLE_ARRAY, context)))
		array_free(object);
	while ((object = handle_first_of(HANDLE_LINK, context)))
		link_free(object);
	while ((object = handle_first_of(HANDLE_ALLOCATION, context)))
		allocation_free(allocation_owner(object));
	while ((object = handle_first_of(HANDLE_EVENT, context)))
		event_free(object);
	streams_free(context);
	handle_remove(&context->handle);
}

/* Known flags, and of those for waiting at most one. */
static bool flags_are_valid(unsigned flags)
{
	unsigned waiting = flags & CU_CTX_SCHED_MASK;

	return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) && !(waiting & (waiting - 1));
}

/* After a fault there is no context any more: the process would have to begin anew, as on a GPU. A program
 * that asks for one has noticed. */
static CUresult refuse_context(void)
{
	free(driver.fault_ignored);
	driver.fault_ignored = NULL;
	return driver.fault;
}

static CUresult push_context(CUcontext context)
{
	if (depth == STACK_DEPTH)
		return CUDA_ERROR_INVALID_VALUE;
	stack[depth++] = context;
	return CUDA_SUCCESS;
}

/* -- the primary context -- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (driver.fault)
		return refuse_context();
	if (context_is_valid(&primary)) {
		primary.references++;
	} else {
		context_init(&primary, primary_flags);
		primary.is_primary = true;
	}
	*context = &primary;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!context_is_valid(&primary))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--primary.references == 0)
		context_end(&primary);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease");

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (context_is_valid(&primary))
		context_end(&primary);
	return CUDA_SUCCESS;
}
EXPORT_AS(cuDevicePrimaryCtxReset, "cuDevicePrimaryCtxReset");

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (!flags_are_valid(flags))
		return CUDA_ERROR_INVALID_VALUE;
	primary_flags = flags;
	primary.flags = flags;
	return CUDA_SUCCESS;
}
EXPORT_AS(cuDevicePrimaryCtxSetFlags, "cuDevicePrimaryCtxSetFlags");

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	DRIVER_CALL(NEED_INIT);
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (flags)
		*flags = primary_flags;
	if (active)
		*active = context_is_valid(&primary);
	return CUDA_SUCCESS;
}

/* -- made and destroyed -- */

static CUresult context_create(CUcontext *context, unsigned flags, CUdevice device)
{
	if (!context || !flags_are_valid(flags))
		return CUDA_ERROR_INVALID_VALUE;
	if (!device_is_valid(device))
		return CUDA_ERROR_INVALID_DEVICE;
	if (driver.fault)
		return refuse_context();
	CUcontext made = xcalloc(1, sizeof *made);
	CUresult result = push_context(made);
	if (result != CUDA_SUCCESS) {
		free(made);
		return result;
	}
	context_init(made, flags);
	*context = made;
	return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	return context_create(context, flags, device);
}
EXPORT_AS(cuCtxCreate, "cuCtxCreate");

CUresult cuCtxCreate_v3(
	CUcontext *context, CUexecAffinityParam *affinity, int count, unsigned int flags, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (count)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	return context_create(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device)
{
	DRIVER_CALL(NEED_INIT);
	if (params && params->numExecAffinityParams)
		return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
	if (params && params->cigParams)
		return CUDA_ERROR_NOT_SUPPORTED;
	return context_create(context, flags, device);
}

static CUresult context_destroy(CUcontext context)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_valid(context) || context->is_primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	context_end(context);
	if (context_current() == context)
		depth--;
	free(context);
	return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	return context_destroy(context);
}
EXPORT_AS(cuCtxDestroy, "cuCtxDestroy");

CUresult cuCtxAttach(CUcontext *context, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!context || flags)
		return CUDA_ERROR_INVALID_VALUE;
	*context = context_current();
	(*context)->references++;
	return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	if (!context_is_valid(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (context->references > 1) {
		context->references--;
		return CUDA_SUCCESS;
	}
	return context_destroy(context);
}

/* -- the thread's stack -- */

CUresult cuCtxPushCurrent(CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	if (!context_is_valid(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	return push_context(context);
}
EXPORT_AS(cuCtxPushCurrent, "cuCtxPushCurrent");

CUresult cuCtxPopCurrent(CUcontext *context)
{
	DRIVER_CALL(NEED_INIT);
	if (!depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	depth--;
	if (context)
		*context = stack[depth];
	return CUDA_SUCCESS;
}
EXPORT_AS(cuCtxPopCurrent, "cuCtxPopCurrent");

CUresult cuCtxSetCurrent(CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	if (context && !context_is_valid(context) && context != &primary)
		return CUDA_ERROR_INVALID_CONTEXT; /* of the primary one, if it is gone, the next call tells
						    */
	if (depth)
		depth--;
	return context ? push_context(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	DRIVER_CALL(NEED_INIT);
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = context_current();
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
	DRIVER_CALL(NEED_CONTEXT);
	CUresult result = capture_check_context(context_current());
	return result == CUDA_SUCCESS ? queue_run_all() : result;
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
	DRIVER_CALL(NEED_INIT);
	if (!context)
		context = context_current();
	if (!context_is_valid(context))
		return CUDA_ERROR_INVALID_CONTEXT;
	CUresult result = capture_check_context(context);
	return result == CUDA_SUCCESS ? queue_run(context, NULL) : result;
}
