/* frontend/lower/lower_barrier.c -- the CTA's barriers, and fences. */
#include "frontend/parse/form.h"
#include "frontend/lower/lower.h"

#define BARRIERS 16u

/* The barrier's number: in imm if it is constant, else in src[0]. */
static bool find_barrier(struct lower *l, uint32_t index, ref *barrier, uint64_t *id)
{
	const struct ptx_operand *o = operand(l, index);

	*barrier = REF_NONE;
	if (!constant_operand(o, id)) {
		*barrier = source(l, o, 32, false);
		*id = BARRIERS - 1;
	}
	if (*id >= BARRIERS) {
		lower_refuse(l, &o->location, "barrier %llu: there are 0 to 15", (unsigned long long)*id);
		return false;
	}
	if (*id + 1 > l->kernel->barriers)
		l->kernel->barriers = (uint32_t)*id + 1;
	return true;
}

/* Whether all threads of a warp must execute it together: bar, and barrier.aligned. */
static bool is_aligned(struct lower *l)
{
	return has_modifier(l, PTX_MOD_ALIGNED) || l->insn->opcode == PTX_BAR;
}

/* From sm_70 on threads arrive one by one, with .aligned or without: what differs is what a program may rely
 * on. */
static uint8_t counting(const struct lower *l)
{
	return l->module->sm >= 70 ? BARRIER_BY_PATH : BARRIER_BY_WARP;
}

static void lower_barrier_red(struct lower *l)
{
	bool popc = has_modifier(l, PTX_MOD_POPC), and = has_modifier(l, PTX_MOD_AND), negated;
	uint32_t last = l->insn->operand_count - 1u;
	ref to = result(l, operand(l, 0), popc ? 32 : 0), barrier, threads = REF_NONE, p;
	uint64_t id;
	struct draft *d;

	if (!popc && !and&&!has_modifier(l, PTX_MOD_OR)) {
		lower_refuse_form(l);
		return;
	}
	if (!find_barrier(l, 1, &barrier, &id))
		return;
	if (last > 2)
		threads = source(l, operand(l, 2), 32, false);
	p = predicate_source(l, operand(l, last), &negated);
	d = emit(l, UOP_BAR_RED);
	d->uop.combine = counting(l);
	d->uop.type = is_aligned(l);
	d->dst[0] = to;
	d->src[0] = barrier;
	d->src[1] = threads;
	d->src[2] = p;
	d->uop.imm = barrier == REF_NONE ? (int64_t)id : 0;
	d->uop.compare = popc ? 0 : and? 1 : 2;
	d->uop.mods = negated ? MOD_NEGATE_C : 0;
	d->is_early = true;
}

static struct draft *emit_membar(struct lower *l, int64_t level, bool empties_l1, uint8_t mods)
{
	struct draft *d = emit(l, UOP_MEMBAR);

	d->uop.imm = level;
	d->uop.combine = empties_l1;
	d->uop.mods = mods;
	return d;
}

/* barrier.cluster. ptxas has a MEMBAR of the GPU before an arrival that is not relaxed, and CCTL.IVALL, which
 * empties the L1, behind the wait (ptxas 13 for sm_90). */
static void lower_barrier_cluster(struct lower *l)
{
	static const uint16_t orders[] = { PTX_MOD_ACQUIRE, PTX_MOD_RELEASE, PTX_MOD_RELAXED };
	bool arrive = has_modifier(l, PTX_MOD_ARRIVE), wait = has_modifier(l, PTX_MOD_WAIT);
	struct draft *d;

	if (arrive == wait) {
		lower_refuse_form(l);
		return;
	}
	allow_modifiers(l, orders, sizeof orders / sizeof orders[0]);
	if (arrive && !has_modifier(l, PTX_MOD_RELAXED))
		emit_membar(l, 1, false, 0);
	d = emit(l, arrive ? UOP_CLUSTER_ARRIVE : UOP_CLUSTER_WAIT);
	d->uop.type = has_modifier(l, PTX_MOD_ALIGNED);
	if (wait)
		emit_membar(l, 1, true, MOD_ACQUIRE);
}

void lower_bar(struct lower *l)
{
	bool arrive, sync;
	ref barrier, threads = REF_NONE;
	uint64_t id;
	struct draft *d;

	if (has_modifier(l, PTX_MOD_WARP)) {
		lower_warp_sync(l);
		return;
	}
	if (has_modifier(l, PTX_MOD_CLUSTER)) {
		lower_barrier_cluster(l);
		return;
	}
	has_modifier(l, PTX_MOD_ALIGNED);
	has_modifier(l, PTX_MOD_CTA);
	sync = has_modifier(l, PTX_MOD_SYNC);
	if (has_modifier(l, PTX_MOD_RED)) {
		lower_barrier_red(l);
		return;
	}
	arrive = has_modifier(l, PTX_MOD_ARRIVE);
	if (arrive == sync || l->insn->operand_count < 1) {
		lower_refuse_form(l);
		return;
	}
	if (!find_barrier(l, 0, &barrier, &id))
		return;
	if (l->insn->operand_count > 1)
		threads = source(l, operand(l, 1), 32, false);
	d = emit(l, arrive ? UOP_BAR_ARRIVE : UOP_BAR_SYNC);
	d->uop.combine = counting(l);
	d->uop.type = is_aligned(l);
	d->src[0] = barrier;
	d->src[1] = threads;
	d->uop.imm = barrier == REF_NONE ? (int64_t)id : 0;
}

/* The level of a scope (uop.h). */
static int64_t scope_level(struct lower *l)
{
	return has_modifier(l, PTX_MOD_CTA) ? 0 : has_modifier(l, PTX_MOD_SYS) ? 2 : 1;
}

static bool is_wide(struct lower *l, uint16_t order)
{
	return (has_modifier(l, order) || has_modifier(l, PTX_MOD_ACQ_REL)) && !has_modifier(l, PTX_MOD_CTA);
}

/* ptxas has a MEMBAR before a release whose scope is wider than the CTA, and CCTL.IVALL, which empties the
 * L1, behind an acquire of global memory (ptxas 13 for sm_75, sm_80 and sm_90). */
void lower_release(struct lower *l)
{
	if (is_wide(l, PTX_MOD_RELEASE))
		emit_membar(l, scope_level(l), false, 0);
}

void lower_acquire(struct lower *l)
{
	if (is_wide(l, PTX_MOD_ACQUIRE))
		emit_membar(l, scope_level(l), true, MOD_ACQUIRE);
}

/* A fence of the async proxy for this CTA's shared memory is a MEMBAR of the CTA, whatever its scope; those
 * for global memory alone, for the initialisation of an mbarrier and an acquire of the cluster's shared
 * memory have none (ptxas 13 for sm_90) and count as one of the CTA. */
static int64_t fence_level(struct lower *l)
{
	bool is_narrow = l->insn->space == PTX_GLOBAL;

	is_narrow |= has_modifier(l, PTX_MOD_SHARED_CTA) | has_modifier(l, PTX_MOD_MBARRIER_INIT) |
		has_modifier(l, PTX_MOD_SYNC_RESTRICT_CTA) | has_modifier(l, PTX_MOD_SYNC_RESTRICT_CLUSTER);
	return is_narrow ? 0 : scope_level(l);
}

/* membar and fence: whatever order they ask for, they wait for the warp's own stores. Without a proxy other
 * than the generic one there is nothing more for the proxy forms to do: a tensor map is read when a copy
 * issues. */
void lower_membar(struct lower *l)
{
	static const uint16_t known[] = { PTX_MOD_SC, PTX_MOD_ACQ_REL, PTX_MOD_PROXY, PTX_MOD_ALIAS,
		PTX_MOD_SHARED_CLUSTER, PTX_MOD_GL, PTX_MOD_GPU, PTX_MOD_CLUSTER, PTX_MOD_TENSORMAP_GENERIC };
	int64_t level = fence_level(l);
	bool releases = has_modifier(l, PTX_MOD_RELEASE), acquires = has_modifier(l, PTX_MOD_ACQUIRE),
	     is_async = has_modifier(l, PTX_MOD_ASYNC) | has_modifier(l, PTX_MOD_ASYNC_GENERIC);

	allow_modifiers(l, known, sizeof known / sizeof known[0]);
	/* ptxas has no CCTL.IVALL, which empties the L1, behind a release and the async proxy's */
	emit_membar(l, level, level && !releases && !is_async, acquires ? MOD_ACQUIRE : 0)->uop.compare =
		is_async;
}
