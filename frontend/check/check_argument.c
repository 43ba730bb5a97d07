/* frontend/check/check_argument.c -- what is passed in a call: a register or a constant against the type of
 * the parameter; the register that holds a function's address. */
#include "frontend/check/check.h"
#include <stdio.h>

static bool is_float_variable(const struct ptx_var *v)
{
	return v->type == PTX_F16 || v->type == PTX_F32 || v->type == PTX_F64;
}

static bool suits_formal(const struct ptx_var *reg, const struct ptx_var *formal)
{
	unsigned have = ptx_type_bits(reg->type), need = ptx_type_bits(formal->type);

	if ((reg->type == PTX_PRED) != (formal->type == PTX_PRED) || formal->dimensions)
		return false;
	if (reg->vector != formal->vector)
		return false;
	if (have != need)
		return false;
	return is_float_variable(reg) == is_float_variable(formal) ||
		(reg->type >= PTX_B8 && reg->type <= PTX_B128) ||
		(formal->type >= PTX_B8 && formal->type <= PTX_B128);
}

static void wrong_register(
	struct ptx_parser *p, const struct ptx_operand *o, const struct ptx_var *formal, const char *what)
{
	const struct ptx_var *reg = o->variable;
	char vector[2][16] = { "", "" };

	if (reg->vector > 1)
		snprintf(vector[0], sizeof(vector[0]), ".v%u ", reg->vector);
	if (formal->vector > 1)
		snprintf(vector[1], sizeof(vector[1]), ".v%u ", formal->vector);
	parse_error(p, o->location, NULL,
		"'%.200s' is a %s.%s register and does not suit the %s of type %s.%s", check_shown(o),
		vector[0], ptx_type_name(reg->type), what, vector[1], ptx_type_name(formal->type));
}

/* With the ABI, which came with PTX ISA 2.0, what is passed has bits, or 32 of them at least, or is a vector.
 */
static bool can_be_passed(const struct ptx_parser *p, const struct ptx_var *formal)
{
	bool is_small = formal->type == PTX_U8 || formal->type == PTX_S8 || formal->type == PTX_U16 ||
		formal->type == PTX_S16 || formal->type == PTX_PRED;

	return !is_small || formal->vector > 1 || is_older(p, 20) || p->module->has_thread_variables ||
		p->module->without_abi;
}

/* A register by itself, without a component or a part of it. */
static bool is_whole_register(const struct ptx_operand *o)
{
	return o->component < 0 && !o->selector;
}

void check_argument(
	struct ptx_parser *p, const struct ptx_operand *o, const struct ptx_var *formal, const char *what)
{
	bool is_constant_float = o->value.kind == PTX_FLOAT32_BITS || o->value.kind == PTX_FLOAT64_BITS;

	if (o->kind == PTX_OP_SYMBOL && o->variable->space == PTX_PARAM && formal->space == PTX_PARAM &&
		o->variable->align != formal->align)
		parse_error(p, o->location, NULL, "'%.200s' is aligned to %llu bytes, the %s to %llu",
			check_shown(o), (unsigned long long)o->variable->align, what,
			(unsigned long long)formal->align);
	else if (o->kind == PTX_OP_SREG || (o->kind == PTX_OP_REG && !is_whole_register(o)))
		parse_error(p, o->location, NULL, "what is passed in a call is a whole register");
	else if (o->kind == PTX_OP_SYMBOL &&
		(o->variable->space != PTX_PARAM || o->value.bits || o->is_element))
		parse_error(p, o->location, "mov its address to a register",
			"'%.200s' cannot be passed in a call", check_shown(o));
	else if ((o->kind == PTX_OP_REG || o->kind == PTX_OP_VALUE) && !can_be_passed(p, formal))
		parse_error(p, o->location, formal->type == PTX_PRED ? NULL : ".b8, .b16",
			"a register or constant cannot be passed to the %s of type .%s", what,
			ptx_type_name(formal->type));
	else if (o->kind == PTX_OP_REG && o->value.bits)
		parse_error(p, o->location, NULL, "a constant cannot be added to an argument");
	else if (o->kind == PTX_OP_REG && o->component < 0 && !suits_formal(o->variable, formal))
		wrong_register(p, o, formal, what);
	else if (o->kind == PTX_OP_VALUE && formal->vector > 1)
		parse_error(p, o->location, NULL, "the %s needs a vector register of %u elements", what,
			formal->vector);
	else if (o->kind == PTX_OP_VALUE && is_float_variable(formal) != is_constant_float &&
		!(formal->type >= PTX_B8 && formal->type <= PTX_B128))
		parse_error(p, o->location, NULL, "this constant does not suit the %s of type .%s", what,
			ptx_type_name(formal->type));
}

void check_call_register(struct ptx_parser *p, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_REG &&
		(!type_is_integer(o->variable->type) || ptx_type_bits(o->variable->type) < 32))
		parse_error(p, o->location, NULL,
			"'%.200s' is a .%s register and holds no address of a function", check_shown(o),
			ptx_type_name(o->variable->type));
}

/* The names of a .calltargets are functions. */
void check_call_list(struct ptx_parser *p, const struct ptx_label *label)
{
	for (uint32_t i = 0; i < label->target_count; i++) {
		const struct ptx_function *f = name_of(label->targets[i])->function;

		if (!f || f->is_entry)
			parse_error(p, label->location, NULL, "'%.200s' is no function that could be called",
				label->targets[i]);
	}
}
