/* hotspot-unshared -- the kernels of hotspot with the CTAs' tiles in global memory (../scratch.h): each CTA reads and
 * writes tiles that no other touches, so that what shared memory held competes for the L1, and stores, which
 * evict there, send the next reader to the L2. */
#define UNSHARED 1
#include "../hotspot/kernel.cu"
