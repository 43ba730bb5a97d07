/* frontend/lower/arithmetic/lower_tcgen05.c -- tensor memory and its products. Loads and stores carry their
 * registers behind the micro-operation's operands, products their operands in the order of enum
 * tcgen05_operand. */
#include "frontend/lower/lower.h"
#include "frontend/tables/tcgen05.h"

static int64_t tensor_code(const struct tcgen05_code *code)
{
	int64_t imm;

	memcpy(&imm, code, sizeof(imm));
	return imm;
}

/* [taddr] or [taddr + n] in one register or constant. */
static ref tensor_address(struct lower *l, const struct ptx_operand *o)
{
	struct draft *d;
	ref base, sum;

	if (!o->base || o->base->kind == PTX_OP_NONE)
		return constant_ref(l, o->value.bits, 32);
	base = source(l, o->base, 32, false);
	if (!o->value.bits)
		return base;
	sum = constant_ref(l, o->value.bits, 32);
	d = emit(l, UOP_ADD_B32);
	d->src[0] = base;
	d->src[1] = sum;
	return d->dst[0] = new_vreg(l, 32);
}

/* ---- allocation ---- */

static void lower_allocation(struct lower *l, struct tcgen05_form *f)
{
	struct address a = { 0 };
	struct draft *d;
	ref columns;

	if (f->what == TCGEN05_RELINQUISHES) {
		emit(l, UOP_TCGEN05_RELINQUISH)->uop.imm = tensor_code(&f->code);
		return;
	}
	if (f->what == TCGEN05_FREES)
		a.base = source(l, operand(l, 0), 32, false);
	else if (!lower_find_address(l, operand(l, 0), &a))
		return;
	columns = source(l, operand(l, 1), 32, false);
	f->code.offset = (int32_t)a.offset;
	d = emit(l, f->what == TCGEN05_FREES ? UOP_TCGEN05_DEALLOC : UOP_TCGEN05_ALLOC);
	d->src[0] = a.base;
	d->src[1] = columns;
	d->uop.space = a.space;
	d->uop.mods = a.is_narrow ? MOD_SAT : 0;
	d->uop.imm = tensor_code(&f->code);
}

/* ---- loads and stores ---- */

/* What a load with a reduction finds: in `compare` enum uop_atomic. */
static void set_reduction(struct lower *l, struct draft *d, const struct tcgen05_form *f)
{
	d->uop.type = PTX_B32;
	if (!f->reduces)
		return;
	d->uop.type = l->insn->types[0];
	d->uop.compare = has_modifier(l, PTX_MOD_MIN) ? ATOM_MIN : ATOM_MAX;
	d->uop.mods = (uint8_t)((has_modifier(l, PTX_MOD_NAN) ? MOD_HI : 0) |
		(has_modifier(l, PTX_MOD_ABS) ? MOD_ABS : 0));
}

static void lower_tensor_transfer(struct lower *l, struct tcgen05_form *f)
{
	bool loads = f->what == TCGEN05_LOADS;
	const struct ptx_operand *data = operand(l, loads ? 0 : f->operands - 1u);
	ref address = tensor_address(l, operand(l, loads ? 1 + f->reduces : 0)), *extra, found = REF_NONE,
	    from[TENSOR_LANES];
	uint64_t split = 0;
	struct draft *d;

	if (f->split)
		constant_operand(operand(l, f->split + (uint32_t)f->reduces), &split);
	f->code.offset = (int32_t)split;
	for (unsigned i = 0; i < f->registers; i++)
		from[i] =
			loads ? destination(l, &data->elements[i]) : source(l, &data->elements[i], 32, false);
	if (f->reduces)
		found = destination(l, operand(l, 1));
	d = emit(l, loads ? UOP_TCGEN05_LD : UOP_TCGEN05_ST);
	d->src[0] = address;
	d->uop.imm = tensor_code(&f->code);
	set_reduction(l, d, f);
	extra = add_extras(l, d, loads ? 0 : f->registers, loads ? f->registers + f->reduces : 0);
	memcpy(extra, from, f->registers * sizeof(*from));
	if (f->reduces)
		extra[f->registers] = found;
}

/* ---- products ---- */

static void lower_tensor_product(struct lower *l, struct tcgen05_form *f)
{
	ref at[TENSOR_OPERANDS], enable;
	bool is_negated = false;
	uint64_t scale = 0;
	struct draft *d;

	for (unsigned i = 0; i < TENSOR_OPERANDS; i++)
		at[i] = REF_NONE;
	at[TENSOR_D] = tensor_address(l, operand(l, 0));
	at[TENSOR_A] = f->code.flags & TENSOR_A_IN_TENSOR ? tensor_address(l, operand(l, 1))
							  : source(l, operand(l, 1), 64, false);
	at[TENSOR_B] = source(l, operand(l, 2), 64, false);
	at[TENSOR_IDESC] = source(l, operand(l, f->idesc), 32, false);
	if (f->metadata)
		at[TENSOR_METADATA] = tensor_address(l, operand(l, f->metadata));
	if (f->scales) {
		at[TENSOR_SCALE_A] = tensor_address(l, operand(l, f->scales));
		at[TENSOR_SCALE_B] = tensor_address(l, operand(l, f->scales + 1u));
	}
	if (f->zeros)
		at[TENSOR_ZEROS] = source(l, operand(l, f->zeros), 64, false);
	for (unsigned i = 0; f->mask && i < operand(l, f->mask)->element_count; i++)
		at[TENSOR_MASK_AT + i] = source(l, &operand(l, f->mask)->elements[i], 32, false);
	if (f->scale_d)
		constant_operand(operand(l, f->scale_d), &scale);
	f->code.offset = (int32_t)scale;
	enable = predicate_source(l, operand(l, f->enable), &is_negated);
	d = emit(l, UOP_TCGEN05_MMA);
	d->src[0] = enable;
	d->uop.mods = is_negated ? MOD_NEGATE_C : 0;
	d->uop.imm = tensor_code(&f->code);
	memcpy(add_extras(l, d, TENSOR_OPERANDS, 0), at, sizeof(at));
}

/* ---- copies, shifts, commits ---- */

static void lower_tensor_copy(struct lower *l, const struct tcgen05_form *f)
{
	ref to = tensor_address(l, operand(l, 0)), from = REF_NONE;
	struct draft *d;

	if (f->what == TCGEN05_COPIES)
		from = source(l, operand(l, 1), 64, false);
	d = emit(l, f->what == TCGEN05_COPIES ? UOP_TCGEN05_CP : UOP_TCGEN05_SHIFT);
	d->src[0] = to;
	d->src[1] = from;
	d->uop.imm = tensor_code(&f->code);
}

static void lower_tensor_commit(struct lower *l, struct tcgen05_form *f)
{
	struct address a;
	struct draft *d;
	ref ctas = REF_NONE;

	if (!lower_find_address(l, operand(l, 0), &a))
		return;
	if (f->code.flags & TENSOR_MULTICAST)
		ctas = source(l, operand(l, 1), 32, false);
	f->code.offset = (int32_t)a.offset;
	d = emit(l, UOP_TCGEN05_COMMIT);
	d->src[0] = a.base;
	d->src[1] = ctas;
	d->uop.space = a.space;
	d->uop.mods = a.is_narrow ? MOD_SAT : 0;
	d->uop.imm = tensor_code(&f->code);
}

void lower_tcgen05(struct lower *l)
{
	struct tcgen05_form f;
	const char *why, *hint;

	if (!tcgen05_decode(l->insn, &f, &why, &hint)) {
		lower_refuse_form(l);
		return;
	}
	l->kernel->uses_tensor_memory = true;
	switch (f.what) {
	case TCGEN05_ALLOCATES:
	case TCGEN05_FREES:
	case TCGEN05_RELINQUISHES:
		lower_allocation(l, &f);
		break;
	case TCGEN05_LOADS:
	case TCGEN05_STORES:
		lower_tensor_transfer(l, &f);
		break;
	case TCGEN05_WAITS:
	case TCGEN05_FENCES:
		emit(l, UOP_NOP)->uop.imm =
			has_modifier(l, PTX_MOD_WAIT_LD) ? UOP_NOP_LOADED : UOP_NOP_FENCES;
		break;
	case TCGEN05_MULTIPLIES:
		lower_tensor_product(l, &f);
		break;
	case TCGEN05_COMMITS:
		lower_tensor_commit(l, &f);
		break;
	default:
		lower_tensor_copy(l, &f);
	}
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}
