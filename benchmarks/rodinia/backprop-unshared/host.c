/* backprop-unshared -- host side: as backprop. */
#define UNSHARED 1
#include "backprop/host.c"
