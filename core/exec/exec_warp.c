/* core/exec/exec_warp.c -- operations across the lanes of a warp: vote, activemask, shuffle. */
#include "core/exec/lanes.h"

static inline void put_vote(struct exec *x, const struct uop *u, lane_mask active, bool yes)
{
	put_predicate(x, u->dst[0], yes ? ALL_LANES : 0, active);
}

static inline void put_mask(struct exec *x, const struct uop *u, lane_mask active, uint32_t mask)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED;

	LANES out[l] = mask;
	PUT(destination(x, u->dst[0]), out);
}

EXEC(VOTE_ALL)
{
	put_vote(x, u, active, !(~predicate_source(x, u, u->src[0]) & active));
}

EXEC(VOTE_ANY)
{
	put_vote(x, u, active, predicate_source(x, u, u->src[0]) & active);
}

EXEC(VOTE_UNI)
{
	lane_mask yes = predicate_source(x, u, u->src[0]) & active;

	put_vote(x, u, active, yes == 0 || yes == active);
}

EXEC(VOTE_BALLOT)
{
	put_mask(x, u, active, predicate_source(x, u, u->src[0]) & active);
}

EXEC(ACTIVEMASK)
{
	put_mask(x, u, active, active);
}

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* c: clamp in bits 4..0, segment mask in bits 12..8. A lane that asks beyond its segment gets its own value and a
 * false predicate. A lane that is not active is read as its register stands. */
EXEC(SHFL)
{
	uint32_t values[WARP_SIZE] ROW_ALIGNED, out[WARP_SIZE] ROW_ALIGNED, from[WARP_SIZE] ROW_ALIGNED;
	lane_mask valid;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	LANES {
		int32_t lane = (int32_t)l, n = (int32_t)(b_row[l] & 31), clamp = (int32_t)(c_row[l] & 31);
		int32_t segment = (int32_t)(c_row[l] >> 8 & 31), low = lane & segment, high = low | (clamp & ~segment);
		int32_t j = u->imm == SHFL_UP ? lane - n : u->imm == SHFL_DOWN ? lane + n :
			u->imm == SHFL_BFLY ? lane ^ n : low | (n & ~segment);

		values[l] = a_row[l];
		from[l] = (u->imm == SHFL_UP ? j >= high : j <= high) ? (uint32_t)j : UINT32_MAX;
	}
	for (unsigned l = 0; l < WARP_SIZE; l++)
		out[l] = values[from[l] < WARP_SIZE ? from[l] : l];
	valid = COLLECT(uint32_t, lane_bit, from[l] != UINT32_MAX);
	if (u->dst[0] != UOP_NONE)
		PUT(destination(x, u->dst[0]), out);
	put_predicate(x, u->dst[1], valid, active);
}
