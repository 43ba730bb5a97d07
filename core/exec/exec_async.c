/* core/exec/exec_async.c -- cp.async, whose data arrive at once, and mbarrier objects in shared memory. */
#include "core/exec/access.h"
#include "core/exec/mbarrier.h"

/* One lane's copy. */
struct copy {
	uint8_t *to;
	addr from;
	unsigned bytes; /* read; the rest are zeros */
};

/* Checks both sides; false after a fault. Bytes that are not read need not exist. */
static bool find_copy(struct exec *x, const struct uop *u, unsigned lane, unsigned size, lane_mask ignored,
	struct copy *copy)
{
	addr to = lane_address(x, u->src[1], u->mods & MOD_HI, lane, (uint64_t)(int64_t)(int32_t)u->imm);
	uint32_t limit = u->src[2] == UOP_NONE ? size : ((const ROW_U32 *)source_row(x, u->src[2]))[lane];

	copy->from = lane_address(x, u->src[0], u->mods & MOD_SAT, lane, (uint64_t)(u->imm >> 32));
	copy->bytes = ignored >> lane & 1 ? 0 : limit < size ? limit : size;
	copy->to = shared_location(x, u, lane, to, false, size, size, true);
	x->second_address[lane] = to;
	x->address[lane] = copy->from;
	return copy->to && (!copy->bytes || global_holds(x, u, lane, copy->from, copy->bytes, size));
}

EXEC(CP_ASYNC)
{
	unsigned size = 4u * u->vector;
	lane_mask ignored = u->src[3] == UOP_NONE ? 0 : predicate_source(x, u, u->src[3]);
	struct copy copies[WARP_SIZE];

	x->space = SPACE_GLOBAL;
	x->space_mask[0] = 0;
	for_each_lane (l, active) {
		if (!find_copy(x, u, l, size, ignored, &copies[l]))
			return;
		x->space_mask[0] |= copies[l].bytes ? lane_bit[l] : 0;
	}
	for_each_lane (l, active) {
		memcpy(copies[l].to, (const void *)(uintptr_t)copies[l].from, copies[l].bytes);
		memset(copies[l].to + copies[l].bytes, 0, size - copies[l].bytes);
	}
}

/* ---- mbarrier ---- */

/* The object that a lane names; NULL after a fault. */
static uint8_t *find_object(struct exec *x, const struct uop *u, unsigned lane, bool is_store)
{
	addr address = lane_address(x, u->src[0], u->mods & MOD_SAT, lane, (uint64_t)u->imm);

	x->space = SPACE_SHARED;
	return shared_location(x, u, lane, address, u->space == SPACE_GENERIC, 8, 8, is_store);
}

static const char *arrive_at_mbarrier(struct mbarrier *b, uint32_t count, bool drops)
{
	if (!count || count > MBARRIER_COUNT_MOST)
		return "a count of arrivals is 1 to 1048575";
	if (count > b->pending || (drops && count > b->expected))
		return "more arrivals than the mbarrier expects in this phase";
	b->pending -= count;
	b->expected -= drops ? count : 0;
	mbarrier_end_phase(b);
	return NULL;
}

/* What is wrong, or NULL. */
static const char *update_mbarrier(
	struct mbarrier *b, enum mbarrier_operation operation, uint32_t value, bool has_value)
{
	const char *wrong;

	if (operation == MBARRIER_INIT) {
		*b = (struct mbarrier){ value, value, 0, true, false };
		return value && value <= MBARRIER_COUNT_MOST ? NULL : "an mbarrier's count is 1 to 1048575";
	}
	if (!b->is_initialised)
		return "the mbarrier has not been initialised";
	switch (operation) {
	case MBARRIER_INVAL:
		*b = (struct mbarrier){ 0 };
		return NULL;
	case MBARRIER_ARRIVE:
	case MBARRIER_DROP:
		return arrive_at_mbarrier(b, has_value ? value : 1, operation == MBARRIER_DROP);
	case MBARRIER_ARRIVE_EXPECT:
	case MBARRIER_DROP_EXPECT:
		wrong = mbarrier_change_bytes(b, value);
		return wrong ? wrong : arrive_at_mbarrier(b, 1, operation == MBARRIER_DROP_EXPECT);
	case MBARRIER_EXPECT:
		return mbarrier_change_bytes(b, value);
	case MBARRIER_COMPLETE:
		wrong = mbarrier_change_bytes(b, -(int64_t)value);
		mbarrier_end_phase(b);
		return wrong;
	default:
		return NULL;
	}
}

EXEC(MBARRIER)
{
	const ROW_U32 *values = u->src[1] == UOP_NONE ? NULL : source_row(x, u->src[1]);
	ROW_U64 *d = u->dst[0] == UOP_NONE ? NULL : destination_row(x, u->dst[0]);

	for_each_lane (l, active) {
		uint8_t *location = find_object(x, u, l, true);
		struct mbarrier b;
		const char *wrong;
		uint64_t before, after;

		if (!location)
			return;
		memcpy(&before, location, 8);
		b = mbarrier_unpack(before);
		wrong = update_mbarrier(&b, u->compare, values ? values[l] : 0, values);
		if (wrong) {
			fault_because(x, u, l, wrong);
			return;
		}
		after = mbarrier_pack(b);
		memcpy(location, &after, 8);
		if (d)
			d[l] = before;
	}
}

/* A phase is over when its parity is no longer the current one. */
EXEC(MBARRIER_TEST)
{
	const void *state = source_row(x, u->src[1]);
	lane_mask over = 0;

	for_each_lane (l, active) {
		const uint8_t *location = find_object(x, u, l, false);
		bool parity = u->compare ? ((const ROW_U32 *)state)[l] & 1
					 : mbarrier_unpack(((const ROW_U64 *)state)[l]).parity;
		uint64_t bits;

		if (!location)
			return;
		memcpy(&bits, location, 8);
		if (!mbarrier_unpack(bits).is_initialised) {
			fault_because(x, u, l, "the mbarrier has not been initialised");
			return;
		}
		over |= mbarrier_unpack(bits).parity != parity ? lane_bit[l] : 0;
	}
	put_predicate(x, u->dst[0], over, active);
}
