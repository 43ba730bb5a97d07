/* hotspot-unshared -- host side: as hotspot. */
#define UNSHARED 1
#include "hotspot/host.c"
