/* memsys/memory.h -- functional device memory: one region reserved at a fixed address of the process, so that
 * device addresses are host addresses and repeat from run to run, and a table of allocations, which detects
 * accesses outside of them. The data are here; caches and DRAM model tags and time only. */
#ifndef MEMSYS_MEMORY_H
#define MEMSYS_MEMORY_H

#include "sim/base/types.h"

#ifdef __SANITIZE_THREAD__
#define DEVICE_BASE UINT64_C(0x0000004000000000)
#else
#define DEVICE_BASE UINT64_C(0x0000200000000000)
#endif
/* Generic addresses of shared and local memory lie in windows below the region; offsets start at the base. */
#define SHARED_WINDOW (DEVICE_BASE - UINT64_C(0x100000000))
#define LOCAL_WINDOW  (DEVICE_BASE - UINT64_C(0x80000000))
#define PARAM_WINDOW  (DEVICE_BASE - UINT64_C(0x40000000)) /* kernel parameters */
#define WINDOW_SIZE   UINT64_C(0x40000000)
/* Virtual addresses that the program reserves, and maps to memory that has no address of its own, lie above
 * the region (host/driver/memory/driver_virtual.c). */
#define MAPPED_BASE (DEVICE_BASE + (UINT64_C(1) << 44))
#define MAPPED_SIZE (UINT64_C(1) << 42)

struct memory_range {
	addr start, end;
}; /* device addresses, end exclusive; start == end: empty */

struct device_memory;

/* Reserves `bytes` of address space (committed only when touched). NULL, with errno set, if the host refuses.
 */
struct device_memory *memory_new(uint64_t bytes);
void memory_free(struct device_memory *memory);

/* First fit, 256-byte aligned (or `align`, a power of two, if larger). 0 if there is no room. The bytes are
 * zero when the region is fresh and undefined otherwise. Freed ranges merge. */
addr memory_allocate(struct device_memory *memory, uint64_t bytes, uint64_t align);
/* false if `address` is not the start of a live allocation. */
bool memory_release(struct device_memory *memory, addr address);
/* The live allocation that holds address (as requested, not rounded up), or an empty range. */
struct memory_range memory_find(const struct device_memory *memory, addr address);
/* The size of a page (a power of two), and whether kernels may access all of the pages that allocations
 * touch, as on a GPU, where pages are mapped or not; initially they may not. */
void memory_set_page(struct device_memory *memory, uint64_t page, bool may_access);
/* What kernels may access around address: memory_find, or the pages of the allocation at or next to it. */
struct memory_range memory_reach(const struct device_memory *memory, addr address);
/* Whether address lies in a page that an allocation touches. */
bool memory_is_in_page(const struct device_memory *memory, addr address);
/* The live allocation nearest to address, for messages; empty if there is none at all. */
struct memory_range memory_nearest(const struct device_memory *memory, addr address);
/* The first live allocation that starts at or above address; empty if there is none. */
struct memory_range memory_next(const struct device_memory *memory, addr address);
/* Marks a live allocation as one of constants until it is released: `isspacep` distinguishes them from global
 * memory. */
void memory_mark_constant(struct device_memory *memory, addr start);
bool memory_is_constant(const struct device_memory *memory, addr address);
uint64_t memory_total(const struct device_memory *memory);
uint64_t memory_available(const struct device_memory *memory);
/* Increases with every allocation and release. A range that memory_find gave is valid until it changes. */
uint64_t memory_generation(const struct device_memory *memory);

/* Memory without an address of its own, so that together there is never more than the total. false: not
 * enough. */
bool memory_claim(struct device_memory *memory, uint64_t bytes);
void memory_unclaim(struct device_memory *memory, uint64_t bytes);
/* Makes mapped addresses legal to access, and illegal again. Adjacent ranges are one for memory_find. */
void memory_open(struct device_memory *memory, struct memory_range range);
void memory_close(struct device_memory *memory, struct memory_range range);
bool memory_has_mapped(const struct device_memory *memory); /* there are some that are legal */

/* Handles of textures and surfaces (memsys/texture/texture.h); freed with the memory. */
struct texture_table;
struct texture_table *memory_textures(const struct device_memory *memory);

static inline void *memory_host(addr address) /* a device address is a host address */
{
	return (void *)(uintptr_t)address;
}

#endif
