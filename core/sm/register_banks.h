/* core/sm/register_banks.h -- the banks of the register file: row r of the warp in slot s lies in bank (r
 * + s) mod banks, and each bank serves one row a cycle, first come first served.
 *
 * Rows come as sets of banks (issue_entry.h). For each of the next cycles the set of banks that are taken up
 * to there is kept: what asks from a cycle on is served in the first whose set does not have its bank. */
#ifndef CORE_SM_REGISTER_BANKS_H
#define CORE_SM_REGISTER_BANKS_H

#include "core/sm/issue_entry.h"

#define MAX_REGISTER_BANKS 64
#define BANK_CYCLES        4 /* a bank that is taken for longer has its own count */

struct bank_ports {
	cycles from;                     /* earlier cycles are past */
	uint64_t late;                   /* banks that are taken for longer, ... */
	uint64_t taken[BANK_CYCLES];     /* by cycle: banks that are, then or later */
	cycles free[MAX_REGISTER_BANKS]; /* ... first cycle in which such a bank can serve */
} __attribute__((aligned(64)));

static inline uint64_t banks_of_slot(uint64_t set, uint32_t slot)
{
	return set << (slot % 64) | set >> (-slot % 64);
}

/* register_banks.c: time goes on to cycle from. */
void banks_go_on_far(struct bank_ports *p, cycles from);
static inline void banks_go_on(struct bank_ports *p, cycles from)
{
	if (__builtin_expect(from - p->from != 1 || p->late, 0)) {
		banks_go_on_far(p, from);
		return;
	}
	p->taken[p->from % BANK_CYCLES] = 0;
	p->from = from;
}
/* After banks_serve has been false; more: where sets of banks lie beyond the first. Returns the cycle in
 * which the last is served. */
cycles banks_queue(struct bank_ports *p, const struct row_banks *rows, const uint64_t *more, uint32_t slot);

/* The rows of the warp in that slot are served by their banks from cycle `from` on, which is none before that
 * of an earlier call. True: all of them in that cycle, or there are none. Else it is not done yet, and
 * banks_queue does it. */
static inline bool banks_serve(struct bank_ports *p, const struct row_banks *rows, uint32_t slot, cycles from)
{
	uint64_t banks = banks_of_slot(rows->first, slot), *taken = &p->taken[from % BANK_CYCLES];

	if (p->from != from)
		banks_go_on(p, from);
	if (banks & *taken || rows->more)
		return false;
	*taken |= banks;
	return true;
}

#endif
