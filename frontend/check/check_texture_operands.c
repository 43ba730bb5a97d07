/* frontend/check/check_texture_operands.c -- operands of texture and surface instructions: [texture, sampler,
 * {coordinates}], results, levels, gradients, offsets, references. The verdicts are those of the vendor's
 * assembler. */
#include "frontend/check/check_word.h"

static bool bad(const struct check *c, const struct ptx_operand *o, const char *what)
{
	parse_error(c->p, o->location, NULL, "'%.100s' %s", check_word(c), what);
	return false;
}

static bool is_bits(unsigned type)
{
	return type >= PTX_B8 && type <= PTX_B128;
}

/* What a reference operand must be: a variable or parameter of the type, or a handle in a 64-bit register. */
static bool check_reference(const struct check *c, const struct ptx_operand *o, unsigned type)
{
	const struct ptx_var *v = o->variable;

	if (o->kind == PTX_OP_NAME)
		return true; /* reported as undeclared */
	if (o->kind == PTX_OP_SYMBOL && v && v->type == type && v->dimensions) {
		parse_error(c->p, o->location, NULL, "'%.200s' is an array: '%.100s' takes one .%s", v->name,
			check_word(c), ptx_type_name((enum ptx_type)type));
		return false;
	}
	if (o->kind == PTX_OP_SYMBOL && v && !o->value.bits &&
		(v->type == type || (v->space == PTX_TEX && type == PTX_TEXREF)))
		return true;
	if (o->kind == PTX_OP_REG && !o->negated && !o->value.bits && type_is_integer(v->type) &&
		ptx_type_bits(v->type) == 64)
		return true;
	parse_error(c->p, o->location, NULL, "'%.100s' needs a .%s or a 64-bit register with its handle here",
		check_word(c), ptx_type_name((enum ptx_type)type));
	return false;
}

static uint32_t elements_of(const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_VECTOR)
		return o->element_count;
	return o->kind == PTX_OP_REG && o->component < 0 ? o->variable->vector : 1;
}

/* The class of an element: integers and floats exclude each other in one vector, untyped bits go with both.
 */
enum class { CLASS_BITS = 0, CLASS_INTEGER = 1, CLASS_FLOAT = 2, CLASS_OTHER = 4 };

static unsigned operand_class(const struct ptx_operand *o, unsigned bits)
{
	unsigned type;

	if (o->kind == PTX_OP_NAME)
		return CLASS_BITS;
	if (o->kind == PTX_OP_VALUE)
		return o->value.kind <= PTX_UINT ? CLASS_INTEGER : CLASS_FLOAT;
	if (o->kind != PTX_OP_REG || o->negated || o->value.bits)
		return CLASS_OTHER;
	type = o->variable->type;
	if (ptx_type_bits(type) != bits || type == PTX_PRED || (type_is_narrow_float(type) && bits == 32))
		return CLASS_OTHER;
	return is_bits(type) ? CLASS_BITS : ptx_type_is_float(type) ? CLASS_FLOAT : CLASS_INTEGER;
}

/* Elements [from, end) of a vector (or a lone register): 32-bit values of one class. is_float: integers only
 * as whole vectors of registers. */
static bool check_row(const struct check *c, const struct ptx_operand *o, uint32_t from, bool is_float)
{
	const struct ptx_operand *list = o->kind == PTX_OP_VECTOR ? o->elements : o;
	uint32_t count = o->kind == PTX_OP_VECTOR ? o->element_count : 1;
	unsigned classes = 0;

	for (uint32_t i = from; i < count; i++) {
		unsigned class = operand_class(&list[i], 32);

		if (class == CLASS_INTEGER && is_float && list[i].kind == PTX_OP_VALUE)
			return bad(c, &list[i], "needs a floating-point value here");
		if (class == CLASS_OTHER || (class == CLASS_FLOAT && !is_float))
			return bad(c, &list[i],
				is_float ? "needs a 32-bit value here" : "needs a 32-bit integer here");
		classes |= class;
	}
	return classes != (CLASS_INTEGER | CLASS_FLOAT) ||
		bad(c, o, "cannot have integers and floats in one vector");
}

static bool is_vector_size(uint32_t count)
{
	return count == 1 || count == 2 || count == 4;
}

static bool check_coordinates(
	const struct check *c, const struct ptx_operand *o, const struct texture_geometry *g, bool is_float)
{
	uint32_t count = elements_of(o);
	bool is_listed = o->kind == PTX_OP_VECTOR;

	if (!is_vector_size(count) || (is_listed && count < g->coordinates)) {
		parse_error(c->p, o->location, NULL, "'%.100s' takes %u coordinates in braces, not %u",
			check_word(c), g->coordinates, count);
		return false;
	}
	if (!g->is_layered || !is_listed)
		return check_row(c, o, 0, is_float);
	if (operand_class(&o->elements[0], 32) & (CLASS_FLOAT | CLASS_OTHER))
		return bad(c, &o->elements[0], "needs a .u32 layer as the first coordinate");
	return check_row(c, o, 1, is_float);
}

/* [reference, {coordinates}], for textures also [texture, sampler, {coordinates}]. */
static bool check_location(const struct check *c, const struct ptx_operand *o, unsigned type, bool is_float)
{
	const struct texture_geometry *g = texture_geometry_of(c->insn);
	bool is_independent = c->p->module->is_independent;

	if (o->kind != PTX_OP_TEXTURE || o->element_count < 2 || o->element_count > 3)
		return bad(c, o, "needs [reference, {coordinates}]");
	if (!check_reference(c, &o->elements[0], type))
		return false;
	if (type == PTX_TEXREF && is_independent && o->element_count == 2)
		return bad(c, o, "needs a sampler as well: [texture, sampler, {coordinates}]");
	if (o->element_count == 3 &&
		(type != PTX_TEXREF || !check_reference(c, &o->elements[1], PTX_SAMPLERREF)))
		return type == PTX_TEXREF ? false : bad(c, o, "takes no sampler");
	return check_coordinates(c, &o->elements[o->element_count - 1], g, is_float);
}

/* Is the operand a vector of the type with `count` results, none or some of them `_`? */
static bool check_results(const struct check *c, const struct ptx_operand *o)
{
	unsigned type = c->insn->types[0], bits = ptx_type_bits(type), classes = 0, sinks = 0;
	uint32_t count = c->insn->vector;

	if (o->kind == PTX_OP_REG && elements_of(o) == count)
		return operand_class(o, bits) != CLASS_OTHER || bad(c, o, "needs registers of its type here");
	if (o->kind != PTX_OP_VECTOR || o->element_count != count)
		return bad(c, o, "needs its results in braces");
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_operand *e = &o->elements[i];
		unsigned class = e->kind == PTX_OP_SINK ? CLASS_BITS : operand_class(e, bits);

		sinks += e->kind == PTX_OP_SINK;
		if (type == PTX_F16X2 && e->kind == PTX_OP_REG && e->variable->type == PTX_F16X2)
			class = CLASS_BITS;
		if (class == CLASS_OTHER || e->kind == PTX_OP_VALUE ||
			(class == CLASS_FLOAT && !ptx_type_is_float(type)) ||
			(class != CLASS_BITS && type == PTX_F16X2))
			return bad(c, e, "needs registers of its type here");
		classes |= class;
	}
	if (sinks == count)
		return bad(c, o, "throws all its results away");
	return classes != (CLASS_INTEGER | CLASS_FLOAT) ||
		bad(c, o, "cannot have integers and floats in one vector");
}

/* An explicit level, as float or integer as the coordinates are. */
static bool check_level(const struct check *c, const struct ptx_operand *o)
{
	bool is_float = c->insn->types[1] == PTX_F32;
	unsigned class = operand_class(o, 32);

	if (elements_of(o) == 1 && o->kind != PTX_OP_VECTOR &&
		(class == CLASS_BITS || class == (is_float ? CLASS_FLOAT : CLASS_INTEGER)))
		return true;
	return bad(c, o, is_float ? "needs an .f32 level here" : "needs an .s32 level here");
}

static bool check_gradient(
	const struct check *c, const struct ptx_operand *o, const struct texture_geometry *g)
{
	if (o->kind != PTX_OP_VECTOR && elements_of(o) == 1)
		return bad(c, o, "needs a gradient in braces here");
	if (elements_of(o) != g->gradients)
		return bad(c, o, "has a gradient of another size than its geometry");
	for (uint32_t i = 0; i < o->element_count; i++)
		if (operand_class(&o->elements[i], 32) == CLASS_INTEGER)
			return bad(c, &o->elements[i], "needs a floating-point value here");
	return check_row(c, o, 0, true);
}

static bool check_offset(const struct check *c, const struct ptx_operand *o, const struct texture_geometry *g)
{
	if (!g->offsets)
		return bad(c, o, "takes no offset: cubes have none");
	if (o->kind == PTX_OP_VECTOR && (!is_vector_size(o->element_count) || o->element_count < g->offsets))
		return bad(c, o, "has an offset of another size than its geometry");
	return check_row(c, o, 0, false);
}

static bool check_compare(const struct check *c, const struct ptx_operand *o)
{
	unsigned class = operand_class(o, 32);

	if (word_has(c->insn, PTX_MOD_3D) || texture_geometry_of(c->insn)->is_multisampled ||
		c->insn->types[1] != PTX_F32)
		return bad(c, o, "takes no value to compare with");
	return (elements_of(o) == 1 && o->kind != PTX_OP_VECTOR &&
		       (class == CLASS_BITS || class == CLASS_FLOAT)) ||
		bad(c, o, "needs an .f32 value to compare with here");
}

static bool is_compare(const struct ptx_operand *o)
{
	return o->kind != PTX_OP_VECTOR && operand_class(o, 32) == CLASS_FLOAT;
}

static void check_fetch(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;
	const struct texture_geometry *g = texture_geometry_of(insn);
	uint32_t fixed = word_has(insn, PTX_MOD_LEVEL) ? 3 : word_has(insn, PTX_MOD_GRAD) ? 4 : 2, n = fixed;

	if (insn->operand_count < fixed || insn->operand_count > fixed + 2) {
		wrong_word(c->p, insn, NULL, "has too few or too many operands");
		return;
	}
	if (o[0].kind == PTX_OP_PAIR)
		check_value(c, &o[0].elements[1], &(struct want){ PTX_PRED, false, true });
	if (!check_results(c, o[0].kind == PTX_OP_PAIR ? &o[0].elements[0] : &o[0]) ||
		!check_location(c, &o[1], PTX_TEXREF, insn->types[1] == PTX_F32) ||
		(fixed == 3 && !check_level(c, &o[2])) ||
		(fixed == 4 && (!check_gradient(c, &o[2], g) || !check_gradient(c, &o[3], g))))
		return;
	if (n < insn->operand_count && (n + 2 == insn->operand_count || !is_compare(&o[n])) &&
		!check_offset(c, &o[n++], g))
		return;
	if (n < insn->operand_count)
		check_compare(c, &o[n]);
}

/* The data of a surface access: in braces or a vector register; registers may be wider. */
static void check_data(const struct check *c, const struct ptx_operand *o, bool is_written)
{
	uint32_t count = c->insn->vector;

	if (o->kind == PTX_OP_SINK)
		bad(c, o, "cannot throw its result away");
	else if (elements_of(o) != count)
		bad(c, o, "has another number of elements");
	else
		check_value(c, o, &(struct want){ c->insn->types[0], true, is_written });
}

static void check_surface(const struct check *c)
{
	bool is_load = c->insn->opcode == PTX_SULD;
	const struct ptx_operand *o = c->insn->operands;

	if (c->insn->operand_count != 2) {
		wrong_word(c->p, c->insn, NULL, "takes 2 operands");
		return;
	}
	if (!check_location(c, &o[is_load], PTX_SURFREF, false))
		return;
	if (c->insn->opcode == PTX_SURED)
		check_value(c, &o[1], &(struct want){ c->insn->types[0], false, false });
	else
		check_data(c, &o[!is_load], is_load);
}

static unsigned queried(const struct check *c)
{
	bool is_independent = c->p->module->is_independent;

	if (c->insn->opcode == PTX_SUQ)
		return PTX_SURFREF;
	if (word_has(c->insn, PTX_MOD_FORCE_UNNORMALIZED_COORDS) ||
		(is_independent &&
			(word_has(c->insn, PTX_MOD_FILTER_MODE) || word_has(c->insn, PTX_MOD_ADDR_MODE_0) ||
				word_has(c->insn, PTX_MOD_ADDR_MODE_1) ||
				word_has(c->insn, PTX_MOD_ADDR_MODE_2))))
		return PTX_SAMPLERREF;
	return PTX_TEXREF;
}

static void check_query(const struct check *c)
{
	const struct ptx_operand *o = c->insn->operands;
	uint32_t count = 2 + word_has(c->insn, PTX_MOD_LEVEL);

	if (c->insn->operand_count != count) {
		wrong_word(c->p, c->insn, NULL, count == 3 ? "takes 3 operands" : "takes 2 operands");
		return;
	}
	check_value(c, &o[0], &(struct want){ PTX_B32, false, true });
	if (o[1].kind != PTX_OP_ADDRESS || !o[1].base || o[1].value.bits)
		bad(c, &o[1], "needs a reference in brackets");
	else
		check_reference(c, o[1].base, queried(c));
	if (count == 3)
		check_value(c, &o[2], &(struct want){ PTX_U32, false, false });
}

static void check_kind(const struct check *c)
{
	if (c->insn->operand_count != 2) {
		wrong_word(c->p, c->insn, NULL, "takes 2 operands");
		return;
	}
	check_value(c, &c->insn->operands[0], &(struct want){ PTX_PRED, false, true });
	check_value(c, &c->insn->operands[1], &(struct want){ PTX_U64, false, false });
}

bool is_texture_insn(unsigned opcode)
{
	return opcode == PTX_TEX_ || opcode == PTX_TLD4 || opcode == PTX_TXQ || opcode == PTX_SULD ||
		opcode == PTX_SUST || opcode == PTX_SURED || opcode == PTX_SUQ || opcode == PTX_ISTYPEP;
}

void check_texture(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct check c = { p, insn };

	switch (insn->opcode) {
	case PTX_TEX_:
	case PTX_TLD4:
		check_fetch(&c);
		break;
	case PTX_TXQ:
	case PTX_SUQ:
		check_query(&c);
		break;
	case PTX_ISTYPEP:
		check_kind(&c);
		break;
	default:
		check_surface(&c);
	}
}
