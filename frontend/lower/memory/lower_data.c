/* frontend/lower/memory/lower_data.c -- data operands of loads, stores and moves: the elements of braces and
 * vector registers, 128-bit values, and destinations that are wider or narrower than what an access makes. */
#include "frontend/lower/lower.h"

static bool is_whole_operand(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_REG && o->component < 0 && o->variable->vector > 1;
}

uint32_t data_elements(struct lower *l, const struct ptx_operand *o, struct ptx_operand *list)
{
	uint32_t count = o->kind == PTX_OP_VECTOR ? o->element_count
		: is_whole_operand(o)             ? o->variable->vector
						  : 1;

	if (count > MOST_ELEMENTS) {
		lower_refuse_form(l);
		return 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		list[i] = o->kind == PTX_OP_VECTOR ? o->elements[i] : *o;
		if (is_whole_operand(o))
			list[i].component = (int8_t)i;
	}
	return count;
}

static ref pack_halves(struct lower *l, ref low, ref high, ref to)
{
	struct draft *d = emit(l, UOP_PACK_B128_2);

	d->src[0] = low;
	d->src[1] = high;
	return d->dst[0] = to;
}

ref wide_source(struct lower *l, const struct ptx_operand *o)
{
	bool is_negative = o->kind == PTX_OP_VALUE && o->value.kind == PTX_INT && o->value.bits >> 63;
	ref r;

	if (o->kind == PTX_OP_VECTOR && o->element_count == 1)
		return wide_source(l, &o->elements[0]);
	if (o->kind == PTX_OP_VALUE)
		return pack_halves(l, constant_ref(l, o->value.bits, 64),
			constant_ref(l, is_negative ? UINT64_MAX : 0, 64), new_vreg(l, 128));
	r = source_register(l, o);
	if (!(r & REF_KIND) && bits_of(l, r) == 128)
		return r;
	lower_refuse_form(l);
	return constant_ref(l, 0, 64);
}

ref data_source(struct lower *l, const struct ptx_operand *o, unsigned type)
{
	unsigned bits = ptx_type_bits(type);

	return bits == 128 ? wide_source(l, o) : source(l, o, bits == 64 ? 64 : 32, ptx_type_is_float(type));
}

/* The width of the rows that the access fills: that of the registers if they agree. */
static uint8_t common_bytes(const struct lower *l, const struct loaded *a, unsigned bits)
{
	bool has_narrow = false, has_wide = false;

	if (bits > 64)
		return 16;
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->final[i] == REF_NONE)
			continue;
		has_narrow |= bits_of(l, a->final[i]) <= 32;
		has_wide |= bits_of(l, a->final[i]) >= 64;
	}
	return has_wide || (!has_narrow && bits == 64) ? 8 : 4;
}

/* Whether a register can take its element straight from memory: as wide as the rows; narrower ones that would
 * have to be sign-extended within their row cannot. */
static bool is_direct(const struct lower *l, ref to, const struct loaded *a, unsigned type)
{
	unsigned have = bits_of(l, to), bits = ptx_type_bits(type);

	if (have < 32 && have > bits && ptx_type_is_signed(type))
		return false;
	return have <= 32 ? a->reg_bytes == 4 : have == 8u * a->reg_bytes;
}

bool load_targets(struct lower *l, const struct ptx_operand *data, struct loaded *a)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	struct ptx_operand list[MOST_ELEMENTS];

	*a = (struct loaded){ .count = data_elements(l, data, list) };
	if (bits < 8 || a->count != l->insn->vector) {
		lower_refuse_form(l);
		return false;
	}
	for (uint32_t i = 0; i < a->count; i++)
		a->final[i] = destination(l, &list[i]);
	a->reg_bytes = common_bytes(l, a, bits);
	for (uint32_t i = 0; i < a->count; i++) {
		a->to[i] = a->final[i];
		if (a->final[i] == REF_NONE)
			continue;
		a->is_extended |= bits_of(l, a->final[i]) > bits;
		if (!is_direct(l, a->final[i], a, type))
			a->to[i] = new_vreg(l, a->reg_bytes * 8u);
	}
	return true;
}

/* From a scratch register, extended by the sign of the type already. */
static void finish_load(struct lower *l, ref to, ref from)
{
	unsigned have = bits_of(l, to), made = bits_of(l, from);
	struct draft *d;

	if (have == 128) {
		ref high = constant_ref(l, 0, 64);

		if (ptx_type_is_signed(l->insn->types[0])) {
			ref count = constant_ref(l, 63, 32);

			d = emit(l, UOP_SHR_S64);
			d->src[0] = from;
			d->src[1] = count;
			high = d->dst[0] = new_vreg(l, 64);
		}
		pack_halves(l, from, high, to);
	} else if (have == 32) {
		d = emit(l, UOP_CVT_B32_B64);
		d->src[0] = from;
		d->dst[0] = to;
	} else if (made == 64) {
		d = emit(l, UOP_CVT_B32_B64);
		d->src[0] = from;
		d->dst[0] = new_vreg(l, 32);
		cut_to_register(l, to, d->dst[0]);
	} else {
		cut_to_register(l, to, from);
	}
}

void finish_loads(struct lower *l, const struct loaded *a)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (a->to[i] != a->final[i])
			finish_load(l, a->final[i], a->to[i]);
}

void set_results(struct lower *l, struct draft *d, const struct loaded *a)
{
	ref *extra = a->count > 4 ? add_extras(l, d, 0, a->count - 4) : NULL;

	for (uint32_t i = 0; i < a->count; i++)
		*(i < 4 ? &d->dst[i] : &extra[i - 4]) = a->to[i];
	d->is_early = a->count > 1;
	d->uop.vector = (uint8_t)a->count;
	d->uop.reg_bytes = a->reg_bytes;
	if (a->is_extended && ptx_type_is_signed(l->insn->types[0]))
		d->uop.flags |= UOP_SIGN_EXTEND;
}

uint32_t store_sources(struct lower *l, const struct ptx_operand *data, ref *from)
{
	struct ptx_operand list[MOST_ELEMENTS];
	uint32_t count = data_elements(l, data, list);

	if (ptx_type_bits(l->insn->types[0]) < 8 || count != l->insn->vector) {
		lower_refuse_form(l);
		return 0;
	}
	for (uint32_t i = 0; i < count; i++)
		from[i] =
			list[i].kind == PTX_OP_SINK ? REF_NONE : data_source(l, &list[i], l->insn->types[0]);
	return count;
}

void set_stored(struct lower *l, struct draft *d, const ref *from, uint32_t count)
{
	unsigned bits = ptx_type_bits(l->insn->types[0]);
	ref *extra = count > 3 ? add_extras(l, d, count - 3, 0) : NULL;

	for (uint32_t i = 0; i < count; i++) {
		*(i < 3 ? &d->src[i + 1] : &extra[i - 3]) = from[i];
		if (from[i] == REF_NONE)
			d->uop.compare |= (uint8_t)(1u << i);
	}
	d->uop.vector = (uint8_t)count;
	d->uop.reg_bytes = bits > 64 ? 16 : bits == 64 ? 8 : 4;
}
