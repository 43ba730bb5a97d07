/* core/sm/collector.c -- operand collectors and the ports of the units behind them. */
#include "core/sm/collector.h"
#include <string.h>

void collectors_init(struct collectors *c, const struct sm_config *config)
{
	memset(c, 0, sizeof(*c));
	c->count[UNIT_SP] = (uint8_t)config->sp_collectors;
	c->count[UNIT_SFU] = (uint8_t)config->sfu_collectors;
	c->count[UNIT_DP] = (uint8_t)config->dp_collectors;
	c->count[UNIT_LDST] = (uint8_t)config->ldst_collectors;
	c->copies[PORT_SP] = (uint8_t)config->sp_units;
	c->copies[PORT_SFU] = (uint8_t)config->sfu_units;
	c->copies[PORT_DP] = (uint8_t)config->dp_units;
	c->copies[PORT_INT] = (uint8_t)config->int_units;
	c->copies[PORT_TENSOR] = (uint8_t)config->tensor.units;
	c->results = config->register_write_port ? &c->write : &c->read;
}

void collectors_init_sub_core(struct collectors *c, const struct sm_config *config)
{
	collectors_init(c, config);
	for (uint32_t i = 0; i < PORT_COUNT; i++)
		c->copies[i] =
			(uint8_t)(c->copies[i] > config->schedulers ? c->copies[i] / config->schedulers : 1);
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
	return count < UNIT_CALENDAR ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
}

/* Cycles that are taken because of `until`, in the calendar. */
static void mark_until(struct unit_ports *p, uint32_t copy)
{
	if (p->copy[copy].until <= p->base)
		return;
	p->copy[copy].busy |= first_bits(p->copy[copy].until - p->base < UNIT_CALENDAR
			? (uint32_t)(p->copy[copy].until - p->base)
			: UNIT_CALENDAR);
	p->until_most = p->copy[copy].until > p->until_most ? p->copy[copy].until : p->until_most;
}

static void mark_all(struct unit_ports *p, uint32_t copies)
{
	for (uint32_t i = 0; i < copies; i++)
		mark_until(p, i);
}

void unit_go_on_far(struct unit_ports *p, uint32_t copies, cycles now)
{
	cycles by = now - p->base;

	p->base = now;
	for (uint32_t i = 0; i < copies; i++)
		p->copy[i].busy = by < UNIT_CALENDAR ? p->copy[i].busy >> by : 0;
	if (p->until_most > now)
		mark_all(p, copies);
}

/* The first cycle from `earliest` on in which the copy can start an instruction that keeps it for `interval`
 * cycles. */
static cycles unit_slot(const struct unit_ports *p, uint32_t copy, cycles earliest, uint32_t interval)
{
	uint64_t wanted = first_bits(interval), busy;
	cycles at = earliest > p->copy[copy].until ? earliest : p->copy[copy].until;

	if (at - p->base >= UNIT_CALENDAR)
		return at;
	for (busy = p->copy[copy].busy >> (at - p->base); busy & wanted; busy >>= 1)
		at++;
	return at;
}

static void unit_keep(struct unit_ports *p, uint32_t copy, cycles start, uint32_t interval)
{
	uint64_t at = start - p->base;

	if (at + interval > UNIT_CALENDAR)
		p->copy[copy].until = start + interval;
	else
		p->copy[copy].busy |= first_bits(interval) << at;
	mark_until(p, copy);
}

/* Of equals the lowest. */
cycles unit_await(struct unit_ports *p, uint32_t copies, cycles earliest, uint32_t interval)
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
