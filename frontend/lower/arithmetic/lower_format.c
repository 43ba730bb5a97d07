/* frontend/lower/arithmetic/lower_format.c -- conversions of packed and narrow floating-point formats, and
 * cvt.pack. Those between arithmetic types are in lower_cvt.c. */
#include "frontend/parse/form.h"
#include "frontend/lower/lower.h"

static ref format(struct lower *l, ref to, unsigned type, ref from, unsigned from_type)
{
	struct draft *d = emit(l, UOP_CVT_FORMAT);

	d->dst[0] = to;
	d->src[0] = from;
	d->uop.type = (uint8_t)type;
	d->uop.compare = (uint8_t)from_type;
	return to;
}

ref convert_format(
	struct lower *l, ref to, unsigned type, ref from, unsigned from_type, uint8_t round, uint8_t mods)
{
	struct draft *d;

	format(l, to, type, from, from_type);
	d = &l->drafts[l->draft_count - 1];
	d->uop.round = round;
	d->uop.mods = mods;
	return to;
}

ref widen_half(struct lower *l, ref from, unsigned from_type)
{
	struct draft *d;

	if (from_type == PTX_BF16)
		return format(l, new_vreg(l, 32), PTX_F32, from, from_type);
	d = emit(l, UOP_CVT_F32_F16);
	d->src[0] = from;
	return d->dst[0] = new_vreg(l, 32);
}

/* Several numbers in a register, of formats that can be executed. */
static bool is_packed(unsigned type)
{
	switch (type) {
	case PTX_F16X2:
	case PTX_BF16X2:
	case PTX_E4M3X2:
	case PTX_E5M2X2:
	case PTX_E2M1X2:
	case PTX_E2M3X2:
	case PTX_E3M2X2:
	case PTX_UE8M0X2:
		return true;
	default:
		return false;
	}
}

static uint8_t format_rounding(struct lower *l)
{
	static const struct {
		uint16_t modifier;
		uint8_t round;
	} table[] = {
		{ PTX_MOD_RN, ROUND_RN },
		{ PTX_MOD_RZ, ROUND_RZ },
		{ PTX_MOD_RM, ROUND_RM },
		{ PTX_MOD_RP, ROUND_RP },
		{ PTX_MOD_RNA, ROUND_RNA },
		{ PTX_MOD_RS, ROUND_RS },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (has_modifier(l, table[i].modifier))
			return table[i].round;
	return ROUND_RN;
}

/* The result row, as wide as the format asks for, and from there into a wider register. */
static ref format_result(struct lower *l, ref *final)
{
	ref to = destination(l, operand(l, 0));

	*final = REF_NONE;
	if (to == REF_NONE || bits_of(l, to) > 64) {
		lower_refuse_form(l);
		return new_vreg(l, 32);
	}
	if (bits_of(l, to) < 64)
		return to;
	*final = to;
	return new_vreg(l, 32);
}

static void widen_result(struct lower *l, ref final, ref from)
{
	struct draft *d;

	if (final == REF_NONE)
		return;
	d = emit(l, UOP_CVT_U64_U32);
	d->dst[0] = final;
	d->src[0] = from;
}

void lower_format(struct lower *l)
{
	unsigned type = l->insn->types[0], from_type = l->insn->types[1];
	bool is_pair_of_two = from_type == PTX_F32 && type != PTX_TF32,
	     by_chance = has_modifier(l, PTX_MOD_RS);
	uint32_t sources = 1u + is_pair_of_two + by_chance;
	ref final, to, from[3] = { REF_NONE, REF_NONE, REF_NONE };
	struct draft *d;

	if (type >= PTX_E4M3X4 && type <= PTX_E3M2X4) {
		lower_refuse(l, &l->insn->location,
			"'%s' is not executed: the ISA does not say which random bits each of the four takes",
			l->insn->form->spelling);
		return;
	}
	if (l->insn->operand_count != sources + 1 || (type != PTX_TF32 && !is_packed(type)) ||
		(from_type != PTX_F32 && !is_packed(from_type))) {
		lower_refuse_form(l);
		return;
	}
	to = format_result(l, &final);
	for (uint32_t s = 0; s < 1u + is_pair_of_two; s++) {
		unsigned bits = ptx_type_bits(from_type);

		from[s] = source(l, operand(l, s + 1), bits < 16 ? 16 : bits, true);
	}
	if (by_chance)
		from[2] = source(l, operand(l, 3), 32, false);
	format(l, to, type, from[0], from_type);
	d = &l->drafts[l->draft_count - 1];
	d->src[1] = from[1];
	d->src[2] = from[2];
	d->uop.round = format_rounding(l);
	if (has_modifier(l, PTX_MOD_RELU))
		d->uop.mods |= MOD_RELU;
	if (has_modifier(l, PTX_MOD_SATFINITE))
		d->uop.mods |= MOD_SATFINITE;
	widen_result(l, final, to);
}

void lower_cvt_pack(struct lower *l)
{
	unsigned type = l->insn->types[0], count = l->insn->operand_count - 1u;
	ref to = result(l, operand(l, 0), 32), from[3] = { REF_NONE, REF_NONE, REF_NONE };
	struct draft *d;

	has_modifier(l, PTX_MOD_PACK);
	has_modifier(l, PTX_MOD_SAT);
	if (count < 2 || count > 3) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t s = 0; s < count; s++)
		from[s] = source(l, operand(l, s + 1), 32, false);
	d = emit(l, UOP_CVT_PACK);
	d->dst[0] = to;
	for (uint32_t s = 0; s < count; s++)
		d->src[s] = from[s];
	d->uop.type = (uint8_t)type;
}
