/* core/functional/paces.h -- how fast CTAs go on that run side by side on an SM (an older one faster than a
 * younger one, as its schedulers have it), and where the warps of each are. */
#ifndef CORE_FUNCTIONAL_PACES_H
#define CORE_FUNCTIONAL_PACES_H

#include "sim/base/types.h"

#define PACES 32 /* CTAs of an SM that are told apart */

/* Where a CTA's warps are: instructions that each has executed (one that has exited, about), and how fast it
 * goes on, by the mean of its CTA. */
struct position {
	uint64_t cta;
	uint32_t done[64];
	float pace[64];
	struct pace {
		double instructions, cycles;
	} own; /* of each of its warps, of late */
};

struct paces {
	struct pace of[PACES + 1][PACES]; /* by how many CTAs the SM has, and how many of them are older */
	struct position *positions;
	size_t count;
	bool at_once; /* the machine holds all CTAs of the kernel: each goes on at its own pace, where it is
		       */
};

/* A CTA on an SM with so many, so many of which are older, has issued instructions in so many cycles. */
void paces_add(struct paces *p, uint32_t ctas, uint32_t older, uint64_t instructions, cycles time);
/* What was added so far counts by this part of what it did. */
void paces_fade(struct paces *p, double part);
/* Instructions in a cycle, 0 if nothing is known; from SMs with more CTAs, if none had so many, and
 * from an older CTA, if none was so young. */
double paces_of(const struct paces *p, uint32_t ctas, uint32_t older);
/* NULL: the CTA is not among them. */
const struct position *paces_position(const struct paces *p, uint64_t cta);

#endif
