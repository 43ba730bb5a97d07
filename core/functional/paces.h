/* core/functional/paces.h -- how fast CTAs go on that run side by side on an SM: an older one faster than a
 * younger one, as its schedulers have it, and so do the warps of each. */
#ifndef CORE_FUNCTIONAL_PACES_H
#define CORE_FUNCTIONAL_PACES_H

#include "sim/base/types.h"

#define PACES 32 /* CTAs of an SM that are told apart */

struct paces {
	struct pace {
		double instructions, cycles;
	} of[PACES + 1][PACES];  /* by how many CTAs the SM has, and how many of them are older */
	double warps[PACES][64]; /* instructions by how many CTAs are older, and a warp's number in its CTA */
};

/* A CTA on an SM with so many, so many of which are older, has issued instructions in so many cycles. */
void paces_add(struct paces *p, uint32_t ctas, uint32_t older, uint64_t instructions, cycles time);
/* Instructions in a cycle, 0 if nothing is known; from SMs with more CTAs, if none had so many, and
 * from an older CTA, if none was so young. */
double paces_of(const struct paces *p, uint32_t ctas, uint32_t older);

void paces_add_warp(struct paces *p, uint32_t older, uint32_t warp, uint64_t instructions);
/* Of the CTA's instructions, up to a factor that is the same for all its warps. */
double paces_of_warp(const struct paces *p, uint32_t older, uint32_t warp);

#endif
