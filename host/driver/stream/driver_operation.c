/* host/driver/stream/driver_operation.c -- what operations do to memory, and what they cost.
 *
 * A copy between host and device occupies a copy engine for the latency and the bytes over PCI Express. A
 * fill or a copy within the device occupies the memory: each byte written, and each byte read, once over the
 * DRAM bus at its peak rate. They disturb neither caches nor kernels. Data move at the end of the time, so
 * that what a fault cuts off has changed nothing. */
#include "host/driver/driver.h"

/* What the barriers of cooperative groups expect behind %envreg1 and 2: the size of the workspace, and the
 * word at which the CTAs of the grid meet. */
struct grid_workspace {
	uint32_t bytes, barrier;
};

bool operation_take_workspace(struct operation *o)
{
	struct sanitizer *sanitizer = session_sanitizer(driver.session);
	struct launch *l = &o->as.launch;

	if (!l->is_cooperative || l->grid_workspace)
		return true;
	l->grid_workspace = memory_allocate(driver.memory, sizeof(struct grid_workspace), 256);
	if (!l->grid_workspace)
		return false;
	*(struct grid_workspace *)memory_host(l->grid_workspace) =
		(struct grid_workspace){ sizeof(struct grid_workspace), 0 };
	if (sanitizer)
		sanitizer_allocated(sanitizer, l->grid_workspace, sizeof(struct grid_workspace), false);
	return true;
}

void operation_give_workspace(struct operation *o)
{
	if (o->kind != OPERATION_LAUNCH || !o->as.launch.grid_workspace)
		return;
	if (session_sanitizer(driver.session))
		sanitizer_freed(session_sanitizer(driver.session), o->as.launch.grid_workspace);
	memory_release(driver.memory, o->as.launch.grid_workspace);
	o->as.launch.grid_workspace = 0;
}

static uint64_t copy_bytes(const struct operation_copy *c)
{
	return (uint64_t)c->width * c->height * c->depth;
}

static picoseconds memory_time(uint64_t bytes)
{
	const struct gpu_properties *p = gpu_properties(driver.gpu);
	double bytes_per_microsecond = 2 * p->memory_mhz * p->memory_bus_bits / 8;

	return (picoseconds)((double)bytes / bytes_per_microsecond * 1e6);
}

static void copy_cost(const struct operation_copy *c, struct task *task)
{
	const struct gpu_properties *p = gpu_properties(driver.gpu);
	uint64_t bytes = copy_bytes(c);

	if (!bytes || (c->to_host && c->from_host))
		return;
	if (c->to_host != c->from_host) {
		task->lane = c->to_host && p->copy_engines > 1 ? LANE_COPY_BACK : LANE_COPY;
		task->duration =
			(picoseconds)(p->pcie_latency * 1e6 + (double)bytes / p->pcie_bandwidth * 1e3);
	} else {
		task->lane = LANE_MEMORY;
		task->duration = memory_time(2 * bytes);
	}
}

void operation_cost(struct operation *o)
{
	o->task.lane = LANE_NONE;
	o->task.duration = 0;
	o->task.starts_early = o->kind == OPERATION_LAUNCH && o->as.launch.starts_early;
	if (o->kind == OPERATION_LAUNCH)
		o->task.lane = LANE_KERNELS;
	o->moved = 0;
	if (o->kind == OPERATION_COPY) {
		o->moved = copy_bytes(&o->as.copy);
		copy_cost(&o->as.copy, &o->task);
	}
	if (o->kind == OPERATION_SET) {
		o->moved = (uint64_t)o->as.set.width * o->as.set.height * o->as.set.bytes;
		o->task.lane = LANE_MEMORY;
		o->task.duration = memory_time(o->moved);
	}
}

void operation_copy_run(const struct operation_copy *c)
{
	if (!c->width) /* then the addresses may be NULL, which memmove does not take */
		return;
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			memmove(c->to + z * c->to_slice + y * c->to_pitch,
				c->from + z * c->from_slice + y * c->from_pitch, c->width);
}

static void run_set(const struct operation_set *s)
{
	for (size_t y = 0; s->width && y < s->height; y++) {
		uint8_t *row = s->to + y * s->pitch;
		if (s->bytes == 1) {
			memset(row, (int)s->value, s->width);
			continue;
		}
		for (size_t x = 0; x < s->width; x++)
			memcpy(row + x * s->bytes, &s->value, s->bytes); /* little-endian, as the device */
	}
}

/* Rows that the sanitizer hears of. */
static void tell_copy(struct sanitizer *sanitizer, const struct operation_copy *c)
{
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < c->height; y++)
			sanitizer_copied(sanitizer, (uintptr_t)(c->to + z * c->to_slice + y * c->to_pitch),
				(uintptr_t)(c->from + z * c->from_slice + y * c->from_pitch), c->width);
}

static void tell_set(struct sanitizer *sanitizer, const struct operation_set *s)
{
	for (size_t y = 0; y < s->height; y++)
		sanitizer_written(sanitizer, (uintptr_t)(s->to + y * s->pitch), s->width * s->bytes);
}

void operation_perform(const struct operation *o)
{
	struct sanitizer *sanitizer = session_sanitizer(driver.session);

	if (sanitizer && o->kind == OPERATION_COPY)
		tell_copy(sanitizer, &o->as.copy);
	if (sanitizer && o->kind == OPERATION_SET)
		tell_set(sanitizer, &o->as.set);
	if (o->kind == OPERATION_COPY)
		operation_copy_run(&o->as.copy);
	if (o->kind == OPERATION_SET)
		run_set(&o->as.set);
	if (o->kind == OPERATION_PUT_VALUE)
		value_put(&o->as.value);
}
