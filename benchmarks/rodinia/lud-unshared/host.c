/* lud-unshared -- host side: as lud. */
#define UNSHARED 1
#include "lud/host.c"
