/* host/driver/device/device_call.c -- what kernels ask: the table of calls, and errors by thread. */
#include "host/driver/device/device.h"
#include "core/kernel/kernel_run.h"

/* A thread's last error; of those that have none there is no entry. */
struct thread_error {
	struct thread_error *next;
	uint64_t launch, cta, thread;
	uint64_t error;
};
static struct thread_error *errors;

static struct thread_error **find_error(const struct device_call *c)
{
	struct thread_error **at = &errors;

	while (*at && ((*at)->launch != c->run->id || (*at)->cta != c->cta || (*at)->thread != c->thread))
		at = &(*at)->next;
	return at;
}

static void drop_error(struct thread_error **at)
{
	struct thread_error *e = *at;

	*at = e->next;
	free(e);
}

uint64_t device_error_set(const struct device_caller *caller, uint64_t error)
{
	const struct device_call *c = caller->call;
	struct thread_error **at = find_error(c);

	if (*at)
		drop_error(at);
	if (!error)
		return 0;
	struct thread_error *e = xmalloc(sizeof *e);
	*e = (struct thread_error){ errors, c->run->id, c->cta, c->thread, error };
	errors = e;
	return error;
}

uint64_t device_error_of(const struct device_caller *caller)
{
	struct thread_error **at = find_error(caller->call);

	return *at ? (*at)->error : 0;
}

void device_launch_ended(const struct kernel_run *run)
{
	for (struct thread_error **at = &errors; *at;)
		if ((*at)->launch == run->id)
			drop_error(at);
		else
			at = &(*at)->next;
}

uint64_t device_answer(const struct device_caller *caller, const void *value, size_t bytes)
{
	const struct device_call *c = caller->call;

	if (!c->arguments[0])
		return DEVICE_INVALID_VALUE;
	lane_memory_write(c->memory, c->arguments[0], value, bytes);
	return DEVICE_OK;
}

static uint64_t set_error(const struct device_caller *caller)
{
	return device_error_set(caller, caller->call->arguments[0]);
}

static uint64_t (*const calls[PTX_SYSCALLS])(const struct device_caller *caller) = {
	[PTX_SYSCALL_PARAMETER_BUFFER_V2] = device_parameter_buffer,
	[PTX_SYSCALL_LAUNCH_V2] = device_launch,
	[PTX_SYSCALL_LAST_ERROR] = device_error_of,
	[PTX_SYSCALL_SET_LAST_ERROR] = set_error,
	[PTX_SYSCALL_STREAM_CREATE] = device_stream_create,
	[PTX_SYSCALL_STREAM_DESTROY] = device_stream_destroy,
	[PTX_SYSCALL_STREAM_WAIT] = device_stream_wait,
	[PTX_SYSCALL_EVENT_CREATE] = device_event_create,
	[PTX_SYSCALL_EVENT_RECORD] = device_event_record,
	[PTX_SYSCALL_EVENT_DESTROY] = device_event_destroy,
	[PTX_SYSCALL_DEVICE] = device_number,
	[PTX_SYSCALL_DEVICE_COUNT] = device_number,
	[PTX_SYSCALL_DEVICE_ATTRIBUTE] = device_attribute,
	[PTX_SYSCALL_LIMIT] = device_limit,
	[PTX_SYSCALL_CACHE_CONFIG] = device_cache_config,
	[PTX_SYSCALL_SHARED_CONFIG] = device_cache_config,
	[PTX_SYSCALL_FUNCTION_ATTRIBUTE] = device_function_attribute,
	[PTX_SYSCALL_OCCUPANCY] = device_occupancy,
	[PTX_SYSCALL_OCCUPANCY_FLAGS] = device_occupancy,
	[PTX_SYSCALL_GRAPH_LAUNCH] = device_graph_launch,
	[PTX_SYSCALL_GRAPH_CONDITION] = device_condition,
	[PTX_SYSCALL_NODE_PARAMETER] = device_node_parameter,
	[PTX_SYSCALL_NODE_ENABLED] = device_node_enabled,
	[PTX_SYSCALL_NODE_GRID] = device_node_grid,
	[PTX_SYSCALL_NODE_UPDATES] = device_node_updates,
};

static uint64_t answer_call(void *user, const struct device_call *call)
{
	struct device_caller caller = { call, kernels_operation(call->run) };

	(void)user;
	bug_if(!calls[call->which], "system call %u is not answered", call->which);
	return calls[call->which](&caller);
}

void device_calls_begin(void)
{
	gpu_answer_calls(driver.gpu, answer_call, NULL);
}
