/* frontend/lower/lower_operand.c -- the operands of an instruction as references: virtual registers, rows of
 * the constant bank, preloaded special registers. Widths are made to fit here, with an extra micro-operation
 * if need be, so that the groups of instructions need not think of them. */
#include "frontend/lower/lower.h"

#include <string.h>

const struct ptx_operand *operand(const struct lower *l, uint32_t index)
{
	static const struct ptx_operand none = { .kind = PTX_OP_NONE, .component = -1 };

	return index < l->insn->operand_count ? &l->insn->operands[index] : &none;
}

uint64_t variable_offset(const struct ptx_var *v)
{
	return v->offset;
}

bool is_kernel_parameter(const struct lower *l, const struct ptx_var *v)
{
	return v->user == l->kernel;
}

ref constant_ref(struct lower *l, uint64_t value, unsigned bits)
{
	if (bits < 32)
		value &= ((uint64_t)1 << bits) - 1;
	return REF_CONSTANT | bank_value(&l->bank, value, bits == 64);
}

/* A constant as the operation reads it: integers cut to the width, floats rounded to it. */
uint64_t value_bits(const struct ptx_value *value, unsigned bits, bool is_float)
{
	double wide;
	float narrow;
	uint64_t result = value->bits;
	uint32_t word = (uint32_t)value->bits;

	if (value->kind == PTX_FLOAT64_BITS && bits == 32) {
		memcpy(&wide, &value->bits, sizeof wide);
		narrow = (float)wide;
		memcpy(&word, &narrow, sizeof word);
		return word;
	}
	if (value->kind == PTX_FLOAT32_BITS && bits == 64 && is_float) {
		memcpy(&narrow, &word, sizeof narrow);
		wide = (double)narrow;
		memcpy(&result, &wide, sizeof result);
		return result;
	}
	return bits < 64 ? result & (((uint64_t)1 << bits) - 1) : result;
}

bool constant_operand(const struct ptx_operand *o, uint64_t *value)
{
	if (o->kind != PTX_OP_VALUE)
		return false;
	*value = o->value.bits;
	return true;
}

/* The virtual register that a REG operand names: the variable's first one (see number_registers) and its
 * place in it, vector components one after the other. */
static ref register_of(const struct ptx_operand *o)
{
	uint32_t first = (uint32_t)(uintptr_t)o->variable->user;
	uint32_t component = o->component > 0 ? (uint32_t)o->component : 0;

	return first + o->index * o->variable->vector + component;
}

ref register_number(const struct ptx_operand *o)
{
	return register_of(o);
}

static unsigned preload_bits(ref r)
{
	return (r & ~REF_KIND) == PTX_SREG_GRIDID || (r & ~REF_KIND) == PTX_SREG_CURRENT_GRAPH_EXEC ? 64 : 32;
}

unsigned bits_of(const struct lower *l, ref r)
{
	if ((r & REF_KIND) == REF_PRELOAD)
		return preload_bits(r);
	return r & REF_CONSTANT ? 32 : l->vregs[r].bits;
}

/* A register seen at another width: low part, or widened with zeros. Values of up to 16 bits keep the upper
 * bits of their row zero, so only what is cut to 16 bits needs work. */
static ref fit_width(struct lower *l, ref from, unsigned bits)
{
	unsigned have = bits_of(l, from);
	struct draft *d;

	if (have == 0) {
		lower_refuse(l, &l->insn->location, "a predicate cannot be used as a value");
		return constant_ref(l, 0, bits);
	}
	if (have > 64) {
		d = emit(l, UOP_UNPACK_B128_2);
		d->src[0] = from;
		return fit_width(l, d->dst[0] = new_vreg(l, 64), bits);
	}
	if (have == bits || (have < 32 && bits == 32) || (have < bits && bits < 32))
		return from;
	if (bits == 64 || (have == 64 && bits == 32)) {
		d = emit(l, bits == 64 ? UOP_CVT_U64_U32 : UOP_CVT_B32_B64);
	} else {
		d = emit(l, UOP_CVT_INT);
		d->uop.type = PTX_U16;
		d->uop.compare = have == 64 ? PTX_U64 : PTX_U32;
		d->uop.reg_bytes = 4;
	}
	d->src[0] = from;
	return d->dst[0] = new_vreg(l, bits);
}

static bool is_fixed_sreg(unsigned sreg)
{
	static const bool fixed[PTX_SREG_COUNT] = {
#define SREG(id, spelling, type, is_fixed_sreg) [PTX_SREG_##id] = is_fixed_sreg,
#include "frontend/tables/sregs.def"
#undef SREG
	};

	return fixed[sreg];
}

static unsigned sreg_bits(unsigned sreg)
{
	static const uint8_t type[PTX_SREG_COUNT] = {
#define SREG(id, spelling, type, is_fixed_sreg) [PTX_SREG_##id] = type,
#include "frontend/tables/sregs.def"
#undef SREG
	};

	return ptx_type_bits(type[sreg]);
}

static ref special_register(struct lower *l, const struct ptx_operand *o)
{
	struct draft *d;

	if (is_fixed_sreg(o->sreg))
		return REF_PRELOAD | o->sreg;
	d = emit(l, UOP_MOV_SREG);
	d->uop.imm = o->sreg;
	d->dst[0] = new_vreg(l, sreg_bits(o->sreg));
	d->uop.reg_bytes = (uint8_t)(bits_of(l, d->dst[0]) / 8);
	return d->dst[0];
}

/* The address of a variable in the frame. */
static ref frame_address(struct lower *l, const struct ptx_var *v, uint64_t offset, unsigned bits)
{
	struct draft *d;

	if (is_frame_absolute(l, v))
		return constant_ref(l, offset, bits);
	d = emit(l, bits == 64 ? UOP_FRAME_B64 : UOP_FRAME_B32);
	d->uop.imm = (int64_t)offset;
	return d->dst[0] = new_vreg(l, bits);
}

static ref function_address(struct lower *l, const struct ptx_operand *o, unsigned bits)
{
	const struct ptx_function *definition = definition_of(l, o->function);

	if (!definition) {
		lower_refuse_function(l, &o->location, o->function->name);
		return constant_ref(l, 0, bits);
	}
	return constant_ref(l, code_address(l, definition), bits);
}

/* The address of what was passed for a list of any length. */
static ref list_address(struct lower *l, const struct ptx_var *v, int64_t addend, unsigned bits)
{
	ref address = argument_list_address(l, v), constant = constant_ref(l, (uint64_t)addend, 32);
	struct draft *d;

	if (addend) {
		d = emit(l, UOP_ADD_B32);
		d->src[0] = address;
		d->src[1] = constant;
		address = d->dst[0] = new_vreg(l, 32);
	}
	return fit_width(l, address, bits);
}

/* The address of a variable in its own space, plus what the operand adds. */
static ref symbol_address(struct lower *l, const struct ptx_operand *o, unsigned bits)
{
	const struct ptx_var *v = o->variable;
	int64_t addend = (int64_t)o->value.bits;

	if (!v) {
		lower_refuse(
			l, &o->location, "the address of '%s' is not executed yet", o->name ? o->name : "?");
		return constant_ref(l, 0, bits);
	}
	if (addend && (v->type >= PTX_TEXREF || v->space == PTX_TEX))
		lower_refuse(l, &o->location, "'%s' is a .%s: nothing can be added to its handle", v->name,
			ptx_type_name(v->type));
	switch (v->space) {
	case PTX_GLOBAL:
	case PTX_CONST:
		if (bits < 64 && v->space == PTX_CONST)
			l->image->has_narrow_addresses = true;
		else if (bits < 64)
			accept_narrow(l, o);
		return REF_CONSTANT | bank_address(&l->bank, symbol_index(v), addend, bits == 64);
	case PTX_TEX:
		return REF_CONSTANT | bank_address(&l->bank, symbol_index(v), addend, bits == 64);
	case PTX_PARAM:
		if (is_argument_list(v))
			return list_address(l, v, addend, bits);
		if (!is_kernel_parameter(l, v))
			return frame_address(l, v, variable_offset(v) + (uint64_t)addend, bits);
		/* fall through */
	case PTX_SHARED:
		return constant_ref(l, variable_offset(v) + (uint64_t)addend, bits);
	case PTX_LOCAL:
		return frame_address(l, v, variable_offset(v) + (uint64_t)addend, bits);
	default:
		break;
	}
	lower_refuse(l, &o->location, "the address of '%s' (.%s) is not executed yet", v->name,
		ptx_space_name(v->space));
	return constant_ref(l, 0, bits);
}

/* `r+8` where no address is meant. */
static ref register_and_constant(struct lower *l, const struct ptx_operand *o)
{
	unsigned bits = l->vregs[register_of(o)].bits;
	struct draft *d = emit(l, bits == 64 ? UOP_ADD_B64 : bits == 32 ? UOP_ADD_B32 : UOP_ADD_B16);

	d->src[0] = register_of(o);
	d->src[1] = constant_ref(l, o->value.bits, bits);
	return d->dst[0] = new_vreg(l, bits);
}

ref source_register(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SREG)
		return special_register(l, o);
	if (o->kind == PTX_OP_REG && !o->negated && !o->selector)
		return o->value.bits ? register_and_constant(l, o) : register_of(o);
	lower_refuse_form(l);
	return REF_CONSTANT;
}

ref source(struct lower *l, const struct ptx_operand *o, unsigned bits, bool is_float)
{
	switch (o->kind) {
	case PTX_OP_VALUE:
		return constant_ref(l, value_bits(&o->value, bits, is_float), bits);
	case PTX_OP_SYMBOL:
		return symbol_address(l, o, bits);
	case PTX_OP_FUNCTION:
		return function_address(l, o, bits);
	case PTX_OP_VECTOR: /* {r}: a list of one */
		if (o->element_count == 1)
			return source(l, &o->elements[0], bits, is_float);
		break;
	case PTX_OP_REG:
	case PTX_OP_SREG:
		return fit_width(l, source_register(l, o), bits);
	default:
		break;
	}
	lower_refuse_form(l);
	return constant_ref(l, 0, bits);
}

/* A special register that is a predicate: a warp begins with 0 or 1 in the register's row. */
static ref special_predicate(struct lower *l, const struct ptx_operand *o)
{
	ref zero = constant_ref(l, 0, 32);
	struct draft *d = emit(l, UOP_SETP_U32);

	d->uop.compare = CMP_NE;
	d->src[0] = REF_PRELOAD | o->sreg;
	d->src[1] = zero;
	return d->dst[0] = new_vreg(l, 0);
}

ref predicate_source(struct lower *l, const struct ptx_operand *o, bool *negated)
{
	*negated = o->negated;
	if (o->kind == PTX_OP_SREG && o->sreg == PTX_SREG_IS_EXPLICIT_CLUSTER)
		return special_predicate(l, o);
	if (o->kind == PTX_OP_VALUE) {
		*negated = false;
		return REF_CONSTANT | (uint32_t)((o->value.bits != 0) != o->negated);
	}
	if (o->kind == PTX_OP_REG && l->vregs[register_of(o)].bits == 0)
		return register_of(o);
	lower_refuse_form(l);
	*negated = false;
	return REF_CONSTANT;
}

ref destination(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_REG && !o->negated)
		return register_of(o);
	if (o->kind == PTX_OP_VECTOR && o->element_count == 1)
		return destination(l, &o->elements[0]);
	if (o->kind != PTX_OP_SINK && o->kind != PTX_OP_NONE)
		lower_refuse_form(l);
	return REF_NONE;
}

ref result(struct lower *l, const struct ptx_operand *o, unsigned bits)
{
	ref r = destination(l, o);

	if (r == REF_NONE)
		return new_vreg(l, bits);
	if (rows_of(bits_of(l, r)) != rows_of(bits)) {
		lower_refuse(l, &o->location, "'%s' is %u bits wide, the result %u",
			o->name ? o->name : "the register", bits_of(l, r), bits);
		return new_vreg(l, bits);
	}
	return r;
}
