/* memsys/memory.c -- functional device memory: one reserved region and a table of what is allocated in it.
 *
 * The table is one array of live allocations, sorted by address; the free ranges are the gaps between them,
 * so that freeing merges by itself. Finding is a binary search, allocating a walk over the gaps. An
 * allocation owns its bytes rounded up to 256, but only the bytes asked for are legal to touch. */
#include "memsys/memory.h"
#include "memsys/texture/texture.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULE     UINT64_C(256)       /* what cuMemAlloc promises */
#define RETURN_SIZE (UINT64_C(1) << 20) /* freed ranges from here on give their pages back to the host */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

struct device_memory {
	uint64_t bytes; /* of the region */
	uint64_t used;  /* by live allocations, rounded up */
	uint64_t generation;
	struct memory_range *live; /* sorted by start; end as requested */
	size_t count, capacity;
	addr *constants; /* starts of allocations that hold constants; few */
	size_t constant_count;
	struct texture_table *textures;
};

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) & ~(unit - 1);
}

struct device_memory *memory_new(uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	void *wanted = memory_host(DEVICE_BASE), *region;
	struct device_memory *memory;

	if (!bytes || bytes > UINT64_MAX / 2) {
		errno = EINVAL;
		return NULL;
	}
	bytes = round_up(bytes, page);
	region = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (region == MAP_FAILED)
		return NULL;
	if (region != wanted) { /* a kernel before 4.17 takes the address for a hint */
		munmap(region, bytes);
		errno = EEXIST;
		return NULL;
	}
	madvise(region, bytes, MADV_HUGEPAGE); /* where there are none, small ones do */
	memory = xcalloc(1, sizeof(*memory));
	memory->bytes = bytes;
	memory->textures = texture_table_new();
	return memory;
}

void memory_free(struct device_memory *memory)
{
	if (!memory)
		return;
	munmap(memory_host(DEVICE_BASE), memory->bytes);
	free(memory->live);
	free(memory->constants);
	texture_table_free(memory->textures);
	free(memory);
}

/* How many live allocations start at or below address. */
static size_t rank(const struct device_memory *memory, addr address)
{
	const struct memory_range *first = memory->live;
	size_t count = memory->count;

	while (count) {
		size_t half = count / 2;
		bool right = first[half].start <= address;

		first = right ? first + half + 1 : first;
		count = right ? count - half - 1 : half;
	}
	return (size_t)(first - memory->live);
}

static void insert(struct device_memory *memory, size_t index, struct memory_range range)
{
	if (memory->count == memory->capacity) {
		memory->capacity = memory->capacity ? 2 * memory->capacity : 64;
		memory->live = xrealloc(memory->live, memory->capacity * sizeof(*memory->live));
	}
	memmove(memory->live + index + 1, memory->live + index,
		(memory->count - index) * sizeof(*memory->live));
	memory->live[index] = range;
	memory->count++;
}

addr memory_allocate(struct device_memory *memory, uint64_t bytes, uint64_t align)
{
	addr start = DEVICE_BASE, limit = DEVICE_BASE + memory->bytes;

	align = align > GRANULE ? align : GRANULE;
	bug_if(align & (align - 1), "alignment %llu is no power of two", (unsigned long long)align);
	if (!bytes || bytes > memory->bytes - memory->used || align > memory->bytes)
		return 0;
	for (size_t i = 0; i <= memory->count; i++) {
		addr gap_end = i < memory->count ? memory->live[i].start : limit;

		start = round_up(start, align);
		if (start < gap_end && bytes <= gap_end - start) {
			insert(memory, i, (struct memory_range){ start, start + bytes });
			memory->used += round_up(bytes, GRANULE);
			memory->generation++;
			return start;
		}
		if (i < memory->count)
			start = memory->live[i].end;
	}
	return 0;
}

static size_t constant_index(const struct device_memory *memory, addr start)
{
	size_t i = 0;

	while (i < memory->constant_count && memory->constants[i] != start)
		i++;
	return i;
}

void memory_mark_constant(struct device_memory *memory, addr start)
{
	if (constant_index(memory, start) < memory->constant_count)
		return;
	memory->constants =
		xrealloc(memory->constants, (memory->constant_count + 1) * sizeof(*memory->constants));
	memory->constants[memory->constant_count++] = start;
}

bool memory_is_constant(const struct device_memory *memory, addr address)
{
	struct memory_range range = memory_find(memory, address);

	return range.start != range.end && constant_index(memory, range.start) < memory->constant_count;
}

static void forget_constant(struct device_memory *memory, addr start)
{
	size_t i = constant_index(memory, start);

	if (i < memory->constant_count)
		memory->constants[i] = memory->constants[--memory->constant_count];
}

/* Whole pages of a large freed range go back to the host. */
static void return_pages(struct memory_range range)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	addr start = round_up(range.start, page), end = range.end & ~(page - 1);

	if (range.end - range.start >= RETURN_SIZE && start < end)
		madvise(memory_host(start), end - start, MADV_DONTNEED);
}

bool memory_release(struct device_memory *memory, addr address)
{
	size_t index = rank(memory, address);
	struct memory_range range;

	if (!index || memory->live[index - 1].start != address)
		return false;
	range = memory->live[--index];
	memory->count--;
	memmove(memory->live + index, memory->live + index + 1,
		(memory->count - index) * sizeof(*memory->live));
	memory->used -= round_up(range.end - range.start, GRANULE);
	forget_constant(memory, address);
	memory->generation++;
	return_pages(range);
	return true;
}

struct memory_range memory_find(const struct device_memory *memory, addr address)
{
	size_t index = rank(memory, address);

	if (index && address < memory->live[index - 1].end)
		return memory->live[index - 1];
	return (struct memory_range){ 0, 0 };
}

struct memory_range memory_nearest(const struct device_memory *memory, addr address)
{
	size_t index = rank(memory, address);
	const struct memory_range *below = index ? &memory->live[index - 1] : NULL;
	const struct memory_range *above = index < memory->count ? &memory->live[index] : NULL;

	if (!below && !above)
		return (struct memory_range){ 0, 0 };
	if (!below)
		return *above;
	if (!above || address < below->end || address - below->end < above->start - address)
		return *below;
	return *above;
}

uint64_t memory_total(const struct device_memory *memory)
{
	return memory->bytes;
}

uint64_t memory_available(const struct device_memory *memory)
{
	return memory->bytes - memory->used;
}

uint64_t memory_generation(const struct device_memory *memory)
{
	return memory->generation;
}

struct texture_table *memory_textures(const struct device_memory *memory)
{
	return memory->textures;
}
