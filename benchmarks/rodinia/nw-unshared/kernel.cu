/* nw-unshared -- nw/kernel.cu with its tiles in global memory (MRPB, Section 5.6). */
#define UNSHARED 1
#include "../nw/kernel.cu"
