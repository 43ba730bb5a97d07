/* host/driver/device/device_launch.c -- launches by kernels, in two calls: a buffer for the parameters, which
 * the kernel fills; and the launch, which takes a copy of it. */
#include "host/driver/device/device.h"
#include "host/driver/recording/recorder.h"
#include "core/kernel/kernel_run.h"

/* A buffer in device memory, taken from its start to the launch. */
struct parameter_buffer {
	struct parameter_buffer *next;
	addr start;
	uint64_t bytes;
	CUfunction function; /* what is to be launched, and how */
	uint32_t grid[3], block[3], dynamic_shared;
};
#define BUFFERS     256
#define LEAST_BYTES UINT64_C(64)
static struct parameter_buffer *taken[BUFFERS]; /* by address */
static struct parameter_buffer *unused;
static addr chunk;           /* memory for more of them */
static uint64_t chunk_bytes; /* that are left in it */
static uint64_t waiting;     /* launches by kernels that have not started */
#define CHUNK (UINT64_C(1) << 20)

CUfunction device_function(const struct device_caller *caller, uint64_t address)
{
	const CUmodule module = caller->operation->function->module;
	const struct ptx_kernel *kernel = ptx_image_entry(module->image, address);

	return kernel ? &module->functions[kernel - module->image->kernels] : NULL;
}

/* -- buffers -- */

static addr new_memory(uint64_t bytes)
{
	addr start;

	if (bytes > chunk_bytes) {
		chunk_bytes = bytes > CHUNK ? bytes : CHUNK;
		chunk = memory_allocate(driver.memory, chunk_bytes, 256);
		if (!chunk)
			return chunk_bytes = 0;
	}
	start = chunk;
	chunk += bytes;
	chunk_bytes -= bytes;
	return start;
}

static struct parameter_buffer **taken_place(addr start)
{
	struct parameter_buffer **at = &taken[start / LEAST_BYTES % BUFFERS];

	while (*at && (*at)->start != start)
		at = &(*at)->next;
	return at;
}

/* One of so many bytes, from those that are not used or new; NULL: no memory is left. */
static struct parameter_buffer *take_buffer(uint64_t bytes)
{
	struct parameter_buffer **at = &unused, *b;

	while (*at && (*at)->bytes != bytes)
		at = &(*at)->next;
	b = *at;
	if (b) {
		*at = b->next;
	} else {
		addr start = new_memory(bytes);

		if (!start)
			return NULL;
		b = xcalloc(1, sizeof *b);
		b->start = start;
		b->bytes = bytes;
	}
	at = taken_place(b->start);
	b->next = *at;
	return *at = b;
}

static void give_buffer(struct parameter_buffer **at)
{
	struct parameter_buffer *b = *at;

	*at = b->next;
	b->next = unused;
	unused = b;
}

static uint64_t buffer_bytes(const struct ptx_kernel *kernel)
{
	uint64_t bytes = LEAST_BYTES;

	while (bytes < kernel->param_bytes)
		bytes *= 2;
	return bytes;
}

/* Arguments: function, grid (3), block (3), dynamic shared memory. The launch says what is wrong with them.
 */
uint64_t device_parameter_buffer(const struct device_caller *caller)
{
	const uint64_t *a = caller->call->arguments;
	CUfunction function = device_function(caller, a[0]);
	struct parameter_buffer *b = function ? take_buffer(buffer_bytes(function->kernel)) : NULL;

	if (!b) {
		device_error_set(caller,
			function ? CUDA_ERROR_OUT_OF_MEMORY : 98 /* cudaErrorInvalidDeviceFunction */);
		return 0;
	}
	b->function = function;
	for (unsigned i = 0; i < 3; i++) {
		b->grid[i] = (uint32_t)a[1 + i];
		b->block[i] = (uint32_t)a[4 + i];
	}
	b->dynamic_shared = (uint32_t)a[7];
	return b->start;
}

/* -- launches -- */

static void say_pointer(const struct operation *parent, const struct parameter_buffer *b, unsigned parameter,
	const char *space)
{
	driver_say(
		"kernel %s passes kernel %s a pointer into its %s memory (parameter %u), which that cannot "
		"reach",
		parent->as.launch.kernel->name, b->function->kernel->name, space, parameter + 1);
}

/* Addresses that mean another thing to whom they are passed. */
static void look_for_pointers(const struct operation *parent, const struct parameter_buffer *b)
{
	const struct ptx_kernel *k = b->function->kernel;

	for (unsigned i = 0; i < k->param_count; i++) {
		uint64_t value;

		if (k->params[i].size != sizeof value)
			continue;
		memcpy(&value, (const uint8_t *)memory_host(b->start) + k->params[i].offset, sizeof value);
		if (value - SHARED_WINDOW < WINDOW_SIZE)
			say_pointer(parent, b, i, "shared");
		else if (value - LOCAL_WINDOW < WINDOW_SIZE)
			say_pointer(parent, b, i, "local");
	}
}

static uint64_t error_of_check(CUresult result)
{
	return result == CUDA_SUCCESS                          ? DEVICE_OK
		: result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ? DEVICE_NO_RESOURCES
							       : DEVICE_CONFIGURATION;
}

/* With timing, launches that have not started are waiting; without, all that can start has, but for tails. */
static bool is_full(const CUcontext context)
{
	return waiting >= context->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT];
}

static bool is_waited_for(const struct operation *o)
{
	return o->is_tail || !session_is_functional(driver.session);
}

void device_launch_starts(const struct operation *o)
{
	waiting -= o->born_in && is_waited_for(o);
}

static struct operation *new_launch(
	const struct device_caller *caller, const struct parameter_buffer *b, const struct launch *launch)
{
	struct operation o = { .kind = OPERATION_LAUNCH, .function = b->function, .as.launch = *launch };

	o.as.launch.params = memory_host(b->start);
	launch_copy_params(&o);
	return queue_prepare(&o, caller->operation->context, NULL);
}

static void add_launch(
	const struct device_caller *caller, uint64_t name, struct device_stream *stream, struct operation *o)
{
	if (name == DEVICE_STREAM_TAIL)
		family_add_tail(family_of(caller->operation), o);
	waiting += is_waited_for(o);
	if (name != DEVICE_STREAM_TAIL)
		device_stream_add(caller, stream, o);
}

static struct launch launch_of(const struct device_caller *caller, const struct parameter_buffer *b)
{
	const struct launch *parent = &caller->operation->as.launch;
	struct launch l = { .kernel = b->function->kernel,
		.dynamic_shared = b->dynamic_shared,
		.stack_limit = parent->stack_limit,
		.shared_percent = function_shared_percent(b->function, caller->operation->context),
		.stream = parent->stream,
		.parent = caller->call->run->id,
		.parent_kernel = parent->kernel->name };

	memcpy(l.grid, b->grid, sizeof l.grid);
	memcpy(l.block, b->block, sizeof l.block);
	return l;
}

static uint64_t check_launch(
	const struct device_caller *caller, const struct parameter_buffer *b, struct launch *launch)
{
	const struct operation *parent = caller->operation;
	CUresult result = launch_take_cluster(b->function, launch);

	if (result == CUDA_SUCCESS)
		result = launch_check(b->function, launch);
	if (result != CUDA_SUCCESS)
		return error_of_check(result);
	if (family_of(caller->operation)->depth + 1 > DEVICE_DEPTH)
		return DEVICE_TOO_DEEP;
	look_for_pointers(parent, b);
	return is_full(parent->context) ? DEVICE_TOO_MANY : DEVICE_OK;
}

/* Arguments: buffer, stream. */
uint64_t device_launch(const struct device_caller *caller)
{
	uint64_t name = caller->call->arguments[1], error;
	struct parameter_buffer **b = taken_place(caller->call->arguments[0]);
	struct device_stream *stream = NULL;

	if (!*b)
		return DEVICE_INVALID_VALUE;
	if (name != DEVICE_STREAM_TAIL && name != DEVICE_STREAM_FIRE_AND_FORGET) {
		stream = device_stream_find(caller, name);
		if (!stream)
			return DEVICE_INVALID_VALUE;
	}
	struct launch launch = launch_of(caller, *b);
	error = check_launch(caller, *b, &launch);
	if (error == DEVICE_OK) {
		recorder_refuse("kernel %s launches kernels", caller->operation->as.launch.kernel->name);
		add_launch(caller, name, stream, new_launch(caller, *b, &launch));
	}
	give_buffer(b);
	return error;
}
