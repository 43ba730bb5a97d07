/* host/driver/memory/driver_pool.h -- pools of memory in the order of streams: what allocations know of them.
 */
#ifndef HOST_DRIVER_MEMORY_DRIVER_POOL_H
#define HOST_DRIVER_MEMORY_DRIVER_POOL_H

#include "host/driver/driver.h"

struct CUmemPoolHandle_st {
	struct handle handle;
	bool is_destroyed;          /* freed with its last allocation */
	int reuse[3];               /* the three attributes, which change nothing here */
	cuuint64_t threshold, most; /* most: bytes that it may hold; 0: as many as there are */
	cuuint64_t used, high, reserved_high;
};

bool pool_take(CUmemoryPool pool, size_t bytes); /* false: it may not hold so much */

#endif
