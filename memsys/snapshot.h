/* memsys/snapshot.h -- a copy of what device memory holds, to be put back. */
#ifndef MEMSYS_SNAPSHOT_H
#define MEMSYS_SNAPSHOT_H

#include "memsys/memory.h"

struct snapshot {       /* zero bytes: none yet */
	uint8_t *bytes; /* of all live allocations, in order of address */
	size_t size, room;
};

/* Bytes that it would have, to be copied; UINT64_MAX: none can be made, as there are virtual addresses that
 * memory is mapped to (memory_open). */
uint64_t snapshot_bytes(const struct device_memory *memory);
void snapshot_take(struct snapshot *snapshot, const struct device_memory *memory);
/* Memory is as it was. No allocation has come or gone since. The copy stays. */
void snapshot_restore(const struct snapshot *snapshot, struct device_memory *memory);
void snapshot_fini(struct snapshot *snapshot);

#endif
