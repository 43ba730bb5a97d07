/* frontend/lower/memory/lower_texture.c -- texture fetches and queries. The handle comes from a register,
 * from the loader (a .texref's address in the constant bank is its handle) or from the parameter block. */
#include "frontend/lower/memory/lower_texture.h"

#include <string.h>

static const struct texture_geometry geometries[] = {
	{ PTX_MOD_1D, 1, 0 },
	{ PTX_MOD_2D, 2, 0 },
	{ PTX_MOD_3D, 3, 0 },
	{ PTX_MOD_A1D, 1, TEXTURE_LAYERED },
	{ PTX_MOD_A2D, 2, TEXTURE_LAYERED },
	{ PTX_MOD_CUBE, 3, TEXTURE_CUBE },
	{ PTX_MOD_ACUBE, 3, TEXTURE_CUBE | TEXTURE_LAYERED },
};

const struct texture_geometry *texture_geometry(struct lower *l)
{
	for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++)
		if (has_modifier(l, geometries[i].modifier))
			return &geometries[i];
	lower_refuse(
		l, &l->insn->location, "multi-sample textures are not executed: there is no way to make one");
	return NULL;
}

struct ptx_operand texture_element(struct lower *l, const struct ptx_operand *o, uint32_t i)
{
	struct ptx_operand e = *o;

	if (o->kind == PTX_OP_VECTOR && i < o->element_count)
		return o->elements[i];
	if (o->kind == PTX_OP_REG && o->component < 0 && o->variable->vector > 1 && i < o->variable->vector)
		e.component = (int8_t)i;
	else if (i)
		lower_refuse(l, &o->location, "one value for several coordinates is not executed");
	return e;
}

static ref coordinate_word(struct lower *l, const struct ptx_operand *o, uint32_t i, bool is_float)
{
	struct ptx_operand e = texture_element(l, o, i);

	return source(l, &e, 32, is_float);
}

/* A .texref parameter: its eight bytes in the parameter block. */
static ref parameter_handle(struct lower *l, const struct ptx_operand *o)
{
	ref to = new_vreg(l, 64);
	struct draft *d = emit(l, UOP_LD_PARAM);

	d->dst[0] = to;
	d->uop.imm = (int64_t)variable_offset(o->variable);
	d->uop.space = SPACE_PARAM;
	d->uop.bytes = d->uop.reg_bytes = 8;
	d->uop.vector = 1;
	d->uop.type = PTX_U64;
	return to;
}

static ref handle(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_SYMBOL && o->variable && o->variable->space == PTX_PARAM) {
		if (is_kernel_parameter(l, o->variable))
			return parameter_handle(l, o);
		lower_refuse(l, &o->location, "'%s': references as parameters of functions are not executed",
			o->variable->name);
		return REF_CONSTANT;
	}
	return source(l, o, 64, false);
}

void texture_location(struct lower *l, const struct ptx_operand *o, const struct texture_geometry *g,
	bool is_float, struct texture_location *p)
{
	const struct ptx_operand *at = &o->elements[o->element_count - 1];
	uint32_t first = g->flags & TEXTURE_LAYERED ? 1 : 0;

	p->reference = handle(l, &o->elements[0]);
	p->sampler = o->element_count == 3 ? handle(l, &o->elements[1]) : REF_NONE;
	for (uint32_t i = 0; i < g->dims; i++)
		p->row[i] = coordinate_word(l, at, first + i, is_float);
	p->rows = g->dims;
	if (first)
		p->row[p->rows++] = coordinate_word(l, at, 0, false);
}

static void add_vector(struct lower *l, struct texture_sources *s, const struct ptx_operand *o,
	uint32_t count, bool is_float)
{
	for (uint32_t i = 0; i < count; i++)
		s->row[s->count++] = coordinate_word(l, o, i, is_float);
}

void texture_add_location(struct texture_sources *s, const struct texture_location *p)
{
	for (uint32_t i = 0; i < p->rows; i++)
		s->row[s->count++] = p->row[i];
}

void texture_put_sources(struct lower *l, struct draft *d, const struct texture_sources *s)
{
	ref *extra = add_extras(l, d, s->count, 0);

	memcpy(extra, s->row, s->count * sizeof *extra);
}

/* An operand that is a float on its own is what depths are compared with. */
static bool is_compared(const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_REG)
		return o->component < 0 && o->variable->vector == 1 && ptx_type_is_float(o->variable->type);
	return o->kind == PTX_OP_VALUE && o->value.kind > PTX_UINT;
}

/* Level, gradients, offsets, behind the coordinates. Returns their bits. */
static uint32_t add_options(struct lower *l, struct texture_sources *s, const struct texture_geometry *g)
{
	uint32_t bits = 0, next = 2;

	has_modifier(l, PTX_MOD_BASE);
	if (has_modifier(l, PTX_MOD_LEVEL)) {
		bits |= TEXTURE_LEVEL;
		add_vector(l, s, operand(l, next++), 1, l->insn->types[1] == PTX_F32);
	} else if (has_modifier(l, PTX_MOD_GRAD)) {
		if (g->flags & TEXTURE_CUBE)
			lower_refuse(
				l, &l->insn->location, "gradients of a cube's directions are not executed");
		bits |= TEXTURE_GRADIENT;
		add_vector(l, s, operand(l, next++), g->dims, true);
		add_vector(l, s, operand(l, next++), g->dims, true);
	}
	if (next < l->insn->operand_count && !is_compared(operand(l, next))) {
		bits |= TEXTURE_OFFSET;
		add_vector(l, s, operand(l, next++), g->dims, false);
	}
	if (next < l->insn->operand_count)
		lower_refuse(l, &operand(l, next)->location,
			"depth comparison is not executed: there is no way to make a depth texture");
	return bits;
}

static uint32_t result_bits(const struct lower *l)
{
	unsigned type = l->insn->types[0];

	return type == PTX_F16 ? TEXTURE_HALF : type == PTX_F16X2 ? TEXTURE_HALF2 : 0;
}

static uint32_t gathered_component(struct lower *l)
{
	static const uint16_t components[] = { PTX_MOD_R, PTX_MOD_G, PTX_MOD_B, PTX_MOD_A };

	for (uint32_t i = 0; i < 4; i++)
		if (has_modifier(l, components[i]))
			return i;
	return 0;
}

/* {...}|p: true, since every texture is wholly in memory. */
static void set_resident(struct lower *l, const struct ptx_operand *pair)
{
	struct draft *d;
	ref to = destination(l, &pair->elements[1]);

	if (to == REF_NONE)
		return;
	d = emit(l, UOP_MOV_PRED);
	d->dst[0] = to;
	d->src[0] = REF_CONSTANT | 1;
}

void lower_tex(struct lower *l)
{
	const struct texture_geometry *g = texture_geometry(l);
	const struct ptx_operand *o = operand(l, 0), *data = o->kind == PTX_OP_PAIR ? &o->elements[0] : o;
	bool is_float = l->insn->types[1] == PTX_F32, is_gather = l->insn->opcode == PTX_TLD4;
	struct texture_sources s = { .count = 0 };
	struct texture_location p;
	struct draft *d;
	ref to[4];
	uint32_t bits;

	if (!g)
		return;
	texture_location(l, operand(l, 1), g, is_float, &p);
	texture_add_location(&s, &p);
	bits = g->dims | g->flags | (is_float ? 0 : TEXTURE_INTEGER) | result_bits(l);
	bits |= add_options(l, &s, g);
	if (is_gather)
		bits |= gathered_component(l) << TEXTURE_COMPONENT_SHIFT;
	for (uint32_t i = 0; i < l->insn->vector; i++) {
		struct ptx_operand e = texture_element(l, data, i);

		to[i] = destination(l, &e);
	}
	d = emit(l, is_gather ? UOP_TLD4 : UOP_TEX);
	d->src[0] = p.reference;
	d->src[1] = p.sampler;
	memcpy(d->dst, to, l->insn->vector * sizeof *to);
	d->is_early = true;
	d->uop.imm = bits;
	d->uop.bytes = d->uop.reg_bytes = 4;
	d->uop.vector = l->insn->vector;
	d->uop.type = l->insn->types[0];
	texture_put_sources(l, d, &s);
	if (o->kind == PTX_OP_PAIR)
		set_resident(l, o);
}

static unsigned query(struct lower *l)
{
	static const uint16_t queries[] = { [QUERY_WIDTH] = PTX_MOD_WIDTH,
		[QUERY_HEIGHT] = PTX_MOD_HEIGHT,
		[QUERY_DEPTH] = PTX_MOD_DEPTH,
		[QUERY_CHANNEL_DATA_TYPE] = PTX_MOD_CHANNEL_DATA_TYPE,
		[QUERY_CHANNEL_ORDER] = PTX_MOD_CHANNEL_ORDER,
		[QUERY_ARRAY_SIZE] = PTX_MOD_ARRAY_SIZE,
		[QUERY_MEMORY_LAYOUT] = PTX_MOD_MEMORY_LAYOUT,
		[QUERY_NORMALIZED_COORDS] = PTX_MOD_NORMALIZED_COORDS,
		[QUERY_NUM_MIPMAP_LEVELS] = PTX_MOD_NUM_MIPMAP_LEVELS,
		[QUERY_NUM_SAMPLES] = PTX_MOD_NUM_SAMPLES,
		[QUERY_FORCE_UNNORMALIZED_COORDS] = PTX_MOD_FORCE_UNNORMALIZED_COORDS,
		[QUERY_FILTER_MODE] = PTX_MOD_FILTER_MODE,
		[QUERY_ADDR_MODE_0] = PTX_MOD_ADDR_MODE_0,
		[QUERY_ADDR_MODE_1] = PTX_MOD_ADDR_MODE_1,
		[QUERY_ADDR_MODE_2] = PTX_MOD_ADDR_MODE_2 };

	for (unsigned i = 0; i < sizeof queries / sizeof *queries; i++)
		if (has_modifier(l, queries[i]))
			return i;
	lower_refuse_form(l);
	return QUERY_WIDTH;
}

void lower_query(struct lower *l)
{
	ref to = result(l, operand(l, 0), 32), from = handle(l, operand(l, 1)->base), level = REF_NONE;
	unsigned what = query(l);
	struct draft *d;

	if (what == QUERY_MEMORY_LAYOUT)
		lower_refuse(l, &l->insn->location,
			"the layout of memory cannot be asked for: its values are not documented");
	if (has_modifier(l, PTX_MOD_LEVEL))
		level = source(l, operand(l, 2), 32, false);
	d = emit(l, UOP_TXQ);
	d->dst[0] = to;
	d->src[0] = from;
	d->src[1] = level;
	d->uop.imm = what | (l->insn->opcode == PTX_SUQ ? QUERY_OF_SURFACE : 0);
}

void lower_istypep(struct lower *l)
{
	ref to = result(l, operand(l, 0), 0), from = source(l, operand(l, 1), 64, false);
	struct draft *d = emit(l, UOP_ISTYPEP);

	d->dst[0] = to;
	d->src[0] = from;
	d->uop.imm = has_modifier(l, PTX_MOD_TEXREF)  ? 1
		: has_modifier(l, PTX_MOD_SAMPLERREF) ? 2
		: has_modifier(l, PTX_MOD_SURFREF)    ? 3
						      : 0;
}
