/* frontend/check_texture.c -- tex, tld4, txq, suld, sust, sured, suq, istypep: which forms there are, and
 * operands in their own shapes: [texture, sampler, {coordinates}], offsets, references. The verdicts are
 * those of the vendor's assembler. */
#include "frontend/check.h"

static bool wrong(struct ptx_parser *p, const struct ptx_insn *insn, const char *hint, const char *what)
{
	parse_error(p, insn->place, hint, "'%.100s' %s", insn->form->spelling, what);
	return false;
}

static bool has(const struct ptx_insn *insn, unsigned modifier)
{
	return form_has(insn->form, modifier);
}

/* A geometry: how many elements its coordinate vector has (padding included), those of gradients and offsets.
 */
struct geometry {
	uint16_t modifier;
	uint8_t coordinates, gradients, offsets; /* offsets 0: it takes none */
	bool is_layered, is_float, is_multisampled;
};

static const struct geometry geometries[] = {
	{ PTX_MOD_1D, 1, 1, 1, false, false, false },
	{ PTX_MOD_2D, 2, 2, 2, false, false, false },
	{ PTX_MOD_3D, 4, 4, 4, false, false, false },
	{ PTX_MOD_A1D, 2, 1, 1, true, false, false },
	{ PTX_MOD_A2D, 4, 2, 2, true, false, false },
	{ PTX_MOD_CUBE, 4, 4, 0, false, true, false },
	{ PTX_MOD_ACUBE, 4, 4, 0, true, true, false },
	{ PTX_MOD_2DMS, 4, 0, 2, false, false, true },
	{ PTX_MOD_A2DMS, 4, 0, 2, true, false, true },
};
#define GEOMETRIES (sizeof(geometries) / sizeof(geometries[0]))

/* The one geometry of the instruction; NULL if there is none, or several. */
static const struct geometry *geometry_of(const struct ptx_insn *insn)
{
	const struct geometry *found = NULL;

	for (size_t i = 0; i < GEOMETRIES; i++) {
		if (!has(insn, geometries[i].modifier))
			continue;
		if (found)
			return NULL;
		found = &geometries[i];
	}
	return found;
}

static unsigned count_of(const struct ptx_insn *insn, const uint16_t *list)
{
	unsigned count = 0;

	for (; *list != MODIFIERS_END; list++)
		count += has(insn, *list);
	return count;
}
#define HOW_MANY(insn, ...) count_of((insn), (const uint16_t[]){ __VA_ARGS__, MODIFIERS_END })

/* -- forms -- */

static bool fetch_types(struct ptx_parser *p, const struct ptx_insn *insn, const struct geometry *g)
{
	unsigned to = insn->types[0], from = insn->types[1];
	bool is_half = to == PTX_F16 || to == PTX_F16X2;

	if (insn->type_count != 2 || (to != PTX_F32 && to != PTX_U32 && to != PTX_S32 && !is_half) ||
		(from != PTX_F32 && from != PTX_S32) ||
		(insn->opcode == PTX_TLD4 && (is_half || from == PTX_S32)))
		return wrong(
			p, insn, "tex.2d.v4.f32.f32", "needs the types of its result and of its coordinates");
	if (insn->vector != (to == PTX_F16X2 ? 2 : 4))
		return wrong(p, insn, to == PTX_F16X2 ? ".v2" : ".v4", "has another number of results");
	if (g->is_float && from != PTX_F32)
		return wrong(p, insn, ".f32", "needs floating-point coordinates");
	if (g->is_multisampled && from != PTX_S32)
		return wrong(p, insn, ".s32", "needs integer coordinates");
	return true;
}

static bool fetch_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const struct geometry *g = geometry_of(insn);
	unsigned modes = HOW_MANY(insn, PTX_MOD_BASE, PTX_MOD_LEVEL, PTX_MOD_GRAD);
	bool is_gather = insn->opcode == PTX_TLD4;

	if (!g)
		return wrong(p, insn, ".1d .2d .3d .a1d .a2d .cube .acube", "needs one geometry");
	if (modes > 1 || (is_gather && modes))
		return wrong(p, insn, NULL, "takes one of '.base', '.level' and '.grad' at most, tld4 none");
	if (g->is_multisampled && HOW_MANY(insn, PTX_MOD_LEVEL, PTX_MOD_GRAD))
		return wrong(p, insn, NULL, "is not defined: a multi-sample texture has one level");
	if (is_gather && HOW_MANY(insn, PTX_MOD_R, PTX_MOD_G, PTX_MOD_B, PTX_MOD_A) != 1)
		return wrong(p, insn, ".r .g .b .a", "needs one component");
	if (is_gather && !HOW_MANY(insn, PTX_MOD_2D, PTX_MOD_A2D, PTX_MOD_CUBE, PTX_MOD_ACUBE))
		return wrong(p, insn, ".2d .a2d .cube .acube", "is not defined for this geometry");
	return fetch_types(p, insn, g);
}

static bool surface_shape(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned bits = insn->type_count ? ptx_type_bits(insn->types[0]) : 0;

	if (!geometry_of(insn))
		return wrong(p, insn, ".1d .2d .3d .a1d .a2d", "needs one geometry");
	if (HOW_MANY(insn, PTX_MOD_B, PTX_MOD_P) != 1)
		return wrong(p, insn, ".b or .p", "needs one of '.b' and '.p'");
	if (HOW_MANY(insn, PTX_MOD_TRAP, PTX_MOD_CLAMP, PTX_MOD_ZERO) != 1)
		return wrong(p, insn, ".trap, .clamp or .zero", "must say what happens out of range");
	if (HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_CV, PTX_MOD_WB, PTX_MOD_WT) > 1)
		return wrong(p, insn, NULL, "has several cache operators");
	if (insn->type_count != 1)
		return wrong(p, insn, NULL, "needs one type");
	return bits * insn->vector <= 128 ||
	       wrong(p, insn, NULL, "is too wide: a vector has at most 16 bytes");
}

static bool access_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0];
	bool is_load = insn->opcode == PTX_SULD;

	if (!surface_shape(p, insn))
		return false;
	if (is_load && has(insn, PTX_MOD_P))
		return wrong(p, insn, "suld.b", "is not defined: loads are unformatted");
	if (has(insn, PTX_MOD_P) ? type != PTX_B32
				 : type != PTX_B8 && type != PTX_B16 && type != PTX_B32 && type != PTX_B64)
		return wrong(p, insn, has(insn, PTX_MOD_P) ? ".b32" : ".b8 .b16 .b32 .b64",
			"is not defined for this type");
	if (is_load ? HOW_MANY(insn, PTX_MOD_WB, PTX_MOD_WT) : HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CV))
		return wrong(p, insn, NULL, "does not take this cache operator");
	return true;
}

static bool reduction_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned type = insn->types[0];
	bool is_logic = HOW_MANY(insn, PTX_MOD_AND, PTX_MOD_OR), is_known;

	if (!surface_shape(p, insn))
		return false;
	if (HOW_MANY(insn, PTX_MOD_ADD, PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_AND, PTX_MOD_OR) != 1)
		return wrong(p, insn, ".add .min .max .and .or", "needs one operation");
	if (HOW_MANY(insn, PTX_MOD_A1D, PTX_MOD_A2D))
		return wrong(p, insn, ".1d .2d .3d", "is not defined for layers");
	if (HOW_MANY(insn, PTX_MOD_CA, PTX_MOD_CG, PTX_MOD_CS, PTX_MOD_CV, PTX_MOD_WB, PTX_MOD_WT))
		return wrong(p, insn, NULL, "takes no cache operator");
	if (has(insn, PTX_MOD_P) || is_logic)
		is_known = type == PTX_B32;
	else
		is_known = type == PTX_U32 || type == PTX_S32 || (type == PTX_U64 && has(insn, PTX_MOD_ADD));
	return (is_known && insn->vector == 1) || wrong(p, insn, NULL, "is not defined for this type");
}

static bool query_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned sizes = HOW_MANY(insn, PTX_MOD_WIDTH, PTX_MOD_HEIGHT, PTX_MOD_DEPTH);
	unsigned both = sizes + HOW_MANY(insn, PTX_MOD_CHANNEL_DATA_TYPE, PTX_MOD_CHANNEL_ORDER,
					PTX_MOD_ARRAY_SIZE, PTX_MOD_MEMORY_LAYOUT);
	unsigned texture = HOW_MANY(insn, PTX_MOD_NORMALIZED_COORDS, PTX_MOD_NUM_MIPMAP_LEVELS,
		PTX_MOD_NUM_SAMPLES, PTX_MOD_FORCE_UNNORMALIZED_COORDS, PTX_MOD_FILTER_MODE,
		PTX_MOD_ADDR_MODE_0, PTX_MOD_ADDR_MODE_1, PTX_MOD_ADDR_MODE_2);
	unsigned level = has(insn, PTX_MOD_LEVEL);

	if (insn->opcode == PTX_SUQ ? both != 1 || texture || level : both + texture != 1)
		return wrong(p, insn, ".width .height .depth .array_size ...", "needs one query");
	if (level && sizes != 1)
		return wrong(p, insn, ".width .height .depth", "has no such query of a level");
	return insn->modifier_count == 1 + level ||
	       wrong(p, insn, NULL, "has a modifier that is not known here");
}

bool check_texture_form(struct ptx_parser *p, const struct ptx_insn *insn)
{
	switch (insn->opcode) {
	case PTX_TEX_:
	case PTX_TLD4:
		return fetch_form(p, insn);
	case PTX_SULD:
	case PTX_SUST:
		return access_form(p, insn);
	case PTX_SURED:
		return reduction_form(p, insn);
	case PTX_TXQ:
	case PTX_SUQ:
		return query_form(p, insn);
	default: /* istypep */
		return insn->modifier_count == 1 ||
		       wrong(p, insn, ".texref .samplerref .surfref", "needs one kind");
	}
}

/* -- operands -- */

static bool bad(const struct check *c, const struct ptx_operand *o, const char *what)
{
	parse_error(c->p, o->place, NULL, "'%.100s' %s", check_word(c), what);
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
	if (o->kind == PTX_OP_SYMBOL && v && !o->value.bits &&
		(v->type == type || (v->space == PTX_TEX && type == PTX_TEXREF)))
		return true;
	if (o->kind == PTX_OP_REG && !o->negated && !o->value.bits && type_is_integer(v->type) &&
		ptx_type_bits(v->type) == 64)
		return true;
	parse_error(c->p, o->place, NULL, "'%.100s' needs a .%s or a 64-bit register with its handle here",
		check_word(c), ptx_type_name((enum ptx_type)type));
	return false;
}

static uint32_t elements_of(const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_VECTOR)
		return o->element_count;
	return o->kind == PTX_OP_REG && o->component < 0 ? o->variable->vector : 1;
}

/* The class of an element: integers and floats exclude each other in one vector, plain bits go with both. */
enum class { CLASS_BITS = 0, CLASS_INTEGER = 1, CLASS_FLOAT = 2, CLASS_OTHER = 4 };

static unsigned class_of(const struct ptx_operand *o, unsigned bits)
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
		unsigned class = class_of(&list[i], 32);

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
	const struct check *c, const struct ptx_operand *o, const struct geometry *g, bool is_float)
{
	uint32_t count = elements_of(o);
	bool is_listed = o->kind == PTX_OP_VECTOR;

	if (!is_vector_size(count) || (is_listed && count < g->coordinates)) {
		parse_error(c->p, o->place, NULL, "'%.100s' takes %u coordinates in braces, not %u",
			check_word(c), g->coordinates, count);
		return false;
	}
	if (!g->is_layered || !is_listed)
		return check_row(c, o, 0, is_float);
	if (class_of(&o->elements[0], 32) & (CLASS_FLOAT | CLASS_OTHER))
		return bad(c, &o->elements[0], "needs a .u32 layer as the first coordinate");
	return check_row(c, o, 1, is_float);
}

/* [reference, {coordinates}], for textures also [texture, sampler, {coordinates}]. */
static bool check_place(const struct check *c, const struct ptx_operand *o, unsigned type, bool is_float)
{
	const struct geometry *g = geometry_of(c->insn);
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
		return class_of(o, bits) != CLASS_OTHER || bad(c, o, "needs registers of its type here");
	if (o->kind != PTX_OP_VECTOR || o->element_count != count)
		return bad(c, o, "needs its results in braces");
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_operand *e = &o->elements[i];
		unsigned class = e->kind == PTX_OP_SINK ? CLASS_BITS : class_of(e, bits);

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
	unsigned class = class_of(o, 32);

	if (elements_of(o) == 1 && o->kind != PTX_OP_VECTOR &&
		(class == CLASS_BITS || class == (is_float ? CLASS_FLOAT : CLASS_INTEGER)))
		return true;
	return bad(c, o, is_float ? "needs an .f32 level here" : "needs an .s32 level here");
}

static bool check_gradient(const struct check *c, const struct ptx_operand *o, const struct geometry *g)
{
	if (o->kind != PTX_OP_VECTOR && elements_of(o) == 1)
		return bad(c, o, "needs a gradient in braces here");
	if (elements_of(o) != g->gradients)
		return bad(c, o, "has a gradient of another size than its geometry");
	for (uint32_t i = 0; i < o->element_count; i++)
		if (class_of(&o->elements[i], 32) == CLASS_INTEGER)
			return bad(c, &o->elements[i], "needs a floating-point value here");
	return check_row(c, o, 0, true);
}

static bool check_offset(const struct check *c, const struct ptx_operand *o, const struct geometry *g)
{
	if (!g->offsets)
		return bad(c, o, "takes no offset: cubes have none");
	if (o->kind == PTX_OP_VECTOR && (!is_vector_size(o->element_count) || o->element_count < g->offsets))
		return bad(c, o, "has an offset of another size than its geometry");
	return check_row(c, o, 0, false);
}

static bool check_compare(const struct check *c, const struct ptx_operand *o)
{
	unsigned class = class_of(o, 32);

	if (has(c->insn, PTX_MOD_3D) || geometry_of(c->insn)->is_multisampled || c->insn->types[1] != PTX_F32)
		return bad(c, o, "takes no value to compare with");
	return (elements_of(o) == 1 && o->kind != PTX_OP_VECTOR &&
		       (class == CLASS_BITS || class == CLASS_FLOAT)) ||
	       bad(c, o, "needs an .f32 value to compare with here");
}

static bool is_compare(const struct ptx_operand *o)
{
	return o->kind != PTX_OP_VECTOR && class_of(o, 32) == CLASS_FLOAT;
}

static void check_fetch(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;
	const struct geometry *g = geometry_of(insn);
	uint32_t fixed = has(insn, PTX_MOD_LEVEL) ? 3 : has(insn, PTX_MOD_GRAD) ? 4 : 2, n = fixed;

	if (insn->operand_count < fixed || insn->operand_count > fixed + 2) {
		wrong(c->p, insn, NULL, "has too few or too many operands");
		return;
	}
	if (o[0].kind == PTX_OP_PAIR)
		check_value(c, &o[0].elements[1], &(struct want){ PTX_PRED, false, true });
	if (!check_results(c, o[0].kind == PTX_OP_PAIR ? &o[0].elements[0] : &o[0]) ||
		!check_place(c, &o[1], PTX_TEXREF, insn->types[1] == PTX_F32) ||
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
		wrong(c->p, c->insn, NULL, "takes 2 operands");
		return;
	}
	if (!check_place(c, &o[is_load], PTX_SURFREF, false))
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
	if (has(c->insn, PTX_MOD_FORCE_UNNORMALIZED_COORDS) ||
		(is_independent && HOW_MANY(c->insn, PTX_MOD_FILTER_MODE, PTX_MOD_ADDR_MODE_0,
					   PTX_MOD_ADDR_MODE_1, PTX_MOD_ADDR_MODE_2)))
		return PTX_SAMPLERREF;
	return PTX_TEXREF;
}

static void check_query(const struct check *c)
{
	const struct ptx_operand *o = c->insn->operands;
	uint32_t count = 2 + has(c->insn, PTX_MOD_LEVEL);

	if (c->insn->operand_count != count) {
		wrong(c->p, c->insn, NULL, count == 3 ? "takes 3 operands" : "takes 2 operands");
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
		wrong(c->p, c->insn, NULL, "takes 2 operands");
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
