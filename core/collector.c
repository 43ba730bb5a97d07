/* core/collector.c -- operand collectors, register banks, unit ports, result buses. */
#include "core/collector.h"
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
}

bool collectors_wait_for_unit(const struct collectors *c, uint32_t unit, cycles now)
{
	for (uint32_t i = 0; i < c->count[unit]; i++)
		if (c->entries[unit][i].collected <= now)
			return true;
	return false;
}

/* ---- banks ---- */

static uint32_t bank_of(const struct sm *sm, uint32_t row, uint32_t slot)
{
	return (row + slot) & (sm->config->register_banks - 1);
}

/* The cycle in which the last of the source rows is there. */
static cycles read_operands(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const struct operand_rows *o = &run->operands[uop];
	const uint16_t *row = run->operand_row + o->first;
	cycles last = now + 1;

	for (uint32_t i = 0; i < o->reads; i++) {
		cycles *free = &sm->collectors.read_free[bank_of(sm, row[i], slot)];
		cycles at = *free > now + 1 ? *free : now + 1;

		*free = at + 1;
		last = at > last ? at : last;
	}
	sm->stats.bank_conflict_cycles += last - (now + 1);
	return last;
}

cycles collector_write(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const struct operand_rows *o = &run->operands[uop];
	const uint16_t *row = run->operand_row + o->first + o->reads;
	cycles *frees = sm->config->register_write_port ? sm->collectors.write_free : sm->collectors.read_free;
	cycles last = now;

	for (uint32_t i = 0; i < o->writes; i++) {
		cycles *free = &frees[bank_of(sm, row[i], slot)];
		cycles at = *free > now ? *free : now;

		*free = at + 1;
		last = at > last ? at : last;
	}
	sm->stats.write_conflict_cycles += last - now;
	return last;
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
	uint32_t at, used = p->busy ? CALENDAR - (uint32_t)__builtin_clzll(p->busy) : 0;
	uint64_t wanted = interval < CALENDAR ? (UINT64_C(1) << interval) - 1 : ~UINT64_C(0);

	if (earliest < p->until)
		earliest = p->until;
	for (at = (uint32_t)(earliest - p->base); at < used; at++)
		if (!(p->busy >> at & wanted))
			return p->base + at;
	return p->base + at;
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

static void renew_next_free(struct collectors *c, uint32_t unit)
{
	cycles least = c->entries[unit][0].free;

	for (uint32_t i = 1; i < c->count[unit]; i++)
		if (c->entries[unit][i].free < least)
			least = c->entries[unit][i].free;
	c->next_free[unit] = least;
}

cycles collector_take(struct sm *sm, uint32_t slot, uint32_t uop, cycles now)
{
	struct collectors *c = &sm->collectors;
	const struct uop *u = &sm->warps[slot].cta->run->uops[uop];
	struct collector *e = c->entries[u->unit];
	cycles start;

	while (e->free > now)
		e++;
	e->collected = read_operands(sm, slot, uop, now);
	start = u->unit == UNIT_LDST ? e->collected
				     : unit_take(c, u->unit, e->collected, sm->config->interval[u->latency_class], now);
	e->free = start;
	renew_next_free(c, u->unit);
	return start;
}

/* ---- result buses ---- */

cycles result_bus_take(struct sm *sm, cycles due)
{
	while (sm->bus_taken[due & (WHEEL_SIZE - 1)] >= sm->config->result_buses) {
		due++;
		sm->stats.result_bus_cycles++;
	}
	sm->bus_taken[due & (WHEEL_SIZE - 1)]++;
	return due;
}
