/* pathfinder-unshared -- pathfinder/kernel.cu with its rows in global memory (MRPB, Section 5.6). */
#define UNSHARED 1
#include "../pathfinder/kernel.cu"
