/* memsys/coalescer/gates.h -- which warps a coalescer lets issue which memory access. */
#ifndef MEMSYS_COALESCER_GATES_H
#define MEMSYS_COALESCER_GATES_H

#include "sim/base/types.h"

/* Masks of warp slots; without a coalescer of its own all ones. */
struct coalescer_gates {
	uint64_t load;  /* may issue a load: there is room for it, and memory order permits it */
	uint64_t store; /* a store, an atomic or an ordered load, likewise */
	uint64_t fence; /* a barrier or a membar: memory order permits it */
	uint64_t room;  /* for messages and statistics: there is room, whatever memory order says */
};

#endif
