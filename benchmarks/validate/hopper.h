/* hopper.h -- launches of hopper.ptx, whose kernels leave cycles. */
#ifndef VALIDATE_HOPPER_H
#define VALIDATE_HOPPER_H

#include "validate.h"

enum { MOST_CYCLES = 512 };

/* A launch: `ctas` in clusters of so many, dynamic shared memory. */
struct grid {
	unsigned ctas, threads, cluster;
	uint32_t shared;
};

/* The kernel with the parameters behind the first, which is where it leaves out[]; up to 6. */
void hopper_launch(struct micro *m, const char *kernel, const struct grid *grid, void *const *more,
	unsigned long long out[MOST_CYCLES]);
/* The same twice, since the first time the code is not in the caches. */
void hopper_measure(struct micro *m, const char *kernel, const struct grid *grid, void *const *more,
	unsigned long long out[MOST_CYCLES]);

#endif
