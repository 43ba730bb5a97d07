/* frontend/lower/memory/lower_async.c -- asynchronous copies from global to shared memory, and mbarrier
 * objects.
 *
 * A copy's data lie in shared memory as soon as it issues (a program cannot look before it has waited); its
 * group waits, in time, for what it read. Bulk copies: lower_bulk.c. */
#include "frontend/lower/lower.h"
#include "frontend/lower/memory/mbarrier.h"

static void mark_modifiers(struct lower *l)
{
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}

/* ---- cp.async ---- */

static bool fits_offset(int64_t offset)
{
	return offset >= INT32_MIN && offset <= INT32_MAX;
}

static bool find_addresses(struct lower *l, struct address *to, struct address *from)
{
	struct ptx_insn one = *l->insn;
	const struct ptx_insn *whole = l->insn;
	bool found;

	found = lower_find_address(l, operand(l, 0), to);
	one.space = whole->space2;
	l->insn = &one;
	found = found && lower_find_address(l, operand(l, 1), from);
	l->insn = whole;
	if (found && (!fits_offset(to->offset) || !fits_offset(from->offset))) {
		lower_refuse(l, &whole->location, "an offset beyond 32 bits is not executed");
		return false;
	}
	return found;
}

static void lower_copy(struct lower *l)
{
	bool has_policy = has_modifier(l, PTX_MOD_L2_CACHE_HINT), negated = false;
	const struct ptx_operand *limit =
		operand(l, l->insn->operand_count > (has_policy ? 4 : 3) ? 3 : PTX_MAX_OPERANDS);
	ref bytes = REF_NONE, ignore = REF_NONE;
	struct address to, from;
	uint64_t size = 0;
	struct draft *d;

	if (!find_addresses(l, &to, &from) || !constant_operand(operand(l, 2), &size))
		return;
	if (limit->kind == PTX_OP_REG && l->vregs[source_register(l, limit)].bits == 0)
		ignore = predicate_source(l, limit, &negated);
	else if (limit->kind != PTX_OP_NONE)
		bytes = source(l, limit, 32, false);
	d = emit(l, UOP_CP_ASYNC);
	d->src[0] = from.base;
	d->src[1] = to.base;
	d->src[2] = bytes;
	d->src[3] = ignore;
	d->uop.imm = (int64_t)((uint64_t)(uint32_t)to.offset | (uint64_t)from.offset << 32);
	d->uop.space = SPACE_GLOBAL;
	d->uop.bytes = 4;
	d->uop.reg_bytes = 4;
	d->uop.vector = (uint8_t)(size / 4);
	d->uop.combine = has_modifier(l, PTX_MOD_CG) ? CACHE_CG : CACHE_CA;
	d->uop.mods = (uint8_t)((from.is_narrow ? MOD_SAT : 0) | (to.is_narrow ? MOD_HI : 0) |
		(negated ? MOD_NEGATE_C : 0));
	mark_modifiers(l);
}

static void emit_wait(struct lower *l, int64_t groups)
{
	emit(l, UOP_CP_WAIT)->uop.imm = groups;
}

static struct draft *emit_mbarrier(
	struct lower *l, unsigned code, unsigned operation, const struct address *a)
{
	struct draft *d = emit(l, code);

	d->src[0] = a->base;
	d->uop.imm = a->offset;
	d->uop.space = a->space;
	d->uop.bytes = 8;
	d->uop.reg_bytes = 4;
	d->uop.vector = 1;
	d->uop.compare = (uint8_t)operation;
	d->uop.mods = a->is_narrow ? MOD_SAT : 0;
	return d;
}

/* An arrival when the thread's copies have landed: the warp waits for them and then arrives. Without .noinc
 * the arrival is one that the object did not count on, so that nothing changes. */
static void lower_copy_arrive(struct lower *l)
{
	struct address address;

	if (!lower_find_address(l, operand(l, 0), &address))
		return;
	emit_wait(l, CP_WAIT_ALL);
	emit_mbarrier(
		l, UOP_MBARRIER, has_modifier(l, PTX_MOD_NOINC) ? MBARRIER_ARRIVE : MBARRIER_TOUCH, &address);
	mark_modifiers(l);
}

void lower_cp(struct lower *l)
{
	uint64_t groups = 0;

	if (!has_modifier(l, PTX_MOD_ASYNC) || has_modifier(l, PTX_MOD_BULK) ||
		has_modifier(l, PTX_MOD_REDUCE)) {
		lower_bulk(l);
	} else if (has_modifier(l, PTX_MOD_COMMIT_GROUP)) {
		emit(l, UOP_CP_COMMIT);
	} else if (has_modifier(l, PTX_MOD_WAIT_ALL)) {
		emit_wait(l, CP_WAIT_ALL);
	} else if (has_modifier(l, PTX_MOD_WAIT_GROUP)) {
		constant_operand(operand(l, 0), &groups);
		emit_wait(l, (uint32_t)groups);
	} else if (has_modifier(l, PTX_MOD_MBARRIER)) {
		lower_copy_arrive(l);
	} else {
		lower_copy(l);
	}
}

/* ---- mbarrier ---- */

static void lower_arrival(struct lower *l, bool drops)
{
	bool expects = has_modifier(l, PTX_MOD_EXPECT_TX);
	unsigned operation = expects ? (drops ? MBARRIER_DROP_EXPECT : MBARRIER_ARRIVE_EXPECT)
				     : (drops ? MBARRIER_DROP : MBARRIER_ARRIVE);
	ref to = operand(l, 0)->kind == PTX_OP_SINK ? REF_NONE : result(l, operand(l, 0), 64),
	    count = REF_NONE;
	struct address address;
	struct draft *d;

	if (!lower_find_address(l, operand(l, 1), &address))
		return;
	if (l->insn->operand_count > 2)
		count = source(l, operand(l, 2), 32, false);
	d = emit_mbarrier(l, UOP_MBARRIER, operation, &address);
	d->dst[0] = to;
	d->src[1] = count;
	d->uop.mods |= has_modifier(l, PTX_MOD_NOCOMPLETE) ? MOD_HI : 0;
	d->is_early = true;
}

static void lower_wait(struct lower *l)
{
	bool by_parity = has_modifier(l, PTX_MOD_PARITY);
	ref to = result(l, operand(l, 0), 0), time = REF_NONE, state;
	struct address address;
	struct draft *d;

	if (!lower_find_address(l, operand(l, 1), &address))
		return;
	state = source(l, operand(l, 2), by_parity ? 32 : 64, false);
	if (l->insn->operand_count > 3)
		time = source(l, operand(l, 3), 32, false);
	d = emit_mbarrier(l, UOP_MBARRIER_TEST, by_parity, &address);
	d->uop.reg_bytes = by_parity ? 4 : 8;
	d->dst[0] = to;
	d->src[1] = state;
	d->src[2] = time;
	d->uop.mods |= has_modifier(l, PTX_MOD_TRY_WAIT) ? MOD_SUSPENDS : 0;
}

/* The count's place in a state: frontend/lower/memory/mbarrier.h. */
static void lower_pending_count(struct lower *l)
{
	ref to = result(l, operand(l, 0), 32), state = source(l, operand(l, 1), 64, false),
	    low = new_vreg(l, 32);
	struct draft *d = emit(l, UOP_CVT_B32_B64);

	d->dst[0] = low;
	d->src[0] = state;
	d = emit(l, UOP_AND_B32);
	d->dst[0] = to;
	d->src[0] = low;
	d->src[1] = constant_ref(l, MBARRIER_COUNT_MOST, 32);
}

static void lower_update(struct lower *l)
{
	unsigned operation = has_modifier(l, PTX_MOD_INIT) ? MBARRIER_INIT
		: has_modifier(l, PTX_MOD_INVAL)           ? MBARRIER_INVAL
		: has_modifier(l, PTX_MOD_EXPECT_TX)       ? MBARRIER_EXPECT
							   : MBARRIER_COMPLETE;
	ref value = REF_NONE;
	struct address address;

	if (!lower_find_address(l, operand(l, 0), &address))
		return;
	if (l->insn->operand_count > 1)
		value = source(l, operand(l, 1), 32, false);
	emit_mbarrier(l, UOP_MBARRIER, operation, &address)->src[1] = value;
}

void lower_mbarrier(struct lower *l)
{
	if (has_modifier(l, PTX_MOD_ARRIVE) || has_modifier(l, PTX_MOD_ARRIVE_DROP))
		lower_arrival(l, has_modifier(l, PTX_MOD_ARRIVE_DROP));
	else if (has_modifier(l, PTX_MOD_TEST_WAIT) || has_modifier(l, PTX_MOD_TRY_WAIT))
		lower_wait(l);
	else if (has_modifier(l, PTX_MOD_PENDING_COUNT))
		lower_pending_count(l);
	else
		lower_update(l);
	mark_modifiers(l);
}
