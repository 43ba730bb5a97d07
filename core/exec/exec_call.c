/* core/exec/exec_call.c -- the frame of the running function. */
#include "core/exec/lanes.h"

EXEC(FRAME_B32)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED;

	LANES out[l] = (uint32_t)(x->frame + (uint64_t)u->imm);
	PUT(destination_row(x, u->dst[0]), out);
}

EXEC(FRAME_B64)
{
	uint64_t out[WARP_SIZE] ROW_ALIGNED;

	LANES out[l] = x->frame + (uint64_t)u->imm;
	PUT(destination_row(x, u->dst[0]), out);
}
