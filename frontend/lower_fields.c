/* frontend/lower_fields.c -- bit masks, sign extension from any bit, the n-th set bit; integer operations on
 * pairs of 16-bit lanes, and minima and maxima that are clamped at 0. */
#include "frontend/lower.h"

void lower_fns(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32, 32 };

	emit_form(l, UOP_FNS_B32, 3, bits, 32);
}

/* bmsk and szext, which share their modes. */
void lower_bmsk(struct lower *l)
{
	static const uint8_t bits[4] = { 32, 32 };
	unsigned code = l->insn->opcode == PTX_BMSK             ? UOP_BMSK_B32
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
