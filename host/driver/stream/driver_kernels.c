/* host/driver/stream/driver_kernels.c -- kernels under way on the device, and how they end.
 *
 * Kernels of two contexts are never under way together (CUDA C Programming Guide, "Concurrent Kernel
 * Execution"). */
#include "host/driver/recording/recorder.h"

static struct operation **under_way; /* in the order of their starting */
static unsigned count, capacity;

bool kernels_are_under_way(void)
{
	return count != 0;
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
	case FAULT_CLUSTER_MEMORY:
	case FAULT_TENSOR_MEMORY:
		break;
	}
	return CUDA_ERROR_LAUNCH_FAILED;
}

static void fault_take(CUcontext context, const struct launch *launch, const struct launch_result *result)
{
	if (result->outcome == GPU_FAULT && !driver.fault_ignored)
		driver.fault_ignored = xstrdup(launch->kernel->name);
	if (result->outcome != GPU_DONE)
		recorder_refuse("kernel %s did not run to its end", launch->kernel->name);
	if (result->outcome == GPU_DONE)
		return;
	CUresult error =
		result->outcome == GPU_FAULT ? fault_error(result->fault.kind) : CUDA_ERROR_LAUNCH_FAILED;
	if (!context->fault)
		context->fault = error;
	if (!driver.fault)
		driver.fault = context->fault;
}

/* Two cooperative launches, of which each has a part of its CTAs on the device, would wait for ever. */
static bool must_wait_for_cooperative(const struct operation *o)
{
	for (unsigned i = 0; o->as.launch.is_cooperative && i < count; i++)
		if (under_way[i]->as.launch.is_cooperative)
			return true;
	return false;
}

/* Others that run may give memory back. */
static bool fail_without_memory(const struct operation *o)
{
	if (count)
		return false;
	driver_say(
		"kernel %s: no device memory is left for the barrier of its grid", o->as.launch.kernel->name);
	if (!o->context->fault)
		o->context->fault = CUDA_ERROR_LAUNCH_FAILED;
	return true;
}

bool kernels_start(struct operation *o)
{
	struct launch_result result = { 0 };

	if (count && (under_way[0]->context != o->context || must_wait_for_cooperative(o)))
		return false;
	if (!operation_take_workspace(o))
		return fail_without_memory(o);
	session_before_launch(driver.session);
	session_start(driver.session, &o->as.launch, &o->run);
	if (!o->run && count)
		return false;
	if (!o->run && !o->context->fault && session_recover(driver.session)) /* another context had a fault
									       */
		session_start(driver.session, &o->as.launch, &o->run);
	if (!o->run) { /* nothing is under way, and still it does not start: the machine is broken */
		session_end(driver.session, &o->as.launch, NULL, &result);
		fault_take(o->context, &o->as.launch, &result);
		return true;
	}
	driver.launches_started++;
	if (count == capacity) {
		capacity = capacity ? 2 * capacity : 16;
		under_way = xrealloc(under_way, capacity * sizeof *under_way);
	}
	for (unsigned i = 0; i < count; i++)
		if (task_is_early(&o->task, &under_way[i]->task))
			gpu_depend(o->run, under_way[i]->run);
	under_way[count++] = o;
	recorder_launch_starts(o, count == 1);
	return true;
}

/* Its line is printed and its statistics are written. */
static void kernel_end(unsigned i, void (*end)(struct operation *))
{
	struct launch_result result = { 0 };
	struct operation *o = under_way[i];

	memmove(under_way + i, under_way + i + 1, (--count - i) * sizeof *under_way);
	device_launch_ended(o->run);
	session_end(driver.session, &o->as.launch, o->run, &result);
	o->slice = session_last_slice(driver.session);
	recorder_launch_ended(o);
	fault_take(o->context, &o->as.launch, &result);
	end(o);
}

static unsigned launch_index(const struct kernel_run *run)
{
	for (unsigned i = 0; i < count; i++)
		if (under_way[i]->run == run)
			return i;
	bug("a kernel has ended that was not under way");
}

struct operation *kernels_operation(const struct kernel_run *run)
{
	return under_way[launch_index(run)];
}

bool kernels_trigger(struct schedule *schedule)
{
	bool any = false;

	for (unsigned i = 0; i < count; i++) {
		struct task *task = &under_way[i]->task;

		if (!task->early_count || task->has_triggered ||
			!gpu_has_triggered(driver.gpu, under_way[i]->run))
			continue;
		schedule_trigger(schedule, task);
		any = true;
	}
	return any;
}

/* false: the machine has stopped, and all that was under way has ended. */
static bool advance_kernels(picoseconds until, void (*end)(struct operation *))
{
	struct kernel_run *ended = NULL;

	if (session_interrupted())
		gpu_interrupt(driver.gpu);
	switch (gpu_advance(driver.gpu, until, &ended)) {
	case GPU_REACHED:
		return true;
	case GPU_ENDED:
		kernel_end(launch_index(ended), end);
		return true;
	case GPU_STOPPED:
		break;
	}
	while (count)
		kernel_end(0, end);
	return false;
}

bool kernels_advance(picoseconds until, void (*end)(struct operation *))
{
	if (advance_kernels(until, end))
		return true;
	if (session_interrupted() && driver_thread_of_ours())
		driver_end_interrupted();
	if (session_interrupted()) {
		driver_close();
		exit(session_interrupt_status());
	}
	return false;
}

static void forget_operation(struct operation *operation)
{
}

void kernels_interrupt(void)
{
	while (count && advance_kernels(SIM_NEVER, forget_operation))
		;
}
