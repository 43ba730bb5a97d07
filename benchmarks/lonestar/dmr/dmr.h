/* dmr.h -- mesh refinement: what kernels and host agree on.
 *
 * Coordinates are whole numbers in doubles, from 0 to DMR_SIDE: which side of a line a point is on, lengths
 * and areas are then exact. Corners of a triangle go counter-clockwise; next[3 t + k] is the triangle on the
 * other side of the edge that corner k does not touch, or DMR_NONE at the border of the square. */
#ifndef DMR_H
#define DMR_H

#define DMR_SIDE 16777216.0
#define DMR_ANY  0xffffffffu /* an owner: nobody, or whoever it is */

enum {
	DMR_NONE = -1,
	DMR_CTA = 64,    /* threads */
	DMR_CAVITY = 48, /* triangles that a new point may replace, at most */
};

struct dmr_mesh {
	double *x, *y;   /* of points */
	int *corner;     /* 3 of each triangle: points */
	int *next;       /* 3 of each triangle */
	int *bad;        /* of each triangle: 1 if it has too small an angle */
	unsigned *owner; /* of each triangle: whose turn it is: the first of those who claim it */
	/* of each bad triangle what it plans: a point, and a triangle that goes for it; DMR_NONE: nothing */
	double *plan_x, *plan_y;
	int *plan_start, *plan_splits; /* the point splits an edge of the border */
	int *points, *triangles;       /* how many there are: one word each */
	int *refined;                  /* points added in this round: one word */
	int points_room, triangles_room;
	double limit; /* of good angles' cosines, squared */
};

#endif
