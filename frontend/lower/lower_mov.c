/* frontend/lower/lower_mov.c -- mov: copies, special registers, addresses, packing and unpacking of brace
 * lists. */
#include "frontend/lower/lower.h"

/* What makes one register of several, and several of one, by their bits. */
static const struct {
	uint8_t bits, count;
	uint16_t pack, unpack;
} shapes[] = {
	{ 16, 2, UOP_PACK_B16_2, UOP_UNPACK_B16_2 },
	{ 32, 2, UOP_PACK_B32_2, UOP_UNPACK_B32_2 },
	{ 32, 4, UOP_PACK_B32_4, UOP_UNPACK_B32_4 },
	{ 64, 2, UOP_PACK_B64_2, UOP_UNPACK_B64_2 },
	{ 64, 4, UOP_PACK_B64_4, UOP_UNPACK_B64_4 },
	{ 128, 2, UOP_PACK_B128_2, UOP_UNPACK_B128_2 },
	{ 128, 4, UOP_PACK_B128_4, UOP_UNPACK_B128_4 },
};

/* Index into shapes; -1: refused. */
static int find_shape(struct lower *l, unsigned bits, uint32_t count)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (shapes[i].bits == bits && shapes[i].count == count)
			return (int)i;
	lower_refuse_form(l);
	return -1;
}

static void pack(struct lower *l, unsigned bits)
{
	struct ptx_operand list[MOST_ELEMENTS];
	uint32_t count = data_elements(l, operand(l, 1), list);
	int shape = find_shape(l, bits, count);
	unsigned each;
	ref to, from[4];
	struct draft *d;

	if (shape < 0)
		return;
	each = bits / count;
	to = result(l, operand(l, 0), bits);
	for (uint32_t i = 0; i < count; i++)
		from[i] = source(l, &list[i], each == 8 ? 32 : each, false);
	d = emit(l, shapes[shape].pack);
	d->dst[0] = to;
	for (uint32_t i = 0; i < count; i++)
		d->src[i] = from[i];
}

static void unpack_register(struct lower *l, unsigned bits)
{
	struct ptx_operand list[MOST_ELEMENTS];
	uint32_t count = data_elements(l, operand(l, 0), list);
	int shape = find_shape(l, bits, count);
	ref from, to[4];
	struct draft *d;

	if (shape < 0)
		return;
	from = bits == 128 ? wide_source(l, operand(l, 1)) : source(l, operand(l, 1), bits, false);
	for (uint32_t i = 0; i < count; i++)
		to[i] = destination(l, &list[i]);
	d = emit(l, shapes[shape].unpack);
	d->src[0] = from;
	for (uint32_t i = 0; i < count; i++)
		d->dst[i] = to[i];
	d->is_early = true;
}

static bool is_list(const struct ptx_operand *o)
{
	return (o->kind == PTX_OP_VECTOR && o->element_count > 1) ||
		(o->kind == PTX_OP_REG && o->component < 0 && o->variable->vector > 1);
}

static void move(struct lower *l, ref to, ref from, unsigned bits)
{
	struct draft *d = emit(l, bits == 128 ? UOP_MOV_B128 : bits == 64 ? UOP_MOV_B64 : UOP_MOV_B32);

	d->dst[0] = to;
	d->src[0] = from;
}

/* Element by element; all are read before any is written, should a destination be a later source. */
static void move_vector(struct lower *l, unsigned type, unsigned bits)
{
	struct ptx_operand to_list[MOST_ELEMENTS], from_list[MOST_ELEMENTS];
	uint32_t count = data_elements(l, operand(l, 0), to_list);
	ref to[MOST_ELEMENTS], from[MOST_ELEMENTS];

	if (!count || data_elements(l, operand(l, 1), from_list) != count || bits > 64) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		to[i] = destination(l, &to_list[i]);
		from[i] = to[i] == REF_NONE ? REF_NONE
					    : source(l, &from_list[i], bits, ptx_type_is_float(type));
	}
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t later = i + 1; later < count; later++)
			if (to[i] == from[later] && to[i] != REF_NONE) {
				ref copy = new_vreg(l, bits);

				move(l, copy, from[later], bits);
				from[later] = copy;
			}
	for (uint32_t i = 0; i < count; i++)
		if (to[i] != REF_NONE)
			move(l, to[i], from[i], bits);
}

/* One register to another. What had to be made first (a clock read, a cut special register) is made in place.
 */
static void copy_register(struct lower *l, unsigned type, unsigned bits)
{
	ref to = result(l, operand(l, 0), bits), fresh = l->vreg_count;
	ref from = source(l, operand(l, 1), bits, ptx_type_is_float(type));

	if (!(from & REF_KIND) && from >= fresh) {
		l->drafts[l->draft_count - 1].dst[0] = to;
		return;
	}
	move(l, to, from, bits);
}

static void copy_wide(struct lower *l)
{
	ref to = result(l, operand(l, 0), 128);

	move(l, to, wide_source(l, operand(l, 1)), 128);
}

void lower_mov(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);

	if (type == PTX_PRED) {
		move_predicate(l, false);
	} else if (l->insn->vector > 1) {
		move_vector(l, type, bits);
	} else if (is_list(operand(l, 1))) {
		pack(l, bits);
	} else if (is_list(operand(l, 0))) {
		unpack_register(l, bits);
	} else if (bits == 128) {
		copy_wide(l);
	} else {
		copy_register(l, type, bits);
	}
}
