/* core/sm/register_banks.c -- the banks of the register file, as time goes on. */
#include "core/sm/register_banks.h"

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

void banks_go_on_far(struct bank_ports *p, cycles from)
{
	cycles old = p->from;

	bug_if(from < old, "register banks: a row comes late");
	p->from = from;
	for (uint32_t i = 0; i < BANK_CYCLES && old + i < from; i++)
		p->taken[(old + i) % BANK_CYCLES] = 0;
	if (p->late)
		take_late(p, old + BANK_CYCLES > from ? old + BANK_CYCLES : from);
}

/* Banks that are taken for longer than the sets tell. */
static cycles serve_late(struct bank_ports *p, uint64_t banks)
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

static cycles serve_set(struct bank_ports *p, uint64_t banks)
{
	cycles at = p->from;

	while (banks && at < p->from + BANK_CYCLES) {
		uint64_t *taken = &p->taken[at++ % BANK_CYCLES], others = banks & *taken;

		*taken |= banks;
		banks = others;
	}
	return banks ? serve_late(p, banks) : at - 1;
}

static __attribute__((noinline)) cycles queue_sets(
	struct bank_ports *p, const struct row_banks *rows, const uint64_t *more, uint32_t slot)
{
	uint64_t set = rows->first;
	cycles last = p->from;

	for (uint32_t i = 0;; i++) {
		cycles at = serve_set(p, banks_of_slot(set, slot));

		last = at > last ? at : last;
		if (i == rows->more)
			return last;
		set = more[rows->at + i];
	}
}

/* Most often a few rows share a bank with others, and are served in the cycle behind. */
cycles banks_queue(struct bank_ports *p, const struct row_banks *rows, const uint64_t *more, uint32_t slot)
{
	uint64_t banks = banks_of_slot(rows->first, slot), *taken = &p->taken[p->from % BANK_CYCLES];
	uint64_t others = banks & *taken, *next = &p->taken[(p->from + 1) % BANK_CYCLES];

	if (rows->more || others & *next)
		return queue_sets(p, rows, more, slot);
	*taken |= banks;
	*next |= others;
	return p->from + 1;
}
