/* core/collector.c -- operand collectors and the ports of the units behind them. */
#include "core/collector.h"
#include "core/banks.h"
#include "core/sm.h"
#include <string.h>

#define CALENDAR 64 /* cycles */

void collectors_init(struct collectors *c, const struct sm_config *config)
{
	const uint32_t counts[UNIT_COUNT] = { [UNIT_SP] = config->sp_collectors,
		[UNIT_SFU] = config->sfu_collectors,
		[UNIT_DP] = config->dp_collectors,
		[UNIT_LDST] = config->ldst_collectors };
	const uint32_t copies[UNIT_COUNT] = { [UNIT_SP] = config->sp_units,
		[UNIT_SFU] = config->sfu_units,
		[UNIT_DP] = config->dp_units,
		[UNIT_LDST] = 1 };

	memset(c, 0, sizeof(*c));
	memcpy(c->count, counts, sizeof(counts));
	memcpy(c->copies, copies, sizeof(copies));
	c->bank_mask = config->register_banks - 1;
}

bool collectors_wait_for_unit(const struct collectors *c, uint32_t unit, cycles now)
{
	for (uint32_t i = 0; i < c->count[unit]; i++)
		if (c->entries[unit][i].collected <= now)
			return true;
	return false;
}

/* ---- units ---- */

static void advance(struct unit_port *p, cycles now)
{
	cycles by = now - p->base;

	p->busy = by < CALENDAR ? p->busy >> by : 0;
	p->base = now;
}

/* The first cycle from `earliest` on in which the copy can start an instruction that keeps it for `interval` cycles. */
static cycles unit_slot(const struct unit_port *p, cycles earliest, uint32_t interval)
{
	uint64_t wanted = interval < CALENDAR ? (UINT64_C(1) << interval) - 1 : ~UINT64_C(0), busy;
	cycles at = earliest > p->until ? earliest : p->until;

	if (at - p->base >= CALENDAR)
		return at;
	for (busy = p->busy >> (at - p->base); busy & wanted; busy >>= 1)
		at++;
	return at;
}

static void unit_keep(struct unit_port *p, cycles start, uint32_t interval)
{
	uint64_t at = start - p->base;

	if (at + interval > CALENDAR)
		p->until = start + interval;
	else
		p->busy |= ((interval < CALENDAR ? UINT64_C(1) << interval : 0) - 1) << at;
}

/* The copy that can start first, the lowest of equals. */
static cycles unit_take(struct collectors *c, uint32_t unit, cycles earliest, uint32_t interval, cycles now)
{
	struct unit_port *best = NULL;
	cycles start = SIM_NEVER;

	for (uint32_t i = 0; i < c->copies[unit] && start > earliest; i++) {
		struct unit_port *p = &c->units[unit][i];
		cycles at;

		if (p->base != now)
			advance(p, now);
		at = unit_slot(p, earliest, interval);
		if (at < start) {
			start = at;
			best = p;
		}
	}
	unit_keep(best, start, interval);
	return start;
}

/* ---- collectors ---- */

/* One of the unit's collectors that are free now, looked for from the one behind the one taken last, or else the one that
 * is free first, takes the next instruction. */
static inline void renew_next(struct collectors *c, uint32_t unit, cycles now)
{
	const struct collector *e = c->entries[unit];
	uint32_t count = c->count[unit], first = c->next[unit];

	for (uint32_t i = 0, at = first; i < count; i++) {
		at = at + 1 < count ? at + 1 : 0;
		if (e[at].free < e[first].free)
			first = at;
		if (e[first].free <= now)
			break;
	}
	c->next[unit] = (uint8_t)first;
	c->next_free[unit] = e[first].free;
}

cycles collector_take(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct collectors *c = &sm->collectors;
	const struct kernel_run *run = sm->timing[slot].run;
	const struct uop *u = &run->uops[uop];
	const struct operand_rows *o = &run->operands[uop];
	struct collector *e = &c->entries[u->unit][c->next[u->unit]];
	cycles start = banks_serve(c->read_free, c->bank_mask, run->operand_row + o->first, o->reads, slot, now + 1);

	sm->stats.bank_conflict_cycles += start - (now + 1);
	e->collected = start;
	if (u->unit != UNIT_LDST)
		start = unit_take(c, u->unit, start, sm->config->interval[u->latency_class], now);
	e->free = start;
	renew_next(c, u->unit, now);
	return start;
}
