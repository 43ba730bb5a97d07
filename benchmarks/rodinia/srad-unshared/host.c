/* srad-unshared -- srad's host program for the kernels without shared memory. */
#define UNSHARED 1
#include "srad/host.c"
