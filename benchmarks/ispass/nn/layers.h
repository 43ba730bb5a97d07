/* layers.h -- the fixed sizes of the network, for both sides. */
#ifndef LAYERS_H
#define LAYERS_H

enum {
	INPUT = 29,  /* pixels of a side */
	WINDOW = 5,  /* neurons of a side, of the layer before; windows begin two apart */
	MAPS1 = 6,   /* of the first layer */
	SIDE1 = 13,  /* neurons of a side of its maps */
	SIDE2 = 5,   /* of the second layer's */
	OUTPUT = 10, /* neurons of the last layer */
};

#endif
