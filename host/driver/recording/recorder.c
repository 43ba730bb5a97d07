/* host/driver/recording/recorder.c -- modules, memory, and the order of everything. */
#include "host/driver/recording/recorder.h"
#include "host/driver/recording/selection.h"
#include "host/recording/memory_watch.h"
#include "sim/base/environment.h"

#include <stdarg.h>

static struct recording_writer *writer; /* NULL: nothing is recorded */
static struct memory_watch *watch;      /* of what the program can write without a call */
static char *refusal;                   /* NULL: the recording will be written */
static uint64_t contexts, modules, streams;

/* With a selection the recording has memory as it is before each launch instead of what changed it: all of it
 * is watched then. */
static const char *selection; /* NULL: everything is recorded */
static uint64_t started, selected;
static const struct operation *under_way; /* the selected launch; NULL: none */

bool recorder_open(const char *path, const char *which, struct diag_list *diags)
{
	const char *command = environment_get("LOCKSTEP_COMMAND");

	writer = recording_writer_open(path, diags);
	if (!writer)
		return false;
	watch = memory_watch_new();
	selection = which;
	command = command ? command : "";
	recording_put(writer, RECORDING_PROGRAM, sizeof(uint64_t) + strlen(command));
	recording_put_text(writer, command);
	return true;
}

void recorder_refuse(const char *format, ...)
{
	va_list ap;

	if (!writer || refusal)
		return;
	va_start(ap, format);
	if (vasprintf(&refusal, format, ap) < 0)
		bug("out of memory");
	va_end(ap);
}

static void put_write(void *user, struct memory_range changed)
{
	uint64_t bytes = changed.end - changed.start;

	recording_put(writer, RECORDING_WRITE, sizeof(uint64_t) + bytes);
	recording_put_number(writer, changed.start);
	recording_put_bytes(writer, memory_host(changed.start), bytes);
}

/* What the program has written by itself comes before what it asks for next. */
static void record_host_writes(void)
{
	memory_watch_look(watch, put_write, NULL);
}

void recorder_waited(void)
{
	if (writer && !selection)
		memory_watch_look(watch, NULL, NULL);
}

void recorder_number(enum recording_kind kind, uint64_t number)
{
	if (writer)
		recording_put_numbers(writer, kind, &number, 1);
}

/* -- contexts, streams, modules -- */

uint64_t recorder_context(CUcontext context)
{
	if (!context->recorded)
		context->recorded = ++contexts;
	return context->recorded;
}

uint64_t recorder_stream(CUstream stream)
{
	if (!stream)
		return 0;
	if (!stream->recorded) {
		uint64_t numbers[] = { recorder_context(stream->handle.context), stream->id,
			stream->tasks.rule };

		stream->recorded = ++streams;
		recording_put_numbers(writer, RECORDING_STREAM, numbers, 3);
	}
	return stream->recorded;
}

uint64_t recording_addresses(const struct ptx_image *image)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < image->symbol_count; i++) {
		uint64_t pair[] = { hash, image->symbols[i].address };

		hash = recording_hash(pair, sizeof pair);
	}
	return hash;
}

/* A program writes to managed variables by itself. */
static void watch_variables(const struct ptx_image *image)
{
	for (uint32_t i = 0; i < image->symbol_count; i++) {
		struct memory_range range = memory_find(driver.memory, image->symbols[i].address);

		if (range.start < range.end)
			memory_watch_add(watch, range, false);
	}
}

void recorder_module(CUmodule module, const char *text, size_t size, const char *name, uint32_t register_cap)
{
	if (!writer)
		return;
	uint64_t context = recorder_context(module->handle.context);

	module->recorded = ++modules;
	recording_put(writer, RECORDING_MODULE, 3 * sizeof(uint64_t) + strlen(name) + size);
	recording_put_number(writer, context | (uint64_t)register_cap << 32);
	recording_put_number(writer, recording_addresses(module->image));
	recording_put_text(writer, name);
	recording_put_bytes(writer, text, size);
	if (selection || memmem(text, size, ".managed", sizeof ".managed" - 1))
		watch_variables(module->image);
}

void recorder_unload(CUmodule module)
{
	if (!writer)
		return;
	for (uint32_t i = 0; i < module->image->symbol_count; i++)
		memory_watch_remove(watch, module->image->symbols[i].address);
	recorder_number(RECORDING_UNLOAD, module->recorded);
}

/* -- memory -- */

void recorder_allocated(addr address, uint64_t bytes, uint64_t align, bool is_device, bool is_filled)
{
	uint64_t numbers[] = { address, bytes, align, is_device };

	if (!writer)
		return;
	recording_put_numbers(writer, RECORDING_ALLOCATE, numbers, 4);
	if (selection || !is_device)
		memory_watch_add(
			watch, (struct memory_range){ address, address + bytes }, selection || is_filled);
}

void recorder_released(addr address)
{
	if (!writer)
		return;
	memory_watch_remove(watch, address);
	recorder_number(RECORDING_RELEASE, address);
}

void recorder_freed(addr address)
{
	if (selection)
		recorder_released(address);
}

void recorder_texture(uint64_t handle)
{
	if (writer)
		recorder_put_texture(writer, handle);
}

void recorder_texture_end(uint64_t handle)
{
	recorder_forget_texture(handle);
	recorder_number(RECORDING_TEXTURE_END, handle);
}

/* -- operations -- */

void recorder_operation(const struct operation *o)
{
	if (!writer || selection)
		return;
	record_host_writes();
	recorder_put_operation(writer, o);
}

void recorder_behind(const struct operation *o, uint64_t before)
{
	uint64_t numbers[] = { o->task.order, before };

	if (writer && !selection && before)
		recording_put_numbers(writer, RECORDING_BEHIND, numbers, 2);
}

void recorder_submit(const struct operation *o)
{
	if (!writer || selection)
		return;
	if (o->kind == OPERATION_LAUNCH)
		recorder_textures(writer);
	recorder_number(RECORDING_SUBMIT, o->task.order);
}

void recorder_await(uint64_t operation)
{
	if (!writer || selection || !operation)
		return;
	record_host_writes();
	recorder_number(RECORDING_AWAIT, operation);
}

void recorder_await_all(CUcontext context, CUstream stream)
{
	if (!writer || selection)
		return;
	record_host_writes();
	uint64_t numbers[] = { recorder_context(context), recorder_stream(stream) };
	recording_put_numbers(writer, RECORDING_AWAIT_ALL, numbers, 2);
}

/* -- selected launches -- */

void recorder_launch_starts(const struct operation *o, bool is_alone)
{
	struct operation launch = *o;

	if (!writer || !selection)
		return;
	if (under_way)
		recorder_refuse("kernel %s starts while kernel %s runs, which --kernels has selected",
			o->as.launch.kernel->name, under_way->as.launch.kernel->name);
	if (!selection_has(selection, o->as.launch.kernel->name, ++started))
		return;
	if (!is_alone)
		recorder_refuse("kernel %s, which --kernels has selected, starts while others run",
			o->as.launch.kernel->name);
	record_host_writes();
	recorder_textures(writer);
	launch.task.order = ++selected;
	recorder_put_operation(writer, &launch);
	recorder_number(RECORDING_SUBMIT, selected);
	recorder_number(RECORDING_AWAIT, selected);
	under_way = o;
}

static void put_hash(void *user, struct memory_range changed)
{
	uint64_t bytes = changed.end - changed.start;
	uint64_t numbers[] = { changed.start, bytes, recording_hash(memory_host(changed.start), bytes) };

	recording_put_numbers(writer, RECORDING_MEMORY, numbers, 3);
}

/* What it has written, the replay must have written, too. */
void recorder_launch_ended(const struct operation *o)
{
	if (!writer || under_way != o)
		return;
	memory_watch_look(watch, put_hash, NULL);
	under_way = NULL;
}

/* -- the end -- */

void recorder_finish(void)
{
	if (!writer)
		return;
	if (!selection)
		record_host_writes();
	recording_put_numbers(writer, RECORDING_FINISH, NULL, 0);
}

static void put_memory(void)
{
	struct memory_range range = { 0, 0 };

	while ((range = memory_next(driver.memory, range.end)).start) {
		uint64_t bytes = range.end - range.start;
		uint64_t numbers[] = { range.start, bytes, recording_hash(memory_host(range.start), bytes) };

		recording_put_numbers(writer, RECORDING_MEMORY, numbers, 3);
	}
}

static void end_recording(void)
{
	memory_watch_free(watch);
	free(refusal);
	writer = NULL;
	refusal = NULL;
}

bool recorder_close(void)
{
	bool is_written;

	if (!writer)
		return true;
	if (selection && !selected)
		recorder_refuse("none of %llu launches is one of --kernels %s", (unsigned long long)started,
			selection);
	if (refusal) {
		driver_say("there is no recording: %s", refusal);
		recorder_discard();
		return false;
	}
	if (!selection)
		put_memory();
	is_written = recording_writer_close(writer);
	end_recording();
	return is_written;
}

void recorder_discard(void)
{
	if (!writer)
		return;
	recording_writer_discard(writer);
	end_recording();
}
