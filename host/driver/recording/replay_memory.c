/* host/driver/recording/replay_memory.c -- modules, allocations, what the program wrote, textures, and the
 * comparison of the memory. */
#include "host/driver/recording/recorder.h"
#include "host/driver/recording/replay.h"
#include "host/driver/recording/texture_numbers.h"

#include <inttypes.h>

static bool replay_load_module(
	struct replay *r, CUcontext context, uint32_t register_cap, uint64_t addresses, const char *name)
{
	CUjit_option option = CU_JIT_MAX_REGISTERS;
	void *value = (void *)(uintptr_t)register_cap;
	size_t size = recording_left(r->reader);
	char *text = xmalloc(size + 1);
	CUresult result;

	recording_take_bytes(r->reader, text, size);
	text[size] = '\0';
	r->modules = xrealloc(r->modules, (r->module_count + 1) * sizeof *r->modules);
	cuCtxPushCurrent(context);
	result = module_load(
		&r->modules[r->module_count], text, size, name, register_cap != 0, &option, &value);
	cuCtxPopCurrent(NULL);
	free(text);
	if (result != CUDA_SUCCESS)
		return recording_wrong(r->reader, "module %s cannot be loaded", name);
	r->module_count++;
	return recording_addresses(r->modules[r->module_count - 1]->image) == addresses ||
		recording_wrong(r->reader, "the variables of module %s have other addresses here", name);
}

bool replay_module(struct replay *r)
{
	uint64_t number = recording_take_number(r->reader);
	CUcontext context = replay_context(r, number & UINT32_MAX);
	uint64_t addresses = recording_take_number(r->reader);
	char *name = recording_take_text(r->reader);
	bool is_loaded = context && replay_load_module(r, context, (uint32_t)(number >> 32), addresses, name);

	free(name);
	return is_loaded;
}

static bool unload(struct replay *r)
{
	uint64_t number = recording_take_number(r->reader);

	if (!number || number > r->module_count || !r->modules[number - 1])
		return recording_wrong(r->reader, "there is no module %" PRIu64, number);
	for (size_t i = 0; i < r->operation_count; i++)
		if (r->operations[i]->queued && r->operations[i]->queued->kind == OPERATION_LAUNCH)
			return recording_wrong(r->reader, "a kernel is still to run");
	module_unload(r->modules[number - 1]);
	r->modules[number - 1] = NULL;
	return true;
}

static bool replay_allocate(struct replay *r)
{
	uint64_t address = recording_take_number(r->reader), bytes = recording_take_number(r->reader),
		 align = recording_take_number(r->reader), is_device = recording_take_number(r->reader);
	struct sanitizer *sanitizer = session_sanitizer(driver.session);
	addr got;

	if (align & (align - 1))
		return recording_wrong(r->reader, "an alignment of %" PRIu64, align);
	got = memory_allocate(driver.memory, bytes, align);
	if (!got)
		return recording_wrong(r->reader, "%" PRIu64 " bytes of device memory, %" PRIu64 " are free",
			bytes, memory_available(driver.memory));
	if (sanitizer)
		sanitizer_allocated(sanitizer, got, bytes, is_device);
	return got == address ||
		recording_wrong(r->reader,
			"it lies at 0x%" PRIx64 " here, and at 0x%" PRIx64 " in the recording", got, address);
}

static bool replay_release(struct replay *r)
{
	addr address = recording_take_number(r->reader);

	if (session_sanitizer(driver.session))
		sanitizer_freed(session_sanitizer(driver.session), address);
	return memory_release(driver.memory, address) ||
		recording_wrong(r->reader, "nothing was allocated at 0x%" PRIx64, address);
}

static bool write_bytes(struct replay *r)
{
	addr address = recording_take_number(r->reader);
	size_t bytes = recording_left(r->reader);

	if (!memory_is_device(address, bytes))
		return recording_wrong(r->reader, "0x%" PRIx64 " is not allocated", address);
	replay_take_bytes(r, memory_host(address), bytes);
	return true;
}

/* -- textures -- */

static bool texture(struct replay *r)
{
	uint64_t handle = recording_take_number(r->reader), numbers[TEXTURE_NUMBERS];
	struct texture read, *found = texture_find(driver.memory, handle);

	for (size_t i = 0; i < TEXTURE_NUMBERS; i++)
		numbers[i] = recording_take_number(r->reader);
	if (recording_error(r->reader) || !texture_from_numbers(driver.memory, &read, numbers))
		return recording_wrong(r->reader, "the descriptor is wrong");
	if (!found && texture_create(driver.memory, read.kind) != handle)
		return recording_wrong(r->reader, "texture 0x%" PRIx64 " has another handle here", handle);
	*texture_find(driver.memory, handle) = read;
	return true;
}

static bool texture_end(struct replay *r)
{
	uint64_t handle = recording_take_number(r->reader);

	if (!texture_find(driver.memory, handle))
		return recording_wrong(r->reader, "there is no texture 0x%" PRIx64, handle);
	texture_destroy(driver.memory, handle);
	return true;
}

/* -- the end -- */

static bool replay_compare(struct replay *r)
{
	addr start = recording_take_number(r->reader);
	uint64_t bytes = recording_take_number(r->reader), hash = recording_take_number(r->reader);
	struct memory_range range = memory_find(driver.memory, start);

	if (recording_error(r->reader))
		return false;
	if (start < range.end && bytes <= range.end - start &&
		recording_hash(memory_host(start), bytes) == hash)
		return true;
	if (!r->differences++)
		r->first_difference = (struct memory_range){ start, start + bytes };
	return true;
}

bool replay_memory(struct replay *r, enum recording_kind kind)
{
	switch (kind) {
	case RECORDING_UNLOAD:
		return unload(r);
	case RECORDING_ALLOCATE:
		return replay_allocate(r);
	case RECORDING_RELEASE:
		return replay_release(r);
	case RECORDING_WRITE:
		return write_bytes(r);
	case RECORDING_TEXTURE:
		return texture(r);
	case RECORDING_TEXTURE_END:
		return texture_end(r);
	case RECORDING_MEMORY:
		return replay_compare(r);
	default:
		return recording_wrong(r->reader, "it is not known");
	}
}
