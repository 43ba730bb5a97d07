/* sim/event/requester.h -- who makes a memory request: a warp of an SM, and the instruction that it executes.
 *
 * The load/store unit and the instruction fetch fill it in once. The cache request (memsys/l1/cache.h), the
 * packet (sim/event/packet.h) and the events of the caches (memsys/listener.h) contain it as `by`, and it is
 * copied as a whole from one to the next. */
#ifndef SIM_EVENT_REQUESTER_H
#define SIM_EVENT_REQUESTER_H

#include "sim/event/timestamp.h"

#define REQUESTER_NO_SM 0xffffu

/* Two requests come from the same warp if sm, warp, cta and launch are equal. */
struct requester {
	uint16_t sm;        /* number of the SM; REQUESTER_NO_SM: the request comes from none */
	uint16_t warp;      /* warp slot in the SM */
	uint32_t cta;       /* linear number of the CTA in its grid */
	uint32_t launch;    /* number of the kernel launch, from 1; 0: none (instruction fetches) */
	uint32_t uop_index; /* index of the micro-operation in its kernel: the PC of the papers */
	uint32_t lanes;     /* lanes of the warp that the request serves, as a mask; 0: it serves no thread
			       (instruction fetches, write-backs) */
	timestamp issued;   /* when the instruction issued; 0: not known (instruction fetches, write-backs) */
};

#endif
