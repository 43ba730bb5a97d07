/* memsys/l2/l2_warp_of.h -- which warp a request at an L2 slice serves, as a number to index tables by.
 */
#ifndef MEMSYS_L2_L2_WARP_OF_H
#define MEMSYS_L2_L2_WARP_OF_H

#include "memsys/l2/l2.h"

#define L2_NO_WARP UINT32_MAX

static inline uint32_t l2_warps(const struct l2_config *machine)
{
	return machine->sms * machine->warps;
}

/* The number of the warp slot among those of all SMs, less than l2_warps; L2_NO_WARP: the request serves no
 * thread (an instruction fetch, a write-back). */
static inline uint32_t l2_warp_of(const struct l2_config *machine, const struct requester *by)
{
	if (!by->lanes || by->sm >= machine->sms || by->warp >= machine->warps)
		return L2_NO_WARP;
	return by->sm * machine->warps + by->warp;
}

/* What tells warps apart in a table: the SM and the slot in it, or the slot alone, as in MeDiC's released
 * simulator, where warps in the same slot of all SMs are one. */
enum l2_warp_key { L2_BY_SM_AND_SLOT, L2_BY_SLOT };
#define L2_WARP_KEYS \
	{ \
		"sm_and_slot", "slot", NULL \
	}

static inline uint32_t l2_warp_by(
	const struct l2_config *machine, const struct requester *by, enum l2_warp_key key)
{
	uint32_t warp = l2_warp_of(machine, by);

	return key == L2_BY_SLOT && warp != L2_NO_WARP ? by->warp : warp;
}

#endif
