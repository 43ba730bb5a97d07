/* sim/policy/storage.h -- what a policy would add to a chip: bits of storage, and logic, for `lockstep list`
 * and for the reader. The model does not read it. What an access to these structures takes is in energy
 * models (configs/energy), as energy of the policy's own statistics.
 *
 *   static const struct policy_storage mine_storage[] = {
 *       STORED_ENTRIES(struct mine, entries, 64, "warp slot of an SM", "a request: address, warp", "5.3"),
 *       STORED(16, "SM", "a counter of misses", "the paper"),
 *       STORED_END,
 *   };
 */
#ifndef SIM_POLICY_STORAGE_H
#define SIM_POLICY_STORAGE_H

#include "sim/base/types.h"

struct policy_storage {
	const char *what, *of; /* one of them; there are so many for each `of`: "SM", "line of a slice" */
	const char *source;
	uint32_t bits;  /* of one; 0: logic alone */
	size_t entries; /* where the policy's parameter is that says how many; 0: one */
};

#define STORED(bits, of, what, source) \
	{ \
		what, of, source, bits, 0 \
	}
#define STORED_ENTRIES(type, field, bits, of, what, source) \
	{ \
		what, of, source, bits, \
			FIELD_OFFSET( \
				type, field, uint32_t, "STORED_ENTRIES names a parameter of type uint32_t") \
	}
#define STORED_LOGIC(of, what, source) \
	{ \
		what, of, source, 0, 0 \
	}
#define STORED_END \
	{ \
		0, 0, 0, 0, 0 \
	}

/* Bits for each `of`, with the parameters of a policy's prototype. */
static inline uint64_t policy_storage_bits(const struct policy_storage *storage, const void *policy)
{
	const void *entries = (const char *)policy + storage->entries;

	return storage->bits * (uint64_t)(storage->entries ? *(const uint32_t *)entries : 1);
}

#endif
