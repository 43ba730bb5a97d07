/* lud.h -- what kernels and host of lud agree on. */
#ifndef LUD_H
#define LUD_H

enum {
	LUD_TILE = 16,                         /* rows and columns of a tile */
	LUD_SCRATCH = 3 * LUD_TILE * LUD_TILE, /* floats of a CTA, at most */
};

#endif
