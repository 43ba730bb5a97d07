/* core/kernel/waits_loop.h -- whether one loop of a kernel may wait (waits.c). */
#ifndef CORE_KERNEL_WAITS_LOOP_H
#define CORE_KERNEL_WAITS_LOOP_H

#include "frontend/analyse/cfg.h"
#include "frontend/parse/arena.h"
#include "frontend/ptx.h"
#include "frontend/uop.h"

struct waits {
	const struct ptx_kernel *kernel;
	struct cfg *cfg;
	struct ptx_arena *arena; /* until the kernel is done */
	bool *cut;               /* headers of loops around: edges to them are left out */
};

/* loop: for each block whether it belongs to the loop. */
bool waits_loop(const struct waits *w, const bool *loop, uint32_t header);

#endif
