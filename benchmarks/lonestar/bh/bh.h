/* bh.h -- Barnes-Hut: what kernels and host agree on. */
#ifndef BH_H
#define BH_H

enum {
	BH_CTA = 256, /* threads */
	BH_WARP = 32,
	BH_DEPTH = 48,  /* levels of cells, at most */
	BH_EMPTY = -1,  /* a child that is not there */
	BH_LOCKED = -2, /* one that somebody is about to replace */
};

/* What the kernels tell each other; the boxes of the CTAs lie elsewhere. */
struct bh_state {
	float x, y, z, radius; /* the root: centre, half a side */
	int bottom;            /* cells are taken downward: the lowest one in use */
	int arrived;           /* CTAs that have their box */
	int failed;            /* no cell is left, or the tree is too deep */
	int unused;
};

/* Bodies are nodes 0 to bodies - 1, cells the nodes above; the last one is the root. */
struct bh_nodes {
	float *x, *y, *z, *mass; /* of nodes: a cell's centre of mass; mass < 0: not known yet */
	int *child;              /* 8 of each cell */
	int *count, *start;      /* of cells: bodies in it; its first one's place in the order */
	float *vx, *vy, *vz;     /* of bodies: velocity */
	float *ax, *ay, *az;     /* acceleration */
	int *sorted;             /* bodies in the order of the tree */
};

/* With a body at distance d, a cell of side s is one mass if s < d / 2. Softening, time step. */
#define BH_OPEN     4.0f
#define BH_SOFT     0.0025f
#define BH_STEP     0.025f
#define BH_HALFSTEP 0.0125f

#endif
