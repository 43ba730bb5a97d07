/* core/exec/mbarrier_update.h -- the operations of MBARRIER micro-operations on an object. */
#ifndef CORE_EXEC_MBARRIER_UPDATE_H
#define CORE_EXEC_MBARRIER_UPDATE_H

#include "core/exec/mbarrier.h"
#include "frontend/uop.h"

static inline const char *mbarrier_arrive(struct mbarrier *b, uint32_t count, bool drops)
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
static inline const char *mbarrier_change(
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
		return mbarrier_arrive(b, has_value ? value : 1, operation == MBARRIER_DROP);
	case MBARRIER_ARRIVE_EXPECT:
	case MBARRIER_DROP_EXPECT:
		wrong = mbarrier_change_bytes(b, value);
		return wrong ? wrong : mbarrier_arrive(b, 1, operation == MBARRIER_DROP_EXPECT);
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

/* The operation of u on the object at that place; values: the lane's count or bytes, NULL: none. before: the
 * object as it was. What is wrong, or NULL. */
static inline const char *mbarrier_update(
	const struct uop *u, uint8_t *location, const uint32_t *value, uint64_t *before)
{
	const char *wrong;
	struct mbarrier b;
	uint64_t after;
	bool parity;

	memcpy(before, location, 8);
	b = mbarrier_unpack(*before);
	parity = b.parity;
	wrong = mbarrier_change(&b, u->compare, value ? *value : 0, value);
	if (!wrong && u->mods & MOD_HI && b.parity != parity)
		wrong = "an arrival with .noComplete ends the phase";
	if (wrong)
		return wrong;
	after = mbarrier_pack(b);
	memcpy(location, &after, 8);
	return NULL;
}

#endif
