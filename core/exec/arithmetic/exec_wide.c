/* core/exec/arithmetic/exec_wide.c -- 128-bit registers: two rows of 64-bit words for the low halves, then
 * two for the high ones. */
#include "core/exec/lanes.h"

/* Both halves of a source, copied: a destination may be the same register. */
struct halves {
	uint64_t low[WARP_SIZE] ROW_ALIGNED, high[WARP_SIZE] ROW_ALIGNED;
};

static inline void read_halves(const struct exec *x, uint16_t operand, struct halves *h)
{
	const ROW_U64 *row = source_row(x, operand);

	LANES h->low[l] = row[l];
	LANES h->high[l] = row[WARP_SIZE + l];
}

static inline void write_halves(struct exec *x, uint16_t row, const struct halves *h, lane_mask active)
{
	ROW_U64 *d = destination_row(x, row);

	PUT(d, h->low);
	PUT(d + WARP_SIZE, h->high);
}

EXEC(MOV_B128)
{
	struct halves h;

	read_halves(x, u->src[0], &h);
	write_halves(x, u->dst[0], &h, active);
}

EXEC(PACK_B128_2)
{
	struct halves h;
	SOURCE(a, U64, 0);
	SOURCE(b, U64, 1);

	LANES h.low[l] = a_row[l];
	LANES h.high[l] = b_row[l];
	write_halves(x, u->dst[0], &h, active);
}

EXEC(PACK_B128_4)
{
	struct halves h;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);
	SOURCE(e, U32, 3);

	LANES h.low[l] = a_row[l] | (uint64_t)b_row[l] << 32;
	LANES h.high[l] = c_row[l] | (uint64_t)e_row[l] << 32;
	write_halves(x, u->dst[0], &h, active);
}

EXEC(UNPACK_B128_2)
{
	struct halves h;

	read_halves(x, u->src[0], &h);
	if (u->dst[0] != UOP_NONE)
		PUT(destination_row(x, u->dst[0]), h.low);
	if (u->dst[1] != UOP_NONE)
		PUT(destination_row(x, u->dst[1]), h.high);
}

EXEC(UNPACK_B128_4)
{
	struct halves h;

	read_halves(x, u->src[0], &h);
	for (unsigned n = 0; n < 4; n++) {
		const uint64_t *half = n < 2 ? h.low : h.high;
		uint32_t out[WARP_SIZE] ROW_ALIGNED;

		if (u->dst[n] == UOP_NONE)
			continue;
		LANES out[l] = (uint32_t)(half[l] >> n % 2 * 32);
		PUT(destination_row(x, u->dst[n]), out);
	}
}
