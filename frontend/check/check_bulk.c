/* frontend/check/check_bulk.c -- bulk copies, tensor copies and the instructions on tensor maps: words and
 * operands, as the vendor's assembler takes them. */
#include "frontend/check/check_word.h"
#include "frontend/tables/bulk.h"

#include <stdio.h>

/* What is new with sm_100 and which of it only some chips have: to the own CTA alone gather4 and im2col::w
 * are for all. */
static bool check_chip(struct ptx_parser *p, const struct ptx_insn *insn, const struct bulk_form *f)
{
	bool is_gather = f->mode == TENSOR_GATHER4 || f->mode == TENSOR_IM2COL_W;
	bool is_special = f->flags & BULK_PAIRED || f->mode == TENSOR_SCATTER4 ||
		f->mode == TENSOR_IM2COL_W_128 || (is_gather && f->to != BULK_CTA);

	if (is_gather || is_special || f->flags & BULK_BYTE_MASK)
		return is_available(p, insn, 100, 86) && (!is_special || needs_chips(p, insn, CHIPS_PAIRS));
	return is_available(p, insn, 90, f->to == BULK_CTA ? 86 : 80);
}

bool check_bulk_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	const char *why = NULL, *hint = NULL;
	struct bulk_form f;

	if (!bulk_decode(insn, &f, &why, &hint))
		return wrong_word(p, insn, hint, why);
	return check_chip(p, insn, &f);
}

/* ---- operands ---- */

static unsigned space_of(unsigned place)
{
	return place == BULK_GLOBAL ? PTX_GLOBAL : PTX_SHARED;
}

/* {a, b, ...}: `count` integers of one width. */
static void check_integers(
	const struct check *c, const struct ptx_operand *o, unsigned count, unsigned type, const char *what)
{
	if (o->kind != PTX_OP_VECTOR || o->element_count != count) {
		parse_error(c->p, o->location, NULL, "'%.100s' takes %u %s in braces", check_word(c), count,
			what);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		check_value(c, &o->elements[i], &(struct want){ type, false, false });
}

/* [map, {coordinates}]. */
static void check_place(const struct check *c, const struct ptx_operand *o, const struct bulk_form *f)
{
	const struct ptx_operand *map = o->elements;

	if (o->kind != PTX_OP_TEXTURE || o->element_count != 2) {
		parse_error(c->p, o->location, "[map, {coordinates}]",
			"'%.100s' needs a tensor map and coordinates here", check_word(c));
		return;
	}
	if (map->kind == PTX_OP_REG
			? !type_is_integer(map->variable->type) || ptx_type_bits(map->variable->type) < 32
			: map->kind != PTX_OP_SYMBOL && map->kind != PTX_OP_NAME)
		parse_error(c->p, map->location, NULL, "'%.200s' is no address of a tensor map",
			check_shown(map));
	else if (map->kind == PTX_OP_SYMBOL && map->variable->space != PTX_GLOBAL)
		parse_error(c->p, map->location, NULL,
			"'%.200s' is in .%s: the address of a tensor map is a generic one", check_shown(map),
			ptx_space_name(map->variable->space));
	check_integers(c, &o->elements[1], bulk_coordinates(f), PTX_B32, "coordinates");
}

static void check_bytes(const struct check *c, const struct ptx_operand *o)
{
	if (o->kind == PTX_OP_VALUE && o->value.bits % 16)
		parse_error(c->p, o->location, NULL, "'%.100s' copies a multiple of 16 bytes", check_word(c));
	else
		check_value(c, o, &(struct want){ PTX_U32, false, false });
}

static unsigned count_operands(const struct bulk_form *f)
{
	bool is_prefetch = f->kind == BULK_PREFETCHES;
	unsigned places = f->kind == BULK_PREFETCHES ? 1 : 2;

	return places + !f->mode + (!is_prefetch && !(f->flags & BULK_BY_GROUP)) + !!bulk_offsets(f) +
		!!(f->flags & BULK_MULTICAST) + !!(f->flags & BULK_HINT) + !!(f->flags & BULK_BYTE_MASK);
}

static void check_side(
	const struct check *c, const struct ptx_operand *o, const struct bulk_form *f, unsigned place)
{
	if (f->mode && place == BULK_GLOBAL)
		check_place(c, o, f);
	else
		check_address_in(c, o, space_of(place));
}

static void check_copy(const struct check *c, const struct bulk_form *f)
{
	const struct ptx_operand *o = c->insn->operands;

	if (c->insn->operand_count != count_operands(f)) {
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %u operands, not %u",
			check_word(c), count_operands(f), c->insn->operand_count);
		return;
	}
	if (f->kind != BULK_PREFETCHES)
		check_side(c, o++, f, f->to);
	check_side(c, o++, f, f->from);
	if (!f->mode)
		check_bytes(c, o++);
	if (f->kind != BULK_PREFETCHES && !(f->flags & BULK_BY_GROUP))
		check_address_in(c, o++, PTX_SHARED);
	if (bulk_offsets(f))
		check_integers(c, o++, bulk_offsets(f), PTX_B16, "offsets");
	if (f->flags & BULK_MULTICAST)
		check_value(c, o++, &(struct want){ PTX_B16, false, false });
	if (f->flags & BULK_HINT)
		check_value(c, o++, &(struct want){ PTX_B64, false, false });
	if (f->flags & BULK_BYTE_MASK)
		check_value(c, o++, &(struct want){ PTX_B16, false, false });
}

void check_bulk(const struct check *c)
{
	const struct ptx_operand *o = c->insn->operands;
	const char *why, *hint;
	struct bulk_form f;

	if (!bulk_decode(c->insn, &f, &why, &hint))
		return;
	if (f.kind < BULK_COMMITS)
		check_copy(c, &f);
	else if (c->insn->operand_count != (f.kind == BULK_WAITS))
		parse_error(c->p, c->insn->location, NULL, "'%.100s' takes %s", check_word(c),
			f.kind == BULK_WAITS ? "one operand" : "no operands");
	else if (f.kind == BULK_WAITS && (o->kind != PTX_OP_VALUE || o->value.kind > PTX_UINT))
		parse_error(
			c->p, o->location, NULL, "'%.100s' needs an integer constant here", check_word(c));
}

/* ---- tensor maps ---- */

/* most: of a constant operand; UINT32_MAX: the value may be a register. */
static const struct field {
	uint8_t type;
	bool has_dimension;
	uint32_t most;
} fields[TENSORMAP_FIELDS] = {
	[TENSORMAP_ADDRESS] = { PTX_B64, false, UINT32_MAX },
	[TENSORMAP_RANK] = { PTX_B32, false, UINT32_MAX },
	[TENSORMAP_BOX] = { PTX_B32, true, UINT32_MAX },
	[TENSORMAP_SIZE] = { PTX_B32, true, UINT32_MAX },
	[TENSORMAP_STRIDE] = { PTX_B64, true, UINT32_MAX },
	[TENSORMAP_STEP] = { PTX_B32, true, UINT32_MAX },
	[TENSORMAP_TYPE] = { PTX_B32, false, 15 },
	[TENSORMAP_INTERLEAVE] = { PTX_B32, false, 2 },
	[TENSORMAP_SWIZZLE] = { PTX_B32, false, 3 },
	[TENSORMAP_ATOMS] = { PTX_B32, false, 3 },
	[TENSORMAP_FILL] = { PTX_B32, false, 1 },
};

static bool check_replace_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned field = tensormap_field_of(insn);
	bool is_shared = insn->space == PTX_SHARED;

	if (field == TENSORMAP_FIELDS)
		return wrong_word(p, insn,
			".global_address .rank .box_dim .global_dim .global_stride "
			".element_stride .elemtype .interleave_layout .swizzle_mode .fill_mode",
			"needs a field");
	if (!word_has(insn, PTX_MOD_TILE) || !word_has(insn, PTX_MOD_B1024) || insn->space2 ||
		insn->modifier_count != 4u + is_shared || is_shared != word_has(insn, PTX_MOD_SHARED_CTA) ||
		(insn->space && !is_shared && insn->space != PTX_GLOBAL))
		return wrong_word(p, insn, "tensormap.replace.tile.FIELD.b1024", "is not defined");
	if (insn->type_count != 1 || insn->types[0] != fields[field].type)
		return wrong_word(
			p, insn, fields[field].type == PTX_B64 ? ".b64" : ".b32", "has another type");
	if (field == TENSORMAP_ATOMS)
		return is_available(p, insn, 100, 86) && needs_chips(p, insn, CHIPS_BLACKWELL);
	return is_available(p, insn, 90, 83) && needs_chips(p, insn, CHIPS_SPECIFIC);
}

bool check_tensormap_word(struct ptx_parser *p, const struct ptx_insn *insn)
{
	unsigned scopes_found = scopes(insn->form);

	if (word_has(insn, PTX_MOD_REPLACE))
		return check_replace_word(p, insn);
	if (!word_has(insn, PTX_MOD_CP_FENCEPROXY))
		return wrong_word(p, insn, ".replace or .cp_fenceproxy", "needs an operation");
	if (insn->space != PTX_GLOBAL || insn->space2 != PTX_SHARED || !word_has(insn, PTX_MOD_SHARED_CTA) ||
		!word_has(insn, PTX_MOD_TENSORMAP_GENERIC) || !word_has(insn, PTX_MOD_RELEASE) ||
		!word_has(insn, PTX_MOD_SYNC) || !word_has(insn, PTX_MOD_ALIGNED) || scopes_found != 1 ||
		insn->modifier_count != 7 || insn->type_count)
		return wrong_word(p, insn,
			"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
			"aligned",
			"is not defined");
	return is_available(p, insn, 90, 83);
}

/* The largest constant: types of 4 and 6 bits came with sm_100, a swizzle of 96 bytes with sm_103. */
static uint32_t most_of_field(const struct check *c, unsigned field)
{
	const struct ptx_module *m = c->p->module;

	if (field == TENSORMAP_TYPE && (m->sm < 100 || is_older(c->p, 87)))
		return 12;
	if (field == TENSORMAP_SWIZZLE && m->sm == 103 && m->target_suffix == 'a')
		return 4;
	return fields[field].most;
}

static void check_replacement(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	unsigned number = tensormap_field_of(insn);
	const struct field *field = &fields[number];
	const struct ptx_operand *o = insn->operands, *value = &o[1 + field->has_dimension];
	uint32_t most = most_of_field(c, number);

	if (insn->operand_count != 2u + field->has_dimension) {
		parse_error(c->p, insn->location, NULL, "'%.100s' takes %u operands, not %u", check_word(c),
			2u + field->has_dimension, insn->operand_count);
		return;
	}
	check_address_in(c, &o[0], insn->space);
	if (field->has_dimension &&
		(o[1].kind != PTX_OP_VALUE || o[1].value.kind > PTX_UINT || o[1].value.bits > 4))
		parse_error(c->p, o[1].location, NULL, "a dimension is 0 to 4");
	if (field->most == UINT32_MAX)
		check_value(c, value, &(struct want){ field->type, false, false });
	else if (value->kind != PTX_OP_VALUE || value->value.kind > PTX_UINT || value->value.bits > most)
		parse_error(c->p, value->location, NULL, "'%.100s' needs a constant from 0 to %u here",
			check_word(c), most);
}

void check_tensormap(const struct check *c)
{
	const struct ptx_insn *insn = c->insn;
	const struct ptx_operand *o = insn->operands;

	if (word_has(insn, PTX_MOD_REPLACE)) {
		check_replacement(c);
		return;
	}
	if (insn->operand_count != 3) {
		parse_error(c->p, insn->location, NULL, "'%.100s' takes 3 operands, not %u", check_word(c),
			insn->operand_count);
		return;
	}
	check_address_in(c, &o[0], PTX_GLOBAL);
	check_address_in(c, &o[1], PTX_SHARED);
	if (o[2].kind != PTX_OP_VALUE || o[2].value.bits != 128)
		parse_error(c->p, o[2].location, NULL, "a tensor map has 128 bytes");
}
