/* frontend/lower/memory/lower_address.c -- addresses as values: between a space and the generic one, which
 * space a generic one lies in, and the shared memory of other CTAs of the cluster, which has one. */
#include "frontend/lower/lower.h"

void accept_narrow(struct lower *l, const struct ptx_operand *o)
{
	if (l->module->has_narrow_addresses) {
		l->image->has_narrow_addresses = true;
		return;
	}
	lower_refuse(l, &o->location,
		"'%s' is a %u-bit address: those of device memory, and generic ones, have 64 bits",
		o->name ? o->name : "this", o->variable ? ptx_type_bits(o->variable->type) : 32);
}

/* The space of a conversion; false, and refused, if there is none that has generic addresses. */
static bool find_window(struct lower *l, uint8_t *space)
{
	has_modifier(l, PTX_MOD_SHARED_CTA);
	has_modifier(l, PTX_MOD_SHARED_CLUSTER);
	has_modifier(l, PTX_MOD_PARAM_ENTRY);
	switch (l->insn->space) {
	case PTX_GLOBAL:
		*space = SPACE_GLOBAL;
		return true;
	case PTX_CONST:
		*space = SPACE_CONST;
		return true;
	case PTX_SHARED:
		*space = SPACE_SHARED;
		return true;
	case PTX_LOCAL:
		*space = SPACE_LOCAL;
		return true;
	case PTX_PARAM:
		*space = SPACE_PARAM;
		return true;
	default:
		lower_refuse_form(l);
		return false;
	}
}

/* Where a space lies among generic addresses of 32 bits; device memory lies where it is. */
static uint32_t narrow_window(uint8_t space)
{
	return space == SPACE_SHARED   ? NARROW_SHARED
		: space == SPACE_LOCAL ? NARROW_LOCAL
		: space == SPACE_PARAM ? NARROW_PARAM
				       : 0;
}

/* d = a + distance, in 32 bits. */
static ref move_narrow(struct lower *l, ref to, ref from, uint32_t distance)
{
	ref constant = constant_ref(l, distance, 32);
	struct draft *d = emit(l, UOP_ADD_B32);

	d->src[0] = from;
	d->src[1] = constant;
	return d->dst[0] = to;
}

static void convert_narrow(struct lower *l, uint8_t space, bool to_space)
{
	uint32_t window = narrow_window(space);
	ref to = result(l, operand(l, 0), 32), from = source(l, operand(l, 1), 32, false);

	accept_narrow(l, operand(l, 1));
	move_narrow(l, to, from, to_space ? -window : window);
}

/* Behind the start of a window no further than its size; device memory ends where the windows begin. */
static void ask_narrow(struct lower *l, uint8_t space, ref to, ref from)
{
	uint32_t window = narrow_window(space);
	ref size = constant_ref(l, window ? NARROW_WINDOW_SIZE : NARROW_SHARED, 32);
	ref offset = move_narrow(l, new_vreg(l, 32), from, -window);
	struct draft *d;

	accept_narrow(l, operand(l, 1));
	if (space == SPACE_CONST)
		lower_refuse_form(l);
	d = emit(l, UOP_SETP_U32);
	d->dst[0] = to;
	d->src[0] = offset;
	d->src[1] = size;
	d->uop.compare = CMP_LT;
}

void lower_cvta(struct lower *l)
{
	bool to_space = has_modifier(l, PTX_MOD_TO);
	uint8_t space;
	ref to, from;
	struct draft *d;

	if (!find_window(l, &space))
		return;
	if (ptx_type_bits(l->insn->types[0]) < 64) {
		convert_narrow(l, space, to_space);
		return;
	}
	to = result(l, operand(l, 0), 64);
	from = source(l, operand(l, 1), 64, false);
	d = emit(l, to_space ? UOP_CVTA_TO : UOP_CVTA);
	d->uop.imm = space;
	d->uop.space = space;
	d->dst[0] = to;
	d->src[0] = from;
}

void lower_isspacep(struct lower *l)
{
	bool is_cluster;
	uint8_t space;
	ref to, from;
	struct draft *d;

	is_cluster = has_modifier(l, PTX_MOD_SHARED_CLUSTER);
	if (!find_window(l, &space))
		return;
	to = result(l, operand(l, 0), 0);
	if (l->module->has_narrow_addresses && operand(l, 1)->kind == PTX_OP_REG &&
		bits_of(l, register_number(operand(l, 1))) == 32) {
		ask_narrow(l, space, to, source(l, operand(l, 1), 32, false));
		return;
	}
	from = source(l, operand(l, 1), 64, false);
	d = emit(l, UOP_ISSPACEP);
	d->uop.imm = space;
	d->uop.compare = space == SPACE_SHARED && !is_cluster;
	d->dst[0] = to;
	d->src[0] = from;
}

/* mapa and getctarank: of addresses of .shared::cluster, or of generic ones. */
static struct draft *emit_of_cluster(struct lower *l, unsigned code, ref from, unsigned bits)
{
	bool is_shared = has_modifier(l, PTX_MOD_SHARED_CLUSTER);
	struct draft *d = emit(l, code);

	if (!is_shared && bits < 64 && l->module->has_narrow_addresses)
		lower_refuse(l, &l->insn->location,
			"generic addresses of 32 bits have no place for other CTAs of a cluster");
	d->src[0] = from;
	d->uop.imm = !is_shared && bits == 64;
	d->uop.mods = bits == 64 ? 0 : MOD_SAT;
	return d;
}

void lower_mapa(struct lower *l)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	ref to = result(l, operand(l, 0), bits), from = source(l, operand(l, 1), bits, false);
	ref rank = source(l, operand(l, 2), 32, false);
	struct draft *d = emit_of_cluster(l, UOP_MAPA, from, bits);

	d->src[1] = rank;
	d->dst[0] = to;
}

void lower_getctarank(struct lower *l)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	ref to = result(l, operand(l, 0), 32), from = source(l, operand(l, 1), bits, false);

	emit_of_cluster(l, UOP_GETCTARANK, from, bits)->dst[0] = to;
}
