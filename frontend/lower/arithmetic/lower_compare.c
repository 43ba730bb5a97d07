/* frontend/lower/arithmetic/lower_compare.c -- comparisons, selections and logic on predicates. */
#include "frontend/lower/lower.h"

static const struct {
	uint16_t modifier;
	uint8_t compare;
} comparisons[] = {
	{ PTX_MOD_EQ, CMP_EQ },
	{ PTX_MOD_NE, CMP_NE },
	{ PTX_MOD_LT, CMP_LT },
	{ PTX_MOD_LE, CMP_LE },
	{ PTX_MOD_GT, CMP_GT },
	{ PTX_MOD_GE, CMP_GE },
	{ PTX_MOD_LO, CMP_LT },
	{ PTX_MOD_LS, CMP_LE },
	{ PTX_MOD_HI, CMP_GT },
	{ PTX_MOD_HS, CMP_GE },
	{ PTX_MOD_EQU, CMP_EQU },
	{ PTX_MOD_NEU, CMP_NEU },
	{ PTX_MOD_LTU, CMP_LTU },
	{ PTX_MOD_LEU, CMP_LEU },
	{ PTX_MOD_GTU, CMP_GTU },
	{ PTX_MOD_GEU, CMP_GEU },
	{ PTX_MOD_NUM, CMP_NUM },
	{ PTX_MOD_ISNAN, CMP_NAN },
};

bool find_comparison(struct lower *l, uint8_t *compare)
{
	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
		if (has_modifier(l, comparisons[i].modifier)) {
			*compare = comparisons[i].compare;
			return true;
		}
	return false;
}

static uint8_t find_boolean(struct lower *l)
{
	return has_modifier(l, PTX_MOD_AND)    ? BOOL_AND
		: has_modifier(l, PTX_MOD_OR)  ? BOOL_OR
		: has_modifier(l, PTX_MOD_XOR) ? BOOL_XOR
					       : BOOL_NONE;
}

/* Offset of a type in the runs of UOP_CMP: U16 S16 U32 S32 U64 S64 F32 F64; -1: none. */
static int offset_of_type(unsigned type)
{
	unsigned bits = ptx_type_bits(type);

	if (type == PTX_F32 || type == PTX_F64)
		return type == PTX_F32 ? 6 : 7;
	if (ptx_type_is_float(type) || bits < 16 || bits > 64 || type > PTX_S64)
		return -1;
	return (bits == 16 ? 0 : bits == 32 ? 2 : 4) + ptx_type_is_signed(type);
}

/* The part that setp and set share: a compare b [bool c], on a draft with its sources filled in. */
static struct draft *draft_compare(struct lower *l, unsigned first_code, unsigned type)
{
	unsigned bits = ptx_type_bits(type);
	bool is_half = type_is_half(type);
	int offset = is_half ? 0 : offset_of_type(type);
	uint8_t comparison = 0, combine = find_boolean(l);
	bool negated = false;
	ref a, b, c = REF_NONE;
	struct draft *d;

	if (!find_comparison(l, &comparison) || offset < 0) {
		lower_refuse_form(l);
		return NULL;
	}
	a = source(l, operand(l, 1), bits, is_half || offset >= 6);
	b = source(l, operand(l, 2), bits, is_half || offset >= 6);
	if (combine != BOOL_NONE)
		c = predicate_source(l, operand(l, 3), &negated);
	if (is_half)
		first_code = first_code == UOP_SETP_U16 ? UOP_SETP_HALF : UOP_SET_HALF;
	d = emit(l, first_code + (unsigned)offset);
	d->src[0] = a;
	d->src[1] = b;
	d->src[2] = c;
	d->uop.compare = comparison;
	d->uop.combine = combine;
	d->uop.type = (uint8_t)type;
	if (has_modifier(l, PTX_MOD_FTZ) || (type == PTX_F32 && l->module->sm < 20))
		d->uop.mods |= MOD_FTZ;
	if (negated)
		d->uop.mods |= MOD_NEGATE_C;
	return d;
}

void lower_setp(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	ref p, q = REF_NONE;
	struct draft *d;

	if (to->kind == PTX_OP_PAIR) {
		p = destination(l, &to->elements[0]);
		q = destination(l, &to->elements[1]);
	} else {
		p = destination(l, to);
	}
	d = draft_compare(l, UOP_SETP_U16, l->insn->types[0]);
	if (!d)
		return;
	d->dst[0] = p;
	d->dst[1] = q;
	d->is_early = q != REF_NONE;
}

/* What set writes where it holds: all ones, or 1 in the format of the destination; for packed sources in one
 * half. */
static uint32_t true_value(unsigned type, unsigned compared)
{
	bool is_packed = compared == PTX_F16X2 || compared == PTX_BF16X2;

	switch (type) {
	case PTX_F32:
		return 0x3f800000;
	case PTX_F16:
	case PTX_F16X2:
		return 0x3c00;
	case PTX_BF16:
	case PTX_BF16X2:
		return 0x3f80;
	default:
		return is_packed || ptx_type_bits(type) == 16 ? 0xffff : UINT32_MAX;
	}
}

void lower_set(struct lower *l)
{
	unsigned type = l->insn->types[0];
	ref to = result(l, operand(l, 0), ptx_type_bits(type));
	struct draft *d;

	if (l->insn->type_count != 2 || ptx_type_bits(type) > 32) {
		lower_refuse_form(l);
		return;
	}
	d = draft_compare(l, UOP_SET_U16, l->insn->types[1]);
	if (!d)
		return;
	d->dst[0] = to;
	d->uop.imm = true_value(type, l->insn->types[1]);
}

void lower_selp(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	ref to = result(l, operand(l, 0), bits);
	ref a = source(l, operand(l, 1), bits, ptx_type_is_float(type));
	ref b = source(l, operand(l, 2), bits, ptx_type_is_float(type));
	bool negated;
	ref p = predicate_source(l, operand(l, 3), &negated);
	struct draft *d;

	if ((p & REF_CONSTANT) && p != REF_NONE) { /* selected already */
		d = emit(l, bits == 64 ? UOP_MOV_B64 : UOP_MOV_B32);
		d->src[0] = p & 1 ? a : b;
	} else {
		d = emit(l, bits == 64 ? UOP_SELP_B64 : UOP_SELP_B32);
		d->src[0] = a;
		d->src[1] = b;
		d->src[2] = p;
		d->uop.mods = negated ? MOD_NEGATE_C : 0;
	}
	d->dst[0] = to;
}

void lower_slct(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	bool by_float = l->insn->types[1] == PTX_F32;
	ref to = result(l, operand(l, 0), bits);
	ref a = source(l, operand(l, 1), bits, ptx_type_is_float(type));
	ref b = source(l, operand(l, 2), bits, ptx_type_is_float(type));
	ref c = source(l, operand(l, 3), 32, by_float);
	struct draft *d = emit(l, (by_float ? UOP_SLCT_F32_B32 : UOP_SLCT_B32) + (bits == 64 ? 1u : 0u));

	d->dst[0] = to;
	d->src[0] = a;
	d->src[1] = b;
	d->src[2] = c;
	d->is_early = bits == 64; /* c is one row, which must not lie within the result's two */
	if (has_modifier(l, PTX_MOD_FTZ) || (by_float && l->module->sm < 20))
		d->uop.mods |= MOD_FTZ;
}

/* A predicate operand without negation: a copy if need be. */
static ref bare_predicate(struct lower *l, const struct ptx_operand *o)
{
	bool negated;
	ref p = predicate_source(l, o, &negated);
	struct draft *d;

	if (!negated)
		return p;
	d = emit(l, UOP_MOV_PRED);
	d->src[0] = p;
	d->uop.mods = MOD_NEGATE_C;
	return d->dst[0] = new_vreg(l, 0);
}

void move_predicate(struct lower *l, bool invert)
{
	bool negated;
	ref to = result(l, operand(l, 0), 0), from = predicate_source(l, operand(l, 1), &negated);
	struct draft *d = emit(l, UOP_MOV_PRED);

	d->dst[0] = to;
	d->src[0] = from;
	d->uop.mods = negated != invert ? MOD_NEGATE_C : 0;
}

void lower_logic(struct lower *l)
{
	unsigned opcode = l->insn->opcode;
	ref to, a, b;
	struct draft *d;

	if (l->insn->types[0] != PTX_PRED) {
		if (!lower_arithmetic(l))
			lower_refuse_form(l);
		return;
	}
	if (opcode == PTX_NOT) {
		move_predicate(l, true);
		return;
	}
	to = result(l, operand(l, 0), 0);
	a = bare_predicate(l, operand(l, 1));
	b = bare_predicate(l, operand(l, 2));
	d = emit(l, opcode == PTX_AND ? UOP_AND_PRED : opcode == PTX_OR ? UOP_OR_PRED : UOP_XOR_PRED);
	d->dst[0] = to;
	d->src[0] = a;
	d->src[1] = b;
}
