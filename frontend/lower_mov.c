/* frontend/lower_mov.c -- mov: copies, special registers, addresses, packing and unpacking of brace lists. */
#include "frontend/lower.h"

static unsigned element_bits(struct lower *l, const struct ptx_operand *o)
{
	ref r;

	if (o->kind != PTX_OP_REG)
		return 0;
	r = source_register(l, o);
	return bits_of(l, r);
}

/* Bits of one element of a list of `count` that together make `bits`; 0 if there is no micro-operation for
 * it. */
static unsigned list_element(struct lower *l, const struct ptx_operand *list, unsigned bits)
{
	unsigned each = bits / list->element_count;

	if (list->element_count * each != bits || each < 16 || each == bits)
		return 0;
	for (uint32_t i = 0; i < list->element_count; i++) {
		unsigned have = element_bits(l, &list->elements[i]);

		if (have && rows_of(have) != rows_of(each))
			return 0;
	}
	return each;
}

static void pack(struct lower *l, const struct ptx_operand *list, unsigned bits)
{
	unsigned each = list_element(l, list, bits);
	ref to = result(l, operand(l, 0), bits), from[4];
	struct draft *d;

	if (!each) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t i = 0; i < list->element_count; i++)
		from[i] = source(l, &list->elements[i], each, false);
	d = emit(l, bits == 32 ? UOP_PACK_B32_2 : list->element_count == 2 ? UOP_PACK_B64_2 : UOP_PACK_B64_4);
	d->dst[0] = to;
	for (uint32_t i = 0; i < list->element_count; i++)
		d->src[i] = from[i];
}

static void unpack(struct lower *l, const struct ptx_operand *list, unsigned bits)
{
	unsigned each = list_element(l, list, bits);
	ref from = source(l, operand(l, 1), bits, false), to[4];
	struct draft *d;

	if (!each) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t i = 0; i < list->element_count; i++)
		to[i] = destination(l, &list->elements[i]);
	d = emit(l, bits == 32                 ? UOP_UNPACK_B32_2
		    : list->element_count == 2 ? UOP_UNPACK_B64_2
					       : UOP_UNPACK_B64_4);
	d->src[0] = from;
	for (uint32_t i = 0; i < list->element_count; i++)
		d->dst[i] = to[i];
	d->is_early = true;
}

static bool is_list(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_VECTOR && o->element_count > 1;
}

/* One register to another. What had to be made first (a clock read, a cut special register) is made in place.
 */
static void copy(struct lower *l, unsigned type, unsigned bits)
{
	ref to = result(l, operand(l, 0), bits), fresh = l->vreg_count;
	ref from = source(l, operand(l, 1), bits, ptx_type_is_float(type));
	struct draft *d;

	if (!(from & REF_KIND) && from >= fresh) {
		l->drafts[l->draft_count - 1].dst[0] = to;
		return;
	}
	d = emit(l, bits == 64 ? UOP_MOV_B64 : UOP_MOV_B32);
	d->dst[0] = to;
	d->src[0] = from;
}

void lower_mov(struct lower *l)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);

	if (type == PTX_PRED) {
		move_predicate(l, false);
	} else if (bits > 64 || l->insn->vector > 1) {
		lower_refuse_form(l);
	} else if (is_list(operand(l, 1))) {
		pack(l, operand(l, 1), bits);
	} else if (is_list(operand(l, 0))) {
		unpack(l, operand(l, 0), bits);
	} else {
		copy(l, type, bits);
	}
}
