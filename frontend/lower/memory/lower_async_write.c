/* frontend/lower/memory/lower_async_write.c -- st.async and red.async: into shared memory of the cluster,
 * whose mbarrier is told when the data are there. */
#include "frontend/lower/lower.h"
#include <string.h>

/* The mbarrier is in the same space as the data. */
static bool find_both(struct lower *l, struct address *to, struct address *barrier)
{
	return lower_find_address(l, operand(l, 0), to) && lower_find_address(l, operand(l, 2), barrier) &&
		to->offset == (int32_t)to->offset && barrier->offset == (int32_t)barrier->offset;
}

void lower_async_write(struct lower *l, uint8_t operation)
{
	unsigned type = l->insn->types[0], bits = ptx_type_bits(type);
	struct ptx_operand data[MOST_ELEMENTS];
	ref from[MOST_ELEMENTS] = { REF_NONE, REF_NONE, REF_NONE, REF_NONE };
	uint32_t count = data_elements(l, operand(l, 1), data);
	struct address to, barrier;
	struct draft *d;

	if (!count || count > 4 || bits * count > 128 || !find_both(l, &to, &barrier) ||
		has_modifier(l, PTX_MOD_RELEASE) || has_modifier(l, PTX_MOD_MMIO)) {
		lower_refuse_form(l);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		from[i] = source(l, &data[i], bits, ptx_type_is_float(type));
	d = emit(l, UOP_ASYNC_WRITE);
	d->src[0] = to.base;
	d->src[1] = barrier.base;
	d->src[2] = from[0];
	d->src[3] = from[1];
	if (count > 2)
		memcpy(add_extras(l, d, count - 2, 0), from + 2, (count - 2) * sizeof(*from));
	d->uop.imm = (int64_t)((uint64_t)(uint32_t)to.offset | (uint64_t)barrier.offset << 32);
	d->uop.space = to.space;
	d->uop.bytes = d->uop.reg_bytes = (uint8_t)(bits / 8);
	d->uop.vector = (uint8_t)count;
	d->uop.type = (uint8_t)type;
	d->uop.compare = operation;
	d->uop.mods = (uint8_t)((to.is_narrow ? MOD_SAT : 0) | (barrier.is_narrow ? MOD_HI : 0));
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}
