/* core/banks.c -- the banks of the register file, as time goes on. */
#include "core/banks.h"

/* Late banks as they stand in the sets of the cycles that have come into reach, from `first` on. */
static void take_late(struct bank_ports *p, cycles first)
{
	cycles end = p->from + BANK_CYCLES;

	for (uint64_t m = p->late; m; m &= m - 1) {
		uint32_t bank = (uint32_t)__builtin_ctzll(m);

		for (cycles c = first; c < end && c < p->free[bank]; c++)
			p->taken[c % BANK_CYCLES] |= UINT64_C(1) << bank;
		if (p->free[bank] <= end)
			p->late &= ~(UINT64_C(1) << bank);
	}
}

void banks_go_on(struct bank_ports *p, cycles from)
{
	cycles old = p->from, past = from - old < BANK_CYCLES ? from : old + BANK_CYCLES;

	bug_if(from < old, "register banks: a row comes late");
	for (cycles c = old; c < past; c++)
		p->taken[c % BANK_CYCLES] = 0;
	p->from = from;
	if (p->late)
		take_late(p, old + BANK_CYCLES > from ? old + BANK_CYCLES : from);
}

cycles banks_serve_late(struct bank_ports *p, uint64_t banks)
{
	cycles last = 0, end = p->from + BANK_CYCLES;

	for (uint64_t m = banks; m; m &= m - 1) {
		uint32_t bank = (uint32_t)__builtin_ctzll(m);
		cycles at = p->late >> bank & 1 ? p->free[bank] : end;

		p->late |= UINT64_C(1) << bank;
		p->free[bank] = at + 1;
		last = at > last ? at : last;
	}
	return last;
}
