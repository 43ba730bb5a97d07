/* host/driver/memory/driver_advice.h -- advice on managed memory and where it was last prefetched to: kept to
 * be asked for, without effect. */
#ifndef HOST_DRIVER_MEMORY_DRIVER_ADVICE_H
#define HOST_DRIVER_MEMORY_DRIVER_ADVICE_H

#include "host/driver/driver.h"

enum advice_kind {
	ADVICE_READ_MOSTLY,
	ADVICE_PREFERRED,
	ADVICE_BY_HOST,
	ADVICE_BY_DEVICE,
	ADVICE_PREFETCHED
};

/* From now on this holds for the range, until its memory is given back. */
void advice_set(enum advice_kind kind, addr start, uint64_t bytes, int value);
void advice_forget(addr start, uint64_t bytes);

#endif
