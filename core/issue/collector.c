/* core/issue/collector.c -- operand collectors and the ports of the units behind them. */
#include "core/issue/collector.h"
#include <string.h>

#define CALENDAR 64 /* cycles */

void collectors_init(struct collectors *c, const struct sm_config *config)
{
	memset(c, 0, sizeof(*c));
	c->count[UNIT_SP] = (uint8_t)config->sp_collectors;
	c->count[UNIT_SFU] = (uint8_t)config->sfu_collectors;
	c->count[UNIT_DP] = (uint8_t)config->dp_collectors;
	c->count[UNIT_LDST] = (uint8_t)config->ldst_collectors;
	c->copies[UNIT_SP] = (uint8_t)config->sp_units;
	c->copies[UNIT_SFU] = (uint8_t)config->sfu_units;
	c->copies[UNIT_DP] = (uint8_t)config->dp_units;
	c->copies[UNIT_LDST] = 1;
	c->has_write_port = config->register_write_port;
}

bool collectors_wait_for_unit(const struct collectors *c, uint32_t unit, cycles now)
{
	for (uint32_t i = 0; i < c->count[unit]; i++)
		if (c->entries[unit][i].collected <= now)
			return true;
	return false;
}

/* ---- units ---- */

static uint64_t first_bits(uint32_t count)
{
	return count < CALENDAR ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* Cycles that are taken because of `until`, in the calendar. */
static void mark_until(struct unit_ports *p, uint32_t copy)
{
	if (p->copy[copy].until <= p->base)
		return;
	p->copy[copy].busy |= first_bits(p->copy[copy].until - p->base < CALENDAR
			? (uint32_t)(p->copy[copy].until - p->base)
			: CALENDAR);
	p->until_most = p->copy[copy].until > p->until_most ? p->copy[copy].until : p->until_most;
}

static __attribute__((noinline)) void mark_all(struct unit_ports *p, uint32_t copies)
{
	for (uint32_t i = 0; i < copies; i++)
		mark_until(p, i);
}

static inline void go_on(struct unit_ports *p, uint32_t copies, cycles now)
{
	cycles by = now - p->base;

	p->base = now;
	for (uint32_t i = 0; i < copies; i++)
		p->copy[i].busy = by < CALENDAR ? p->copy[i].busy >> by : 0;
	if (__builtin_expect(p->until_most > now, 0))
		mark_all(p, copies);
}

/* The first cycle from `earliest` on in which the copy can start an instruction that keeps it for `interval`
 * cycles. */
static cycles unit_slot(const struct unit_ports *p, uint32_t copy, cycles earliest, uint32_t interval)
{
	uint64_t wanted = first_bits(interval), busy;
	cycles at = earliest > p->copy[copy].until ? earliest : p->copy[copy].until;

	if (at - p->base >= CALENDAR)
		return at;
	for (busy = p->copy[copy].busy >> (at - p->base); busy & wanted; busy >>= 1)
		at++;
	return at;
}

static void unit_keep(struct unit_ports *p, uint32_t copy, cycles start, uint32_t interval)
{
	uint64_t at = start - p->base;

	if (at + interval > CALENDAR)
		p->copy[copy].until = start + interval;
	else
		p->copy[copy].busy |= first_bits(interval) << at;
	mark_until(p, copy);
}

/* The copy that can start first, the lowest of equals; none can at once. */
static __attribute__((noinline)) cycles unit_await(
	struct unit_ports *p, uint32_t copies, cycles earliest, uint32_t interval)
{
	cycles start = SIM_NEVER;
	uint32_t best = 0;

	for (uint32_t i = 0; i < copies; i++) {
		cycles at = unit_slot(p, i, earliest, interval);

		if (at < start) {
			start = at;
			best = i;
		}
	}
	unit_keep(p, best, start, interval);
	return start;
}

cycles collector_unit(struct collectors *c, const struct issue_entry *e, cycles collected, cycles now)
{
	struct unit_ports *p = &c->units[e->unit];
	uint32_t copies = c->copies[e->unit];
	uint64_t wanted = e->interval_bits << ((collected - now) % CALENDAR);

	if (p->base != now)
		go_on(p, copies, now);
	if (__builtin_expect(collected - now + e->interval > CALENDAR, 0))
		return unit_await(p, copies, collected, e->interval);
	for (uint32_t i = 0; i < copies; i++)
		if (!(p->copy[i].busy & wanted)) {
			p->copy[i].busy |= wanted;
			return collected;
		}
	return unit_await(p, copies, collected, e->interval);
}

/* ---- collectors ---- */

void collector_look(struct collectors *c, uint32_t unit, cycles now)
{
	const struct collector *e = c->entries[unit];
	uint32_t count = c->count[unit], first = c->next[unit];

	for (uint32_t i = 0, at = first; i < count; i++) {
		at = at + 1 == count ? 0 : at + 1;
		if (e[at].free < e[first].free)
			first = at;
		if (e[first].free <= now)
			break;
	}
	c->next[unit] = (uint8_t)first;
	c->next_free[unit] = e[first].free;
}
