/* core/sm/collector.h -- operand collectors over the banked register file, the execution units behind
 * them, and the result buses.
 *
 * After the operand collector of Lindholm et al. (US patent 7834881) as GPGPU-Sim 3.x models it for Fermi:
 * an issued instruction takes a collector of its unit, which requests its source rows from the banks. Row r
 * of the warp in slot s lies in bank (r + s) mod banks, and a bank delivers one row a cycle, first come,
 * first served. With all operands the instruction goes to a copy of the unit that can accept it, and leaves
 * the collector. A result takes a result bus in the cycle in which it is due, and the write port of its
 * bank.
 *
 * Nothing here ticks: since banks, units and buses serve in order of arrival, each records only when it
 * becomes free (a unit: a short calendar, in which a later instruction may use an earlier gap), and every
 * delay is known at issue.
 *
 * With sm.sub_cores each scheduler has collectors and units of its own, as from Volta on, so that what waits
 * for a unit of one scheduler keeps no other from issuing; the load/store unit, the banks and the result
 * buses are the SM's. */
#ifndef CORE_SM_COLLECTOR_H
#define CORE_SM_COLLECTOR_H

#include "core/sm/register_banks.h"
#include "core/sm/unit_port.h"
#include "core/sm/sm_config.h"

#define MAX_COLLECTORS 16
#define UNIT_CALENDAR  64 /* cycles */

/* When the copies of a unit start instructions. */
struct unit_ports {
	cycles base;
	cycles until_most; /* of all copies */
	struct unit_port {
		uint64_t busy; /* bit i: cycle base + i */
		cycles until; /* at least the first cycle behind everything that is too long for these bits */
	} copy[MAX_UNIT_COPIES];
} __attribute__((aligned(64)));

struct collector {
	cycles collected; /* its operands are there */
	cycles free;      /* it can take the next instruction */
};

struct collectors {
	cycles next_free[UNIT_COUNT]; /* of the unit's collectors: not after now if one is free, else the
					 earliest ... */
	uint8_t next[UNIT_COUNT];     /* ... and which */
	uint8_t count[UNIT_COUNT], copies[PORT_COUNT];
	struct bank_ports *results; /* the ports through which results go: `write`, or `read` */
	struct bank_ports read, write;
	struct unit_ports units[PORT_COUNT];
	struct collector entries[UNIT_COUNT][MAX_COLLECTORS];
};

void collectors_init(struct collectors *c, const struct sm_config *config);
/* Those of one scheduler, with sm.sub_cores: its share of the units. */
void collectors_init_sub_core(struct collectors *c, const struct sm_config *config);
/* A collector of the unit can take an instruction now. */
static inline bool collector_is_free(const struct collectors *c, uint32_t unit, cycles now)
{
	return c->next_free[unit] <= now;
}
/* Why none can: the first operands that are complete wait for the unit (true), or no operands are complete.
 */
bool collectors_wait_for_unit(const struct collectors *c, uint32_t unit, cycles now);
/* collector.c: copies of a unit as they stand in cycle now; the copy that can start first, none can at once.
 */
void unit_go_on_far(struct unit_ports *p, uint32_t copies, cycles now);
cycles unit_await(struct unit_ports *p, uint32_t copies, cycles earliest, uint32_t interval);
static inline void unit_go_on(struct unit_ports *p, uint32_t copies, cycles now)
{
	cycles by = now - p->base;

	if (__builtin_expect(by >= UNIT_CALENDAR || p->until_most > now, 0)) {
		unit_go_on_far(p, copies, now);
		return;
	}
	p->base = now;
	for (uint32_t i = 0; i < copies; i++)
		p->copy[i].busy >>= by;
}
/* The unit starts an instruction, whose operands are there in cycle `collected`, as soon as one of its copies
 * can. */
static inline cycles collector_unit(
	struct collectors *c, const struct issue_entry *e, cycles collected, cycles now)
{
	struct unit_ports *p = &c->units[e->port];
	uint32_t copies = c->copies[e->port];
	uint64_t wanted = e->interval_bits << ((collected - now) % UNIT_CALENDAR);

	if (p->base != now)
		unit_go_on(p, copies, now);
	if (__builtin_expect(collected - now + e->interval > UNIT_CALENDAR, 0))
		return unit_await(p, copies, collected, e->interval);
	for (uint32_t i = 0; i < copies; i++)
		if (!(p->copy[i].busy & wanted)) {
			p->copy[i].busy |= wanted;
			return collected;
		}
	return unit_await(p, copies, collected, e->interval);
}
/* collector.c: no collector but the one used last is free, or one is, farther from it. */
void collector_look(struct collectors *c, uint32_t unit, cycles now);
/* One of the unit's collectors that are free now, looked for from the one behind the one taken last, or else
 * the one that is free first, takes the next instruction. The one taken last is not free now. */
static inline void collector_renew(struct collectors *c, uint32_t unit, cycles now)
{
	uint32_t next = c->next[unit] + 1u == c->count[unit] ? 0 : c->next[unit] + 1u;

	if (__builtin_expect(c->entries[unit][next].free > now, 0)) {
		collector_look(c, unit, now);
		return;
	}
	c->next[unit] = (uint8_t)next;
	c->next_free[unit] = now;
}

#endif
