/* frontend/optimise/division_reciprocals.c -- loop-invariant code motion and common subexpressions of integer
 * divisions: the reciprocal of the divisor.
 *
 * A division of 32 bits by a register is a sequence (sequences.def) whose first half, the reciprocal, depends
 * on the divisor alone. ptxas makes it once for all divisions by the same divisor, and in front of the loops
 * in which the divisor stays (asked for sm_75 and sm_90; that Volta does so, too, is our choice). For
 * example, in a loop that divides by a parameter nine instructions are left of 18. The division has the
 * reciprocal as an operand, which it does not look at, since it computes the result by itself. */
#include "frontend/optimise/optimise.h"

struct reciprocal {
	ref divisor, value;
	bool is_signed;
	uint32_t block;    /* in which it is made */
	uint32_t division; /* the one that it was made for, in front of it; UINT32_MAX: at the block's end */
};

struct dividers {
	struct code *code;
	struct reciprocal *list;
	uint32_t count;
};

/* Whether the draft is a division by a register or by what lies in the constant bank. */
static bool divides(const struct lower *l, const struct draft *d, bool *is_signed)
{
	uint64_t number;

	*is_signed = d->uop.code == UOP_DIV_S32 || d->uop.code == UOP_REM_S32;
	return (*is_signed || d->uop.code == UOP_DIV_U32 || d->uop.code == UOP_REM_U32) &&
		!(d->uop.flags & UOP_GUARDED) && d->src[2] == REF_NONE &&
		!immediate(l, d->src[1], false, &number);
}

/* Whether the reciprocal is that of the draft's divisor. One of a register that is written at several places
 * serves its own block alone, until the register is written again. */
static bool serves(const struct dividers *v, const struct reciprocal *r, uint32_t draft, uint32_t block)
{
	bool is_fixed = !is_register(r->divisor) || code_writer(v->code, r->divisor, draft);

	if (r->division == UINT32_MAX)
		return r->block != block && code_block_dominates(v->code, r->block, block);
	if (is_fixed)
		return code_block_dominates(v->code, r->block, block);
	return r->block == block && code_keeps(v->code, r->divisor, r->division, draft);
}

static ref reciprocal_of(const struct dividers *v, uint32_t draft, bool is_signed, uint32_t block)
{
	ref divisor = v->code->l->drafts[draft].src[1];

	for (uint32_t i = v->count; i-- > 0;)
		if (v->list[i].divisor == divisor && v->list[i].is_signed == is_signed &&
			serves(v, &v->list[i], draft, block))
			return v->list[i].value;
	return REF_NONE;
}

/* The block at whose end the reciprocal is made; CFG_NONE: in front of the division. */
static uint32_t block_before_loops(const struct dividers *v, uint32_t draft, uint32_t block)
{
	ref divisor = v->code->l->drafts[draft].src[1];
	uint32_t outside = code_outside_loops(v->code, block), home;

	if (!is_register(divisor))
		return outside == block ? CFG_NONE : outside;
	if (!code_writer(v->code, divisor, draft))
		return CFG_NONE;
	home = v->code->block_of[v->code->writer[divisor]];
	if (code_block_dominates(v->code, home, outside))
		home = outside;
	return home == block ? CFG_NONE : home;
}

/* A reciprocal for the division; its index. */
static uint32_t new_reciprocal(
	struct dividers *v, uint32_t division, bool is_signed, uint32_t block, bool is_at_end)
{
	struct lower *l = v->code->l;
	ref to = new_vreg(l, 32);
	struct draft *d = emit(l, is_signed ? UOP_RECIPROCAL_S32 : UOP_RECIPROCAL_U32);

	d->guard = REF_NONE;
	d->uop.flags = 0;
	d->uop.line = l->drafts[division].uop.line;
	d->dst[0] = to;
	d->src[0] = l->drafts[division].src[1];
	v->list = arena_grow(l->scratch, v->list, v->count, sizeof *v->list);
	v->list[v->count++] = (struct reciprocal){ .divisor = d->src[0],
		.value = to,
		.is_signed = is_signed,
		.block = block,
		.division = is_at_end ? UINT32_MAX : division };
	return l->draft_count - 1;
}

static uint32_t count_divisions(const struct code *c, uint32_t block)
{
	uint32_t n = 0;
	bool is_signed;

	for (uint32_t i = 0; i < c->blocks[block].count; i++)
		n += divides(c->l, code_draft(c, block, i), &is_signed);
	return n;
}

/* The reciprocal of a division, made now if there is none; *before: what is to stand in front of it, or
 * UINT32_MAX. */
static ref take_reciprocal(
	struct dividers *v, uint32_t division, bool is_signed, uint32_t block, uint32_t *before)
{
	ref value = reciprocal_of(v, division, is_signed, block);
	uint32_t home, made;

	*before = UINT32_MAX;
	if (value != REF_NONE)
		return value;
	home = block_before_loops(v, division, block);
	made = new_reciprocal(v, division, is_signed, home == CFG_NONE ? block : home, home != CFG_NONE);
	if (home == CFG_NONE)
		*before = made;
	else
		*code_make_room(v->code, home, code_end(v->code, home), 1) = made;
	return v->list[v->count - 1].value;
}

static void divide_in_block(struct dividers *v, uint32_t block)
{
	struct code_block *b = &v->code->blocks[block];
	uint32_t divisions = count_divisions(v->code, block), n = 0, count = b->count;
	uint32_t *ops =
		divisions ? arena_alloc(v->code->l->scratch, (count + divisions) * sizeof *ops) : NULL;

	if (!divisions)
		return;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t draft = b->ops[i], before;
		bool is_signed;

		if (divides(v->code->l, &v->code->l->drafts[draft], &is_signed)) {
			ref value = take_reciprocal(v, draft, is_signed, block, &before);

			if (before != UINT32_MAX)
				ops[n++] = before;
			v->code->l->drafts[draft].src[2] = value;
		}
		ops[n++] = draft;
	}
	b->ops = ops;
	b->count = n;
}

void share_reciprocals(struct code *c)
{
	struct dividers v = { .code = c };

	if (c->l->lowering->sm < 70)
		return;
	for (uint32_t n = 0; n < c->cfg->order_count; n++)
		divide_in_block(&v, c->cfg->order[n]);
	code_index(c);
}
