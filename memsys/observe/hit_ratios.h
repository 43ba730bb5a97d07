/* memsys/observe/hit_ratios.h -- ranges of hit ratios, for histograms (MeDiC, Figure 2). */
#ifndef MEMSYS_OBSERVE_HIT_RATIOS_H
#define MEMSYS_OBSERVE_HIT_RATIOS_H

#include <stddef.h>
#include <stdint.h>

#define HIT_RATIO_RANGES 12

/* In percent; the ten ranges in the middle are without their lower ends */
#define HIT_RATIO_NAMES \
	{ \
		"0", "0-10", "10-20", "20-30", "30-40", "40-50", "50-60", "60-70", "70-80", "80-90", \
			"90-100", "100", NULL \
	}

/* 0; 1: above 0 to 10 %; ... 10: above 90, below 100 %; 11: 100 %. At least one request. */
static inline uint32_t hit_ratio_range(uint64_t hits, uint64_t requests)
{
	if (hits == requests)
		return HIT_RATIO_RANGES - 1;
	return hits ? (uint32_t)((10 * hits + requests - 1) / requests) : 0;
}

#endif
