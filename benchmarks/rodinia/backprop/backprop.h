/* backprop.h -- what kernel and host of backprop agree on. */
#ifndef BACKPROP_H
#define BACKPROP_H

#define BACKPROP_STRIDE   17 /* floats in a row of weights: 16 hidden units and the bias, which comes first */
#define BACKPROP_SCRATCH  272  /* floats of a CTA: a tile of 16 x 16, and 16 inputs */
#define BACKPROP_RATE     0.3f /* of learning */
#define BACKPROP_MOMENTUM 0.3f

#endif
