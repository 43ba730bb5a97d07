/* frontend/lower/arithmetic/lower_int.c -- integer arithmetic, and the table of everything that reads and
 * writes one type. */
#include "frontend/lower/lower.h"

/* Which micro-operation an opcode becomes for a type: tables name the first of a run of codes in uops.def. */
enum pick {
	BY_WIDTH16,  /* B16 B32 B64 */
	BY_WIDTH32,  /* B32 B64 */
	BY_SIGN16,   /* U16 S16 U32 S32 U64 S64 */
	BY_SIGN32,   /* U32 S32 U64 S64 */
	SIGNED_ONLY, /* S16 S32 S64 */
	BY_FLOAT,    /* F32 F64 */
};

struct form {
	uint16_t opcode, code;
	uint8_t pick;
	uint8_t sources;
	uint8_t source_bits[4]; /* 0: as wide as the type */
	uint8_t result_bits;    /* 0: as wide as the type */
};

static const struct form forms[] = {
	{ PTX_ADD, UOP_ADD_B16, BY_WIDTH16, 2, { 0 }, 0 },
	{ PTX_SUB, UOP_SUB_B16, BY_WIDTH16, 2, { 0 }, 0 },
	{ PTX_DIV, UOP_DIV_U16, BY_SIGN16, 2, { 0 }, 0 },
	{ PTX_REM, UOP_REM_U16, BY_SIGN16, 2, { 0 }, 0 },
	{ PTX_MIN, UOP_MIN_U16, BY_SIGN16, 2, { 0 }, 0 },
	{ PTX_MAX, UOP_MAX_U16, BY_SIGN16, 2, { 0 }, 0 },
	{ PTX_SAD, UOP_SAD_U16, BY_SIGN16, 3, { 0 }, 0 },
	{ PTX_ABS, UOP_ABS_S16, SIGNED_ONLY, 1, { 0 }, 0 },
	{ PTX_NEG, UOP_NEG_S16, SIGNED_ONLY, 1, { 0 }, 0 },
	{ PTX_POPC, UOP_POPC_B32, BY_WIDTH32, 1, { 0 }, 32 },
	{ PTX_CLZ, UOP_CLZ_B32, BY_WIDTH32, 1, { 0 }, 32 },
	{ PTX_BREV, UOP_BREV_B32, BY_WIDTH32, 1, { 0 }, 0 },
	{ PTX_BFE, UOP_BFE_U32, BY_SIGN32, 3, { 0, 32, 32 }, 0 },
	{ PTX_BFI, UOP_BFI_B32, BY_WIDTH32, 4, { 0, 0, 32, 32 }, 0 },
	{ PTX_NOT, UOP_NOT_B16, BY_WIDTH16, 1, { 0 }, 0 },
	{ PTX_CNOT, UOP_CNOT_B16, BY_WIDTH16, 1, { 0 }, 0 },
	{ PTX_AND, UOP_AND_B16, BY_WIDTH16, 2, { 0 }, 0 },
	{ PTX_OR, UOP_OR_B16, BY_WIDTH16, 2, { 0 }, 0 },
	{ PTX_XOR, UOP_XOR_B16, BY_WIDTH16, 2, { 0 }, 0 },
	{ PTX_SHL, UOP_SHL_B16, BY_WIDTH16, 2, { 0, 32 }, 0 },
	{ PTX_SHR, UOP_SHR_U16, BY_SIGN16, 2, { 0, 32 }, 0 },
	{ PTX_ADD, UOP_ADD_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_SUB, UOP_SUB_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_MIN, UOP_MIN_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_MAX, UOP_MAX_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_ABS, UOP_ABS_F32, BY_FLOAT, 1, { 0 }, 0 },
	{ PTX_NEG, UOP_NEG_F32, BY_FLOAT, 1, { 0 }, 0 },
	{ PTX_COPYSIGN, UOP_COPYSIGN_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_MUL, UOP_MUL_F32, BY_FLOAT, 2, { 0 }, 0 },
	{ PTX_FMA, UOP_FMA_F32, BY_FLOAT, 3, { 0 }, 0 },
	{ PTX_MAD, UOP_FMA_F32, BY_FLOAT, 3, { 0 }, 0 },
	{ PTX_MUL, UOP_MUL_LO_B16, BY_WIDTH16, 2, { 0 }, 0 }, /* .lo; the other halves: lower_mul */
	{ PTX_MAD, UOP_MAD_LO_B16, BY_WIDTH16, 3, { 0 }, 0 },
};

static bool is_packed_or_half(unsigned type)
{
	return (type >= PTX_F16 && type <= PTX_F16X2) || (type >= PTX_BF16 && type <= PTX_S2) ||
		type >= PTX_TEXREF;
}

/* How far a type's code lies from the first of the run; -1: the run has none for it. */
static int offset_in_run(unsigned pick, unsigned type)
{
	unsigned bits = ptx_type_bits(type);
	int width = bits == 16 ? 0 : bits == 32 ? 1 : bits == 64 ? 2 : -1;
	int sign = ptx_type_is_signed(type);

	if (pick == BY_FLOAT)
		return type == PTX_F32 ? 0 : type == PTX_F64 ? 1 : -1;
	if (width < 0 || is_packed_or_half(type) || ptx_type_is_float(type))
		return -1;
	switch (pick) {
	case BY_WIDTH16:
		return width;
	case BY_WIDTH32:
		return width - 1;
	case BY_SIGN16:
		return 2 * width + sign;
	case BY_SIGN32:
		return width ? 2 * (width - 1) + sign : -1;
	default:
		return sign ? width : -1;
	}
}

uint8_t rounding_modifier(struct lower *l)
{
	return has_modifier(l, PTX_MOD_RZ)    ? ROUND_RZ
		: has_modifier(l, PTX_MOD_RM) ? ROUND_RM
		: has_modifier(l, PTX_MOD_RP) ? ROUND_RP
					      : ROUND_RN;
}

/* The modifiers of floating-point arithmetic, onto a draft. */
void float_modifiers(struct lower *l, struct draft *d, unsigned type)
{
	d->uop.round = rounding_modifier(l);
	d->may_contract = !has_modifier(l, PTX_MOD_RN) && d->uop.round == ROUND_RN;
	if (has_modifier(l, PTX_MOD_FTZ) || (type == PTX_F32 && l->module->sm < 20))
		d->uop.mods |= MOD_FTZ;
	if (has_modifier(l, PTX_MOD_SAT))
		d->uop.mods |= MOD_SAT;
}

/* One micro-operation with its sources read at the given widths. */
struct draft *emit_form(
	struct lower *l, unsigned code, uint32_t sources, const uint8_t *bits, unsigned result_bits)
{
	bool is_float = ptx_type_is_float(l->insn->types[0]);
	ref from[4] = { REF_NONE, REF_NONE, REF_NONE, REF_NONE }, to = result(l, operand(l, 0), result_bits);
	struct draft *d;

	for (uint32_t s = 0; s < sources; s++)
		from[s] = source(l, operand(l, s + 1), bits[s], is_float);
	d = emit(l, code);
	for (uint32_t s = 0; s < sources; s++)
		d->src[s] = from[s];
	d->dst[0] = to;
	return d;
}

static void lower_form(struct lower *l, const struct form *form, int offset)
{
	unsigned type = l->insn->types[0], width = ptx_type_bits(type);
	uint8_t bits[4];
	struct draft *d;

	for (uint32_t s = 0; s < form->sources; s++)
		bits[s] = form->source_bits[s] ? form->source_bits[s] : (uint8_t)width;
	if (l->insn->operand_count != form->sources + 1u) {
		lower_refuse_form(l);
		return;
	}
	d = emit_form(l, form->code + (unsigned)offset, form->sources, bits,
		form->result_bits ? form->result_bits : width);
	if (form->pick == BY_FLOAT) {
		float_modifiers(l, d, type);
		if ((form->opcode == PTX_MIN || form->opcode == PTX_MAX) && has_modifier(l, PTX_MOD_NAN))
			d->uop.mods |= MOD_HI;
	}
}

bool lower_arithmetic(struct lower *l)
{
	if (lower_pairs(l) || lower_packed(l))
		return true;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		int offset = forms[i].opcode == l->insn->opcode
			? offset_in_run(forms[i].pick, l->insn->types[0])
			: -1;

		if (offset >= 0) {
			lower_form(l, &forms[i], offset);
			return true;
		}
	}
	return false;
}

void lower_add_sub(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32 };

	if (l->insn->types[0] == PTX_S32 && has_modifier(l, PTX_MOD_SAT))
		emit_form(l, l->insn->opcode == PTX_ADD ? UOP_ADD_SAT_S32 : UOP_SUB_SAT_S32, 2, bits, 32);
	else if (has_modifier(l, PTX_MOD_CC))
		lower_carry(l);
	else if (!lower_arithmetic(l))
		lower_refuse_form(l);
}

/* mul and mad with .hi and .wide: [code of U16], then by sign and width. */
static void lower_half(struct lower *l, unsigned high, unsigned wide, uint32_t sources)
{
	unsigned type = l->insn->types[0], width = ptx_type_bits(type);
	bool is_wide = has_modifier(l, PTX_MOD_WIDE), is_sat = has_modifier(l, PTX_MOD_SAT);
	int offset = offset_in_run(BY_SIGN16, type);
	uint8_t bits[4] = { (uint8_t)width, (uint8_t)width, (uint8_t)(is_wide ? 2 * width : width) };
	unsigned code = (is_wide ? wide : high) + (unsigned)offset;

	if (is_sat && !is_wide && type == PTX_S32 && l->insn->opcode == PTX_MAD)
		code = UOP_MAD_HI_SAT_S32;
	else if (is_sat || offset < 0 || (is_wide && width > 32)) {
		lower_refuse_form(l);
		return;
	}
	emit_form(l, code, sources, bits, is_wide ? 2 * width : width);
}

static bool takes_high_half(struct lower *l)
{
	return has_modifier(l, PTX_MOD_HI) || has_modifier(l, PTX_MOD_WIDE);
}

void lower_mul(struct lower *l)
{
	if (takes_high_half(l))
		lower_half(l, UOP_MUL_HI_U16, UOP_MUL_WIDE_U16, 2);
	else if ((has_modifier(l, PTX_MOD_LO), !lower_arithmetic(l)))
		lower_refuse_form(l);
}

/* On sm_1x mad.f32 cut its product to 24 bits; translated for sm_20 and later it is fma.rn.ftz (PTX ISA,
 * mad). */
static void warn_truncating_mad(struct lower *l)
{
	lower_warn(l, "mad.f32 truncates its product on %s; executed as a fused multiply-add",
		l->module->target);
}

void lower_mad(struct lower *l)
{
	if (l->insn->types[0] == PTX_F32 && l->module->sm < 20)
		warn_truncating_mad(l);
	if (has_modifier(l, PTX_MOD_CC))
		lower_carry(l);
	else if (takes_high_half(l))
		lower_half(l, UOP_MAD_HI_U16, UOP_MAD_WIDE_U16, 3);
	else if ((has_modifier(l, PTX_MOD_LO), !lower_arithmetic(l)))
		lower_refuse_form(l);
}

void lower_mul24(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32, 32 };
	bool is_mad = l->insn->opcode == PTX_MAD24;
	unsigned code = is_mad ? UOP_MAD24_LO_U32 : UOP_MUL24_LO_U32;
	struct draft *d;

	if (has_modifier(l, PTX_MOD_HI))
		code += 2;
	has_modifier(l, PTX_MOD_LO);
	code += ptx_type_is_signed(l->insn->types[0]);
	d = emit_form(l, code, is_mad ? 3 : 2, bits, 32);
	if (code == UOP_MAD24_HI_S32 && has_modifier(l, PTX_MOD_SAT))
		d->uop.mods |= MOD_SAT;
}

static ref carry_flag(struct lower *l)
{
	if (l->carry == REF_NONE)
		l->carry = new_vreg(l, 0);
	return l->carry;
}

/* add.cc addc sub.cc subc mad.cc madc: the products first, then the sum, from which alone the carry comes. */
static ref carry_product(struct lower *l, unsigned bits)
{
	unsigned type = l->insn->types[0];
	bool high = has_modifier(l, PTX_MOD_HI);
	ref a = source(l, operand(l, 1), bits, false), b = source(l, operand(l, 2), bits, false);
	unsigned code = high ? UOP_MUL_HI_U16 + (unsigned)offset_in_run(BY_SIGN16, type)
			     : UOP_MUL_LO_B16 + (unsigned)offset_in_run(BY_WIDTH16, type);
	struct draft *d = emit(l, code);

	has_modifier(l, PTX_MOD_LO);
	d->src[0] = a;
	d->src[1] = b;
	return d->dst[0] = new_vreg(l, bits);
}

void lower_carry(struct lower *l)
{
	unsigned opcode = l->insn->opcode, bits = ptx_type_bits(l->insn->types[0]);
	bool is_mad = opcode == PTX_MAD || opcode == PTX_MADC,
	     is_sub = opcode == PTX_SUB || opcode == PTX_SUBC;
	bool reads = opcode == PTX_ADDC || opcode == PTX_SUBC || opcode == PTX_MADC;
	struct draft *d;
	ref to, a, b, carry;

	if (offset_in_run(BY_WIDTH32, l->insn->types[0]) < 0) {
		lower_refuse_form(l);
		return;
	}
	to = result(l, operand(l, 0), bits);
	a = is_mad ? carry_product(l, bits) : source(l, operand(l, 1), bits, false);
	b = source(l, operand(l, is_mad ? 3 : 2), bits, false);
	carry = carry_flag(l);
	d = emit(l, (is_sub ? UOP_SUB_CC_B32 : UOP_ADD_CC_B32) + (bits == 64 ? 1u : 0u));
	d->dst[0] = to;
	d->dst[1] = has_modifier(l, PTX_MOD_CC) ? carry : REF_NONE;
	d->src[0] = a;
	d->src[1] = b;
	d->src[2] = reads ? carry : REF_NONE;
}

void lower_prmt(struct lower *l)
{
	static const uint16_t modes[] = { PTX_MOD_F4E, PTX_MOD_B4E, PTX_MOD_RC8, PTX_MOD_ECL, PTX_MOD_ECR,
		PTX_MOD_RC16 };
	static const uint8_t bits[4] = { 32, 32, 32 };
	struct draft *d = emit_form(l, UOP_PRMT_B32, 3, bits, 32);

	for (uint32_t i = 0; i < 6; i++)
		if (has_modifier(l, modes[i])) {
			d->uop.code = UOP_PRMT_MODE_B32;
			d->uop.imm = i;
		}
}

void lower_shf(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32, 32 };
	struct draft *d =
		emit_form(l, has_modifier(l, PTX_MOD_L) ? UOP_SHF_L_B32 : UOP_SHF_R_B32, 3, bits, 32);

	has_modifier(l, PTX_MOD_R);
	has_modifier(l, PTX_MOD_WRAP);
	if (has_modifier(l, PTX_MOD_CLAMP))
		d->uop.mods |= MOD_HI;
}

void lower_bfind(struct lower *l)
{
	unsigned type = l->insn->types[0];
	uint8_t bits[4] = { (uint8_t)ptx_type_bits(type) };
	int offset = offset_in_run(BY_SIGN32, type);

	if (offset < 0)
		lower_refuse_form(l);
	else if (emit_form(l, UOP_BFIND_U32 + (unsigned)offset, 1, bits, 32),
		has_modifier(l, PTX_MOD_SHIFTAMT))
		l->drafts[l->draft_count - 1].uop.mods |= MOD_HI;
}

void lower_dp(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32, 32 };
	struct draft *d = emit_form(l, l->insn->opcode == PTX_DP4A ? UOP_DP4A : UOP_DP2A, 3, bits, 32);

	d->uop.imm = ptx_type_is_signed(l->insn->types[0]) | ptx_type_is_signed(l->insn->types[1]) << 1;
	if (has_modifier(l, PTX_MOD_HI))
		d->uop.mods |= MOD_HI;
	has_modifier(l, PTX_MOD_LO);
}
