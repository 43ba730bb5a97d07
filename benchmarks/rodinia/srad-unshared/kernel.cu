/* srad-unshared -- srad/kernel.cu without its shared tiles (SRAD/U of MRPB, Section 5.6). */
#define UNSHARED 1
#include "../srad/kernel.cu"
