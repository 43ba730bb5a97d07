/* core/simt/warnings.h -- what a kernel does that the machine lets pass but the programmer hardly means:
 * counted in each launch, printed once for each line of PTX; and what its code does otherwise than on its
 * chip. */
#ifndef CORE_SIMT_WARNINGS_H
#define CORE_SIMT_WARNINGS_H

#include "core/simt/warp.h"
#include <stdio.h>

#define WARNINGS_MOST 32 /* printed in one run; the rest are only counted */

struct ptx_kernel;

struct warnings {
	/* of an SM: the machine's, where these go in the commit phase; of the machine: NULL */
	const struct warnings *reported;
	uint64_t seen[WARNINGS_MOST]; /* kernel, line and kind of what was printed */
	uint32_t count;
	char text[4096]; /* not yet printed, a line each */
};

/* Only the lanes `mask` of a warp come to barrier u, where the whole warp counts as arrived (targets before
 * sm_70). Counts it in the launch. */
void warn_divergent_barrier(const struct warp *w, const struct uop *u, lane_mask mask);
/* All warps of the CTA have exited: barriers at which threads have arrived at which no thread ever waited. */
void warn_barriers_left(const struct cta *cta);
/* What the frontend says of the code of a kernel that is launched. */
void warn_code(struct warnings *warnings, const struct ptx_kernel *kernel);
/* The warnings of an SM become the machine's. */
void warnings_take(struct warnings *to, struct warnings *from);
/* Prints what has not been printed yet. */
void warnings_flush(struct warnings *warnings, FILE *to);

#endif
