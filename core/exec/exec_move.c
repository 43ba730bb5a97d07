/* core/exec/exec_move.c -- moves, selects, packing, and the special registers that change while a warp lives.
 */
#include "core/exec/lanes.h"
#include "frontend/tables/opcode.h"

EXEC1(MOV_B32, U32, U32, a)
EXEC1(MOV_B64, U64, U64, a)
EXEC2(PACK_B64_2, U64, U32, a | (uint64_t)b << 32)
EXEC2(PACK_B32_2, U32, U16, a | (uint32_t)b << 16)
EXEC4_MIXED(
	PACK_B64_4, U64, U16, U16, U16, U16, a | (uint64_t)b << 16 | (uint64_t)c << 32 | (uint64_t)e << 48)

EXEC2(PACK_B16_2, U32, U32, (a & 255) | (b & 255) << 8)
EXEC4_MIXED(PACK_B32_4, U32, U32, U32, U32, U32, (a & 255) | (b & 255) << 8 | (c & 255) << 16 | e << 24)

EXEC(MOV_PRED)
{
	put_predicate(x, u->dst[0], predicate_source(x, u, u->src[0]), active);
}

EXEC(SELP_B32)
{
	lane_mask p = predicate_source(x, u, u->src[2]);
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);

	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32), p & lane_bit[l] ? a : b)
}

EXEC(SELP_B64)
{
	lane_mask p = predicate_source(x, u, u->src[2]);
	SOURCE(a, U64, 0);
	SOURCE(b, U64, 1);

	COMPUTE(false, U64, OPERAND(a, U64); OPERAND(b, U64), p & lane_bit64[l] ? a : b)
}

EXEC3_MIXED(SLCT_B32, U32, U32, U32, S32, c >= 0 ? a : b)
EXEC3_MIXED(SLCT_B64, U64, U64, U64, S32, c >= 0 ? a : b)

/* c >= 0 as f32: -0 is, NaN is not; flushed, a negative subnormal is -0. Below: its bits, least is the first
 * magnitude that counts as not zero. */
static inline bool is_not_negative(uint32_t c, uint32_t least)
{
	uint32_t magnitude = c & 0x7fffffff;

	return magnitude < least || ((int32_t)c >= 0 && magnitude <= 0x7f800000);
}

EXEC(SLCT_F32_B32)
{
	uint32_t least = u->mods & MOD_FTZ ? 0x00800000 : 1;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	COMPUTE(true, U32, OPERAND(a, U32); OPERAND(b, U32);
		OPERAND(c, U32), is_not_negative(c, least) ? a : b)
}

EXEC(SLCT_F32_B64)
{
	uint32_t least = u->mods & MOD_FTZ ? 0x00800000 : 1;
	SOURCE(a, U64, 0);
	SOURCE(b, U64, 1);
	SOURCE(c, U32, 2);

	COMPUTE(false, U64, OPERAND(a, U64); OPERAND(b, U64);
		OPERAND(c, U32), is_not_negative(c, least) ? a : b)
}

/* Takes `count` fields of `bits` bits apart. The source is read before any destination is written. */
static void unpack_fields(struct exec *x, const struct uop *u, lane_mask active, const uint64_t *values,
	unsigned count, unsigned bits)
{
	uint64_t field = (UINT64_C(1) << bits) - 1;

	for (unsigned n = 0; n < count; n++) {
		uint32_t out[WARP_SIZE] ROW_ALIGNED;

		if (u->dst[n] == UOP_NONE)
			continue;
		LANES out[l] = (uint32_t)(values[l] >> n * bits & field);
		PUT(destination_row(x, u->dst[n]), out);
	}
}

EXEC(UNPACK_B32_2)
{
	uint64_t values[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U32, 0);

	LANES values[l] = a_row[l];
	unpack_fields(x, u, active, values, 2, 16);
}

EXEC(UNPACK_B16_2)
{
	uint64_t values[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U32, 0);

	LANES values[l] = a_row[l];
	unpack_fields(x, u, active, values, 2, 8);
}

EXEC(UNPACK_B32_4)
{
	uint64_t values[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U32, 0);

	LANES values[l] = a_row[l];
	unpack_fields(x, u, active, values, 4, 8);
}

EXEC(UNPACK_B64_2)
{
	uint64_t values[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U64, 0);

	LANES values[l] = a_row[l];
	unpack_fields(x, u, active, values, 2, 32);
}

EXEC(UNPACK_B64_4)
{
	uint64_t values[WARP_SIZE] ROW_ALIGNED;
	SOURCE(a, U64, 0);

	LANES values[l] = a_row[l];
	unpack_fields(x, u, active, values, 4, 16);
}

EXEC(MOV_SREG)
{
	uint64_t nanoseconds = x->time / 1000, value, out[WARP_SIZE] ROW_ALIGNED;
	uint32_t low[WARP_SIZE] ROW_ALIGNED;
	bool is_wide = false;

	switch ((enum ptx_sreg)u->imm) {
	case PTX_SREG_CLOCK:
		value = x->now;
		break;
	case PTX_SREG_CLOCK_HI:
		value = x->now >> 32;
		break;
	case PTX_SREG_CLOCK64:
		value = x->now, is_wide = true;
		break;
	case PTX_SREG_GLOBALTIMER:
		value = nanoseconds, is_wide = true;
		break;
	case PTX_SREG_GLOBALTIMER_LO:
		value = nanoseconds;
		break;
	case PTX_SREG_GLOBALTIMER_HI:
		value = nanoseconds >> 32;
		break;
	default:
		bug("special register %d does not change while a warp lives", (int)u->imm);
	}
	LANES out[l] = value;
	LANES low[l] = (uint32_t)value;
	if (is_wide)
		PUT(destination_row(x, u->dst[0]), out);
	else
		PUT(destination_row(x, u->dst[0]), low);
}

#define EXEC_NOTHING(id) \
	EXEC(id) \
	{ \
		(void)x; \
		(void)u; \
		(void)active; \
	}
EXEC_NOTHING(STEP)           /* the operation before has computed the value */
EXEC_NOTHING(RECIPROCAL_U32) /* the division will */
EXEC_NOTHING(RECIPROCAL_S32)
