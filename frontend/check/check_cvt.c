/* frontend/check/check_cvt.c -- which conversions exist, and what rounding they need. */
#include "frontend/check/check_word.h"

/* Smallest and largest values as powers of two, for `cvt.sat` between integers. */
static bool fits_within(unsigned to, unsigned from)
{
	unsigned to_bits = ptx_type_bits(to), from_bits = ptx_type_bits(from);

	if (ptx_type_is_signed(to) == ptx_type_is_signed(from))
		return to_bits >= from_bits;
	return ptx_type_is_signed(to) && to_bits > from_bits;
}

static bool convert_integers(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (float_roundings(insn) || integer_roundings(insn))
		return wrong_word(p, insn, NULL, "cannot round: both types are integers");
	if (word_has(insn, PTX_MOD_SAT) && fits_within(insn->types[0], insn->types[1]))
		return wrong_word(p, insn, NULL, "cannot saturate: every value fits");
	return true;
}

static bool convert_floats(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned to = ptx_type_bits(insn->types[0]), from = ptx_type_bits(insn->types[1]);

	if (to < from && !float_roundings(insn))
		return wrong_word(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	if (to > from && insn->types[1] != PTX_BF16 && (float_roundings(insn) || integer_roundings(insn)))
		return wrong_word(p, insn, NULL, "cannot round: the result is wider");
	if (insn->types[0] == insn->types[1] && float_roundings(insn))
		return wrong_word(p, insn, ".rni, .rzi, .rmi or .rpi", "rounds to an integral value only");
	return true;
}

/* cvt of packed and narrow formats */
static bool packed_conversion(struct ptx_parser *p, const struct ptx_insn *insn)
{
	if (!float_roundings(insn))
		return wrong_word(p, insn, ".rn, .rz, .rp, .rna or .rs", "needs a rounding modifier");
	if (insn->types[0] == PTX_TF32 && word_has(insn, PTX_MOD_SATFINITE) && !word_has(insn, PTX_MOD_RNA) &&
		!is_available(p, insn, 100, 86))
		return false;
	return check_float(p, insn);
}

/* cvt.pack.sat: to 16 bits alone, to fewer with the bits above */
static bool pack_conversion(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const uint64_t whole = T(U16) | T(S16), narrow = T(U8) | T(S8) | T(U4) | T(S4) | T(U2) | T(S2);
	uint64_t to = UINT64_C(1) << insn->types[0];

	if (!word_has(insn, PTX_MOD_SAT) || insn->modifier_count > 2)
		return wrong_word(p, insn, "cvt.pack.sat", "needs '.sat' and nothing else");
	if (insn->type_count < 2 || insn->types[1] != PTX_S32 || !(to & (whole | narrow)) ||
		insn->type_count != (to & whole ? 2 : 3) ||
		(insn->type_count > 2 && insn->types[2] != PTX_B32))
		return wrong_word(p, insn, "cvt.pack.sat.s16.s32, cvt.pack.sat.u8.s32.b32",
			"is not defined for these types");
	return true;
}

/* cvt between integers, f16, bf16, f32 and f64 */
static bool conversion(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const uint64_t integers = T(U8) | T(S8) | T(U16) | T(S16) | T(U32) | T(S32) | T(U64) | T(S64);
	const uint64_t floats = T(F16) | T(BF16) | T(F32) | T(F64);
	uint64_t to = UINT64_C(1) << insn->types[0], from = UINT64_C(1) << insn->types[1];

	if (insn->type_count < 2)
		return wrong_word(p, insn, "cvt.u64.u32", "needs two types");
	if ((to | from) & (T(B8) | T(B16) | T(B32) | T(B64)) && insn->type_count == 2)
		return wrong_word(p, insn, NULL, "is not defined: a conversion needs numbers, not bits");
	if (insn->type_count > 2)
		return wrong_word(p, insn, NULL, "takes two types");
	if (!(to & (integers | floats)) || !(from & (integers | floats)))
		return packed_conversion(p, insn);
	if (to & integers && from & integers)
		return convert_integers(p, insn) && check_float(p, insn);
	if (to & integers && !integer_roundings(insn))
		return wrong_word(p, insn, ".rni, .rzi, .rmi or .rpi", "needs a rounding modifier");
	if (from & integers && !float_roundings(insn))
		return wrong_word(p, insn, ".rn, .rz, .rm or .rp", "needs a rounding modifier");
	return (to & integers || from & integers || convert_floats(p, insn)) && check_float(p, insn);
}

bool check_conversion(struct ptx_parser *p, const struct ptx_insn *insn)
{
	return word_has(insn, PTX_MOD_PACK) ? pack_conversion(p, insn) : conversion(p, insn);
}
