/* frontend/lower/arithmetic/lower_cvt.c -- conversions. The general ones go by the two types' kinds; narrow
 * integers and halves pass through 32 bits, where that changes no result. */
#include "frontend/lower/lower.h"

static bool is_integer_type(unsigned type)
{
	return (type >= PTX_B8 && type <= PTX_B64) || (type >= PTX_U8 && type <= PTX_S64);
}

/* .rni .rzi .rmi .rpi, as well as .rn ...; is_integral tells which kind was written. */
static uint8_t cvt_rounding(struct lower *l, bool *is_integral)
{
	static const struct {
		uint16_t modifier;
		uint8_t round;
		bool is_integral;
	} table[] = {
		{ PTX_MOD_RN, ROUND_RN, false },
		{ PTX_MOD_RZ, ROUND_RZ, false },
		{ PTX_MOD_RM, ROUND_RM, false },
		{ PTX_MOD_RP, ROUND_RP, false },
		{ PTX_MOD_RNI, ROUND_RN, true },
		{ PTX_MOD_RZI, ROUND_RZ, true },
		{ PTX_MOD_RMI, ROUND_RM, true },
		{ PTX_MOD_RPI, ROUND_RP, true },
	};

	*is_integral = false;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (has_modifier(l, table[i].modifier)) {
			*is_integral = table[i].is_integral;
			return table[i].round;
		}
	return ROUND_RN;
}

/* sm_1x always flushes; but up to ISA 1.4 not where f64 or, among integers, 64 bits are converted. */
static uint8_t cvt_flush(struct lower *l)
{
	const struct ptx_module *m = l->module;
	unsigned type = l->insn->types[0], from_type = l->insn->types[1];
	bool is_old = m->version_major == 1 && m->version_minor <= 4;
	bool is_wide = from_type == PTX_F64 || ptx_type_bits(type) == 64;

	return has_modifier(l, PTX_MOD_FTZ) || (m->sm < 20 && !(is_old && is_wide)) ? MOD_FTZ : 0;
}

static uint8_t cvt_saturation(struct lower *l)
{
	return has_modifier(l, PTX_MOD_SAT) ? MOD_SAT : 0;
}

static ref convert(struct lower *l, unsigned code, ref to, ref from, uint8_t round, uint8_t mods)
{
	struct draft *d = emit(l, code);

	d->dst[0] = to;
	d->src[0] = from;
	d->uop.round = round;
	d->uop.mods = mods;
	return to;
}

static ref convert_integer(struct lower *l, ref to, unsigned type, ref from, unsigned from_type, uint8_t mods)
{
	struct draft *d;

	convert(l, UOP_CVT_INT, to, from, ROUND_RN, mods);
	d = &l->drafts[l->draft_count - 1];
	d->uop.type = (uint8_t)type;
	d->uop.compare = (uint8_t)from_type;
	d->uop.reg_bytes = bits_of(l, to) == 64 ? 8 : 4;
	return to;
}

/* Values in registers of 8 or 16 bits keep the upper half of their row zero. A signed result that is narrower
 * than such a register, or that an operation extends to the row, is made in a scratch row and cut. */
static bool needs_cut(const struct lower *l, ref to, unsigned type)
{
	return bits_of(l, to) < 32 && ptx_type_is_signed(type);
}

void cut_to_register(struct lower *l, ref to, ref from)
{
	convert_integer(l, to, bits_of(l, to) == 8 ? PTX_U8 : PTX_U16, from, PTX_U32, 0);
}

static void integer_to_integer(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	unsigned bits = ptx_type_bits(type), from_bits = ptx_type_bits(from_type), have = bits_of(l, to);
	ref from = source(l, operand(l, 1), from_bits < 32 ? 32 : from_bits, false);
	uint8_t sat = cvt_saturation(l);

	if (!sat && bits == from_bits && bits >= 32 && have == bits) {
		convert(l, bits == 64 ? UOP_MOV_B64 : UOP_MOV_B32, to, from, 0, 0);
	} else if (!sat && bits == 32 && from_bits == 64 && have == 32) {
		convert(l, UOP_CVT_B32_B64, to, from, 0, 0);
	} else if (!sat && bits == 64 && from_bits == 32) {
		convert(l, ptx_type_is_signed(from_type) ? UOP_CVT_S64_S32 : UOP_CVT_U64_U32, to, from, 0, 0);
	} else if (needs_cut(l, to, type)) {
		cut_to_register(l, to, convert_integer(l, new_vreg(l, 32), type, from, from_type, sat));
	} else {
		convert_integer(l, to, type, from, from_type, sat);
	}
}

/* An integer source of any width as one of 32 or 64 bits of the same sign. */
static ref wide_integer(struct lower *l, unsigned from_type)
{
	unsigned bits = ptx_type_bits(from_type);
	ref from = source(l, operand(l, 1), bits < 32 ? 32 : bits, false);
	bool is_clean = !(from & REF_KIND) && bits_of(l, from) == bits && !ptx_type_is_signed(from_type);

	if (bits >= 32 || is_clean)
		return from;
	return convert_integer(
		l, new_vreg(l, 32), ptx_type_is_signed(from_type) ? PTX_S32 : PTX_U32, from, from_type, 0);
}

static void integer_to_float(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	bool integral, is_signed = ptx_type_is_signed(from_type), is_wide = ptx_type_bits(from_type) == 64;
	uint8_t round = cvt_rounding(l, &integral), sat = cvt_saturation(l);
	ref from = wide_integer(l, from_type), middle = to;
	unsigned code = (type == PTX_F64 ? UOP_CVT_F64_S32 : UOP_CVT_F32_S32) + (is_signed ? 0u : 1u) +
		(is_wide ? 2u : 0u);

	if (type == PTX_F16 || type == PTX_BF16) {
		unsigned middle_type = is_wide ? (is_signed ? PTX_S64 : PTX_U64)
			: is_signed            ? PTX_S32
					       : PTX_U32;

		convert_format(l, to, type, from, middle_type, round, sat);
		return;
	}
	has_modifier(l, PTX_MOD_FTZ); /* no integer gives a subnormal */
	if (sat)
		middle = new_vreg(l, type == PTX_F64 ? 64 : 32);
	convert(l, code, middle, from, round, 0);
	if (sat)
		convert(l, type == PTX_F64 ? UOP_CVT_F64_F64 : UOP_CVT_F32_F32, to, middle, 0, MOD_SAT);
}

/* A float source; halves are widened, which is exact. */
static ref wide_float(struct lower *l, unsigned from_type)
{
	ref from = source(l, operand(l, 1), ptx_type_bits(from_type), true);

	return from_type == PTX_F16 || from_type == PTX_BF16 ? widen_half(l, from, from_type) : from;
}

static void float_to_integer(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	bool integral;
	uint8_t round = cvt_rounding(l, &integral), mods = cvt_flush(l);
	bool is_double = from_type == PTX_F64, cut = needs_cut(l, to, type);
	ref from = wide_float(l, from_type), target = cut ? new_vreg(l, 32) : to;
	bool is_common = !is_double && round == ROUND_RZ && (type == PTX_S32 || type == PTX_U32) &&
		bits_of(l, to) == 32;
	struct draft *d;

	has_modifier(l, PTX_MOD_SAT); /* always */
	if (is_common) {
		convert(l, type == PTX_S32 ? UOP_CVT_S32_F32_RZ : UOP_CVT_U32_F32_RZ, to, from, round, mods);
		return;
	}
	convert(l, is_double ? UOP_CVT_INT_F64 : UOP_CVT_INT_F32, target, from, round, is_double ? 0 : mods);
	d = &l->drafts[l->draft_count - 1];
	d->uop.type = (uint8_t)type;
	d->uop.reg_bytes = bits_of(l, target) == 64 ? 8 : 4;
	if (ptx_type_bits(type) == 64)
		d->uop.latency_class = CLASS_CONVERT_WIDE;
	if (cut)
		cut_to_register(l, to, target);
}

/* To f16 or bf16: one rounding, from whatever the source is; an integral value from its own type. */
static void float_to_half(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	bool integral;
	uint8_t round = cvt_rounding(l, &integral), mods = cvt_saturation(l);

	if (integral) {
		ref whole =
			convert(l, UOP_CVT_F32_F32, new_vreg(l, 32), wide_float(l, from_type), round, MOD_HI);

		convert_format(l, to, type, whole, PTX_F32, ROUND_RN, mods);
		return;
	}
	/* the hardware does not flush what becomes an f16: it rounds subnormal numbers up or down (measured
	 * on an H200) */
	if (from_type == PTX_F32 && cvt_flush(l) && type != PTX_F16)
		mods |= MOD_FTZ;
	if (has_modifier(l, PTX_MOD_RELU))
		mods |= MOD_RELU;
	if (has_modifier(l, PTX_MOD_SATFINITE))
		mods |= MOD_SATFINITE;
	if (type == PTX_F16 && from_type == PTX_F32 && !mods)
		convert(l, UOP_CVT_F16_F32, to, source(l, operand(l, 1), 32, true), round, 0);
	else
		convert_format(l, to, type, source(l, operand(l, 1), ptx_type_bits(from_type), true),
			from_type, round, mods);
}

static void float_to_float(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	bool integral;
	uint8_t round = cvt_rounding(l, &integral), mods = cvt_saturation(l);
	bool from_double = from_type == PTX_F64, to_double = type == PTX_F64;
	bool is_exact = type == PTX_F32 && (from_type == PTX_F16 || from_type == PTX_BF16) && !integral;
	ref from = is_exact ? source(l, operand(l, 1), 16, true) : wide_float(l, from_type);

	if (!from_double || !to_double)
		mods |= cvt_flush(l);
	if (is_exact) {
		convert_format(l, to, type, from, from_type, ROUND_RN, mods);
		return;
	}
	if (integral)
		mods |= MOD_HI;
	convert(l,
		from_double == to_double ? (to_double ? UOP_CVT_F64_F64 : UOP_CVT_F32_F32)
			: to_double      ? UOP_CVT_F64_F32
					 : UOP_CVT_F32_F64,
		to, from, round, mods);
}

static bool is_arithmetic_float(unsigned type)
{
	return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64;
}

static void convert_number(struct lower *l, ref to, unsigned type, unsigned from_type)
{
	if (is_integer_type(type) && is_integer_type(from_type))
		integer_to_integer(l, to, type, from_type);
	else if (is_integer_type(type))
		float_to_integer(l, to, type, from_type);
	else if (is_integer_type(from_type))
		integer_to_float(l, to, type, from_type);
	else if (type == PTX_F16 || type == PTX_BF16)
		float_to_half(l, to, type, from_type);
	else
		float_to_float(l, to, type, from_type);
}

void lower_cvt(struct lower *l)
{
	unsigned type = l->insn->types[0], from_type = l->insn->types[1];
	ref to;

	if (has_modifier(l, PTX_MOD_PACK)) {
		lower_cvt_pack(l);
		return;
	}
	if ((!is_integer_type(type) && !is_arithmetic_float(type)) ||
		(!is_integer_type(from_type) && !is_arithmetic_float(from_type))) {
		lower_format(l);
		return;
	}
	to = destination(l, operand(l, 0));
	if (l->insn->type_count != 2 || l->insn->operand_count != 2 || to == REF_NONE ||
		bits_of(l, to) < ptx_type_bits(type) || bits_of(l, to) > 64) {
		lower_refuse_form(l);
		return;
	}
	if (is_arithmetic_float(type) && bits_of(l, to) == 64 && type != PTX_F64) { /* zeros above */
		ref narrow = new_vreg(l, 32);

		convert_number(l, narrow, type, from_type);
		convert(l, UOP_CVT_U64_U32, to, narrow, 0, 0);
	} else {
		convert_number(l, to, type, from_type);
	}
}
