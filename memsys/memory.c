/* memsys/memory.c -- functional device memory: one reserved region and a table of what is allocated in it.
 *
 * The table is a tree of live allocations (memsys/allocations.h); the free ranges are the gaps between them,
 * so that freeing merges by itself. An allocation owns its bytes rounded up to 256, but only the bytes asked
 * for are legal to touch. */
#include "memsys/memory.h"
#include "memsys/allocations.h"
#include "memsys/open_ranges.h"
#include "memsys/texture/texture.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define RETURN_SIZE (UINT64_C(1) << 20) /* freed ranges from here on give their pages back to the host */

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

struct device_memory {
	uint64_t bytes; /* of the region */
	uint64_t used;  /* by live allocations, rounded up */
	uint64_t generation;
	uint64_t page;
	bool by_page; /* kernels may access the pages of allocations */
	struct allocations live;
	struct open_ranges open; /* virtual addresses that may be accessed */
	struct texture_table *textures;
};

static uint64_t round_up_range(uint64_t value, uint64_t unit)
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
	bytes = round_up_range(bytes, page);
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
	allocations_init(&memory->live, DEVICE_BASE, bytes);
	memory->textures = texture_table_new();
	return memory;
}

void memory_free(struct device_memory *memory)
{
	if (!memory)
		return;
	munmap(memory_host(DEVICE_BASE), memory->bytes);
	allocations_fini(&memory->live);
	open_ranges_fini(&memory->open);
	texture_table_free(memory->textures);
	free(memory);
}

addr memory_allocate(struct device_memory *memory, uint64_t bytes, uint64_t align)
{
	addr start;

	align = align > ALLOCATION_GRANULE ? align : ALLOCATION_GRANULE;
	bug_if(align & (align - 1), "alignment %llu is no power of two", (unsigned long long)align);
	if (!bytes || bytes > memory->bytes - memory->used || align > memory->bytes)
		return 0;
	start = allocations_fit(&memory->live, bytes, align);
	if (!start)
		return 0;
	allocations_add(&memory->live, (struct memory_range){ start, start + bytes });
	memory->used += round_up_range(bytes, ALLOCATION_GRANULE);
	memory->generation++;
	return start;
}

/* The live allocation that holds address, or NULL. */
static struct allocation_node *holder(const struct device_memory *memory, addr address)
{
	struct allocation_node *below = allocations_below(&memory->live, address);

	return below && address < below->range.end ? below : NULL;
}

void memory_mark_constant(struct device_memory *memory, addr start)
{
	struct allocation_node *a = holder(memory, start);

	if (a)
		a->is_constant = true;
}

bool memory_is_constant(const struct device_memory *memory, addr address)
{
	const struct allocation_node *a = holder(memory, address);

	return a && a->is_constant;
}

/* Whole pages of a large freed range go back to the host. */
static void return_pages(struct memory_range range)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	addr start = round_up_range(range.start, page), end = range.end & ~(page - 1);

	if (range.end - range.start >= RETURN_SIZE && start < end)
		madvise(memory_host(start), end - start, MADV_DONTNEED);
}

bool memory_release(struct device_memory *memory, addr address)
{
	struct memory_range range;

	if (!allocations_remove(&memory->live, address, &range))
		return false;
	memory->used -= round_up_range(range.end - range.start, ALLOCATION_GRANULE);
	memory->generation++;
	return_pages(range);
	return true;
}

struct memory_range memory_find(const struct device_memory *memory, addr address)
{
	if (address >= MAPPED_BASE)
		return open_ranges_find(&memory->open, address);

	const struct allocation_node *a = holder(memory, address);

	return a ? a->range : (struct memory_range){ 0, 0 };
}

void memory_set_page(struct device_memory *memory, uint64_t page, bool may_access)
{
	memory->page = page;
	memory->by_page = may_access;
	memory->generation++;
}

/* The pages that a range touches, as far as there is memory. */
static struct memory_range pages_of(const struct device_memory *memory, struct memory_range range)
{
	addr end = round_up_range(range.end, memory->page), last = DEVICE_BASE + memory->bytes;

	return (struct memory_range){ range.start & ~(memory->page - 1), end < last ? end : last };
}

/* The pages of the allocation below or above address that touches its page; empty: none does. */
static struct memory_range pages_around(const struct device_memory *memory, addr address)
{
	const struct allocation_node *near[] = { allocations_below(&memory->live, address),
		allocations_above(&memory->live, address) };

	for (int i = 0; i < 2; i++) {
		struct memory_range pages =
			near[i] ? pages_of(memory, near[i]->range) : (struct memory_range){ 0, 0 };

		if (address >= pages.start && address < pages.end)
			return pages;
	}
	return (struct memory_range){ 0, 0 };
}

struct memory_range memory_reach(const struct device_memory *memory, addr address)
{
	return memory->by_page && address < MAPPED_BASE ? pages_around(memory, address)
							: memory_find(memory, address);
}

bool memory_is_in_page(const struct device_memory *memory, addr address)
{
	return memory->page && pages_around(memory, address).end;
}

struct memory_range memory_nearest(const struct device_memory *memory, addr address)
{
	if (address >= MAPPED_BASE && memory->open.count)
		return open_ranges_nearest(&memory->open, address);

	const struct allocation_node *below = allocations_below(&memory->live, address);
	const struct allocation_node *above = allocations_above(&memory->live, address);

	if (!below && !above)
		return (struct memory_range){ 0, 0 };
	if (!below)
		return above->range;
	if (!above || address < below->range.end || address - below->range.end < above->range.start - address)
		return below->range;
	return above->range;
}

struct memory_range memory_next(const struct device_memory *memory, addr address)
{
	const struct allocation_node *above = allocations_above(&memory->live, address ? address - 1 : 0);

	return above ? above->range : (struct memory_range){ 0, 0 };
}

bool memory_claim(struct device_memory *memory, uint64_t bytes)
{
	if (bytes > memory->bytes - memory->used)
		return false;
	memory->used += bytes;
	return true;
}

void memory_unclaim(struct device_memory *memory, uint64_t bytes)
{
	memory->used -= bytes;
}

bool memory_has_mapped(const struct device_memory *memory)
{
	return memory->open.count > 0;
}

void memory_open(struct device_memory *memory, struct memory_range range)
{
	open_ranges_add(&memory->open, range);
	memory->generation++;
}

void memory_close(struct device_memory *memory, struct memory_range range)
{
	open_ranges_remove(&memory->open, range);
	memory->generation++;
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
