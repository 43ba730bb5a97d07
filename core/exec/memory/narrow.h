/* core/exec/memory/narrow.h -- generic addresses in 32 bits (see uop.h). */
#ifndef CORE_EXEC_MEMORY_NARROW_H
#define CORE_EXEC_MEMORY_NARROW_H

#include "frontend/uop.h"
#include "memsys/memory.h"

/* The generic address in 64 bits. */
static inline addr narrow_completed(addr a)
{
	return a +
		(a < NARROW_SHARED                 ? DEVICE_BASE
				: a < NARROW_LOCAL ? SHARED_WINDOW - NARROW_SHARED
				: a < NARROW_PARAM ? LOCAL_WINDOW - NARROW_LOCAL
						   : PARAM_WINDOW - NARROW_PARAM);
}

#endif
