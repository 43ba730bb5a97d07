/* pathfinder-unshared -- pathfinder's host program for the kernel without shared memory. */
#define UNSHARED 1
#include "pathfinder/host.c"
