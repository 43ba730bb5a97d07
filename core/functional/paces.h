/* core/functional/paces.h -- where the warps of CTAs are that go on side by side without timing, and how fast
 * each CTA does. */
#ifndef CORE_FUNCTIONAL_PACES_H
#define CORE_FUNCTIONAL_PACES_H

#include "sim/base/types.h"

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
	struct position *positions;
	size_t count;
};

/* NULL: the CTA is not among them. */
const struct position *paces_position(const struct paces *p, uint64_t cta);

#endif
