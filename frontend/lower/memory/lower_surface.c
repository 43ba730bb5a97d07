/* frontend/lower/memory/lower_surface.c -- surface loads, stores and reductions. */
#include "frontend/lower/memory/lower_texture.h"

#include <string.h>

static uint32_t surface_bits(struct lower *l, const struct texture_geometry *g)
{
	uint32_t mode = has_modifier(l, PTX_MOD_CLAMP) ? 1 : has_modifier(l, PTX_MOD_ZERO) ? 2 : 0;
	bool is_sample = has_modifier(l, PTX_MOD_P);

	has_modifier(l, PTX_MOD_B);
	has_modifier(l, PTX_MOD_TRAP);
	return g->dims | g->flags | TEXTURE_INTEGER | (is_sample ? TEXTURE_SAMPLE : 0) |
		mode << TEXTURE_MODE_SHIFT;
}

static uint8_t surface_cache(struct lower *l)
{
	static const uint16_t others[] = { PTX_MOD_CA, PTX_MOD_CS, PTX_MOD_WB, PTX_MOD_WT };

	allow_modifiers(l, others, sizeof others / sizeof *others);
	return has_modifier(l, PTX_MOD_CV) ? CACHE_CV : has_modifier(l, PTX_MOD_CG) ? CACHE_CG : CACHE_CA;
}

/* The width of the registers of a surface load: 4 or 8 bytes; 0 if they differ (refused). */
static uint8_t loaded_bytes(struct lower *l, const ref *to, uint32_t count)
{
	uint8_t bytes = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint8_t now = to[i] == REF_NONE ? bytes : bits_of(l, to[i]) == 64 ? 8 : 4;

		if (bytes && now != bytes) {
			lower_refuse(l, &l->insn->location, "registers of different widths in one vector");
			return 0;
		}
		bytes = now;
	}
	return bytes ? bytes : 4;
}

static void surface_load(struct lower *l, const struct texture_geometry *g, uint32_t bits)
{
	struct texture_sources s = { .count = 0 };
	struct texture_location p;
	struct draft *d;
	ref to[4] = { REF_NONE, REF_NONE, REF_NONE, REF_NONE };

	texture_location(l, operand(l, 1), g, false, &p);
	texture_add_location(&s, &p);
	for (uint32_t i = 0; i < l->insn->vector; i++) {
		struct ptx_operand e = texture_element(l, operand(l, 0), i);

		to[i] = destination(l, &e);
	}
	d = emit(l, UOP_SULD);
	d->src[0] = p.reference;
	memcpy(d->dst, to, sizeof to);
	d->is_early = true;
	d->uop.imm = bits;
	d->uop.bytes = (uint8_t)(ptx_type_bits(l->insn->types[0]) / 8);
	d->uop.vector = l->insn->vector;
	d->uop.reg_bytes = loaded_bytes(l, to, l->insn->vector);
	d->uop.combine = surface_cache(l);
	texture_put_sources(l, d, &s);
}

static void surface_store(struct lower *l, const struct texture_geometry *g, uint32_t bits)
{
	unsigned width = ptx_type_bits(l->insn->types[0]);
	struct texture_sources s = { .count = 0 };
	struct texture_location p;
	struct draft *d;

	texture_location(l, operand(l, 0), g, false, &p);
	for (uint32_t i = 0; i < l->insn->vector; i++) {
		struct ptx_operand e = texture_element(l, operand(l, 1), i);

		s.row[s.count++] = source(l, &e, width == 64 ? 64 : 32, false);
	}
	texture_add_location(&s, &p);
	d = emit(l, UOP_SUST);
	d->src[0] = p.reference;
	d->uop.imm = bits;
	d->uop.bytes = (uint8_t)(width / 8);
	d->uop.vector = l->insn->vector;
	d->uop.reg_bytes = width == 64 ? 8 : 4;
	d->uop.combine = surface_cache(l);
	texture_put_sources(l, d, &s);
}

static uint8_t surface_reduction(struct lower *l)
{
	static const struct {
		uint16_t modifier;
		uint8_t operation;
	} rows[] = { { PTX_MOD_ADD, ATOM_ADD }, { PTX_MOD_MIN, ATOM_MIN }, { PTX_MOD_MAX, ATOM_MAX },
		{ PTX_MOD_AND, ATOM_AND }, { PTX_MOD_OR, ATOM_OR } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (has_modifier(l, rows[i].modifier))
			return rows[i].operation;
	return ATOM_ADD;
}

static void surface_reduce(struct lower *l, const struct texture_geometry *g, uint32_t bits)
{
	unsigned type = l->insn->types[0], width = ptx_type_bits(type);
	struct texture_sources s = { .count = 0 };
	struct texture_location p;
	struct draft *d;

	texture_location(l, operand(l, 0), g, false, &p);
	s.row[s.count++] = source(l, operand(l, 1), width, false);
	texture_add_location(&s, &p);
	d = emit(l, UOP_SURED);
	d->src[0] = p.reference;
	d->uop.imm = bits;
	d->uop.bytes = d->uop.reg_bytes = (uint8_t)(width / 8);
	d->uop.vector = 1;
	d->uop.type = (uint8_t)type;
	d->uop.compare = surface_reduction(l);
	texture_put_sources(l, d, &s);
}

void lower_surface(struct lower *l)
{
	const struct texture_geometry *g = texture_geometry(l);
	uint32_t bits;

	if (!g)
		return;
	bits = surface_bits(l, g);
	if (l->insn->opcode == PTX_SULD)
		surface_load(l, g, bits);
	else if (l->insn->opcode == PTX_SUST)
		surface_store(l, g, bits);
	else
		surface_reduce(l, g, bits);
}
