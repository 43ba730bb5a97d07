/* frontend/lower/memory/lower_bulk.c -- bulk copies, of bytes in a row and of boxes of tensors, their groups,
 * and instructions on tensor maps. */
#include "frontend/lower/lower.h"
#include "frontend/tables/bulk.h"

#include <string.h>

static void mark_modifiers(struct lower *l)
{
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}

/* The operand's address in one register or constant; offsets are added. */
static ref whole_address(struct lower *l, const struct ptx_operand *o, unsigned space, bool *is_narrow)
{
	struct ptx_insn one = *l->insn;
	const struct ptx_insn *whole = l->insn;
	struct address a;
	struct draft *d;
	ref offset, sum;
	bool found;

	one.space = (uint8_t)space;
	l->insn = &one;
	found = lower_find_address(l, o, &a);
	l->insn = whole;
	*is_narrow = found && a.is_narrow;
	if (!found)
		return REF_NONE;
	if (a.base == REF_NONE || !a.offset)
		return a.base == REF_NONE ? constant_ref(l, (uint64_t)a.offset, 64) : a.base;
	offset = constant_ref(l, (uint64_t)a.offset, a.is_narrow ? 32 : 64);
	sum = new_vreg(l, a.is_narrow ? 32 : 64);
	d = emit(l, a.is_narrow ? UOP_ADD_B32 : UOP_ADD_B64);
	d->dst[0] = sum;
	d->src[0] = a.base;
	d->src[1] = offset;
	return sum;
}

struct bulk_operands {
	ref at[BULK_OPERANDS];
	struct bulk_form *form;
};

static void find_side(
	struct lower *l, struct bulk_operands *b, unsigned which, const struct ptx_operand *o, unsigned place)
{
	bool is_narrow = false;

	if (b->form->mode && place == BULK_GLOBAL) {
		b->at[which] = source(l, &o->elements[0], 64, false);
		for (unsigned i = 0; i < bulk_coordinates(b->form); i++)
			b->at[BULK_AT + i] = source(l, &o->elements[1].elements[i], 32, false);
		return;
	}
	b->at[which] = whole_address(l, o, place == BULK_GLOBAL ? PTX_GLOBAL : PTX_SHARED, &is_narrow);
	b->form->narrow |= (uint8_t)(is_narrow << which);
}

static void find_bulk_operands(struct lower *l, struct bulk_operands *b)
{
	const struct bulk_form *f = b->form;
	uint32_t next = 0;

	if (f->kind != BULK_PREFETCHES)
		find_side(l, b, BULK_TO, operand(l, next++), f->to);
	find_side(l, b, BULK_FROM, operand(l, next++), f->from);
	if (!f->mode)
		b->at[BULK_BYTES] = source(l, operand(l, next++), 32, false);
	if (f->kind != BULK_PREFETCHES && !(f->flags & BULK_BY_GROUP))
		find_side(l, b, BULK_BARRIER, operand(l, next++), BULK_CTA);
	if (bulk_offsets(f)) {
		for (unsigned i = 0; i < bulk_offsets(f); i++)
			b->at[BULK_OFFSET + i] = source(l, &operand(l, next)->elements[i], 32, false);
		next++;
	}
	if (f->flags & BULK_MULTICAST)
		b->at[BULK_CTAS] = source(l, operand(l, next++), 32, false);
	if (f->flags & BULK_HINT)
		next++;
	if (f->flags & BULK_BYTE_MASK)
		b->at[BULK_MASK] = source(l, operand(l, next++), 32, false);
}

static void begin_bulk_operands(struct bulk_operands *b, struct bulk_form *f)
{
	b->form = f;
	for (unsigned i = 0; i < BULK_OPERANDS; i++)
		b->at[i] = REF_NONE;
}

static void emit_bulk(struct lower *l, const struct bulk_operands *b)
{
	struct draft *d = emit(l, UOP_BULK);
	ref *extra;

	d->uop.space = SPACE_PARAM; /* for the load/store unit: nothing of it */
	d->uop.type = l->insn->type_count ? l->insn->types[0] : PTX_NO_TYPE;
	memcpy(&d->uop.imm, b->form, sizeof(*b->form));
	extra = add_extras(l, d, BULK_OPERANDS, 0);
	memcpy(extra, b->at, sizeof(b->at));
}

static void lower_bulk_copy(struct lower *l, struct bulk_form *f)
{
	struct bulk_operands b;

	begin_bulk_operands(&b, f);
	find_bulk_operands(l, &b);
	if (!l->is_refused)
		emit_bulk(l, &b);
}

/* ---- launches that are cancelled ---- */

static void lower_try_cancel(struct lower *l)
{
	struct bulk_form f = { .kind = BULK_CANCELS,
		.to = BULK_CTA,
		.flags = has_modifier(l, PTX_MOD_MULTICAST_CLUSTER_ALL) ? BULK_MULTICAST : 0,
		.is_generic = !l->insn->space };
	struct bulk_operands b;
	bool is_narrow[2];

	begin_bulk_operands(&b, &f);
	b.at[BULK_TO] = whole_address(l, operand(l, 0), l->insn->space, &is_narrow[0]);
	b.at[BULK_BARRIER] = whole_address(l, operand(l, 1), l->insn->space, &is_narrow[1]);
	f.narrow = (uint8_t)(is_narrow[0] << BULK_TO | is_narrow[1] << BULK_BARRIER);
	if (!l->is_refused)
		emit_bulk(l, &b);
}

/* An answer is the three coordinates of the first CTA, and whether it was cancelled. */
static void lower_query_cancel(struct lower *l)
{
	static const uint16_t parts[] = { PTX_MOD_GET_FIRST_CTAID_X, PTX_MOD_GET_FIRST_CTAID_Y,
		PTX_MOD_GET_FIRST_CTAID_Z, PTX_MOD_IS_CANCELED };
	ref answer = wide_source(l, operand(l, 1)), words[4] = { REF_NONE, REF_NONE, REF_NONE, REF_NONE };
	struct draft *d;

	for (unsigned i = 0; i < 4; i++)
		if (l->insn->vector == 4)
			words[i] = destination(l, &operand(l, 0)->elements[i]);
		else if (has_modifier(l, parts[i]))
			words[i] = i == 3 ? new_vreg(l, 32) : result(l, operand(l, 0), 32);
	d = emit(l, UOP_UNPACK_B128_4);
	d->src[0] = answer;
	memcpy(d->dst, words, sizeof(words));
	d->is_early = true;
	if (!has_modifier(l, PTX_MOD_IS_CANCELED))
		return;
	d = emit(l, UOP_SETP_U32);
	d->uop.compare = CMP_NE;
	d->src[0] = words[3];
	d->src[1] = constant_ref(l, 0, 32);
	d->dst[0] = destination(l, operand(l, 0));
}

void lower_launch_control(struct lower *l)
{
	mark_modifiers(l);
	if (has_modifier(l, PTX_MOD_TRY_CANCEL))
		lower_try_cancel(l);
	else
		lower_query_cancel(l);
}

void lower_bulk(struct lower *l)
{
	const char *why, *hint;
	uint64_t groups = 0;
	struct bulk_form f;
	struct draft *d;

	if (!bulk_decode(l->insn, &f, &why, &hint)) {
		lower_refuse_form(l);
		return;
	}
	mark_modifiers(l);
	if (f.kind == BULK_COMMITS) {
		emit(l, UOP_BULK_COMMIT);
	} else if (f.kind == BULK_WAITS) {
		constant_operand(operand(l, 0), &groups);
		d = emit(l, UOP_BULK_WAIT);
		d->uop.imm = (uint32_t)groups;
		d->uop.mods = f.flags & BULK_READ ? MOD_HI : 0;
	} else {
		lower_bulk_copy(l, &f);
	}
}

/* ---- tensor maps ---- */

static void lower_fence_copy(struct lower *l)
{
	bool is_narrow[2];
	ref to = whole_address(l, operand(l, 0), PTX_GLOBAL, &is_narrow[0]),
	    from = whole_address(l, operand(l, 1), PTX_SHARED, &is_narrow[1]);
	struct draft *d;

	if (l->is_refused)
		return;
	d = emit(l, UOP_TENSORMAP);
	d->src[0] = to;
	d->src[1] = from;
	d->uop.imm = TENSORMAP_COPY;
	d->uop.mods = (uint8_t)((is_narrow[0] ? MOD_SAT : 0) | (is_narrow[1] ? MOD_HI : 0));
	d->uop.space = SPACE_GLOBAL;
}

void lower_tensormap(struct lower *l)
{
	unsigned field = tensormap_field_of(l->insn),
		 is_wide = l->insn->type_count && l->insn->types[0] == PTX_B64;
	uint64_t dimension = 0;
	bool is_narrow, has_dimension = l->insn->operand_count == 3;
	ref at, value;
	struct draft *d;

	mark_modifiers(l);
	if (field == TENSORMAP_FIELDS) {
		lower_fence_copy(l);
		return;
	}
	at = whole_address(l, operand(l, 0), l->insn->space, &is_narrow);
	if (has_dimension)
		constant_operand(operand(l, 1), &dimension);
	value = source(l, operand(l, has_dimension ? 2 : 1), is_wide ? 64 : 32, false);
	if (l->is_refused)
		return;
	d = emit(l, UOP_TENSORMAP);
	d->src[0] = at;
	d->src[1] = value;
	d->uop.imm = (int64_t)(field | dimension << 4);
	d->uop.mods = is_narrow ? MOD_SAT : 0;
	d->uop.reg_bytes = is_wide ? 8 : 4;
	d->uop.space = l->insn->space == PTX_SHARED ? SPACE_SHARED
		: l->insn->space                    ? SPACE_GLOBAL
						    : SPACE_GENERIC;
}
