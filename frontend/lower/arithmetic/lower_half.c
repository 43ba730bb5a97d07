/* frontend/lower/arithmetic/lower_half.c -- arithmetic on f16 and bf16, alone and packed; f32x2; f32 sums
 * with addends of half width; minimum and maximum of magnitudes and of three. */
#include "frontend/lower/lower.h"

bool type_is_half(unsigned type)
{
	return type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2;
}

static const struct {
	uint16_t opcode;
	uint16_t half, pair; /* f16 and its like; f32x2, 0: there is none */
	uint8_t sources;
} forms[] = {
	{ PTX_ADD, UOP_ADD_HALF, UOP_ADD_F32X2, 2 },
	{ PTX_SUB, UOP_SUB_HALF, UOP_SUB_F32X2, 2 },
	{ PTX_MUL, UOP_MUL_HALF, UOP_MUL_F32X2, 2 },
	{ PTX_FMA, UOP_FMA_HALF, UOP_FMA_F32X2, 3 },
	{ PTX_MIN, UOP_MIN_HALF, 0, 2 },
	{ PTX_MAX, UOP_MAX_HALF, 0, 2 },
	{ PTX_ABS, UOP_ABS_HALF, 0, 1 },
	{ PTX_NEG, UOP_NEG_HALF, 0, 1 },
	{ PTX_EX2, UOP_EX2_HALF, 0, 1 },
	{ PTX_TANH, UOP_TANH_HALF, 0, 1 },
};

static void extreme_modifiers(struct lower *l, struct draft *d)
{
	if (has_modifier(l, PTX_MOD_NAN))
		d->uop.mods |= MOD_HI;
	if (has_modifier(l, PTX_MOD_ABS))
		d->uop.mods |= MOD_ABS;
	if (has_modifier(l, PTX_MOD_XORSIGN))
		d->uop.mods |= MOD_XORSIGN;
}

/* Halves are rounded to nearest, but for fma of bf16, of which ptxas takes all roundings. */
static void half_modifiers(struct lower *l, struct draft *d)
{
	bool is_rounded = l->insn->opcode == PTX_FMA &&
		(l->insn->types[0] == PTX_BF16 || l->insn->types[0] == PTX_BF16X2);

	d->may_contract = !has_modifier(l, PTX_MOD_RN);
	d->uop.round = is_rounded ? rounding_modifier(l) : ROUND_RN;
	has_modifier(l, PTX_MOD_APPROX);
	if (has_modifier(l, PTX_MOD_FTZ))
		d->uop.mods |= MOD_FTZ;
	if (has_modifier(l, PTX_MOD_SAT))
		d->uop.mods |= MOD_SAT;
	if (has_modifier(l, PTX_MOD_RELU))
		d->uop.mods |= MOD_RELU;
	if (l->insn->opcode == PTX_FMA && has_modifier(l, PTX_MOD_OOB))
		d->uop.mods |= MOD_HI;
	else
		extreme_modifiers(l, d);
}

static void lower_simple(struct lower *l, size_t form)
{
	unsigned type = l->insn->types[0], width = ptx_type_bits(type);
	const uint8_t bits[4] = { (uint8_t)width, (uint8_t)width, (uint8_t)width };
	unsigned code = type == PTX_F32X2 ? forms[form].pair : forms[form].half;
	struct draft *d;

	if (!code || l->insn->operand_count != forms[form].sources + 1u) {
		lower_refuse_form(l);
		return;
	}
	d = emit_form(l, code, forms[form].sources, bits, width);
	d->uop.type = (uint8_t)type;
	if (type == PTX_F32X2)
		float_modifiers(l, d, type);
	else
		half_modifiers(l, d);
}

/* add.f32.f16 and its like: what is half as wide is widened, which is exact. */
static void lower_mixed(struct lower *l)
{
	unsigned opcode = l->insn->opcode;
	uint32_t products = opcode == PTX_FMA ? 2 : 1;
	ref to = result(l, operand(l, 0), 32), from[3] = { REF_NONE, REF_NONE, REF_NONE };
	struct draft *d;

	for (uint32_t s = 0; s < products; s++)
		from[s] = widen_half(l, source(l, operand(l, s + 1), 16, true), l->insn->types[1]);
	from[products] = source(l, operand(l, products + 1), 32, true);
	d = emit(l, opcode == PTX_FMA ? UOP_FMA_F32 : opcode == PTX_ADD ? UOP_ADD_F32 : UOP_SUB_F32);
	d->dst[0] = to;
	for (uint32_t s = 0; s <= products; s++)
		d->src[s] = from[s];
	float_modifiers(l, d, PTX_F32);
}

/* min and max of f32 with .abs, and of three. */
static void lower_extreme(struct lower *l)
{
	bool is_max = l->insn->opcode == PTX_MAX, of_three = l->insn->operand_count > 3;
	ref to = result(l, operand(l, 0), 32), from[3] = { 0 };
	struct draft *d;

	for (uint32_t s = 0; s < 2u + of_three; s++)
		from[s] = source(l, operand(l, s + 1), 32, true);
	d = emit(l,
		of_three         ? (is_max ? UOP_MAX3_F32 : UOP_MIN3_F32)
			: is_max ? UOP_MAX_ABS_F32
				 : UOP_MIN_ABS_F32);
	d->dst[0] = to;
	for (uint32_t s = 0; s < 2u + of_three; s++)
		d->src[s] = from[s];
	float_modifiers(l, d, PTX_F32);
	extreme_modifiers(l, d);
}

bool lower_packed(struct lower *l)
{
	unsigned type = l->insn->types[0], opcode = l->insn->opcode;
	bool is_extreme = opcode == PTX_MIN || opcode == PTX_MAX;

	if (type == PTX_F32 && l->insn->type_count == 2 &&
		(opcode == PTX_ADD || opcode == PTX_SUB || opcode == PTX_FMA)) {
		lower_mixed(l);
		return true;
	}
	if (type == PTX_F32 && is_extreme && (l->insn->operand_count > 3 || has_modifier(l, PTX_MOD_ABS))) {
		lower_extreme(l);
		return true;
	}
	if (!type_is_half(type) && type != PTX_F32X2)
		return false;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].opcode == opcode) {
			lower_simple(l, i);
			return true;
		}
	return false;
}
