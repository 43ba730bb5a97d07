/* frontend/lower/lower_warp.c -- what the threads of a warp tell each other: vote, shuffle, match, reduce,
 * elect.
 */
#include "frontend/lower/lower.h"

/* The mask of the .sync forms, which name the lanes that take part; without .sync those that execute do. A
 * mask of all lanes needs no operand. */
struct members {
	enum uop_members kind;
	ref mask;
};

static struct members find_members(struct lower *l, uint32_t index)
{
	struct members m = { MEMBERS_EXECUTING, REF_NONE };
	uint64_t value;

	if (!has_modifier(l, PTX_MOD_SYNC))
		return m;
	if (constant_operand(operand(l, index), &value) && (uint32_t)value == UINT32_MAX) {
		m.kind = MEMBERS_ALL;
		return m;
	}
	m.kind = MEMBERS_MASK;
	m.mask = source(l, operand(l, index), 32, false);
	return m;
}

static struct draft *emit_with(struct lower *l, unsigned code, struct members m, uint32_t source_index)
{
	struct draft *d = emit(l, code);

	d->uop.combine = (uint8_t)m.kind;
	d->src[source_index] = m.mask;
	return d;
}

/* d or d|p: the first result, at most 32 bits wide, and the predicate; either may be a sink. */
static void find_results(struct lower *l, ref *value, ref *predicate)
{
	const struct ptx_operand *to = operand(l, 0);
	bool is_pair = to->kind == PTX_OP_PAIR;
	const struct ptx_operand *first = is_pair ? &to->elements[0] : to;

	*value = first->kind == PTX_OP_SINK ? REF_NONE : result(l, first, 32);
	*predicate = is_pair ? destination(l, &to->elements[1]) : REF_NONE;
}

void lower_vote(struct lower *l)
{
	static const struct {
		uint16_t modifier, code;
	} modes[] = { { PTX_MOD_ALL, UOP_VOTE_ALL }, { PTX_MOD_ANY, UOP_VOTE_ANY },
		{ PTX_MOD_UNI, UOP_VOTE_UNI }, { PTX_MOD_BALLOT, UOP_VOTE_BALLOT } };
	bool is_ballot = l->insn->types[0] == PTX_B32, negated;
	unsigned code = 0;
	struct members m;
	struct draft *d;
	ref to, p;

	for (size_t i = 0; i < 4; i++)
		if (has_modifier(l, modes[i].modifier))
			code = modes[i].code;
	if (!code || is_ballot != (code == UOP_VOTE_BALLOT)) {
		lower_refuse_form(l);
		return;
	}
	m = find_members(l, 2);
	to = result(l, operand(l, 0), is_ballot ? 32 : 0);
	p = predicate_source(l, operand(l, 1), &negated);
	d = emit_with(l, code, m, 1);
	d->dst[0] = to;
	d->src[0] = p;
	d->uop.mods = negated ? MOD_NEGATE_C : 0;
}

void lower_shfl(struct lower *l)
{
	static const uint16_t modes[] = { PTX_MOD_UP, PTX_MOD_DOWN, PTX_MOD_BFLY, PTX_MOD_IDX };
	ref value, p, a, b, c;
	struct members m = find_members(l, 4);
	struct draft *d;

	find_results(l, &value, &p);
	a = source(l, operand(l, 1), 32, true);
	b = source(l, operand(l, 2), 32, false);
	c = source(l, operand(l, 3), 32, false);
	d = emit_with(l, UOP_SHFL, m, 3);
	d->dst[0] = value;
	d->dst[1] = p;
	d->src[0] = a;
	d->src[1] = b;
	d->src[2] = c;
	d->is_early = true;
	for (uint32_t i = 0; i < 4; i++)
		if (has_modifier(l, modes[i]))
			d->uop.imm = i;
}

void lower_activemask(struct lower *l)
{
	ref to = result(l, operand(l, 0), 32);

	emit(l, UOP_ACTIVEMASK)->dst[0] = to;
}

void lower_match(struct lower *l)
{
	bool is_all = has_modifier(l, PTX_MOD_ALL), is_any = has_modifier(l, PTX_MOD_ANY);
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	struct members m = find_members(l, 2);
	struct draft *d;
	ref to, p, a;

	find_results(l, &to, &p);
	if (is_all == is_any || m.kind == MEMBERS_EXECUTING || (is_any && p != REF_NONE)) {
		lower_refuse_form(l);
		return;
	}
	if (is_any && to == REF_NONE)
		to = new_vreg(l, 32);
	a = source(l, operand(l, 1), bits, false);
	d = emit_with(l,
		is_all               ? bits == 64 ? UOP_MATCH_ALL_B64 : UOP_MATCH_ALL_B32
			: bits == 64 ? UOP_MATCH_ANY_B64
				     : UOP_MATCH_ANY_B32,
		m, 1);
	d->dst[0] = to;
	d->dst[1] = p;
	d->src[0] = a;
}

/* The operation of redux, and for which types there is one; 0 of them: none. */
static uint64_t find_reduction(struct lower *l, uint8_t *operation)
{
	const uint64_t integers = UINT64_C(1) << PTX_U32 | UINT64_C(1) << PTX_S32,
		       bits = UINT64_C(1) << PTX_B32;
	const uint64_t floats = UINT64_C(1) << PTX_F32;
	const struct {
		uint16_t modifier;
		uint8_t operation;
		uint64_t types;
	} rows[] = { { PTX_MOD_ADD, ATOM_ADD, integers }, { PTX_MOD_MIN, ATOM_MIN, integers | floats },
		{ PTX_MOD_MAX, ATOM_MAX, integers | floats }, { PTX_MOD_AND, ATOM_AND, bits },
		{ PTX_MOD_OR, ATOM_OR, bits }, { PTX_MOD_XOR, ATOM_XOR, bits } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (has_modifier(l, rows[i].modifier)) {
			*operation = rows[i].operation;
			return rows[i].types;
		}
	return 0;
}

void lower_redux(struct lower *l)
{
	unsigned type = l->insn->types[0];
	bool is_float = type == PTX_F32;
	struct members m = find_members(l, 2);
	uint8_t operation = 0;
	struct draft *d;
	ref to, a;

	if (!(find_reduction(l, &operation) >> type & 1) || m.kind == MEMBERS_EXECUTING) {
		lower_refuse_form(l);
		return;
	}
	to = result(l, operand(l, 0), 32);
	a = source(l, operand(l, 1), 32, is_float);
	d = emit_with(l, is_float ? UOP_REDUX_F32 : UOP_REDUX_B32, m, 1);
	d->dst[0] = to;
	d->src[0] = a;
	d->uop.compare = operation;
	d->uop.type = (uint8_t)type;
	if (is_float && has_modifier(l, PTX_MOD_NAN))
		d->uop.mods |= MOD_HI;
	if (is_float && has_modifier(l, PTX_MOD_ABS))
		d->uop.mods |= MOD_SAT;
}

void lower_elect(struct lower *l)
{
	struct members m = find_members(l, 1);
	struct draft *d;
	ref to, p;

	if (m.kind == MEMBERS_EXECUTING || operand(l, 0)->kind != PTX_OP_PAIR) {
		lower_refuse_form(l);
		return;
	}
	find_results(l, &to, &p);
	d = emit_with(l, UOP_ELECT, m, 0);
	d->dst[0] = to;
	d->dst[1] = p;
}

/* bar.warp.sync: threads of a warp run in step, so only the mask is to be checked. */
void lower_warp_sync(struct lower *l)
{
	struct members m = find_members(l, 0);

	has_modifier(l, PTX_MOD_WARP);
	emit_with(l, UOP_WARP_SYNC, m, 0);
}
