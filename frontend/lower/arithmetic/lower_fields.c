/* frontend/lower/arithmetic/lower_fields.c -- logic by table, bit masks, sign extension from any bit, the
 * n-th set bit; integer operations on pairs of 16-bit lanes, and minima and maxima that are clamped at 0. */
#include "frontend/lower/lower.h"

void lower_fns(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32, 32 };

	emit_form(l, UOP_FNS_B32, 3, bits, 32);
}

/* bmsk and szext, which share their modes. */
void lower_bmsk(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32 };
	unsigned code = l->insn->opcode == PTX_BMSK     ? UOP_BMSK_B32
		: ptx_type_is_signed(l->insn->types[0]) ? UOP_SZEXT_S32
							: UOP_SZEXT_U32;
	struct draft *d = emit_form(l, code, 2, bits, 32);

	if (has_modifier(l, PTX_MOD_CLAMP))
		d->uop.mods |= MOD_HI;
	has_modifier(l, PTX_MOD_WRAP);
}

/* The operation on pairs, or with .relu on words; UOP_CODE_COUNT: there is none. */
static unsigned pair_code(const struct lower *l)
{
	static const struct {
		uint16_t opcode;
		uint8_t type;
		uint16_t code;
	} codes[] = {
		{ PTX_ADD, PTX_U16X2, UOP_ADD_16X2 },
		{ PTX_ADD, PTX_S16X2, UOP_ADD_16X2 },
		{ PTX_MIN, PTX_U16X2, UOP_MIN_U16X2 },
		{ PTX_MIN, PTX_S16X2, UOP_MIN_S16X2 },
		{ PTX_MAX, PTX_U16X2, UOP_MAX_U16X2 },
		{ PTX_MAX, PTX_S16X2, UOP_MAX_S16X2 },
		{ PTX_MIN, PTX_S32, UOP_MIN_RELU_S32 },
		{ PTX_MAX, PTX_S32, UOP_MAX_RELU_S32 },
	};

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].opcode == l->insn->opcode && codes[i].type == l->insn->types[0])
			return codes[i].code;
	return UOP_CODE_COUNT;
}

bool lower_pairs(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32 };
	unsigned code = pair_code(l);
	struct draft *d;

	if (code == UOP_CODE_COUNT || (l->insn->types[0] == PTX_S32 && !has_modifier(l, PTX_MOD_RELU)))
		return false;
	d = emit_form(l, code, 2, bits, 32);
	if (has_modifier(l, PTX_MOD_RELU))
		d->uop.mods |= MOD_RELU;
	return true;
}

/* lop3.or d|p, a, b, c, table, q: also p = d != 0 or q. */
static void test_result(struct lower *l, ref value, const struct ptx_operand *p)
{
	bool negated, is_or = has_modifier(l, PTX_MOD_OR);
	ref q = predicate_source(l, operand(l, 5), &negated), zero = constant_ref(l, 0, 32);
	ref to = destination(l, p);
	struct draft *d = emit(l, UOP_SETP_U32);

	has_modifier(l, PTX_MOD_AND);
	d->dst[0] = to;
	d->src[0] = value;
	d->src[1] = zero;
	d->src[2] = q;
	d->uop.compare = CMP_NE;
	d->uop.combine = is_or ? BOOL_OR : BOOL_AND;
	d->uop.type = PTX_B32;
	d->uop.mods = negated ? MOD_NEGATE_C : 0;
}

void lower_lop3(struct lower *l)
{
	const struct ptx_operand *to = operand(l, 0);
	bool tests = to->kind == PTX_OP_PAIR;
	ref value, from[3];
	uint64_t table;
	struct draft *d;

	if (!constant_operand(operand(l, 4), &table)) {
		lower_refuse_form(l);
		return;
	}
	value = result(l, tests ? &to->elements[0] : to, 32);
	for (uint32_t i = 0; i < 3; i++)
		from[i] = source(l, operand(l, i + 1), 32, false);
	d = emit(l, UOP_LOP3_B32);
	d->dst[0] = value;
	for (uint32_t i = 0; i < 3; i++)
		d->src[i] = from[i];
	d->uop.imm = (int64_t)(table & 255);
	if (tests)
		test_result(l, value, &to->elements[1]);
}
