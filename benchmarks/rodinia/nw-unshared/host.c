/* nw-unshared -- nw's host program for the kernels without shared memory. */
#define UNSHARED 1
#include "nw/host.c"
