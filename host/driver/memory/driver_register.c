/* host/driver/memory/driver_register.c -- host memory that the program registers.
 *
 * Copies may be asynchronous to it, and kernels reach it at an address of the device: its pages become those
 * of a memory file, which is mapped where they were and in the device's region. That is done only to pages
 * that are the program's alone (private, anonymous, writable, no stack); others are registered without an
 * address for kernels. */
#include "host/driver/memory/driver_register.h"
#include "host/driver/recording/recorder.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_NAME "lockstep-registered"

static struct allocation *registered; /* seldom more than a few */

static uint64_t page_bytes(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

static addr start_of(const struct allocation *a)
{
	return (uintptr_t)a->handle.key;
}

struct allocation *registered_of(addr address, uint64_t bytes)
{
	for (struct allocation *a = registered; a; a = a->next_registered) {
		uint64_t offset = address - start_of(a);
		if (offset < a->bytes && bytes <= a->bytes - offset)
			return a;
	}
	return NULL;
}

addr registered_on_device(const struct allocation *a, addr address)
{
	return a->shadow ? start_of(a->shadow) + (address - start_of(a) / page_bytes() * page_bytes()) : 0;
}

struct allocation *allocation_owner(struct allocation *allocation)
{
	struct allocation *a = registered;

	while (allocation->kind == ALLOCATION_SHADOW && a->shadow != allocation)
		a = a->next_registered;
	return allocation->kind == ALLOCATION_SHADOW ? a : allocation;
}

/* -- pages -- */

/* Whether all pages from start to end lie in mappings for which is_right says so. */
static bool all_pages(addr start, addr end, bool (*is_right)(const char *flags, const char *name))
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], flags[8], name[256];
	unsigned long long from, to;

	while (maps && start < end && fgets(line, sizeof line, maps)) {
		*name = '\0';
		if (sscanf(line, "%llx-%llx %7s %*s %*s %*s %255[^\n]", &from, &to, flags, name) < 3)
			break;
		if (to <= start)
			continue;
		if (from > start || !is_right(flags, name))
			break;
		start = to;
	}
	if (maps)
		fclose(maps);
	return start >= end;
}

static bool is_the_programs(const char *flags, const char *name)
{
	return !strcmp(flags, "rw-p") && (!*name || !strcmp(name, "[heap]") || strstr(name, FILE_NAME));
}

static bool is_ours(const char *flags, const char *name)
{
	return strstr(name, FILE_NAME);
}

/* A memory file of what the pages hold, also between the program's blocks of memory; negative: none. */
static int file_of_pages(addr start, uint64_t bytes)
{
	int file = memfd_create(FILE_NAME, MFD_CLOEXEC);
	uint64_t done = 0;

	while (file >= 0 && done < bytes) {
		long n = syscall(SYS_pwrite64, file, memory_host(start + done), bytes - done, done);
		if (n <= 0) {
			close(file);
			return -1;
		}
		done += (uint64_t)n;
	}
	return file;
}

static bool map_file(addr start, uint64_t bytes, int file, int kind)
{
	return mmap(memory_host(start), bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED, file, 0) !=
		MAP_FAILED;
}

static bool map_twice(addr start, addr device, uint64_t bytes)
{
	int file = file_of_pages(start, bytes);
	bool is_done = file >= 0 && map_file(device, bytes, file, MAP_SHARED) &&
		map_file(start, bytes, file, MAP_SHARED);

	if (file >= 0)
		close(file);
	return is_done;
}

/* The pages become the program's alone again, unless it has freed them meanwhile. */
static void map_back(addr start, uint64_t bytes)
{
	int file = all_pages(start, start + bytes, is_ours) ? file_of_pages(start, bytes) : -1;

	if (file < 0)
		return;
	map_file(start, bytes, file, MAP_PRIVATE);
	close(file);
}

/* The region's own pages again. */
static void clear_device(addr start, uint64_t bytes)
{
	mmap(memory_host(start), bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static bool shares_pages(addr start, addr end)
{
	for (const struct allocation *a = registered; a; a = a->next_registered)
		if (a->shadow && start < start_of(a) + a->bytes + page_bytes() &&
			start_of(a) < end + page_bytes())
			return true;
	return false;
}

static void make_shadow(struct allocation *a)
{
	uint64_t page = page_bytes();
	addr start = start_of(a) / page * page, end = (start_of(a) + a->bytes + page - 1) / page * page,
	     device;

	if (shares_pages(start, end) || !all_pages(start, end, is_the_programs))
		return;
	device = memory_allocate(driver.memory, end - start, page);
	if (!device)
		return;
	if (!map_twice(start, device, end - start)) {
		clear_device(device, end - start);
		memory_release(driver.memory, device);
		return;
	}
	recorder_allocated(device, end - start, page, false, true);
	a->shadow = xcalloc(1, sizeof *a);
	*a->shadow = (struct allocation){
		.kind = ALLOCATION_SHADOW, .bytes = end - start, .flags = a->flags, .id = a->id
	};
	handle_add(&a->shadow->handle, HANDLE_ALLOCATION, memory_host(device), a->handle.context);
	if (session_sanitizer(driver.session))
		sanitizer_allocated(session_sanitizer(driver.session), device, end - start, false);
}

static void free_shadow(struct allocation *shadow)
{
	clear_device(start_of(shadow), shadow->bytes);
	if (session_sanitizer(driver.session))
		sanitizer_freed(session_sanitizer(driver.session), start_of(shadow));
	recorder_released(start_of(shadow));
	memory_release(driver.memory, start_of(shadow));
	handle_remove(&shadow->handle);
	free(shadow);
}

void registered_free(struct allocation *a)
{
	struct allocation **link = &registered;

	while (*link != a)
		link = &(*link)->next_registered;
	*link = a->next_registered;
	if (a->shadow)
		free_shadow(a->shadow);
	handle_remove(&a->handle);
	free(a);
}

/* -- the program's calls -- */

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	addr address = (uintptr_t)pointer;

	DRIVER_CALL(NEED_CONTEXT);
	if (!pointer || !bytes || (flags & ~15u) || address + bytes < address || memory_is_in_region(address))
		return CUDA_ERROR_INVALID_VALUE;
	for (const struct allocation *a = registered; a; a = a->next_registered)
		if (address < start_of(a) + a->bytes && start_of(a) < address + bytes)
			return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	struct allocation *a = xcalloc(1, sizeof *a);
	*a = (struct allocation){
		.kind = ALLOCATION_REGISTERED, .bytes = bytes, .flags = flags, .id = ++driver.next_id
	};
	handle_add(&a->handle, HANDLE_ALLOCATION, pointer, context_current());
	make_shadow(a);
	a->next_registered = registered;
	registered = a;
	queue_host_sees_memory();
	return CUDA_SUCCESS;
}
EXPORT_AS(cuMemHostRegister, "cuMemHostRegister");

CUresult cuMemHostUnregister(void *pointer)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct allocation *a = handle_find(HANDLE_ALLOCATION, pointer);
	if (!a || a->kind != ALLOCATION_REGISTERED) /* not its start, or not registered by the program */
		return !pointer || registered_of((uintptr_t)pointer, 1) || allocation_of((uintptr_t)pointer)
			? CUDA_ERROR_INVALID_VALUE
			: CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
	CUresult result = queue_run_all();
	if (a->shadow)
		map_back((uintptr_t)pointer / page_bytes() * page_bytes(), a->shadow->bytes);
	registered_free(a);
	return result;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *pointer, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct allocation *a = allocation_of((uintptr_t)pointer),
			  *mine = registered_of((uintptr_t)pointer, 1);
	if (!address || flags || (!mine && (!a || a->kind == ALLOCATION_DEVICE)))
		return CUDA_ERROR_INVALID_VALUE;
	*address = mine ? registered_on_device(mine, (uintptr_t)pointer) : (uintptr_t)pointer;
	if (*address)
		return CUDA_SUCCESS;
	driver_say("kernels cannot access the registered memory at %p: its pages are not the program's "
		   "alone, or "
		   "shared with other registered memory",
		pointer);
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct allocation *a = registered_of((uintptr_t)pointer, 1);
	if (!a)
		a = allocation_of((uintptr_t)pointer);
	if (!flags || !a || (a->kind != ALLOCATION_PINNED && a->kind != ALLOCATION_REGISTERED))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = a->flags;
	return CUDA_SUCCESS;
}
