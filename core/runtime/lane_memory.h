/* core/runtime/lane_memory.h -- memory by generic addresses as one lane sees it, for what the system does on
 * its behalf. */
#ifndef CORE_RUNTIME_LANE_MEMORY_H
#define CORE_RUNTIME_LANE_MEMORY_H

#include "memsys/memory.h"

struct lane_memory {
	const struct device_memory *memory;
	uint8_t *shared, *local; /* the CTA's, the lane's own */
	uint32_t shared_bytes, local_bytes;
	bool is_narrow; /* its addresses have 32 bits */
	addr wrong;     /* the first address that could not be read */
};

/* Copies; false, with `wrong` set, if not all can be read. */
bool lane_memory_read(struct lane_memory *m, addr address, void *to, uint64_t bytes);
bool lane_memory_write(struct lane_memory *m, addr address, const void *from, uint64_t bytes);
/* The characters of a string, up to `limit`; where its end or the limit is not reached: NULL, with `wrong`
 * set. */
const char *lane_memory_string(struct lane_memory *m, addr address, uint64_t limit, uint64_t *length);

#endif
