/* host/driver/memory/driver_virtual.h -- inside the virtual memory management: reservations, physical memory,
 * and the mappings of one to the other. */
#ifndef HOST_DRIVER_MEMORY_DRIVER_VIRTUAL_H
#define HOST_DRIVER_MEMORY_DRIVER_VIRTUAL_H

#include "host/driver/driver.h"

#define GRANULARITY (UINT64_C(2) << 20) /* bytes: of memory and of mappings, as devices have it */

struct physical {
	struct handle handle;
	CUmemAllocationProp properties;
	uint64_t bytes;
	uint64_t offset;     /* in the file */
	unsigned references; /* of the program */
	unsigned mappings;
};

struct mapping {
	struct mapping *next; /* by address */
	struct memory_range range;
	struct physical *physical;
	CUmemAccess_flags access;
};

/* Memory as a part of one file, which has no other name (virtual_file.c). false: the host has none. */
bool virtual_file_take(uint64_t bytes, uint64_t *offset);
void virtual_file_give(uint64_t bytes, uint64_t offset);
bool virtual_file_map(struct memory_range range, uint64_t offset);
/* Addresses that nothing else may use, and that nobody may touch. */
bool virtual_file_reserve(struct memory_range range);
bool virtual_file_unmap(struct memory_range range);
void virtual_file_free(struct memory_range range); /* the reservation */

bool reservation_holds(struct memory_range range); /* driver_reserve.c: one reservation does, entirely */
bool mapping_is_within(struct memory_range range); /* driver_virtual.c: any part of it is mapped */

#endif
