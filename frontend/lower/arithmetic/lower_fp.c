/* frontend/lower/arithmetic/lower_fp.c -- floating-point division, roots and approximations; the rest is in
 * the table of lower_int.c. */
#include "frontend/lower/lower.h"

/* Before ISA 1.4 a form without modifiers was the approximation for f32, flushing subnormals; f64 was
 * rounded. */
static bool is_old_default(struct lower *l)
{
	const struct ptx_module *m = l->module;

	return m->version_major == 1 && m->version_minor < 4 && l->insn->modifier_count == 0 &&
		l->insn->types[0] == PTX_F32;
}

struct float_form {
	uint16_t opcode;
	uint16_t exact32, exact64; /* with a rounding modifier; 0: there is none */
	uint16_t approx32, approx64;
};

static const struct float_form float_forms[] = {
	{ PTX_DIV, UOP_DIV_F32, UOP_DIV_F64, UOP_DIV_APPROX_F32, 0 },
	{ PTX_RCP, UOP_RCP_F32, UOP_RCP_F64, UOP_RCP_APPROX_F32, UOP_RCP_APPROX_F64 },
	{ PTX_SQRT, UOP_SQRT_F32, UOP_SQRT_F64, UOP_SQRT_APPROX_F32, 0 },
	{ PTX_RSQRT, 0, 0, UOP_RSQRT_APPROX_F32, UOP_RSQRT_APPROX_F64 },
	{ PTX_SIN, 0, 0, UOP_SIN_APPROX_F32, 0 },
	{ PTX_COS, 0, 0, UOP_COS_APPROX_F32, 0 },
	{ PTX_LG2, 0, 0, UOP_LG2_APPROX_F32, 0 },
	{ PTX_EX2, 0, 0, UOP_EX2_APPROX_F32, 0 },
	{ PTX_TANH, 0, 0, UOP_TANH_APPROX_F32, 0 },
};

static unsigned float_code(struct lower *l, const struct float_form *form, bool old)
{
	unsigned type = l->insn->types[0];
	bool approx = has_modifier(l, PTX_MOD_APPROX) || old || !form->exact32;

	if (type == PTX_F32)
		return approx ? form->approx32 : form->exact32;
	return type != PTX_F64 ? 0 : approx ? form->approx64 : form->exact64;
}

static void lower_float_form(struct lower *l, const struct float_form *form)
{
	unsigned type = l->insn->types[0], width = ptx_type_bits(type);
	const uint8_t bits[4] = { (uint8_t)width, (uint8_t)width };
	bool old = is_old_default(l);
	unsigned code = float_code(l, form, old);
	struct draft *d;

	if (form->opcode == PTX_DIV && type == PTX_F32 && has_modifier(l, PTX_MOD_FULL))
		code = UOP_DIV_FULL_F32;
	if (!code) {
		lower_refuse_form(l);
		return;
	}
	d = emit_form(l, code, form->opcode == PTX_DIV ? 2 : 1, bits, width);
	float_modifiers(l, d, type);
	if (old)
		d->uop.mods |= MOD_FTZ;
}

void lower_float(struct lower *l)
{
	if (lower_packed(l))
		return;
	for (size_t i = 0; i < sizeof float_forms / sizeof *float_forms; i++)
		if (float_forms[i].opcode == l->insn->opcode) {
			lower_float_form(l, &float_forms[i]);
			return;
		}
	lower_refuse_form(l);
}

/* div: integers are in the table of one-type forms. */
void lower_div(struct lower *l)
{
	if (ptx_type_is_float(l->insn->types[0]))
		lower_float(l);
	else if (!lower_arithmetic(l))
		lower_refuse_form(l);
}

void lower_testp(struct lower *l)
{
	static const uint16_t tests[] = { PTX_MOD_FINITE, PTX_MOD_INFINITE, PTX_MOD_NUMBER,
		PTX_MOD_NOTANUMBER, PTX_MOD_NORMAL, PTX_MOD_SUBNORMAL };
	bool is_double = l->insn->types[0] == PTX_F64;
	const uint8_t bits[4] = { is_double ? 64 : 32 };
	struct draft *d = emit_form(l, is_double ? UOP_TESTP_F64 : UOP_TESTP_F32, 1, bits, 0);

	for (uint32_t i = 0; i < 6; i++)
		if (has_modifier(l, tests[i]))
			d->uop.imm = i;
}
