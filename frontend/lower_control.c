/* frontend/lower_control.c -- branches, barriers, fences, and what the threads of a warp tell each other. */
#include "frontend/lower.h"

#define BARRIERS 16u

/* The target stays an instruction's index until assemble() knows all micro-operations. */
void lower_bra(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	struct draft *d;

	if (to->kind != PTX_OP_LABEL || !to->label) {
		lower_refuse_form(l);
		return;
	}
	d = emit(l, UOP_BRA);
	d->uop.target = to->label->target;
	if (has_modifier(l, PTX_MOD_UNI))
		d->uop.flags |= UOP_BRANCH_UNI;
}

/* The targets stay instructions' indices as well. */
void lower_brx(struct lower *l)
{
	const struct ptx_operand *list = operand(l, 1);
	struct unit *u = &l->units[l->unit];
	uint32_t first = u->target_count;
	ref index;
	struct draft *d;

	has_modifier(l, PTX_MOD_IDX);
	has_modifier(l, PTX_MOD_UNI);
	if (list->kind != PTX_OP_LABEL || !list->label->target_labels) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t t = 0; t < list->label->target_count; t++) {
		u->targets = arena_grow(l->scratch, u->targets, u->target_count, sizeof *u->targets);
		u->targets[u->target_count++] = list->label->target_labels[t]->target;
	}
	index = source(l, operand(l, 0), 32, false);
	d = emit(l, UOP_BRX);
	d->src[0] = index;
	d->uop.imm = first;
	d->uop.target = list->label->target_count;
}

void lower_exit(struct lower *l)
{
	emit(l, UOP_EXIT);
}

void lower_trap(struct lower *l)
{
	emit(l, UOP_TRAP);
}

void lower_nop(struct lower *l)
{
	has_modifier(l, PTX_MOD_MASK);
	emit(l, UOP_NOP);
}

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
		lower_refuse(l, &o->place, "barrier %llu: there are 0 to 15", (unsigned long long)*id);
		return false;
	}
	if (*id + 1 > l->kernel->barriers)
		l->kernel->barriers = (uint32_t)*id + 1;
	return true;
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
	d->dst[0] = to;
	d->src[0] = barrier;
	d->src[1] = threads;
	d->src[2] = p;
	d->uop.imm = barrier == REF_NONE ? (int64_t)id : 0;
	d->uop.compare = popc ? 0 : and? 1 : 2;
	d->uop.mods = negated ? MOD_NEGATE_C : 0;
	d->is_early = true;
}

void lower_bar(struct lower *l)
{
	bool arrive, sync;
	ref barrier, threads = REF_NONE;
	uint64_t id;
	struct draft *d;

	has_modifier(l, PTX_MOD_ALIGNED);
	has_modifier(l, PTX_MOD_CTA);
	sync = has_modifier(l, PTX_MOD_SYNC);
	if (has_modifier(l, PTX_MOD_WARP)) { /* a warp's threads run in step */
		emit(l, UOP_NOP);
		return;
	}
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
	d->src[0] = barrier;
	d->src[1] = threads;
	d->uop.imm = barrier == REF_NONE ? (int64_t)id : 0;
}

/* membar and fence: sc, acq_rel and the rest all wait for the warp's own stores. */
void lower_membar(struct lower *l)
{
	static const uint16_t orders[] = { PTX_MOD_SC, PTX_MOD_ACQ_REL, PTX_MOD_ACQUIRE, PTX_MOD_RELEASE };
	int64_t level = 1;
	struct draft *d;

	allow_modifiers(l, orders, 4);
	if (has_modifier(l, PTX_MOD_CTA))
		level = 0;
	if (has_modifier(l, PTX_MOD_SYS))
		level = 2;
	has_modifier(l, PTX_MOD_GL);
	has_modifier(l, PTX_MOD_GPU);
	d = emit(l, UOP_MEMBAR);
	d->uop.imm = level;
}

/* The .sync forms name the lanes that take part; those are the active ones (others may not execute it). */
void lower_vote(struct lower *l)
{
	static const struct {
		uint16_t modifier, code;
	} modes[] = { { PTX_MOD_ALL, UOP_VOTE_ALL }, { PTX_MOD_ANY, UOP_VOTE_ANY },
		{ PTX_MOD_UNI, UOP_VOTE_UNI }, { PTX_MOD_BALLOT, UOP_VOTE_BALLOT } };
	unsigned code = 0;
	bool negated;
	ref to, p;
	struct draft *d;

	has_modifier(l, PTX_MOD_SYNC);
	for (size_t i = 0; i < 4; i++)
		if (has_modifier(l, modes[i].modifier))
			code = modes[i].code;
	if (!code) {
		lower_refuse_form(l);
		return;
	}
	to = result(l, operand(l, 0), code == UOP_VOTE_BALLOT ? 32 : 0);
	p = predicate_source(l, operand(l, 1), &negated);
	d = emit(l, code);
	d->dst[0] = to;
	d->src[0] = p;
	d->uop.mods = negated ? MOD_NEGATE_C : 0;
}

void lower_shfl(struct lower *l)
{
	static const uint16_t modes[] = { PTX_MOD_UP, PTX_MOD_DOWN, PTX_MOD_BFLY, PTX_MOD_IDX };
	const struct ptx_operand *to = operand(l, 0);
	bool is_pair = to->kind == PTX_OP_PAIR;
	ref d0 = result(l, is_pair ? &to->elements[0] : to, 32), a, b, c;
	ref p = is_pair ? destination(l, &to->elements[1]) : REF_NONE;
	struct draft *d;

	a = source(l, operand(l, 1), 32, true);
	b = source(l, operand(l, 2), 32, false);
	c = source(l, operand(l, 3), 32, false);
	d = emit(l, UOP_SHFL);
	d->dst[0] = d0;
	d->dst[1] = p;
	d->src[0] = a;
	d->src[1] = b;
	d->src[2] = c;
	d->is_early = true;
	has_modifier(l, PTX_MOD_SYNC);
	for (uint32_t i = 0; i < 4; i++)
		if (has_modifier(l, modes[i]))
			d->uop.imm = i;
}

void lower_activemask(struct lower *l)
{
	ref to = result(l, operand(l, 0), 32);

	emit(l, UOP_ACTIVEMASK)->dst[0] = to;
}
