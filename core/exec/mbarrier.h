/* core/exec/mbarrier.h -- what changes an mbarrier's counts of arrivals and bytes: its own instructions
 * (exec_async.c), and copies that have landed (core/exec/bulk). */
#ifndef CORE_EXEC_MBARRIER_H
#define CORE_EXEC_MBARRIER_H

#include "frontend/lower/memory/mbarrier.h"
#include <stddef.h>
#include <string.h>

static inline void mbarrier_end_phase(struct mbarrier *b)
{
	if (b->pending || b->bytes)
		return;
	b->parity = !b->parity;
	b->pending = b->expected;
}

/* What is wrong, or NULL. */
static inline const char *mbarrier_change_bytes(struct mbarrier *b, int64_t by)
{
	int64_t bytes = b->bytes + by;

	if (bytes > MBARRIER_BYTES_MOST || bytes < -MBARRIER_BYTES_MOST)
		return "the mbarrier's count of bytes leaves its range";
	b->bytes = (int32_t)bytes;
	return NULL;
}

/* So many bytes have arrived for the object at that place: a complete_tx. What is wrong, or NULL. */
static inline const char *mbarrier_complete(uint8_t *location, uint32_t bytes)
{
	const char *wrong;
	struct mbarrier b;
	uint64_t bits;

	memcpy(&bits, location, 8);
	b = mbarrier_unpack(bits);
	if (!b.is_initialised)
		return "the mbarrier has not been initialised";
	wrong = mbarrier_change_bytes(&b, -(int64_t)bytes);
	mbarrier_end_phase(&b);
	bits = mbarrier_pack(b);
	memcpy(location, &bits, 8);
	return wrong;
}

#endif
