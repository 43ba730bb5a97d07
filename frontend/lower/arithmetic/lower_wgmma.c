/* frontend/lower/arithmetic/lower_wgmma.c -- products of a warpgroup and the waits for them. */
#include "frontend/lower/lower.h"
#include "frontend/tables/wgmma.h"

/* The constant at that place of the operands. */
static int64_t constant_at(const struct lower *l, unsigned place)
{
	uint64_t value = 0;

	constant_operand(operand(l, place), &value);
	return (int64_t)value;
}

static unsigned wgmma_flags_of(const struct lower *l, const struct wgmma_form *f)
{
	unsigned flags = 0;

	if (f->scale_a && constant_at(l, f->scale_a) < 0)
		flags |= WGMMA_NEGATES_A;
	if (f->scale_a && constant_at(l, f->scale_a + 1u) < 0)
		flags |= WGMMA_NEGATES_B;
	if (f->transpose_a && constant_at(l, f->transpose_a))
		flags |= WGMMA_A_BY_ROWS;
	if (f->transpose_b && constant_at(l, f->transpose_b))
		flags |= WGMMA_B_BY_COLUMNS;
	if (f->is_sparse)
		flags |= WGMMA_SPARSE | (constant_at(l, f->metadata + 1u) ? WGMMA_SELECTOR : 0);
	return flags;
}

/* A of registers, and D unless scale-d is the constant 0. */
static void set_fragments(struct lower *l, struct draft *d, const struct wgmma_form *f, const ref *a)
{
	const struct ptx_operand *results = operand(l, 0);
	uint64_t scale;
	bool is_fresh = constant_operand(operand(l, f->scale_d), &scale) && !scale;
	unsigned count = f->in_registers ? 4 : 0, sums = is_fresh ? 0 : f->d_registers;
	ref *extra = add_extras(l, d, count + sums, f->d_registers);

	for (unsigned i = 0; i < count; i++)
		extra[i] = a[i];
	for (unsigned i = 0; i < sums; i++)
		extra[count + i] = destination(l, &results->elements[i]);
	for (unsigned i = 0; i < f->d_registers; i++)
		extra[count + sums + i] = destination(l, &results->elements[i]);
}

static void lower_mma_async(struct lower *l, const struct wgmma_form *f)
{
	ref a[4] = { REF_NONE }, from[4] = { REF_NONE, REF_NONE, REF_NONE, REF_NONE };
	bool is_negated = false;
	struct draft *d;

	if (f->in_registers)
		lower_matrix_sources(l, 1, 4, f->a, a);
	else
		from[0] = source(l, operand(l, 1), 64, false);
	from[1] = source(l, operand(l, 2), 64, false);
	from[2] = predicate_source(l, operand(l, f->scale_d), &is_negated);
	if (f->is_sparse)
		from[3] = lower_metadata(l, operand(l, f->metadata));
	d = emit(l, UOP_WGMMA);
	for (unsigned s = 0; s < 4; s++)
		d->src[s] = from[s];
	set_fragments(l, d, f, a);
	d->uop.imm = wgmma_pack(f->n, f->k, wgmma_flags_of(l, f));
	d->uop.type = f->a;
	d->uop.compare = f->b;
	d->uop.combine = f->d;
	d->uop.mods = (uint8_t)((is_negated ? MOD_NEGATE_C : 0) |
		(has_modifier(l, PTX_MOD_SATFINITE) ? MOD_SAT : 0));
}

void lower_wgmma(struct lower *l)
{
	struct wgmma_form f;
	const char *why, *hint;

	if (!wgmma_decode(l->insn, &f, &why, &hint)) {
		lower_refuse_form(l);
		return;
	}
	if (f.what == WGMMA_MULTIPLIES)
		lower_mma_async(l, &f);
	else if (f.what == WGMMA_COMMITS)
		emit(l, UOP_WGMMA_COMMIT);
	else if (f.what == WGMMA_WAITS)
		emit(l, UOP_WGMMA_WAIT)->uop.imm = constant_at(l, 0);
	else
		emit(l, UOP_NOP)->uop.imm = UOP_NOP_FENCES;
	l->used_modifiers = (1u << l->insn->modifier_count) - 1;
}
