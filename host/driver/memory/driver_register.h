/* host/driver/memory/driver_register.h -- host memory that the program has registered. */
#ifndef HOST_DRIVER_MEMORY_DRIVER_REGISTER_H
#define HOST_DRIVER_MEMORY_DRIVER_REGISTER_H

#include "host/driver/driver.h"

struct allocation *registered_of(addr address, uint64_t bytes); /* which holds all of these; NULL */
/* Where kernels find an address in it; 0: nowhere. */
addr registered_on_device(const struct allocation *registered, addr address);
void registered_free(struct allocation *registered);

#endif
