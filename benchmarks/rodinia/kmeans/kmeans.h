/* kmeans.h -- what kernels and host of kmeans agree on. */
#ifndef KMEANS_H
#define KMEANS_H

enum { KMEANS_CENTRES = 4096 /* clusters x features, at most: floats of constant memory */ };

#endif
