/* hotspot.h -- what kernel and host of hotspot agree on. */
#ifndef HOTSPOT_H
#define HOTSPOT_H

enum {
	HOTSPOT_TILE = 16,                                 /* threads of a CTA each way */
	HOTSPOT_SCRATCH = 3 * HOTSPOT_TILE * HOTSPOT_TILE, /* floats of a CTA */
};

/* How heat flows in a step, and the temperature around. */
struct hotspot_flow {
	float step, along_x, along_y, out, ambient;
};

#endif
