/* core/exec/exec_warp.c -- operations across the lanes of a warp: vote, shuffle, match, reduce, elect.
 *
 * Each works with the members of every lane: the executing lanes that its mask names. Masks may differ from
 * lane to lane; mostly they are one constant, and the loops below compute 32 equal results. */
#include "core/exec/arithmetic/floats.h"
#include "core/exec/write.h"

/* The masks that the lanes name. false after a fault: a lane that executes does not name itself, or names one
 * that has not exited and is not here. */
static inline bool check_masks(struct exec *x, const struct uop *u, lane_mask active, const ROW_U32 *mask)
{
	uint32_t absent = x->live & ~active;
	lane_mask selfless = active & COLLECT(uint32_t, lane_bit, !(mask[l] & lane_bit[l]));
	lane_mask waiting = active & COLLECT(uint32_t, lane_bit, mask[l] & absent), first;

	if (!(selfless | waiting))
		return true;
	first = first_lane(selfless ? selfless : waiting);
	exec_members_fault(x, u, active, first, mask[first]);
	for_each_lane (l, waiting)
		x->missing |= mask[l] & absent;
	return false;
}

/* The members of each lane, all of which are executing; false after a fault. */
static inline bool find_members(
	struct exec *x, const struct uop *u, lane_mask active, unsigned operand, uint32_t *members)
{
	uint32_t *m = ALIGNED(members);

	if (u->combine == MEMBERS_MASK) {
		const ROW_U32 *mask = source_row(x, u->src[operand]);

		LANES m[l] = mask[l] & active;
		return check_masks(x, u, active, mask);
	}
	LANES m[l] = active;
	if (u->combine == MEMBERS_EXECUTING || active == x->live)
		return true;
	exec_members_fault(x, u, active, first_lane(active), ALL_LANES);
	return false;
}

/* Declares members[], or ends the operation. */
#define MEMBERS(operand) \
	uint32_t members[WARP_SIZE] ROW_ALIGNED; \
	if (!find_members(x, u, active, operand, members)) \
	return

EXEC(VOTE_ALL)
{
	lane_mask no = ~predicate_source(x, u, u->src[0]);

	MEMBERS(1);
	put_predicate(x, u->dst[0], COLLECT(uint32_t, lane_bit, !(members[l] & no)), active);
}

EXEC(VOTE_ANY)
{
	lane_mask yes = predicate_source(x, u, u->src[0]);

	MEMBERS(1);
	put_predicate(x, u->dst[0], COLLECT(uint32_t, lane_bit, (members[l] & yes) != 0), active);
}

EXEC(VOTE_UNI)
{
	lane_mask yes = predicate_source(x, u, u->src[0]);

	MEMBERS(1);
	put_predicate(x, u->dst[0], COLLECT(uint32_t, lane_bit, !(members[l] & yes) || !(members[l] & ~yes)),
		active);
}

EXEC(VOTE_BALLOT)
{
	lane_mask yes = predicate_source(x, u, u->src[0]);

	MEMBERS(1);
	LANES members[l] &= yes;
	PUT(destination_row(x, u->dst[0]), members);
}

EXEC(ACTIVEMASK)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED;

	LANES out[l] = active;
	PUT(destination_row(x, u->dst[0]), out);
}

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

/* c: clamp in bits 4..0, segment mask in bits 12..8. A lane that asks beyond its segment gets its own value
 * and a false predicate. The register of an inactive lane is read as it is. */
EXEC(SHFL)
{
	uint32_t values[WARP_SIZE] ROW_ALIGNED, out[WARP_SIZE] ROW_ALIGNED, from[WARP_SIZE] ROW_ALIGNED;
	lane_mask valid;
	SOURCE(a, U32, 0);
	SOURCE(b, U32, 1);
	SOURCE(c, U32, 2);

	MEMBERS(3);
	LANES
	{
		int32_t lane = (int32_t)l, n = (int32_t)(b_row[l] & 31), clamp = (int32_t)(c_row[l] & 31);
		int32_t segment = (int32_t)(c_row[l] >> 8 & 31), low = lane & segment,
			high = low | (clamp & ~segment);
		int32_t j = u->imm == SHFL_UP ? lane - n
			: u->imm == SHFL_DOWN ? lane + n
			: u->imm == SHFL_BFLY ? lane ^ n
					      : low | (n & ~segment);

		values[l] = a_row[l];
		from[l] = (u->imm == SHFL_UP ? j >= high : j <= high) ? (uint32_t)j : UINT32_MAX;
	}
	for (unsigned l = 0; l < WARP_SIZE; l++)
		out[l] = values[from[l] < WARP_SIZE ? from[l] : l];
	valid = COLLECT(uint32_t, lane_bit, from[l] != UINT32_MAX);
	if (u->dst[0] != UOP_NONE)
		PUT(destination_row(x, u->dst[0]), out);
	put_predicate(x, u->dst[1], valid, active);
}

/* The lanes whose value is that of lane l, for all l. */
#define SAME_VALUES(T) \
	SOURCE(a, T, 0); \
	uint32_t same[WARP_SIZE] ROW_ALIGNED = { 0 }; \
	for (unsigned other = 0; other < WARP_SIZE; other++) { \
		VALUE_##T value = a_row[other]; \
		LANES same[l] |= a_row[l] == value ? lane_bit[other] : 0; \
	}

static void put_any(
	struct exec *x, const struct uop *u, lane_mask active, uint32_t *members, const uint32_t *same)
{
	LANES members[l] &= same[l];
	PUT(destination_row(x, u->dst[0]), members);
}

static void put_all(
	struct exec *x, const struct uop *u, lane_mask active, uint32_t *members, const uint32_t *same)
{
	LANES members[l] = members[l] & ~same[l] ? 0 : members[l];
	if (u->dst[0] != UOP_NONE)
		PUT(destination_row(x, u->dst[0]), members);
	put_predicate(x, u->dst[1], COLLECT(uint32_t, lane_bit, members[l] != 0), active);
}

#define MATCH(id, T, put) \
	EXEC(id) \
	{ \
		SAME_VALUES(T) \
		MEMBERS(1); \
		put(x, u, active, members, same); \
	}
MATCH(MATCH_ANY_B32, U32, put_any)
MATCH(MATCH_ANY_B64, U64, put_any)
MATCH(MATCH_ALL_B32, U32, put_all)
MATCH(MATCH_ALL_B64, U64, put_all)

static inline uint32_t reduce_words(const struct uop *u, uint32_t a, uint32_t b)
{
	bool is_signed = u->type == PTX_S32, less = is_signed ? (int32_t)a < (int32_t)b : a < b;

	switch ((enum uop_atomic)u->compare) {
	case ATOM_ADD:
		return a + b;
	case ATOM_MIN:
		return less ? a : b;
	case ATOM_MAX:
		return less ? b : a;
	case ATOM_AND:
		return a & b;
	case ATOM_OR:
		return a | b;
	case ATOM_XOR:
		return a ^ b;
	default:
		bug("redux operation %u", u->compare);
	}
}

static inline bool is_nan_word(uint32_t a)
{
	return (a & 0x7fffffff) > 0x7f800000;
}

/* Smaller or larger by the order of the reals, -0 below +0; of a NaN and a number the number, or the NaN if
 * NaNs count. */
static inline uint32_t reduce_floats(const struct uop *u, uint32_t a, uint32_t b)
{
	uint32_t key_a = a & 0x80000000 ? ~a : a | 0x80000000, key_b = b & 0x80000000 ? ~b : b | 0x80000000;

	if (is_nan_word(a) || is_nan_word(b)) {
		bool wins = u->mods & MOD_HI, neither = is_nan_word(a) && is_nan_word(b);

		return wins || neither ? NAN_F32 : is_nan_word(a) ? b : a;
	}
	return (key_a < key_b) == (u->compare == ATOM_MIN) ? a : b;
}

/* Group by group: lanes with the same members have the same result. `next` folds one more value into it. */
#define REDUCE(values, next) \
	uint32_t out[WARP_SIZE] ROW_ALIGNED = { 0 }; \
	MEMBERS(1); \
	for (lane_mask left = active; left;) { \
		lane_mask group = members[first_lane(left)]; \
		uint32_t sum = (values)[first_lane(group)]; \
		for_each_lane (l, group & (group - 1)) \
			sum = next(u, sum, (values)[l]); \
		lane_mask done = COLLECT(uint32_t, lane_bit, members[l] == group) & left; \
		for_each_lane (l, done) \
			out[l] = sum; \
		left &= ~done; \
	} \
	PUT(destination_row(x, u->dst[0]), out)

EXEC(REDUX_B32)
{
	SOURCE(a, U32, 0);

	REDUCE(a_row, reduce_words);
}

EXEC(REDUX_F32)
{
	uint32_t values[WARP_SIZE] ROW_ALIGNED, keep = u->mods & MOD_SAT ? 0x7fffffff : UINT32_MAX;
	SOURCE(a, U32, 0);

	LANES values[l] = is_nan_word(a_row[l]) ? NAN_F32 : a_row[l] & keep;
	REDUCE(values, reduce_floats);
}

EXEC(ELECT)
{
	uint32_t out[WARP_SIZE] ROW_ALIGNED = { 0 };

	MEMBERS(0);
	for_each_lane (l, active)
		out[l] = first_lane(members[l]);
	if (u->dst[0] != UOP_NONE)
		PUT(destination_row(x, u->dst[0]), out);
	put_predicate(x, u->dst[1], COLLECT(uint32_t, lane_bit, out[l] == l), active);
}

EXEC(WARP_SYNC)
{
	MEMBERS(0);
}
