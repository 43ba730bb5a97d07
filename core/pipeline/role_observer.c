/* core/pipeline/role_observer.c -- what warps do by their role: see role_observer.h. */
#include "core/pipeline/role_observer.h"
#include "core/issue/issue_table.h"
#include "core/issue/poll_loops.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/sm/issue_entry.h"
#include "core/sm/unit_port.h"
#include "sim/base/xalloc.h"
#include <string.h>

enum { DOES_COPIES = 1, DOES_PRODUCTS = 2, ROLES = 4 }; /* a role: what it does, or nothing */

/* Since the warp started or its cycles went to its role. */
struct observed_warp {
	uint64_t cycles[SLOT_COUNT];
	cycles issued; /* when it last did */
	uint64_t instructions;
	uint8_t role;
	bool is_known; /* it counts among the warps of its role */
};

struct role_observer {
	uint64_t sm_cycles, resident, tensor_capacity, tensor_busy, copy_busy, polls;
	uint64_t port_busy; /* tensor_busy but for products in tensor memory */
	uint64_t copying, byte_cycles, barrier_cycles;
	uint64_t other[SLOT_COUNT], producer[SLOT_COUNT], consumer[SLOT_COUNT], both[SLOT_COUNT];
	uint64_t warps[ROLES], instructions[ROLES];
	cycles until; /* counted up to here */
	struct observed_warp warp[MAX_WARPS];
};

static const char *const role_names[ROLES + 1] = { "other", "producer", "consumer", "both", NULL };

/* ---- statistics ---- */

static double tensor_utilisation(const void *object)
{
	const struct role_observer *o = object;

	return (double)o->tensor_busy / (double)o->tensor_capacity;
}

static double copy_occupancy(const void *object)
{
	const struct role_observer *o = object;

	return (double)o->copy_busy / (double)o->sm_cycles;
}

static double mbarriers(const void *object)
{
	const struct role_observer *o = object;

	return (double)o->barrier_cycles / (double)o->copying;
}

static double bytes_per_mbarrier(const void *object)
{
	const struct role_observer *o = object;

	return (double)o->byte_cycles / (double)o->barrier_cycles;
}

#define COUNT(field, unit, help)   SIM_COUNT(struct role_observer, field, unit, help)
#define STATES(field, help)        SIM_VECTOR(struct role_observer, field, slot_names, "cycles", help)
#define BY_ROLE(field, unit, help) SIM_VECTOR(struct role_observer, field, role_names, unit, help)

static const struct sim_stat role_observer_stats[] = {
	COUNT(sm_cycles, "cycles", "cycles in which kernels were under way, added up over SMs"),
	COUNT(resident, "cycles", "cycles in which the SM had warps"),
	COUNT(tensor_capacity, "cycles", "cycles of all tensor units while kernels were under way"),
	COUNT(tensor_busy, "cycles",
		"cycles for which products (mma, wgmma, tcgen05) occupied tensor units, added up over "
		"units; a pair's of CTAs at the SM that issues them"),
	SIM_FORMULA("tensor_utilisation", tensor_utilisation, "ratio",
		"share of the tensor units' cycles for which products occupied them; of the chip, or of an "
		"SM"),
	COUNT(copy_busy, "cycles", "cycles in which the unit of bulk copies was occupied by one"),
	SIM_FORMULA("copy_occupancy", copy_occupancy, "ratio",
		"share of the cycles in which the unit of bulk copies was occupied"),
	COUNT(copying, "cycles",
		"cycles in which bulk copies to shared memory were under way, from issue to landing"),
	COUNT(byte_cycles, "bytes", "their bytes, added up over these cycles"),
	COUNT(barrier_cycles, "cycles", "mbarriers that these copies tell, added up over these cycles"),
	SIM_FORMULA("mbarriers", mbarriers, "mbarriers",
		"mean number of mbarriers with bytes under way, while there are any"),
	SIM_FORMULA("bytes_per_mbarrier", bytes_per_mbarrier, "bytes",
		"mean number of bytes under way for an mbarrier that has some"),
	COUNT(polls, "instructions",
		"warp instructions of loops that ask whether a phase of an mbarrier is over"),
	BY_ROLE(warps, "warps",
		"warps by what they issue: bulk copies to shared memory (producer), matrix "
		"products (consumer), both, or neither"),
	BY_ROLE(instructions, "instructions", "their warp instructions"),
#define HELP(role) \
	"cycles of " role ", added up over warps, by what the warp did (issued), waited for, or was ready " \
	"for without issuing (not_selected)"
	STATES(producer, HELP("producers")),
	STATES(consumer, HELP("consumers")),
	STATES(both, HELP("warps that are both")),
	STATES(other, HELP("other warps")),
	SIM_STAT_END,
};

/* ---- warps ---- */

static uint64_t *cycles_of_role(struct role_observer *o, uint32_t role)
{
	uint64_t *const of[ROLES] = { o->other, o->producer, o->consumer, o->both };

	return of[role];
}

static void settle(struct role_observer *o, uint32_t slot)
{
	struct observed_warp *w = &o->warp[slot];
	uint64_t *role = cycles_of_role(o, w->role);

	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		role[i] += w->cycles[i];
	o->instructions[w->role] += w->instructions;
	o->warps[w->role] += !w->is_known;
	w->is_known = true;
	w->instructions = 0;
	memset(w->cycles, 0, sizeof(w->cycles));
}

void role_observer_ended(struct sm *sm, uint32_t slot)
{
	struct role_observer *o = sm->spec.role_observer;

	if (!o)
		return;
	settle(o, slot);
	o->warp[slot] = (struct observed_warp){ .issued = SIM_NEVER };
}

/* ---- time ---- */

static void pass_warps(struct sm *sm, cycles passed)
{
	warp_mask polling = sm->state.polls & sm->state.present
		? poll_loops_waiting(sm, sm->state.polls & sm->state.present)
		: 0;

	for (warp_mask m = sm->state.present; m; m &= m - 1) {
		uint32_t slot = (uint32_t)__builtin_ctzll(m);
		uint32_t cause = polling >> slot & 1 ? SLOT_phase : sm->state.timing[slot].cause;

		sm->spec.role_observer->warp[slot].cycles[cause == SLOT_issued ? SLOT_not_selected : cause] +=
			passed;
	}
}

/* Whether an earlier copy tells the same mbarrier. */
static bool is_told_before(const struct bulk_engine *engine, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (engine->flights[i].direction == BULK_TO_SHARED && !engine->flights[i].has_landed &&
			engine->flights[i].copy.shared == engine->flights[n].copy.shared &&
			engine->flights[i].copy.barrier == engine->flights[n].copy.barrier)
			return true;
	return false;
}

static void pass_copies(struct role_observer *o, const struct bulk_engine *engine, cycles passed)
{
	uint64_t bytes = 0, told = 0;

	for (uint32_t i = 0; i < engine->count; i++) {
		const struct bulk_flight *f = &engine->flights[i];

		if (f->direction != BULK_TO_SHARED || f->has_landed)
			continue;
		bytes += f->copy.bytes;
		told += !is_told_before(engine, i);
	}
	o->copying += told ? passed : 0;
	o->byte_cycles += bytes * passed;
	o->barrier_cycles += told * passed;
}

void role_observer_pass(struct sm *sm, cycles until)
{
	struct role_observer *o = sm->spec.role_observer;

	if (!o || until <= o->until)
		return;
	if (sm->state.present) {
		o->resident += until - o->until;
		pass_warps(sm, until - o->until);
		pass_copies(o, sm->state.bulk, until - o->until);
	}
	o->until = until;
}

static uint8_t role_by(const struct uop *u, const struct issue_entry *e)
{
	if (u->code == UOP_WGMMA || u->code == UOP_TCGEN05_MMA || u->latency_class == CLASS_MATRIX)
		return DOES_PRODUCTS;
	return e->unit == UNIT_LDST && u->code == UOP_BULK ? DOES_COPIES : 0;
}

void role_observer_issued(
	struct sm *sm, uint32_t slot, const struct uop *u, const struct issue_entry *e, cycles now)
{
	struct role_observer *o = sm->spec.role_observer;
	struct observed_warp *w;
	const struct kernel_run *run = sm->state.timing[slot].run;

	if (!o)
		return;
	w = &o->warp[slot];
	if (w->issued != now) {
		w->cycles[SLOT_not_selected]--;
		w->cycles[SLOT_issued]++;
		w->issued = now;
	}
	w->instructions++;
	w->role |= role_by(u, e);
	if (e->port == PORT_TENSOR && e->unit != UNIT_LDST && u->latency_class != CLASS_TENSOR_MEMORY)
		o->port_busy += e->interval;
	o->polls += run->issue->polls && run->issue->polls[u - run->uops];
}

/* ---- the observer ---- */

void role_observer_sync_stats(struct sm *sm, cycles until)
{
	struct role_observer *o = sm->spec.role_observer;
	uint64_t slots = 0;

	if (!o)
		return;
	role_observer_pass(sm, until);
	for (warp_mask m = sm->state.present; m; m &= m - 1)
		settle(o, (uint32_t)__builtin_ctzll(m));
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		slots += sm->stats.issue_slots[i];
	o->sm_cycles = slots / sm->spec.config->schedulers;
	o->tensor_capacity = o->sm_cycles * sm->spec.config->tensor.units;
	o->tensor_busy = o->port_busy + sm->state.bulk->tensor.busy * sm->spec.config->tensor.units;
	o->copy_busy = sm->stats.bulk_busy;
}

void role_observer_new(struct sm *sm, struct stat_tree *stats)
{
	struct role_observer *o = xcalloc(1, sizeof(*o));

	for (uint32_t i = 0; i < MAX_WARPS; i++)
		o->warp[i].issued = SIM_NEVER;
	sm->spec.role_observer = o;
	sm->spec.watches_warps = true;
	stat_register(stats, "observe.roles", sm->spec.number, role_observer_stats, o, sizeof(*o));
}

void role_observer_free(struct role_observer *observer)
{
	free(observer);
}
