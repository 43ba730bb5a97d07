/* host/driver/memory/virtual_file.c -- what the host does for virtual memory: all physical memory is one file
 * without a name, whose parts are mapped at the device's addresses, as often as the program wishes. Offsets
 * are never used twice; what is freed goes back to the host. */
#include "host/driver/memory/driver_virtual.h"
#include "sim/files/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static struct descriptor file = { .number = -1 };
static uint64_t length;

/* The file's descriptor; -1: the program has closed it, and there may be another file of its own. */
static int file_number(void)
{
	if (descriptor_is_ours(&file))
		return file.number;
	driver_say("the program has closed a descriptor that it did not open: that of its device memory");
	errno = EBADF;
	return -1;
}

bool virtual_file_take(uint64_t bytes, uint64_t *offset)
{
	if (file.number < 0)
		file = descriptor_keep(memfd_create("lockstep device memory", MFD_CLOEXEC));
	if (file.number < 0 || ftruncate(file_number(), (off_t)(length + bytes)))
		return false;
	*offset = length;
	length += bytes;
	return true;
}

void virtual_file_give(uint64_t bytes, uint64_t offset)
{
	if (fallocate(file_number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes))
		driver_say("memory that was released is not given back to the host: %s", strerror(errno));
}

bool virtual_file_map(struct memory_range range, uint64_t offset)
{
	return mmap(memory_host(range.start), range.end - range.start, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_number(), (off_t)offset) != MAP_FAILED;
}

bool virtual_file_reserve(struct memory_range range)
{
	void *wanted = memory_host(range.start);
	void *got = mmap(wanted, range.end - range.start, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (got == wanted)
		return true;
	if (got != MAP_FAILED)
		munmap(got, range.end - range.start);
	return false;
}

bool virtual_file_unmap(struct memory_range range)
{
	return mmap(memory_host(range.start), range.end - range.start, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void virtual_file_free(struct memory_range range)
{
	munmap(memory_host(range.start), range.end - range.start);
}
