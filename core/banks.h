/* core/banks.h -- the banks of the register file: row r of the warp in slot s lies in bank (r + s) mod banks, and each
 * bank serves one row a cycle, first come first served. */
#ifndef CORE_BANKS_H
#define CORE_BANKS_H

#include "sim/types.h"

/* The rows (of the warp in that slot) are served by their banks from cycle `from` on; free[b]: the first cycle in which bank b
 * can serve. mask: banks - 1. Returns the cycle in which the last is served; `from` if there are none. */
static inline cycles banks_serve(
	cycles *free, uint32_t mask, const uint16_t *row, uint32_t count, uint32_t slot, cycles from)
{
	cycles last = from;

	for (uint32_t i = 0; i < count; i++) {
		cycles *bank = &free[(row[i] + slot) & mask];
		cycles at = *bank > from ? *bank : from;

		*bank = at + 1;
		last = at > last ? at : last;
	}
	return last;
}

#endif
