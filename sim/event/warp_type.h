/* sim/event/warp_type.h -- the types of warps, by the share of their requests that hit in the L2 (MeDiC, PACT
 * 2015, Figure 3). */
#ifndef SIM_EVENT_WARP_TYPE_H
#define SIM_EVENT_WARP_TYPE_H

enum warp_type {
	WARP_UNTYPED, /* nobody classifies, or the request serves no warp */
	WARP_ALL_HIT,
	WARP_MOSTLY_HIT,
	WARP_BALANCED,
	WARP_MOSTLY_MISS,
	WARP_ALL_MISS,
	WARP_TYPES
};

/* A hit ratio of 1, as packets carry it. */
#define HIT_RATIO_ONE 65535u

#endif
