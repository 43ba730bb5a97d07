/* frontend/check/check_value.c -- does a register, a literal, an address suit a type? Bits of the same width
 * always do; integers do not ask for signedness; loads, stores and conversions take wider registers. */
#include "frontend/check/check.h"
#include "frontend/tables/special.h"
#include <stdio.h>
#include <string.h>

const char *check_word(const struct check *c)
{
	return c->insn->form->spelling;
}

const char *check_shown(const struct ptx_operand *o)
{
	return o->name ? o->name : "this operand";
}

bool type_is_integer(unsigned type)
{
	return !ptx_type_is_float(type) && type != PTX_PRED && type < PTX_TEXREF;
}

static bool is_bits(unsigned type)
{
	return type >= PTX_B8 && type <= PTX_B128;
}

/* f16, bf16x2, tf32, e4m3x2 ...: usually kept in registers of untyped bits. */
bool type_is_narrow_float(unsigned type)
{
	return ptx_type_is_float(type) && type != PTX_F32 && type != PTX_F64;
}

static bool same_class(unsigned reg, unsigned type)
{
	if (is_bits(reg) || is_bits(type))
		return true;
	if (reg == PTX_F16X2 && type_is_integer(type)) /* passes for .b32 */
		return true;
	if (type_is_narrow_float(type) || type_is_narrow_float(reg))
		return reg == type;
	return ptx_type_is_float(reg) == ptx_type_is_float(type);
}

static bool size_fits(unsigned reg, const struct want *want)
{
	unsigned have = ptx_type_bits(reg), need = ptx_type_bits(want->type);

	if (want->may_be_wider && (!ptx_type_is_float(reg) || reg == PTX_F16X2 || is_bits(want->type)))
		return have >= need;
	return have == need;
}

static void wrong_register(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned reg = o->variable->type;
	char hint[64];

	if (want->type == PTX_PRED || reg == PTX_PRED)
		snprintf(hint, sizeof(hint),
			want->type == PTX_PRED ? "a predicate is needed" : "not a predicate");
	else if (!size_fits(reg, want))
		snprintf(hint, sizeof(hint), "%u bits%s are needed", ptx_type_bits(want->type),
			want->may_be_wider && type_is_integer(want->type) ? " or more" : "");
	else
		snprintf(hint, sizeof(hint), "a .%s register is needed", ptx_type_name(want->type));
	parse_error(c->p, o->location, hint, "'%.200s' is a .%s register and does not suit '%.100s'",
		check_shown(o), ptx_type_name(reg), check_word(c));
}

/* r+8: the sum of an integer register and a constant, where the register alone could be read. */
static bool takes_offset(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned bits = ptx_type_bits(o->variable->type);
	const char *what = NULL;

	if (want->is_written)
		what = "a sum cannot be written";
	else if (o->negated || o->selector || is_whole_vector(c, o))
		what = "a constant can be added to a scalar register only";
	else if (!type_is_integer(want->type) || !type_is_integer(o->variable->type) || bits < 16 ||
		bits > 64)
		what = "a constant can be added to an integer register only";
	if (what)
		parse_error(c->p, o->location, NULL, "%s", what);
	return !what;
}

static void check_register(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned reg = o->variable->type;
	bool is_pred = reg == PTX_PRED || want->type == PTX_PRED;

	if (o->value.bits && !takes_offset(c, o, want))
		return;
	if (o->selector)
		parse_error(
			c->p, o->location, NULL, "a part of a register can stand in video instructions only");
	else if (o->negated && want->type != PTX_PRED)
		parse_error(c->p, o->location, NULL, "'%.200s' cannot be negated here", check_shown(o));
	else if (o->negated && want->is_written)
		parse_error(c->p, o->location, NULL, "a predicate that is written cannot be negated");
	else if (is_pred ? reg != want->type : !same_class(reg, want->type) || !size_fits(reg, want))
		wrong_register(c, o, want);
}

/* A special register whose value is a constant. */
static void check_fixed(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned type = special_type(o->name), bits = ptx_type_bits(type);

	if (c->insn->opcode != PTX_MOV && c->insn->opcode != PTX_CVT)
		parse_error(c->p, o->location, "mov.u32 %r, ...", "'%s' can be read by 'mov' and 'cvt' only",
			o->name);
	else if (!type_is_integer(want->type) || ptx_type_bits(want->type) > bits)
		parse_error(c->p, o->location, NULL, "'%s' has %u bits and does not suit '%.100s'", o->name,
			bits, check_word(c));
}

static void check_literal(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	bool is_float = o->value.kind == PTX_FLOAT32_BITS || o->value.kind == PTX_FLOAT64_BITS;
	unsigned bits = o->value.kind == PTX_FLOAT32_BITS ? 32 : 64;
	char hint[64];

	if (o->name && o->name[0] == '%') {
		check_fixed(c, o, want);
		return;
	}
	if (type_is_narrow_float(want->type)) {
		parse_error(c->p, o->location, NULL,
			"'%.100s' takes no literal for .%s: a register is needed", check_word(c),
			ptx_type_name(want->type));
	} else if (want->type == PTX_U16X2 || want->type == PTX_S16X2) {
		parse_error(c->p, o->location, NULL, "'%.100s' takes no literal", check_word(c));
	} else if (!is_float && ptx_type_is_float(want->type)) {
		snprintf(hint, sizeof(hint), "write %lld.0", (long long)o->value.bits);
		parse_error(c->p, o->location, hint, "'%.100s' takes no integer literal", check_word(c));
	} else if (is_float && !ptx_type_is_float(want->type) &&
		!(is_bits(want->type) && ptx_type_bits(want->type) == bits)) {
		parse_error(c->p, o->location, NULL, "'%.100s' takes no %sfloating-point literal",
			check_word(c),
			is_bits(want->type) && want->type >= PTX_B32 ? bits == 32 ? "32-bit " : "64-bit "
								     : "");
	}
}

void check_sreg(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	static const uint8_t types[] = {
#define SREG(id, spelling, type, is_fixed) type,
#include "frontend/tables/sregs.def"
#undef SREG
	};
	unsigned bits = ptx_type_bits(types[o->sreg]), need = ptx_type_bits(want->type);
	bool is_pred = types[o->sreg] == PTX_PRED, suits = is_pred == (want->type == PTX_PRED);
	bool is_exact = bits == 64 && o->sreg != PTX_SREG_GRIDID && c->insn->opcode == PTX_MOV;

	if (want->is_written)
		parse_error(c->p, o->location, NULL, "'%s' cannot be written", ptx_sreg_name(o->sreg));
	else if (o->value.bits)
		parse_error(c->p, o->location, NULL, "a constant cannot be added to '%s'",
			ptx_sreg_name(o->sreg));
	else if (c->insn->opcode != PTX_MOV && (c->insn->opcode != PTX_CVT || is_pred))
		parse_error(c->p, o->location, "mov.u32 %r, ...", "'%s' can be read by 'mov' and 'cvt' only",
			ptx_sreg_name(o->sreg));
	else if (is_pred && !suits)
		parse_error(c->p, o->location, NULL, "'%s' is a predicate and does not suit '%.100s'",
			ptx_sreg_name(o->sreg), check_word(c));
	else if (is_pred)
		return;
	else if (!type_is_integer(want->type) || (is_exact ? need != bits : need > bits))
		parse_error(c->p, o->location, NULL, "'%s' has %u bits and does not suit '%.100s'",
			ptx_sreg_name(o->sreg), bits, check_word(c));
}

/* The address of a variable or a function as a value: as wide as an address, or 32 bits within a small space.
 */
static void check_symbol(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	unsigned bits = ptx_type_bits(want->type);
	bool is_global = o->kind == PTX_OP_SYMBOL && o->variable->space == PTX_GLOBAL;

	if (want->is_written)
		parse_error(c->p, o->location, NULL, "'%.200s' is no register", check_shown(o));
	else if (c->insn->opcode != PTX_MOV && c->insn->opcode != PTX_CVTA)
		parse_error(c->p, o->location, "mov.u64 %rd, ...", "'%.100s' takes no address of a variable",
			check_word(c));
	else if (!type_is_integer(want->type) || (bits != 32 && bits != 64) ||
		(bits < 64 && is_global && !c->p->module->has_narrow_addresses))
		parse_error(c->p, o->location, NULL, "the address of '%.200s' does not suit '%.100s'",
			check_shown(o), check_word(c));
}

static bool has_mixed_widths(const struct ptx_operand *list)
{
	unsigned bits = 0;

	for (uint32_t i = 0; i < list->element_count; i++) {
		const struct ptx_operand *o = &list->elements[i];

		if (o->kind != PTX_OP_REG)
			continue;
		if (bits && bits != ptx_type_bits(o->variable->type))
			return true;
		bits = ptx_type_bits(o->variable->type);
	}
	return false;
}

/* In braces a load or store of .f32 takes 32-bit registers of any kind, .f64 likewise. */
static bool takes_any_class(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	return (c->insn->opcode == PTX_LD || c->insn->opcode == PTX_ST) && o->kind == PTX_OP_REG &&
		!o->negated && ptx_type_is_float(want->type) && type_is_integer(o->variable->type) &&
		ptx_type_bits(o->variable->type) == ptx_type_bits(want->type);
}

/* {a, b}: the parts of a vector access, or what mov packs and unpacks. */
static bool has_sinks_alone(const struct ptx_operand *o)
{
	for (uint32_t i = 0; i < o->element_count; i++)
		if (o->elements[i].kind != PTX_OP_SINK)
			return false;
	return true;
}

static void check_vector(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	struct want part = *want;
	unsigned count = c->insn->vector;

	if (c->insn->opcode == PTX_MOV && count == 1) {
		unsigned bits = o->element_count ? ptx_type_bits(want->type) / o->element_count : 0;

		part.type = bits == 8 ? PTX_B8
			: bits == 16  ? PTX_B16
			: bits == 32  ? PTX_B32
			: bits == 64  ? PTX_B64
			: bits == 128 ? PTX_B128
				      : PTX_NO_TYPE;
		if (o->element_count > 4 || !is_bits(want->type) || part.type == PTX_NO_TYPE ||
			bits * o->element_count != ptx_type_bits(want->type)) {
			parse_error(c->p, o->location, NULL, "%u elements do not suit '%.100s'",
				o->element_count, check_word(c));
			return;
		}
	} else if (o->element_count != count) {
		parse_error(c->p, o->location, NULL, "'%.100s' takes %u element%s, not %u", check_word(c),
			count, count == 1 ? "" : "s", o->element_count);
		return;
	}
	if (has_mixed_widths(o))
		parse_error(c->p, o->location, NULL, "the registers in braces have different widths");
	if (want->is_written && has_sinks_alone(o))
		parse_error(c->p, o->location, NULL, "'%.100s' throws all its results away", check_word(c));
	for (uint32_t i = 0; i < o->element_count; i++) {
		if (o->elements[i].kind == PTX_OP_SINK &&
			(want->is_written ||
				(c->insn->opcode == PTX_ST &&
					c->insn->vector * ptx_type_bits(c->insn->types[0]) > 128)))
			continue;
		if (takes_any_class(c, &o->elements[i], want))
			continue;
		if (o->elements[i].kind == PTX_OP_VECTOR)
			parse_error(c->p, o->elements[i].location, NULL, "braces within braces");
		else if (o->elements[i].kind == PTX_OP_REG && o->elements[i].value.bits)
			parse_error(c->p, o->elements[i].location, NULL,
				"a constant cannot be added to a register in braces");
		else
			check_value(c, &o->elements[i], &part);
	}
}

bool is_whole_vector(const struct check *c, const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->component < 0 && o->variable->vector > 1;
}

void check_value(const struct check *c, const struct ptx_operand *o, const struct want *want)
{
	const char *what = NULL;

	switch (o->kind) {
	case PTX_OP_REG:
		check_register(c, o, want);
		return;
	case PTX_OP_VALUE:
		if (!want->is_written) {
			check_literal(c, o, want);
			return;
		}
		what = "a constant cannot be written";
		break;
	case PTX_OP_SREG:
		check_sreg(c, o, want);
		return;
	case PTX_OP_SYMBOL:
	case PTX_OP_FUNCTION:
		check_symbol(c, o, want);
		return;
	case PTX_OP_VECTOR:
		check_vector(c, o, want);
		return;
	case PTX_OP_NAME:
		return; /* reported as undeclared */
	case PTX_OP_ADDRESS:
	case PTX_OP_TEXTURE:
		what = "an address in brackets cannot stand here";
		break;
	case PTX_OP_LABEL:
		what = "a label has no address that could be used";
		break;
	case PTX_OP_SINK:
		what = "'_' cannot stand here";
		break;
	case PTX_OP_PAIR:
		what = "a pair 'a|b' cannot stand here";
		break;
	default:
		what = "a list cannot stand here";
		break;
	}
	parse_error(c->p, o->location, NULL, "%s", what);
}
