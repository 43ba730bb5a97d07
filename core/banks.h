/* core/banks.h -- the banks of the register file: row r of the warp in slot s lies in bank (r + s) mod banks, and each
 * bank serves one row a cycle, first come first served.
 *
 * Rows come as sets of banks (issue_table.h). For each of the next cycles the set of banks that are taken up to there is kept: what asks
 * from a cycle on is served in the first whose set does not have its bank. */
#ifndef CORE_BANKS_H
#define CORE_BANKS_H

#include "core/issue_table.h"

#define MAX_REGISTER_BANKS 64
#define BANK_CYCLES        16 /* a bank that is taken for longer has its own count */

struct bank_ports {
	cycles from;                 /* earlier cycles are past */
	uint64_t late;               /* banks that are taken for longer, ... */
	uint64_t taken[BANK_CYCLES]; /* by cycle: banks that are, then or later */
	cycles free[MAX_REGISTER_BANKS]; /* ... first cycle in which such a bank can serve */
};

/* banks.c: time goes on to cycle from; banks that are taken beyond BANK_CYCLES. */
void banks_go_on(struct bank_ports *p, cycles from);
cycles banks_serve_late(struct bank_ports *p, uint64_t banks);

static inline cycles banks_serve_set(struct bank_ports *p, uint64_t banks, cycles from)
{
	cycles at = from;

	while (banks) {
		uint64_t *taken = &p->taken[at % BANK_CYCLES], others = banks & *taken;

		*taken |= banks;
		banks = others;
		if (++at - from == BANK_CYCLES && banks)
			return banks_serve_late(p, banks);
	}
	return at - (at != from);
}

/* The rows of the warp in that slot are served by their banks from cycle `from` on, which is none before that of an earlier call.
 * Returns the cycle in which the last is served; `from` if there are none. */
static inline cycles banks_serve(
	struct bank_ports *p, const struct row_banks *rows, const struct issue_table *table, uint32_t slot, cycles from)
{
	uint64_t banks = rows->first << (slot % 64) | rows->first >> (-slot % 64);
	cycles last;

	if (p->from != from)
		banks_go_on(p, from);
	last = banks_serve_set(p, banks, from);
	for (uint32_t i = 0; i < rows->more; i++) {
		uint64_t set = table->more_banks[rows->at + i];
		cycles at = banks_serve_set(p, set << (slot % 64) | set >> (-slot % 64), from);

		last = at > last ? at : last;
	}
	return last;
}

#endif
